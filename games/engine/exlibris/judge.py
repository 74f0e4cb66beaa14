"""What books, cards and cells are worth to the player who looks, in points: for the bot that keeps its shelf in order.

It plans for three rows of as many columns as the game has time to fill: every card has its ideal place there by rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import exp
from typing import NamedTuple

from games.engine.exlibris.cards import BOOKS, CARDS, NONE, books_in, mask_of
from games.engine.exlibris.rows import best_row
from games.engine.exlibris.scoring import PROMINENT
from games.engine.exlibris.shelf import (
    BOARD,
    STRIDE,
    TALLEST,
    Pile,
    Shelf,
    beside,
    cells_for,
    cells_in,
    face_up,
    filled,
    free_cells,
    moved,
    pile_of,
    without,
)
from games.engine.exlibris.view import ExLibrisView

COLUMNS = {1: 6, 2: 6, 3: 5, 4: 5}
"""By number of players, the columns of the planned shelf."""
NUMBERS = {card: float(len(books)) for card, books in enumerate(BOOKS)}
"""By card, the number of its books."""
BESIDE = tuple(beside(1 << cell) & ~(1 << cell) for cell in range(BOARD.bit_length()))
"""By cell, its neighbours as a set."""


class Taste(NamedTuple):
    """What a librarian thinks things are worth, in points."""

    spread: float = 1.6
    """By how many books a category may lie above the scarcest and still count towards variety."""
    lead: float = 1.1
    """The points of a prominent book where it may decide who has most ..."""
    lead_spread: float = 5.0
    """... which fades over so many books."""
    misplaced: float = 0.3
    """The points that each place costs by which a card lies beside its ideal one."""
    neighbour: float = 0.3
    """The points of each filled neighbour ..."""
    cell: float = 0.6
    """... and of a filled cell: they make a rectangle."""
    outside: float = 3.0
    """The points that a cell costs beyond the planned columns."""
    fed: float = 0.8
    """Solo: what a book is worth to the public library, a category's share of it."""
    card: float = 2.4
    """The points of one more hand card while there is time to shelve it ..."""
    choice: float = 0.5
    """... and when there is not, for the choice that it gives."""
    shelved: float = 0.6
    """How many hand cards are shelved for each assistant placed."""
    fresh: float = 3.2
    """The gain of shelving a card of which nothing is known."""
    least: float = 0.0
    """The gain below which a card is not shelved while there is time."""


USUAL = Taste()


class CardWorth(dict[int, float]):
    """By card, the points that its books bring when it stays up; of few cards anybody asks."""

    def __init__(self, weights: Sequence[float]) -> None:
        super().__init__()
        self.weights = weights

    def __missing__(self, card: int) -> float:
        weights = self.weights
        self[card] = worth = sum([weights[category] for category in BOOKS[card]])
        return worth


