"""People with a browser that does what the scripts of the site do: reconnect, ask, answer, by whatever way is open."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from random import Random

from tests.bench.player import Person
from tests.bench.wire import Answer, Browser

PLY = re.compile(r'data-ply="(\d+)"')
MOVER = re.compile(r'data-mover="(\d*)"')
PATIENCE_S, POLL_AFTER_S, POLL_EVERY_S, REQUEST_S, SILENCE_S = 6, 5, 3, 10, 40
"""As in static/js: answer.js, table.js, line.js."""
AWAY = (OSError, EOFError, TimeoutError, ValueError)
"""What a request raises whose server is gone, before or in the middle of its answer."""


class Page(Person):
    """Somebody's page of a table. `log` gets what must not happen.

    It stays open, or opens again, until `close`; `hold` keeps answers back for a while.
    """

    def __init__(self, sites: list[str], name: str, rng: Random, log: Callable[[str], None]):
        super().__init__(Browser(sites[0]), name, f"password of {name}")
        self.sites, self.rng, self.log = sites, rng, log
        self.at = rng.randrange(len(sites))
        """Which of the processes it talks to: another one after each failure, as through a proxy."""
        self.hold = asyncio.Event()
        """Set while answers may be sent."""
        self.thinking = (0.1, 0.6)
        self.answers_left = 10**6
        """Then it goes to sleep."""
        self.online = asyncio.Event()
        self.online.set()
        self.sent: dict[tuple[str, int], list[list[str]]] = {}
        """All that it tried to answer, by table and ply."""
        self.acknowledged: list[tuple[str, int, list[str], bool]] = []
        """Answers that the site has confirmed: table, ply, moves, by POST (else by a board on the same line)."""
        self.shown: dict[str, int] = {}
        """The highest ply of each table that it has been shown."""
        self.refused: list[str] = []
        """The sentences with which answers were refused."""
        self.ordered = False
        """They have a standing order: the site may pass for them."""
        self.tasks: list[asyncio.Task] = []
        self.mover = self.address = ""
        self.fresh = True
        """No board has come by this line yet."""
        self.at_once = False

    # The table

    def open(self, address: str) -> None:
        """Open the page of a table."""
        self.get_up()
        self.address, self.pending, self.mover = address, None, ""
        self.lost_at: float | None = self.now()
        self.tasks = [asyncio.create_task(work()) for work in (self.stay_connected, self.poll, self.play)]

    async def close(self) -> None:
        """Close it."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.drop()

    def drop(self) -> None:
        if self.socket:
            self.socket.transport.abort()
            self.socket = None

    def renew(self) -> None:
        """Take a new line at once."""
        if self.socket:
            self.at_once = True
            self.drop()

    async def pause(self, seconds: float, frozen: bool) -> None:
        """The network is away: `frozen`, what is open stays so and is silent, else it is cut."""
        self.online.clear()
        if self.socket and frozen:
            self.socket.transport.pause_reading()
        else:
            self.drop()
        await asyncio.sleep(seconds)
        self.online.set()
        self.renew()

    @staticmethod
    def now() -> float:
        return asyncio.get_running_loop().time()

    # The line, as line.js keeps it

    async def stay_connected(self) -> None:
        attempt = 0
        while True:
            await self.online.wait()
            gone = asyncio.get_running_loop().create_future()

            def closed(code: int, gone=gone) -> None:
                if not gone.done():
                    gone.set_result(code)

            self.fresh = True
            try:
                browser = Browser(self.sites[self.at], self.browser.cookies)
                opening = browser.socket(f"/ws{self.address}?lang=en", self.heard, closed)
                self.socket = await asyncio.wait_for(opening, REQUEST_S)
            except AWAY:
                self.socket = None
            else:
                attempt, self.heard_at, self.lost_at = 0, self.now(), None
                code = await self.end_of(gone)
                self.socket = None
                if 4400 <= code < 4500:
                    self.log(f"{self.name} at {self.address}: the socket was closed for good with {code}")
                    return
            if self.lost_at is None:
                self.lost_at = self.now()
            self.at = (self.at + 1) % len(self.sites)
            at_once, self.at_once = self.at_once, False
            if self.online.is_set() and not at_once:
                attempt += 1
                longest = min(10, 2 * 1.6 ** (attempt - 1))
                await asyncio.sleep(self.rng.uniform(0.2, longest))

    async def end_of(self, gone: asyncio.Future[int]) -> int:
        """Wait until the socket is closed, or has been silent for too long."""
        while True:
            done, _ = await asyncio.wait([gone], timeout=5)
            if done:
                return gone.result()
            if self.online.is_set() and self.now() - self.heard_at > SILENCE_S:
                self.drop()

    def heard(self, text: str) -> None:
        self.heard_at = self.now()
        found = PLY.search(text)
        if found and int(found[1]) < self.ply:
            # The other process may not have heard of the last answer yet; it will in a moment.
            if not self.fresh:
                self.log(f"{self.name} at {self.address}: from ply {self.ply} back to {found[1]}")
            return
        self.fresh = self.fresh and not found
        self.take_in(text)
        if found := MOVER.search(text):
            self.mover = found[1]
        self.shown[self.address] = max(self.ply, self.shown.get(self.address, -1))
        if self.pending and (self.refusal or self.ply > self.pending[0]):
            ply, moves, socket = self.pending
            self.pending = None
            if not self.refusal and socket is self.socket:
                self.acknowledged.append((self.address, ply, moves, False))
        if self.refusal:
            self.refused.append(self.refusal)
        self.refusal = ""

    # Without a line

    async def poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_EVERY_S)
            if self.online.is_set() and self.lost_at is not None and self.now() - self.lost_at > POLL_AFTER_S:
                await self.look()

    async def look(self) -> None:
        try:
            answer = await self.request("get", f"{self.address}/board?ply={self.ply}")
        except AWAY:
            return
        # As table.js has it: a line may have come, and more by it, while the answer was on its way.
        found = PLY.search(answer.text)
        if answer.status == 200 and found and int(found[1]) > self.ply:
            self.heard(answer.text)

    async def request(self, method: str, path: str, **fields: str | list[str]) -> Answer:
        """One request on a connection of its own."""
        browser = Browser(self.sites[self.at], self.browser.cookies)
        try:
            return await asyncio.wait_for(getattr(browser, method)(path, **fields), REQUEST_S)
        finally:
            await browser.close()

    # Answers, as answer.js sends them

    async def play(self) -> None:
        while True:
            await asyncio.sleep(self.rng.uniform(*self.thinking))
            await self.hold.wait()
            if not self.asked or self.over or not self.online.is_set() or not self.answers_left:
                continue
            try:
                ply, moves = self.ply, self.answer(self.rng)
            except RuntimeError as error:
                self.log(str(error))
                return
            self.sent.setdefault((self.address, ply), []).append(moves)
            self.answers_left -= 1
            if self.socket:
                await self.send(ply, moves)
            else:
                await self.post(ply, moves)

    async def send(self, ply: int, moves: list[str]) -> None:
        """By the socket; if nothing comes of it, a new one."""
        self.pending = (ply, moves, self.socket)
        self.socket.send(json.dumps({"ply": str(ply), "move": moves}))
        end = self.now() + PATIENCE_S
        while self.pending and self.now() < end:
            await asyncio.sleep(0.02)
        if self.pending:
            self.pending = None
            self.renew()

    async def post(self, ply: int, moves: list[str]) -> None:
        """By a form."""
        try:
            answer = await self.request("post", f"{self.address}/play", ply=str(ply), move=moves)
        except AWAY:
            return
        if answer.status == 200:
            self.acknowledged.append((self.address, ply, moves, True))
            await self.look()
