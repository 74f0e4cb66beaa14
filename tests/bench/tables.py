"""Tables full of people, in a closed loop: the next answer is sent once all have seen what came of the last one."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from random import Random
from typing import Any

from tests.bench.player import Person

SETTINGS = {"pace": "live", "time": "15+20", "preset": "rulebook", "kind": "rated", "access": "link", "watch": "all"}
PATIENCE_S = 30
"""If nothing happens at any table for this time, nothing will."""


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
        self.sent, self.sent_ply, self.sent_at = "", -1, 0.0
        self.waiting = 0
        self.whole: dict[Person, asyncio.Future] = {}
        self.over = asyncio.get_running_loop().create_future()
        self.closing = False
        self.counted = True

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
            f"/ws{self.address}?lang=en", lambda text: self.heard(person, text), lambda code: self.lost(person, code)
        )
        await whole

    async def disconnect(self) -> None:
        """Close all sockets."""
        self.closing = True
        await asyncio.gather(*(person.socket.close() for person in self.people if person.socket))
        self.closing = False

    def play(self, turn: Callable[[Table], None]) -> None:
        """Play until the game is over."""
        self.turn = turn
        self.look()

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
        elif ply > self.sent_ply and any(person.asked for person in self.people):
            self.turn(self)

    def answer(self) -> None:
        """Whoever is asked answers."""
        person = next(person for person in self.people if person.asked)
        try:
            moves = person.answer(self.rng)
        except RuntimeError as error:
            self.fault(str(error))
            return
        self.waiting, self.sent_ply = len(self.people), person.ply
        self.sent = ", ".join(moves)
        self.sent_at = time.perf_counter()
        person.socket.send(json.dumps({"ply": person.ply, "move": moves}))

    def lost(self, person: Person, code: int) -> None:
        """A socket has been closed."""
        if not self.closing:
            self.fault(f"{person.name}: closed with {code} at ply {person.ply}")
            if not self.whole[person].done():
                self.whole[person].set_result(None)

    def fault(self, text: str) -> None:
        """Something that must not happen has happened: this game is not played on."""
        self.tally.faults.append(f"{self.address}: {text}")
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


async def play_round(tables: list[Table], turn: AtOnce, measured: Callable[[], None]) -> None:
    """Play all games to their end; `measured` is called when half of them are over.

    From then on nothing is counted any more, as the load is no longer what it should be.
    """
    ended = 0

    def end(_) -> None:
        nonlocal ended
        ended += 1
        if ended == (len(tables) + 1) // 2:
            measured()
            for table in tables:
                table.counted = False

    for table in tables:
        table.over.add_done_callback(end)
        table.play(turn)
    everything = asyncio.gather(*(table.over for table in tables))
    progress = -1
    while not everything.done():
        await asyncio.wait([everything], timeout=PATIENCE_S)
        if not everything.done() and progress == (progress := sum(table.people[0].ply for table in tables)):
            for table in tables:
                if not table.over.done():
                    plies = ", ".join(f"{person.ply}{'?' if person.asked else ''}" for person in table.people)
                    table.fault(f"nothing happens after the answer at ply {table.sent_ply}; the boards show {plies}")
    turn.stop()
    for table in tables:
        plies = {person.ply for person in table.people}
        page = await table.people[0].browser.get(table.address)
        if table.over.result() is not None and f'data-ply="{max(plies)}"' not in page.text:
            table.fault(f"the boards show {plies}, the page does not")
