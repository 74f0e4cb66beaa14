"""Whole games by real sign-ins and sockets against a running site, as many as it takes.

    python -m tests.bench.load --start real
    python -m tests.bench.load --start embedded
    python -m tests.bench.load saturation --site http://127.0.0.1:8000 --pid web=1234 --people people.json

The runs, by default the first four:

idle        so many sockets more (--idle), with nobody moving: what one takes in memory; best in a new process
saturation  all tables answer as fast as the site takes it
rate        so many answers a second (--rate) at all tables together
connects    all people at the tables come back at once, as after a restart, again and again
evening     everybody thinks a few seconds over every answer (--thinking)

In each round all tables play one game. It is measured until half of the games are over, and checked to the end: no
answer is refused, every board goes forward only, and all of them and the page show the same ply at last. A site that is
not started here needs BIBLIOS_NEWCOMERS and BIBLIOS_MESSAGES large enough.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import secrets
import sys
import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from random import Random

from tests.bench.engine import empty_call_ns
from tests.bench.meter import Database, cpu_s, memory_kib, part
from tests.bench.player import Person
from tests.bench.start import Site, started
from tests.bench.tables import AtOnce, Rate, Table, Tally, Thinking, play_round, some_at_a_time
from tests.bench.wire import Browser

RUNS = ["idle", "saturation", "rate", "connects", "evening"]


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

    def say(self, count: int, what: str) -> None:
        """Print what each process used for one of these."""
        for name, used in self.used.items():
            if count:
                print(f"  {name}: {1000 * used / count:.3f} ms of CPU {what}, {100 * used / self.took:.0f} % of a core")


class Load:
    """People at tables of one site."""

    def __init__(self, site: Site, seats: list[int], seed: str, people_file: str):
        self.site, self.seats, self.seed = site, seats, seed
        self.people_file = Path(people_file) if people_file else None
        self.people: list[Person] = []
        self.rounds = 0
        self.faults: list[str] = []

    async def gather_people(self, count: int) -> None:
        """Have this many people, signed in."""
        known = json.loads(self.people_file.read_text()) if self.people_file and self.people_file.exists() else []
        began, fresh = time.monotonic(), []
        for entry in known[len(self.people) : count]:
            self.people.append(Person(Browser(self.site.url, entry["cookies"]), entry["name"], entry["password"]))
            fresh.append(self.people[-1].sign_in())
        while len(self.people) < count:
            name = f"p{secrets.token_hex(5)}"
            self.people.append(Person(Browser(self.site.url), name, secrets.token_hex(9)))
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

    async def open_tables(self, seats: list[int], people: list[Person], tally: Tally) -> list[Table]:
        """Tables where the game has begun, with nobody's page open yet."""
        people, self.rounds = list(people), self.rounds + 1
        tables = []
        for number, places in enumerate(seats):
            taken, people = people[:places], people[places:]
            tables.append(Table(taken, Random(f"{self.seed} {self.rounds} {number}"), tally))
        await some_at_a_time(table.open(self.rounds) for table in tables)
        return tables

    async def play(self, seconds: float, turn: Callable[[], AtOnce]) -> None:
        """Play rounds until enough seconds have been measured."""
        await self.gather_people(sum(self.seats))
        tally, meter, rounds = Tally(), Meter(self.site.pids), 0
        database = Database(self.site.database) if self.site.database else None
        before = database.sizes() if database else ()
        while meter.took < seconds and not tally.faults:
            rounds += 1
            tables = await self.open_tables(self.seats, self.people, tally)
            await connect(tables)
            await asyncio.sleep(0.5)
            meter.start()
            await play_round(tables, turn(), meter.stop)
            for table in tables:
                await table.disconnect()
        self.faults += tally.faults
        waits, sizes = sorted(tally.waits), sorted(tally.sizes)
        if not waits:
            return
        print(f"  {rounds} rounds of {len(self.seats)} games, {tally.answers} answers measured in {meter.took:.0f} s")
        rows = tally.rows / meter.took
        print(f"  {tally.answers / meter.took:.0f} answers a second, {rows:.0f} rows of logs a second")
        shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "longest": 1}
        times = ", ".join(f"{name} {1000 * part(waits, share):.1f} ms" for name, share in shares.items())
        print(f"  from an answer to the last board of its table: {times}")
        print(f"  an update: median {part(sizes, 0.5)} bytes, p90 {part(sizes, 0.9)}, largest {sizes[-1]}")
        if tally.skipped:
            print(f"  {tally.skipped} times a board went on by two updates at once")
        meter.say(tally.answers, "an answer")
        if database:
            everything, log, rows = (now - then for now, then in zip(database.sizes(), before, strict=True))
            games = rounds * len(self.seats)
            print(f"  the database: {everything / games / 1024:.1f} KiB a game of {rows / games:.0f} rows, ", end="")
            print(f"{log / rows:.0f} bytes a row of a log with its index")

    async def connects(self, seconds: float) -> None:
        """Close all sockets, and reopen them at once."""
        await self.gather_people(sum(self.seats))
        tally, meter, count = Tally(), Meter(self.site.pids), 0
        tables = await self.open_tables(self.seats, self.people, tally)
        while meter.took < seconds and not tally.faults:
            await asyncio.sleep(0.2)
            meter.start()
            await connect(tables)
            meter.stop()
            count += sum(self.seats)
            for table in tables:
                await table.disconnect()
        self.faults += tally.faults
        print(f"  {count / meter.took:.0f} sockets a second opened and drawn in full")
        meter.say(count, "a socket")

    async def idle(self, count: int) -> None:
        """Open about this many more sockets, of the same people at other tables, where nobody moves either."""
        await self.gather_people(sum(self.seats))
        tally, tables = Tally(), []
        for _ in range(1 + math.ceil(count / sum(self.seats))):
            again = [Person(person.browser, person.name, person.password) for person in self.people]
            tables.append(await self.open_tables(self.seats, again, tally))
        await connect(tables[0])
        await asyncio.sleep(2)
        before = memory_kib(self.site.pids["web"])
        for others in tables[1:]:
            await connect(others)
        await asyncio.sleep(2)
        after = memory_kib(self.site.pids["web"])
        more = sum(self.seats) * (len(tables) - 1)
        print(f"  {(after - before) / more:.1f} KiB a socket for {more} more; {before / 1024:.0f} MiB before")
        for table in chain(*tables):
            await table.disconnect()
        self.faults += tally.faults


