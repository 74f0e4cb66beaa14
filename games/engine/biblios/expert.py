"""What judges decisions of Biblios: see `Expert`."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from random import Random
from typing import Any

from games.engine.biblios import answers, haste, reasons
from games.engine.biblios.cards import BITS
from games.engine.biblios.deal import cards_for
from games.engine.biblios.greedy import Judge
from games.engine.biblios.options import SEATS
from games.engine.biblios.rules import Position
from games.engine.biblios.scoring import score, standing
from games.engine.biblios.view import BibliosView
from games.engine.core import Expert, Move, Reason, Seat, State, View

LOOKING_ON = 1
"""Counts the ways of choosing answers and of playing on: other figures, another number."""


class BibliosExpert(Expert):
    """The expert of one number of players."""

    version = f"standin-{LOOKING_ON}"

    def candidates(self, view: View) -> tuple[Move, ...]:
        assert isinstance(view, BibliosView)
        return answers.candidates(view)

    def settle(self, state: State, seat: Seat, rng: Random) -> None:
        assert isinstance(state, Position)
        haste.play_on(state, rng)

    def shares(self, view: View) -> tuple[tuple[float, ...], tuple[float, ...]]:
        assert isinstance(view, BibliosView)
        if view.over:
            result = _result(view)
            return result, result
        return _shares(view, 2.2, 1.0), _shares(view, 2.6, 0.7)

    def reason(self, view: View, better: Move, made: Move) -> Reason:
        assert isinstance(view, BibliosView)
        return reasons.reason(view, better, made)


def expert(seats: int, options: Mapping[str, Any]) -> Expert | None:
    """The expert for a table; None for one that it has not learned."""
    return BibliosExpert() if seats in SEATS else None


def _result(view: BibliosView) -> tuple[float, ...]:
    """What each seat has won of a game that is over: all hands are open."""
    cards = cards_for([kind for hand in view.hands for kind in hand or ()])
    assert cards is not None
    rest = iter(cards)
    hands = [sum([BITS[next(rest)] for _ in hand or ()]) for hand in view.hands]
    places = standing(hands, score(hands, view.dice), view.setup.final_tie).places
    return tuple([(place == 1) / places.count(1) for place in places])


def _shares(view: BibliosView, heat: float, gold: float) -> tuple[float, ...]:
    assert view.me is not None
    judge = Judge(view)
    chances = [judge.chance(category) for category in range(5)]
    mine = sum(die * chance for die, chance in zip(view.dice, chances, strict=True))
    rest = (sum(view.dice) - mine) / len(judge.rivals)
    mine += gold * judge.gold_worth * (judge.my_gold - sum(judge.seen_gold) / len(judge.rivals))
    weights = [exp((mine if seat == view.me else rest) / heat) for seat in range(view.setup.seats)]
    return tuple([weight / sum(weights) for weight in weights])
