"""The rules of Ex Libris, in the order of the page: set-up, preparation, placement, resolution, clean-up, end.

A `Position` asks one small question at a time (rules: Decisions). What tiles and assistants do stands in `effects` and
`assistants`.
"""

from __future__ import annotations

from games.engine.core import Move, Seat, View, put
from games.engine.exlibris.assistants import at_home, may_visit
from games.engine.exlibris.cards import cards_of
from games.engine.exlibris.deal import HAND
from games.engine.exlibris.effects import EFFECTS, visit_sealed_archive
from games.engine.exlibris.frames import (
    AFTER,
    ANSWERS,
    ARRIVE,
    BEFORE,
    CHECK_ORDER,
    CHOOSE_LIBRARY,
    CLEAN_UP,
    CLEAR,
    DOES,
    DROP_TILE,
    EFFECT,
    FINISH,
    FORCIBLE,
    FURTHER,
    NEXT,
    OPEN_LODGE,
    PLACE,
    QUESTIONS,
    REACTIONS,
    REPEATED,
    RESOLVE,
    ROUND,
    RUNS,
    SET_UP,
    TURN,
    answers,
    does,
    runs,
)
from games.engine.exlibris.notation import DESTINATIONS, DOWN, DROP, HOME, KEEP, SEND, SPECIAL, UP
from games.engine.exlibris.shelf import face_up
from games.engine.exlibris.tiles import AUCTION_HOUSE, LIBRARY_LODGE, SEALED_ARCHIVE, TILES
from games.engine.exlibris.view import ExLibrisView, open_view, own_view, public_view
from games.engine.exlibris.zones import READY, Zones

TILES_DROPPED = 2
"""After each round of a solo game."""


class Position(Zones):
    """A position of Ex Libris, and how it goes on."""

    __slots__ = ()

    def legal(self) -> tuple[Move, ...]:
        if not self.stack:
            return ()
        question, *rest = self.stack[-1]
        return ANSWERS[question](self, *rest)

    def forced(self) -> Move | None:
        if self.question not in FORCIBLE:
            return None
        legal = self.legal()
        return legal[0] if len(legal) == 1 else None

    @property
    def same_answer(self) -> bool:
        """From a card to its cell, from one card of a bid to the next, and so on: see `frames.FURTHER`."""
        question = self.question
        return question in FURTHER or (question in REPEATED and self.stack[-1][2] > 0)

    def play(self, move: Move) -> None:
        question, *rest = self.stack[-1]
        self.stack = self.stack[:-1]
        DOES[question](self, move, *rest)
        self.go_on()

    def go_on(self) -> None:
        """Do what waits, up to the next question."""
        while self.stack:
            number, *rest = self.stack[-1]
            if number < len(QUESTIONS):
                self.seat = rest[0] >> 1
                return
            self.stack = self.stack[:-1]
            RUNS[number](self, *rest)
        self.seat = None

    def view(self, seat: Seat | None) -> ExLibrisView:
        public = public_view(self)
        return public if seat is None else own_view(self, public, seat)

    def own_view(self, public: View, seat: Seat) -> ExLibrisView:
        assert isinstance(public, ExLibrisView)
        return own_view(self, public, seat)

    def opened(self) -> ExLibrisView:
        return open_view(self)


# Set-up


@runs(SET_UP)
def set_up(state: Zones) -> None:
    """In reverse turn order, the first player last, each keeps one of two libraries; then the first round."""
    first = state.deal.first
    order = (*reversed(state.setup.after[first]), first)
    choices = [(CHOOSE_LIBRARY, 2 * seat) for seat in order] if state.setup.special else []
    state.do(*choices, (ROUND,))


@answers(CHOOSE_LIBRARY)
def libraries(state: Zones, piece: int) -> tuple[Move, ...]:
    return tuple(sorted([KEEP + library for library in state.deal.libraries[piece >> 1]]))


@does(CHOOSE_LIBRARY)
def choose_library(state: Zones, move: Move, piece: int) -> None:
    state.libraries = put(state.libraries, piece >> 1, move - KEEP)


