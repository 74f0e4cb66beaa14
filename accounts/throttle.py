"""Limits on actions that cost the site or bother others: all of them in one table.

They are counted in the cache, which all processes share; in the memory of this process while the cache is away, and
where asking it would cost more than what is counted.
"""

from __future__ import annotations

import logging
import math
import time
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.core.cache import cache, caches
from django.core.cache.backends.base import BaseCache
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.names import folded

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
    """At most `times` in `seconds`."""

    times: int
    seconds: int
    says: StrOrPromise
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
    # by mail address: mails for a new password, mails to confirm it, notices. Nobody is told that it is reached.
    "mails to": Limit(5, HOUR_S, ""),
    "links to": Limit(3, DAY_S, ""),
    "letters to": Limit(30, HOUR_S, ""),
    # by person
    "tables": Limit(10, MINUTE_S, _("You have opened many tables just now.")),
    "quick": Limit(20, MINUTE_S, _("You have joined and left often just now.")),
    "room": Limit(60, MINUTE_S, _("You have changed a lot at tables just now.")),
    "founding": Limit(5, HOUR_S, _("You have founded several clubs within an hour.")),
    "clubs": Limit(20, MINUTE_S, _("You have joined and left clubs often just now.")),
    "invitations": Limit(20, HOUR_S, _("You have written to many people within an hour.")),
    "ladder": Limit(30, MINUTE_S, _("You have done a lot on ladders just now.")),
    "challenges": Limit(20, HOUR_S, _("You have made many challenges within an hour.")),
    "links": Limit(6, DAY_S, _("You have asked for many mails within a day.")),
    "letters": Limit(600, DAY_S, ""),
    "reports": Limit(5, HOUR_S, _("You have written several reports within an hour.")),
    "desk": Limit(60, MINUTE_S, _("You have changed a lot at the desk just now.")),
    "chat": Limit(6, 20, _("You are writing too fast.")),
    "moves": Limit(settings.PAGE_MESSAGES, 10, _("You are sending answers too fast."), shared=False),
}
"""The limits by name. django-axes limits wrong passwords (settings), `games.table.socket` the messages of a page."""


class TooMany(Exception):
    """A limit is reached: the text says so to a person. The middleware answers with status 429."""

    def __init__(self, limit: Limit, wait_s: int) -> None:
        super().__init__(_("%(limit)s Try again in %(time)s.") % {"limit": limit.says, "time": in_words(wait_s)})
        self.wait_s = wait_s


def count(what: str, who: object) -> None:
    """Count one more of these for a person or an address. Raises TooMany beyond the limit.

    Everybody's counts start at the same moments, such as the full hour, so that no count needs a time of its own.
    """
    limit = LIMITS[what]
    period, passed_s = divmod(clock(), limit.seconds)
    # Any text makes a good key this way, and the cache holds nobody's address.
    key = sha256(f"{what} {who} {period}".encode(errors="replace")).hexdigest()
    if counted(key, limit) > limit.times:
        raise TooMany(limit, math.ceil(limit.seconds - passed_s))


def within(what: str, who: object) -> bool:
    """Count one more as `count` does; False beyond the limit."""
    try:
        count(what, who)
    except TooMany:
        return False
    return True


def counted(key: str, limit: Limit) -> int:
    """Count one more under this key, in memory if the cache is away. Returns how many there are now."""
    global away_until
    if limit.shared and clock() >= away_until:
        try:
            times = one_more(cache, key, limit.seconds)
        except Exception:  # each kind of cache has errors of its own
            if not away_until:
                log.exception("The cache is away; until it is back each process counts for itself.")
            away_until = clock() + AWAY_S
        else:
            away_until = 0.0
            return times
    return one_more(caches["memory"], key, limit.seconds)


def one_more(cache: BaseCache, key: str, seconds: int) -> int:
    cache.add(key, 0, seconds)
    return cache.incr(key)


def address(request: HttpRequest) -> str | None:
    """The client's address: behind a proxy that speaks HTTPS the last one it has noted, otherwise the peer's."""
    noted = request.headers.get("X-Forwarded-For", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return noted.split(",")[-1].strip() or request.META.get("REMOTE_ADDR")


def name_tried(request: HttpRequest, credentials: dict[str, str] | None) -> str:
    """The name for which a password was tried, folded so that another case is no other name."""
    return folded((credentials or request.POST).get("username") or "")[:150]


def in_words(seconds: int) -> str:
    """A time in words: "40 seconds", "2 minutes"."""
    if seconds <= 90:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    minutes = math.ceil(seconds / 60)
    return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
