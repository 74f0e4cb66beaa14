"""Which cards of a shelf to leave up: the increasing row that scores most, from what one player knows.

For the bot, and to advise people: which cards would be turned down now, what the shelf is worth then.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import add
from typing import NamedTuple

from games.engine.exlibris.cards import books_in, mask_of
from games.engine.exlibris.scoring import PROMINENT, Score, lines_of, shares
from games.engine.exlibris.shelf import Pile, Shelf, entombed, face_up, filled, stability
from games.engine.exlibris.view import ExLibrisView

Books = tuple[int, ...]


WIDTH = 6
"""How many rows with the same last card are followed up: on 150 shelves of games the best one was among them."""


def best_row(shelf: Shelf, worth: Callable[[Books], float]) -> list[int]:
    """The face-up cards to leave up, in reading order, so that no order check turns one down and `worth` is highest.

    `worth` is of the numbers of books by category. The row is the best or nearly so: all rows would take too long.
    """
    rows: dict[int, dict[Books, tuple[int, ...]]] = {-1: {(0,) * 6: ()}}
    """By last card, some rows that end with it, by their numbers of books."""
    worths: dict[Books, tuple[float, int]] = {(0,) * 6: (worth((0,) * 6), 0)}
    for pile in shelf:
        if not pile.up:
            continue
        books = books_in(1 << pile.card)
        longer = {
            tuple(map(add, numbers, books)): (*row, pile.card)
            for last, found in rows.items()
            if last < pile.card
            for numbers, row in found.items()
        }
        worths |= {numbers: (worth(numbers), sum(numbers)) for numbers in longer if numbers not in worths}
        promising = sorted(longer, key=worths.__getitem__, reverse=True)
        rows[pile.card] = {numbers: longer[numbers] for numbers in promising[:WIDTH]}
    return list(max([(worths[numbers][0], row) for found in rows.values() for numbers, row in found.items()])[1])


class Against(NamedTuple):
    """What decides about the worth of a shelf, beside the shelf."""

    prominent: int
    banned: int
    focus: int | None
    """None if the view does not know it."""
    others: tuple[int, ...]
    """The numbers of prominent books of the others as they lie; solo that of the public library."""
    solo: bool
    placed: bool
    """Whether one takes a place without a prominent book."""


def against(view: ExLibrisView, seat: int) -> Against:
    """The same for a seat, by what the others show now."""
    prominent, banned = view.prominent, view.banned
    assert prominent is not None and banned is not None
    rest = [mask_of(face_up(shelf)) for at, shelf in enumerate(view.shelves) if at != seat]
    others = tuple([books_in(cards)[prominent] for cards in ([mask_of(view.discard)] if view.setup.solo else rest)])
    return Against(prominent, banned, view.focus[seat], others, view.setup.solo, view.setup.place_without_books)


def worth_of(rules: Against) -> Callable[[Books], float]:
    """The sum of the lines but stability, by the numbers of books. The focus counts if it is known."""
    prominent, banned, focus, others, solo, placed = rules

    def worth(books: Books) -> float:
        if solo:
            first = PROMINENT[0] * (books[prominent] > others[0])
        else:
            first = shares([books[prominent], *others], placed)[0]
        lines = lines_of(books, stability=0, prominent=first, banned=banned, focus=0 if focus is None else focus)
        return sum(lines if focus is not None else lines[:4])

    return worth


def advised(view: ExLibrisView, seat: int, shelf: Shelf | None = None) -> tuple[list[int], Score]:
    """The row to leave up on the shelf of a seat, or another one, and what it scores as if the game ended now.

    The others are taken as they lie. Without the focus, if the view does not know it.
    """
    row, score = _advised(view.shelves[seat] if shelf is None else shelf, against(view, seat))
    return [*row], score


@lru_cache(maxsize=4000)  # a page asks for each cell where a card may lie, and is drawn again at each refusal
def _advised(shelf: Shelf, rules: Against) -> tuple[tuple[int, ...], Score]:
    worth = worth_of(rules)
    row = best_row(shelf, worth)
    books = books_in(mask_of(row))
    focus = rules.focus
    lines = lines_of(
        books,
        stability=stability(filled(shelf)) + 2 * entombed(shelf),
        prominent=0,
        banned=rules.banned,
        focus=0 if focus is None else focus,
    )
    own = 0 if focus is None else lines[4]
    first = round(worth(books) - lines[2] - lines[3] - own)
    return tuple(row), Score((lines[0], first, lines[2], lines[3], own), books)


def with_card(shelf: Shelf, card: int, cell: int) -> Shelf:
    """The shelf with a card in a free cell."""
    return tuple(sorted([*shelf, Pile(cell, card, -1, True)]))
