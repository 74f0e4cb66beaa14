"""The picture of a result of Ex Libris: the order of the players, and the shelf of whoever comes first."""

from __future__ import annotations

from accounts.shown import PlayerShown
from games.engine.exlibris.cards import BOOKS, LABELS
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.shelf import Pile, Shelf, place_of
from games.faces.exlibris.art import PICTURES
from games.faces.exlibris.result import Ending, ending_of, headline
from games.faces.exlibris.scene import Scene
from games.faces.language import _, number
from games.faces.lettering import width_of
from games.faces.poster import INK, PAPER, RankedLine, above, lines, sheet, symbol, text

BODIES = ("#35323c", "#e2aa2e", "#a83a14", "#2f8a63", "#1d4c9a", "#7cc0dc")
SIGNS = ("#fffaf0", "#241a0c", "#fffaf0", "#fffdf7", "#fffaf0", "#10222c")
"""The colours of the categories and of the signs on them, as in static/exlibris/pieces.css."""
BOARD = "#7a5a33"
BOX = (724, 130, 1136, 520)
"""Where the shelf stands: left, top, right, bottom."""
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
    """A shelf as large as there is room, on its boards."""
    if not shelf:
        return ""
    places = [place_of(pile.cell) for pile in shelf]
    rows, columns = [sorted({place[axis] for place in places}) for axis in (0, 1)]
    wide, high = columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1
    left, top, right, bottom = BOX
    each = min(WIDEST, (right - left) / wide, (bottom - top) / high / 1.4)
    x, y = (left + right - each * wide) / 2, (top + bottom - each * 1.4 * high) / 2
    boards = "".join(
        [
            f'<rect x="{x - 6:.1f}" y="{y + each * (1.4 * (line + 1) - 0.1):.1f}" width="{each * wide + 12:.1f}" '
            f'height="{max(4, each * 0.07):.1f}" rx="2" fill="{BOARD}"/>'
            for line in range(high)
        ]
    )
    cards = [
        _card(pile, x + each * (column - columns[0]), y + each * 1.4 * (line - rows[0]) + each * 0.08, each * 0.92)
        for pile, (line, column) in zip(shelf, places, strict=True)
    ]
    return boards + "".join(cards)


def _card(pile: Pile, x: float, y: float, wide: float) -> str:
    """A card of this width, pale if it lies face down: its label, its books with their signs."""
    label, high = LABELS[pile.card], wide * 1.25
    size = wide * 0.34
    books = sorted(BOOKS[pile.card])
    each = min(wide * 0.23, wide * 0.86 / len(books))
    start = x + (wide - each * len(books)) / 2
    spines = "".join(
        [
            f'<rect x="{start + each * at:.1f}" y="{y + wide * 0.52:.1f}" width="{each * 0.94:.1f}" '
            f'height="{high - wide * 0.6:.1f}" rx="1.5" fill="{BODIES[category]}"/>'
            + symbol(
                PICTURES,
                f"s-{LETTERS[category]}",
                start + each * (at + 0.12),
                y + wide * 0.68,
                each * 0.7,
                each * 0.7,
                SIGNS[category],
            )
            for at, category in enumerate(books)
        ]
    )
    pale = "" if pile.up else ' opacity=".32"'
    return (
        f'<g><rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="4" fill="{PAPER}" '
        f'stroke="#cdbb94"/><g{pale}>'
        f"{text(label, x + (wide - width_of(label, size)) / 2, y + wide * 0.38, size, INK, bold=True)}{spines}</g></g>"
    )
