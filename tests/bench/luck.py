"""Whether luck is none on average, and goes with who wins: `python -m tests.bench.luck [--games N] [--seed N]`.

Games of Biblios of two greedy players. Printed are the luck of the first seat with its standard error, how far the two
values leave it open, how it goes with that seat's part of the win, and what those got whom the sentence names.
"""

from __future__ import annotations

import argparse
from math import sqrt
from random import Random
from statistics import correlation, fmean, linear_regression, stdev
from time import process_time
from typing import NamedTuple

from games.engine.biblios.game import Biblios
from games.engine.bots import play_out
from games.engine.judging import Case
from games.engine.luck import favoured, luck_of
from games.engine.verdicts import WHOLE

GAME = Biblios()


class LuckOfAGame(NamedTuple):
    """Of the first seat, but for `named`."""

    luck: float
    error: float
    share: float
    """Its part of the win."""
    named: float | None
    """The part of whoever is named; None if nobody is."""
    seconds: float


def measured(seed: int) -> LuckOfAGame:
    """The luck in one game."""
    rng = Random(seed)
    start = GAME.start(2, rng.randbytes(32))
    state = start.copy()
    moves = play_out(state, [GAME.bots["greedy"]] * 2, rng)
    places, expert = state.places(), GAME.expert(2, start.options)
    assert expert is not None
    shares = [(place == 1) / places.count(1) for place in places]
    began = process_time()
    found = luck_of(Case(GAME, expert, start, moves, str(seed)))
    seconds, best = process_time() - began, favoured(found)
    named = None if best is None else shares[best]
    return LuckOfAGame(found[0].mean / WHOLE, found[0].error / WHOLE, shares[0], named, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=500, help="that of the first game")
    arguments = parser.parse_args()
    found = [measured(arguments.seed + number) for number in range(arguments.games)]
    luck, shares = [it.luck for it in found], [it.share for it in found]
    named = [it.named for it in found if it.named is not None]
    print(f"luck: mean {fmean(luck):.4f} ± {stdev(luck) / sqrt(len(luck)):.4f}, standard deviation {stdev(luck):.4f}")
    print(f"error by the two values: {sqrt(fmean([it.error**2 for it in found])):.4f}")
    slope = linear_regression(luck, shares).slope
    print(f"with the part of the win: correlation {correlation(luck, shares):.3f}, slope {slope:.2f}")
    print(f"named in {len(named)} of {len(found)} games, who got {fmean(named or [0.5]):.3f}")
    print(f"{fmean([it.seconds for it in found]):.2f} s a game")


if __name__ == "__main__":
    main()