class Judge:
    """Worth as a seat sees it. It depends on few things, so those made last are kept: who looks ahead asks often."""

    @classmethod
    def of(cls, view: ExLibrisView, taste: Taste = USUAL) -> Judge:
        """That of `view.me`."""
        assert view.me is not None and view.banned is not None and view.prominent is not None
        me, prominent, setup = view.me, view.prominent, view.setup
        if setup.solo:
            rival = books_in(mask_of(view.discard))[prominent]
        else:
            rival = max([_books_up(shelf)[prominent] for seat, shelf in enumerate(view.shelves) if seat != me])
        return _judge(
            view.shelves[me], COLUMNS[setup.seats], setup.solo, prominent, view.banned, view.focus[me], rival, taste
        )

    def __init__(
        self,
        shelf: Shelf,
        columns: int,
        solo: bool,
        prominent: int,
        banned: int,
        focus: int | None,
        rival: int,
        taste: Taste,
    ) -> None:
        self.shelf = shelf
        self.columns = columns
        self.solo = solo
        self.prominent, self.banned, self.focus = prominent, banned, focus
        self.rival = rival
        """The prominent books of the best of the others; solo those of the public library."""
        self.taste = taste
        self.cells = filled(shelf)
        self.books = _books_in_row(shelf)
        self.weights = self._weights()
        self.worth = CardWorth(self.weights)

    def _weights(self) -> list[float]:
        """By category, the points that one more book brings about."""
        books = self.books
        counted = [category for category in range(6) if category != self.banned]
        least = min(books[category] for category in counted)
        shares = {category: exp((least - books[category]) / self.taste.spread) for category in counted}
        total = sum(shares.values())
        weights = [3 * shares.get(category, 0.0) / total for category in range(6)]
        weights[self.banned] -= 1
        if self.focus is not None:
            weights[self.focus] += 2
        lead = books[self.prominent] - self.rival
        weights[self.prominent] += self.taste.lead * exp(-((lead / self.taste.lead_spread) ** 2)) + 0.1
        return weights

    # Cells

    def row(self, shelf: Shelf) -> float:
        """What the best increasing row of a shelf is worth."""
        return _row_worth(shelf, self.worth)

    def row_cards(self) -> list[int]:
        """The cards of the best increasing row of the own shelf."""
        return _best_row(self.shelf, self.worth)

    @cached_property
    def _row(self) -> float:
        return self.row(self.shelf)

    @cached_property
    def _corners(self) -> dict[tuple[int, int], float]:
        """By the top left cell of every planned shelf that holds all cards, by how much they are misplaced in it."""
        places = [divmod(pile.cell, STRIDE) for pile in self.shelf] or [(2, 31)]
        top, bottom = min(row for row, _ in places), max(row for row, _ in places)
        left, right = min(column for _, column in places), max(column for _, column in places)
        return {
            (row, column): sum(self._misplaced(pile.card, pile.cell, row, column) for pile in self.shelf)
            for row in range(max(0, bottom - TALLEST + 1), min(top, 2) + 1)
            for column in range(min(right - self.columns + 1, left), left + 1)
        }

    def _misplaced(self, card: int, cell: int, top: int, left: int) -> float:
        """The points lost by the place of a card in a planned shelf."""
        row, column = cell // STRIDE - top, cell % STRIDE - left
        if not (0 <= row < TALLEST and 0 <= column < self.columns):
            return self.taste.outside
        slots = TALLEST * self.columns
        return self.taste.misplaced * abs(card * slots / CARDS - (row * self.columns + column + 0.5))

    def gain(self, card: int, cell: int) -> float:
        """The points of shelving a card in a free cell."""
        return self._gain(card, cell) + self.worth_there(card, cell)

    def loss(self, card: int) -> float:
        """The points that a shelved card brings, which are lost when it is taken off."""
        pile = pile_of(self.shelf, card)
        tomb = 2.0 if pile.under >= 0 else 0.0
        place = self.taste.cell + self.taste.neighbour * (BESIDE[pile.cell] & self.cells).bit_count()
        return place + tomb + self._row - self.row(without(self.shelf, card))

    def worth_there(self, card: int, cell: int) -> float:
        """By how much the best row grows with a card in a free cell."""
        worth = self.worth[card]
        if worth <= 0:
            return 0.0
        before = after = 0.0
        for at, other, row_to, row_from in self._rows:
            if at < cell:
                if other < card and row_to > before:
                    before = row_to
            elif other > card and row_from > after:
                after = row_from
        return max(0.0, before + worth + after - self._row)

    @cached_property
    def _rows(self) -> list[tuple[int, int, float, float]]:
        """Cell and card of each face-up pile, and what the best rows are worth that end and that begin with it."""
        piles = [pile for pile in self.shelf if pile.up and self.worth[pile.card] > 0]
        forth = [value for value, _, _ in _chains(piles, self.worth)]
        back = [0.0] * len(piles)
        for index in reversed(range(len(piles))):
            card = piles[index].card
            rest = [back[i] for i in range(index + 1, len(piles)) if piles[i].card > card]
            back[index] = self.worth[card] + max(rest, default=0.0)
        return [(pile.cell, pile.card, to, on) for pile, to, on in zip(piles, forth, back, strict=True)]

    @cached_property
    def _least(self) -> float:
        """How much the cards are misplaced in the best planned shelf."""
        return min(self._corners.values())

    @cached_property
    def _places(self) -> dict[int, tuple[float, float, list[tuple[float, float]]]]:
        """By free cell: what it brings whatever card lies there; how much is misplaced then at most; and by planned
        shelf in which that may be less, how much is without the card, and the ideal place of a card that lies there."""
        taste, columns = self.taste, self.columns
        found = {}
        for cell in cells_in(free_cells(self.cells)):
            at, on = divmod(cell, STRIDE)
            inside: list[tuple[float, float]] = []
            most = 1e9
            for (top, left), cost in sorted(self._corners.items(), key=lambda item: item[1]):
                row, column = at - top, on - left
                if not (0 <= row < TALLEST and 0 <= column < columns):
                    most = min(most, cost + taste.outside)
                    continue
                place = row * columns + column + 0.5
                if all(other + taste.misplaced * abs(ideal - place) > cost for other, ideal in inside):
                    inside.append((cost, place))
            brings = taste.cell + taste.neighbour * (BESIDE[cell] & self.cells).bit_count()
            found[cell] = brings, most, [(cost, place) for cost, place in inside if cost < most]
        return found

    def _gain(self, card: int, cell: int) -> float:
        """What the place itself is worth."""
        ideal, misplaced = card * TALLEST * self.columns / CARDS, self.taste.misplaced
        brings, after, inside = self._places[cell]
        for cost, place in inside:
            cost += misplaced * abs(ideal - place)
            if cost < after:
                after = cost
        return brings - (after - self._least)

    def best_cell(self, card: int) -> tuple[float, int]:
        """The gain of shelving a card, and the cell for it."""
        if card not in self._best:
            # Most cells are no good place: the row is asked for the best ones only.
            places = sorted(((self._gain(card, cell), cell) for cell in self._places), reverse=True)[:5]
            self._best[card] = max((place + self.worth_there(card, cell), cell) for place, cell in places)
        return self._best[card]

    @cached_property
    def _best(self) -> dict[int, tuple[float, int]]:
        return {}

    def best_cards(self, cards: Iterable[int]) -> list[tuple[float, int]]:
        """The gains of shelving each of these cards, the best first."""
        return sorted(((self.best_cell(card)[0], card) for card in cards), reverse=True)

    def feeds(self, card: int) -> float:
        """Solo: the points that a discarded card brings to the public library."""
        if not self.solo:
            return 0.0
        return self.taste.fed * sum(
            (category != self.banned) - (category == self.banned) * 0.9 for category in BOOKS[card]
        )

    # Rebuilding

    @cached_property
    def best_move(self) -> tuple[float, int]:
        """What moving a card of the shelf brings, and which card; (0, NONE) if no move is worth it."""
        kept = set(self.row_cards())
        best = (0.0, NONE)
        for pile in self.shelf:
            if pile.card in kept or pile.under >= 0 or not pile.up or self.worth[pile.card] <= 0:
                continue
            for cell in cells_in(cells_for(self.cells, pile.cell)):
                best = max(best, (self.row(moved(self.shelf, pile.card, cell)) - self._row - 0.5, pile.card))
        return best

    # The end

    def last_row(self) -> tuple[int, ...]:
        """The cards to leave up at the end."""
        focus = self.prominent if self.focus is None else self.focus
        return _last_row(self.shelf, self.prominent, self.banned, focus, self.rival + self.solo)


