"""What the shelves are worth, and who has won (rules: Scoring, Solo)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.exlibris.cards import books_in, mask_of
from games.engine.exlibris.shelf import Shelf, entombed, face_up, filled, stability
from games.engine.ranking import Ranking, rank

PROMINENT = (15, 9, 4, 0)
"""By place, for the most books of the prominent category."""
LINES = ("stability", "prominent", "banned", "variety", "focus")


class Score(NamedTuple):
    """The worth of what one player, or the public library, has."""

    lines: tuple[int, ...]
    """In the order of LINES."""
    books: tuple[int, ...]
    """By category, face up."""

    @property
    def points(self) -> int:
        """The sum of the lines."""
        return sum(self.lines)


def shares(books: Sequence[int], place_without_books: bool = False) -> tuple[int, ...]:
    """The points for numbers of prominent books: equal numbers share what their places bring, rounded up each."""
    order = sorted(books, reverse=True)
    points = []
    for number in books:
        first, equal = order.index(number), order.count(number)
        placed = number or place_without_books
        points.append(-(-sum(PROMINENT[first : first + equal]) // equal) if placed else 0)
    return tuple(points)


def lines_of(books: tuple[int, ...], *, stability: int, prominent: int, banned: int, focus: int) -> tuple[int, ...]:
    """The five lines; `stability` and `prominent` in points, the other two are categories."""
    scarcest = min(books[:banned] + books[banned + 1 :])
    return (stability, prominent, -books[banned], 3 * scarcest, 2 * books[focus])


def score(
    shelves: Sequence[Shelf], prominent: int, banned: int, focus: Sequence[int], place_without_books: bool = False
) -> tuple[Score, ...]:
    """By seat what the shelves are worth, cards face down as they lie; with two and more players."""
    books = [books_in(mask_of(face_up(shelf))) for shelf in shelves]
    first = shares([numbers[prominent] for numbers in books], place_without_books)
    return tuple(
        Score(
            lines_of(numbers, stability=_stability(shelf), prominent=points, banned=banned, focus=own),
            numbers,
        )
        for shelf, numbers, points, own in zip(shelves, books, first, focus, strict=True)
    )


def solo_score(shelf: Shelf, discard: int, prominent: int, banned: int, focus: Sequence[int]) -> tuple[Score, Score]:
    """What the shelf of a player alone is worth, and the public library: all cards of the discard pile (a set).

    `focus`: that of the player and that of the public library. A tie of prominent books is the library's.
    """
    mine, public = books_in(mask_of(face_up(shelf))), books_in(discard)
    lead = PROMINENT[0] * (mine[prominent] > public[prominent])
    return (
        Score(lines_of(mine, stability=_stability(shelf), prominent=lead, banned=banned, focus=focus[0]), mine),
        Score(lines_of(public, stability=0, prominent=PROMINENT[0] - lead, banned=banned, focus=focus[1]), public),
    )


def _stability(shelf: Shelf) -> int:
    return stability(filled(shelf)) + 2 * entombed(shelf)


def standing(scores: Sequence[Score], hands: Sequence[int], banned: int) -> Ranking:
    """Rank all seats by points, each further step only among those still tied; `hands`: the books in each hand."""
    steps = (
        ("points", [score.points for score in scores]),
        ("books", [sum(score.books) for score in scores]),
        ("hand", [-books for books in hands]),
        ("banned", [-score.books[banned] for score in scores]),
    )
    return rank(len(scores), steps)
