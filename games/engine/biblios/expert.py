"""What judges decisions of Biblios: see `Expert`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from games.engine.biblios import answers, fortune, haste, reasons
from games.engine.biblios.habits import HABITS_FILE
from games.engine.biblios.outlook import values
from games.engine.biblios.rules import Position
from games.engine.biblios.value import WEIGHTS
from games.engine.biblios.view import BibliosView
from games.engine.core import Chance, Expert, Move, Reason, Seat, State, TwoShares, View

JUDGED = range(2, 3)
"""Only with so many players do the values judge: with three a review takes too long, with four they are not proven."""
LOOKING_ON = 2
"""Counts the ways of choosing answers and of playing on: other figures, another number."""


class BibliosExpert(Expert):
    """The expert of one number of players."""

    def __init__(self, seats: int) -> None:
        learned = hashlib.sha256((WEIGHTS / f"{seats}.json").read_bytes() + HABITS_FILE.read_bytes()).hexdigest()
        self.version = f"biblios {seats} {learned[:12]} {LOOKING_ON}"

    def candidates(self, view: View) -> tuple[Move, ...]:
        assert isinstance(view, BibliosView)
        return answers.candidates(view)

    def settle(self, state: State, seat: Seat, rng: Random) -> None:
        assert isinstance(state, Position)
        haste.play_on(state, rng)

    def shares(self, view: View, since: View | None = None) -> TwoShares:
        assert isinstance(view, BibliosView) and (since is None or isinstance(since, BibliosView))
        return values(view, since)

    def reason(self, view: View, better: Move, made: Move) -> Reason:
        assert isinstance(view, BibliosView)
        return reasons.reason(view, better, made)

    def chances(self, state: State) -> list[Chance]:
        assert isinstance(state, Position)
        return fortune.chances(state)


@cache
def expert_for(seats: int) -> BibliosExpert | None:
    """The expert for a number of players; None without weights for it."""
    return BibliosExpert(seats) if (WEIGHTS / f"{seats}.json").exists() else None


def expert(seats: int, options: Mapping[str, Any]) -> Expert | None:
    """The expert for a table: see `Game.expert`. It has learned the usual options, and judges others like them."""
    return expert_for(seats) if seats in JUDGED else None
