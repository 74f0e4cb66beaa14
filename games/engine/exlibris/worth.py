"""What shelf, hand and time promise: the points that each seat may expect at the end, by what one seat knows.

One table of columns, by name; straight weights for each, learned by `trainbots` from games of bots. A position is
looked at where nothing is under way: see `settling`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

from games.engine.core import Seat
from games.engine.exlibris.cards import BOOKS, CARDS, NONE, books_in, mask_of
from games.engine.exlibris.scoring import PROMINENT, lines_of, shares
from games.engine.exlibris.shelf import (
    STRIDE,
    TALLEST,
    Shelf,
    cells_in,
    entombed,
    face_up,
    filled,
    free_cells,
    stability,
)
from games.engine.exlibris.tiles import DELAYED
from games.engine.exlibris.view import ExLibrisView
from games.engine.exlibris.zones import READY

PLANNED = {1: 6, 2: 6, 3: 5, 4: 5}
"""By number of players, the columns that a shelf will have about."""
SPREAD = 1.6
"""By how many books a category may lie above the scarcest and still count towards variety."""
SHELVED_A_VISIT = 0.72
"""About how many cards are shelved for each assistant sent."""
CHOSEN = 1.6
"""How much likelier a card that is shelved fits a gap than any card: one chooses among some."""
BOOKS_A_CARD = sum(len(books) for books in BOOKS) / len(BOOKS) / 6
"""The books of one category that a card has ..."""
CHOSEN_BOOKS = {"banned": -0.12, "focus": 0.2, "prominent": 0.05}
"""... and how many more, as one chooses."""
CELLS_A_ROUND = 2.5
"""About how many cells a shelf gains in a round."""

MUCH_TIME = 24.0
"""The visits that are much time."""

IN_ORDER = tuple([tuple(sorted(books)) for books in BOOKS])
"""By card, the categories of its books in order."""

ALIKE = {
    **{"one": 1.0, "visits": 1.0, "few visits": 1.0, "special": 1.0, "cells": 16.0, "room": 8.0, "open": 1.0},
    **{"pairs": 20.0, "stability": 10.0, "variety": 10.0, "even": 3.0, "banned": 5.0, "books": 20.0, "stray": 3.0},
    **{"tombs": 2.0, "prominent": 10.0, "lead": 1.0, "wide lead": 1.0, "hand": 6.0},
    **{"to come": 8.0, "in order": 8.0, "then variety": 10.0, "then banned": 5.0, "then prominent": 10.0},
}
"""The columns that everybody's shelf has, with what is 1 in each ..."""
OWN = {
    **ALIKE,
    **{"focus": 10.0, "fit 1": 4.0, "fit 2": 4.0, "fit 3": 4.0, "fits": 8.0, "misfits": 8.0, "hand in time": 6.0},
    **{"hand focus": 4.0, "then focus": 10.0, "choice": 4.0},
}
"""... and those of the seat that looks, which knows its hand and its focus."""
LATE = ("cells", "room", "stability", "variety", "even", "banned", "books", "stray", "prominent", "lead", "focus")
"""The columns that count otherwise while there is much time: once more, times the time left."""
PUBLIC = {
    **{"one": 1.0, "rounds": 5.0, "hand": 6.0, "variety": 10.0, "even": 3.0, "banned": 5.0, "books": 20.0},
    **{"prominent": 10.0, "lead": 1.0, "focus": 5.0, "to come": 10.0},
}
"""Solo: those of the public library."""


def _late(names: Iterable[str]) -> tuple[str, ...]:
    return tuple([f"{name} early" for name in names if name in LATE])


def _late_at(names: Iterable[str]) -> tuple[int, ...]:
    return tuple([index for index, name in enumerate(names) if name in LATE])


LATE_OWN, LATE_ALIKE = _late_at(OWN), _late_at(ALIKE)
NAMES = {"own": (*OWN, *_late(OWN)), "other": (*ALIKE, *_late(ALIKE)), "public": tuple(PUBLIC)}
"""By part, the columns of a seat: the one that looks, another one, or the public library."""
UNITS = {"own": OWN, "other": ALIKE, "public": PUBLIC}


