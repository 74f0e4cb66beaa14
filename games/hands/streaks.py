"""How many days somebody has played the hand of the day, one after the other. Pure.

A streak counts the days on which they finished a hand of any title. A day of rest between two of them does not end it;
two do. Nobody is told of a day that they missed.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

REST = 1
"""So many days may pass between two that count."""


class Streak(NamedTuple):
    """Numbers of days."""

    present: int
    """0 if the last one has ended."""
    best: int


def streak(days: Iterable[date], today: date) -> Streak:
    """The streaks of somebody who has played on these days, each told once and the first one first."""
    length, best, last = 0, 0, None
    for day in days:
        length = length + 1 if last and (day - last).days <= REST + 1 else 1
        best, last = max(best, length), day
    goes_on = last is not None and (today - last).days <= REST + 1
    return Streak(length if goes_on else 0, best)
