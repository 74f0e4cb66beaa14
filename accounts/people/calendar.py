"""What is to come for a person, at a secret address that their calendar program asks again and again (RFC 5545).

Each part of the site tells what it knows of (`register`). Moments are in UTC, words in the person's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import get_random_string
from icalendar import Alarm, Calendar, Event

from accounts.models import CalendarAddress, User
from accounts.web import datetimes, links

NAME = "Armarium"
ASKED_AGAIN = timedelta(hours=1)
"""How often programs should ask."""


class Status(Enum):
    """How certain it is, as calendars say it."""

    CONFIRMED = "CONFIRMED"
    TENTATIVE = "TENTATIVE"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True)
class CalendarEntry:
    """Something to come: an appointment or, without an end, a deadline."""

    uid: str
    """The same for as long as it is the same thing, and never that of another: "challenge-7"."""
    summary: str
    starts: datetime
    changed: datetime
    """When it became what it is now."""
    address: str
    """The path of the page that tells more."""
    ends: datetime | None = None
    place: str = ""
    text: str = ""
    status: Status = Status.CONFIRMED
    sequence: int = 0
    """How often it was changed."""
    alarms: tuple[timedelta, ...] = ()
    """How long before it programs remind of it."""


Source = Callable[[User, datetime], list[CalendarEntry]]
_sources: list[Source] = []


def register(*sources: Source) -> None:
    """Let others tell what is to come for a person who may see it, in few queries."""
    _sources.extend(sources)


def address(user: User) -> str:
    """The whole address of a person's calendar; empty if they have none."""
    known = CalendarAddress.objects.filter(user=user).first()
    return links.full(reverse("calendar", args=[known.token])) if known else ""


def renew(user: User) -> None:
    """Give a person's calendar a new address; the old one stops working."""
    CalendarAddress.objects.update_or_create(user=user, defaults={"token": get_random_string(32)})


def remove(user: User) -> None:
    """Let a person's calendar have no address any more."""
    CalendarAddress.objects.filter(user=user).delete()


def owner(token: str) -> User | None:
    """Whose calendar it is; nobody's if the account is closed or banned."""
    known = CalendarAddress.objects.filter(token=token, user__is_active=True, user__closed=False)
    found = known.select_related("user").first() if token.isalnum() else None
    return found.user if found else None


def document(user: User, now: datetime) -> bytes:
    """A person's calendar as a file, the same as long as nothing changes."""
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), datetimes.as_read_by(lambda: datetimes.habits_of(user, "", language)):
        entries = [entry for source in _sources for entry in source(user, now)]
    return written(NAME, language, entries)


def written(name: str, language: str, entries: Iterable[CalendarEntry]) -> bytes:
    """A calendar with a name as a file."""
    site = urlsplit(settings.SITE_URL).hostname
    calendar = Calendar()
    calendar.add("prodid", f"-//{site}//calendar//{language.upper()}")
    calendar.add("version", "2.0")
    for called in ("name", "x-wr-calname"):
        calendar.add(called, name)
    calendar.add("refresh-interval", ASKED_AGAIN, {"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for entry in sorted(entries, key=lambda entry: (entry.starts, entry.uid)):
        calendar.add_component(_event(entry, f"{entry.uid}@{site}"))
    found: bytes = calendar.to_ical()
    return found


def _event(entry: CalendarEntry, uid: str) -> Event:
    event = Event()
    event.add("uid", uid)
    event.add("dtstamp", entry.changed)
    event.add("last-modified", entry.changed)
    event.add("sequence", entry.sequence)
    event.add("dtstart", entry.starts.replace(microsecond=0))
    event.add("summary", entry.summary)
    event.add("url", links.full(entry.address))
    event.add("status", entry.status.value)
    if entry.ends:
        event.add("dtend", entry.ends.replace(microsecond=0))
    else:
        event.add("transp", "TRANSPARENT")
    if entry.place:
        event.add("location", entry.place)
    if entry.text:
        event.add("description", entry.text)
    for ahead in entry.alarms if entry.status != Status.CANCELLED else ():
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", entry.summary)
        alarm.add("trigger", -ahead)
        event.add_component(alarm)
    return event
