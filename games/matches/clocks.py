"""Clock arithmetic, pure: the time left at any moment, from the times of the log.

Live: each player has a bank and gets an increment for each answer. Daily: each answer may take a number of days. A
payment is one answer, also if its cards are sent one by one (`State.goes_on`): the clock runs until it is complete.
Times are milliseconds, instants milliseconds since 1970.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY_MS = 24 * 3600 * 1000
MINUTE_MS = 60 * 1000
GRACE_MS = 500
"""An answer that arrives this much after the deadline still counts: the network's share, the same for everybody."""


class Control(NamedTuple):
    """A time control. All zero: no clock."""

    bank_ms: int = 0
    increment_ms: int = 0
    days: int = 0


def deadline(control: Control, asked_at: int, bank_ms: int) -> int | None:
    """When the time of a player who was asked at `asked_at` with `bank_ms` left is up; None without a clock."""
    if control.days:
        return asked_at + control.days * DAY_MS
    if control.bank_ms:
        return asked_at + bank_ms
    return None


def left(control: Control, asked_at: int, bank_ms: int, now: int) -> int | None:
    """The time left at `now` to the player who was asked at `asked_at`, never below 0; None without a clock."""
    until = deadline(control, asked_at, bank_ms)
    return None if until is None else max(0, until - max(now, asked_at))


def bank_after(control: Control, asked_at: int, bank_ms: int, at: int) -> int:
    """The bank after an answer that is complete at `at`: less the time taken, plus the increment."""
    taken = max(0, at - asked_at)
    return max(0, bank_ms - taken) + control.increment_ms if control.bank_ms else bank_ms


def negligible(control: Control, ms: int) -> bool:
    """Whether this time does not matter beside what an answer may take: less than a minute where it may take days."""
    return control.days > 0 and ms < MINUTE_MS


def instant(ms: int) -> datetime:
    """The moment this many milliseconds after the beginning of 1970, UTC."""
    return EPOCH + timedelta(milliseconds=ms)


def ms_of(moment: datetime) -> int:
    """The milliseconds from the beginning of 1970 to a moment, rounded down."""
    return (moment - EPOCH) // timedelta(milliseconds=1)


def now_ms() -> int:
    """Milliseconds since the beginning of 1970."""
    return ms_of(datetime.now(UTC))
