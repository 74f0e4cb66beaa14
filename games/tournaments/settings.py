"""The settings of tournaments with a plan: what there is to choose for each kind, and within which bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.web.refused import Refused
from games.tournaments.models import Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Kind = Tournament.Kind


class Whole(NamedTuple):
    """A whole number to choose."""

    label: StrPromise
    least: int
    most: int
    default: int


SETTINGS = {
    "rounds": Whole(_("Rounds"), 1, 15, 5),
    "days": Whole(_("Days for a round"), 1, 90, 28),
    "box": Whole(_("Players in a box"), 4, 6, 5),
    "group": Whole(_("Players in a group"), 3, 6, 4),
    "through": Whole(_("How many go on from each group"), 1, 3, 2),
    "boards": Whole(_("Boards of a team"), 2, 8, 4),
    "minutes": Whole(_("Minutes"), 20, 240, 90),
}
"""By name. `days`, by correspondence only: for a round, for all games of a round robin, for a turn of a league."""
OF: dict[str, tuple[str, ...]] = {
    Kind.ROUND_ROBIN: (),
    Kind.SWISS: ("rounds",),
    Kind.KNOCKOUT: (),
    Kind.DOUBLE: (),
    Kind.BOXES: ("box",),
    Kind.ARENA: ("minutes",),
    Kind.GROUPS: ("group", "through"),
    Kind.TEAMS: ("boards",),
}
"""The settings of each kind, beside `days`."""


def checked(kind: str, daily: bool, chosen: Mapping[str, int]) -> dict[str, int]:
    """The settings of a kind, if they are within their bounds. Raises Refused."""
    found = {name: chosen[name] for name in (*OF[kind], *(["days"] if daily else []))}
    for name, value in found.items():
        each = SETTINGS[name]
        if not each.least <= value <= each.most:
            told = gettext("%(what)s: choose a number from %(least)d to %(most)d.")
            raise Refused(told % {"what": each.label, "least": each.least, "most": each.most})
    if kind == Kind.GROUPS and chosen["through"] >= chosen["group"]:
        raise Refused(gettext("Fewer must go on than there are in a group."))
    return found