class ShelfRow(NamedTuple):
    """What a shelf is, by itself."""

    cards: tuple[int, ...]
    """Those of the best row in order that is found fast ..."""
    cells: tuple[int, ...]
    """... and their cells."""
    books: tuple[int, ...]
    lines: tuple[int, ...]
    """As in `Score`, without the prominent one."""
    gaps: tuple[float, ...]
    """The part of all cards that belongs before the first of the row, before the second, and so on ..."""
    empty: tuple[tuple[int, ...], ...]
    """... and the empty cells there, in each planned shelf that holds all cards."""
    room: float
    """How many of the cards that fill the planned shelf find such a cell."""
    open: float
    """The part of all cards that could be shelved at once in order."""
    pairs: int
    """Of filled cells with a common edge."""
    even: float
    """As `even_of`."""


@lru_cache(maxsize=20_000)
def row_of(shelf: Shelf, prominent: int, banned: int, focus: int, columns: int) -> ShelfRow:
    """What a shelf is by itself; `focus` may be NONE, `columns`: those planned."""
    up = [(pile.cell, pile.card) for pile in shelf if pile.up]
    books: tuple[int, ...] = (0,) * 6
    best: tuple[float, list[int]] = (-1.0, [])
    for _ in range(2):
        row = _longest(up, weights_of(books, prominent, banned, focus))
        books = books_in(mask_of(up[index][1] for index in row))
        worth = sum(lines_of(books, stability=0, prominent=books[prominent], banned=banned, focus=max(focus, 0)))
        best = max(best, (worth - 2 * books[0] * (focus < 0), row))
    row = best[1]
    books = books_in(mask_of(up[index][1] for index in row))
    cells = filled(shelf)
    lines = lines_of(
        books, stability=stability(cells) + 2 * entombed(shelf), prominent=0, banned=banned, focus=max(focus, 0)
    )
    lines = lines if focus >= 0 else (*lines[:4], 0)
    in_row, at = tuple([up[index][1] for index in row]), tuple([up[index][0] for index in row])
    gaps, empty, opened = _gaps(cells, in_row, at, columns)
    room = max([_fitting(gaps, cells_there, sum(cells_there), 1.0) for cells_there in empty])
    pairs = (cells & cells >> 1).bit_count() + (cells & cells >> STRIDE).bit_count()
    return ShelfRow(in_row, at, books, lines, gaps, empty, room, opened, pairs, even_of(books, banned))


def even_of(books: Sequence[int], banned: int) -> float:
    """The scarcest category that counts, in books, less where others are as scarce."""
    scarce = [books[category] for category in range(6) if category != banned]
    least = min(scarce)
    return least + 1 - sum([exp((least - number) / SPREAD) for number in scarce]) / len(scarce)


def weights_of(books: Sequence[int], prominent: int, banned: int, focus: int) -> list[float]:
    """By category, the points that one more book brings about."""
    least = min(books[category] for category in range(6) if category != banned)
    parts = [0.0 if category == banned else exp((least - books[category]) / SPREAD) for category in range(6)]
    total = sum(parts)
    weights = [3 * part / total for part in parts]
    weights[banned] -= 1
    weights[prominent] += 0.8
    if focus >= 0:
        weights[focus] += 2
    return weights


def worth_of(card: int, weights: Sequence[float]) -> float:
    """What the books of a card bring."""
    return sum([weights[category] for category in IN_ORDER[card]])


def _longest(up: Sequence[tuple[int, int]], weights: Sequence[float]) -> list[int]:
    """The indices of the increasing row that is worth most."""
    totals: list[float] = []
    before: list[int] = []
    for index, (_, card) in enumerate(up):
        best, link = 0.0, NONE
        for other in range(index):
            if totals[other] > best and up[other][1] < card:
                best, link = totals[other], other
        totals.append(best + worth_of(card, weights))
        before.append(link)
    if not totals or max(totals) <= 0:
        return []
    index = max(range(len(totals)), key=totals.__getitem__)
    row = []
    while index >= 0:
        row.append(index)
        index = before[index]
    return row[::-1]


