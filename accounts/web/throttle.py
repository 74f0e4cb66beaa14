"""Limits on actions that cost the site or bother others: all of them in one table.

They are counted in the cache, which all processes share; in the memory of this process while the cache is away. Where
asking a cache would cost more than what is counted, each process counts for itself.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from django.conf import settings
from django.core.cache import cache, caches
from django.core.cache.backends.base import BaseCache
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.web.network import WIDER, Network, network_of
from accounts.web.refused import Refused

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

log = logging.getLogger(__name__)
clock = time.time

MINUTE_S = 60
HOUR_S = 3600
DAY_S = 24 * HOUR_S
AWAY_S = 5
"""A cache that did not answer is not asked again for this long: it would hold up every page."""
away_until = 0.0
"""Until when the cache is not asked; 0 if it answered last."""


class Limit(NamedTuple):
    """At most `times` in any `seconds`, nearly (see Window); what is refused does not count."""

    times: int
    seconds: int
    says: StrOrPromise
    """The message for somebody who has reached it, without when to try again."""
    shared: bool = True
    """Counted for all processes together, in the cache; otherwise in each process by itself, only for short times."""
    a_day: int = 0
    """If not 0, no more than so many a day either: what is appended for good must not grow without end."""


LIMITS = {
    # by network
    "newcomers": Limit(settings.NEWCOMERS_AN_HOUR, HOUR_S, _("Many people have just joined from your network.")),
    "sign-ins": Limit(5 * settings.NEWCOMERS_AN_HOUR, HOUR_S, _("Too many wrong passwords from your network.")),
    "network passwords": Limit(
        5 * settings.NEWCOMERS_AN_HOUR, MINUTE_S, _("Many passwords have just been entered on your network.")
    ),
    "mails": Limit(10, HOUR_S, _("Too many mails requested from your network.")),
    "log": Limit(240, MINUTE_S, _("That was a lot of the public log.")),
    "status": Limit(60, MINUTE_S, _("You’ve asked for the status many times."), shared=False),
    # by network, of guests only
    "guest games": Limit(5 * settings.NEWCOMERS_AN_HOUR, HOUR_S, _("Guests on your network have started many games.")),
    "answers": Limit(
        3 * settings.NEWCOMERS_AN_HOUR, 10, _("Guests on your network are sending answers too fast."), shared=False
    ),
    # by person; guests and strangers by network
    "reviews": Limit(3 * settings.NEWCOMERS_AN_HOUR, MINUTE_S, _("You’ve looked at many games in a short time.")),
    "hints": Limit(60, MINUTE_S, _("You’ve asked for many hints in a short time.")),
    "receipts": Limit(120, MINUTE_S, _("You’ve taken many receipts in a short time.")),
    "exports": Limit(20, 10 * MINUTE_S, _("You’ve downloaded many archives in a short time.")),
    "searches": Limit(60, MINUTE_S, _("You’ve opened many pages of archives in a short time.")),
    "feeds": Limit(120, MINUTE_S, _("You’ve asked for many feeds in a short time.")),
    # by whose calendar it is
    "calendars": Limit(120, HOUR_S, _("This calendar was asked for many times in the last hour.")),
    # by name: wrong passwords
    "guesses": Limit(5, 15 * MINUTE_S, _("Too many wrong passwords for this name.")),
    "guesses elsewhere": Limit(
        30,
        HOUR_S,
        _(
            "Too many wrong passwords were tried for this name. If it’s yours, sign in on a device you’ve used "
            "before, or reset your password by mail."
        ),
    ),
    # by event, club and steward: games that begin there
    "event games": Limit(500, HOUR_S, _("Many games of this event have begun in the last hour."), a_day=1500),
    "club games": Limit(1000, HOUR_S, _("Many games of this club have begun in the last hour."), a_day=3000),
    "games for others": Limit(1000, HOUR_S, _("You’ve begun many games for others in the last hour."), a_day=3000),
    # by mail address: mails for a new password, mails to confirm it, invitations to clubs, notices. Nobody is told
    # that it is reached. `from` is by who asks or causes them as well, `urgent` is for what costs something if missed.
    "mails to": Limit(5, HOUR_S, ""),
    "links from": Limit(2, 8 * HOUR_S, ""),
    "links to": Limit(3, 8 * HOUR_S, ""),
    "invitations from": Limit(1, DAY_S, ""),
    "invitations to": Limit(3, DAY_S, ""),
    "letters from": Limit(10, HOUR_S, ""),
    "letters to": Limit(30, HOUR_S, ""),
    "urgent letters from": Limit(3, 10 * MINUTE_S, ""),
    "urgent letters to": Limit(6, 10 * MINUTE_S, ""),
    # by person
    "entries": Limit(30, HOUR_S, _("This name has signed in many times in the last hour.")),
    "passwords": Limit(10, MINUTE_S, _("You’ve entered your password many times in a short time.")),
    "tables": Limit(10, MINUTE_S, _("You’ve opened many tables in a short time.")),
    "quick": Limit(20, MINUTE_S, _("You’ve joined and left many times in a short time.")),
    "room": Limit(60, MINUTE_S, _("You’ve made many changes at tables in a short time.")),
    "founding": Limit(5, HOUR_S, _("You’ve founded several clubs in the last hour.")),
    "clubs": Limit(20, MINUTE_S, _("You’ve joined and left clubs many times in a short time."), a_day=100),
    "invitations": Limit(20, HOUR_S, _("You’ve written to many people in the last hour.")),
    "mail invitations": Limit(50, DAY_S, _("You’ve invited many people by mail today.")),
    "event invitations": Limit(200, DAY_S, _("You’ve asked many people to events today.")),
    # by the steward who asks and the person who is asked
    "event invitations to": Limit(2, DAY_S, _("You’ve asked one of these people to several events today.")),
    "webhooks": Limit(20, HOUR_S, _("You’ve added or tested many webhooks in the last hour.")),
    "ladder": Limit(30, MINUTE_S, _("You’ve done a lot on ladders in a short time."), a_day=200),
    "challenges": Limit(20, HOUR_S, _("You’ve made many challenges in the last hour."), a_day=60),
    "table results": Limit(60, DAY_S, _("You’ve entered many results today.")),
    "analyses": Limit(20, HOUR_S, _("You’ve had many games looked at in the last hour."), a_day=100),
    "follows": Limit(60, MINUTE_S, _("You’ve followed many players in a short time.")),
    "messages": Limit(20, MINUTE_S, _("You’re writing too fast.")),
    "new messages": Limit(15, DAY_S, _("You’ve written to many players for the first time today.")),
    "posts": Limit(10, 10 * MINUTE_S, _("You’ve written many posts in a short time."), a_day=60),
    "links": Limit(6, DAY_S, _("You’ve asked for many mails today.")),
    "letters": Limit(600, DAY_S, ""),
    "reports": Limit(5, HOUR_S, _("You’ve sent several reports in the last hour.")),
    "desk": Limit(60, MINUTE_S, _("You’ve made many changes at the desk in a short time."), a_day=400),
    "openings": Limit(10, HOUR_S, _("You’ve opened many events and seasons in the last hour."), a_day=30),
    "chat": Limit(6, 20, _("You’re writing too fast.")),
    "moves": Limit(settings.PAGE_MESSAGES, 10, _("You’re sending answers too fast."), shared=False),
}
"""The limits by name. `accounts.people.guesses` counts passwords, `games.table.socket` the messages of a page."""


class TooMany(Refused):
    """A limit is reached: the text says so to a person. The middleware answers with status 429."""

    def __init__(self, limit: Limit, wait_s: int) -> None:
        super().__init__(_("%(limit)s Try again in %(time)s.") % {"limit": limit.says, "time": in_words(wait_s)})
        self.wait_s = wait_s


def count(what: str, who: object, more: int = 1) -> None:
    """Count one more of these for a person or a network, or so many. Raises TooMany, and counts nothing, beyond the
    limit."""
    counted = []
    for window, times in windows(what, who):
        before, now = window.before(), window.add(more)
        counted.append(window)
        if before * (1 - window.passed) + now > times:
            for each in counted:
                each.add(-more)
            raise TooMany(window.limit, wait_s(times, before, now - more, window, more))


def count_all(counts: Collection[tuple[str, object]], more: int) -> None:
    """Count so many more of each of these things. Raises TooMany, and counts nothing, beyond one of the limits."""
    counted = list[tuple[str, object]]()
    for what, who in counts:
        try:
            count(what, who, more)
        except TooMany:
            for each in counted:
                give_back(*each, more)
            raise
        counted.append((what, who))


def check(what: str, who: object) -> None:
    """Raise TooMany if one more of these would be refused; nothing is counted."""
    count(what, who)
    give_back(what, who)


def give_back(what: str, who: object, less: int = 1) -> None:
    """Take back what was counted a moment ago, because it did not matter after all."""
    for window, _times in windows(what, who):
        window.add(-less)


def windows(what: str, who: object) -> list[tuple[Window, int]]:
    """The windows that this counts in, and how many each may have: a second one for what is limited by day as well, and
    for IPv6, of the wider network."""
    limit = LIMITS[what]
    kind = Window if limit.shared else OwnWindow
    found = [(kind.of(what, str(who), limit), limit.times)]
    if limit.a_day:
        daily = Limit(limit.a_day, DAY_S, _("This has been done very often today."))
        found.append((Window.of(f"{what} a day", str(who), daily), daily.times))
    if isinstance(who, Network) and who.wide:
        found.append((kind.of(what, who.wide, limit), WIDER * limit.times))
    return found


def within(what: str, who: object) -> bool:
    """Count one more as `count` does; False beyond the limit."""
    return not full_s((what, who))


def full_s(*counted: tuple[str, object]) -> int:
    """Count one more of each of these, and return 0; or count nothing, and return in how many seconds, at least one,
    there may be room for it in the first that has none."""
    for number, (what, who) in enumerate(counted):
        try:
            count(what, who)
        except TooMany as often:
            for before in counted[:number]:
                give_back(*before)
            return often.wait_s
    return 0


class Window(NamedTuple):
    """The count of one thing for one person or network, in the present window of time and the one before.

    Everybody's windows begin at the same moments, such as the full hour, so that no count needs a time of its own. The
    window before counts in so far as it lies within the last `seconds`, as if all of it had been spread evenly.
    """

    key: str
    number: int
    passed: float
    """How much of the present window is over, from 0 to 1."""
    limit: Limit

    @classmethod
    def of(cls, what: str, whose: str, limit: Limit) -> Self:
        number, passed_s = divmod(clock(), limit.seconds)
        # Any text makes a good key this way, and the cache holds nobody's address.
        key = sha256(f"{what} {whose}".encode(errors="replace")).hexdigest()[:32]
        return cls(key, int(number), passed_s / limit.seconds, limit)

    def before(self) -> int:
        """How many there were in the window before."""
        return counted(lambda cache: cache.get(f"{self.key}{self.number - 1}", 0))

    def add(self, more: int) -> int:
        """Add to the present window. Returns how many there are now."""

        def added(cache: BaseCache) -> int:
            key = f"{self.key}{self.number}"
            cache.add(key, 0, 2 * self.limit.seconds)
            return cache.incr(key, more)

        return counted(added)


class OwnWindow(Window):
    """A window in which each process counts for itself."""

    counts: ClassVar[dict[tuple[int, int], Counter[str]]] = {}
    """By the length and number of a window: what was counted in it. Only the last two of a length are kept."""
    lock: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def of(cls, what: str, whose: str, limit: Limit) -> Self:
        number, passed_s = divmod(clock(), limit.seconds)
        return cls(f"{what} {whose}", int(number), passed_s / limit.seconds, limit)

    def before(self) -> int:
        counts = self.counts.get((self.limit.seconds, self.number - 1))
        return counts[self.key] if counts else 0

    def add(self, more: int) -> int:
        window = self.limit.seconds, self.number
        with self.lock:
            now = self.counts.get(window)
            if now is None:
                for seconds, number in list(self.counts):
                    if seconds == self.limit.seconds and number < self.number - 1:
                        del self.counts[seconds, number]
                now = self.counts[window] = Counter()
            now[self.key] += more
            return now[self.key]


def wait_s(times: int, before: int, now: int, window: Window, more: int = 1) -> int:
    """In how many seconds so many more are possible, with so many in the window before and in the present one."""
    room = times - more
    if now <= room:
        part = 1 - (room - now) / before - window.passed
    else:
        part = 1 - window.passed + (1 - room / now if now else 0)
    return max(1, math.ceil(part * window.limit.seconds))


def counted(ask: Callable[[BaseCache], int]) -> int:
    """What the cache answers, or the memory of this process if it is away."""
    global away_until
    if clock() >= away_until:
        try:
            answer = ask(cache)
        except Exception:  # each kind of cache has errors of its own
            if not away_until:
                log.exception("The cache is away; until it is back each process counts for itself.")
            away_until = clock() + AWAY_S
        else:
            away_until = 0.0
            return answer
    return ask(caches["memory"])


def address(request: HttpRequest) -> Network:
    """The network from which a request comes."""
    return network_of(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))


def visitor(request: HttpRequest) -> object:
    """By whom is counted what costs the site: people with an account by themselves, so that nobody else in their
    network can use up what is theirs; guests and strangers by network."""
    user = request.user
    return user.pk if user.is_authenticated and not user.guest else address(request)


def in_words(seconds: int) -> str:
    """A time in words: "40 seconds", "2 minutes"."""
    if seconds <= 90:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    minutes = math.ceil(seconds / 60)
    return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
