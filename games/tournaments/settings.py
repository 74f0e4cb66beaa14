"""The settings of tournaments with a plan: what there is to choose for each kind, and within which bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

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


class SettingChoice(NamedTuple):
    """One of some words to choose."""

    label: StrPromise
    options: dict[str, StrPromise]
    default: str = ""


SETTINGS: dict[str, Whole] = {
    "rounds": Whole(_("Rounds"), 1, 15, 3),
    "days": Whole(_("Days for a round"), 1, 90, 28),
    "box": Whole(_("Players in a box"), 4, 6, 5),
    "group": Whole(_("Players in a group"), 3, 6, 4),
    "through": Whole(_("How many go on from each group"), 1, 3, 2),
    "boards": Whole(_("Boards of a team"), 2, 8, 4),
    "minutes": Whole(_("Length in minutes"), 20, 240, 90),
    "third": Whole(_("Play-off games for third place"), 0, 1, 0),
    "halves": Whole(_("Byes a player can ask for"), 0, 3, 1),
}
"""By name. `days`, by correspondence only: for a round, for all games of a round robin, for a turn of a league."""
CHOICES: dict[str, SettingChoice] = {
    "breaks": SettingChoice(
        _("Tie-breaks"),
        {
            "": _("the usual tie-breaks of this kind"),
            "rivals": _("Buchholz, Sonneborn-Berger, points of the games"),
            "direct": _("direct encounter, Sonneborn-Berger, points of the games"),
            "wins": _("wins, direct encounter, Sonneborn-Berger"),
            "game": _("points of the games, direct encounter, Sonneborn-Berger"),
        },
    )
}
"""By name, as `SETTINGS`."""
CHOICES_OF: dict[str, tuple[str, ...]] = {
    Kind.ROUND_ROBIN: ("breaks",),
    Kind.SWISS: ("breaks",),
    Kind.BOXES: ("breaks",),
    Kind.GROUPS: ("breaks",),
}
"""The choices of each kind."""
OF: dict[str, tuple[str, ...]] = {
    Kind.ROUND_ROBIN: (),
    Kind.SWISS: ("rounds", "halves"),
    Kind.KNOCKOUT: ("third",),
    Kind.DOUBLE: (),
    Kind.BOXES: ("box",),
    Kind.ARENA: ("minutes",),
    Kind.GROUPS: ("group", "through", "third"),
    Kind.TEAMS: ("boards",),
}
"""The settings of each kind, beside `days`."""


def checked(kind: str, daily: bool, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a kind, if they are within their bounds. Raises Refused."""
    found = {name: chosen[name] for name in (*OF[kind], *(["days"] if daily else []))}
    for name, value in found.items():
        each = SETTINGS[name]
        if not each.least <= value <= each.most:
            told = gettext("%(what)s: choose a number from %(least)d to %(most)d.")
            raise Refused(told % {"what": each.label, "least": each.least, "most": each.most})
    if kind == Kind.GROUPS and chosen["through"] >= chosen["group"]:
        raise Refused(gettext("Not everybody in a group can go on. Choose a smaller number."))
    for name in CHOICES_OF.get(kind, ()):
        if chosen[name] not in CHOICES[name].options:
            raise Refused(gettext("Choose the tie-breaks from the list."))
        if chosen[name]:
            found[name] = chosen[name]
    return found