async def connect(tables: list[Table]) -> None:
    """Open the sockets of all people at these tables at once."""
    await asyncio.gather(*(table.connect(person) for table in tables for person in table.people))


async def run(site: Site, options: argparse.Namespace) -> list[str]:
    seats = [
        int(places) for part in options.tables.split(",") for n, places in [part.split("x")] for _ in range(int(n))
    ]
    load = Load(site, seats, options.seed, options.people)
    for what in options.runs or RUNS[:4]:
        print(f"{what}, {options.tables} people, empty function call {empty_call_ns(3):.0f} ns")
        match what:
            case "saturation":
                await load.play(options.seconds, AtOnce)
            case "rate":
                await load.play(options.seconds, lambda: Rate(options.rate, Random(options.seed)))
            case "evening":
                await load.play(options.seconds, lambda: Thinking(options.thinking, Random(options.seed)))
            case "connects":
                await load.connects(options.seconds / 2)
            case "idle":
                await load.idle(options.idle)
    return load.faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", choices=[*RUNS, []], metavar="run", help=", ".join(RUNS))
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--site", help="address of a running site")
    place.add_argument("--start", choices=["real", "embedded"], help="start one for this run")
    parser.add_argument("--pid", action="append", default=[], metavar="NAME=PID", help="processes of the site")
    parser.add_argument("--database", default="", help="postgresql://... or the path of the SQLite file of the site")
    parser.add_argument("--people", default="", help="file in which accounts and cookies are kept for the next time")
    parser.add_argument("--tables", default="20x3", help="tables by people at each: 10x3,5x4 (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=30, help="length of a run (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=60, help="answers a second (default: %(default)s)")
    parser.add_argument("--thinking", type=float, default=3, help="seconds over an answer (default: %(default)s)")
    parser.add_argument("--idle", type=int, default=300, help="sockets more (default: %(default)s)")
    parser.add_argument("--seed", default="1", help="of the answers that people choose")
    options = parser.parse_args()
    if options.site:
        pids = {name: int(pid) for name, _, pid in (text.partition("=") for text in options.pid)}
        faults = asyncio.run(run(Site(options.site, pids, options.database), options))
    else:
        with started(options.start) as site:
            faults = asyncio.run(run(site, options))
    for fault in faults[:20]:
        print(f"FAULT: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
