"""How many answers a second boardgame.io takes with PostgreSQL, and the site beside it, in alternating rounds.

    python -m tests.bench.peers.boardgameio
    python -m tests.bench.peers.boardgameio --packages DIRECTORY --alternate 5

boardgame.io 0.50 and bgio-postgres are installed by npm, into a temporary folder unless --packages names one. A game of
three of the weight of Biblios (boardgameio.cjs) is played by the people who play at the site, with the same loop: one
answers, all three must have it before the next answer. Both have a PostgreSQL of their own with the same settings, and
a web process each.

The peer: a secret is taken out of the state for each player (`playerView`); the lobby gives credentials, which it
checks at each move. After a move it sends each player the whole state, as JSON, and writes state and log to PostgreSQL
as one row of the match. It sends before it has written: what all have seen may be lost. Undo is off, and Sequelize logs
nothing; else it is as it is installed.

The site does more: it writes before it sends, with a row of an append-only log for each move, and a chain of hashes; it
draws HTML, has clocks, forced moves and standing orders, and tells the other processes by Redis. Its worker is a
process of its own, which is not counted, as PostgreSQL is not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.bench.load import Figures, Load, seats_of
from tests.bench.player import Person
from tests.bench.start import Site, end, started
from tests.bench.tables import AtOnce, Table
from tests.bench.wire import Browser
from tests.components import Postgres, free_port

PACKAGES = ["boardgame.io@0.50", "bgio-postgres@1", "koa-compose@4.1.0"]
"""With a newer koa-compose its lobby answers nothing: what boardgame.io adds to it late is not called."""
SERVER = Path(__file__).with_suffix(".cjs")
SHOWN = ["answers a second", "web, ms of CPU an answer", "p50 to the last board, ms", "p99 to the last board, ms"]


class Guest(Person):
    """Somebody at a table of the peer, who speaks Socket.IO."""

    def join(self, match: str, seat: int, credentials: str) -> None:
        """Sit down."""
        self.match, self.seat, self.credentials = match, str(seat), credentials

    def greet(self) -> None:
        """Open the game."""
        self.socket.send("40/biblios,")

    def take_in(self, message: str) -> bool:
        """Bring the state up to date; whether it is another one than before."""
        if message == "2":  # a ping
            self.socket.send("3")
        elif message.startswith("40"):  # the game is open
            self.emit("sync", self.match, self.seat, self.credentials, 3)
        elif message.startswith("42"):
            kind, _match, *said = json.loads(message.partition(",")[2])
            if kind in ("sync", "update"):
                state = said[0]["state"] if kind == "sync" else said[0]
                before, self.ply, self.state = self.ply, state["_stateID"], state["G"]
                self.over = "gameover" in state["ctx"]
                self.asked = not self.over and self.state["asked"] == int(self.seat)
                return self.ply != before
        return False

    def emit(self, *event: Any) -> None:
        self.socket.send("42/biblios," + json.dumps(event))

    def answer(self, rng: Random) -> list[Any]:
        """A move and its arguments, chosen as at the site: low bids, no bluff."""
        state = self.state
        match state["question"]:
            case "place":
                return ["place", rng.choice(["table", *(where for where, used in state["used"].items() if not used)])]
            case "take":
                return ["take", rng.randrange(len(state["table"]))]
            case "pay":
                hand = [card["id"] for card in state["hands"][int(self.seat)]]
                return ["pay", rng.sample(hand, state["bids"][int(self.seat)])]
        held, amount = len(state["hands"][int(self.seat)]), max(state["bids"]) + 1
        return ["bid", amount if amount <= held and rng.random() < 0.8 * (1 - (amount - 1) / held) else 0]

    def send(self, moves: list[Any]) -> None:
        """Send an answer."""
        name, *arguments = moves
        payload = {"type": name, "args": arguments, "playerID": self.seat, "credentials": self.credentials}
        self.emit("update", {"type": "MAKE_MOVE", "payload": payload}, self.ply, self.match, self.seat)


class PeerTable(Table):
    """The people of one match of the peer."""

    async def open(self, host: int) -> None:
        """Have a match, with credentials for all."""
        site = self.people[0].browser.site
        self.address = (await asyncio.to_thread(post, f"{site}/games/biblios/create", numPlayers=3))["matchID"]
        for seat, person in enumerate(self.people):
            asking = {"playerID": str(seat), "playerName": person.name}
            told = await asyncio.to_thread(post, f"{site}/games/biblios/{self.address}/join", **asking)
            person.join(self.address, seat, told["playerCredentials"])

    def path(self, person: Person) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    async def shows(self, ply: int) -> bool:
        """Whether the boards are right: there is no page to compare them with."""
        return True


class PeerLoad(Load):
    """People at tables of the peer."""

    table = PeerTable

    async def gather_people(self, count: int) -> None:
        """Have this many people; nobody signs in."""
        while len(self.people) < count:
            self.people.append(Guest(Browser(self.site.url), f"p{len(self.people)}", ""))


def post(url: str, **said: Any) -> Any:
    """The JSON that answers this JSON."""
    request = Request(url, json.dumps(said).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=20) as answer:
        return json.load(answer)


@contextmanager
def peer(packages: Path) -> Iterator[Site]:
    """The peer, with a PostgreSQL of its own."""
    with Postgres() as postgres, tempfile.TemporaryFile() as said:
        port = free_port()
        environment = {**os.environ, "NODE_ENV": "production", "NODE_PATH": str(packages / "node_modules")}
        environment |= {"DATABASE_URL": postgres.url, "PORT": str(port)}
        web = subprocess.Popen(["node", SERVER], env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            site = Site(f"http://127.0.0.1:{port}", {"postgres": postgres.pid, "web": web.pid})
            while True:
                try:
                    urlopen(f"{site.url}/games", timeout=20).read()
                    break
                except HTTPError:
                    raise
                except OSError:
                    if web.poll() is not None:
                        said.seek(0)
                        raise RuntimeError(f"The peer does not start:\n{said.read().decode()}") from None
                    time.sleep(0.02)
            yield site
        finally:
            end(web)


def measure(kind: type[Load], site: Site, options: argparse.Namespace) -> Figures:
    """Play one round as fast as it goes. Raises RuntimeError if anything went wrong."""

    async def run() -> Figures:
        load = kind(site, seats_of(options.tables), options.seed, "")
        figures = await load.play(1, AtOnce)
        if load.faults:
            raise RuntimeError("\n".join(load.faults[:20]))
        return figures

    return asyncio.run(run())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=Path, help="folder in which the packages are, or are to be")
    parser.add_argument("--tables", default="20x3", help="tables by people at each (default: %(default)s)")
    parser.add_argument("--alternate", type=int, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("--seed", default="1", help="of the answers that people choose")
    options = parser.parse_args()
    with ExitStack() as stack:
        packages = options.packages or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="packages-")))
        if not (packages / "node_modules").exists():
            packages.mkdir(parents=True, exist_ok=True)
            npm = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", packages, *PACKAGES]
            subprocess.run(npm, check=True)
        rounds: dict[str, list[Figures]] = {"the site": [], "boardgame.io": []}
        for number in range(options.alternate):
            with started("real") as site:
                rounds["the site"].append(measure(Load, site, options))
            with peer(packages) as site:
                rounds["boardgame.io"].append(measure(PeerLoad, site, options))
            for name, found in rounds.items():
                print(f"Round {number + 1}, {name}: " + ", ".join(f"{found[-1][what]:.2f} {what}" for what in SHOWN))
    print(f"\n{'the site':>12}{'boardgame.io':>14}{'ratio':>8}  (medians of {options.alternate} rounds)")
    for what in SHOWN:
        ours, theirs = ([figures[what] for figures in found] for found in rounds.values())
        ratio = median(our / their for our, their in zip(ours, theirs, strict=True))
        print(f"{median(ours):12.2f}{median(theirs):14.2f}{ratio:8.2f}  {what}")


if __name__ == "__main__":
    sys.exit(main())
