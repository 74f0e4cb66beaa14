"""How fast the rules engine is: `python -m tests.bench.engine [--rounds N]`.

Prints, for 2, 3 and 4 players, what one core does in a second, in games of random moves under the default options.
Each figure is the best of some rounds of processor time: other work on the machine slows single rounds down. The
cost of an empty function call is printed to compare machines by.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from random import Random
from time import process_time

from games.engine import record
from games.engine.bots import random_policy
from games.engine.core import Move, State
from games.engine.registry import game_of

GAME = game_of("biblios", 1)
GAMES = 60


def rate(work: Callable[[], int], rounds: int) -> float:
    """Pieces of work a second, the best of some rounds; `work` returns how many it did."""
    best = 0.0
    for _ in range(rounds):
        began = process_time()
        done = work()
        best = max(best, done / (process_time() - began))
    return best


def empty_call_ns(rounds: int) -> float:
    """Nanoseconds of a call of a function that does nothing."""

    def nothing() -> None:
        pass

    def calls() -> int:
        for _ in range(200_000):
            nothing()
        return 200_000

    def loop() -> int:
        for _ in range(200_000):
            pass
        return 200_000

    return 1e9 / rate(calls, rounds) - 1e9 / rate(loop, rounds)


def measure(seats: int, rounds: int) -> dict[str, float]:
    """The figures for a number of players."""
    rng = Random(seats)
    starts = [GAME.start(seats, rng.randbytes(32)) for _ in range(GAMES)]
    games: list[list[Move]] = []
    middles: list[State] = []
    for start in starts:
        state = start.copy()
        moves = random_policy(state, rng)
        games.append(moves)
        middle = start.copy()
        for move in moves[: rng.randrange(len(moves))]:
            middle.play(move)
        middles.append(middle)
    records = [
        record.read(json.dumps(record.export(GAME, start, moves, ["a"] * seats)))
        for start, moves in zip(starts, games, strict=True)
    ]
    views = [middle.view(middle.seat) for middle in middles]

    def apply() -> int:
        for start, moves in zip(starts, games, strict=True):
            play = start.copy().play
            for move in moves:
                play(move)
        return sum(map(len, games))

    def playouts_from(states: list[State]) -> int:
        return sum(len(random_policy(state.copy(), rng)) for state in states)

    def copies() -> int:
        for middle in middles:
            copy = middle.copy
            for _ in range(200):
                copy()
        return 200 * len(middles)

    def replays() -> int:
        for one in records:
            one.replay()
        return len(records)

    def look() -> int:
        for middle in middles:
            for _ in range(10):
                middle.view(0)
        return 10 * len(middles)

    def samples() -> int:
        for view in views:
            for _ in range(10):
                view.sample(rng)
        return 10 * len(views)

    def playouts() -> int:
        playouts_from(starts)
        return len(starts)

    return {
        "moves, apply only": rate(apply, rounds),
        "moves, legal + choice + apply": rate(lambda: playouts_from(starts), rounds),
        "copies": rate(copies, rounds),
        "checked replays": rate(replays, rounds),
        "views": rate(look, rounds),
        "samples": rate(samples, rounds),
        "random playouts": rate(playouts, rounds),
        "(moves a game)": sum(map(len, games)) / len(games),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    print(f"empty function call: {empty_call_ns(rounds):.0f} ns; a second of one core does:")
    figures = {seats: measure(seats, rounds) for seats in GAME.seats}
    print(f"{'':32}" + "".join(f"{seats} players".rjust(13) for seats in figures))
    for name in figures[2]:
        print(f"{name:32}" + "".join(f"{figure[name]:13,.0f}" for figure in figures.values()))


if __name__ == "__main__":
    main()
