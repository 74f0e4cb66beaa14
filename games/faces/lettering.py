"""The letters of pictures that are made here: how wide text is, and what the fonts at hand can show."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from anyascii import anyascii

FAMILY = "Source Serif Pro"
FILES = (
    ("font_source_serif_pro", "files/SourceSerifPro-Regular.ttf"),
    ("font_source_serif_pro", "files/SourceSerifPro-Semibold.ttf"),
    ("justmytype_intl_rtl", "fonts/ofl/notosansarabic/NotoSansArabic[wdth,wght].ttf"),
    ("justmytype_intl_rtl", "fonts/ofl/notosanshebrew/NotoSansHebrew[wdth,wght].ttf"),
)
"""Package and file of each font; the first two are Latin, Greek and Cyrillic."""


def fonts() -> list[str]:
    """The files of the fonts."""
    found = []
    for package, file in FILES:
        spec = find_spec(package)
        assert spec and spec.origin
        found.append(str(Path(spec.origin).parent / file))
    return found


@cache
def _widths() -> dict[str, float]:
    """The width of each character that one of the fonts has, in parts of the size."""
    from fontTools.ttLib import TTFont  # half a second, which a site without previews does without

    found: dict[str, float] = {}
    for file in fonts()[1:]:
        with TTFont(file) as font:
            advances, unit = font["hmtx"].metrics, font["head"].unitsPerEm
            for code, glyph in font.getBestCmap().items():
                found.setdefault(chr(code), advances[glyph][0] / unit)
    return found


def width_of(text: str, size: float) -> float:
    """About how wide a text is, in bold letters of this size; letters that join are a little narrower."""
    widths = _widths()
    return size * sum(widths.get(character, 1) for character in text)


def drawable(text: str) -> str:
    """The text itself if the fonts have all of it, else in Latin letters."""
    widths = _widths()
    return text if all(character in widths for character in text) else anyascii(text)


class Fitting(NamedTuple):
    """A text, perhaps cut, and its size."""

    text: str
    size: float


def fitting(text: str, room: float, size: float, least: float) -> Fitting:
    """The text at this size or, if it is too wide for the room, smaller; cut if even the least size is too wide."""
    wide = width_of(text, size)
    if wide > room:
        size = max(least, size * room / wide)
    if width_of(text, size) <= room + 1:
        return Fitting(text, size)
    while text and width_of(f"{text}…", size) > room:
        text = text[:-1]
    return Fitting(f"{text}…", size)