def _gaps(
    cells: int, cards: Sequence[int], at: Sequence[int], columns: int
) -> tuple[tuple[float, ...], tuple[tuple[int, ...], ...], float]:
    """`ShelfRow.gaps`, `ShelfRow.empty` and `ShelfRow.open`."""
    ranks = (-1, *cards, CARDS)
    gaps = [(high - low - 1) / CARDS for low, high in pairwise(ranks)]
    edges = (-1, *at, 5 * STRIDE)
    between = [(1 << high) - (1 << low + 1) for low, high in pairwise(edges)]
    free = free_cells(cells)
    opened = sum([width for width, gap in zip(gaps, between, strict=True) if free & gap])
    places = [divmod(cell, STRIDE) for cell in cells_in(cells)] or [(2, 31)]
    rows, spans = [row for row, _ in places], [column for _, column in places]
    wide = max(columns, max(spans) - min(spans) + 1)
    empty = set()
    for top in range(max(0, max(rows) - TALLEST + 1), min(min(rows), 2) + 1):
        for left in range(max(0, max(spans) - wide + 1), min(spans) + 1):
            line = ((1 << wide) - 1) << left
            frame = sum([line << STRIDE * row for row in range(top, top + TALLEST)]) & ~cells
            empty.add(tuple([(frame & gap).bit_count() for gap in between]))
    return tuple(gaps), tuple(sorted(empty)), opened


def _fitting(gaps: Sequence[float], empty: Sequence[int], coming: float, chosen: float) -> float:
    """How many of the cards to come find an empty cell in order."""
    likely = chosen * coming
    return min(coming, sum([min(width * likely, cells) for width, cells in zip(gaps, empty, strict=True)]))


def rounds_left(view: ExLibrisView) -> float:
    """About how many rounds come after this one."""
    setup = view.setup
    if setup.solo:
        return float(setup.last_round - view.round)
    if view.last:
        return 0.0
    most = max([setup.counted(shelf) for shelf in view.shelves])
    return min(1 + max(0.0, (setup.cells - most) / CELLS_A_ROUND), setup.last_round - view.round)


def visits_left(view: ExLibrisView, seat: Seat, rounds: float) -> float:
    """About how many assistants a seat will still send, those included whose visit has brought nothing yet."""
    setup = view.setup
    waiting = sum([(guest >> 1 & 3) == seat for tile in DELAYED for guest in view.guests[tile]])
    return view.ready[seat] + (view.special[seat] == READY) + waiting + rounds * (setup.assistants + setup.special)


def columns(view: ExLibrisView, seat: Seat) -> list[float]:
    """The columns of a seat in the order of NAMES: “own” of `view.me`, “other” of any other."""
    prominent, banned = view.prominent, view.banned
    assert prominent is not None and banned is not None
    own = seat == view.me
    setup, shelf = view.setup, view.shelves[seat]
    known = view.focus[seat] if own else None
    focus = NONE if known is None else known
    row = row_of(shelf, prominent, banned, focus, PLANNED[setup.seats])
    rounds = rounds_left(view)
    visits = visits_left(view, seat, rounds)
    time = min(1.0, visits / MUCH_TIME)
    rivals = _rivals(view, seat)
    lead = row.books[prominent] - max(rivals)
    if setup.solo:
        first = PROMINENT[0] * (lead > 0)
    else:
        first = shares([row.books[prominent], *rivals], setup.place_without_books)[0]
    counted = setup.counted(shelf)
    found = [
        1.0,
        time,
        min(1.0, visits / 4),
        view.special[seat] == READY,
        counted,
        row.room,
        row.open,
        row.pairs,
        row.lines[0],
        row.lines[3],
        row.even,
        row.lines[2],
        sum(row.books) - row.books[banned],
        len(shelf) - len(row.cards),
        entombed(shelf),
        first,
        _bent(lead, 3),
        _bent(lead, 9),
        min(view.counts[seat], visits),
    ]
    coming = min(
        SHELVED_A_VISIT * visits,
        max(visits / 2 / (setup.assistants + setup.special), setup.cells + 2.0 - counted),
    )
    ordered = max([_fitting(row.gaps, empty, coming, CHOSEN) for empty in row.empty])
    then = [books + ordered * BOOKS_A_CARD for books in row.books]
    then[banned] += ordered * CHOSEN_BOOKS["banned"]
    then[prominent] += ordered * CHOSEN_BOOKS["prominent"]
    if own and focus >= 0:
        then[focus] += ordered * CHOSEN_BOOKS["focus"]
    found += [
        coming,
        ordered,
        3 * _soft_least([then[category] for category in range(6) if category != banned]),
        -then[banned],
        (15.0 if setup.solo else 6.0) / (1 + exp(-lead / (0.8 + 0.55 * coming**0.5))),
    ]
    if own:
        weights = weights_of(row.books, prominent, banned, focus)
        fits, misfits = _fitting_cards(view.hand, row, filled(shelf), weights)
        found += [row.lines[4], *_hand(view.hand, fits, misfits, focus, visits)]
        found += [2 * then[focus] if focus >= 0 else 0.0, _choice(fits, weights, ordered)]
    values = [value / unit for value, unit in zip(found, (OWN if own else ALIKE).values(), strict=True)]
    return [*values, *[time * values[index] for index in (LATE_OWN if own else LATE_ALIKE)]]


