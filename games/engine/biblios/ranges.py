"""What may stand in a position of Biblios that was read from a file."""

from __future__ import annotations

from games.engine.biblios.cards import CARDS, FIRST_CHURCH, FORFEIT
from games.engine.biblios.deal import Deal
from games.engine.biblios.notation import MAX_GOLD, MOVE_TEXTS, OVER
from games.engine.biblios.zones import Zones
from games.engine.core import BadRecord
from games.engine.ranges import check, different, either, fields, history, number, row, seed, subset


def check_position(state: Zones) -> None:
    """Raise BadRecord unless all zones, and the deal, hold what they may."""
    seats = state.setup.seats
    seat, cards, many = number(0, seats - 1), subset(CARDS), number(0, 1000)
    card = number(0, CARDS - 1)
    deal: Deal = state.deal
    check(
        {name: getattr(deal, name) for name in ("seed", "first", "removed", "deck")},
        {"seed": seed, "first": seat, "removed": different(card), "deck": row(number(-1, CARDS - 1))},
    )
    check(
        {name: getattr(state, name) for name in ("seat", *Zones.__slots__) if name not in ("deal", "setup")},
        {
            "seat": either(None, seat),
            "active": seat,
            "banned": subset(seats),
            "bidder": number(-1, seats - 1),
            "bids": row(fields(many, seat, number(0, len(MOVE_TEXTS) - 1))),
            "bound": number(-1, len(MOVE_TEXTS)),
            "buried": cards,
            "card": number(-1, CARDS - 1),
            "dice": row(number(1, 6), 5),
            "die": number(-1, 4),
            "discard": cards,
            "draws": many,
            "due": many,
            "flow": history(fields(*[number(FORFEIT, seats - 1)] * 2, number(-1, CARDS - 1), number(0, 31))),
            "given": cards,
            "hands": row(subset(FIRST_CHURCH), seats, list),
            "high": number(0, MAX_GOLD),
            "kept": cards,
            "out": subset(seats),
            "pile": different(card),
            "placed": number(0, CARDS),
            "question": number(0, OVER),
            "room": many,
            "sold": number(0, CARDS),
            "space": cards,
        },
    )
    if not different(card)(deal.deck[state.placed :]):
        raise BadRecord("the draw pile of the position is none")  # of what has been drawn, a seat may not know all
    if (state.seat is None) != (state.question == OVER):
        raise BadRecord("the position asks nobody, or somebody after the end")
