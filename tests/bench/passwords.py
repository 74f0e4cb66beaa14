"""How long moves and pages of others take, and how much memory the site does, while many passwords come at once.

.venv/bin/python -m tests.bench.passwords --at-once 20,50,100

`BIBLIOS_ATTACKED` is the checkout whose site is measured, by default this one.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from tests.bench.meter import memory_kib
from tests.bench.player import Person
from tests.bench.tables import Table, Tally, Thinking
from tests.bench.wire import Browser
from tests.security.attacks import outside

TOKEN = "a" * 32
LOOK_S = 0.01
THINKING_S = 0.15
"""Three people who answer so soon play no more than they may: 40 answers each in ten seconds."""
LOOK_AGAIN_S = 0.05
NAMES, NETWORKS = count(), count(1)


def network() -> str:
    """An address that nobody else has."""
    n = next(NETWORKS)
    return f"127.2.{n // 250}.{n % 250 + 1}"


class Request:
    """A form on a connection that is open already."""

    def __init__(self, site: outside.Site, path: str, cookies: str = "", **fields: str):
        self.site, body = site, urlencode(fields)
        head = {
            "Host": f"127.0.0.1:{site.port}",
            "Origin": f"http://127.0.0.1:{site.port}",
            "Cookie": "; ".join(filter(None, [f"csrftoken={TOKEN}", cookies])),
            "X-CSRFToken": TOKEN,
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        self.data = f"POST {path} HTTP/1.1\r\n{lines}\r\n{body}".encode()

    async def connect(self, address: str) -> None:
        self.streams = await asyncio.open_connection("127.0.0.1", self.site.port, local_addr=(address, 0))

    async def answer(self) -> int:
        """The status of the answer; 0 if the connection has ended without one."""
        reader, writer = self.streams
        writer.write(self.data)
        try:
            answer = await reader.read(-1)
        except OSError:
            answer = b""
        writer.close()
        return int(answer[9:12] or 0)


class Watch:
    """What others feel from now on until `end`."""

    def __init__(self, site: outside.Site, tally: Tally):
        self.site, self.tally = site, tally
        tally.waits = []
        self.pages: list[float] = []
        self.began = time.perf_counter()
        self.before = self.most = memory_kib(site.process.pid)
        self.tasks = [asyncio.create_task(each) for each in (self.remember(), self.read())]

    async def remember(self) -> None:
        while True:
            self.most = max(self.most, memory_kib(self.site.process.pid))
            await asyncio.sleep(LOOK_S)

    async def read(self) -> None:
        reader = Browser(f"http://127.0.0.1:{self.site.port}")
        while True:
            start = time.perf_counter()
            assert (await reader.get("/rules")).status == 200
            self.pages.append(time.perf_counter() - start)
            await asyncio.sleep(LOOK_AGAIN_S)

    async def end(self) -> str:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        memory = f"{self.before / 1024:.0f} + {(self.most - self.before) / 1024:.0f}"
        return f"{times(self.tally.waits)} | {times(self.pages)} | {memory}"


def times(waits: list[float]) -> str:
    """The median, the value below which 95 % lie, and the longest, in milliseconds, with how many there were."""
    if not waits:
        return "none"
    waits = sorted(waits)
    chosen = waits[len(waits) // 2], waits[int(0.95 * len(waits))], waits[-1]
    return f"{', '.join(f'{1000 * each:.0f}' for each in chosen)} ({len(waits)})"


async def scene(
    site: outside.Site, tally: Tally, what: str, requests: list[tuple[str, Request]], at_least_s: float
) -> None:
    """Send these requests at one moment, each from its address, and print what others felt until the last is answered,
    or for longer."""
    for address, request in requests:
        await request.connect(address)
    await asyncio.sleep(0.5)
    watch = Watch(site, tally)
    answers = Counter(await asyncio.gather(*(request.answer() for _, request in requests)))
    lasted = time.perf_counter() - watch.began
    await asyncio.sleep(max(0, at_least_s - lasted))
    said = ", ".join(f"{n} x {status}" for status, n in sorted(answers.items()))
    print(f"| {what} | {await watch.end()} | {said} | {lasted:.1f} |", flush=True)


async def endless(site: outside.Site, tally: Tally, visitor: outside.Visitor, seconds: float) -> None:
    """The right password without end, on five connections of one account; print what others felt."""
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items() if name != "csrftoken")
    answers: Counter[int] = Counter()
    watch = Watch(site, tally)

    async def again() -> None:
        while time.perf_counter() - watch.began < seconds:
            request = Request(site, "/account/email", cookies, email="", password=outside.PASSWORD)
            await request.connect(visitor.address)
            answers[await request.answer()] += 1

    await asyncio.gather(*(again() for _ in range(5)))
    said = ", ".join(f"{n} x {status}" for status, n in sorted(answers.items()))
    print(f"| right without end, one account | {await watch.end()} | {said} | {seconds:g} |", flush=True)


async def played(site: outside.Site, tally: Tally) -> Table:
    """A table of three who play on and on."""
    people = []
    for _ in range(3):
        people.append(Person(Browser(f"http://127.0.0.1:{site.port}"), f"player{next(NAMES)}", outside.PASSWORD))
        await people[-1].sign_up()
    table = Table(people, Random(1), tally)

    async def on_and_on() -> None:
        for number in count():
            table.sent_ply, table.waiting, table.over = -1, 0, asyncio.get_running_loop().create_future()
            await table.open(number)
            await asyncio.gather(*(table.connect(person) for person in people))
            table.counted = True
            table.play(Thinking(THINKING_S, Random(number)))
            await table.over
            table.counted = False
            await table.disconnect()

    table.playing = asyncio.create_task(on_and_on())
    while not table.counted:
        await asyncio.sleep(LOOK_S)
    return table


def wrong(site: outside.Site, number: int, *, networks: bool) -> Iterator[tuple[str, Request]]:
    """So many wrong passwords for as many names, from one network or as many."""
    address = network()
    for _ in range(number):
        yield address, Request(site, "/sign-in", username=f"nobody{next(NAMES)}", password="a wrong guess")
        address = network() if networks else address


def right(site: outside.Site, names: list[str], *, networks: bool) -> Iterator[tuple[str, Request]]:
    """The right passwords of these names."""
    address = network()
    for name in names:
        yield address, Request(site, "/sign-in", username=name, password=outside.PASSWORD)
        address = network() if networks else address


async def measure(site: outside.Site, numbers: list[int], at_least_s: float, endless_s: float) -> None:
    names = [f"person{number}" for number in range(max(numbers))]
    people = [await asyncio.to_thread(site.player, name) for name in names]
    tally = Tally()
    table = await played(site, tally)
    print("| | moves, ms: median, 95 %, longest | pages, ms | memory, MiB | answers | s |\n|---|---|---|---|---|---|")
    await scene(site, tally, "nobody", [], at_least_s)
    for networks in (False, True):
        where = "as many networks" if networks else "one network"
        for number in numbers:
            requests = [*wrong(site, number, networks=networks)]
            await scene(site, tally, f"{number} wrong, {where}", requests, at_least_s)
        for number in numbers:
            requests = [*right(site, names[:number], networks=networks)]
            await scene(site, tally, f"{number} right, {where}", requests, at_least_s)
    await endless(site, tally, people[0], endless_s)
    assert not tally.faults, tally.faults
    table.playing.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at-once", default="20,50,100", help="how many passwords come at one moment, with commas")
    parser.add_argument("--at-least", type=float, default=3, help="seconds for which each scene is watched")
    parser.add_argument("--endless", type=float, default=8, help="seconds in which one account sends without end")
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder, outside.running(Path(folder), BIBLIOS_LOG_LEVEL="CRITICAL") as site:
        numbers = [int(number) for number in wanted.at_once.split(",")]
        asyncio.run(measure(site, numbers, wanted.at_least, wanted.endless))


if __name__ == "__main__":
    main()
