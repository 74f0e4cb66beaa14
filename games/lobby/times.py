"""Time controls, in words and to choose from, and the time that is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.matches.clocks import MINUTE_MS, USUAL, Clock, length_ms
from games.matches.playable import Pace

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LENGTH = gettext_lazy("A game takes about as many minutes for each player: 20 for two at 10 min.")
"""What the usual live clocks come to (`length_ms`), where one is chosen."""
OWN = "own"
"""The choice of a time control that is none of those offered."""


def time_control(clock: Clock) -> str:
    """A time control in words, in short: "5 min + 10 s", "3 days a move"."""
    if clock.pace == Pace.LIVE:
        return _("%(minutes)d min + %(seconds)d s") % {"minutes": clock.minutes, "seconds": clock.seconds}
    if clock.pace == Pace.DAILY:
        return ngettext("%(days)d day a move", "%(days)d days a move", clock.days) % {"days": clock.days}
    return _("No clock")


def time_a_move(clock: Clock) -> str:
    """A time control in words, where it is chosen: "5 min + 10 s a move"."""
    if clock.pace != Pace.LIVE:
        return time_control(clock)
    return _("%(minutes)d min + %(seconds)d s a move") % {"minutes": clock.minutes, "seconds": clock.seconds}


def length(clock: Clock, players: int) -> str:
    """How long a live game of so many takes: "about 25 min", to the nearest five; empty if nobody can say."""
    ms = length_ms(clock, players)
    minutes = 0 if ms is None else max(5, 5 * round(ms / (5 * MINUTE_MS)))
    return _("about %(minutes)d min") % {"minutes": minutes} if minutes else ""


def time_with_pace(clock: Clock) -> str:
    """A time control in words, where both paces are to be chosen from."""
    if clock.pace == Pace.LIVE:
        words = {"minutes": clock.minutes, "seconds": clock.seconds}
        return _("Live: %(minutes)d min + %(seconds)d s a move") % words
    days = ngettext("By correspondence: %(days)d day a move", "By correspondence: %(days)d days a move", clock.days)
    return days % {"days": clock.days}


class ClockField(forms.ChoiceField):
    """A time control to choose, of some; its value is a Clock, or None if it is to be somebody's `own`."""

    def __init__(
        self,
        clocks: Sequence[Clock],
        *,
        own: StrOrPromise = "",
        words: Callable[[Clock], str] = time_a_move,
        initial: Clock = USUAL,
        **kwargs: Any,
    ) -> None:
        """`own`: what to call a choice beside these, if there is one; `words`: what to call these."""
        self.clocks, self.own, self.words, self.usual = clocks, own, words, initial
        super().__init__(choices=self._choices, initial=initial.code, **kwargs)

    def _choices(self) -> list[tuple[str, StrOrPromise]]:
        return [*((clock.code, self.words(clock)) for clock in self.clocks), *([(OWN, self.own)] if self.own else [])]

    def clean(self, value: Any) -> Clock | None:
        code = super().clean(value)
        if code == OWN:
            return None
        return Clock.parse(code) if code else self.usual


def duration(ms: int) -> str:
    """A time, roughly."""
    minutes = ms // MINUTE_MS
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
