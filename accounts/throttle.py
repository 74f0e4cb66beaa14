"""Limits on actions that cost the site or bother others: all of them in one table.

They are counted in the cache, which all processes share; in the memory of this process while the cache is away, and
where asking it would cost more than what is counted.
"""

import logging
import math
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.names import folded

log = logging.getLogger(__name__)
T = TypeVar("T")

MINUTE_S = 60
HOUR_S = 3600


class Limit(NamedTuple):
    """At most so many times in so many seconds."""

    times: int
    seconds: int
    says: str
    """The message for somebody who has reached it, without when to try again."""
    shared: bool = True
    """Counted for all processes together, in the cache; otherwise in each process by itself."""


LIMITS = {
    # by network address
    "newcomers": Limit(settings.NEWCOMERS_AN_HOUR, HOUR_S, _("Many people have joined from your network just now.")),
    "sign-ins": Limit(
        5 * settings.NEWCOMERS_AN_HOUR, HOUR_S, _("Many people have tried to sign in from your network.")
    ),
    "mails": Limit(10, HOUR_S, _("Many mails have been requested from your network.")),
    "exports": Limit(20, 10 * MINUTE_S, _("You have downloaded many archives.")),
    "searches": Limit(60, MINUTE_S, _("You have opened many pages of archives.")),
    # by mail address: mails that were asked for, and notices
    "mails to": Limit(5, HOUR_S, _("Many mails have been sent to this address.")),
    "letters": Limit(30, HOUR_S, _("Many mails have been sent to this address.")),
    # by person
    "tables": Limit(10, MINUTE_S, _("You have opened many tables just now.")),
    "quick": Limit(20, MINUTE_S, _("You have joined and left often just now.")),
    "room": Limit(60, MINUTE_S, _("You have changed a lot at tables just now.")),
    "founding": Limit(5, HOUR_S, _("You have founded several clubs within an hour.")),
    "clubs": Limit(20, MINUTE_S, _("You have joined and left clubs often just now.")),
    "invitations": Limit(20, HOUR_S, _("You have written to many people within an hour.")),
    "ladder": Limit(30, MINUTE_S, _("You have done a lot on ladders just now.")),
    "challenges": Limit(20, HOUR_S, _("You have made many challenges within an hour.")),
    "reports": Limit(5, HOUR_S, _("You have written several reports within an hour.")),
    "desk": Limit(60, MINUTE_S, _("You have changed a lot at the desk just now.")),
    "chat": Limit(6, 20, _("You are writing too fast.")),
    "moves": Limit(settings.PAGE_MESSAGES, 10, _("You are sending answers too fast."), shared=False),
}
"""The limits by name. django-axes limits wrong passwords (settings), `games.table.socket` the messages of a page."""


class TooMany(Exception):
    """A limit is reached: the text says so to a person. The middleware answers with status 429."""

    def __init__(self, limit: Limit, wait_s: int) -> None:
        again = _("Try again in %(time)s.") % {"time": in_words(wait_s)}
        super().__init__(f"{limit.says} {again}")
        self.wait_s = wait_s


class Memory:
    """Counts in this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = 10_000) -> None:
        self.clock, self.most = clock, most
        self.counts: dict[str, tuple[int, float]] = {}
        """By key, how often it came up and until when that counts."""
        self.lock = threading.Lock()

    def count(self, key: str, seconds: int) -> int:
        """Count once more. Returns the count since the first of them, at most `seconds` ago."""
        with self.lock:
            now = self.clock()
            count, until = self.counts.get(key, (0, 0.0))
            if until <= now:
                if len(self.counts) >= self.most:
                    self.forget(now)
                count, until = 0, now + seconds
            self.counts[key] = count + 1, until
            return count + 1

    def left_s(self, key: str) -> float:
        """The number of seconds for which they will still count."""
        return self.counts.get(key, (0, 0.0))[1] - self.clock()

    def forget(self, now: float) -> None:
        """Make room: drop what no longer counts or, if that is not enough, everything."""
        self.counts = {key: kept for key, kept in self.counts.items() if kept[1] > now}
        if len(self.counts) > self.most // 2:
            self.counts.clear()


class Shared:
    """Counts in the cache. While that is away, counts in memory and tries the cache again every few seconds."""

    AWAY_S = 5

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.memory = Memory(clock)
        self.away_until = 0.0

    def count(self, key: str, seconds: int) -> int:
        """As `Memory.count`."""

        def in_cache() -> int:
            cache.add(key, 0, seconds)
            try:
                count = cache.incr(key)
            except ValueError:  # it expired just now
                return 1
            if count == 1:
                # Again, because a key that expired between the two would have come back without an expiry.
                cache.touch(key, seconds)
                cache.set(f"{key}:until", self.clock() + seconds, seconds)
            return count

        return self.ask(in_cache, lambda: self.memory.count(key, seconds))

    def left_s(self, key: str) -> float:
        """As `Memory.left_s`."""
        return self.ask(lambda: cache.get(f"{key}:until", 0.0) - self.clock(), lambda: self.memory.left_s(key))

    def ask(self, in_cache: Callable[[], T], otherwise: Callable[[], T]) -> T:
        if self.clock() < self.away_until:
            return otherwise()
        try:
            answer = in_cache()
        except Exception:  # each kind of cache has errors of its own
            if not self.away_until:
                log.exception("The cache is away; until it is back each process counts for itself.")
            self.away_until = self.clock() + self.AWAY_S
            return otherwise()
        self.away_until = 0.0
        return answer


shared, own = Shared(), Memory()


def count(what: str, who: object) -> None:
    """Count one of these for a person or an address. Raises TooMany beyond the limit."""
    limit = LIMITS[what]
    counter = shared if limit.shared else own
    # Hashed, any text makes a good key, and the cache holds nobody's address.
    key = f"throttle:{sha256(f'{what} {who}'.encode(errors='replace')).hexdigest()}"
    if counter.count(key, limit.seconds) > limit.times:
        raise TooMany(limit, max(1, math.ceil(counter.left_s(key))))


def address(request: HttpRequest) -> str | None:
    """The client's address: behind a proxy that speaks HTTPS the last one it has noted, otherwise the peer's."""
    noted = request.headers.get("X-Forwarded-For", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return noted.split(",")[-1].strip() or request.META.get("REMOTE_ADDR")


def name_tried(request: HttpRequest, credentials: dict | None) -> str:
    """The name for which a password was tried, folded so that another case is no other name."""
    return folded((credentials or request.POST).get("username") or "")[:150]


def in_words(seconds: int) -> str:
    """A time in words: "40 seconds", "2 minutes"."""
    if seconds <= 90:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    minutes = math.ceil(seconds / 60)
    return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
