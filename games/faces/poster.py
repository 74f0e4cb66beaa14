"""What the pictures of results have in common, for previews of links: 1200 by 630, always in the light theme, as SVG.

They stand alone: symbols are copied into them from the sprite sheets, with the colours of static/css/tokens.css.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.contrib.staticfiles.finders import find
from markupsafe import escape

from accounts.people.avatar import SHEET, read, sheet_of
from accounts.shown import PlayerShown
from games.faces.language import ngettext
from games.faces.lettering import FAMILY, drawable, fitting, width_of
from games.faces.paint import SPRITE

WIDTH, HEIGHT = 1200, 630
LEAF, INK, INK_2, LINE, LINE_2 = "#fbf6ea", "#2a2119", "#5f5040", "#d8c9ab", "#8f7d5f"
ACT_SOFT, GILT, PAPER = "#f0e0e6", "#b98a2a", "#fcf5e4"
TINTS = {"vellum": "#efe6d3", "madder": "#ecc5b8", "saffron": "#f3dc97", "verdigris": "#c3ddc9", "woad": "#c2d4e8"}
"""The grounds of avatars."""
TOP, LEFT, RIGHT = 246, 64, 676
"""Where the lines begin, downwards and across, and where they end; beyond it is room for a picture."""


def sheet(above: str, title: str, inside: str, below: str) -> str:
    """A whole picture: the name of the site, two lines of text, what is `inside`, and a line at the foot."""
    fit = fitting(drawable(title), RIGHT - LEFT, 54, 24)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' font-family="{FAMILY}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{LEAF}"/>'
        f'<rect y="{HEIGHT - 14}" width="{WIDTH}" height="14" fill="{GILT}"/>'
        f"{symbol(SPRITE, 'wordmark', LEFT, 60, 238, 38, INK)}"
        f"{text(drawable(above), LEFT, 140, 24, INK_2)}{text(fit.text, LEFT, 212, fit.size, INK, bold=True)}"
        f"{inside}{text(below, LEFT, 582, 22, INK_2)}</svg>"
    )


def above(name: str, seats: int, when: str) -> str:
    """The line above the result: the title, the number of players, and when the game ended."""
    players = ngettext("%(count)s player", "%(count)s players", seats) % {"count": seats}
    return f"{name} · {players} · {when}"


class RankedLine(NamedTuple):
    """A player, or somebody else, in the order."""

    place: int
    person: PlayerShown
    points: str


def lines(order: Iterable[RankedLine]) -> str:
    """The order, from the first place on; equal places as they stand."""
    ranked = sorted(order, key=lambda line: line.place)
    return "".join([row(TOP + 60 * at, *line, line.place == 1, not at) for at, line in enumerate(ranked)])


def row(top: float, place: int, person: PlayerShown, points: str, won: bool, first: bool, taken: float = 0) -> str:
    """A player in the order: place, square, name, points. `taken`: the room before the points that is for more."""
    middle, beside = top + 30, LEFT + 62
    ground = f'<rect x="{LEFT}" y="{top}" width="{RIGHT - LEFT}" height="60" fill="{ACT_SOFT}"/>' if won else ""
    line = "" if first else f'<path d="M{LEFT} {top}h{RIGHT - LEFT}" stroke="{LINE}" stroke-width="1.5"/>'
    at = LEFT + 132
    fit = fitting(drawable(person.name), RIGHT - 90 - taken - at, 30, 20)
    return (
        f"{ground}{line}{text(str(place), LEFT + 14, middle + 10, 28, INK_2)}"
        f"{square(person, beside, middle - 21)}"
        f"{text(fit.text, at, middle + 10, fit.size, INK, bold=True)}"
        f"{text(points, RIGHT - 14 - width_of(points, 36), middle + 12, 36, INK, bold=True)}"
    )


def square(person: PlayerShown, x: float, y: float) -> str:
    """The square that stands for a player, without its pattern."""
    motif, tint, _pattern = read(person.avatar, person.name)
    letter = drawable(person.name[:1].upper())[:1]
    if motif == "letter":
        inside = text(letter, x + 21 - width_of(letter, 22) / 2, y + 29, 22, INK, bold=True)
    elif sheet_of(motif) == SHEET:
        inside = symbol(SHEET, motif, x + 6, y + 6, 30, 30, INK)
    else:
        inside = symbol(sheet_of(motif), motif, x + 1, y + 1, 40, 40, INK)
    frame = f'fill="{TINTS[tint]}" stroke="{LINE_2}" stroke-width="1.5"'
    return f'<rect x="{x}" y="{y}" width="42" height="42" rx="3" {frame}/>{inside}'


def text(text: str, x: float, y: float, size: float, colour: str, bold: bool = False) -> str:
    """A line of text."""
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{colour}"{weight}>{escape(text)}</text>'


@cache
def _sheet(path: str) -> str:
    file = find(path)
    assert isinstance(file, str)
    return Path(file).read_text("utf-8")


@cache
def parts(path: str) -> str:
    """What the symbols of a sprite sheet share: to stand once in a picture that has some of these symbols."""
    return "".join(re.findall(r"<defs>.*?</defs>", _sheet(path), re.DOTALL))


@cache
def symbols(path: str) -> dict[str, tuple[str, str]]:
    """The symbols of a sprite sheet: the frame and what is in it, by name."""
    found = re.findall(r'<symbol id="([\w-]+)" viewBox="([^"]+)">(.*?)</symbol>', _sheet(path), re.DOTALL)
    return {name: (frame, inside) for name, frame, inside in found}


def symbol(
    path: str,
    name: str,
    x: float,
    y: float,
    width: float,
    height: float,
    colour: str,
    known: Mapping[str, str] | None = None,
) -> str:
    """A symbol of a sprite sheet; `known` has the values of its CSS variables, besides `gilt`."""
    frame, inside = symbols(path)[name]
    values = {"gilt": GILT} | dict(known or {})
    filled = ' fill="currentColor" fill-rule="evenodd"' if path == SHEET else ""
    inside = re.sub(r"var\(--([\w-]+)\)", lambda found: values[found[1]], inside)
    return (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" viewBox="{frame}">'
        f'<g color="{colour}"{filled}>{inside}</g></svg>'
    )
