"""What one seat, or a watcher, may know of a position (rules: What is known to whom)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.engine.core import Move, Seat, View
from games.engine.exlibris.cards import ALL, HIDDEN, NONE, STALE, cards_of
from games.engine.exlibris.frames import CLEAR, MAY_SHELVE, Frame
from games.engine.exlibris.options import Setup
from games.engine.exlibris.shelf import Shelf
from games.engine.exlibris.tiles import SEALED_ARCHIVE
from games.engine.exlibris.zones import Zones

Cards = tuple[int, ...]


@dataclass(frozen=True)
class ExLibrisView(View):
    """A position as `me` knows it."""

    me: Seat | None
    setup: Setup
    stack: tuple[Frame, ...]
    """What is asked, last, and what waits behind it: see `frames`. HIDDEN for a card in it that only another knows."""
    seat: Seat | None
    legal: tuple[Move, ...]

    round: int
    """From 1; 0 until all libraries are chosen."""
    marker: Seat
    """Who has the first-player marker."""
    last: bool
    """Whether this round is the last."""
    prominent: int | None
    """A category; None until all libraries are chosen."""
    banned: int | None
    focus: tuple[int | None, ...]
    """By seat, and solo then of the public library; None where hidden."""
    spare: Cards
    """Solo: the categories shown that are nobody's focus."""

    dealt: tuple[Cards | None, ...]
    """By seat the two libraries dealt; None where hidden, empty with basic libraries."""
    libraries: tuple[int, ...]
    """By seat; NO_LIBRARY where none has been chosen."""
    ready: tuple[int, ...]
    """By seat, the standard assistants that can be placed."""
    special: tuple[int, ...]
    """By seat, where the special assistant is: see `zones.READY`."""
    at_home: tuple[int, ...]
    """By seat, the standard assistants in the own library."""
    tiles: Cards
    """The tiles in play, ascending."""
    came: Cards
    """Those of them that came this round."""
    tiles_to_come: int
    """The number of tiles in the stack."""
    tiles_gone: Cards
    """The discarded tiles, the newest last."""
    guests: tuple[Cards, ...]
    """By tile, the pieces there in the order of arrival: see `zones.Zones.guests`."""
    cards: tuple[Cards, ...]
    """By tile, the cards there by place: NONE where one has gone, HIDDEN or STALE for one that I do not know."""
    peeked: Cards
    """By place of the Sealed Archive, the seats that looked there, as a set."""

    hands: tuple[Cards, ...]
    """By seat, the hand cards that I know, by rank."""
    open: tuple[Cards, ...]
    """By seat, the hand cards that everybody saw go there."""
    counts: tuple[int, ...]
    """By seat, the number of hand cards."""
    stale: tuple[int, ...]
    """By seat, how many of these are not cards of which the present deck was made."""
    lacks: tuple[Cards, ...]
    """By seat and category, how many hand cards at least have no book of it, as everybody knows."""
    shelves: tuple[Shelf, ...]
    turned: Cards
    """By seat, the cards turned down at the end, as a set; until all have answered 0 but for my own."""
    deck: int
    """The number of cards in the deck."""
    fresh: int
    """The cards of which the deck was made, as a set: they all were in the discard pile then, or it is the first."""
    discard: Cards
    """The discard pile, the newest last."""
    laid: Cards
    """The cards laid out at the Garage Sale."""

    def __hash__(self) -> int:
        # Few fields tell most views apart: all of them would take as long as making one.
        return hash((self.me, self.stack, self.counts, self.deck, self.guests))

    @property
    def question(self) -> int:
        """What is asked (see `frames`); -1 when the game is over."""
        return self.stack[-1][0] if self.stack else -1

    @property
    def hand(self) -> Cards:
        """The cards in my hand; none for a watcher."""
        return () if self.me is None else self.hands[self.me]

    @property
    def resolving(self) -> int | None:
        """The tile that is being resolved; None outside the resolution."""
        return next((frame[1] for frame in reversed(self.stack) if frame[0] == CLEAR), None)


@lru_cache(maxsize=10_000)  # who looks ahead sees the same hands again and again
def _listed(cards: int) -> Cards:
    return tuple(cards_of(cards))


