"""What an event comes to before it is set: its rounds, its length and its tables, in sentences."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clubs.calendar.forms import AT_TABLE, EventForm
from games.clubs.calendar.kinds import EventKind
from games.engine.core import Game
from games.faces.registry import face_of
from games.lobby.times import duration, time_control
from games.matches.clocks import MINUTE_MS, USUAL, Clock, length_ms
from games.tournaments.models import Tournament
from games.tournaments.pairing import groups

NEAREST_MS = 10 * MINUTE_MS
"""Lengths are told to the nearest ten minutes."""
MOST_TOLD = 8
"""How many tables are told one by one."""


def summary(form: EventForm) -> list[str]:
    """What an event comes to as its form stands, in sentences; those left out for which something is missing."""
    data, kind = form.draft, form.kind
    if not kind.tournament or form.opened:
        return []
    seats = data.get("seats") or min(each for each in form.game.seats if each > 1)
    told = [_what(form, data, seats)]
    members = form.club.members.count()
    people = min(members, data.get("most") or members)
    if kind.tournament == Tournament.Kind.DEAL or people < 2:
        return told
    if length := length_of(kind, data, people, seats):
        told.append(length)
    if tables := tables_of(kind, form.game, people, seats):
        told.append(tables)
    return told


def _what(form: EventForm, data: dict[str, Any], seats: int) -> str:
    clock = data.get("time")
    at_table = data.get("played") == AT_TABLE
    parts = [str(form.kind.label), str(face_of(form.game).name)]
    parts.append(ngettext("tables of %(n)d", "tables of %(n)d", seats) % {"n": seats})
    if clock and not at_table:
        parts.append(time_control(clock))
    if at_table:
        parts.append(_("at the real table"))
    return " · ".join(parts)


def length_of(kind: EventKind, data: dict[str, Any], people: int, seats: int) -> str:
    """How many rounds so many people play, and about how long that takes; empty if nobody knows."""
    clock: Clock = data.get("time") or USUAL
    daily = clock.days > 0 and data.get("played") != AT_TABLE
    if "minutes" in data:
        return _("%(time)s of play, and a few minutes for the last games.") % {
            "time": duration(data["minutes"] * MINUTE_MS)
        }
    if kind.rounds is None or any(name not in data for name in kind.settings):
        return ""
    rounds = kind.rounds(people, data)
    of = {"people": people, "rounds": rounds}
    if daily:
        days = data.get("days")
        if not days:
            return ""
        weeks = days * (1 if kind.tournament == Tournament.Kind.ROUND_ROBIN else rounds)
        text = ngettext(
            "With %(people)d people: %(rounds)d round, at most %(days)d days.",
            "With %(people)d people: %(rounds)d rounds, at most %(days)d days.",
            rounds,
        )
        return text % {**of, "days": weeks}
    game = length_ms(clock if clock.bank_ms else USUAL, seats) or 0
    pause = (data.get("pause") or 0) * MINUTE_MS if data.get("by_clock") else 0
    whole = rounds * game + (rounds - 1) * pause
    text = ngettext(
        "With %(people)d people: %(rounds)d round, about %(time)s.",
        "With %(people)d people: %(rounds)d rounds, about %(time)s.",
        rounds,
    )
    return text % {**of, "time": duration(max(1, round(whole / NEAREST_MS)) * NEAREST_MS)}


def tables_of(kind: EventKind, game: Game, people: int, seats: int) -> str:
    """At which tables so many people sit in a round; empty if all tables are of two, or if there is one at most."""
    if kind.for_two or (kind.planned and seats == 2):
        return ""
    if kind.tournament == Tournament.Kind.DUPLICATE:
        sizes = (seats,) * (people // seats)
    else:
        sizes = groups.sizes(people, seats, [each for each in game.seats if each > 1])
    if len(sizes) < 2:
        return ""
    if len(sizes) <= MOST_TOLD:
        told = " + ".join(map(str, sizes))
    else:
        told = " + ".join(f"{n} × {size}" for size, n in Counter(sizes).items())
    left = people - sum(sizes)
    if left:
        text = ngettext(
            "With %(people)d at tables of %(seats)d: %(tables)s, and %(left)d has a bye.",
            "With %(people)d at tables of %(seats)d: %(tables)s, and %(left)d have a bye.",
            left,
        )
    else:
        text = _("With %(people)d at tables of %(seats)d: %(tables)s.")
    return text % {"people": people, "seats": seats, "tables": told, "left": left}
