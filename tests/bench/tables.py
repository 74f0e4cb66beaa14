"""Tables full of people, in a closed loop: the next answer is sent once all have seen what came of the last one."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from random import Random
from typing import Any

from tests.bench.player import Person

SETTINGS = {"pace": "live", "time": "15+20", "preset": "rulebook", "kind": "rated", "access": "link", "watch": "all"}
PATIENCE_S = 30
"""If nothing happens at any table for this time, nothing will."""
LONG = 150
"""About how many answers a game of three takes here."""


async def some_at_a_time(work: Iterable[Awaitable[Any]], limit: int = 8) -> list[Any]:
    """Do all this, no more than `limit` at a time."""
    places = asyncio.Semaphore(limit)

    async def one(piece: Awaitable[Any]) -> Any:
        async with places:
            return await piece

    return await asyncio.gather(*map(one, work))


class Tally:
    """What is counted while games are played."""

    def __init__(self):
        self.answers = self.rows = self.skipped = 0
        self.waits: list[float] = []
        """Seconds from sending an answer until the last page of the table showed it."""
        self.sizes: list[int] = []
        """Bytes of each message that brought a page to another ply."""
        self.faults: list[str] = []


class Table:
    """The people of one match. `turn(table)` is called when somebody there has a question; it calls `answer`."""

    def __init__(self, people: list[Person], rng: Random, tally: Tally):
        self.people, self.rng, self.tally = people, rng, tally
        self.address = ""
        self.turn: Callable[[Table], None] | None = None
        self.turned = -1
        """The ply at which it was called last: what is told of the clocks is no question."""
        self.sent, self.sent_ply, self.sent_at = "", -1, 0.0
        self.waiting = 0
        self.whole: dict[Person, asyncio.Future] = {}
        self.over = asyncio.get_running_loop().create_future()
        self.held = asyncio.get_running_loop().create_future()
        """Done once the table has given the answers that `play_to` wants of it."""
        self.closing = False
        self.counted = False
        """Whether the answers count."""
        self.sound = True

    async def open(self, host: int) -> None:
        """Open a table and let all sit down at it, so that the match begins."""
        first = self.people[host % len(self.people)]
        answer = await first.browser.post("/play/new", places=str(len(self.people)), **SETTINGS)
        if not answer.path.startswith("/m/"):
            raise RuntimeError(f"{first.name} could not open a table (status {answer.status}).")
        self.address = answer.path
        for person in self.people:
            person.get_up()
            if person is not first:
                await person.browser.post(f"{self.address}/join")
                await person.browser.post(f"{self.address}/ready", ready="1")
        await asyncio.gather(*(person.shuffle(self.address) for person in self.people))

    async def connect(self, person: Person) -> None:
        """Open a person's socket, and wait for the whole board."""
        whole = self.whole[person] = asyncio.get_running_loop().create_future()
        person.ply, person.seen = -1, []
        person.socket = await person.browser.socket(
            self.path(person),
            lambda text: self.heard(person, text),
            lambda code: self.lost(person, code),
        )
        person.greet()
        await whole

    def path(self, person: Person) -> str:
        """The address of a person's socket."""
        return f"/ws{self.address}?lang={person.language}"

    async def shows(self, ply: int) -> bool:
        """Whether the page shows this ply."""
        return f'data-ply="{ply}"' in (await self.people[0].browser.get(self.address)).text

    async def disconnect(self) -> None:
        """Close all sockets."""
        self.closing = True
        await asyncio.gather(*(person.socket.close() for person in self.people if person.socket))
        self.closing = False

    def play(self, turn: Callable[[Table], None]) -> None:
        """Play on until the game is over, or `hold` is called."""
        self.turn, self.turned = turn, -1
        self.look()

    def hold(self) -> None:
        """Play no further once all have seen what came of the last answer."""
        self.turn = None

    def heard(self, person: Person, text: str) -> None:
        before = person.ply
        moved = person.take_in(text)
        if person.refusal:
            self.fault(f"{person.name} at ply {person.ply} answered {self.sent}: {person.refusal}")
            person.refusal = ""
        if not moved:
            return
        person.seen.append(person.ply)
        if before < 0:
            self.whole[person].set_result(None)
            return
        if person.ply < before:
            self.fault(f"{person.name}: from ply {before} back to {person.ply}")
        if self.counted:
            self.tally.sizes.append(len(text.encode()))
        if before <= self.sent_ply < person.ply:
            self.waiting -= 1
            if not self.waiting and self.counted:
                self.tally.waits.append(time.perf_counter() - self.sent_at)
                self.tally.answers += 1
                self.tally.rows += max(other.ply for other in self.people) - self.sent_ply
        self.look()

    def look(self) -> None:
        """If all boards show the same, go on."""
        ply = self.people[0].ply
        if self.turn is None or self.waiting or self.over.done() or any(person.ply != ply for person in self.people):
            return
        if all(person.over for person in self.people):
            every = set().union(*(person.seen for person in self.people))
            self.tally.skipped += sum(len(every) - len(set(person.seen)) for person in self.people)
            self.over.set_result(ply)
        elif ply > max(self.sent_ply, self.turned) and any(person.asked for person in self.people):
            self.turned = ply
            self.turn(self)

    def answer(self) -> None:
        """Whoever is asked answers, unless the table holds."""
        if self.turn is None:
            return
        person = next(person for person in self.people if person.asked)
        try:
            moves = person.answer(self.rng)
        except RuntimeError as error:
            self.fault(str(error))
            return
        self.waiting, self.sent_ply = len(self.people), person.ply
        self.sent = ", ".join(map(str, moves))
        self.sent_at = time.perf_counter()
        person.send(moves)

    def lost(self, person: Person, code: int) -> None:
        """A socket has been closed."""
        if not self.closing:
            self.fault(f"{person.name}: closed with {code} at ply {person.ply}")
            if not self.whole[person].done():
                self.whole[person].set_result(None)

    def fault(self, text: str) -> None:
        """Something that must not happen has happened: this game is not played on."""
        self.tally.faults.append(f"{self.address}: {text}")
        self.sound = False
        if not self.over.done():
            self.over.set_result(None)


