"""Kills parts of a whole site in the middle of games, and looks whether anything is lost.

    python -m tests.faults --runs 5 --kills 20 --seed 1

It starts PostgreSQL, Redis, two processes that serve and a worker; people at tables of all kinds play through both. In
turn, one part is killed with SIGKILL and started again some seconds later: a process that serves, the worker, Redis,
PostgreSQL, the network of a third of the people (a pause), both processes that serve. After each: every page shows
within 5 s what the database says, every confirmed answer is in the log and none twice, all logs replay, clocks lost
nothing in outages, all tables play on. At the end all games end. Ends with 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psycopg

from tests.components import Component, missing
from tests.faults import checks
from tests.faults.parts import Site
from tests.faults.people import AWAY, Page

RIGHT_S = 5
"""How soon after a part is back every page must show what the database says."""
ON_S = 30
"""How soon after that every table must play on."""
END_S = 900
"""How long the games may take to end after the last kill."""
COMPLAINT = re.compile(r"[\w.]*(Error|Exception|Timeout|Operation)\b")
"""The line of a log that names what was raised."""

LIVE = {"pace": "live", "time": "15+20"}
SETTINGS = {"preset": "rulebook", "kind": "rated", "access": "link", "watch": "all"}


@dataclass(frozen=True)
class Kind:
    """A kind of table: how many people and bots, the form, who falls asleep, who has a standing order."""

    people: int
    form: dict[str, str]
    bots: int = 0
    sleeper: bool = False
    order: bool = False


KINDS = [
    Kind(3, LIVE),
    Kind(1, LIVE, bots=1),
    Kind(3, {"pace": "live", "time": "own", "minutes": "1", "seconds": "0"}, sleeper=True),
    Kind(2, {"pace": "none"}, order=True),
    Kind(2, {"pace": "daily", "days": "1"}),
    Kind(4, LIVE),
]


@dataclass
class Table:
    kind: Kind
    people: list[Page]
    address: str = ""


@dataclass
class Tally:
    """The result of a run."""

    faults: list[str] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    right_s: list[float] = field(default_factory=list)
    away: list[tuple[int, int]] = field(default_factory=list)
    """When nobody could answer, as seen from outside: milliseconds since 1970."""
    log: str = ""
    """What is in the logs, in words."""


class Run:
    """One run: people at tables, and what is killed meanwhile."""

    def __init__(self, site: Site, number: int, seed: str, kinds: list[Kind], scale: float):
        self.site, self.scale = site, scale
        self.rng = Random(f"{seed} {number}")
        self.tally = Tally()
        self.began = time.monotonic()
        self.tables: list[Table] = []
        self.addresses: list[str] = []
        """Of all games of this run."""
        self.connection: psycopg.Connection | None = None
        mark = f"{seed}-{number}".replace(" ", "")
        for kind in kinds:
            names = [f"r{mark}t{len(self.tables)}p{seat}" for seat in range(kind.people)]
            urls = [web.url for web in site.webs]
            self.tables.append(Table(kind, [Page(urls, name, Random(f"{seed} {name}"), self.fault) for name in names]))

    @property
    def pages(self) -> list[Page]:
        return [page for table in self.tables for page in table.people]

    def say(self, text: str) -> None:
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    def fault(self, text: str) -> None:
        self.tally.faults.append(text)
        self.say(f"FAULT: {text}")

    # Reading

    def read(self, ask: Callable):
        """What the database answers, on a connection that is kept while it is good."""
        try:
            if self.connection:
                return ask(self.connection)
        except psycopg.OperationalError:
            pass
        self.connection = psycopg.connect(self.site.postgres.url, autocommit=True)
        return ask(self.connection)

    async def heads(self) -> dict[str, tuple[int, str, str]]:
        return await asyncio.to_thread(self.read, checks.heads)

    async def until(self, holds: Callable[[dict], Iterable[str]], seconds: float) -> tuple[float, list[str]]:
        """Ask the database again and again until nothing is missing: after how many seconds, and what still is."""
        began = time.monotonic()
        while True:
            lacks = list(holds(await self.heads()))
            took = time.monotonic() - began
            if not lacks or took > seconds:
                return took, lacks
            await asyncio.sleep(0.05)

    def wrong(self, heads: dict[str, tuple[int, str, str]]) -> Iterable[str]:
        """The pages that do not show how things stand."""
        for page in self.pages:
            ply, mover, status = heads[page.address]
            shows = (page.ply, page.mover if status == "running" else mover, page.over)
            if page.online.is_set() and shows != (ply, mover, status != "running"):
                line = "a socket" if page.socket else "no socket"
                yield f"{page.name} at {page.address} ({line}) shows {shows}; the database says {ply, mover, status}"

    # Playing

    async def sit_down(self, table: Table) -> None:
        """Open a table for its people, and their pages."""
        kind, (host, *others) = table.kind, table.people
        form = {**SETTINGS, **kind.form, "places": str(kind.people + kind.bots), "bots": str(kind.bots)}
        table.address = (await host.request("post", "/play/new", **form)).path
        if not table.address.startswith("/m/"):
            raise RuntimeError(f"{host.name} could not open a table.")
        for page in others:
            await page.request("post", f"{table.address}/join")
            await page.request("post", f"{table.address}/ready", ready="1")
        await asyncio.gather(*(page.shuffle(table.address) for page in table.people))
        if kind.order:
            await host.request("post", f"{table.address}/orders", order="gold")
            host.ordered = True
        for page in table.people:
            page.open(table.address)
        if kind.sleeper:
            table.people[-1].answers_left = 5
        self.addresses.append(table.address)

    async def clear(self) -> None:
        """Where a game is over, the next one begins."""
        for table in self.tables:
            if all(page.over for page in table.people):
                for page in table.people:
                    await page.close()
                await self.sit_down(table)

    async def play_on(self, answers: int) -> None:
        """Play until this many more answers are confirmed, and every table that does not wait for a sleeper goes on."""
        self.hold(False)
        count, before = self.count(), await self.heads()

        def lacks(heads):
            if self.count() < count + answers:
                yield f"{self.count() - count} answers in {ON_S} s"
            for table in self.tables:
                ply, mover, status = heads[table.address]
                asleep = any(not page.answers_left and page.asked for page in table.people)
                if status == "running" and ply == before[table.address][0] and not asleep:
                    yield f"nothing happens at {table.address}, ply {ply}, asked: {mover}"

        for text in (await self.until(lacks, ON_S))[1]:
            self.fault(text)

    def hold(self, yes: bool) -> None:
        for page in self.pages:
            page.hold.clear() if yes else page.hold.set()

    def count(self) -> int:
        return sum(len(page.acknowledged) for page in self.pages)

    # Killing

    async def strike(self, what: str) -> None:
        """Kill a part, start it again, and see whether all is as it should be."""
        self.tally.kills[what] += 1
        if what == "network":
            away_s = 30 * self.scale
            some = self.rng.sample(self.pages, max(1, len(self.pages) // 3))
            await asyncio.gather(*(page.pause(away_s, self.rng.random() < 0.5) for page in some))
            what = f"the network of {len(some)} people"
        else:
            parts: list[Component] = {
                "web": [self.rng.choice(self.site.webs)],
                "worker": [self.site.worker],
                "redis": [self.site.redis],
                "postgres": [self.site.postgres],
                "both webs": self.site.webs,
            }[what]
            began = time.monotonic()
            for part in parts:
                part.kill()
            since = now_ms()
            await asyncio.sleep(self.rng.uniform(6, 8) if what == "both webs" else self.rng.uniform(1, 6))
            starts = [asyncio.create_task(asyncio.to_thread(part.start)) for part in parts]
            await asyncio.wait(starts, return_when=asyncio.FIRST_COMPLETED)
            if what in ("both webs", "postgres"):
                self.tally.away.append((since, now_ms()))
            await asyncio.gather(*starts)
            away_s = time.monotonic() - began
        self.hold(True)
        took, lacks = await self.until(self.wrong, RIGHT_S)
        self.tally.right_s.append(took)
        for text in lacks:
            self.fault(f"{RIGHT_S} s after {what}: {text}")
        self.say(
            f"{what} killed, away for {away_s:.1f} s; all {len(self.pages)} pages right {took:.2f} s later; "
            f"{self.count()} answers confirmed; load {os.getloadavg()[0]:.0f}"
        )

    async def check(self) -> Counter[str]:
        """Compare everything with the database; the events in the logs."""
        noted = len(self.tally.faults)

        def settled():
            return all(one.settled for one in self.read(checks.outages))

        end = time.monotonic() + ON_S
        while not await asyncio.to_thread(settled) and time.monotonic() < end:
            await asyncio.sleep(0.1)
        seen = [checks.Seen.by(page) for page in self.pages]
        found, outages = await asyncio.to_thread(self.read, lambda c: (checks.games(c), checks.outages(c)))
        games = {address: game for address, game in found.items() if address in self.addresses}
        for text in (
            *checks.acknowledged(seen, games),
            *checks.unasked(self.pages, games),
            *checks.uncredited(games, outages),
            *checks.unnoticed(self.tally.away, outages),
            *checks.hasty(games, outages),
            *(f"{outage} is not settled" for outage in outages if not outage.settled),
        ):
            self.fault(text)
        self.tally.away.clear()
        try:
            verified = (await asyncio.to_thread(self.site.manage, "verifylogs")).splitlines()[0]
        except RuntimeError as error:
            self.fault(str(error))
            verified = "verifylogs has found faults"
        rows = [row for game in games.values() for row in game.rows]
        events = Counter(row.move.split()[0] for row in rows if row.move.startswith("!"))
        bots = sum(row.by == checks.BOT for row in rows)
        orders = sum(
            row.by == checks.PLAYER and page.ordered and [row.move] not in page.sent.get((game.address, row.ply), [])
            for game in games.values()
            for row in game.rows
            for page in self.pages
            if game.names.get(row.seat) == page.name
        )
        away = sum(outage.ended > self.began_ms for outage in outages)
        self.tally.log = (
            f"{len(rows)} rows, {bots} by bots, {orders} by orders; "
            f"{away} outages, {events['!outage']} credits, {events['!time']} expiries"
        )
        self.say(f"    {len(self.tally.faults) - noted} new faults; {self.tally.log}; verifylogs: {verified}")
        return events

    # All together

    async def run(self, kills: list[str]) -> None:
        self.began_ms = now_ms()
        for page in self.pages:
            await page.sign_up()
            await page.browser.close()
        for table in self.tables:
            await self.sit_down(table)
        self.say(f"{len(self.pages)} people at {len(self.tables)} tables")
        await self.play_on(20)
        for what in kills:
            await self.strike(what)
            await self.play_on(20)
            await self.check()
            await self.clear()
        self.hold(False)
        for page in self.pages:
            page.thinking = (0.0, 0.02)
        took, lacks = await self.until(
            lambda heads: [address for address, (_, _, status) in heads.items() if status == "running"], END_S
        )
        for address in lacks:
            self.fault(f"{address} has not ended {END_S} s after the last kill")
        self.say(f"all games are over {took:.0f} s after the last kill")
        for text in (await self.until(self.wrong, RIGHT_S))[1]:
            self.fault(text)
        for page in self.pages:
            await page.close()
        if not (await self.check())["!time"]:
            self.fault("No one's time has run out, although somebody sleeps.")

    async def close(self) -> None:
        """Nobody plays any more."""
        for page in self.pages:
            await page.close()
        if self.connection:
            self.connection.close()

    @property
    def summary(self) -> str:
        tally, right_s = self.tally, sorted(self.tally.right_s) or [float("nan")]
        by_post = sum(by_post for page in self.pages for *_, by_post in page.acknowledged)
        return (
            f"{sum(tally.kills.values())} kills, {len(tally.faults)} faults; all pages right "
            f"{right_s[len(right_s) // 2]:.1f} s after a part was back (median), {right_s[-1]:.1f} s at most; "
            f"{self.count()} answers confirmed ({by_post} by POST), {len(self.addresses)} games, {tally.log}"
        )


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def kills_of(count: int, rng: Random) -> list[str]:
    """This many kills, each kind in turn."""
    kinds = ["web", "postgres", "worker", "redis", "network", "both webs"]
    rng.shuffle(kinds)
    return [kinds[number % len(kinds)] for number in range(count)]


async def runs(number: int, kills: int, seed: str, scale: float = 1, kinds: list[Kind] = KINDS) -> list[str]:
    """Do all that; the faults. Prints what happens."""
    faults, summary = [], []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
        site = Site(stack, folder)
        for count in range(1, number + 1):
            run = Run(site, count, seed, kinds, scale)
            print(f"run {count} of {number}, seed {seed}")
            try:
                await run.run(kills_of(kills, run.rng))
            except (RuntimeError, psycopg.Error, *AWAY) as error:
                run.fault(f"{type(error).__name__}: {error}")
            finally:
                await run.close()
            faults += run.tally.faults
            summary.append(f"run {count}: {run.summary}")
            print(summary[-1], flush=True)
        complaints = Counter(
            line[:120] for part in (*site.webs, site.worker) for line in part.log.splitlines() if COMPLAINT.match(line)
        )
    print("What the processes of the site complained about:")
    for line, times in complaints.most_common():
        print(f"{times:6}  {line}")
    print(*summary, sep="\n")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--kills", type=int, default=20, help="in each run (default: %(default)s)")
    parser.add_argument("--seed", default="1")
    parser.add_argument(
        "--scale", type=float, default=1, help="of the pause of the network, 30 s (default: %(default)s)"
    )
    options = parser.parse_args()
    if lacks := missing():
        sys.exit(lacks)
    sys.exit(1 if asyncio.run(runs(options.runs, options.kills, options.seed, options.scale)) else 0)


if __name__ == "__main__":
    main()