def deal_hands(state: Zones) -> None:
    """Six cards go to each hand, the rest is the deck."""
    for seat in range(state.setup.seats):
        state.draw(2 * seat, HAND)


# Round: preparation


@runs(ROUND)
def prepare(state: Zones) -> None:
    """Tiles come, and cards to the tiles."""
    if not state.round:
        deal_hands(state)
    state.round += 1
    if not state.setup.solo:
        coming = state.setup.seats - (state.round == 1)
        came = [tile for tile in (state.next_tile() for _ in range(coming)) if tile]
        state.came = (*(state.came if state.round == 1 else ()), *came)
        state.tiles = tuple(sorted((*state.tiles, *came)))
    for _ in range(state.setup.difficulty):
        card = state.top()
        if card >= 0:
            state.discard += (card,)
    for tile in state.tiles:
        fill(state, tile)
    state.do((NEXT, state.marker), (RESOLVE, 0))


def fill(state: Zones, tile: int) -> None:
    """A tile gets its cards from the deck, face up or face down."""
    number = TILES[tile].cards
    if not number:
        return
    cards = tuple([state.top() for _ in range(number)])
    if not TILES[tile].face_down:
        for card in cards:
            if card >= 0:
                state.show(card)
    state.cards = put(state.cards, tile, cards)
    if tile == SEALED_ARCHIVE:
        state.peeked = (0,) * number


# Round: placement


@runs(NEXT)
def next_placement(state: Zones, seat: Seat) -> None:
    """Clockwise from this seat, the next with an assistant to place sends one."""
    for following in (seat, *state.setup.after[seat]):
        if state.has_ready(following):
            state.do((PLACE, 2 * following), (NEXT, (following + 1) % state.setup.seats))
            return


@answers(PLACE)
def destinations(state: Zones, piece: int) -> tuple[Move, ...]:
    seat = piece >> 1
    found: list[Move] = []
    if state.ready[seat]:
        found += _places(state, piece, SEND)
    if state.special[seat] == READY:
        found += _places(state, piece + 1, SPECIAL)
    return tuple(found)


def _places(state: Zones, piece: int, kind: Move) -> list[Move]:
    """Where an assistant may be sent, as moves of a kind."""
    open_tiles = {tile for tile in state.tiles if may_visit(state, piece, tile)}
    highest = max((guest >> 3 for guest in state.guests[AUCTION_HOUSE]), default=0)
    return [
        kind + index
        for index, (tile, bid) in enumerate(DESTINATIONS)
        if tile == HOME or (tile in open_tiles and (not bid or bid > highest))
    ]


@does(PLACE)
def place(state: Zones, move: Move, piece: int) -> None:
    """The assistant goes home, or visits a tile: reactions, abilities before, an instant effect, abilities after."""
    seat = piece >> 1
    special = move >= SPECIAL
    tile, bid = DESTINATIONS[move - (SPECIAL if special else SEND)]
    if special:
        piece += 1
        state.special = put(state.special, seat, tile)
    else:
        state.ready = put(state.ready, seat, state.ready[seat] - 1)
    if tile == HOME:
        at_home(state, piece)
        if not special:
            state.at_home = put(state.at_home, seat, state.at_home[seat] + 1)
        return
    state.guests = put(state.guests, tile, (*state.guests[tile], piece + 8 * bid))
    state.do((REACTIONS, piece, tile, 0), (BEFORE, piece, tile), (ARRIVE, piece, tile), (AFTER, piece))


@runs(ARRIVE)
def arrive(state: Zones, piece: int, tile: int) -> None:
    """An instant tile has its effect; of the delayed ones only the Archive lets look."""
    if TILES[tile].instant:
        EFFECTS[tile](state, piece, 0)
    elif tile == SEALED_ARCHIVE:
        visit_sealed_archive(state, piece)


# Round: resolution


