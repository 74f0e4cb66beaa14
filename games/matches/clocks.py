"""Clock arithmetic, pure: the time left at any moment, from the times of the log.

Live: each player has a bank and gets an increment for each answer, which never fills it beyond what it was at the
start. Daily: each answer may take a number of days. A payment is one answer, also if its cards are sent one by one
(`State.same_answer`): the clock runs until it is complete.
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


ANSWERS = 55
"""About so many answers each player gives in a game: 45 to 65 in both titles, by the number of players."""


class Clock(NamedTuple):
    """A time control; by default none."""

    pace: str = "none"
    """`live`, `daily` or `none`."""
    bank_ms: int = 0
    """Live: the time that each player has at the start ..."""
    increment_ms: int = 0
    """... and what is added for each answer, up to that time."""
    days: int = 0
    """Daily: the time for each answer."""

    @classmethod
    def live(cls, minutes: int, seconds: int) -> Clock:
        """Minutes each at the start, and seconds for each answer."""
        return cls("live", minutes * MINUTE_MS, seconds * 1000)

    @classmethod
    def daily(cls, days: int) -> Clock:
        """Days for each answer."""
        return cls("daily", days=days)

    @classmethod
    def parse(cls, code: str) -> Clock:
        """What `code` has written. Raises ValueError for anything else."""
        if code == "none":
            return cls()
        if code.endswith("d"):
            return cls.daily(int(code[:-1]))
        minutes, seconds = code.split("+")
        return cls.live(int(minutes), int(seconds))

    @property
    def code(self) -> str:
        """It in a few characters: "10+15" for minutes and seconds, "3d" for days, "none"."""
        if self.pace == "live":
            return f"{self.minutes}+{self.seconds}"
        return f"{self.days}d" if self.pace == "daily" else "none"

    @property
    def minutes(self) -> int:
        """The time at the start, in whole minutes."""
        return self.bank_ms // MINUTE_MS

    @property
    def seconds(self) -> int:
        """What is added for each answer, in whole seconds."""
        return self.increment_ms // 1000

    @property
    def runs(self) -> bool:
        """Whether there is any time to be up."""
        return self.bank_ms > 0 if self.pace == "live" else self.pace == "daily" and self.days > 0


NO_CLOCK = Clock()
LIVE = (Clock.live(5, 10), Clock.live(10, 15), Clock.live(15, 20))
DAILY = (Clock.daily(1), Clock.daily(3), Clock.daily(7))
"""The usual clocks."""
USUAL = LIVE[1]
"""What is proposed."""


def deadline(clock: Clock, asked_at: int, bank_ms: int) -> int | None:
    """When the time of a player who was asked at `asked_at` with `bank_ms` left is up; None without a clock."""
    if clock.days:
        return asked_at + clock.days * DAY_MS
    if clock.bank_ms:
        return asked_at + bank_ms
    return None


def left(clock: Clock, asked_at: int, bank_ms: int, now: int) -> int | None:
    """The time left at `now` to the player who was asked at `asked_at`, never below 0; None without a clock."""
    until = deadline(clock, asked_at, bank_ms)
    return None if until is None else max(0, until - max(now, asked_at))


def bank_after(clock: Clock, asked_at: int, bank_ms: int, at: int) -> int:
    """The bank after an answer that is complete at `at`: less the time taken, plus the increment.

    The increment fills it up to what there was at the start, so that who answers fast saves up nothing to stall with.
    What an outage gave back stays.
    """
    left_ms = max(0, bank_ms - max(0, at - asked_at)) + clock.increment_ms
    return min(left_ms, max(clock.bank_ms, bank_ms)) if clock.bank_ms else bank_ms


def length_ms(clock: Clock, players: int) -> int | None:
    """About how long a game of so many people takes; None without a live clock.

    People take a quarter of their time at the start, and half of what each answer gives them back.
    """
    if not clock.bank_ms:
        return None
    return players * (clock.bank_ms // 4 + ANSWERS * clock.increment_ms // 2)


def negligible(clock: Clock, ms: int) -> bool:
    """Whether this time does not matter beside what an answer may take: less than a minute where it may take days."""
    return clock.days > 0 and ms < MINUTE_MS


def instant(ms: int) -> datetime:
    """The moment this many milliseconds after the beginning of 1970, UTC."""
    return EPOCH + timedelta(milliseconds=ms)


def ms_of(moment: datetime) -> int:
    """The milliseconds from the beginning of 1970 to a moment, rounded down."""
    return (moment - EPOCH) // timedelta(milliseconds=1)


def now_ms() -> int:
    """Milliseconds since the beginning of 1970."""
    return ms_of(datetime.now(UTC))
