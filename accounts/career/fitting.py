"""Ratings of players who never change, such as bots: those under which their results are likeliest.

A rating by Elo's rule follows its player, and so forgets; of somebody who always plays alike all results say the same
thing. Scale and expectation are those of `ratings`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import log, sqrt
from typing import NamedTuple

from accounts.career.ratings import PROVISIONAL, START, expected

POINTS = 400 / log(10)
"""In so many points the odds become e times as large."""
SURE = 1.96
"""Standard errors on either side, between which the truth is in 95 of 100 cases."""
SWEEPS = 60
LONGEST_STEP = 200.0
CLOSE = 0.01


class Meeting(NamedTuple):
    """What came of games of one of them against another one, or against somebody with a known rating."""

    player: str
    opponent: str | float
    score: float
    """The part of the points that the player got, from 0 to 1."""
    weight: float
    """How many games of two it counts."""


class Fitted(NamedTuple):
    """A rating, and half the width of the interval in which it is in 95 of 100 cases, if those of the others hold."""

    value: float
    either_side: float


def fitted(pairings: Sequence[Meeting], anchor: str) -> dict[str, Fitted]:
    """The ratings of all players in these pairings.

    The `anchor` has also drawn as many games against START as a rating needs to be settled, and one against each of
    the others (against START, if it was not met): so there is an answer if nobody with a known rating was met, and if
    somebody has won everything.
    """
    met: defaultdict[str, list[tuple[str | float, float, float]]] = defaultdict(list)
    for player, opponent, score, weight in pairings:
        met[player].append((opponent, score, weight))
        if isinstance(opponent, str):
            met[opponent].append((player, 1 - score, weight))
    for player in [it for it in met if it != anchor]:
        met[player].append((anchor if anchor in met else START, 0.5, 1))
        if anchor in met:
            met[anchor].append((player, 0.5, 1))
    if anchor in met:
        met[anchor].append((START, 0.5, PROVISIONAL))
    values = dict.fromkeys(met, START)
    outside = {player: [it for it in results if not isinstance(it[0], str)] for player, results in met.items()}
    for _sweep in range(SWEEPS):
        # All together first: who is tied to others by many games moves little without them.
        slopes = [_slope(values, player, results) for player, results in outside.items()]
        step = _step(sum(better for better, _known in slopes), sum(known for _better, known in slopes))
        values = {player: value + step for player, value in values.items()}
        farthest = abs(step)
        for player, results in met.items():
            better, known = _slope(values, player, results)
            step = _step(better, known)
            values[player] += step
            farthest = max(farthest, abs(step))
        if farthest < CLOSE:
            break
    return {
        player: Fitted(values[player], SURE * POINTS / sqrt(_slope(values, player, results)[1]))
        for player, results in met.items()
    }


def _step(better: float, known: float) -> float:
    return max(-LONGEST_STEP, min(LONGEST_STEP, POINTS * better / known)) if known else 0.0


def _slope(
    values: dict[str, float], player: str, results: Sequence[tuple[str | float, float, float]]
) -> tuple[float, float]:
    """How much better the results are than expected, and how much they tell."""
    better = known = 0.0
    for opponent, score, weight in results:
        hoped = expected(values[player], values[opponent] if isinstance(opponent, str) else opponent)
        better += weight * (score - hoped)
        known += weight * hoped * (1 - hoped)
    return better, known
