"""The answers that are due from a person at correspondence tables, for their calendar."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people.calendar import CalendarEntry
from games.lobby.pending import ROWS, answer_by
from games.matches.models import Match, Seat


def entries(user: User, now: datetime) -> list[CalendarEntry]:
    """One deadline for each running table with days to answer where it is the person's turn."""
    mine = Seat.objects.filter(user=user, left="", match__mover=F("index"), match__status=Match.Status.RUNNING)
    mine = mine.filter(match__pace=Match.Pace.DAILY).select_related("match").prefetch_related("match__seats__user")
    told = []
    for seat in mine.defer("match__secret", "match__link").order_by("match__asked_at", "pk")[:ROWS]:
        match, due = seat.match, answer_by(seat)
        if due and match.asked_at:
            names = ", ".join(other.shown_name for other in match.seats.all() if other.index != seat.index)
            summary = _("%(game)s: your turn at the table with %(names)s") % {"game": match.game_name, "names": names}
            told.append(CalendarEntry(f"turn-{match.key}", summary, due, match.asked_at, match.get_absolute_url()))
    return told
