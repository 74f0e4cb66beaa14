"""What chance decides in a match (rules: Set-up, Auction phase, Penalty).

Each card has its place in the deck and in the auction from the start, and each penalty has a stream of its own, so
that what one table does never changes what chance does to another table with the same seed (duplicate play).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

from games.engine import chance
from games.engine.biblios.cards import (
    ALL,
    BITS,
    CARDS,
    FIRST,
    FIRST_CHURCH,
    GOLD,
    OF_KIND,
    TEXTS,
    cards_of,
    texts_of,
)
from games.engine.biblios.options import REMOVED_AT_RANDOM, REMOVED_OF_EACH_GOLD
from games.engine.core import BadRecord, Seat

BELOW_78 = bytes(byte % FIRST_CHURCH for byte in range(256))
SKIPPED = bytes(range(256 - 256 % FIRST_CHURCH, 256))
"""Rule 4 of `chance` for the 78 cards that a hand can hold, as the arguments of bytes.translate."""


class Deal:
    """A deal that follows from a seed.

    Streams: "first" (the first active player, a number below the number of seats), "deck" (all cards but the gold
    removed at set-up, in the order of the card list, shuffled: those to remove, then the draw pile from the top),
    "auction" (all 87 cards, shuffled: the pile is turned up in this order), "steal 0", "steal 1" ... (see `steal`).
    """

    __slots__ = ("_auction", "_steals", "deck", "first", "flows", "removed", "seed")

    def __init__(self, seed: bytes, first: Seat, removed: tuple[int, ...], deck: tuple[int, ...]) -> None:
        self.seed = seed
        self.first = first
        self.removed = removed
        """The cards removed at set-up, the fixed gold first."""
        self.deck = deck
        """The draw pile in the order drawn."""
        self._auction: tuple[int, ...] | None = None
        self._steals: dict[int, bytes] = {}
        self.flows: dict[int, tuple[Any, tuple[tuple[int, int, int], ...]]] = {}
        """By viewer, the moves of cards up to the last view, and what the viewer saw of them: see `view`."""

    def auction_order(self, cards: int) -> tuple[int, ...]:
        """A set of cards in the order in which the auction turns them up."""
        if self._auction is None:
            self._auction = chance.shuffled(self.seed, "auction", range(CARDS))
        return tuple([card for card in self._auction if cards >> card & 1])

    def steal(self, number: int, hand: int) -> int:
        """The card that the penalty draw of this number (from 0) takes from a hand (a set, not empty).

        Each card of the hand is equally likely: it is the one that the numbers below 78 of the stream
        "steal <number>" (see `chance`) name first. So it is the card with the lowest place in an order that is the
        same whatever else the hand holds.
        """
        names = self._steals.get(number)
        if names is None:
            names = self._steals[number] = self._names(number, 0) + self._names(number, 1)
        for card in names:
            if hand >> card & 1:
                return card
        if not hand & (hand - 1):
            return hand.bit_length() - 1  # every card is named sooner or later
        for index in count(2):
            for card in self._names(number, index):
                if hand >> card & 1:
                    return card
        raise AssertionError("unreachable: the stream never ends")

    def _names(self, number: int, index: int) -> bytes:
        """The cards that one block of the stream names."""
        return chance.block(self.seed, f"steal {number}", index).translate(BELOW_78, SKIPPED)


def seeded(seats: int, seed: bytes) -> Deal:
    """The deal that a seed gives to 2, 3 or 4 seats. Raises ValueError unless it has 32 bytes: see `chance.mix`."""
    if len(seed) != chance.SECRET_BYTES:
        raise ValueError(f"the seed has {len(seed)} bytes; expected {chance.SECRET_BYTES}")
    copies = REMOVED_OF_EACH_GOLD[seats]
    fixed = tuple(FIRST[kind] + copy for kind in range(GOLD, GOLD + 3) for copy in range(copies))
    order = chance.shuffled(seed, "deck", [card for card in range(CARDS) if card not in fixed])
    at_random = REMOVED_AT_RANDOM[seats]
    first = chance.below(seats, chance.stream(seed, "first"))
    return Deal(seed, first, fixed + order[:at_random], order[at_random:])


class SampledDeal(Deal):
    """A deal of a determinization, drawn with a pseudo-random generator for speed; not for play: names are reused."""

    __slots__ = ("_names_drawn",)

    def __init__(self, first: Seat, removed: tuple[int, ...], deck: tuple[int, ...], rng: Random) -> None:
        super().__init__(rng.randbytes(16), first, removed, deck)
        self._names_drawn = b""

    def auction_order(self, cards: int) -> tuple[int, ...]:
        if self._auction is None:
            self._auction = tuple(Random(self.seed).sample(range(CARDS), CARDS))
        return super().auction_order(cards)

    def _names(self, number: int, index: int) -> bytes:
        if not self._names_drawn:
            self._names_drawn = Random(self.seed + b"steal").randbytes(1 << 13).translate(BELOW_78, SKIPPED)
        start = (number * 5 + index) * 32 % len(self._names_drawn)
        return self._names_drawn[start : start + 32]


class RecordedDeal(Deal):
    """A deal read from a record, without a seed: the kinds of the auction and of the cards drawn in penalties."""

    __slots__ = ("kinds_drawn", "kinds_in_auction")

    def __init__(
        self,
        first: Seat,
        removed: tuple[int, ...],
        deck: tuple[int, ...],
        kinds_in_auction: Sequence[int],
        kinds_drawn: Sequence[int] = (),
    ) -> None:
        super().__init__(b"", first, removed, deck)
        self.kinds_in_auction = tuple(kinds_in_auction)
        self.kinds_drawn = tuple(kinds_drawn)

    def auction_order(self, cards: int) -> tuple[int, ...]:
        """As in Deal. Raises BadRecord if the record's auction pile is not made of these cards."""
        order = []
        rest = cards
        for kind in self.kinds_in_auction:
            equal = rest & OF_KIND[kind]
            if not equal:
                raise BadRecord(
                    f"auction has a {TEXTS[kind]} that was not put in the pile; "
                    f"expected {' '.join(texts_of(cards_of(cards)))}"
                )
            order.append((equal & -equal).bit_length() - 1)
            rest ^= equal & -equal
        if rest:
            raise BadRecord(f"auction lacks {' '.join(texts_of(cards_of(rest)))}, which was put in the pile")
        return tuple(order)

    def steal(self, number: int, hand: int) -> int:
        """As in Deal. Raises BadRecord if the record names no card that is in the hand."""
        if number >= len(self.kinds_drawn):
            raise BadRecord(f"a penalty draws a card here, but no entry of chance follows; {_held(hand)}")
        equal = hand & OF_KIND[self.kinds_drawn[number]]
        if not equal:
            raise BadRecord(f"a penalty cannot draw {TEXTS[self.kinds_drawn[number]]}, {_held(hand)}")
        return (equal & -equal).bit_length() - 1


def _held(hand: int) -> str:
    return f"the hand is {' '.join(texts_of(cards_of(hand)))}"


def cards_for(kinds: Sequence[int]) -> tuple[int, ...] | None:
    """Different cards of these kinds, in the same order; None if a kind has too few cards."""
    free = ALL
    cards = []
    for kind in kinds:
        equal = free & OF_KIND[kind]
        if not equal:
            return None
        card = (equal & -equal).bit_length() - 1
        free ^= BITS[card]
        cards.append(card)
    return tuple(cards)
