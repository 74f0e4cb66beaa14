"""What one believes of hidden hands in the auctions: the mean and the spread over positions that a view allows."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from games.engine.biblios.cards import CHURCH, DECK, DISCARD, FORFEIT, GOLD, HIDDEN, VALUES, gold_in, totals_in
from games.engine.biblios.notation import BID, REFUSE
from games.engine.biblios.sample import Contradiction, sampler_of
from games.engine.biblios.view import BibliosView

SAMPLES = 12


class Belief(NamedTuple):
    """What came into a hand unseen less the category cards that left it unseen, as far as one may believe."""

    gold: float
    """With what was paid out of it since."""
    gold_spread: float
    """The variance."""
    totals: tuple[float, ...]
    """By category, the sum of the values."""
    spreads: tuple[float, ...]
    """By category, its variance."""


NOTHING = Belief(0.0, 0.0, (0.0,) * 5, (0.0,) * 5)


def beliefs(view: BibliosView) -> tuple[Belief, ...] | None:
    """By seat, what is believed of the hands in the auctions; nothing of the hand of who looks on.

    The same until the next card is turned up: what is bid for a card weighs only when it has been sold. The same view
    gives the same beliefs. None if the view contradicts every position, as it may where a game was dealt again.
    """
    lot = len(view.lots) - 1
    bids = view.bids
    while bids and bids[-1][0] == lot and bids[-1][2] != REFUSE:
        bids = bids[:-1]
    asked = view.active if view.me is None else view.me
    calm = view.with_(
        question=BID, seat=asked, legal=(), high=0, bidder=-1, out=view.banned, bids=bids, due=0, bound=0, die=-1
    )
    try:
        return _beliefs(calm)
    except Contradiction:
        return None


@lru_cache(maxsize=64)
def _beliefs(view: BibliosView) -> tuple[Belief, ...]:
    sampler = sampler_of(view)
    rng = Random(repr((view.flow, view.lots, view.me)))
    samples = [sampler.hands(rng) for _ in range(SAMPLES)]
    return tuple(
        [
            NOTHING if seat == view.me else _belief(view, seat, [hands[seat] for hands in samples])
            for seat in range(view.setup.seats)
        ]
    )


def _belief(view: BibliosView, seat: int, hands: list[int]) -> Belief:
    gold, gold_spread = _spread([gold_in(hand) for hand in hands])
    totals = [_spread(list(category)) for category in zip(*[totals_in(hand) for hand in hands], strict=True)]
    known = [0] * 5
    for source, target, kind in view.flow:
        if target == seat and source < 0 and source != DECK and kind != HIDDEN:
            if kind >= GOLD:
                gold -= VALUES[kind]
            else:
                known[kind // 9] += VALUES[kind]
        elif source == seat and target in (DISCARD, FORFEIT) and GOLD <= kind < CHURCH:
            gold += VALUES[kind]
    return Belief(
        gold,
        gold_spread,
        tuple([mean - seen for (mean, _), seen in zip(totals, known, strict=True)]),
        tuple([spread for _, spread in totals]),
    )


def _spread(numbers: list[int]) -> tuple[float, float]:
    """The mean and the variance."""
    number = len(numbers)
    mean = sum(numbers) / number
    return mean, sum([n * n for n in numbers]) / number - mean * mean
