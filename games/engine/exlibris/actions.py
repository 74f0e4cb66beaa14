"""What many tiles and assistants share: draw, shelve, discard, move a shelved card (rules: Words, Shelving)."""

from __future__ import annotations

from games.engine.core import Move, put
from games.engine.exlibris.cards import ANY, cards_of, mask_of
from games.engine.exlibris.frames import (
    CHOOSE_CELL,
    CHOOSE_NEW_CELL,
    DRAW,
    HOME_ACTION,
    HOME_ACTIONS,
    MAY_DRAW,
    MAY_SHELVE,
    MUST_DISCARD,
    OFFER_DRAW,
    OFFER_SHELVING,
    answers,
    does,
    runs,
)
from games.engine.exlibris.libraries import MUM, WIT
from games.engine.exlibris.notation import AT, DISCARD, OVER, PASS, SHELVE, UNDER
from games.engine.exlibris.notation import DRAW as DRAW_MOVE
from games.engine.exlibris.shelf import (
    Pile,
    Shelf,
    cell_of,
    cells_for,
    cells_in,
    filled,
    free_cells,
    index_of,
    moved,
    pile_at,
    pile_of,
    removable,
    without,
)
from games.engine.exlibris.tiles import SMUGGLERS_CELLAR
from games.engine.exlibris.zones import Zones


def hand_of(state: Zones, piece: int) -> int:
    """The hand of the player of a piece, as a set."""
    return state.hands[piece >> 1]


def discardable(state: Zones, piece: int) -> int:
    """The cards that its player may discard where an effect says “a hand card”, as a set.

    With `discards=either` those of the shelf too that may be taken off.
    """
    hand = hand_of(state, piece)
    return hand | mask_of(removable(state.shelves[piece >> 1])) if state.setup.from_shelf else hand


def moves(kind: Move, cards: int) -> tuple[Move, ...]:
    """The moves of one kind with each card of a set."""
    return tuple([kind + card for card in cards_of(cards)])


# Draw


@runs(DRAW)
def draw(state: Zones, piece: int, number: int) -> None:
    """Draw cards; the Witch draws one more and then discards a hand card, if any came."""
    if state.draw(piece, number) and state.is_special(piece, WIT):
        state.do((MUST_DISCARD, piece))


@runs(OFFER_DRAW)
def offer_draw(state: Zones, piece: int) -> None:
    """The player may draw 1."""
    if state.card_can_come:
        state.do((MAY_DRAW, piece))


@answers(MAY_DRAW)
def draw_or_pass(state: Zones, piece: int) -> tuple[Move, ...]:
    return (PASS, DRAW_MOVE)


@does(MAY_DRAW)
def may_draw(state: Zones, move: Move, piece: int) -> None:
    if move == DRAW_MOVE:
        state.do((DRAW, piece, 1))


# Home actions


@runs(HOME_ACTIONS)
def home_actions(state: Zones, piece: int, number: int) -> None:
    """So many times: draw 1, or shelve 1 hand card, or neither."""
    if number and (state.card_can_come or hand_of(state, piece)):
        state.do((HOME_ACTION, piece), (HOME_ACTIONS, piece, number - 1))


@answers(HOME_ACTION)
def draw_or_shelve(state: Zones, piece: int) -> tuple[Move, ...]:
    first = (PASS, DRAW_MOVE) if state.card_can_come else (PASS,)
    return first + moves(SHELVE, hand_of(state, piece))


@does(HOME_ACTION)
def home_action(state: Zones, move: Move, piece: int) -> None:
    if move == DRAW_MOVE:
        state.do((DRAW, piece, 1))
    elif move != PASS:
        ask_cell(state, piece, move - SHELVE)


# Shelve


def ask_cell(state: Zones, piece: int, card: int) -> None:
    """A card will be shelved, as all know now; only its cell is open."""
    state.show(card)
    state.do((CHOOSE_CELL, piece, card))


@runs(OFFER_SHELVING)
def offer_shelving(state: Zones, piece: int, card: int, more: int) -> None:
    """The player may shelve a card, or ANY hand card; then up to so many more."""
    if hand_of(state, piece):
        state.do((MAY_SHELVE, piece, card, more))


@answers(MAY_SHELVE)
def shelve_or_pass(state: Zones, piece: int, card: int, more: int) -> tuple[Move, ...]:
    return (PASS, *(moves(SHELVE, hand_of(state, piece)) if card == ANY else (SHELVE + card,)))


@does(MAY_SHELVE)
def may_shelve(state: Zones, move: Move, piece: int, card: int, more: int) -> None:
    if move != PASS:
        if more:
            state.do((OFFER_SHELVING, piece, ANY, more - 1))
        ask_cell(state, piece, move - SHELVE)


@answers(CHOOSE_CELL)
def cells(state: Zones, piece: int, card: int) -> tuple[Move, ...]:
    """Where a card may lie; the Mummy may also entomb."""
    shelf = state.shelves[piece >> 1]
    free = tuple([AT + index_of(cell) for cell in cells_in(free_cells(filled(shelf)))])
    return free + tombs(shelf) if state.is_special(piece, MUM) else free


def tombs(shelf: Shelf) -> tuple[Move, ...]:
    """The Mummy puts a card over a cell, or face down under a face-up card; a cell never holds more than two."""
    single = [pile for pile in shelf if pile.under < 0]
    over = [OVER + index_of(pile.cell) for pile in single]
    return (*over, *[UNDER + index_of(pile.cell) for pile in single if pile.up])


@does(CHOOSE_CELL)
def choose_cell(state: Zones, move: Move, piece: int, card: int) -> None:
    seat = piece >> 1
    if state.hands[seat] >> card & 1:
        state.leave_hand(seat, card)
    else:
        state.leave_tile(SMUGGLERS_CELLAR, card)
    shelf = state.shelves[seat]
    if move >= UNDER:
        state.shelve(seat, pile_at(shelf, cell_of(move - UNDER))._replace(under=card))
    elif move >= OVER:
        cell = cell_of(move - OVER)
        state.shelve(seat, Pile(cell, card, pile_at(shelf, cell).card, True))
    else:
        state.shelve(seat, Pile(cell_of(move - AT), card, -1, True))


# Discard


@answers(MUST_DISCARD)
def cards_to_lose(state: Zones, piece: int) -> tuple[Move, ...]:
    return moves(DISCARD, discardable(state, piece))


@does(MUST_DISCARD)
def must_discard(state: Zones, move: Move, piece: int) -> None:
    throw_away(state, piece >> 1, move - DISCARD)


def throw_away(state: Zones, seat: int, card: int) -> None:
    """Discard a card, from hand or shelf."""
    if state.hands[seat] >> card & 1:
        state.throw(seat, card)
    else:
        state.shelves = put(state.shelves, seat, without(state.shelves[seat], card))
        state.discard += (card,)


# Move a shelved card


@answers(CHOOSE_NEW_CELL)
def new_cells(state: Zones, piece: int, card: int) -> tuple[Move, ...]:
    shelf = state.shelves[piece >> 1]
    free = cells_for(filled(shelf), pile_of(shelf, card).cell)
    return tuple([AT + index_of(cell) for cell in cells_in(free)])


@does(CHOOSE_NEW_CELL)
def choose_new_cell(state: Zones, move: Move, piece: int, card: int) -> None:
    seat = piece >> 1
    state.shelves = put(state.shelves, seat, moved(state.shelves[seat], card, cell_of(move - AT)))
