"""What may stand in a position of Ex Libris that was read from a file."""

from __future__ import annotations

from typing import Any

from games.engine.core import BadRecord
from games.engine.exlibris.cards import CARDS, CATEGORIES
from games.engine.exlibris.deal import Deal
from games.engine.exlibris.frames import DOES, RUNS
from games.engine.exlibris.libraries import LIBRARIES
from games.engine.exlibris.shelf import BOARD
from games.engine.exlibris.tiles import NUMBERS
from games.engine.exlibris.zones import Zones
from games.engine.ranges import check, different, fields, history, number, row, seed, subset

TILES = len(NUMBERS)
KINDS = ("deck", "tiles", "steal")
"""What chance decides."""


def check_position(state: Zones) -> None:
    """Raise BadRecord unless all zones, and the deal, hold what they may, and the rounds have an end."""
    setup, deal, seats = state.setup, state.deal, state.setup.seats
    seat, card, cards = number(0, seats - 1), number(0, CARDS - 1), subset(CARDS)
    tiles, place, few = different(number(1, TILES)), number(-1, CARDS - 1), number(-3, 2000)
    pile = fields(lambda cell: number(0, BOARD.bit_length())(cell) and bool(BOARD >> cell & 1), card, place, _is_truth)
    check_deal(deal, seats)
    check(
        {name: getattr(state, name) for name in ("seat", *Zones.__slots__) if name not in ("deal", "setup")},
        {
            "seat": lambda found: found is None if not state.stack else seat(found),
            "at_home": row(number(0, setup.assistants), seats),
            "came": tiles,
            "cards": row(row(place), TILES + 1),
            "chances": history(fields(KINDS.__contains__, row(number(0, CARDS)))),
            "deck": different(card),
            "discard": different(card),
            "drawn": lambda found: number(0, len(state.deck))(found),
            "draws": number(0, 1000),
            "fresh": cards,
            "guests": row(row(number(0, 2000)), TILES + 1),
            "hands": row(cards, seats),
            "knows": row(cards, seats + 1),
            "lacks": row(row(number(0, CARDS), len(CATEGORIES)), seats),
            "laid": different(card),
            "last": _is_truth,
            "libraries": row(number(-1, len(LIBRARIES) - 1), seats),
            "marker": seat,
            "peeked": row(subset(seats)),
            "ready": row(number(0, setup.assistants), seats),
            "round": number(0, setup.last_round),
            "shelves": row(row(pile), seats),
            "special": row(number(-2, TILES), seats),
            "stack": row(row(few)),
            "tiles": tiles,
            "tiles_gone": tiles,
            "tiles_to_come": tiles,
            "turned": row(cards, seats),
        },
    )
    if not all(frame and (frame[0] in DOES or frame[0] in RUNS) for frame in state.stack):
        raise BadRecord("the position waits for something that there is not")
    if state.stack and (len(state.stack[-1]) < 2 or state.stack[-1][1] >> 1 != state.seat):
        raise BadRecord("the position asks another seat than its question says")
    if state.round == setup.last_round and not state.last:
        raise BadRecord("the last round of the position is not the last")


def check_deal(deal: Deal, seats: int) -> None:
    """Raise BadRecord unless a deal holds what it may."""
    category = number(0, len(CATEGORIES) - 1)
    check(
        {name: getattr(deal, name) for name in ("seed", "first", "libraries", "categories", "tiles", "deck")},
        {
            "seed": seed,
            "first": number(0, seats - 1),
            "libraries": row(row(number(0, len(LIBRARIES) - 1))),
            "categories": different(category),
            "tiles": different(number(1, TILES)),
            "deck": different(number(0, CARDS - 1)),
        },
    )


def _is_truth(thing: Any) -> bool:
    return type(thing) is bool
