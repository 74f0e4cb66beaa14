"""What the special assistants do, one function each, in the order of the page (rules: Libraries and assistants)."""

from __future__ import annotations

from collections.abc import Callable

from games.engine.core import Move, Seat, put
from games.engine.exlibris.actions import discardable, hand_of, moves, throw_away
from games.engine.exlibris.cards import ANY, OF_CATEGORY
from games.engine.exlibris.frames import (
    AFTER,
    BEFORE,
    BURN,
    CHOOSE_NEW_CELL,
    DIG,
    DRAW,
    FACE_CUBE,
    GIVE,
    HOME_ACTIONS,
    MAY_MOVE,
    MAY_SHELVE,
    MAY_WORK_ON,
    MUST_DISCARD,
    NAME_BOOKS,
    OFFER_DRAW,
    OFFER_GOBLIN,
    OFFER_SHELVING,
    OFFER_WORK,
    REACTIONS,
    TAKE_BACK,
    answers,
    does,
    runs,
)
from games.engine.exlibris.libraries import AUT, CUB, GHO, GOB, GOL, IMP, SAS, SNO, WIZ, WRM
from games.engine.exlibris.notation import (
    ALLOW,
    BACK,
    DISCARD,
    DISCARD_PLACE,
    LOSE,
    MOVE,
    NAME,
    NOTHING,
    PASS,
    TAKE,
)
from games.engine.exlibris.notation import GIVE as GIVE_MOVE
from games.engine.exlibris.shelf import movable
from games.engine.exlibris.tiles import DIVINERS_HUT, TILES
from games.engine.exlibris.zones import READY, Zones

NEWEST_FOR_GOLEM = 3
MOST_BURNT = 2
CATEGORY_MOVES = tuple(range(NAME, NAME + 6))


# Goblin Sneak


def goblin_sneak(state: Zones, piece: int, tile: int) -> None:
    """For each opponent there with a hand card he may name a category: they give him a card with it, or show their
    hand."""
    state.do((OFFER_GOBLIN, piece, tile, 0))


@runs(OFFER_GOBLIN)
def offer_goblin(state: Zones, piece: int, tile: int, index: int) -> None:
    opponents = state.setup.after[piece >> 1]
    if index < len(opponents):
        state.do((OFFER_GOBLIN, piece, tile, index + 1))
        victim = opponents[index]
        if state.hands[victim] and state.on(tile, victim):
            state.do((NAME_BOOKS, piece, victim))


@answers(NAME_BOOKS)
def category_or_pass(state: Zones, piece: int, victim: Seat) -> tuple[Move, ...]:
    return (PASS, *CATEGORY_MOVES)


@does(NAME_BOOKS)
def name_books(state: Zones, move: Move, piece: int, victim: Seat) -> None:
    if move != PASS:
        state.do((GIVE, 2 * victim, piece, move - NAME))


@answers(GIVE)
def gifts(state: Zones, piece: int, goblin: int, category: int) -> tuple[Move, ...]:
    return moves(GIVE_MOVE, hand_of(state, piece) & OF_CATEGORY[category]) or (NOTHING,)


@does(GIVE)
def give(state: Zones, move: Move, piece: int, goblin: int, category: int) -> None:
    victim, thief = piece >> 1, goblin >> 1
    if move == NOTHING:
        hand = state.hands[victim]
        state.knows = put(state.knows, thief, state.knows[thief] | hand)
        state.lacks = put(state.lacks, victim, put(state.lacks[victim], category, hand.bit_count()))
    else:
        card = move - GIVE_MOVE
        state.leave_hand(victim, card)
        state.take(thief, card)
        state.do((MAY_SHELVE, goblin, card, 0))


# Automaton


def automaton(state: Zones, piece: int, tile: int) -> None:
    """One home action for each other assistant of its player already there."""
    state.do((HOME_ACTIONS, piece, state.on(tile, piece >> 1) - 1))


def automaton_at_home(state: Zones, piece: int) -> None:
    """The same in the own library, before its own home action."""
    state.do((HOME_ACTIONS, piece, state.at_home[piece >> 1] + 1))


# Mummy: see `actions.tombs`


# Gelatinous Cube