class AtOnce:
    """Everybody answers at once."""

    def __call__(self, table: Table) -> None:
        table.answer()

    def stop(self) -> None:
        pass


class Thinking(AtOnce):
    """Everybody thinks for this many seconds, give or take half."""

    def __init__(self, seconds: float, rng: Random):
        self.seconds, self.rng = seconds, rng

    def __call__(self, table: Table) -> None:
        asyncio.get_running_loop().call_later(self.seconds * self.rng.uniform(0.5, 1.5), table.answer)


class Rate(AtOnce):
    """This many answers a second at all tables together, at random moments, like people's."""

    def __init__(self, rate: float, rng: Random):
        self.rate, self.rng = rate, rng
        self.ready: deque[Table] = deque()
        self.task = asyncio.create_task(self.run())

    def __call__(self, table: Table) -> None:
        self.ready.append(table)

    async def run(self) -> None:
        next_at = time.perf_counter()
        while True:
            next_at += self.rng.expovariate(self.rate)
            await asyncio.sleep(max(0.0, next_at - time.perf_counter()))
            if self.ready:
                self.ready.popleft().answer()

    def stop(self) -> None:
        self.task.cancel()


class UpTo(AtOnce):
    """Each table answers at once, until it has given so many answers."""

    def __init__(self, answers: dict[Table, int]):
        self.left = dict(answers)

    def __call__(self, table: Table) -> None:
        if self.left[table]:
            self.left[table] -= 1
            table.answer()
        else:
            table.held.set_result(None)


async def play_to(answers: dict[Table, int]) -> None:
    """Play at these tables until so many answers have been given at each, or its game is over."""
    turn, loop = UpTo(answers), asyncio.get_running_loop()
    for table in answers:
        table.held = loop.create_future()
        table.play(turn)
    halts = [asyncio.wait([table.held, table.over], return_when=asyncio.FIRST_COMPLETED) for table in answers]
    await patiently(asyncio.gather(*halts), list(answers))


async def patiently(everything: asyncio.Future, tables: list[Table]) -> None:
    """Wait for something that comes of what is played at these tables. Where they get stuck, it is a fault of each."""
    progress = -1
    while not everything.done():
        await asyncio.wait([everything], timeout=PATIENCE_S)
        if not everything.done() and progress == (progress := sum(table.people[0].ply for table in tables)):
            for table in tables:
                if not table.over.done():
                    plies = ", ".join(f"{person.ply}{'?' if person.asked else ''}" for person in table.people)
                    table.fault(f"nothing happens after the answer at ply {table.sent_ply}; the boards show {plies}")


async def play_series(series: list[list[Table]], turn: AtOnce, seconds: float = 0) -> None:
    """Play the games of each series one after the other, until as many have ended as there are series; or, if these are
    given, for so many seconds, or until all have ended.

    So beginnings, middles and ends of games are there in the shares that they have in an evening, provided that the
    first games were under way at different moments, and each series has games enough.
    """
    tables = [table for games in series for table in games]
    left, loop = len(tables) if seconds else len(series), asyncio.get_running_loop()
    enough = loop.create_future()

    def proceed(games: Iterator[Table]) -> None:
        if table := next(games, None):
            table.over.add_done_callback(lambda _: end(games))
            table.play(turn)

    def end(games: Iterator[Table]) -> None:
        nonlocal left
        left -= 1
        if not left:
            stop()
        elif left > 0:
            proceed(games)

    def stop() -> None:
        if not enough.done():
            enough.set_result(None)

    for table in tables:
        table.counted = True
    for games in series:
        proceed(table for table in games if not table.over.done())
    if seconds:
        left -= sum(table.over.done() for table in tables)
        loop.call_later(seconds, stop)
    await patiently(enough, tables)
    turn.stop()
    for table in tables:
        table.counted = False
        table.hold()


async def settle(tables: list[Table]) -> None:
    """Wait until everybody has seen the last answers, and compare their boards with the page."""

    async def seen(table: Table) -> None:
        while not table.over.done() and (table.waiting or len({person.ply for person in table.people}) > 1):
            await asyncio.sleep(0.02)

    await patiently(asyncio.gather(*map(seen, tables)), tables)
    for table in tables:
        plies = {person.ply for person in table.people}
        if table.sound and not await table.shows(max(plies)):
            table.fault(f"the boards show {plies}, the page does not")
