"""Matchpoints of those who sat in the same seat of the same deal. Pure.

Those of duplicate bridge (World Bridge Federation, Laws of Duplicate Bridge 2017, Law 78 A): two for each score that is
lower than one's own, one for each that is equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Score = int | None
"""The points of the game; None for who left it, which is below every other score."""
AVERAGE = Fraction(50)


def matchpoints(scores: Sequence[Score]) -> list[int]:
    """The matchpoints of each of these scores: from 0 to `top`, and `top` / 2 on the average."""
    ranks = [(score is not None, score or 0) for score in scores]
    return [2 * sum(rank > other for other in ranks) + ranks.count(rank) - 1 for rank in ranks]


def top(scores: int) -> int:
    """The most matchpoints that one of so many scores can have."""
    return 2 * max(0, scores - 1)


def percent(points: int, top: int) -> Fraction:
    """Matchpoints in percent of the most that one can have; the average if there is nobody to be compared with."""
    return Fraction(100 * points, top) if top else AVERAGE
