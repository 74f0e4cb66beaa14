"""A position of Ex Libris: where all cards and assistants are, how they go from one place to another, how it is copied,
shown and scored."""

from __future__ import annotations

from typing import Any, Self

from games.engine.core import Move, Seat, State, put
from games.engine.exlibris.cards import ALL, BOOKS, LABELS, NONE, books_in, cards_of, labels_of, mask_of
from games.engine.exlibris.deal import Deal
from games.engine.exlibris.frames import SET_UP, TURN, Frame
from games.engine.exlibris.libraries import NO_LIBRARY, WIT
from games.engine.exlibris.notation import MOVE_TEXTS, TURNED
from games.engine.exlibris.options import SOLO_TILES_IN_PLAY, Setup
from games.engine.exlibris.scoring import Score, score, solo_score, standing
from games.engine.exlibris.shelf import Pile, Shelf, turned_down, with_pile
from games.engine.exlibris.tiles import DIVINERS_HUT, NUMBERS
from games.engine.ranking import Ranking

READY, OUT_OF_GAME = -1, -2
"""Where a special assistant can be, besides HOME and the tiles."""
NO_GUESTS: tuple[tuple[int, ...], ...] = ((),) * (len(NUMBERS) + 1)
WITHOUT: tuple[int, ...] = (0,) * 6