def public_view(state: Zones) -> ExLibrisView:
    """What everybody may know of a position, and a watcher knows. When the game is over, all lies open."""
    setup, deal = state.setup, state.deal
    over = not state.stack
    knows = ALL if over else state.knows[-1]
    fresh = state.fresh
    chosen = over or state.round > 0
    spare = deal.categories[4 : 4 + state.round // 2] if setup.solo else ()
    hands = tuple([_listed(hand & knows) for hand in state.hands])
    return ExLibrisView.of(
        me=None,
        setup=setup,
        stack=_stack(state, knows),
        seat=state.seat,
        legal=(),
        round=state.round,
        marker=state.marker,
        last=state.last,
        prominent=deal.categories[0] if chosen else None,
        banned=deal.categories[1] if chosen else None,
        focus=deal.categories[2 : 2 + _focuses(setup)] if over else (None,) * _focuses(setup),
        spare=spare,
        dealt=deal.libraries if over else (None,) * len(deal.libraries),
        libraries=state.libraries,
        ready=state.ready,
        special=state.special,
        at_home=state.at_home,
        tiles=state.tiles,
        came=state.came,
        tiles_to_come=len(state.tiles_to_come),
        tiles_gone=state.tiles_gone,
        guests=state.guests,
        cards=_on_tiles(state, knows),
        peeked=state.peeked,
        hands=hands,
        open=hands,
        counts=tuple([hand.bit_count() for hand in state.hands]),
        stale=tuple([(hand & ~fresh).bit_count() for hand in state.hands]),
        lacks=state.lacks,
        shelves=state.shelves,
        turned=state.turned if over else (0,) * setup.seats,
        deck=len(state.deck) - state.drawn,
        fresh=fresh,
        discard=state.discard,
        laid=state.laid,
    )


def own_view(state: Zones, public: ExLibrisView, me: Seat) -> ExLibrisView:
    """What seat `me` may know: what everybody may (`public`), and more of what is named here."""
    if not state.stack:
        return public.with_(me=me)
    knows = state.knows[me]
    own: dict[str, Any] = {
        "me": me,
        "hands": tuple([_listed(hand & knows) for hand in state.hands]),
        "cards": _on_tiles(state, knows) if SEALED_ARCHIVE in state.tiles else public.cards,
        "stack": _stack(state, knows),
        "turned": _one(state.turned, me, 0),
    }
    if state.deal.libraries:
        own["dealt"] = _one(state.deal.libraries, me, None)
    if state.round:
        own["focus"] = _one(state.deal.categories[2 : 2 + _focuses(state.setup)], me, None)
    if me == state.seat:
        own["legal"] = state.legal()
    return public.with_(**own)


def open_view(state: Zones) -> ExLibrisView:
    """What all seats together know: their hands and focuses, what they looked at, and what they have turned down."""
    public = public_view(state)
    if not state.stack:
        return public
    knows = 0
    for known in state.knows:
        knows |= known
    seats = state.setup.seats
    focus = (*state.deal.categories[2 : 2 + seats], None)[: _focuses(state.setup)]
    return public.with_(
        hands=tuple([tuple(cards_of(hand)) for hand in state.hands]),
        cards=_on_tiles(state, knows),
        stack=_stack(state, knows),
        turned=state.turned,
        dealt=state.deal.libraries,
        focus=focus if state.round else public.focus,
    )


def _focuses(setup: Setup) -> int:
    """How many have a focus: the seats, solo the public library too."""
    return setup.seats + setup.solo


def _one(things: tuple[Any, ...], index: int, other: Any) -> tuple[Any, ...]:
    """One of these things, the others hidden."""
    return tuple([thing if at == index else other for at, thing in enumerate(things)])


def _on_tiles(state: Zones, knows: int) -> tuple[Cards, ...]:
    """The cards on tiles, as one who knows these sees them."""
    fresh = state.fresh
    return tuple(
        [
            tuple([card if card < 0 or knows >> card & 1 else HIDDEN if fresh >> card & 1 else STALE for card in cards])
            if cards
            else cards
            for cards in state.cards
        ]
    )


def _stack(state: Zones, knows: int) -> tuple[Frame, ...]:
    """The stack, as one who knows these cards sees it: only what was unsealed in the Archive is not seen by all."""
    stack = state.stack
    if stack and stack[-1][0] == MAY_SHELVE:
        question, piece, card, more = stack[-1]
        if card != NONE and not knows >> card & 1:
            return (*stack[:-1], (question, piece, HIDDEN, more))
    return stack
