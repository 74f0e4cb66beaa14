"""The square that stands for a player: the first letter of the name, or a picture, on a coloured ground."""

from __future__ import annotations

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

MOTIFS: dict[str, StrOrPromise] = {
    "letter": _("Letter"),
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
"""What can stand for a player: the letter, and the symbols of static/img/avatars.svg."""
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


class Worn(NamedTuple):
    """What somebody has chosen."""

    motif: str
    tint: str
    pattern: str

    def __str__(self) -> str:
        return "-".join(self)


def read(code: str, name: str) -> Worn:
    """The avatar that a text such as `owl-woad-2` describes; if it does not, or is empty, that of the name."""
    parts = code.split("-")
    if len(parts) == 3 and parts[0] in MOTIFS and parts[1] in TINTS and parts[2] in PATTERNS:
        return Worn(*parts)
    return Worn("letter", "vellum", str(crc32(folded(name).encode()) % 4 + 1))


@lru_cache(maxsize=4000)
def avatar(name: str, code: str = "") -> SafeString:
    """The square of a player who has chosen this (`User.avatar`). The name itself must stand beside it."""
    motif, tint, pattern = read(code, name)
    inside: str = name[:1].upper()
    if motif != "letter":
        inside = format_html('<svg><use href="{}#{}"/></svg>', static(SHEET), motif)
    return format_html('<span class="avatar pattern-{} {}" aria-hidden="true">{}</span>', pattern, tint, inside)
