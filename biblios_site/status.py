"""The page `/status`: what works at this moment, for everybody, in plain words.

It comes even when the database is away, and is the same for everybody. Of games it tells only how many anybody may
watch, which the page of those tells too: a number that counted others as well would rise when a private one begins.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.web import throttle
from biblios_site import health
from games import vitals
from games.lobby import watching
from games.matches.models import Outage
from games.transparency.models import TreeHead

FRESH_S = 5
"""For how long a process tells the same ..."""
KEPT_S = 15
"""... and for how long it still does while it looks again."""
WAIT_S = 4
"""How long it waits for the first look."""
LOOKED_BACK = timedelta(days=30)
"""The time of which interruptions are told."""
HEAD_LATE = timedelta(days=1, hours=2)
"""A day should be signed two hours after its end; the one before it is then no longer the last."""
KEY = "status"
_looking = Lock()


class Works(NamedTuple):
    """What works; with the usual values, the database does not answer, and of most nobody knows."""

    database: bool = False
    linked: bool = True
    """Whether processes hear of each other at once."""
    playing: int = 0
    beat: datetime | None = None
    """When a worker answered last; empty if nobody knows."""
    stands_still: bool = False
    mail: bool | None = None
    """Whether mails go out in time; None if this site sends none."""
    head: TreeHead | None = None
    head_late: bool = False
    outages: int = 0
    """How many interruptions there were lately ..."""
    minutes: int = 0
    """... how many minutes they took, rounded up ..."""
    last: datetime | None = None
    """... and when the last one ended."""

    @property
    def all_well(self) -> bool:
        return self.database and self.linked and not (self.stands_still or self.mail is False or self.head_late)


def look() -> Works:
    """What works, by looking."""
    linked = not health.fault("redis")
    now = timezone.now()
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(health.PROBE, [1])
            cursor.execute(health.PROBE, [-1])
        head = vitals.signed()
        since = int((now - LOOKED_BACK).timestamp() * 1000)
        times = list(Outage.objects.filter(ended__gte=since).order_by("ended").values_list("began", "ended"))
        beat = vitals.beat()
        return Works(
            database=True,
            linked=linked,
            playing=watching.number(),
            beat=beat,
            stands_still=vitals.overdue() or (beat is not None and now - beat > vitals.STALE),
            mail=not vitals.mail_late() if settings.SENDS_MAIL else None,
            head=head,
            head_late=head is not None and now - vitals.closed(head) > HEAD_LATE,
            outages=len(times),
            minutes=-(-sum(ended - began for began, ended in times) // 60_000),
            last=datetime.fromtimestamp(times[-1][1] / 1000, now.tzinfo) if times else None,
        )
    except DatabaseError:
        return Works(linked=linked)


def known() -> Works:
    """What works, as somebody found out in the last seconds. Only one looks at a time; the others do not wait."""
    memory = caches["memory"]
    at, found = memory.get(KEY, (0.0, None))
    if time.time() - at > FRESH_S and _looking.acquire(timeout=0 if found else WAIT_S):
        try:
            found = look()
            memory.set(KEY, (time.time(), found), KEPT_S)
        finally:
            _looking.release()
    return found or Works()


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """The page; with status 503 if nobody can play."""
    throttle.count("status", throttle.address(request))
    works = known()
    response = render(request, "status.html", {"works": works, "now": timezone.now()})
    response["Cache-Control"] = "no-store"
    if not works.database:
        response.status_code = 503
        response["Retry-After"] = "5"
    return response
