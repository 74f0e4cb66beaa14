"""What it costs to draw a table again after an answer: `python -m tests.bench.board [--game exlibris] [--games N]`.

Whole games of bots and of random moves, for 2, 3 and 4 players. After each answer (with the forced moves that
follow it) the board is drawn for every seat and for one watcher, and what differs is put into a message. Printed by
what was asked: microseconds of processor time a viewer (the view of the position counted apart), and bytes a message;
what all viewers see alike is made once for all of them.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections import defaultdict
from random import Random
from time import process_time
from types import SimpleNamespace
from typing import NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "biblios_site.settings")
django.setup()

from django.conf import settings  # noqa: E402

from accounts.shown import PlayerShown  # noqa: E402
from games.engine.biblios.notation import BID, DIE, PAY_CARDS, PAY_GOLD, PLACE, SECOND_DIE, TAKE_GIFT  # noqa: E402
from games.engine.core import Game  # noqa: E402
from games.engine.exlibris import frames  # noqa: E402
from games.engine.registry import game_of  # noqa: E402
from games.faces.language import drawing  # noqa: E402
from games.matches import history  # noqa: E402
from games.matches.clocks import Clock  # noqa: E402
from games.matches.models import LogEntry  # noqa: E402
from games.matches.scene import Scene, Sitter  # noqa: E402
from games.table import board  # noqa: E402
from tests.bench.engine import empty_call_ns  # noqa: E402
from tests.prepared import prepared  # noqa: E402


class Title(NamedTuple):
    """What is measured of a game."""

    game: Game
    bot: str
    phases: dict[int, str]
    """What a question is called in the table."""
    bid: int = -1
    """The question at which random moves would be wild."""
    paying: tuple[int, ...] = ()
    """The questions that take several moves for one answer."""


TITLES = {
    "biblios": Title(
        game_of("biblios", 1),
        "greedy",
        {PLACE: "gift", TAKE_GIFT: "choose", DIE: "church", SECOND_DIE: "church", BID: "bid"}
        | {PAY_GOLD: "pay", PAY_CARDS: "pay"},
        BID,
        (PAY_GOLD, PAY_CARDS),
    ),
    "exlibris": Title(
        game_of("exlibris", 1),
        "librarian",
        dict.fromkeys(frames.QUESTIONS, "ask") | {frames.PLACE: "place", frames.TURN: "flip"},
    ),
}
NAMES = ("Aldhelm", "Bernat", "Christine", "Dunstan")
NOW = 1_790_000_000_000
CLOCK = Clock("live", 600_000, 15_000)
PLAYER, SERVER = LogEntry.By.PLAYER, LogEntry.By.SERVER


def chosen_by(title: Title, bot: str):
    """A bot; `random` tries any answer but no wild bids."""
    if bot != "random":
        return title.game.bots[bot]
    return lambda view, rng: rng.choice(view.legal[:4] if view.question == title.bid else view.legal)


class Sitting:
    """A match without a database."""

    def __init__(self, title: Title, seats: int, seed: int, key: str):
        self.title = title
        self.rng = Random(f"{seats} {seed}")
        self.key, self.seats = key, seats
        shares = [SimpleNamespace(share=self.rng.randbytes(16)) for _ in range(seats)]
        self.options = title.game.options()
        match = SimpleNamespace(
            rules=title.game,
            beacon="",
            places=seats,
            clock=CLOCK,
            beginning=None,
            secret=self.rng.randbytes(32),
            options=self.options,
            sitting=shares,
        )
        self.replay = history.Replay(match)
        self.since = [0] * seats
        self.left = [600_000] * seats
        self.now = NOW

    def answer(self, choose) -> None:
        """One answer, with the forced moves after it."""
        self.now += self.rng.randrange(800, 9000)
        seat = self.replay.last.seat
        question = self.replay.last.question
        self.left[seat] -= self.rng.randrange(100, 2000)
        by = PLAYER
        while not self.replay.last.over:
            state = self.replay.last
            paying = state.seat == seat and question == state.question in self.title.paying
            if by == SERVER and not paying and state.forced() is None:
                break
            move = state.forced() if by == SERVER and state.forced() is not None else None
            who = SERVER if move is not None else PLAYER
            if move is None:
                move = choose(state.view(state.seat), self.rng)
            self.replay.add([history.Row(state.seat, self.title.game.text(move), who, self.now)])
            if who == PLAYER:
                self.since[seat] = len(self.replay.rows)
            by = SERVER

    def scene(self, me: int | None) -> Scene:
        """What is shown to a viewer."""
        ply = len(self.replay.rows)
        state = self.replay.last
        return Scene(
            key=self.key,
            game=self.title.game,
            options=self.options,
            rated=True,
            pace=CLOCK.pace,
            control=CLOCK[1:],
            status="finished" if state.over else "running",
            sitters=[
                Sitter(i, PlayerShown(NAMES[i], NAMES[i].lower(), rating="1588"), "", True, self.left[i])
                for i in range(self.seats)
            ],
            me=me,
            playing=me is not None and not state.over,
            ply=ply,
            view=self.replay.view(ply, me),
            steps=self.replay.seen_by(me, ply),
            since=self.since[me] if me is not None else max(0, ply - 3),
            now=self.now,
            deadline=self.now + 600_000,
            can_abort=state.early,
            result=self.title.game.result(state) if state.over else None,
        )


def measure(title: Title, seats: int, bot: str, games: int, seen: dict, common: list, big: list) -> None:
    """Play, draw, note."""
    choose = chosen_by(title, bot)
    for number in range(games):
        sitting = Sitting(title, seats, number, f"{bot[:6]}{seats}x{number}")
        viewers = (*range(seats), None)
        alike = board.common(sitting.scene(None))
        drawn = {me: board.draw(sitting.scene(me), alike) for me in viewers}
        while not sitting.replay.last.over:
            sitting.answer(choose)
            last = sitting.replay.last
            phase = "over" if last.over else title.phases[last.question]
            watched = sitting.scene(None)
            began = process_time()
            alike = board.common(watched, alike)
            common.append(1e6 * (process_time() - began))
            update = board.Update()
            for me in viewers:
                t0 = process_time()
                scene = sitting.scene(me)
                t1 = process_time()
                now = board.draw(scene, alike, drawn[me])
                t2 = process_time()
                message = update.message(drawn[me], now)
                t3 = process_time()
                drawn[me] = now
                asked = "asked" if sitting.replay.last.seat == me and me is not None else "waits"
                size = len(message.encode())
                row = (1e6 * (t1 - t0), 1e6 * (t2 - t1), 1e6 * (t3 - t2), size)
                seen[f"{phase}, {asked}" if phase != "over" else phase].append(row)
                big.append((size, bot, seats, number, scene.ply, me, phase, asked, message))


def table(seen: dict) -> None:
    """Print it."""
    print(f"{'':16}{'n':>7}{'scene':>8}{'draw':>8}{'update':>8}{'sum':>8}{'mean':>8}{'bytes':>8}{'p90':>8}{'max':>8}")
    rows = {**dict(sorted(seen.items())), "all": [row for rows in seen.values() for row in rows]}
    for name, found in rows.items():
        scene, drawing, update, size = zip(*found, strict=True)
        both = [a + b for a, b in zip(drawing, update, strict=True)]
        print(
            f"{name:16}{len(found):7}{statistics.median(scene):8.0f}{statistics.median(drawing):8.0f}"
            f"{statistics.median(update):8.0f}{statistics.median(both):8.0f}{statistics.mean(both):8.0f}"
            f"{statistics.median(size):8.0f}{statistics.quantiles(size, n=10)[8]:8.0f}{max(size):8}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=TITLES, default="biblios", help="(default: %(default)s)")
    parser.add_argument("--games", type=int, default=4, help="of each sort")
    parser.add_argument("--players", default="2,3,4", help="(default: %(default)s)")
    parser.add_argument("--show", type=int, default=0, help="print so many of the biggest messages")
    args = parser.parse_args()
    settings.STATIC_ROOT = prepared() / "static"
    with drawing("en"):  # the pictures have the addresses that the site gives them
        run(args)


def run(args) -> None:
    print(f"An empty call of a function takes {empty_call_ns(3):.0f} ns here.")
    title = TITLES[args.game]
    for bot in (title.bot, "random"):
        for seats in map(int, args.players.split(",")):
            measure(title, seats, bot, 1, defaultdict(list), [], [])  # warm
            seen, common, big = defaultdict(list), [], []
            measure(title, seats, bot, args.games, seen, common, big)
            print(f"\n{bot}, {seats} players: median µs of a viewer; their mean; bytes")
            table(seen)
            print(f"What all see alike, once an answer: {statistics.median(common):.0f} µs, and in the first update")
            for found in sorted(big, key=lambda one: -one[0])[: args.show]:
                print(*found[:-1], "\n" + found[-1])


if __name__ == "__main__":
    main()
