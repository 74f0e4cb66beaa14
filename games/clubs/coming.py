"""What comes next in a club, as one person sees it: its calendar and its open tournaments in one list."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Club
from accounts.web.requests import Visitor
from games.calendar.models import CalendarEvent
from games.clubs.calendar import page as calendar
from games.clubs.calendar.page import ShownEvent
from games.lobby.pending import Act
from games.matches.clocks import instant
from games.tournaments import events, pending
from games.tournaments.models import Tournament
from games.tournaments.standing import TournamentStanding


class Coming(NamedTuple):
    """Something that is open, goes on, or stands in the calendar."""

    title: str
    address: str
    kind: str
    """What it is, in words."""
    running: bool
    """Whether it goes on."""
    at: datetime | None
    """When it begins, or closes if `closes`; None for what has begun or begins when a steward says so."""
    closes: bool = False
    details: tuple[str, ...] = ()
    mine: str = ""
    """What the visitor has said, or that they take part, in words."""
    acts: tuple[Act, ...] = ()
    """What they can do now."""
    here: bool = False
    """Whether the visitor is at a night: the page leads them to their table."""


def of_club(club: Club, user: Visitor, member: bool, now: datetime, most: int) -> list[Coming]:
    """The next so many: what goes on first, then by time."""
    opened = list(club.tournaments.filter(closed_at=None).select_related("calendar").order_by("number"))
    standings = events.standings(opened)
    found = []
    for tournament in opened:
        tournament.club = club
        event = tournament.calendar
        if member or event is None or event.public:
            found.append(_tournament(tournament, standings[tournament.pk], user, member, now))
    shown = calendar.coming(club, user, member, now, most, each_week=False)
    opened_for = {tournament.calendar_id for tournament in opened}
    found += [_event(each) for each in shown if each.event.pk not in opened_for]
    return sorted(found, key=lambda each: (not each.running, each.at is None, each.at or now))[:most]


def _tournament(
    tournament: Tournament, standing: TournamentStanding, user: Visitor, member: bool, now: datetime
) -> Coming:
    event, many = tournament.calendar, len(standing.here)
    begun = bool(standing.rounds)
    deal = tournament.kind == Tournament.Kind.DEAL
    closes = instant(tournament.settings["until"]) if deal else None
    if deal:
        told = [ngettext("%(n)d person has begun it", "%(n)d people have begun it", many) % {"n": many}]
    elif tournament.kind == Tournament.Kind.EVENING:
        told = [ngettext("%(n)d person is here", "%(n)d people are here", many) % {"n": many}]
    else:
        told = [ngettext("%(n)d has entered", "%(n)d have entered", many) % {"n": many}]
    if begun and not deal:
        told.append(_("round %(number)s") % {"number": len(standing.rounds)})
    if event and event.place:
        told.append(event.place)
    act = pending.entry(tournament, standing, user, now) if member and user.is_authenticated else None
    mine = ""
    if user.pk in standing.here:
        mine = _("You’re here") if tournament.kind == Tournament.Kind.EVENING else _("You’re in")
    return Coming(
        title=tournament.name,
        address=tournament.get_absolute_url(),
        kind=tournament.get_kind_display(),
        running=begun and not deal,
        at=closes or (event.starts_at if event and not begun else None),
        closes=deal,
        details=tuple(told),
        mine=mine,
        acts=(act,) if act else (),
        here=tournament.kind == Tournament.Kind.EVENING and user.pk in standing.here,
    )


def _event(shown: ShownEvent) -> Coming:
    event, told = shown.event, list[str]()
    if shown.coming:
        told.append(ngettext("%(n)d comes", "%(n)d come", shown.coming) % {"n": shown.coming})
    if event.place:
        told.append(event.place)
    return Coming(
        title=event.title,
        address=event.get_absolute_url(),
        kind=str(CalendarEvent.Kind(event.kind).label),
        running=False,
        at=event.starts_at,
        details=tuple(told),
        mine=shown.said,
        acts=shown.acts if not shown.mine else (),
    )
