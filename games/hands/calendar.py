"""The hand of the day in the calendars of those who asked for it."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people.calendar import CalendarEntry
from games.engine.registry import titles
from games.hands import hands
from games.hands.models import HandTry

AHEAD = 7
"""So many days are told, this one included."""


def entries(user: User, now: datetime) -> list[CalendarEntry]:
    """One entry a day, when its hands begin; today's is gone once all of them have been begun."""
    if not hands.wants_to_know(user):
        return []
    today = hands.today(now)
    done = HandTry.objects.filter(user=user, hand__day=today).count() == len(titles())
    told = []
    for ahead in range(int(done), AHEAD):
        begins = datetime.combine(today + timedelta(days=ahead), time(), UTC)
        uid = f"hand-{begins.date().isoformat()}"
        told.append(CalendarEntry(uid, _("A new hand of the day"), begins, begins, reverse("hands")))
    return told
