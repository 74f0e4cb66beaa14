"""Events as calendar programs get them: those of an open club for everybody; `games.tournaments.calendar` has those of
a person."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import Club
from accounts.people import calendar
from accounts.people.calendar import CalendarEntry, Status
from games.calendar.models import CalendarEvent
from games.calendar.services import AHEAD

KEPT = timedelta(days=60)
"""How long an event stays in calendars."""


def entry(event: CalendarEvent, status: Status = Status.CONFIRMED, summary: str = "") -> CalendarEntry:
    """An event in a calendar; one that was cancelled says so. `summary`: its title, unless another is given."""
    return CalendarEntry(
        uid=f"event-{event.pk}",
        summary=summary or event.title,
        starts=event.starts_at,
        ends=event.ends_at,
        changed=event.changed_at,
        sequence=event.changes,
        address=event.get_absolute_url(),
        place=event.place,
        text=event.about,
        status=Status.CANCELLED if event.cancelled_at else status,
        alarms=AHEAD,
    )


def document(club: Club, now: datetime) -> bytes:
    """The public events of a club as a calendar file, in its language; the same as long as nothing changes."""
    found = CalendarEvent.objects.filter(club=club, public=True, starts_at__gt=now - KEPT).order_by("starts_at", "pk")
    told = list[CalendarEntry]()
    for event in found:
        event.club = club
        told.append(entry(event))
    language = club.language if club.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(language):
        name = _("%(club)s on Armarium") % {"club": club.name}
    return calendar.written(name, language, told)
