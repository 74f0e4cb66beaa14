"""Shelving, and what shelves are worth."""

from collections import Counter
from random import Random

import pytest

from games.engine.exlibris.cards import BOOKS, CARDS, CATEGORIES, LABELS
from games.engine.exlibris.notation import MOVE_TEXTS
from games.engine.exlibris.scoring import Score, standing
from games.engine.exlibris.shelf import (
    block,
    cell_of,
    cells_for,
    cells_in,
    connected,
    filled,
    free_cells,
    index_of,
    moved,
    pile_of,
    place_of,
    removable,
    stability,
    turned_down,
    without,
)
from tests.engine.exlibris.sitting import cards, cell, shelf


def mask(*places):
    return sum(1 << cell(row, column) for row, column in places)


def places(cells):
    return [place_of(found) for found in cells_in(cells)]


def test_the_list_of_cards_is_that_of_the_page():
    assert CARDS == 152
    assert Counter(map(len, BOOKS)) == {2: 12, 3: 74, 4: 66}
    assert Counter(category for books in BOOKS for category in books) == dict.fromkeys(range(6), 85)
    for a in range(6):
        for b in range(a):
            assert sum({a, b} <= books for books in BOOKS) == 42
    assert (LABELS[0], LABELS[7], LABELS[-1], len(CATEGORIES)) == ("A1", "B1", "Z2", 6)
    assert list(LABELS) == sorted(LABELS, key=lambda label: (label[0], int(label[1:])))


def test_there_are_about_2100_moves():
    assert len(MOVE_TEXTS) == len(set(MOVE_TEXTS)) == 2143


def test_a_cell_is_its_index_and_back():
    assert [cell_of(index_of(cell(row, column))) for row in (-2, 0, 2) for column in (-31, 0, 31)] == [
        cell(row, column) for row in (-2, 0, 2) for column in (-31, 0, 31)
    ]
    assert place_of(cell(-2, 31)) == (-2, 31)


@pytest.mark.parametrize(
    ("filled", "free"),
    [
        ([], [(0, 0)]),
        ([(0, 0)], [(-1, 0), (0, -1), (0, 1), (1, 0)]),
        ([(0, 0), (1, 0), (2, 0)], [(0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1)]),
        ([(-1, 0), (0, 0)], [(-2, 0), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0)]),
        ([(-2, 0)], [(-2, -1), (-2, 1), (-1, 0)]),
        ([(0, 31)], [(-1, 31), (0, 30), (1, 31)]),
        ([(0, -31)], [(-1, -31), (0, -30), (1, -31)]),
    ],
)
def test_a_new_card_lies_beside_another_in_at_most_three_rows(filled, free):
    assert places(free_cells(mask(*filled))) == free


def test_the_ends_of_two_rows_do_not_touch():
    assert not connected(mask((0, 31), (1, -31)))
    assert connected(mask((0, 0), (0, 1), (1, 1))) and not connected(mask((0, 0), (1, 1)))


@pytest.mark.parametrize(
    ("filled", "taken", "free"),
    [
        ([(0, 0)], (0, 0), []),
        ([(0, 0), (0, 1)], (0, 1), [(-1, 0), (0, -1), (1, 0)]),
        ([(0, 0), (0, 1), (0, 2)], (0, 1), []),
        ([(0, 0), (0, 1), (1, 1)], (0, 1), [(1, 0)]),
        ([(0, 0), (1, 0), (2, 0)], (0, 0), [(1, -1), (1, 1), (2, -1), (2, 1)]),
    ],
)
def test_a_card_is_moved_to_where_all_hang_together(filled, taken, free):
    assert places(cells_for(mask(*filled), cell(*taken))) == free


def test_a_card_is_taken_off_if_the_rest_hangs_together_and_what_was_under_it_stays():
    of = shelf({(0, 0): "A1 A2/B1 A3"})
    assert removable(of) == cards("A1 A2 A3")
    assert removable(shelf({(0, 0): "A1 A2 A3"})) == cards("A1 A3")
    left = pile_of(without(of, *cards("A2")), *cards("B1"))
    assert (left.cell, left.under, left.up) == (cell(0, 1), -1, False)


def test_what_is_entombed_moves_along():
    pile = pile_of(moved(shelf({(0, 0): "A1 A2/B1"}), *cards("A2"), cell(1, 0)), *cards("A2"))
    assert (pile.cell, pile.under) == (cell(1, 0), *cards("B1"))


def test_moves_and_removals_keep_any_shelf_together():
    rng = Random(1)
    for _ in range(200):
        cells = 0
        for _ in range(12):
            cells |= 1 << rng.choice(cells_in(free_cells(cells)))
            assert connected(cells) and len({row for row, _ in places(cells)}) <= 3
        for taken in cells_in(cells):
            for to in cells_in(cells_for(cells, taken)):
                after = cells & ~(1 << taken) | 1 << to
                assert connected(after) and len({row for row, _ in places(after)}) <= 3 and not cells >> to & 1


def test_the_order_check_compares_with_the_last_that_stayed_up():
    of = turned_down(shelf({(0, 0): "A2 C5 P4", (1, 0): "G1 M4 L1"}))
    assert [pile.up for pile in of] == [True, True, True, False, False, False]
    assert turned_down(of) == of
    assert filled(of).bit_count() == 6


def scores(*rows):
    """Scores with these points, books of one category and of the banned one."""
    return [Score((points, 0, 0, 0, 0), (books - banned, banned, 0, 0, 0, 0)) for points, books, banned in rows]


@pytest.mark.parametrize(
    ("rows", "hands", "places", "step"),
    [
        ([(5, 9, 0), (6, 1, 0)], (0, 0), (2, 1), "points"),
        ([(5, 9, 0), (5, 8, 0)], (9, 0), (1, 2), "books"),
        ([(5, 9, 0), (5, 9, 3)], (4, 3), (2, 1), "hand"),
        ([(5, 9, 4), (5, 9, 3)], (3, 3), (2, 1), "banned"),
        ([(5, 9, 3), (5, 9, 3), (4, 0, 0)], (3, 3, 0), (1, 1, 3), "shared"),
    ],
)
def test_ties(rows, hands, places, step):
    ranking = standing(scores(*rows), hands, 1)
    assert (ranking.places, ranking.decisions[-1].step) == (places, step)


def test_the_largest_full_block_is_named_by_its_first_cell_its_rows_and_columns():
    for rows, found in (
        ({(0, 0): "A2 B4 C2", (1, 1): "G2 H3 K1", (2, 1): "M5 N2"}, ((0, 1), 3, 2)),
        ({(-2, -31): "A2 B4", (-1, -31): "C2 D3"}, ((-2, -31), 2, 2)),
        ({(0, 3): "A2", (1, 3): "B4"}, ((0, 3), 2, 1)),
    ):
        first, high, wide = block(filled(shelf(rows)))
        assert (place_of(first), high, wide) == found
        assert stability(filled(shelf(rows))) == high * wide
    assert block(filled(shelf({(0, 0): "A2 B4 C2"}))) == (0, 0, 0)