def gelatinous_cube(state: Zones, visitor: int, tile: int, owner: Seat) -> None:
    """An opponent who visits its location loses a random hand card to its owner, or lets them do both home actions."""
    state.do((FACE_CUBE, visitor, owner))


@answers(FACE_CUBE)
def lose_or_allow(state: Zones, piece: int, owner: Seat) -> tuple[Move, ...]:
    return (LOSE, ALLOW) if hand_of(state, piece) else (ALLOW,)


@does(FACE_CUBE)
def face_cube(state: Zones, move: Move, piece: int, owner: Seat) -> None:
    if move == LOSE:
        state.steal(piece >> 1, owner)
    else:
        both_home_actions(state, 2 * owner + 1)


def both_home_actions(state: Zones, piece: int) -> None:
    """Draw 1, then shelve 1, each optional."""
    state.do((OFFER_DRAW, piece), (OFFER_SHELVING, piece, ANY, 0))


# Sasquatch


def sasquatch(state: Zones, visitor: int, tile: int, owner: Seat) -> None:
    """Its owner may take it back when an opponent visits its location."""
    state.do((TAKE_BACK, 2 * owner + 1, tile))


def sasquatch_visits(state: Zones, seat: Seat, tile: int) -> bool:
    """Only locations without opposing assistants."""
    return len(state.guests[tile]) == state.on(tile, seat)


@answers(TAKE_BACK)
def back_or_pass(state: Zones, piece: int, tile: int) -> tuple[Move, ...]:
    return (PASS, BACK)


@does(TAKE_BACK)
def take_back(state: Zones, move: Move, piece: int, tile: int) -> None:
    if move == BACK:
        left = tuple([guest for guest in state.guests[tile] if guest & 7 != piece])
        state.guests = put(state.guests, tile, left)
        state.special = put(state.special, piece >> 1, READY)


# Bookworm


def bookworm(state: Zones, piece: int) -> None:
    """In the own library both home actions; then one more for a hand card."""
    state.do((OFFER_DRAW, piece), (OFFER_SHELVING, piece, ANY, 0), (OFFER_WORK, piece))


@runs(OFFER_WORK)
def offer_work(state: Zones, piece: int) -> None:
    if discardable(state, piece):
        state.do((MAY_WORK_ON, piece))


@answers(MAY_WORK_ON)
def discard_or_pass(state: Zones, piece: int) -> tuple[Move, ...]:
    return (PASS, *moves(DISCARD, discardable(state, piece)))


@does(MAY_WORK_ON)
def may_work_on(state: Zones, move: Move, piece: int) -> None:
    if move != PASS:
        throw_away(state, piece >> 1, move - DISCARD)
        state.do((HOME_ACTIONS, piece, 1))


# Snowman


def snowman_keeps_out(state: Zones, tile: int) -> bool:
    """While it is on an instant tile, no other assistant may visit it."""
    return TILES[tile].instant and any(
        guest & 1 and state.libraries[guest >> 1 & 3] == SNO for guest in state.guests[tile]
    )


# Fire Imp


def fire_imp(state: Zones, piece: int, tile: int) -> None:
    """He may discard up to two of the cards there; then, if any, draw 1."""
    offer_burning(state, piece, tile, 0)


def offer_burning(state: Zones, piece: int, tile: int, burnt: int) -> None:
    if burnt < MOST_BURNT and state.on_tile(tile):
        state.do((BURN, piece, tile, burnt))
    elif burnt:
        state.do((DRAW, piece, 1))


@answers(BURN)
def cards_there_or_pass(state: Zones, piece: int, tile: int, burnt: int) -> tuple[Move, ...]:
    """Face-down cards are named by their places."""
    if TILES[tile].face_down:
        places = [place for place, card in enumerate(state.cards[tile], start=1) if card >= 0]
        return (PASS, *[DISCARD_PLACE + place for place in places])
    return (PASS, *[DISCARD + card for card in sorted(state.on_tile(tile))])


@does(BURN)
def burn(state: Zones, move: Move, piece: int, tile: int, burnt: int) -> None:
    if move == PASS:
        if burnt:
            state.do((DRAW, piece, 1))
        return
    card = state.cards[tile][move - DISCARD_PLACE - 1] if TILES[tile].face_down else move - DISCARD
    state.leave_tile(tile, card)
    state.discard += (card,)
    offer_burning(state, piece, tile, burnt + 1)


