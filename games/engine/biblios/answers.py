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
HOPE = 1.3
"""Bids are compared up to so much more than what greedy finds a card worth."""


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
    """To pass, the next bid that can be paid, the highest that the card may be worth, and one between them."""
    assert view.card is not None
    most = view.legal[-1] - PASS
    worth = HOPE * (judge.worth(view.card) + judge.harm(view.card))
    prices: list[int] = []
    for bid in range(view.high + 1, most + 1):
        cost = judge.price(bid)[1]
        if cost == inf:
            break
        if cost >= worth and prices:
            break
        prices.append(bid)
    chosen = sorted({prices[0], prices[len(prices) // 2], prices[-1]}) if prices else []
    return [PASS, *[PASS + bid for bid in chosen]]


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