def _rivals(view: ExLibrisView, seat: Seat) -> list[int]:
    """The prominent books of the others; solo those of the public library."""
    prominent = view.prominent
    assert prominent is not None
    if view.setup.solo:
        return [books_in(mask_of(view.discard))[prominent]]
    return [books_in(mask_of(face_up(shelf)))[prominent] for other, shelf in enumerate(view.shelves) if other != seat]


def _bent(lead: float, width: float) -> float:
    """From -1 to 1 as a lead grows."""
    return lead / (width + abs(lead))


def _soft_least(numbers: Sequence[float]) -> float:
    """The least of them, less where others are as small."""
    least = min(numbers)
    return least - log(sum([exp(least - number) for number in numbers]))


def _fitting_cards(
    hand: Sequence[int], row: ShelfRow, cells: int, weights: Sequence[float]
) -> tuple[list[float], float]:
    """What the hand cards that fit the shelf are worth, the best first; and what all others are, but for bad ones."""
    free = free_cells(cells)
    fits, misfits = [], 0.0
    for card in hand:
        worth = worth_of(card, weights)
        if _fits(row, card, free):
            fits.append(worth)
        else:
            misfits += max(0.0, worth)
    return sorted(fits, reverse=True), misfits


def _choice(fits: Sequence[float], weights: Sequence[float], ordered: float) -> float:
    """By how much the cards in hand that fit are better than any, as many as will find a place in order."""
    usual = BOOKS_A_CARD * sum(weights)
    return sum([max(0.0, fit - usual) * 0.85**index for index, fit in enumerate(fits[: int(ordered + 0.5)])])


def _fits(row: ShelfRow, card: int, free: int) -> bool:
    """Whether a card could be shelved at once between its neighbours in the row."""
    index = bisect(row.cards, card)
    low = row.cells[index - 1] if index else -1
    high = row.cells[index] if index < len(row.cells) else 5 * STRIDE
    return bool(free & ((1 << high) - (1 << low + 1)))


def _hand(hand: Sequence[int], fits: Sequence[float], misfits: float, focus: int, visits: float) -> tuple[float, ...]:
    """What the own hand promises: the columns from “fit 1” on."""
    timely = [fit * min(1.0, max(0.0, visits - index)) for index, fit in enumerate(fits)]
    timely += [0.0] * (3 - len(timely))
    number = len(hand)
    focused = sum([focus in BOOKS[card] for card in hand])
    return (
        *timely[:3],
        sum(timely[3:]),
        misfits * min(1.0, visits / 6),
        min(number, 0.6 * visits),
        focused * min(1.0, visits / 6),
    )


def public_columns(view: ExLibrisView) -> list[float]:
    """Solo: the columns of the public library."""
    prominent, banned = view.prominent, view.banned
    assert prominent is not None and banned is not None and view.me is not None
    books = books_in(mask_of(view.discard))
    mine = row_of(
        view.shelves[view.me], prominent, banned, NONE if view.focus[0] is None else view.focus[0], PLANNED[1]
    ).books
    rounds = rounds_left(view)
    scarce = [books[category] for category in range(6) if category != banned]
    unknown = [category for category in range(6) if category not in (prominent, banned, view.focus[0], *view.spare)]
    known = view.focus[1]
    focus = books[known] if known is not None else sum([books[category] for category in unknown]) / len(unknown)
    lead = mine[prominent] - books[prominent]
    found = [
        1.0,
        rounds,
        view.counts[0],
        3 * min(scarce),
        even_of(books, banned),
        -books[banned],
        sum(scarce),
        PROMINENT[0] * (lead <= 0),
        _bent(lead, 3),
        focus,
        view.setup.difficulty * rounds,
    ]
    return [value / unit for value, unit in zip(found, PUBLIC.values(), strict=True)]
