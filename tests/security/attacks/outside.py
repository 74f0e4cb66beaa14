"""The site from outside: attackers know its address, HTTP and WebSockets, and nothing else.

`BIBLIOS_ATTACKED` is the checkout whose site is attacked, by default this one: an attack that has been stopped can be
tried on an older commit, where it worked.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from websockets.sync.client import ClientConnection, connect

from tests.prepared import fill

ROOT = Path(__file__).parents[3]
PATIENCE_S = 20
"""How long an attacker waits for something to happen, at most."""
ADDRESSES = count(1)
PASSWORD = "a long enough password"


@dataclass(frozen=True)
class Answer:
    """What came back: the path is where the redirects led to."""

    status: int
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")

    def json(self) -> Any:
        return json.loads(self.text)


class Site:
    """A site that runs as a process of its own, with everything that it wrote: the mails are there too."""

    def __init__(self, root: Path, environment: dict[str, str]):
        self.root, self.environment = root, environment
        own = root / ".venv" / "bin" / "python"
        self.python = str(own) if root != ROOT and own.exists() else sys.executable
        self.process = self._start("serve", "--prepare", "--port", "0", stdout=subprocess.PIPE)
        self.lines: list[str] = []
        first = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", first)[1])
        Thread(target=self._read, daemon=True).start()

    def _start(self, *arguments: str, **how: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.python, "manage.py", *arguments], cwd=self.root, env=self.environment, text=True, **how
        )

    def _read(self) -> None:
        self.lines += self.process.stdout

    def manage(self, *arguments: str, given: str = "") -> str:
        """What a command of manage.py writes, with this text to read: what its keepers do before the attack."""
        command = self._start(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        output = command.communicate(given)[0]
        assert command.returncode == 0, output
        return output

    def mails(self, containing: str = "") -> list[str]:
        """The mails that were sent so far and contain this."""
        mails = re.split(r"^-{79}$", "".join(self.lines), flags=re.MULTILINE)
        return [mail for mail in mails if "Subject:" in mail and containing in mail]

    def cpu_s(self) -> float:
        """The processor time that its process has used, in seconds: to be compared within one run."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def visitor(self, **headers: str) -> Visitor:
        """Somebody new, at a network address that nobody else has."""
        n = next(ADDRESSES)
        return Visitor(self, f"127.1.{n // 250}.{n % 250 + 1}", headers)

    def player(self, name: str) -> Visitor:
        """Somebody new with an account of this name."""
        visitor = self.visitor()
        answer = visitor.post("/sign-up", username=name, new_password=PASSWORD)
        assert not answer.path.startswith("/sign-up"), answer.text
        return visitor

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Visitor:
    """Somebody with a browser: cookies, a network address, headers that their proxy adds."""

    def __init__(self, site: Site, address: str, headers: dict[str, str]):
        self.site, self.address, self.headers = site, address, headers
        self.cookies: dict[str, str] = {}
        self.origin = f"http://127.0.0.1:{site.port}"

    def beside(self) -> Visitor:
        """Another browser at the same network address."""
        return Visitor(self.site, self.address, self.headers)

    def get(self, path: str, **headers: str) -> Answer:
        """The page at this path, or where it leads to."""
        return self._follow("GET", path, None, headers)

    def post(self, path: str, headers: dict[str, str] | None = None, /, **fields: str | list[str]) -> Answer:
        """Send a form with the token of the site; the page that it leads to."""
        if "csrftoken" not in self.cookies:
            self.get("/sign-in")
        return self._follow("POST", path, urlencode(fields, doseq=True), headers or {})

    def _follow(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        for _ in range(9):
            answer = self.ask(method, path, body, headers)
            if 'data-step="seal"' in answer.text:
                # Nobody waits for bytes of this visitor in the shuffle.
                answer = self.ask("POST", f"{path}/shuffle", "without=1")
            if answer.status not in (301, 302, 303):
                return answer
            parts = urlsplit(urljoin(path, answer.headers["location"]))
            method, path, body = "GET", parts.path + (f"?{parts.query}" if parts.query else ""), None
        raise AssertionError(f"{path} leads in circles")

    def ask(self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None) -> Answer:
        """One request, without following where it leads."""
        connection = HTTPConnection("127.0.0.1", self.site.port, timeout=60, source_address=(self.address, 0))
        sent = {"Cookie": self._cookies(), **self.headers, **(headers or {})}
        if method == "POST":
            sent = {
                "Origin": self.origin,
                "X-CSRFToken": self.cookies.get("csrftoken", ""),
                "Content-Type": "application/x-www-form-urlencoded",
                **sent,
            }
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                name, _, value = value.partition(";")[0].partition("=")
                self.cookies[name] = value
        return Answer(answer.status, path, {name.lower(): value for name, value in answer.getheaders()}, body)

    def _cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    @contextmanager
    def socket(self, path: str) -> Iterator[ClientConnection]:
        """An open WebSocket."""
        with connect(
            f"ws://127.0.0.1:{self.site.port}{path}",
            origin=self.origin,
            additional_headers={"Cookie": self._cookies(), **self.headers},
            source_address=(self.address, 0),
            max_size=None,
            proxy=None,
        ) as opened:
            yield opened

    # Tables

    def table(self, **terms: str) -> str:
        """The address of a table that one opens: for 2, casual, without a clock, by link, unless terms differ."""
        usual = {
            "places": "2",
            "pace": "none",
            "preset": "rulebook",
            "kind": "casual",
            "access": "link",
            "watch": "all",
        }
        answer = self.post("/play/new", **(usual | terms))
        assert answer.path.startswith("/m/"), answer.text
        return answer.path

    def against_bots(self, places: int = 2) -> str:
        """The address of a game with bots, which has begun."""
        answer = self.post("/play/bots", places=str(places))
        assert answer.path.startswith("/m/"), answer.text
        return self.begun(answer.path)

    def begun(self, address: str) -> str:
        """The same address, once its game has begun."""
        return until(lambda: 'data-ply="' in self.get(address).text and address, f"the game at {address} begins")

    def board(self, address: str) -> Board:
        """The table as the page shows it."""
        return Board(self.get(address).text)

    def asked(self, address: str) -> Board:
        """The table, once it asks something of this visitor."""
        return until(lambda: (board := self.board(address)).asked and board, f"a question at {address}")

    def play(self, address: str, *moves: str, ply: int | None = None) -> Answer:
        """Send an answer of these moves by the form of the page."""
        ply = self.board(address).ply if ply is None else ply
        return self.post(f"{address}/play", {"HX-Request": "true"}, ply=str(ply), move=list(moves))


class Board:
    """What stands on a page of a table."""

    def __init__(self, text: str):
        self.text = text
        found = re.search(r'<[^>]* data-ply="(\d+)"[^>]*>', text)
        assert found, text
        self.ply = int(found[1])
        self.asked, self.over = 'data-asked="1"' in found[0], 'data-over="1"' in found[0]

    @property
    def offers(self) -> list[str]:
        """The moves that one may answer with."""
        tags = re.findall(r'<[^>]* name="move"[^>]*>', self.text)
        return [found[1] for tag in tags if " disabled" not in tag and (found := re.search(r' value="([^"]+)"', tag))]


def sat_down(host: Visitor, guest: Visitor, **terms: str) -> str:
    """The address of a game of these two, which has begun."""
    table = host.table(**terms)
    guest.post(f"{table}/join")
    guest.post(f"{table}/ready", ready="1")
    return host.begun(table)


def questions(table: str, *players: Visitor) -> Iterator[tuple[Visitor, Board]]:
    """Whoever is asked at a table, and what they see, until the game is over; in between they should answer."""
    asked = list(players)
    while True:
        for player in asked:
            board = Board(player.get(f"{table}/board").text)
            if board.over:
                return
            if board.asked:
                yield player, board
                asked.sort(key=lambda each: each is not player)
                break


def until(happened: Any, what: str) -> Any:
    """What `happened()` returns as soon as that is true. Raises AssertionError if it never is."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if found := happened():
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited in vain: {what}")


@contextmanager
def running(folder: Path, **environment: str) -> Iterator[Site]:
    """A site with its data in this folder."""
    root = Path(os.environ.get("BIBLIOS_ATTACKED") or ROOT)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BIBLIOS_", "DJANGO_"))}
    given = {"BIBLIOS_DATA": str(folder), "DATABASE_URL": "", "REDIS_URL": "", **environment}
    if root == ROOT:
        fill(folder)
    site = Site(root, clean | given)
    try:
        yield site
    finally:
        site.end()
