"""Whole games by real sign-ins and sockets against a running site, as many as it takes.

    python -m tests.bench.load --start real
    python -m tests.bench.load --start embedded --server daphne
    python -m tests.bench.load saturation --start real --web 2
    python -m tests.bench.load saturation --site http://127.0.0.1:8000 --pid web=1234 --people people.json

The runs, by default all but the last:

idle        two sockets more at tables that are open, with nobody moving: what one takes in memory
connects    as many people as --crowd has come back at once to a process that has just started, and once more to the
            same process
saturation  all tables answer as fast as the site takes it
rate        so many answers a second (--rate) at all tables, whose people read three languages
review      a position of each game that was played, and the next one
start       seconds until the site has answered with its first page, when it was started before
evening     everybody thinks a few seconds over every answer (--thinking), in three languages; how long the loop of each
            web process stands still is asked by another process (tests.bench.stalls). With --minutes it is over after
            these, whatever has ended

In each round of answers every table plays two games, one after the other. Before anything is measured, the first games
are played to different points. It is measured until as many games have ended as there are tables, and checked: no
answer is refused, every board goes forward only, and all of them and the page show the same ply at last. Games that are
not over then are left as they are. With several web processes (--web), the people of a table are at different ones, or
all at one (--together). A site that is not started here needs BIBLIOS_NEWCOMERS and BIBLIOS_MESSAGES large enough, and
is not started anew.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from statistics import median

from tests.bench.engine import empty_call_ns
from tests.bench.meter import Database, cpu_s, memory_kib, part
from tests.bench.player import Person
from tests.bench.start import KINDS, LANGUAGES, ROOT, SERVERS, Site, started
from tests.bench.tables import (
    LONG,
    AtOnce,
    Rate,
    Table,
    Tally,
    Thinking,
    play_series,
    play_to,
    settle,
    some_at_a_time,
)
from tests.bench.wire import Browser

RUNS = ["idle", "connects", "saturation", "rate", "review", "start", "evening"]
CALM_S = 1
"""How long a site is left alone before it is measured."""
Figures = dict[str, float]
"""What was measured, by what it is and its unit."""


class Meter:
    """Processor time of the processes of a site, and of this one, between `start` and `stop`; pauses do not count."""

    def __init__(self, pids: dict[str, int]):
        self.pids = pids
        self.used = dict.fromkeys([*pids, "this client"], 0.0)
        self.took = 0.0

    def start(self) -> None:
        self.before, self.began = self.read(), time.monotonic()

    def stop(self) -> None:
        self.took += time.monotonic() - self.began
        for name, value in self.read().items():
            self.used[name] += value - self.before[name]

    def read(self) -> dict[str, float]:
        return {name: cpu_s(pid) for name, pid in self.pids.items()} | {"this client": time.process_time()}

    def each(self, count: int, what: str) -> Figures:
        """What each process used for one of these."""
        return {f"{name}, ms of CPU {what}": 1000 * used / count for name, used in self.used.items()}


class Load:
    """People at tables of one site."""

    table = Table

    def __init__(self, site: Site, seats: list[int], seed: str, people_file: str, together: bool = False):
        self.site, self.seats, self.seed, self.together = site, seats, seed, together
        self.people_file = Path(people_file) if people_file else None
        self.people: list[Person] = []
        self.rounds = 0
        self.played: list[str] = []
        """Addresses of games that are over."""
        self.faults: list[str] = []

    async def gather_people(self, count: int) -> None:
        """Have this many people, signed in."""
        known = json.loads(self.people_file.read_text()) if self.people_file and self.people_file.exists() else []
        began, fresh = time.monotonic(), []
        for entry in known[len(self.people) : count]:
            self.people.append(Person(Browser(self.address(), entry["cookies"]), entry["name"], entry["password"]))
            fresh.append(self.people[-1].sign_in())
        while len(self.people) < count:
            name = f"p{secrets.token_hex(5)}"
            self.people.append(Person(Browser(self.address()), name, secrets.token_hex(9)))
            fresh.append(self.people[-1].sign_up())
        await some_at_a_time(fresh)
        if fresh:
            print(f"{len(fresh)} people signed up or in, {len(fresh) / (time.monotonic() - began):.0f} a second.")
        if self.people_file and len(self.people) > len(known):
            entries = [
                {"name": person.name, "password": person.password, "cookies": person.browser.cookies}
                for person in self.people
            ]
            self.people_file.write_text(json.dumps(entries))

    def address(self) -> str:
        """That of the web process to which the next person goes."""
        before, urls = len(self.people), self.site.urls
        return urls[(before // self.seats[0] if self.together else before) % len(urls)]

    async def open_tables(self, seats: list[int], people: list[Person], tally: Tally) -> list[Table]:
        """Tables where the game has begun, with nobody's page open yet: each has pages of its own for its people."""
        people, self.rounds = [person.page() for person in people], self.rounds + 1
        tables = []
        for number, places in enumerate(seats):
            taken, people = people[:places], people[places:]
            tables.append(self.table(taken, Random(f"{self.seed} {self.rounds} {number}"), tally))
        await some_at_a_time(table.open(self.rounds) for table in tables)
        return tables

    async def play(self, rounds: int, turn: Callable[[], AtOnce], seconds: float = 0) -> Figures:
        """Play rounds of games, or one for so many seconds, and measure what an answer costs."""
        await self.gather_people(sum(self.seats))
        tally, meter = Tally(), Meter(self.site.pids)
        database = Database(self.site.database) if self.site.database else None
        before = database.sizes() if database else ()
        rng = Random(f"{self.seed} phases")
        for _ in range(rounds):
            first, second = [await self.open_tables(self.seats, self.people, tally) for _ in range(2)]
            await connect(first + second)
            await play_to({table: rng.randrange(LONG) for table in first})
            await asyncio.sleep(CALM_S)
            gc.collect()
            meter.start()
            await play_series([list(games) for games in zip(first, second, strict=True)], turn(), seconds)
            meter.stop()
            await settle(first + second)
            self.played += [table.address for table in first if table.over.done()]
            for table in first + second:
                await table.disconnect()
        self.faults += tally.faults
        if not tally.answers:
            return {}
        waits, sizes = sorted(tally.waits), sorted(tally.sizes)
        figures = {
            "answers a second": tally.answers / meter.took,
            "answers measured": tally.answers,
            **{f"{name} to the last board, ms": 1000 * part(waits, share) for name, share in SHARES.items()},
            "update, median, bytes": part(sizes, 0.5),
            "update, p90, bytes": part(sizes, 0.9),
            "update, largest, bytes": sizes[-1],
            "boards that went on by two updates at once": tally.skipped,
            **meter.each(tally.answers, "an answer"),
        }
        if database:
            _everything, log, rows = (now - then for now, then in zip(database.sizes(), before, strict=True))
            figures["row of the log with its index, bytes"] = log / rows
        return figures

    async def connects(self, rounds: int, seats: list[int], answers: int) -> Figures:
        """Everybody comes back at once: to a process that has just started, then to the same one again."""
        await self.gather_people(sum(seats))
        tally, cold, warm = Tally(), Meter(self.site.pids), Meter(self.site.pids)
        tables = await self.open_tables(seats, self.people, tally)
        await connect(tables)
        await play_to(dict.fromkeys(tables, answers))
        for _ in range(rounds):
            for meter in (cold, warm) if self.site.restart else (warm,):
                for table in tables:
                    table.hold()
                    await table.disconnect()
                if meter is cold:
                    await self.restart()
                await asyncio.sleep(CALM_S)
                meter.start()
                await connect(tables, len(self.people))
                meter.stop()
        await settle(tables)
        for table in tables:
            await table.disconnect()
        self.faults += tally.faults
        figures: Figures = {}
        for name, meter in {"cold": cold, "warm": warm}.items():
            if meter.took:
                count = rounds * sum(seats)
                figures |= {f"{name}: sockets a second": count / meter.took, **meter.each(count, f"a socket, {name}")}
        return figures

    async def idle(self, count: int) -> Figures:
        """Open tables with one socket each, then the other sockets: about this many."""
        await self.gather_people(max(3, sum(self.seats)))
        tally, tables = Tally(), []
        while 2 * len(tables) < count:
            tables += await self.open_tables([3] * (len(self.people) // 3), self.people, tally)
        await self.fresh()
        sizes = [await self.size()]
        for chairs in (slice(1), slice(1, None)):
            await asyncio.gather(*(table.connect(person) for table in tables for person in table.people[chairs]))
            sizes.append(await self.size())
        for table in tables:
            await table.disconnect()
        self.faults += tally.faults
        return {
            "process before, MiB": sizes[0] / 1024,
            "table with its first socket, KiB": (sizes[1] - sizes[0]) / len(tables),
            "socket more at an open table, KiB": (sizes[2] - sizes[1]) / (2 * len(tables)),
        }

    async def size(self) -> float:
        """KiB of the web process, when it has come to rest."""
        await asyncio.sleep(2)
        return memory_kib(self.site.pids["web"])

    async def review(self) -> Figures:
        """Look at a position in the middle of each game that was played, and at the next one."""
        if not self.played:
            raise RuntimeError("No game has been played: saturation, rate or evening come first.")
        await self.fresh()
        await self.people[0].browser.get("/")
        took: dict[str, list[float]] = {"first": [], "next": []}
        used: dict[str, float] = dict.fromkeys(took, 0.0)
        for address in self.played:
            for ply, name in enumerate(took, 60):
                meter = Meter(self.site.pids)
                meter.start()
                # The page asks for further positions by its script; at older checkouts by this header.
                part, header = ("?part=position", "HX-Request: true\r\n") if name == "next" else ("", "")
                answer = await self.people[0].browser.get(f"{address}/{ply}{part}", header)
                meter.stop()
                if answer.status != 200:
                    self.faults.append(f"{address}/{ply} answers {answer.status}")
                took[name].append(1000 * meter.took)
                used[name] += 1000 * meter.used["web"]
        figures = {f"{name} position, median, ms": median(times) for name, times in took.items()}
        return figures | {f"{name} position, ms of web CPU": spent / len(self.played) for name, spent in used.items()}

    async def evening(self, rounds: int, thinking: float, minutes: float) -> Figures:
        """Think over every answer, while others ask whether the loops stand still."""
        turns: list[Watched] = []

        def turn() -> Watched:
            turns.append(Watched(thinking, Random(self.seed), self.site.urls))
            return turns[-1]

        figures = await self.play(1 if minutes else rounds, turn, 60 * minutes)
        stalls = [stalls for turn in turns for stalls in turn.stalls]
        for each in stalls:
            print("  the longest stalls of a loop, ms:", *each)
        return figures | {"longest stall of the loop, ms": max(map(max, stalls))}

    async def start(self, rounds: int) -> Figures:
        """Start the web process again and again."""
        if not self.site.restart:
            return {}
        took, used = zip(*[(await self.restart(), cpu_s(self.site.pids["web"])) for _ in range(rounds)], strict=True)
        return {"first page, s": median(took), "first page, ms of CPU": 1000 * median(used)}

    async def fresh(self) -> None:
        """Measure a process that has just started, if it may be started here."""
        if self.site.restart:
            await self.restart()

    async def restart(self) -> float:
        """Start the web process anew; seconds until its first page. Nobody keeps a connection to the last one."""
        assert self.site.restart
        took = self.site.restart()
        for person in self.people:
            await person.browser.close()
        return took

    def speak(self, languages: list[str]) -> None:
        """Have the people at each table read these languages in turn."""
        for number, person in enumerate(self.people):
            person.speak(languages[number % len(languages)])


SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "longest": 1.0}


class Watched(Thinking):
    """People who think, and for each site a process that asks whether its loop stands still while they play."""

    def __init__(self, seconds: float, rng: Random, sites: Iterable[str]):
        super().__init__(seconds, rng)
        self.watches = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.bench.stalls", "--site", site],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for site in sites
        ]

    def stop(self) -> None:
        super().stop()
        self.stalls = [list(map(float, watch.communicate()[0].split())) for watch in self.watches]
        """Of each site the longest ones, in ms."""


