"""Ranks the seats of a game step by step, each further step only among those still tied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.engine.core import Seat


class Decision(NamedTuple):
    """A step that told tied seats apart, or the finding that none could."""

    step: str
    """The name of the step; "shared" where none could."""
    seats: tuple[Seat, ...]
    """The seats that were tied until this step, ascending."""


class Ranking(NamedTuple):
    """The final order."""

    places: tuple[int, ...]
    """By seat, from 1; shared places have the same number, and the next place skips as many."""
    decisions: tuple[Decision, ...]
    """The steps that decided something, best places first."""


def rank(seats: int, steps: Iterable[tuple[str, Sequence[int]]]) -> Ranking:
    """The order of so many seats by steps, each with the numbers that it compares, by seat: the highest goes first."""
    decisions = []
    groups = [list(range(seats))]
    """The seats from the first to the last; those in one group are still tied."""
    for name, worth in steps:
        parted = []
        for group in groups:
            values = sorted({worth[seat] for seat in group}, reverse=True)
            parted += [[seat for seat in group if worth[seat] == value] for value in values]
            if len(values) > 1:
                decisions.append(Decision(name, tuple(group)))
        groups = parted
        if len(groups) == seats:
            break
    decisions += [Decision("shared", tuple(group)) for group in groups if len(group) > 1]
    places = [0] * seats
    place = 1
    for group in groups:
        for seat in group:
            places[seat] = place
        place += len(group)
    return Ranking(tuple(places), tuple(decisions))
