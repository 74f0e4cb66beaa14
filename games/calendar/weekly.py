"""Moments of a weekly series: each at the same time by the clocks of a zone, whatever summer time does. Pure.

Where clocks skip that time, it is as much later as they skip, and where they show it twice, it is the first: as
calendars reckon (RFC 5545, 3.3.5).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

WEEK = timedelta(weeks=1)


def later(at: datetime, weeks: int, zone: str) -> datetime:
    """The moment so many weeks later, at which clocks in a zone (an IANA name) show the same time."""
    if not weeks:
        return at
    clock = at.astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0)
    return (clock + weeks * WEEK).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def between(first: datetime, second: datetime) -> int:
    """How many weeks are between two moments, to the nearest whole one."""
    return round((second - first) / WEEK)
