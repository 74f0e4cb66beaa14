"""The square that stands for a player: the first letter of the name, or a picture, on a coloured ground.

Bots have portraits, guests an animal, people what they choose. At a table no two look alike (`apart`).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.text.names import folded

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SIGNS: dict[str, StrOrPromise] = {
    "cowl": _("Cowl"),
    "book": _("Book"),
    "scroll": _("Scroll"),
    "quill": _("Quill"),
    "mortar": _("Mortar"),
    "flame": _("Flame"),
    "candle": _("Candle"),
    "coin": _("Coin"),
    "key": _("Key"),
    "chalice": _("Chalice"),
    "mitre": _("Mitre"),
    "crown": _("Crown"),
    "owl": _("Owl"),
    "hare": _("Hare"),
    "snail": _("Snail"),
    "rose": _("Rose"),
}
"""The symbols of static/img/avatars.svg, in one colour."""
ANIMALS: dict[str, StrOrPromise] = {
    "cat": _("Cat"),
    "fox": _("Fox"),
    "bear": _("Bear"),
    "mouse": _("Mouse"),
    "raven": _("Raven"),
    "hedgehog": _("Hedgehog"),
    "frog": _("Frog"),
    "stag": _("Stag"),
    "lamb": _("Lamb"),
    "boar": _("Boar"),
}
"""Portraits of static/img/portraits.svg that anybody can have; guests do."""
MOTIFS: dict[str, StrOrPromise] = {"letter": _("Letter")} | SIGNS | ANIMALS
"""What people can choose to stand for them."""
PORTRAITS = (
    *("nun", "friar", "abbot", "novice", "lady", "abbess"),
    *("prior", "scholar", "knight", "minstrel", "queen", "weaver"),
)
"""The other portraits of that sheet, which bots alone have."""
TINTS: dict[str, StrOrPromise] = {
    "vellum": _("Vellum"),
    "madder": _("Red"),
    "saffron": _("Yellow"),
    "verdigris": _("Green"),
    "woad": _("Blue"),
}
PATTERNS: dict[str, StrOrPromise] = {
    "1": _("Lozenges"),
    "2": _("Dots"),
    "3": _("Lines"),
    "4": _("Squares"),
    "0": _("Plain"),
}
SHEET = "img/avatars.svg"
PORTRAIT_SHEET = "img/portraits.svg"
_of_bots: dict[str, str] = {}
"""The portraits of bots by name, as games have registered them."""


class Worn(NamedTuple):
    """What somebody has chosen."""

    motif: str
    tint: str
    pattern: str

    def __str__(self) -> str:
        return "-".join(self)


def register(portraits: Mapping[str, str]) -> None:
    """Note which of the PORTRAITS the bots with these names have. A bot whose name nobody registers has any of them."""
    _of_bots.update(portraits)


def read(code: str, name: str) -> Worn:
    """The avatar that a text such as `owl-woad-2` describes; if it does not, or is empty, that of the name."""
    parts = code.split("-")
    if len(parts) == 3 and (parts[0] in MOTIFS or parts[0] in PORTRAITS) and parts[1] in TINTS and parts[2] in PATTERNS:
        return Worn(*parts)
    return Worn("letter", "vellum", str(_number(name) % 4 + 1))


def of_bot(name: str) -> Worn:
    """The avatar of a bot."""
    number = _number(name)
    portrait = _of_bots.get(name) or PORTRAITS[number % len(PORTRAITS)]
    return Worn(portrait, [*TINTS][number % len(TINTS)], str(number % 4 + 1))


def of_guest() -> Worn:
    """An avatar for a new guest."""
    return Worn(secrets.choice([*ANIMALS]), secrets.choice([*TINTS]), secrets.choice("1234"))


def apart(people: Iterable[tuple[str, str]]) -> list[str]:
    """The avatars of the people at a table, as they are shown there: `people` are their names and what they have chosen
    (`User.avatar`), in the order in which they came. Who would look like somebody before them gets another picture of
    the same kind or, for a letter, another colour; so nobody's changes when others come. Up to five are told apart."""
    shown: list[str] = []
    known: set[tuple[str, str]] = set()
    for name, code in people:
        worn = read(code, name)
        found = next((one for one in (worn, *_others(worn)) if _look(one, name) not in known), worn)
        known.add(_look(found, name))
        shown.append(code if found == worn else str(found))
    return shown


def _look(worn: Worn, name: str) -> tuple[str, str]:
    """What two avatars differ in at first sight: pictures in the picture, letters in the colour too."""
    return (name[:1].upper(), worn.tint) if worn.motif == "letter" else (worn.motif, "")


def _others(worn: Worn) -> Iterator[Worn]:
    """What somebody can have in place of this, the nearest first."""
    if worn.motif == "letter":
        for steps, tint in enumerate(_after(worn.tint, [*TINTS]), 1):
            yield worn._replace(tint=tint, pattern=str((int(worn.pattern) + steps) % 5))
    else:
        kind = next(kind for kind in ([*SIGNS], [*ANIMALS], PORTRAITS) if worn.motif in kind)
        for motif in _after(worn.motif, kind):
            yield worn._replace(motif=motif)


def _after(one: str, all: Sequence[str]) -> list[str]:
    """The others, from the next one on round to the beginning."""
    at = all.index(one)
    return [*all[at + 1 :], *all[:at]]


def _number(name: str) -> int:
    """A number that follows from a name, in any case of its letters."""
    return crc32(folded(name).encode())


@lru_cache(maxsize=4000)
def avatar(name: str, code: str = "") -> SafeString:
    """The square of a player who has chosen this (`User.avatar`). The name itself must stand beside it."""
    motif, tint, pattern = read(code, name)
    if motif == "letter":
        inside, kind = name[:1].upper(), ""
    else:
        inside = format_html('<svg><use href="{}#{}"/></svg>', static(sheet_of(motif)), motif)
        kind = "" if motif in SIGNS else " portrait"
    return format_html('<span class="avatar pattern-{} {}{}" aria-hidden="true">{}</span>', pattern, tint, kind, inside)


def sheet_of(motif: str) -> str:
    """The sheet of symbols that has a motif other than the letter."""
    return SHEET if motif in SIGNS else PORTRAIT_SHEET
