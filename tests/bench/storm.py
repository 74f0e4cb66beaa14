"""Everybody comes back after a deploy: the process that serves the site ends, and a new one starts in its place.

    python -m tests.bench.storm --start real --tables 333x3

All people at all tables have their sockets open. The process gets its signal; as soon as it has ended, a new one
starts at the same address, with nothing in memory. Each page tries again as static/js/line.js does. Printed: how long
after its loss each page had its board, and what a socket cost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.bench.meter import cpu_s, memory_kib, part
from tests.bench.start import ROOT, Parts, end, serving
from tests.bench.wire import Browser, Socket
from tests.components import Postgres, Redis, free_port

PATIENCE_S = 120
RESTART, BROKEN = 1012, 1006
"""The close codes of a server that restarts, and of a line that broke or was never there."""


@dataclass
class Spread:
    """When a page tries again, in seconds after it has lost its line."""

    first: float = 2
    """At the first attempt, at most, after a line that broke ..."""
    restart: float = 5
    """... and after one that the server closed because it restarts, a second at least."""
    longest: float = 10

    def wait(self, attempt: int, code: int, rng: Random) -> float:
        """The wait before this attempt, from 1, when the line was closed with this code."""
        least, first = (min(1, self.restart / 5), self.restart) if code == RESTART else (0.2, self.first)
        return rng.uniform(least, min(self.longest, first * 1.6 ** (attempt - 1)))


@dataclass(eq=False)
class Page:
    """A page of a table, which has lost its line or shows its board."""

    browser: Browser
    path: str
    socket: Socket | None = None
    lost_at: float = 0
    code: int = 0
    tried: int = 0
    bytes: int = 0
    whole: asyncio.Future[float] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    async def open(self) -> None:
        """Open the socket. Raises OSError if nobody listens, or the server refuses."""
        self.whole = asyncio.get_running_loop().create_future()
        self.socket = await self.browser.socket(self.path, self.heard, self.closed)

    def heard(self, text: str) -> None:
        if not self.whole.done() and 'data-ply="' in text:
            self.bytes = len(text.encode())
            self.whole.set_result(time.monotonic())

    def closed(self, code: int) -> None:
        self.socket, self.lost_at, self.code = None, time.monotonic(), code
        if not self.whole.done():
            self.whole.set_exception(ConnectionError(f"Closed with {code} before the board came."))
            self.whole.exception()

    async def come_back(self, spread: Spread, rng: Random) -> float:
        """Try until the board is there; the seconds since the line was lost."""
        lost_at, self.tried = self.lost_at, 0
        while True:
            self.tried += 1
            await asyncio.sleep(spread.wait(self.tried, self.code, rng))
            with suppress(OSError):
                await self.open()
                return await self.whole - lost_at
            self.code = BROKEN


def written(parts: Parts, tables: int, places: int, seed: str) -> list[dict]:
    """Write people at tables into the database of a site (`tests.bench.crowd`)."""
    into = parts.folder / "crowd.json"
    code = f"from tests.bench.crowd import write; write({tables}, {places}, {seed!r}, {str(into)!r})"
    parts.ended(parts.run("manage.py", "shell", "-c", code))
    return json.loads(into.read_text())


class Storms:
    """A site whose web process ends and starts anew; its people's pages."""

    def __init__(self, serve: Callable[[int], subprocess.Popen], others: dict[str, int], port: int):
        self.serve, self.others, self.port = serve, others, port
        self.web = serve(port)
        self.pages: list[Page] = []

    async def gather(self, found: list[dict]) -> None:
        """Open everybody's page, a few at a time."""
        site = f"http://127.0.0.1:{self.port}"
        for table in found:
            for session in table["sessions"]:
                browser = Browser(site, {"sessionid": session})
                self.pages.append(Page(browser, f"/ws/m/{table['match']}?lang=en"))
        places = asyncio.Semaphore(16)

        async def one(page: Page) -> None:
            async with places:
                await page.open()
                await page.whole

        await asyncio.wait_for(asyncio.gather(*map(one, self.pages)), PATIENCE_S)
        self.say_memory()

    def say_memory(self) -> None:
        print(f"  the web process holds {memory_kib(self.web.pid) / 1024:.0f} MiB with {len(self.pages)} sockets")

    async def deploy(self, spread: Spread, rng: Random) -> None:
        """One storm."""
        before = {name: cpu_s(pid) for name, pid in self.others.items()}
        began = time.monotonic()
        self.web.terminate()
        await asyncio.to_thread(self.web.wait)
        codes = sorted({page.code for page in self.pages})
        gone = time.monotonic()
        self.web = self.serve(self.port)
        at_start = [0.0]

        async def watch() -> None:
            """What the process has used until it answers is not the sockets'."""
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    break
                await asyncio.sleep(0.02)
            at_start[:] = [cpu_s(self.web.pid), time.monotonic()]

        watching = asyncio.create_task(watch())
        coming = asyncio.gather(*(page.come_back(spread, rng) for page in self.pages))
        waits = await asyncio.wait_for(coming, PATIENCE_S)
        last = time.monotonic()
        await watching
        await asyncio.sleep(1)
        used, up = cpu_s(self.web.pid) - at_start[0], at_start[1]
        waits.sort()
        count = len(waits)
        tries = sum(page.tried for page in self.pages) / count
        print(f"  away for {up - gone:.1f} s, closed with {codes}; {tries:.1f} attempts a page")
        shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "longest": 1}
        print("  without a board: " + ", ".join(f"{name} {part(waits, share):.2f} s" for name, share in shares.items()))
        print(f"  all boards {last - up:.2f} s after the site was there again, {last - began:.2f} s after the signal")
        print(f"  web: {1000 * used / count:.2f} ms of CPU a socket")
        for name, pid in self.others.items():
            print(f"  {name}: {1000 * (cpu_s(pid) - before[name]) / count:.2f} ms of CPU a socket")
        sizes = sorted(page.bytes for page in self.pages)
        print(f"  a board: median {part(sizes, 0.5)} bytes")
        self.say_memory()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", choices=["real", "embedded"], default="embedded", help="the site (tests.bench.load)")
    parser.add_argument("--server", choices=["serve", "daphne"], default="serve", help="what serves it")
    parser.add_argument("--tables", default="333x3", help="tables by people at each (default: %(default)s)")
    parser.add_argument("--storms", type=int, default=3, help="how often (default: %(default)s)")
    parser.add_argument("--first", type=float, default=Spread.first, help="longest first wait, seconds")
    parser.add_argument("--restart", type=float, default=Spread.restart, help="the same after a restart's close code")
    parser.add_argument("--seed", default="1", help="of games and waits")
    options = parser.parse_args()
    tables, places = map(int, options.tables.split("x"))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="storm-")))
        components, others, worker = {}, {}, []
        if options.start == "real":
            postgres, redis = stack.enter_context(Postgres()), stack.enter_context(Redis())
            components = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
            others = {"postgres": postgres.pid, "redis": redis.pid}
            if options.server == "serve":
                worker = ["--no-worker"]
        parts = Parts(ROOT, folder, components, english=True)
        parts.ended(parts.run("manage.py", "prepare"))
        found = written(parts, tables, places, options.seed)

        def serve(port: int) -> subprocess.Popen:
            process = parts.run(*serving(options.server, port), *worker)
            stack.callback(end, process)
            return process

        async def run() -> None:
            storms = Storms(serve, others, free_port())
            await asyncio.to_thread(parts.answers, storms.web, f"http://127.0.0.1:{storms.port}")
            await storms.gather(found)
            for number in range(options.storms):
                print(f"storm {number + 1}, {options.tables} people")
                await storms.deploy(Spread(options.first, options.restart), Random(f"{options.seed} {number}"))

        asyncio.run(run())


if __name__ == "__main__":
    main()