@runs(RESOLVE)
def resolve(state: Zones, index: int) -> None:
    """Tile by tile a delayed tile has its effect for each assistant still there; then it is cleared."""
    if index == len(state.tiles):
        state.do((CLEAN_UP,))
        return
    tile = state.tiles[index]
    guests = state.guests[tile]
    frames = []
    if tile == AUCTION_HOUSE:
        frames = [(EFFECT, guest & 7, tile, guest >> 3) for guest in reversed(guests)]
    elif not TILES[tile].instant:
        frames = [(EFFECT, guest, tile, order) for order, guest in enumerate(guests)]
    opening = [(OPEN_LODGE,)] if tile == LIBRARY_LODGE else []
    state.do(*opening, *frames, (CLEAR, tile), (RESOLVE, index + 1))


@runs(EFFECT)
def effect(state: Zones, piece: int, tile: int, order: int) -> None:
    """A delayed tile has its effect for an assistant there."""
    EFFECTS[tile](state, piece, order)


@runs(CLEAR)
def clear(state: Zones, tile: int) -> None:
    """The cards left are discarded in the order of their places; the assistants go home."""
    state.discard += tuple(state.on_tile(tile))
    state.cards = put(state.cards, tile, ())
    for guest in state.guests[tile]:
        seat = guest >> 1 & 3
        if guest & 1:
            state.special = put(state.special, seat, READY)
        else:
            state.ready = put(state.ready, seat, state.ready[seat] + 1)
    state.guests = put(state.guests, tile, ())
    if tile == SEALED_ARCHIVE:
        state.peeked = ()


# Round: clean-up


@runs(CLEAN_UP)
def clean_up(state: Zones) -> None:
    """Tiles go, assistants come home; perhaps the next round is the last, or this one was."""
    setup = state.setup
    state.ready = (setup.assistants,) * setup.seats
    state.at_home = (0,) * setup.seats
    state.special = tuple([min(place, READY) for place in state.special])
    if state.last:
        state.do((FINISH,))
        return
    if setup.solo:
        state.do((DROP_TILE, 0, 0))
        return
    gone = tuple(sorted(state.came))[1:]
    state.tiles_gone += gone
    state.tiles = tuple([tile for tile in state.tiles if tile not in gone])
    state.came = ()
    state.last = state.round + 1 == setup.last_round or any(
        setup.counted(shelf) >= setup.cells for shelf in state.shelves
    )
    state.do((ROUND,))


@answers(DROP_TILE)
def droppable(state: Zones, piece: int, dropped: int) -> tuple[Move, ...]:
    return tuple([DROP + tile for tile in state.tiles])


@does(DROP_TILE)
def drop_tile(state: Zones, move: Move, piece: int, dropped: int) -> None:
    """Solo: two tiles go, then the next of those aside comes."""
    tile = move - DROP
    state.tiles = tuple([other for other in state.tiles if other != tile])
    state.tiles_gone += (tile,)
    if dropped + 1 < TILES_DROPPED:
        state.do((DROP_TILE, piece, dropped + 1))
        return
    state.came = state.tiles_to_come[:1]
    state.tiles_to_come = state.tiles_to_come[1:]
    state.tiles = tuple(sorted((*state.tiles, *state.came)))
    state.last = state.round + 1 == state.setup.last_round
    state.do((ROUND,))


# End


@runs(FINISH)
def finish(state: Zones) -> None:
    """For every face-up card, in reading order, each player says whether it is turned down, beginning with seat 0."""
    if state.setup.solo:
        for card in cards_of(state.hands[0]):
            state.throw(0, card)
    questions = [
        (TURN, 2 * seat, number, card)
        for seat, shelf in enumerate(state.shelves)
        for number, card in enumerate(face_up(shelf))
    ]
    state.do(*questions, (CHECK_ORDER,))


@answers(TURN)
def up_or_down(state: Zones, piece: int, number: int, card: int) -> tuple[Move, ...]:
    return (UP, DOWN)


@does(TURN)
def turn(state: Zones, move: Move, piece: int, number: int, card: int) -> None:
    if move == DOWN:
        state.turned = put(state.turned, piece >> 1, state.turned[piece >> 1] | 1 << card)


@runs(CHECK_ORDER)
def check_order(state: Zones) -> None:
    """Cards are turned down as the players said, then those out of order."""
    state.shelves = state.final_shelves()
