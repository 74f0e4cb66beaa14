"""Days and times as each reader is used to them: in their zone, in their order, by their clock.

Whatever draws for somebody does so within `as_read_by`. Outside, as in mails, all is in UTC, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone
from django.utils.dateformat import format as written
from django.utils.formats import get_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.text.numbers import digits
from accounts.web.requests import Visitor

COOKIE = "zone"
"""The cookie in which the browser tells its zone (static/js/zone.js)."""
MONTH_FIRST = frozenset({"US", "PH"})
TWELVE_HOURS = frozenset({"US", "PH", "CA", "AU", "NZ", "IN", "PK", "BD", "EG", "SA", "MY", "CO"})
"""Countries by how English is written there; in all others the day comes first, and the day has 24 hours."""
DAYS: dict[str, tuple[str, str]] = {
    User.Dates.DAY: ("j M Y", "j M"),
    User.Dates.MONTH: ("M j, Y", "M j"),
    User.Dates.YEAR: ("Y-m-d", "m-d"),
}
"""Formats of a day, with and without the year, as Django's filter "date" has them."""
TIMES: dict[str, str] = {User.Clock.FULL: "H:i", User.Clock.HALF: "g:i a"}
JUST_NOW = timedelta(minutes=1)


class Habits(NamedTuple):
    """How somebody reads days and times. Empty: nobody knows the zone; as the language has it."""

    zone: str = ""
    dates: str = ""
    clock: str = ""


UNKNOWN = Habits()
_habits: ContextVar[Callable[[], Habits]] = ContextVar("habits", default=lambda: UNKNOWN)


@lru_cache(maxsize=1)
def zones() -> tuple[str, ...]:
    """The time zones to choose from, by continent and city."""
    return tuple(
        sorted(zone for zone in available_timezones() if re.match(r"[A-Z][a-z]+/[A-Z]", zone) and "Etc/" not in zone)
    )


def habits_of(user: Visitor, zone: str, languages: str) -> Habits:
    """The habits of a visitor: as they have chosen, otherwise by the zone that their browser tells and by its
    `languages`, the header Accept-Language."""
    chosen = (user.zone, user.dates, user.clock) if user.is_authenticated else ("", "", "")
    country = re.match(r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?-([A-Za-z]{2})\b", languages)
    of = country[1].upper() if country else ""
    english = (get_language() or "en").startswith("en")
    dates = (User.Dates.MONTH if of in MONTH_FIRST else User.Dates.DAY) if english else ""
    clock = (User.Clock.HALF if of in TWELVE_HOURS else User.Clock.FULL) if english else ""
    zone = chosen[0] or zone
    return Habits(zone if zone in all_zones() else "", chosen[1] or dates, chosen[2] or clock)


@lru_cache(maxsize=1)
def all_zones() -> frozenset[str]:
    return frozenset(available_timezones())


@contextmanager
def as_read_by(habits: Callable[[], Habits]) -> Iterator[None]:
    """Write days and times for a reader with these habits, asked for when the first is written."""
    token = _habits.set(cache(habits))
    try:
        yield
    finally:
        _habits.reset(token)


def zone() -> tzinfo:
    """The reader's zone; UTC if nobody knows it."""
    name = zone_name()
    return ZoneInfo(name) if name else UTC


def zone_name() -> str:
    """The name of the reader's zone; empty if nobody knows it."""
    return _habits.get()().zone


def days_are_of() -> str:
    """What is said where days are to be entered: nothing if they are those of the reader's zone."""
    return "" if _habits.get()().zone else _("Days are in UTC.")


def day(at: date) -> str:
    """The day of a moment, or a day: "22 Nov 2026"."""
    return digits(written(local(at), _format(0)))


def short_day(at: date) -> str:
    """The day without its year: "22 Nov"."""
    return digits(written(local(at), _format(1)))


def time_of_day(at: datetime) -> str:
    """The time of a moment: "15:30", with "UTC" if nobody knows the reader's zone."""
    habits = _habits.get()()
    time = digits(written(local(at), TIMES.get(habits.clock) or get_format("TIME_FORMAT")))
    return time if habits.zone else _("%(time)s UTC") % {"time": time}


def full(at: datetime) -> str:
    """A whole moment: "22 Nov 2026, 15:30"."""
    return _("%(day)s, %(time)s") % {"day": day(at), "time": time_of_day(at)}


def moment(at: datetime) -> SafeString:
    """A moment to come, with the day of the week, as HTML: "Sun 22 Nov, 15:30"."""
    names = {"weekday": written(local(at), "D"), "day": short_day(at), "time": time_of_day(at)}
    return _element(at, _("%(weekday)s %(day)s, %(time)s") % names, "moment")


def when(at: datetime) -> SafeString:
    """A moment, as HTML: "just now", "today 10:16", "yesterday 10:16", and otherwise the day."""
    now = timezone.now()
    if now - JUST_NOW < at <= now:
        return _element(at, _("just now"))
    days = (local(at).date() - local(now).date()).days
    if days == 0:
        told = _("today %(time)s")
    elif days == -1:
        told = _("yesterday %(time)s")
    elif days == 1:
        told = _("tomorrow %(time)s")
    else:
        return _element(at, day(at), "when")
    return _element(at, told % {"time": time_of_day(at)}, "when")


def local(at: date) -> datetime:
    """A moment in the reader's zone; a day as it is."""
    return at.astimezone(zone()) if isinstance(at, datetime) else datetime(at.year, at.month, at.day)


def _format(which: int) -> str:
    of_language = ("DATE_FORMAT", "MONTH_DAY_FORMAT")[which]
    formats = DAYS.get(_habits.get()().dates)
    return formats[which] if formats else get_format(of_language)


def _element(at: datetime, told: str, way: str = "") -> SafeString:
    """`way`: how static/js/moments.js tells it by the reader's clock, if the site does not know their zone."""
    mark = format_html(' data-told="{}"', way) if way and not _habits.get()().zone else ""
    return format_html(
        '<time datetime="{}" title="{}"{}>{}</time>', local(at).isoformat(timespec="seconds"), full(at), mark, told
    )
