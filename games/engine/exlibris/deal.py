"""What chance decides in a match (rules: Set-up, The game record)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from games.engine import chance
from games.engine.core import BadRecord, Seat, quoted
from games.engine.exlibris.cards import CARD, CARDS, CATEGORIES, cards_of, labels_of, mask_of
from games.engine.exlibris.options import Setup
from games.engine.exlibris.tiles import NUMBERS

HAND = 6
"""The number of cards dealt to each hand."""


class Deal:
    """A deal; what chance decides later follows from its seed, if it has one.

    Streams: "first" (a number below the number of seats), "libraries", "categories", "tiles", "deck" (each all there
    are, shuffled), and for what happens later "deck 0", "deck 1" ... (all cards, shuffled: the new deck is in this
    order), "tiles 0" ... (all numbers of tiles, likewise), "steal 0" ... (see `steal`). So what one table does never
    changes what chance does to another with the same seed (duplicate play).
    """

    __slots__ = ("categories", "deck", "first", "libraries", "seed", "tiles")

    def __init__(
        self,
        seed: bytes,
        first: Seat,
        libraries: tuple[tuple[int, ...], ...],
        categories: tuple[int, ...],
        tiles: tuple[int, ...],
        deck: tuple[int, ...],
    ) -> None:
        self.seed = seed
        self.first = first
        self.libraries = libraries
        """By seat the two dealt; empty with basic libraries."""
        self.categories = categories
        """Prominent, banned, the focus of each seat, the rest; solo: the public focus and two spare ones at the end."""
        self.tiles = tiles
        """The stack of tiles, the top first; solo: those in play first."""
        self.deck = deck
        """All cards: those dealt to each seat, then the deck from the top."""

    def new_deck(self, number: int, cards: int) -> tuple[int, ...]:
        """The deck made of a set of cards when a deck is made anew for the time of this number, from 0."""
        return tuple([c for c in chance.shuffled(self.seed, f"deck {number}", range(CARDS)) if cards >> c & 1])

    def new_tiles(self, number: int, tiles: Sequence[int]) -> tuple[int, ...]:
        """The stack made of these tiles when one is made anew for the time of this number, from 0."""
        return tuple([tile for tile in chance.shuffled(self.seed, f"tiles {number}", NUMBERS) if tile in tiles])

    def steal(self, number: int, hand: int) -> int:
        """The card of a hand (a set, not empty) that the Cube's theft of this number, from 0, takes.

        It is the first in the stream "steal <number>" of all bytes that name a card of the hand.
        """
        return next(byte for byte in chance.stream(self.seed, f"steal {number}") if hand >> byte & 1)


def seeded(setup: Setup, seed: bytes) -> Deal:
    """The deal that a seed gives. Raises ValueError unless it has 32 bytes: see `chance.mix`."""
    if len(seed) != chance.SECRET_BYTES:
        raise ValueError(f"the seed has {len(seed)} bytes; expected {chance.SECRET_BYTES}")
    libraries = chance.shuffled(seed, "libraries", setup.libraries)
    return Deal(
        seed,
        chance.below(setup.seats, chance.stream(seed, "first")),
        tuple(libraries[2 * seat : 2 * seat + 2] for seat in range(setup.seats)) if setup.special else (),
        chance.shuffled(seed, "categories", range(len(CATEGORIES))),
        chance.shuffled(seed, "tiles", setup.tiles),
        chance.shuffled(seed, "deck", range(CARDS)),
    )


class RecordedDeal(Deal):
    """A deal read from a record, without a seed: what chance decided later stands in its entries of chance."""

    __slots__ = ("entries",)

    def __init__(self, deal: Deal, entries: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(b"", deal.first, deal.libraries, deal.categories, deal.tiles, deal.deck)
        self.entries = tuple(entries)

    def new_deck(self, number: int, cards: int) -> tuple[int, ...]:
        """As in Deal. Raises BadRecord if the record does not say how these cards were shuffled."""
        labels = self._entry("deck", number, "the discard pile is shuffled").get("cards")
        if not _made_of(labels, labels_of(cards_of(cards))):
            held = " ".join(labels_of(cards_of(cards)))
            raise BadRecord(f"the new deck must be made of the discard pile, in any order: {held}")
        return tuple([CARD[label] for label in labels])

    def new_tiles(self, number: int, tiles: Sequence[int]) -> tuple[int, ...]:
        """As in Deal. Raises BadRecord if the record does not say how these tiles were shuffled."""
        numbers = self._entry("tiles", number, "the discarded tiles are shuffled").get("tiles")
        if not _made_of(numbers, sorted(tiles)):
            held = " ".join(map(str, sorted(tiles)))
            raise BadRecord(f"the new stack must be made of the discarded tiles, in any order: {held}")
        return tuple(numbers)

    def steal(self, number: int, hand: int) -> int:
        """As in Deal. Raises BadRecord if the record names no card that is in the hand."""
        label = self._entry("steal", number, "a random card is lost").get("card")
        if not isinstance(label, str) or not mask_of([CARD[label]] if label in CARD else []) & hand:
            held = " ".join(labels_of(cards_of(hand)))
            raise BadRecord(f"{quoted(label)} cannot be lost: the hand is {held}")
        return CARD[label]

    def _entry(self, kind: str, number: int, why: str) -> Mapping[str, Any]:
        found = [entry for entry in self.entries if entry["chance"] == kind]
        if number >= len(found):
            raise BadRecord(f"{why} here, but no entry of chance “{kind}” follows")
        return found[number]


def _made_of(found: Any, things: Sequence[Any]) -> TypeGuard[list[Any]]:
    """Whether something from a file is a list of just these things, in any order."""
    return (
        isinstance(found, list)
        and all(type(thing) is type(things[0]) for thing in found)
        and sorted(found) == sorted(things)
    )
