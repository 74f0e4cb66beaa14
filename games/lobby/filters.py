"""The choices above the list of games to watch: links, each of which keeps the other choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from accounts.text.numbers import number
from games.engine.registry import titles
from games.faces.registry import face_of
from games.lobby.watching import Wanted
from games.matches.models import Match

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

TYPES = {"rated": True, "casual": False}
PACES = {Match.Pace.LIVE.value: _("Live"), Match.Pace.DAILY.value: _("Daily")}


class Link(NamedTuple):
    """One of the choices of a filter."""

    address: str
    label: StrOrPromise
    chosen: bool


class Filter(NamedTuple):
    """One of the filters, with its choices."""

    label: StrOrPromise
    links: list[Link]


def wanted(fields: Mapping[str, str]) -> Wanted:
    """What the fields of an address ask for; what it cannot mean is left out."""
    chosen = _chosen(fields)
    return Wanted(
        int(chosen["players"]) if "players" in chosen else None,
        TYPES.get(chosen.get("type", "")),
        chosen.get("pace"),
        chosen.get("game"),
    )


def filters(fields: Mapping[str, str]) -> list[Filter]:
    """The filters, as the fields of an address have set them."""
    chosen = _chosen(fields)
    found = []
    for name, (label, choices) in _filters().items():
        others = {other: value for other, value in chosen.items() if other != name}
        links = [Link("?" + urlencode(others), _("All"), name not in chosen)]
        for value, words in choices.items():
            links.append(Link("?" + urlencode(others | {name: value}), words, chosen.get(name) == value))
        found.append(Filter(label, links))
    return found


def _filters() -> dict[str, tuple[StrOrPromise, Mapping[str, StrOrPromise]]]:
    places = sorted({places for game in titles() for places in game.seats})
    games = {game.slug: face_of(game).name for game in titles()}
    return ({"game": (_("Game"), games)} if len(games) > 1 else {}) | {
        "players": (_("Players"), {str(each): number(each) for each in places}),
        "type": (_("Game type"), {"rated": _("Rated"), "casual": _("Casual")}),
        "pace": (_("Pace"), PACES),
    }


def _chosen(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: fields[name] for name, (_label, choices) in _filters().items() if fields.get(name) in choices}
