"""A club evening against a running site: 50 people at 15 tables, each thinking a few seconds over every answer.

    BIBLIOS_NEWCOMERS=1000 ./run --port 8001 &
    .venv/bin/python -m tests.bench.evening --site http://127.0.0.1:8001 --pid <the server's> --minutes 3

Everybody signs up by the form, sits down, opens a socket and answers what his page asks. Printed: how long an answer
takes from the sender's page to the last page of its table, the bytes of an update, and the server's share of a core.
"""

from __future__ import annotations

import argparse
import asyncio
import http.cookiejar
import json
import os
import random
import re
import secrets
import statistics
import time
import urllib.parse
import urllib.request
from pathlib import Path

import websockets

TABLES = [3] * 10 + [4] * 5
REGION = re.compile(r'(?=<\w+ hx-swap-oob="morph")')
TICKS = os.sysconf("SC_CLK_TCK")


class Person:
    """Somebody with a browser: cookies, forms, one socket."""

    def __init__(self, site: str, name: str):
        self.site, self.name = site, name
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.board: dict[str, str] = {}
        self.ply = -1

    def cookie(self, name: str) -> str:
        return next(cookie.value for cookie in self.jar if cookie.name == name)

    def post(self, path: str, **fields: str) -> str:
        """Send a form; the address one is led to."""
        if not any(cookie.name == "csrftoken" for cookie in self.jar):
            self.opener.open(f"{self.site}/sign-up").read()
        headers = {"X-CSRFToken": self.cookie("csrftoken"), "Referer": self.site}
        body = urllib.parse.urlencode(fields).encode()
        with self.opener.open(urllib.request.Request(self.site + path, body, headers)) as answer:
            answer.read()
            return urllib.parse.urlsplit(answer.url).path

    def sign_up(self) -> None:
        self.post("/sign-up", username=self.name, new_password=secrets.token_hex(9))

    def answer(self) -> dict | None:
        """What the page could send for the question that it asks; None if it asks nothing."""
        ply = self.board.get("ply", "")
        if 'data-asked="1"' not in ply:
            return None
        stage = self.board["stage"]
        tags = [tag for tag in re.findall(r'<[^>]*name="move"[^>]*>', stage) if " disabled" not in tag]
        chosen = [tag for tag in tags if " checked" in tag]
        values = [found[1] for tag in tags if (found := re.search(r'value="([^"]+)"', tag))]
        if any(value.startswith("pay ") for value in values) and chosen:
            moves = [re.search(r'value="([^"]+)"', tag)[1] for tag in chosen]
        elif "pass" in values:
            bids = [value for value in values if value.startswith("bid ")][:1]
            moves = [random.choice(["pass", *bids])]
        elif "dice none" in values:
            moves = ["dice none"]
        elif "refuse" in values:
            moves = ["refuse"]
        else:
            moves = [random.choice(values)]
        return {"ply": self.ply, "move": moves}

    def take_in(self, message: str) -> None:
        for part in re.split(REGION, message):
            if found := re.match(r'<\w+ [^>]*?id="(ply|stage)"', part):
                self.board[found[1]] = part
        if found := re.search(r'data-ply="(\d+)"', message):
            self.ply = int(found[1])


class Table:
    """The people of one match, and how long their answers took."""

    def __init__(self, people: list[Person], thinking_s: float, until: float):
        self.people, self.thinking_s, self.until = people, thinking_s, until
        self.sent: dict[int, float] = {}
        self.waits: list[float] = []
        self.sizes: list[int] = []
        self.seen: dict[int, int] = {}

    def open(self) -> None:
        host, *others = self.people
        settings = {"pace": "live", "time": "15+20", "preset": "rulebook", "kind": "rated", "access": "link"}
        self.address = host.post("/play/new", places=str(len(self.people)), watch="all", penalty="transfer", **settings)
        for person in others:
            person.post(f"{self.address}/join")
            person.post(f"{self.address}/ready", ready="1")

    async def play(self) -> None:
        await asyncio.gather(*(self.sit(person) for person in self.people))

    async def sit(self, person: Person) -> None:
        socket = f"{person.site.replace('http', 'ws', 1)}/ws{self.address}?lang=en"
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in person.jar)
        async with websockets.connect(socket, origin=person.site, additional_headers={"Cookie": cookies}) as line:
            asked = -1
            while time.monotonic() < self.until:
                try:
                    message = await asyncio.wait_for(line.recv(), 1)
                except TimeoutError:
                    continue
                if message.startswith("{"):
                    continue
                before = person.ply
                person.take_in(message)
                if person.ply > before >= 0:
                    self.sizes.append(len(message.encode()))
                    self.arrived(before)
                if 'data-over="1"' in person.board.get("ply", ""):
                    return
                if person.ply != asked and (answer := person.answer()):
                    asked = person.ply
                    await asyncio.sleep(random.uniform(0.5, 1.5) * self.thinking_s)
                    self.sent[answer["ply"]] = time.monotonic()
                    await line.send(json.dumps(answer))

    def arrived(self, ply: int) -> None:
        self.seen[ply] = self.seen.get(ply, 0) + 1
        if self.seen[ply] == len(self.people) and ply in self.sent:
            self.waits.append(time.monotonic() - self.sent[ply])


def cpu_s(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", default="http://127.0.0.1:8000")
    parser.add_argument("--pid", type=int, required=True, help="process of the server")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--thinking", type=float, default=3, help="seconds a person thinks on average")
    options = parser.parse_args()
    mark = secrets.token_hex(3)
    until = time.monotonic() + 60 * options.minutes + 60
    tables = []
    for number, seats in enumerate(TABLES):
        people = [Person(options.site, f"e{mark}t{number}p{seat}") for seat in range(seats)]
        for person in people:
            person.sign_up()
        tables.append(Table(people, options.thinking, until))
        tables[-1].open()
    used, began = cpu_s(options.pid), time.monotonic()
    for table in tables:
        table.until = began + 60 * options.minutes
    asyncio.run(gather(tables))
    took = time.monotonic() - began
    used = cpu_s(options.pid) - used
    waits = sorted(wait for table in tables for wait in table.waits)
    sizes = sorted(size for table in tables for size in table.sizes)
    print(f"{len(waits)} answers at {len(tables)} tables in {took:.0f} s, {len(waits) / took:.1f} a second")
    print(f"from an answer to the last page: median {1000 * statistics.median(waits):.0f} ms, ", end="")
    print(f"p99 {1000 * waits[int(0.99 * len(waits))]:.0f} ms, longest {1000 * waits[-1]:.0f} ms")
    print(f"an update of a page: median {statistics.median(sizes):.0f} bytes")
    print(f"the server: {100 * used / took:.0f} % of a core, {1000 * used / len(waits):.1f} ms an answer")


async def gather(tables: list[Table]) -> None:
    await asyncio.gather(*(table.play() for table in tables))


if __name__ == "__main__":
    main()
