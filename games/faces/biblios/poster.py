"""The picture of a result of Biblios, with the colours of static/biblios/pieces.css."""

from __future__ import annotations

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.faces.biblios.art import CARDS, PICTURES, categories
from games.faces.biblios.result import Ending, leavers, order_line, verdicts, winner_line
from games.faces.biblios.scene import Scene
from games.faces.language import _
from games.faces.lettering import fitting, width_of
from games.faces.poster import INK, PAPER, RIGHT, TOP, above, parts, row, sheet, symbol, text

CREAM = "#fffaf0"
COLOURS = {
    "M": ("#70451f", "#4c2c11"),
    "P": ("#1f53a0", "#123566"),
    "H": ("#2a6b3c", "#184426"),
    "S": ("#b94e07", "#86370a"),
    "F": ("#a3142c", "#640a19"),
}
"""The colours of each category: body and dark."""
CARD = 196
FANNED = ((726, 128, -11), (946, 128, 11), (836, 96, 0))
"""Where the three cards lie, and how they are turned; the last on top."""


def summary(scene: Scene) -> tuple[str, str]:
    """Who won, and the order of all, as text."""
    end = Ending.of(scene)._replace(me=None)
    return winner_line(end), " ".join(leavers(end, str)) if end.early else order_line(end)


def poster(scene: Scene, when: str, address: str) -> str:
    """The picture of a finished game as SVG. `when` and `address`: when it ended, and where it can be seen."""
    end = Ending.of(scene)._replace(me=None)
    below = _("Five dice, 87 cards, one library. See the game at %(address)s") % {"address": address}
    rows = "".join([_row(end, seat, at) for at, seat in enumerate(end.ranked)])
    return sheet(above("Biblios", len(end.people), when), winner_line(end), f"{rows}{_cards(end)}", below)


def _row(end: Ending, seat: int, at: int) -> str:
    """A player in the order: place, square, name, dice, points."""
    top, won = TOP + 60 * at, end.won(seat)
    dice = "".join([_die(end, die, RIGHT - 76 - 50 * (len(won) - number)) for number, die in enumerate(won)])
    place, points = end.places[seat], "" if end.early else str(end.points[seat])
    facts = place, end.people[seat], points, place == 1, not at, 50 * len(won)
    return f'{row(top, *facts)}<g transform="translate(0 {top + 9})">{dice}</g>'


def _die(end: Ending, at: int, x: float) -> str:
    return symbol(PICTURES, f"d-{end.dice[at]}", x, -1, 44, 44, CREAM, {"c": COLOURS[LETTERS[at]][0]})


def _cards(end: Ending) -> str:
    codes = winning_cards(end)
    places = {1: FANNED[2:], 2: FANNED[:2], 3: FANNED}.get(len(codes), ())
    # The best one lies on top, which is drawn last.
    return parts(CARDS) + "".join([_card(code, *place) for code, place in zip(codes[::-1], places, strict=True)])


def winning_cards(end: Ending) -> list[str]:
    """Up to three cards of the winner: the best one for each die on which they come first, then others of these."""
    seat = end.ranked[0]
    won = sorted([it for it in verdicts(end) if it.first == seat], key=lambda it: -it.die)
    first = [it.cards[0] for it in won if it.cards]
    others = [code for it in won for code in it.cards[1:]]
    return [*first, *others][:3]


def _card(code: str, x: float, y: float, turned: float) -> str:
    letter, value, best = code[0], code[1], code[2]
    body, dark = COLOURS[letter]
    high, band = CARD * 1.4, CARD * 0.434
    name = fitting(categories()[letter], CARD * 0.68, 19, 12)
    return (
        f'<g transform="translate({x} {y}) rotate({turned} {CARD / 2} {high / 2})" stroke-linejoin="round">'
        f'<rect x="1" y="3" width="{CARD}" height="{high}" rx="14" fill="#28190a" fill-opacity=".22"/>'
        f'<rect width="{CARD}" height="{high}" rx="14" fill="{PAPER}" stroke="#cdbb94"/>'
        f'<path d="M0 {band}V14a14 14 0 0 1 14-14h{CARD - 28}a14 14 0 0 1 14 14v{band - 14}Z" fill="{body}"/>'
        f'<path d="M0 {band}h{CARD}" stroke="{dark}" stroke-width="3"/>'
        f"{text(value, 18, band - 22, 68, CREAM, bold=True)}"
        f"{symbol(PICTURES, f's-{letter}', CARD - 70, 16, 54, 54, CREAM)}"
        f"{symbol(CARDS, code, 13, band + 8, CARD - 26, (CARD - 26) / 1.2, INK)}"
        f"{text(name.text, 14, high - 14, name.size, dark, bold=True)}"
        f"{text(best, CARD - 18 - width_of(best, 30), high - 10, 30, INK, bold=True)}</g>"
    )
