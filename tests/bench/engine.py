"""How fast the rules engine is: `python -m tests.bench.engine [--rounds N] [--games N] [TITLE ...]`.

Prints what one core does in a second, for each number of players under the default options, in games of random moves
(long: in Biblios nearly every bid is a bluff) and in games of the usual bot (as people play). Each figure is the best
of some rounds of processor time: other work on the machine slows single rounds down. The cost of an empty function
call is printed to compare machines by.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from random import Random
from time import process_time

from games.engine import record
from games.engine.bots import play_out, random_playout
from games.engine.core import Game, State
from games.engine.exlibris.game import ExLibris
from games.engine.registry import FORMATS, game_of
from tests.engine import promises

MEASURED: dict[str, Game] = {game.slug: game for game in (game_of("biblios", 1), ExLibris())}
CALLS = 200_000


def rate(work: Callable[[], int], rounds: int) -> float:
    """Pieces of work a second, the best of some rounds; `work` returns how many it did."""
    best = 0.0
    for _ in range(rounds):
        began = process_time()
        done = work()
        best = max(best, done / (process_time() - began))
    return best


def empty_call_ns(rounds: int) -> float:
    """Nanoseconds of a call of a function that does nothing, the loop around it not counted."""

    def nothing() -> None:
        pass

    def calls() -> int:
        for _ in range(CALLS):
            nothing()
        return CALLS

    def loop() -> int:
        for _ in range(CALLS):
            pass
        return CALLS

    return 1e9 / rate(calls, rounds) - 1e9 / rate(loop, rounds)


def measure(game: Game, seats: int, bot: str, number: int, rounds: int) -> dict[str, float]:
    """The figures for a game, a number of players and a bot that played so many games."""
    FORMATS.setdefault(game.format, game)
    rng = Random(seats)
    starts = [game.start(seats, rng.randbytes(32)) for _ in range(number)]
    if bot == "random":
        games = [promises.random_moves(start, rng)[0] for start in starts]
    else:
        games = [play_out(start.copy(), [game.bots[bot]] * seats, rng) for start in starts]
    plies = sum(map(len, games))
    logs = [[game.text(move) for move in moves] for moves in games]
    middles: list[State] = []
    for start, moves in zip(starts, games, strict=True):
        middle = start.copy()
        for move in moves[: rng.randrange(len(moves))]:
            middle.play(move)
        middles.append(middle)
    records = [
        record.read(json.dumps(record.export(game, start, moves, ["a"] * seats)))
        for start, moves in zip(starts, games, strict=True)
    ]
    views = [middle.view(middle.seat) for middle in middles]

    def apply() -> int:
        for start, moves in zip(starts, games, strict=True):
            play = start.copy().play
            for move in moves:
                play(move)
        return plies

    def copies() -> int:
        for middle in middles:
            copy = middle.copy
            for _ in range(100):
                copy()
        return 100 * number

    def replays() -> int:
        for start, texts in zip(starts, logs, strict=True):
            game.replay(start, texts)
        return number

    def whole_records() -> int:
        for one in records:
            one.replay()
        return number

    def look() -> int:
        for middle in middles:
            for _ in range(10):
                middle.view(0)
        return 10 * number

    def samples() -> int:
        for view in views:
            for _ in range(10):
                game.sample(view, rng)
        return 10 * number

    def playouts() -> int:
        for start in starts:
            random_playout(start.copy(), rng)
        return number

    figures = {
        "(moves a game)": plies / number,
        "moves, apply only": rate(apply, rounds),
        "copies": rate(copies, rounds),
        "checked replays of a log": rate(replays, rounds),
        "checked replays of a record": rate(whole_records, rounds),
        "views": rate(look, rounds),
        "samples, ten of each view": rate(samples, rounds),
    }
    if bot == "random":
        figures["random playouts"] = rate(playouts, rounds)
        figures["moves, legal + choice + apply"] = figures["random playouts"] * plies / number
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("titles", nargs="*", metavar="TITLE", help=", ".join(MEASURED))
    arguments = parser.parse_args()
    print(f"empty function call: {empty_call_ns(arguments.rounds):.0f} ns; a second of one core does:")
    for slug in arguments.titles or MEASURED:
        game = MEASURED[slug]
        for bot in ("random", game.bot):
            figures = [measure(game, seats, bot, arguments.games, arguments.rounds) for seats in game.seats]
            heading = f"{slug}, {bot} players"
            print(f"\n{heading:32}" + "".join(f"{seats} players".rjust(12) for seats in game.seats))
            for name in figures[0]:
                print(f"{name:32}" + "".join(f"{figure[name]:12,.0f}" for figure in figures))


if __name__ == "__main__":
    main()
