"""The 152 cards and the books on them (rules: Components).

A card is its rank less one, 0 to 151; a set of cards is a bit mask. The list, `deck.csv`, is a reconstruction: the
printed one is not available.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

CATEGORIES = "CFHMRS"
"""Corrupted Codices, Fantastical Fiction, Historic Volumes, Monster Manuals, Reference Texts, Spells & Potions. As a
number: the place in this list."""

with (Path(__file__).parent / "deck.csv").open(newline="") as file:
    _ROWS = list(csv.DictReader(file))

SOURCE = "R"
"""Where the list comes from: see `tiles`."""
LABELS = tuple(row["letter"] + row["order"] for row in _ROWS)
"""The labels of the cards, by rank."""
CARD = {label: card for card, label in enumerate(LABELS)}
"""The card of a label."""
CARDS = len(LABELS)
ALL = (1 << CARDS) - 1

BOOKS = tuple(frozenset(map(CATEGORIES.index, row["categories"])) for row in _ROWS)
"""By card, the categories of its books."""
OF_CATEGORY = tuple(sum(1 << card for card in range(CARDS) if category in BOOKS[card]) for category in range(6))
"""By category, the cards with a book of it, as a set."""

NONE = -1
"""No card."""
ANY = -1
"""In a frame, any hand card rather than a certain one."""
HIDDEN = -2
"""A card that is there but not known to the viewer ..."""
STALE = -3
"""... and that, as everybody knows, is not one of those of which the present deck was made."""


def cards_of(mask: int) -> list[int]:
    """The cards of a set, by rank."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return cards


def mask_of(cards: Iterable[int]) -> int:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def labels_of(cards: Iterable[int]) -> list[str]:
    """The labels of cards, in the same order."""
    return [LABELS[card] for card in cards]


def books_in(mask: int) -> tuple[int, ...]:
    """The numbers of books on a set of cards, by category."""
    return tuple([(mask & cards).bit_count() for cards in OF_CATEGORY])
