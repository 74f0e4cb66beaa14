"""The 87 cards (rules: Components).

A *card* is one of the 87 pieces, 0 to 86, and a set of cards a bit mask over them. A *kind* is what is printed on
it, 0 to 52, in the order of the card list (M P H S F by letter, G1 G2 G3, Church): players and records know kinds
only, for equal gold cards, and equal Church cards, cannot be told apart. For the 45 category cards the two agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

CATEGORIES = "MPHSF"
"""Monks, Pigments, Holy Books, Manuscripts, Forbidden Tomes: the order of the Scriptorium."""

LETTERS = "ABCDEFGHI"
_BY_LETTER = {"M": "222233344", "P": "222233344", "H": "111111122", "S": "111111122", "F": "111111122"}
_GOLD = {"G1": 11, "G2": 11, "G3": 11}
_CHURCH = {"C+": 2, "C-": 2, "C++": 2, "C--": 2, "C+-": 1}

_CATEGORY_TEXTS = [
    f"{c}{value}{letter}" for c in CATEGORIES for value, letter in zip(_BY_LETTER[c], LETTERS, strict=True)
]

TEXTS = (*_CATEGORY_TEXTS, *_GOLD, *_CHURCH)
"""How each kind is written."""
KINDS = {text: kind for kind, text in enumerate(TEXTS)}
"""The kind that a text writes."""

KIND = (
    *range(45),
    *(KINDS[text] for text, copies in {**_GOLD, **_CHURCH}.items() for _ in range(copies)),
)
"""The kind of each card."""
CARDS = len(KIND)
HIDDEN = -1
"""Stands for a kind that the viewer may not know."""

DECK, SPACE, PILE, DISCARD, BURIED, FORFEIT = range(-1, -7, -1)
"""Where a card comes from, or goes to, when it moves into or out of a hand (hands are 0 to 3): the draw pile, the
public space, the auction pile, paid face up, paid face down, discarded as a penalty."""
WATCHERS = 0b10000
EVERYBODY = 0b11111
"""Who saw a card move: one bit a seat, and bit 4 for those who watch."""

GOLD, CHURCH = KINDS["G1"], KINDS["C+"]
"""The first kind of gold, the first kind of Church card. Gold of value v has kind GOLD + v - 1."""
ONE_UP, ONE_DOWN, TWO_UP, TWO_DOWN, UP_OR_DOWN = range(CHURCH, CHURCH + 5)

VALUES = tuple(int(text[1]) if text[1].isdigit() else 0 for text in TEXTS)
"""The value of each kind; 0 for Church cards."""

BITS = tuple(1 << card for card in range(CARDS))
ALL = (1 << CARDS) - 1
OF_KIND = tuple(sum(BITS[card] for card in range(CARDS) if KIND[card] == kind) for kind in range(len(TEXTS)))
"""The set of all cards of each kind."""
FIRST = tuple(KIND.index(kind) for kind in range(len(TEXTS)))
"""The first card of each kind."""
FIRST_GOLD, FIRST_CHURCH = FIRST[GOLD], FIRST[CHURCH]
"""Cards below FIRST_GOLD are of a category, those from FIRST_CHURCH on are Church cards."""
OF_CATEGORY = tuple(0b111111111 << 9 * category for category in range(5))
"""The set of all cards of each category."""


def by_letters(first: int) -> list[list[tuple[int, ...]]]:
    """For each category and each set of its nine letters, as a mask, `first` + kind of each card, ascending."""
    return [
        [tuple([first + 9 * category + i for i in range(9) if letters >> i & 1]) for letters in range(512)]
        for category in range(5)
    ]


_KINDS = by_letters(0)
_SUMS = [[sum(VALUES[kind] for kind in kinds) for kinds in category] for category in _KINDS]
"""For each category and each set of its nine letters the sum of card values."""
GOLD_1, GOLD_2, GOLD_3 = OF_KIND[GOLD : GOLD + 3]
_GOLD_KINDS = [((kind,), OF_KIND[kind]) for kind in range(GOLD, GOLD + 3)]
_CHURCH_KINDS = [
    tuple([KIND[FIRST_CHURCH + i] for i in range(CARDS - FIRST_CHURCH) if cards >> i & 1])
    for cards in range(1 << (CARDS - FIRST_CHURCH))
]
"""For each set of the Church cards, their kinds."""


def cards_of(mask: int) -> list[int]:
    """The cards of a set, in ascending order."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return cards


@lru_cache(maxsize=4096)  # a move changes one or two of all sets
def kinds_of(mask: int) -> tuple[int, ...]:
    """The kinds of the cards of a set, in ascending order, repeated for equal cards."""
    if not mask:
        return ()
    kinds = in_categories(mask, _KINDS)
    if mask < BITS[FIRST_GOLD]:
        return kinds
    for kind, equal in _GOLD_KINDS:
        kinds += kind * (mask & equal).bit_count()
    return kinds + _CHURCH_KINDS[mask >> FIRST_CHURCH]


def in_categories(mask: int, table: list[list[tuple[int, ...]]]) -> tuple[int, ...]:
    """The entries of a table of `by_letters` for the category cards of a set."""
    monks, pigments, books, manuscripts, tomes = table
    return (
        monks[mask & 511]
        + pigments[mask >> 9 & 511]
        + books[mask >> 18 & 511]
        + manuscripts[mask >> 27 & 511]
        + tomes[mask >> 36 & 511]
    )


def texts_of(cards: Iterable[int]) -> list[str]:
    """Cards written out, in the order given."""
    return [TEXTS[KIND[card]] for card in cards]


def gold_in(mask: int) -> int:
    """The sum of the values of the gold cards of a set."""
    return (mask & GOLD_1).bit_count() + 2 * (mask & GOLD_2).bit_count() + 3 * (mask & GOLD_3).bit_count()


def totals_in(mask: int) -> tuple[int, ...]:
    """The sum of card values of a set in each category."""
    return tuple([sums[mask >> 9 * category & 0b111111111] for category, sums in enumerate(_SUMS)])


def best_letter(mask: int, category: int) -> int:
    """The index of the letter nearest to A that a set holds of a category; 9 if it holds none of it."""
    held = (mask & OF_CATEGORY[category]) >> 9 * category
    return (held & -held).bit_length() - 1 if held else 9
