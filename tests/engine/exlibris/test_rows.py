"""Advice: which cards to leave up, and what the shelf scores then."""

from random import Random

import pytest

from games.engine.exlibris import rows
from games.engine.exlibris.cards import BOOKS, labels_of
from games.engine.exlibris.rows import advised, against, best_row, with_card, worth_of
from games.engine.exlibris.shelf import Pile, cells_in, free_cells, turned_down
from tests.engine.exlibris.sitting import Sitting, cards, cell, shelf

FIRST_EXAMPLE = shelf({(0, 0): "A2 C5 P4", (1, 0): "G1 M4 L1", (2, 0): "T1"})


def test_the_advice_turns_down_what_hides_more():
    view = Sitting(2, libraries="basic").state.view(0)
    row, score = advised(view, 0, FIRST_EXAMPLE)
    # T1 has a banned book and none that counts: the page's example, which leaves it up, has 29.
    assert labels_of(row) == ["A2", "C5", "G1", "M4"]
    assert (score.lines, score.points) == ((6, 15, -2, 3, 8), 30)


def test_the_focus_of_another_does_not_count():
    view = Sitting(2, libraries="basic").state.view(1)
    assert advised(view, 0, FIRST_EXAMPLE)[1].lines[4] == 0


def best_of_all(piles, worth):
    """The highest worth of any row in order, by trying all."""
    best = worth((0,) * 6)

    def go_on(start, last, books):
        nonlocal best
        for at in range(start, len(piles)):
            if piles[at].card > last:
                more = tuple(n + (category in BOOKS[piles[at].card]) for category, n in enumerate(books))
                best = max(best, worth(more))
                go_on(at + 1, piles[at].card, more)

    go_on(0, -1, (0,) * 6)
    return best


@pytest.mark.parametrize("seed", range(12))
def test_no_other_row_of_a_shelf_scores_more(seed):
    rng = Random(seed)
    piles, found = (), 0
    for card in sorted(rng.sample(range(152), 11), key=lambda card: card + rng.gauss(0, 30)):
        to = rng.choice(cells_in(free_cells(found)))
        piles, found = tuple(sorted([*piles, Pile(to, card, -1, True)])), found | 1 << to
    view = Sitting(2, libraries="basic").state.view(0)
    worth = worth_of(against(view, 0))
    row, score = advised(view, 0, piles)
    assert sum(score.lines[1:]) == worth(score.books) == best_of_all(piles, worth)
    down = {pile.card for pile in piles} - set(row)
    assert [pile.card for pile in turned_down(piles, down) if pile.up] == row == best_row(piles, worth)


def test_a_shelf_is_thought_about_once_however_often_its_page_is_drawn(monkeypatch):
    asked = []
    monkeypatch.setattr(rows, "best_row", lambda *facts: asked.append(facts) or best_row(*facts))
    piles = shelf({(0, 0): "B3 C5 P4 Z1"})
    for me in (0, 1, 0):
        view = Sitting(2, libraries="basic").state.view(me)
        advised(view, 0, piles)[0].clear()
    assert len(asked) == 2, "once with the focus, and once without"
    assert advised(view, 0, piles)[0]


def test_a_shelf_with_one_more_card():
    of = shelf({(0, 0): "A2 C5", (1, 0): "G1"})
    assert with_card(of, *cards("T1"), cell(0, 2)) == shelf({(0, 0): "A2 C5 T1", (1, 0): "G1"})
