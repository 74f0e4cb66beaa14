"""The evenings, the deals of the week and the deadlines of tournaments, for the calendars of those who play."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people.calendar import CalendarEntry
from games.matches.clocks import instant
from games.tournaments import events
from games.tournaments.models import Tournament
from games.tournaments.standing import TournamentStanding

EVENING = timedelta(hours=3)
"""What an evening is expected to take."""


def entries(user: User, now: datetime) -> list[CalendarEntry]:
    """The open evenings and deals of the week of a person's clubs, and when their games of tournaments must be over."""
    found = Tournament.objects.filter(club__members__user=user, closed_at=None).select_related("club").order_by("pk")
    tournaments = list(found)
    standings = events.standings(tournaments)
    told = []
    for tournament in tournaments:
        standing = standings[tournament.pk]
        about = {"event": tournament.name, "club": tournament.club.name}
        page, opened = tournament.get_absolute_url(), instant(standing.opened)
        if tournament.kind == Tournament.Kind.DEAL and user.pk not in standing.entrants:
            summary, closes = _("Play %(event)s (%(club)s)") % about, instant(tournament.settings["until"])
            told.append(CalendarEntry(f"deal-{tournament.pk}", summary, closes, opened, page))
        if tournament.kind in (Tournament.Kind.EVENING, Tournament.Kind.DUPLICATE):
            summary = _("%(event)s (%(club)s)") % about
            told.append(CalendarEntry(f"evening-{tournament.pk}", summary, opened, opened, page, opened + EVENING))
        for number, until in _deadlines(standing, user.pk):
            summary = _("Finish your games of %(event)s (%(club)s)") % about
            since = instant(standing.rounds[number].at)
            told.append(CalendarEntry(f"round-{tournament.pk}-{number}", summary, instant(until), since, page))
    return told


def _deadlines(standing: TournamentStanding, player: int) -> list[tuple[int, int]]:
    """The rounds, by number, in which a player has a game to finish, and by when."""
    return [
        (number, each.until)
        for number, each in enumerate(standing.rounds)
        if each.until is not None and any(player in table.players and not table.over for table in each.tables)
    ]