@lru_cache(maxsize=2000)
def _judge(
    shelf: Shelf, columns: int, solo: bool, prominent: int, banned: int, focus: int | None, rival: int, taste: Taste
) -> Judge:
    return Judge(shelf, columns, solo, prominent, banned, focus, rival, taste)


@lru_cache(maxsize=2000)
def _books_in_row(shelf: Shelf) -> tuple[int, ...]:
    """The books of the row with most of them."""
    return books_in(mask_of(_best_row(shelf, NUMBERS)))


@lru_cache(maxsize=2000)
def _books_up(shelf: Shelf) -> tuple[int, ...]:
    """The books of all cards face up."""
    return books_in(mask_of(face_up(shelf)))


@lru_cache(maxsize=1000)  # a shelf is asked about once for each of its cards
def _last_row(shelf: Shelf, prominent: int, banned: int, focus: int, rival: int) -> tuple[int, ...]:
    """The row that scores most; the prominent line by how likely it is to have more than a rival's number."""

    first = [PROMINENT[0] / (1 + exp(rival - number - 0.5)) for number in range(len(shelf) + 1)]

    def worth(books: tuple[int, ...]) -> float:
        scarcest = min(books[:banned] + books[banned + 1 :])
        return 3 * scarcest - books[banned] + 2 * books[focus] + first[books[prominent]]

    return tuple(best_row(shelf, worth))


def _chains(shelf: Sequence[Pile], worth: Mapping[int, float]) -> list[tuple[float, int, int]]:
    """For each face-up card that is worth something the best row that ends with it: worth, card, index before it."""
    chains: list[tuple[float, int, int]] = []
    for pile in shelf:
        card = pile.card
        if not pile.up or worth[card] <= 0:
            continue
        best, before = 0.0, -1
        for index, (value, other, _) in enumerate(chains):
            if other < card and value > best:
                best, before = value, index
        chains.append((best + worth[card], card, before))
    return chains


def _row_worth(shelf: Sequence[Pile], worth: Mapping[int, float]) -> float:
    """The worth of the best row of cards in order."""
    return max([value for value, _, _ in _chains(shelf, worth)], default=0.0)


def _best_row(shelf: Sequence[Pile], worth: Mapping[int, float]) -> list[int]:
    """The cards of the best row, in order."""
    chains = _chains(shelf, worth)
    if not chains:
        return []
    index = max(range(len(chains)), key=lambda at: chains[at][0])
    row = []
    while index >= 0:
        _, card, index = chains[index]
        row.append(card)
    return row[::-1]