# Ghost


def ghost_visits(state: Zones, seat: Seat, tile: int) -> bool:
    """A tile without a free space too, if an opponent is there; never the Diviner's Hut."""
    return tile != DIVINERS_HUT and (
        len(state.guests[tile]) < state.setup.spaces[tile] or len(state.guests[tile]) > state.on(tile, seat)
    )


# Golem


def golem(state: Zones, piece: int) -> None:
    """He may take one of the three newest discards into hand; then he discards a hand card."""
    if state.discard:
        state.do((DIG, piece))


@answers(DIG)
def newest_or_pass(state: Zones, piece: int) -> tuple[Move, ...]:
    return (PASS, *[TAKE + card for card in sorted(state.discard[-NEWEST_FOR_GOLEM:])])


@does(DIG)
def dig(state: Zones, move: Move, piece: int) -> None:
    if move != PASS:
        state.fetch(piece >> 1, move - TAKE)
        state.do((MUST_DISCARD, piece))


# Wizard


def wizard(state: Zones, piece: int) -> None:
    """He may move one of the shelved cards."""
    if movable(state.shelves[piece >> 1]):
        state.do((MAY_MOVE, piece))


@answers(MAY_MOVE)
def movable_or_pass(state: Zones, piece: int) -> tuple[Move, ...]:
    return (PASS, *[MOVE + card for card in sorted(movable(state.shelves[piece >> 1]))])


@does(MAY_MOVE)
def may_move(state: Zones, move: Move, piece: int) -> None:
    if move != PASS:
        state.do((CHOOSE_NEW_CELL, piece, move - MOVE))


# Witch: see `actions.draw`


# When they act

REACTS: dict[int, Callable[[Zones, int, int, Seat], None]] = {CUB: gelatinous_cube, SAS: sasquatch}
ACTS_BEFORE: dict[int, Callable[[Zones, int, int], None]] = {GOB: goblin_sneak, AUT: automaton, IMP: fire_imp}
ACTS_AFTER: dict[int, Callable[[Zones, int], None]] = {GOL: golem, WIZ: wizard}
ACTS_AT_HOME: dict[int, Callable[[Zones, int], None]] = {AUT: automaton_at_home, WRM: bookworm}


@runs(REACTIONS)
def reactions(state: Zones, piece: int, tile: int, index: int) -> None:
    """Opponents react clockwise, beginning on the left of the visitor."""
    opponents = state.setup.after[piece >> 1]
    if index < len(opponents):
        owner = opponents[index]
        state.do((REACTIONS, piece, tile, index + 1))
        if state.special[owner] == tile and state.libraries[owner] in REACTS:
            REACTS[state.libraries[owner]](state, piece, tile, owner)


@runs(BEFORE)
def before(state: Zones, piece: int, tile: int) -> None:
    """What a special visitor can do before the tile has its effect."""
    library = state.libraries[piece >> 1]
    if piece & 1 and library in ACTS_BEFORE:
        ACTS_BEFORE[library](state, piece, tile)


@runs(AFTER)
def after(state: Zones, piece: int) -> None:
    """What a special visitor can do after it."""
    library = state.libraries[piece >> 1]
    if piece & 1 and library in ACTS_AFTER:
        ACTS_AFTER[library](state, piece)


def at_home(state: Zones, piece: int) -> None:
    """What an assistant does in the own library."""
    library = state.libraries[piece >> 1]
    if piece & 1 and library in ACTS_AT_HOME:
        ACTS_AT_HOME[library](state, piece)
    else:
        state.do((HOME_ACTIONS, piece, 1))


def may_visit(state: Zones, piece: int, tile: int) -> bool:
    """Whether an assistant may be sent to a tile; at the Auction House there must be a higher bid too."""
    seat = piece >> 1
    library = state.libraries[seat] if piece & 1 else -1
    if not state.guests[tile]:
        return (library, tile) != (GHO, DIVINERS_HUT)
    if snowman_keeps_out(state, tile) or (state.setup.solo and state.on(tile, seat)):
        return False
    if library == GHO:
        return ghost_visits(state, seat, tile)
    return len(state.guests[tile]) < state.setup.spaces[tile] and (
        library != SAS or sasquatch_visits(state, seat, tile)
    )
