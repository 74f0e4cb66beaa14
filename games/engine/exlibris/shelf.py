"""The geometry of a shelf (rules: Shelving): which cells are free, what may be moved, what is in order.

A cell is a number in reading order; sets of cells are bit masks. A column beyond the last one, never filled, keeps
the end of a row from touching the beginning of the next. A shelf is a tuple of stacks in reading order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from games.engine.exlibris.cards import NONE
from games.engine.exlibris.notation import COLUMNS, ROWS

STRIDE = len(COLUMNS) + 1
ORIGIN = -ROWS[0] * STRIDE - COLUMNS[0]
"""The cell 0,0."""
ROW = (1 << len(COLUMNS)) - 1
BOARD = sum(ROW << STRIDE * row for row in range(len(ROWS)))
TALLEST = 3
"""The number of rows that the filled cells may span."""


class Pile(NamedTuple):
    """The one or two cards of a filled cell."""

    cell: int
    card: int
    """The upper card, or the only one."""
    under: int
    """The card entombed under it, face down; NONE if there is none."""
    up: bool
    """Whether the upper card lies face up."""


Shelf = tuple[Pile, ...]


def cell_of(move: int) -> int:
    """The cell of an index of cells in moves (`at`, `over`, `under`)."""
    return move + move // len(COLUMNS)


def index_of(cell: int) -> int:
    """The index in moves of a cell."""
    return cell - cell // STRIDE


def place_of(cell: int) -> tuple[int, int]:
    """Row and column of a cell."""
    row, column = divmod(cell, STRIDE)
    return row + ROWS[0], column + COLUMNS[0]


def cells_in(mask: int) -> list[int]:
    """The cells of a set, in reading order."""
    cells = []
    while mask:
        low = mask & -mask
        cells.append(low.bit_length() - 1)
        mask ^= low
    return cells


def filled(shelf: Shelf) -> int:
    """The filled cells, as a set."""
    mask = 0
    for pile in shelf:
        mask |= 1 << pile.cell
    return mask


def beside(cells: int) -> int:
    """These cells and those with a common edge."""
    return (cells | cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE) & BOARD


def _part(cells: int) -> int:
    """Of cells (not none), those connected with the first."""
    part = cells & -cells
    while (grown := beside(part) & cells) != part:
        part = grown
    return part


@lru_cache(maxsize=20_000)
def connected(cells: int) -> bool:
    """Whether all of these cells hang together, or there is none."""
    return not cells or _part(cells) == cells


def _reach(cells: int) -> int:
    """The rows in which a cell may be added to these (not none)."""
    top, bottom = ((cells & -cells).bit_length() - 1) // STRIDE, (cells.bit_length() - 1) // STRIDE
    first, last = max(0, bottom - TALLEST + 1), min(len(ROWS) - 1, top + TALLEST - 1)
    return (1 << STRIDE * (last + 1)) - (1 << STRIDE * first)


def free_cells(cells: int) -> int:
    """Where a new card may lie when these cells are filled."""
    return beside(cells) & ~cells & _reach(cells) if cells else 1 << ORIGIN


@lru_cache(maxsize=20_000)
def cells_for(cells: int, moved: int) -> int:
    """Where the card of one of these cells may be moved."""
    rest = cells & ~(1 << moved)
    if not rest:
        return 0
    free = _reach(rest) & ~cells
    while rest:
        part = _part(rest)
        free &= beside(part)
        rest ^= part
    return free


def removable(shelf: Shelf) -> list[int]:
    """The upper cards that may be taken off: the cells that stay are connected."""
    cells = filled(shelf)
    return [pile.card for pile in shelf if pile.under >= 0 or connected(cells & ~(1 << pile.cell))]


def movable(shelf: Shelf) -> list[int]:
    """The upper cards that may be moved to another cell."""
    cells = filled(shelf)
    return [pile.card for pile in shelf if cells_for(cells, pile.cell)]


def pile_of(shelf: Shelf, card: int) -> Pile:
    """The cell in which a card is the upper one."""
    return next(pile for pile in shelf if pile.card == card)


def pile_at(shelf: Shelf, cell: int) -> Pile:
    """What lies in a filled cell."""
    return next(pile for pile in shelf if pile.cell == cell)


def with_pile(shelf: Shelf, pile: Pile) -> Shelf:
    """The shelf with these cards in their cell, whatever lay there."""
    return tuple(sorted([*(other for other in shelf if other.cell != pile.cell), pile]))


def without(shelf: Shelf, card: int) -> Shelf:
    """The shelf without an upper card; one entombed under it stays, face down."""
    pile = pile_of(shelf, card)
    if pile.under >= 0:
        return with_pile(shelf, Pile(pile.cell, pile.under, NONE, False))
    return tuple([other for other in shelf if other is not pile])


def moved(shelf: Shelf, card: int, cell: int) -> Shelf:
    """The shelf with an upper card, and what lies under it, in another cell."""
    pile = pile_of(shelf, card)
    return with_pile(tuple([other for other in shelf if other is not pile]), pile._replace(cell=cell))


def entombed(shelf: Shelf) -> int:
    """The number of entombed cards."""
    return sum(pile.under >= 0 for pile in shelf)


def block(cells: int) -> tuple[int, int, int]:
    """The largest filled rectangle of two or three neighbouring rows: its first cell, the number of its rows and of
    its columns. All 0 if there is none."""
    rows = [cells >> STRIDE * row & ROW for row in range(len(ROWS))]
    found, best = (0, 0, 0), 0
    for height in (2, 3):
        for top in range(len(ROWS) - height + 1):
            columns = ROW
            for row in rows[top : top + height]:
                columns &= row
            width, starts = 0, 0
            while columns:
                width += 1
                starts = columns
                columns &= columns >> 1
            if height * width > best:
                best = height * width
                found = STRIDE * top + (starts & -starts).bit_length() - 1, height, width
    return found


def stability(cells: int) -> int:
    """The cells of the largest filled rectangle of two or three neighbouring rows; 0 if there is none."""
    _first, rows, columns = block(cells)
    return rows * columns


def turned_down(shelf: Shelf, cards: Iterable[int] = (), ascending: bool = False) -> Shelf:
    """The shelf with these upper cards turned face down, and then all that the order check turns down.

    In reading order those with a lower rank than the last that stayed up; `ascending`: by rank, those in an earlier
    cell.
    """
    chosen = set(cards)
    stay = set()
    cell = last = NONE
    for pile in sorted(shelf, key=attrgetter("card")) if ascending else shelf:
        if pile.up and pile.card not in chosen and pile.card > last and pile.cell > cell:
            cell, last = pile.cell, pile.card
            stay.add(last)
    return tuple([pile._replace(up=False) if pile.up and pile.card not in stay else pile for pile in shelf])


def face_up(shelf: Shelf) -> list[int]:
    """The cards that lie face up, in reading order."""
    return [pile.card for pile in shelf if pile.up]