class Zones(State):
    """Ints and tuples only. Hands are sets of cards (see `cards`); a *piece* is twice the seat, plus 1 if special."""

    texts = MOVE_TEXTS
    __slots__ = (
        "at_home",
        "came",
        "cards",
        "chances",
        "deal",
        "deck",
        "discard",
        "drawn",
        "draws",
        "fresh",
        "guests",
        "hands",
        "knows",
        "lacks",
        "laid",
        "last",
        "libraries",
        "marker",
        "peeked",
        "ready",
        "round",
        "setup",
        "shelves",
        "special",
        "stack",
        "tiles",
        "tiles_gone",
        "tiles_to_come",
        "turned",
    )

    def __init__(self, setup: Setup, deal: Deal) -> None:
        seats = setup.seats
        self.setup = setup
        self.deal: Deal = deal
        self.stack: tuple[Frame, ...] = ((SET_UP,),)
        """What is asked or done next, last: see `frames`."""
        self.seat: Any = None  # Seat | None; Any spares the path of a move a check at every step
        self.draws = 0
        self.chances: Any = None
        """What chance decided since the start: (earlier, kind, details ...); None at the start."""
        self.round = 0
        """From 1; 0 until all libraries are chosen."""
        self.marker = deal.first
        """Who has the first-player marker."""
        self.last = False
        """Whether this round is the last."""

        self.libraries = (NO_LIBRARY,) * seats
        self.ready = (setup.assistants,) * seats
        """By seat, the standard assistants that can be placed."""
        self.special = (READY if setup.special else OUT_OF_GAME,) * seats
        """By seat, where the special assistant is: READY, HOME, a tile, or OUT_OF_GAME."""
        self.at_home = (0,) * seats
        """By seat, the standard assistants in the own library."""
        play = deal.tiles[:SOLO_TILES_IN_PLAY] if setup.solo else (DIVINERS_HUT,)
        self.tiles = tuple(sorted(play))
        """The tiles in play, ascending."""
        self.came = play
        """Those of them that came this round."""
        self.tiles_to_come = deal.tiles[len(play) :] if setup.solo else deal.tiles
        self.tiles_gone: tuple[int, ...] = ()
        """The discarded tiles, the newest last."""
        self.guests = NO_GUESTS
        """By tile, the pieces there in the order of arrival; at the Auction House plus eight times the bid."""
        self.cards = NO_GUESTS
        """By tile, the cards there by place; NONE where one has gone."""
        self.peeked: tuple[int, ...] = ()
        """By place of the Sealed Archive, the seats that looked there, as a set."""

        self.hands = (0,) * seats
        self.shelves: tuple[Shelf, ...] = ((),) * seats
        self.deck = deal.deck
        self.drawn = 0
        """How many cards of the deck have been drawn."""
        self.discard: tuple[int, ...] = ()
        """The discard pile, the newest last."""
        self.laid: tuple[int, ...] = ()
        """The cards laid out at the Garage Sale."""
        self.turned = (0,) * seats
        """By seat, the cards that a player has turned down at the end, as a set."""

        self.knows = (0,) * (seats + 1)
        """By seat, then for a watcher, the cards on tiles and in hands that they saw go there, as a set."""
        self.fresh = ALL
        """The cards of which the present deck was made."""
        self.lacks = (WITHOUT,) * seats
        """By seat and category, how many hand cards at least are known to all to have no book of it."""

    # The stack

    def do(self, *frames: Frame) -> None:
        """These frames come next, in this order, before all that waits."""
        self.stack += frames[::-1]

    @property
    def question(self) -> int:
        """What is asked (see `frames`); -1 when the game is over."""
        return self.stack[-1][0] if self.stack else -1

    # Cards go from one place to another

    @property
    def card_can_come(self) -> bool:
        """Whether a card comes when one is drawn or turned up."""
        return self.drawn < len(self.deck) or (bool(self.discard) and not self.setup.solo)

    def top(self) -> int:
        """The top card of the deck, taken off it; NONE if no card comes."""
        if self.drawn == len(self.deck):
            if not self.card_can_come:
                return NONE
            self._make_deck()
        card = self.deck[self.drawn]
        self.drawn += 1
        return card

    def _make_deck(self) -> None:
        """The discard pile is shuffled and is the new deck: its cards are forgotten by place, not by name."""
        self.fresh = mask_of(self.discard)
        self.deck = self.deal.new_deck(self._count("deck"), self.fresh)
        self.drawn = 0
        self.discard = ()
        self.knows = tuple([known & ~self.fresh for known in self.knows])
        self.note("deck", *self.deck)

    def next_tile(self) -> int:
        """The top tile of the stack, taken off it; 0 if none comes."""
        if not self.tiles_to_come:
            if not self.tiles_gone:
                return 0
            self.tiles_to_come = self.deal.new_tiles(self._count("tiles"), self.tiles_gone)
            self.tiles_gone = ()
            self.note("tiles", *self.tiles_to_come)
        tile = self.tiles_to_come[0]
        self.tiles_to_come = self.tiles_to_come[1:]
        return tile

    def steal(self, source: Seat, target: Seat) -> None:
        """A random hand card goes from one hand to another, openly."""
        card = self.deal.steal(self._count("steal"), self.hands[source])
        self.leave_hand(source, card)
        self.take(target, card)
        self.note("steal", source, target, card)

    def note(self, kind: str, *details: int) -> None:
        """Chance has decided something."""
        self.chances = (self.chances, kind, details)
        self.draws += 1

    def _count(self, kind: str) -> int:
        """How often chance has decided something of this kind."""
        count, chances = 0, self.chances
        while chances:
            count += chances[1] == kind
            chances = chances[0]
        return count

    def draw(self, piece: int, number: int) -> int:
        """Cards come into a hand unseen by others; the Witch draws one more. Returns how many came."""
        seat = piece >> 1
        for drawn in range(number + self.is_special(piece, WIT)):
            card = self.top()
            if card < 0:
                return drawn
            self.hands = put(self.hands, seat, self.hands[seat] | 1 << card)
            self.knows = put(self.knows, seat, self.knows[seat] | 1 << card)
        return number + self.is_special(piece, WIT)

    def take(self, seat: Seat, card: int) -> None:
        """A card comes into a hand, seen by all."""
        self.hands = put(self.hands, seat, self.hands[seat] | 1 << card)
        self.show(card)

    def show(self, card: int) -> None:
        """All see a card."""
        self.knows = tuple([known | 1 << card for known in self.knows])

    def leave_hand(self, seat: Seat, card: int) -> None:
        """A card leaves a hand; all see which."""
        self.hands = put(self.hands, seat, self.hands[seat] & ~(1 << card))
        lacks = self.lacks[seat]
        if lacks is not WITHOUT:
            fewer = tuple([max(0, n - (category not in BOOKS[card])) for category, n in enumerate(lacks)])
            self.lacks = put(self.lacks, seat, fewer if any(fewer) else WITHOUT)

    def throw(self, seat: Seat, card: int) -> None:
        """A hand card is discarded."""
        self.leave_hand(seat, card)
        self.discard += (card,)

    def fetch(self, seat: Seat, card: int) -> None:
        """A card of the discard pile comes into a hand."""
        self.discard = tuple([other for other in self.discard if other != card])
        self.take(seat, card)

    def on_tile(self, tile: int) -> list[int]:
        """The cards on a tile, in the order of their places."""
        return [card for card in self.cards[tile] if card >= 0]

    def leave_tile(self, tile: int, card: int) -> None:
        """A card leaves its place on a tile."""
        left = tuple([NONE if other == card else other for other in self.cards[tile]])
        self.cards = put(self.cards, tile, left)

    def shelve(self, seat: Seat, pile: Pile) -> None:
        """Cards lie in a cell of a shelf, in the place of those there."""
        self.shelves = put(self.shelves, seat, with_pile(self.shelves[seat], pile))

    # Assistants

    def is_special(self, piece: int, library: int) -> bool:
        """Whether a piece is the special assistant of a library."""
        return bool(piece & 1) and self.libraries[piece >> 1] == library

    def out(self, seat: Seat) -> int:
        """How many assistants of a seat are on tiles or in its library."""
        return self.setup.assistants - self.ready[seat] + (self.special[seat] >= 0)

    def has_ready(self, seat: Seat) -> bool:
        """Whether a seat has an assistant to place."""
        return self.ready[seat] > 0 or self.special[seat] == READY

    def on(self, tile: int, seat: Seat) -> int:
        """How many assistants of a seat are on a tile."""
        return sum((guest >> 1 & 3) == seat for guest in self.guests[tile])

    # The state of `core`

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.setup.options)

    def shown(self, move: Move) -> str:
        return TURNED if self.question == TURN else MOVE_TEXTS[move]

    @property
    def over(self) -> bool:
        return not self.stack

    @property
    def early(self) -> bool:
        """Whether the first round has not ended."""
        return self.round < 2

    def stop(self) -> None:
        self.stack, self.seat = (), None

    @property
    def prominent(self) -> int:
        return self.deal.categories[0]

    @property
    def banned(self) -> int:
        return self.deal.categories[1]

    def focus(self, seat: Seat) -> int:
        """The focus of a seat; solo: seat 1 is the public library."""
        return self.deal.categories[2 + seat]

    def final_shelves(self) -> tuple[Shelf, ...]:
        """The shelves after the order check, and after what the players have turned down."""
        ascending = self.setup.ascending
        return tuple(
            [
                turned_down(shelf, cards_of(down), ascending)
                for shelf, down in zip(self.shelves, self.turned, strict=True)
            ]
        )

    def score(self) -> tuple[Score, ...]:
        """By seat, and solo then for the public library, as if the game ended now."""
        shelves = self.final_shelves()
        focus = self.deal.categories[2:]
        if self.setup.solo:
            discard = mask_of(self.discard) | self.hands[0]
            return solo_score(shelves[0], discard, self.prominent, self.banned, focus)
        seats, place_without_books = self.setup.seats, self.setup.place_without_books
        return score(shelves, self.prominent, self.banned, focus[:seats], place_without_books)

    def scores(self) -> tuple[int, ...]:
        return tuple([score.points for score in self.score()][: self.setup.seats])

    def books_in_hands(self) -> tuple[int, ...]:
        """By seat the number of books on hand cards; solo 0, as the hand goes to the public library."""
        return (0,) if self.setup.solo else tuple([sum(books_in(hand)) for hand in self.hands])

    def standing(self) -> Ranking:
        """The final order, with the steps that decided it, as if the game ended now."""
        scores = self.score()
        if self.setup.solo:
            return Ranking((1 if scores[0].points > scores[1].points else 2,), ())
        return standing(scores, self.books_in_hands(), self.banned)

    def places(self) -> tuple[int, ...]:
        return self.standing().places

    def chance_since(self, draws: int) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        chances = self.chances
        for _ in range(self.draws - draws):
            chances, kind, details = chances
            if kind == "deck":
                entries.append({"chance": "deck", "cards": labels_of(details)})
            elif kind == "tiles":
                entries.append({"chance": "tiles", "tiles": list(details)})
            else:
                source, target, card = details
                entries.append({"chance": "steal", "from": source, "to": target, "card": LABELS[card]})
        return entries[::-1]

    def key(self) -> tuple[Any, ...]:
        skipped = ("deal", "deck", "drawn", "setup")
        state = [getattr(self, name) for name in Zones.__slots__ if name not in skipped]
        deal = self.deal
        return (
            self.seat,
            *state,
            self.deck[self.drawn :],
            deal.libraries,
            deal.categories,
            *self.setup.options.items(),
        )

    def copy(self) -> Self:
        new = object.__new__(self.__class__)
        new.setup = self.setup
        new.deal = self.deal
        new.stack = self.stack
        new.seat = self.seat
        new.draws = self.draws
        new.chances = self.chances
        new.round = self.round
        new.marker = self.marker
        new.last = self.last
        new.libraries = self.libraries
        new.ready = self.ready
        new.special = self.special
        new.at_home = self.at_home
        new.tiles = self.tiles
        new.came = self.came
        new.tiles_to_come = self.tiles_to_come
        new.tiles_gone = self.tiles_gone
        new.guests = self.guests
        new.cards = self.cards
        new.peeked = self.peeked
        new.hands = self.hands
        new.shelves = self.shelves
        new.deck = self.deck
        new.drawn = self.drawn
        new.discard = self.discard
        new.laid = self.laid
        new.turned = self.turned
        new.knows = self.knows
        new.fresh = self.fresh
        new.lacks = self.lacks
        return new
