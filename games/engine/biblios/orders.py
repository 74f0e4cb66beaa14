"""Standing orders in the auctions: answers that a player has given beforehand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.engine.biblios.cards import CHURCH, GOLD
from games.engine.biblios.notation import BID, PASS
from games.engine.biblios.view import BibliosView
from games.engine.core import BadOrder, Move, Order, View, quoted

BID_UP_TO, PASS_GOLD = ORDER_KINDS = ("bid", "gold")
"""`bid 3 7`: for the lot of number 3, from 0, bid 1 more than the highest bid as long as that is within 7, then pass;
a limit of 0 is a pass. `gold`: pass on all gold cards."""
LOT_AND_LIMIT = re.compile(r"(0|[1-9][0-9]{0,2}) (0|[1-9][0-9]{0,2})", re.ASCII)


def order_of(kind: str, value: str) -> Order:
    """The order that a kind and a value say. Raises BadOrder."""
    if kind == PASS_GOLD and not value:
        return Order(kind, value)
    if kind == BID_UP_TO and LOT_AND_LIMIT.fullmatch(value):
        return Order(kind, value)
    raise BadOrder(f"{quoted(f'{kind} {value}')} is no order; expected “bid”, a lot and a limit, or “gold”")


def answer(view: View, orders: Iterable[Order]) -> Move | None:
    """The bid or pass that the orders give, for the seat that is asked to bid; None if none applies.

    An order for the lot goes before one for all gold cards.
    """
    assert isinstance(view, BibliosView)
    if view.question != BID or view.me != view.seat:
        return None
    given = dict(orders)
    limit = limit_for(len(view.lots) - 1, given.get(BID_UP_TO))
    if limit is None:
        assert view.card is not None
        return PASS if PASS_GOLD in given and GOLD <= view.card < CHURCH else None
    bid = PASS + view.high + 1
    return bid if view.high < limit and bid in view.legal else PASS


def limit_for(lot: int, value: str | None) -> int | None:
    """Up to what a `bid` order of this value bids for a lot; None if it is about another one, or there is none."""
    if value is None:
        return None
    about, limit = map(int, value.split())
    return limit if about == lot else None