async def connect(tables: list[Table], limit: int = 200) -> None:
    """Open the sockets of all people at these tables, no more than `limit` at a time: the browsers of so many people
    do not come in the same instant either."""
    await some_at_a_time((table.connect(person) for table in tables for person in table.people), limit)


def seats_of(text: str) -> list[int]:
    """The seats of each table: `2x3,1x4` is [3, 3, 4]."""
    return [int(places) for part in text.split(",") for n, places in [part.split("x")] for _ in range(int(n))]


async def run(site: Site, options: argparse.Namespace) -> tuple[dict[str, Figures], list[str]]:
    """The figures of each run, which are printed too, and what went wrong."""
    gc.disable()  # its pauses would seem to be the site's
    load = Load(site, seats_of(options.tables), options.seed, options.people, options.together)
    found: dict[str, Figures] = {}
    for what in options.runs or RUNS[:-1]:
        await load.gather_people(sum(load.seats))
        load.speak(LANGUAGES if what in ("rate", "evening") and not options.english else LANGUAGES[:1])
        print(f"{what}, {options.tables} people, empty function call {empty_call_ns(3):.0f} ns")
        match what:
            case "saturation":
                figures = await load.play(options.rounds, AtOnce)
            case "rate":
                figures = await load.play(options.rounds, lambda: Rate(options.rate, Random(options.seed)))
            case "evening":
                figures = await load.evening(options.rounds, options.thinking, options.minutes)
            case "connects":
                figures = await load.connects(options.rounds, seats_of(options.crowd), options.answers)
            case "idle":
                figures = await load.idle(options.idle)
            case "review":
                figures = await load.review()
            case "start":
                figures = await load.start(options.rounds)
        for name, value in figures.items():
            print(f"  {value:10.3f}  {name}")
        found[what] = figures
    return found, load.faults


