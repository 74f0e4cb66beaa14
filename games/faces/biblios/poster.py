"""The picture of a result of Biblios, for previews of links: 1200 by 630, always in the light theme, as SVG.

It stands alone: pictures are copied into it from the sprite sheets, with the colours of static/css/tokens.css and
static/biblios/pieces.css in place of their variables.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from django.contrib.staticfiles.finders import find
from markupsafe import escape

from accounts.avatar import SHEET, read
from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.faces.biblios.art import PICTURES, categories
from games.faces.biblios.result import Ending, leavers, order_line, verdicts, winner_line
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import Person, people
from games.faces.language import _, ngettext
from games.faces.lettering import FAMILY, drawable, fitting, width_of
from games.faces.paint import SPRITE

WIDTH, HEIGHT = 1200, 630
LEAF, INK, INK_2, LINE, LINE_2 = "#fbf6ea", "#2a2119", "#5f5040", "#d8c9ab", "#8f7d5f"
ACT_SOFT, GILT, PAPER, CREAM = "#f0e0e6", "#b98a2a", "#fcf5e4", "#fffaf0"
COLOURS = {
    "M": ("#70451f", "#4c2c11", "#c79a6d", "#e8d3b6"),
    "P": ("#1f53a0", "#123566", "#7fa9e0", "#cdd8e2"),
    "H": ("#2a6b3c", "#184426", "#86bf8c", "#cfe1c3"),
    "S": ("#b94e07", "#86370a", "#f2b27a", "#f8dcbc"),
    "F": ("#a3142c", "#640a19", "#e48a93", "#f3ccc5"),
}
"""The colours of each category: body, dark, light, and the ground of its pictures."""
TINTS = {"vellum": "#efe6d3", "madder": "#ecc5b8", "saffron": "#f3dc97", "verdigris": "#c3ddc9", "woad": "#c2d4e8"}
"""The grounds of avatars."""
LEFT, NAMES, RIGHT = 64, 196, 676
"""The beginning of the lines, of the names in them, and the end."""
CARD = 196
FANNED = ((726, 128, -11), (946, 128, 11), (836, 96, 0))
"""Where the three cards lie, and how they are turned; the last on top."""


def summary(scene: Scene) -> tuple[str, str]:
    """Who won, and the order of all, as text."""
    end = Ending.of(scene, people(scene))._replace(me=None)
    return winner_line(end), " ".join(leavers(end, str)) if end.early else order_line(end)


def poster(scene: Scene, when: str, address: str) -> str:
    """The picture of a finished game as SVG. `when` and `address`: when it ended, and where it can be seen."""
    end = Ending.of(scene, people(scene))._replace(me=None)
    seats = len(end.people)
    players = ngettext("%(count)s player", "%(count)s players", seats) % {"count": seats}
    above = f"Biblios · {players} · {when}"
    below = _("Five dice, 87 cards, one library. See the game at %(address)s") % {"address": address}
    title = fitting(drawable(winner_line(end)), RIGHT - LEFT, 54, 24)
    rows = "".join([_row(end, person, at) for at, person in enumerate(end.ranked)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' font-family="{FAMILY}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{LEAF}"/>'
        f'<rect y="{HEIGHT - 14}" width="{WIDTH}" height="14" fill="{GILT}"/>'
        f"{_symbol(SPRITE, 'wordmark', LEFT, 60, 238, 38, INK)}"
        f"{_text(above, LEFT, 140, 24, INK_2)}{_text(title.text, LEFT, 212, title.size, INK, bold=True)}"
        f"{rows}{_cards(end)}{_text(below, LEFT, 582, 22, INK_2)}</svg>"
    )


def _row(end: Ending, person: Person, at: int) -> str:
    """A player in the order: place, square, name, dice, points."""
    top, middle = 246 + 60 * at, 276 + 60 * at
    winner = end.places[person.seat] == 1
    ground = f'<rect x="{LEFT}" y="{top}" width="{RIGHT - LEFT}" height="60" fill="{ACT_SOFT}"/>' if winner else ""
    line = f'<path d="M{LEFT} {top}h{RIGHT - LEFT}" stroke="{LINE}" stroke-width="1.5"/>' if at else ""
    won = end.won(person.seat)
    dice = "".join([_die(end, die, RIGHT - 76 - 50 * (len(won) - number)) for number, die in enumerate(won)])
    dice = f'<g transform="translate(0 {middle - 21})">{dice}</g>'
    room = RIGHT - 90 - 50 * len(won) - NAMES
    name = fitting(drawable(person.name), room, 30, 20)
    points = "" if end.early else str(end.points[person.seat])
    return (
        f"{ground}{line}{_text(str(end.places[person.seat]), LEFT + 14, middle + 10, 28, INK_2)}"
        f"{_square(person, LEFT + 62, middle - 21)}"
        f"{_text(name.text, NAMES, middle + 10, name.size, INK, bold=True)}"
        f"{dice}{_text(points, RIGHT - 14 - width_of(points, 36), middle + 12, 36, INK, bold=True)}"
    )


def _square(person: Person, x: float, y: float) -> str:
    """The square that stands for a player, without its pattern."""
    motif, tint, _pattern = read(person.worn, person.name)
    letter = drawable(person.name[:1].upper())[:1]
    inside = (
        _text(letter, x + 21 - width_of(letter, 22) / 2, y + 29, 22, INK, bold=True)
        if motif == "letter"
        else _symbol(SHEET, motif, x + 6, y + 6, 30, 30, INK)
    )
    frame = f'fill="{TINTS[tint]}" stroke="{LINE_2}" stroke-width="1.5"'
    return f'<rect x="{x}" y="{y}" width="42" height="42" rx="3" {frame}/>{inside}'


def _die(end: Ending, at: int, x: float) -> str:
    return _symbol(PICTURES, f"d-{end.dice[at]}", x, -1, 44, 44, CREAM, LETTERS[at])


def _cards(end: Ending) -> str:
    codes = winning_cards(end)
    places = {1: FANNED[2:], 2: FANNED[:2], 3: FANNED}.get(len(codes), ())
    # The best one lies on top, which is drawn last.
    return "".join([_card(code, *place) for code, place in zip(codes[::-1], places, strict=True)])


def winning_cards(end: Ending) -> list[str]:
    """Up to three cards of the winner: the best one for each die on which they come first, then others of these."""
    seat = end.ranked[0].seat
    won = sorted([it for it in verdicts(end) if it.first == seat], key=lambda it: -it.die)
    first = [it.cards[0] for it in won if it.cards]
    others = [code for it in won for code in it.cards[1:]]
    return [*first, *others][:3]


def _card(code: str, x: float, y: float, turned: float) -> str:
    letter, value, best = code[0], code[1], code[2]
    body, dark, _light, ground = COLOURS[letter]
    high, band = CARD * 1.4, CARD * 0.434
    frame = f'width="{CARD - 26}" height="{high - band - 49}" fill="{ground}" stroke="{dark}"'
    name = fitting(categories()[letter], CARD * 0.68, 19, 12)
    return (
        f'<g transform="translate({x} {y}) rotate({turned} {CARD / 2} {high / 2})">'
        f'<rect x="1" y="3" width="{CARD}" height="{high}" rx="14" fill="#28190a" fill-opacity=".22"/>'
        f'<rect width="{CARD}" height="{high}" rx="14" fill="{PAPER}" stroke="#cdbb94"/>'
        f'<path d="M0 {band}V14a14 14 0 0 1 14-14h{CARD - 28}a14 14 0 0 1 14 14v{band - 14}Z" fill="{body}"/>'
        f'<path d="M0 {band}h{CARD}" stroke="{dark}" stroke-width="3"/>'
        f"{_text(value, 18, band - 22, 68, CREAM, bold=True)}"
        f"{_symbol(PICTURES, f's-{letter}', CARD - 70, 16, 54, 54, CREAM)}"
        f'<rect x="13" y="{band + 11}" {frame}/>'
        f"{_symbol(PICTURES, f'a-{letter}', 30, band + 18, CARD - 60, high - band - 57, INK, letter)}"
        f"{_text(name.text, 14, high - 14, name.size, dark, bold=True)}"
        f"{_text(best, CARD - 18 - width_of(best, 30), high - 10, 30, INK, bold=True)}</g>"
    )


def _text(text: str, x: float, y: float, size: float, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{colour}"{weight}>{escape(text)}</text>'


@cache
def _symbols(path: str) -> dict[str, tuple[str, str]]:
    """The pictures of a sprite sheet: the frame and what is in it, by name."""
    file = find(path)
    assert isinstance(file, str)
    symbol = r'<symbol id="([\w-]+)" viewBox="([^"]+)">(.*?)</symbol>'
    found = re.findall(symbol, Path(file).read_text("utf-8"), re.DOTALL)
    return {name: (frame, inside) for name, frame, inside in found}


def _symbol(
    path: str, name: str, x: float, y: float, width: float, height: float, colour: str, category: str = ""
) -> str:
    frame, inside = _symbols(path)[name]
    body, dark, light, _ground = COLOURS.get(category, ("", "", "", ""))
    known = {"c": body, "cd": dark, "cl": light, "gilt": GILT}
    filled = ' fill="currentColor" fill-rule="evenodd"' if path == SHEET else ""
    inside = re.sub(r"var\(--([\w-]+)\)", lambda found: known[found[1]], inside)
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{frame}">'
        f'<g color="{colour}"{filled}>{inside}</g></svg>'
    )
