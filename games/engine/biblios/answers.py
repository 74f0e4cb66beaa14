"""Which answers to a question are worth comparing, by what greedy thinks of them at first sight."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from games.engine.biblios.greedy import SORT, Judge
from games.engine.biblios.notation import (
    BID,
    DIE,
    NO_DIE,
    PASS,
    PAY,
    PAY_CARDS,
    REFUSE,
    SECOND_DIE,
    TAKE,
    TAKE_GIFT,
)
from games.engine.biblios.view import BibliosView
from games.engine.core import Move

MOST = 6
PAYMENTS = 3
"""Of so many payments in cards it is asked which is the best."""


def candidates(view: BibliosView) -> tuple[Move, ...]:
    """The legal answers worth comparing, at most 6: first that of greedy, and whatever is left out is much like one
    of them, or plainly worse."""
    legal = view.legal
    if len(legal) < 2:
        return legal
    judge = Judge(view)
    if view.question == BID:
        found = _bids(judge, view)
    elif view.question == PAY_CARDS:
        found = _payments(judge, view)
    elif view.question in (DIE, SECOND_DIE):
        found = _dice(judge, view)
    elif view.question == TAKE_GIFT:
        found = _distinct(legal, TAKE)
    else:
        found = [move for move in legal if move != REFUSE]
    first = judge.answer()
    return tuple([first, *[move for move in found if move != first]][:MOST])


def _distinct(moves: Sequence[Move], first: Move) -> list[Move]:
    """Of cards that differ only in the letter the one with the earliest."""
    found: dict[int, Move] = {}
    for move in moves:
        found.setdefault(SORT[move - first], move)
    return list(found.values())


def _bids(judge: Judge, view: BibliosView) -> list[Move]:
    """To pass, and the next bid, if it can be paid; where there is no change for it, the bid that costs no more.

    A higher bid costs more and wins no more: those who go on to bid do so whatever the bids before.
    """
    bid = view.high + 1
    price, cost = judge.price(bid)
    if cost == inf:
        return [PASS]
    return [PASS, PASS + bid, *([PASS + price] if bid < price <= view.legal[-1] - PASS else [])]


def _payments(judge: Judge, view: BibliosView) -> list[Move]:
    """The first cards of the cheapest payments that differ in it."""
    cards = [kind for kind in view.hand if kind >= view.bound]
    costs: dict[Move, float] = {}
    for move in view.legal:
        if move != REFUSE:
            kind = move - PAY
            later = cards[cards.index(kind) + 1 :]
            cost = judge.cheapest([kind], 1)[1] + judge.cheapest(later, view.due - 1)[1]
            costs[move] = cost
    return sorted(costs, key=costs.__getitem__)[:PAYMENTS]


def _dice(judge: Judge, view: BibliosView) -> list[Move]:
    """The dice that gain most, and none where that is possible."""
    moves = sorted([move for move in view.legal if move != NO_DIE], key=judge.die_gain, reverse=True)
    return [*moves[: MOST - 2], *[NO_DIE for move in view.legal if move == NO_DIE]]
