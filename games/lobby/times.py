"""Time controls, and the time that is left, in words."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.matches.models import Match


class Timed(Protocol):
    """A match, or something that is to become one."""

    @property
    def pace(self) -> str: ...

    @property
    def bank_ms(self) -> int: ...

    @property
    def increment_ms(self) -> int: ...

    @property
    def days(self) -> int: ...


def time_control(match: Timed) -> str:
    """A time control in words."""
    if match.pace == Match.Pace.LIVE:
        seconds = match.increment_ms // 1000
        return _("%(minutes)d min + %(seconds)d s") % {"minutes": match.bank_ms // 60_000, "seconds": seconds}
    if match.pace == Match.Pace.DAILY:
        return ngettext("%(days)d day a move", "%(days)d days a move", match.days) % {"days": match.days}
    return _("No clock")


def duration(ms: int) -> str:
    """A time, roughly."""
    minutes = ms // 60_000
    days, hours = minutes // 1440, minutes % 1440 // 60
    if days:
        return _("%(days)d d %(hours)d h") % {"days": days, "hours": hours}
    if hours:
        return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes % 60}
    return _("%(minutes)d min") % {"minutes": minutes}


def left(deadline: datetime, now: datetime) -> str:
    """The time until a deadline, roughly: nobody looks at seconds in the lobby."""
    minutes = max(0, int((deadline - now).total_seconds())) // 60
    days, hours = minutes // 1440, minutes % 1440 // 60
    if days:
        return _("%(days)d d %(hours)d h left") % {"days": days, "hours": hours}
    if hours:
        return _("%(hours)d h left") % {"hours": hours}
    return _("%(minutes)d min left") % {"minutes": minutes} if minutes else _("less than a minute left")
