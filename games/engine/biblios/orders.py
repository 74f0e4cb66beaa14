"""Standing orders in the auctions: what a player has said beforehand that he will answer."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.biblios.cards import CHURCH, GOLD
from games.engine.biblios.notation import BID, PASS
from games.engine.biblios.view import BibliosView
from games.engine.core import Move, View


def answer(view: View, orders: Iterable[tuple[int | None, int]]) -> Move | None:
    """The bid or pass that the orders give, for the seat that is asked to bid; None if none applies.

    `(lot, limit)`: for the lot of this number, from 0, bid 1 more than the highest bid as long as that is within
    `limit`, then pass; limit 0 is a pass. `(None, 0)`: pass on all gold cards. An order for the lot goes first.
    """
    assert isinstance(view, BibliosView)
    if view.question != BID or view.me != view.seat:
        return None
    found = dict(orders)
    lot = len(view.lots) - 1
    limit = found.get(lot)
    if limit is None:
        assert view.card is not None
        return PASS if None in found and GOLD <= view.card < CHURCH else None
    bid = PASS + view.high + 1
    return bid if view.high < limit and bid in view.legal else PASS
