"""The events, the deals of the week and the deadlines of tournaments, for the calendars of those who play."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people.calendar import CalendarEntry, Status
from games.calendar.entries import KEPT, entry
from games.calendar.models import CalendarAnswer, CalendarEvent
from games.calendar.services import AHEAD
from games.matches.clocks import instant
from games.tournaments import events
from games.tournaments.models import Tournament
from games.tournaments.standing import TournamentStanding

Comes = CalendarAnswer.Comes


def entries(user: User, now: datetime) -> list[CalendarEntry]:
    """The events of a person's clubs, but for those to which they do not come; the deals of the week that they have not
    played, and when their games of tournaments must be over."""
    of_clubs = Q(club__members__user=user)
    found = list(Tournament.objects.filter(of_clubs, closed_at=None).select_related("club").order_by("pk"))
    standings = events.standings(found)
    told = _events(user, standings, found, now)
    for tournament in found:
        standing = standings[tournament.pk]
        about = {"event": tournament.name, "club": tournament.club.name}
        page, opened = tournament.get_absolute_url(), instant(standing.opened)
        if tournament.kind == Tournament.Kind.DEAL and user.pk not in standing.entrants:
            summary, closes = _("Play %(event)s (%(club)s)") % about, instant(tournament.settings["until"])
            told.append(CalendarEntry(f"deal-{tournament.pk}", summary, closes, opened, page, alarms=AHEAD))
        for number, until in _deadlines(standing, user.pk):
            summary = _("Finish your games of %(event)s (%(club)s)") % about
            since = instant(standing.rounds[number].at)
            uid = f"round-{tournament.pk}-{number}"
            told.append(CalendarEntry(uid, summary, instant(until), since, page, alarms=AHEAD))
    return told


def _events(
    user: User, standings: dict[int, TournamentStanding], opened: list[Tournament], now: datetime
) -> list[CalendarEntry]:
    answers = dict(CalendarAnswer.objects.filter(user=user).values_list("event", "comes"))
    entered = {each.calendar_id: user.pk in standings[each.pk].here for each in opened}
    found = CalendarEvent.objects.filter(club__members__user=user, starts_at__gt=now - KEPT).select_related("club")
    told = []
    for event in found.order_by("pk"):
        comes = answers.get(event.pk)
        if comes != Comes.NO:
            sure = comes == Comes.YES or entered.get(event.pk)
            summary = _("%(title)s (%(club)s)") % {"title": event.title, "club": event.club.name}
            told.append(entry(event, Status.CONFIRMED if sure else Status.TENTATIVE, summary))
    return told


def _deadlines(standing: TournamentStanding, player: int) -> list[tuple[int, int]]:
    """The rounds, by number, in which a player has a game to finish, and by when."""
    return [
        (number, each.until)
        for number, each in enumerate(standing.rounds)
        if each.until is not None and any(player in table.players and not table.over for table in each.tables)
    ]