def options_of(parser: argparse.ArgumentParser) -> None:
    """Add the options of the runs."""
    parser.add_argument("runs", nargs="*", choices=[*RUNS, []], metavar="run", help=", ".join(RUNS))
    parser.add_argument("--server", choices=SERVERS, default="serve", help="(default: %(default)s)")
    parser.add_argument("--tables", default="20x3", help="tables by people at each: 10x3,5x4 (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=60, help="answers a second (default: %(default)s)")
    parser.add_argument("--thinking", type=float, default=3, help="seconds over an answer (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=0, help="of an evening; as long as its games, if not given")
    parser.add_argument("--idle", type=int, default=300, help="sockets more (default: %(default)s)")
    parser.add_argument("--crowd", default="334x3", help="tables of those who come back (default: %(default)s)")
    parser.add_argument(
        "--answers", type=int, default=12, help="given at each of these tables before (default: %(default)s)"
    )
    parser.add_argument("--seed", default="1", help="of the answers that people choose")
    parser.add_argument("--web", type=int, default=1, help="web processes of a real site (default: %(default)s)")
    parser.add_argument("--english", action="store_true", help="nobody reads another language")
    parser.add_argument("--together", action="store_true", help="the people of a table come to one of them")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options_of(parser)
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--site", help="address of a running site")
    place.add_argument("--start", choices=KINDS, help="start one for this run")
    parser.add_argument("--rounds", type=int, default=3, help="of each run (default: %(default)s)")
    parser.add_argument("--pid", action="append", default=[], metavar="NAME=PID", help="processes of the site")
    parser.add_argument("--database", default="", help="postgresql://... or the path of the SQLite file of the site")
    parser.add_argument("--people", default="", help="file in which accounts and cookies are kept for the next time")
    options = parser.parse_args()
    if options.site:
        pids = {name: int(pid) for name, _, pid in (text.partition("=") for text in options.pid)}
        _figures, faults = asyncio.run(run(Site(options.site, pids, options.database), options))
    else:
        with started(options.start, server=options.server, processes=options.web, english=options.english) as site:
            _figures, faults = asyncio.run(run(site, options))
    for fault in faults[:20]:
        print(f"FAULT: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
