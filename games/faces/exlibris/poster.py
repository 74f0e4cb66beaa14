"""The picture of a result of Ex Libris: the order of the players, and the shelf of whoever comes first."""

from __future__ import annotations

from accounts.shown import PlayerShown
from games.engine.exlibris.cards import BOOKS, LABELS
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.shelf import Pile, Shelf, place_of
from games.faces.exlibris.art import PICTURES
from games.faces.exlibris.result import Ending, ending_of, headline
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.shelf import boards
from games.faces.language import _, number
from games.faces.lettering import width_of
from games.faces.poster import INK, RankedLine, above, lines, sheet, symbol, text

BODIES = ("#35323c", "#e2aa2e", "#a83a14", "#2f8a63", "#1d4c9a", "#7cc0dc")
SIGNS = ("#fffaf0", "#241a0c", "#fffaf0", "#fffdf7", "#fffaf0", "#10222c")
"""The colours of the categories and of the signs on them, as in static/exlibris/pieces.css."""
HEIGHTS = (0.86, 1.0, 0.93, 0.78, 0.97, 0.84)
"""How high their spines are, beside the highest, as in static/exlibris/cards.css."""
WOOD, EDGE, BACKBOARD, BRASS = "#8a5527", "#5d3615", "#ecd8b0", "#e6bd62"
BOX = (724, 130, 1136, 520)
"""Where the bookcase stands: left, top, right, bottom."""
SIDE, PLATE = 12, 24
"""How thick its sides are, and its boards at the front."""
WIDEST = 118


def poster(scene: Scene, when: str, address: str) -> str:
    """The picture of a finished game as SVG. `when` and `address`: when it ended, and where it can be seen."""
    end = ending_of(scene)
    below = _("Books in order, from A to Z. See the game at %(address)s") % {"address": address}
    title = headline(end and end._replace(me=None))
    inside = f"{_rows(end)}{_shelf(_first(end))}" if end else ""
    return sheet(above("Ex Libris", len(scene.sitters), when), title, inside, below)


def _rows(end: Ending) -> str:
    order = [
        RankedLine(place, person, number(score.points))
        for place, person, score in zip(end.places, end.people, end.scores, strict=False)
    ]
    if end.public:
        order.append(RankedLine(2 if end.won else 1, PlayerShown(_("Public library")), number(end.public.points)))
    return lines(order)


def _first(end: Ending) -> Shelf:
    """The shelf of whoever comes first; alone one's own."""
    return end.shelves[end.ranked[0]]


def _shelf(shelf: Shelf) -> str:
    """A bookcase with three boards, and what stands on them."""
    if not shelf:
        return ""
    places = [place_of(pile.cell) for pile in shelf]
    rows, columns = boards([row for row, _column in places], small=True), [column for _row, column in places]
    left, top, right, bottom = BOX
    wide, high = max(columns) - min(columns) + 1, (bottom - top - SIDE) / len(rows)
    each = min(WIDEST, (right - left - 2 * SIDE) / wide)
    start = (left + right - each * wide) / 2
    fronts = [
        _rect(left, top + SIDE + high * line - PLATE, right - left, PLATE, WOOD) for line in range(1, len(rows) + 1)
    ]
    cards = [
        _card(pile, start + each * (column - min(columns)), top + SIDE + high * (row - rows[0] + 1), each, high)
        for pile, (row, column) in zip(shelf, places, strict=True)
    ]
    sides = [_rect(at, top, SIDE, bottom - top + 8, EDGE) for at in (left, right - SIDE)]
    frame = [_rect(left, top, right - left, SIDE, EDGE), _rect(left, bottom, right - left, 8, EDGE)]
    return "".join([_rect(left, top, right - left, bottom - top, BACKBOARD), *fronts, *cards, *sides, *frame])


def _rect(x: float, y: float, wide: float, high: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="2" fill="{colour}"/>'


def _card(pile: Pile, x: float, bottom: float, wide: float, high: float) -> str:
    """What stands in a cell of this size above this line: books with their signs, lying ones if the card is turned
    down; and the label on its plate."""
    label, size = LABELS[pile.card], PLATE * 0.72
    foot, most = bottom - PLATE, high - PLATE - 8
    books = sorted(BOOKS[pile.card])
    each = min(wide * 0.92 / len(books), 24)
    drawn = []
    for at, category in enumerate(books):
        if not pile.up:
            drawn.append(_rect(x + wide * 0.1, foot - 16 * (at + 1), wide * 0.8, 15, BODIES[category]))
            continue
        tall = most * HEIGHTS[category]
        left = x + wide / 2 + each * (at - len(books) / 2)
        drawn.append(_rect(left, foot - tall, each - 1, tall, BODIES[category]))
        sign = each * 0.72
        middle = left + (each - 1 - sign) / 2, foot - tall / 2 - sign / 2
        drawn.append(symbol(PICTURES, f"s-{LETTERS[category]}", *middle, sign, sign, SIGNS[category]))
    pale = "" if pile.up else ' opacity=".55"'
    named = width_of(label, size)
    middle_of = x + wide / 2
    plate = _rect(middle_of - named / 2 - 5, foot + 2, named + 10, PLATE - 4, BRASS)
    return (
        f"<g{pale}>{''.join(drawn)}</g>{plate}"
        f"{text(label, middle_of - named / 2, foot + PLATE * 0.76, size, INK, bold=True)}"
    )
