"""The arms of a club: a shield of two colours with a picture on it, all from fixed lists; nothing is uploaded."""

from __future__ import annotations

from typing import NamedTuple, Self

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import Club
from accounts.people.avatar import SHEET, SIGNS, TINTS, avatar


class Arms(NamedTuple):
    """What a club has chosen."""

    charge: str
    """The picture, one of `avatar.SIGNS`."""
    field: str
    """The colour of the first half, one of `avatar.TINTS`, ..."""
    other: str
    """... and that of the second."""

    def __str__(self) -> str:
        return "-".join(self)

    @classmethod
    def read(cls, code: str) -> Self | None:
        """The arms that a text such as `owl-woad-madder` describes; None if it describes none."""
        parts = code.split("-")
        known = len(parts) == 3 and parts[0] in SIGNS and parts[1] in TINTS and parts[2] in TINTS
        return cls(*parts) if known else None


def shield(club: Club) -> SafeString:
    """The arms of a club, or the first letter of its name if it has none. The name itself must stand beside it."""
    arms = Arms.read(club.arms)
    if arms is None:
        return avatar(club.name)
    return format_html(
        '<span class="avatar arms {}" aria-hidden="true"><span class="half {}"></span>'
        '<svg><use href="{}#{}"/></svg></span>',
        arms.field,
        arms.other,
        static(SHEET),
        arms.charge,
    )
