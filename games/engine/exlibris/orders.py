"""Standing orders: answers at the Auction House and of the Sasquatch that a player has given beforehand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.engine.core import BadOrder, Move, Order, View, quoted
from games.engine.exlibris.cards import CARD
from games.engine.exlibris.frames import PAY_BID, TAKE_BACK
from games.engine.exlibris.notation import DISCARD, PASS
from games.engine.exlibris.options import LAST_ROUND
from games.engine.exlibris.tiles import BIDS
from games.engine.exlibris.view import ExLibrisView

PAY, STAY = ORDER_KINDS = ("pay", "stay")
"""`pay 7 A3 B2`: in round 7, discard these hand cards for a bid of two; `pay 7`: decline any bid. `stay 7`: in round 7
the Sasquatch stays where it is, whoever comes."""
ROUND = re.compile(r"[1-9][0-9]?", re.ASCII)


def order_of(kind: str, value: str) -> Order:
    """The order that a kind and a value say. Raises BadOrder."""
    number, *labels = value.split(" ")
    in_a_round = bool(ROUND.fullmatch(number)) and int(number) <= LAST_ROUND
    cards = set(labels) <= CARD.keys() and len(set(labels)) == len(labels) <= max(BIDS)
    if in_a_round and cards and (kind == PAY or (kind == STAY and not labels)):
        return Order(kind, value)
    raise BadOrder(
        f"{quoted(f'{kind} {value}')} is no order; expected “pay”, a round and up to four different cards, or “stay” "
        "and a round"
    )


def answer(view: View, orders: Iterable[Order]) -> Move | None:
    """What the orders say to the question of the Auction House, or of the Sasquatch; None if none applies.

    An order to pay applies to a bid of just as many cards, if all of them are still in the hand.
    """
    assert isinstance(view, ExLibrisView)
    if view.me != view.seat or view.question not in (PAY_BID, TAKE_BACK):
        return None
    value = dict(orders).get(PAY if view.question == PAY_BID else STAY)
    if value is None:
        return None
    number, *labels = value.split(" ")
    if int(number) != view.round:
        return None
    if not labels:
        return PASS if PASS in view.legal else None
    _question, _piece, paid, bid = view.stack[-1]
    cards = [CARD[label] for label in labels]
    if len(cards) != bid or any(card not in view.hand for card in cards[paid:]):
        return None
    return DISCARD + cards[paid]
