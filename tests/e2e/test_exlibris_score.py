"""What the page of Ex Libris computes of shelves is what the engine does."""

from dataclasses import replace
from random import Random

import pytest

from games.engine.exlibris.cards import BOOKS, CATEGORIES, NONE
from games.engine.exlibris.rows import advised
from games.engine.exlibris.shelf import Pile, cells_in, filled, free_cells, place_of
from games.faces.exlibris.shelf import worth_of_seat
from tests.engine.exlibris.sitting import Sitting

pytestmark = pytest.mark.once


def shelves(rng, count):
    """A shelf for each player: most cards in order, some face down, some over an entombed card."""
    deck = rng.sample(range(152), 152)
    for _ in range(count):
        piles = ()
        for card in sorted([deck.pop() for _ in range(rng.randrange(1, 15))], key=lambda card: card + rng.gauss(0, 25)):
            to = rng.choice(cells_in(free_cells(filled(piles))))
            under = deck.pop() if rng.random() < 0.1 else NONE
            piles = tuple(sorted([*piles, Pile(to, card, under, rng.random() < 0.9)]))
        yield piles


def case(seed):
    """A position that somebody may look at, and the same as the page has it."""
    rng = Random(seed)
    seats = rng.randrange(1, 5)
    categories = "".join(rng.sample(CATEGORIES, 6))
    no_books = rng.choice(["nothing", "place"])
    view = Sitting(seats, libraries="basic", categories=categories, no_books=no_books).state.view(0)
    discard = tuple(rng.sample(range(152), 20)) if seats == 1 else ()
    view = replace(view, shelves=tuple(shelves(rng, seats)), discard=discard)
    worth = worth_of_seat(view, 0)
    data = dict(zip(("prom", "ban", "foc"), categories, strict=False))
    data |= {"solo": str(int(seats == 1)), "placed": str(int(no_books == "place"))}
    data |= {"rivals": " ".join(map(str, worth.rivals))}
    cards = [
        dict(zip(("row", "column"), place_of(pile.cell), strict=True))
        | {"card": pile.card, "up": pile.up, "tomb": pile.under != NONE}
        | {"books": "".join(CATEGORIES[category] for category in sorted(BOOKS[pile.card]))}
        for pile in view.shelves[0]
    ]
    row, score = advised(view, 0)
    return [data, cards], {"lines": list(score.lines), "points": score.points, "down": len(worth.down), "row": row}


def test_the_page_scores_shelves_as_the_engine_does(page, site):
    asked, expected = zip(*map(case, range(200)), strict=True)
    page.goto(f"{site}/static/exlibris/score.js")
    found = page.evaluate(
        """async (cases) => {
            const { scoreOf } = await import("/static/exlibris/score.js");
            return cases.map(([data, cards]) => scoreOf(data, cards));
        }""",
        asked,
    )
    assert found == list(expected)
