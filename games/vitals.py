"""How the worker fares: a sign of life for the status page, and for monitoring what is due and has not been done."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import current_thread

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Exists, Min, OuterRef
from django.utils import timezone

from accounts.models import Enquiry, Notice
from games.hub import metrics
from games.matches.models import Match, Seat
from games.transparency.models import TreeHead

BY_BOT = Exists(Seat.objects.filter(match=OuterRef("pk"), index=OuterRef("mover")).exclude(bot="", left=""))
"""Whether a bot answers for whoever is asked in a match."""
ANSWERS = "answers"
"""The thread of the worker that answers for bots and clocks."""
STALE = timedelta(seconds=30)
"""Whoever was not through with anything for so long stands still ..."""
MAIL_LATE = timedelta(minutes=5)
"""... and a mail is late that has been due for longer than this."""
BEAT = "worker-beat"
"""The key in the cache ..."""
KEPT_S = 86_400
"""... and for how long it is kept."""

_through: dict[str, float] = {}
"""When each thread of the worker was through with its work, in seconds since 1970."""


def through() -> None:
    """Note that this thread of the worker is through with its work."""
    _through[current_thread().name] = now = time.time()
    metrics.worker_round.labels(current_thread().name).set(now)


def tell(now: datetime) -> None:
    """Tell all processes that this one answers for bots and clocks, if it does; and monitoring what is due."""
    answered = _through.get(ANSWERS, 0.0)
    if now.timestamp() - answered < STALE.total_seconds():
        with suppress(Exception):  # each kind of cache has errors of its own; others tell that it is away
            cache.set(BEAT, answered, KEPT_S)
    if settings.METRICS:
        measure(now)


def beat() -> datetime | None:
    """When a worker answered last for bots and clocks, in the last day; None if nobody knows."""
    with suppress(Exception):
        if at := cache.get(BEAT):
            return datetime.fromtimestamp(at, UTC)
    return None


def overdue() -> bool:
    """Whether something has been due in a match for longer than a worker lets it wait."""
    return Match.objects.filter(wake_at__lt=timezone.now() - STALE).exists()


def mail_late() -> bool:
    """Whether mails have been waiting for longer than they should."""
    late = timezone.now() - MAIL_LATE
    return (
        Notice.objects.filter(mail_at__lt=late, held=False).exists()
        or Enquiry.objects.filter(mail_at__lt=late).exists()
    )


def signed() -> TreeHead | None:
    """The last signed head of the public log."""
    return TreeHead.objects.order_by("-day").first()


def closed(head: TreeHead) -> datetime:
    """The end of the day that a head closes."""
    return datetime(head.day.year, head.day.month, head.day.day, tzinfo=UTC) + timedelta(days=1)


def measure(now: datetime) -> None:
    """Bring the numbers up to date that the database knows."""

    def age_s(at: datetime | None) -> float:
        return max(0.0, (now - at).total_seconds()) if at else 0.0

    due = Match.objects.filter(wake_at__lte=now).order_by().values_list(BY_BOT)
    found = {bot: (number, oldest) for bot, number, oldest in due.annotate(Count("pk"), Min("wake_at"))}
    for bot, name in ((True, "bot"), (False, "clock")):
        metrics.due_matches.labels(name).set(found.get(bot, (0, None))[0])
    metrics.due_oldest.set(max((age_s(oldest) for _number, oldest in found.values()), default=0.0))
    metrics.running_matches.set(Match.objects.filter(status=Match.Status.RUNNING).count())
    mails = [
        model.objects.filter(mail_at__lte=now).aggregate(number=Count("pk"), oldest=Min("mail_at"))
        for model in (Notice, Enquiry)
    ]
    metrics.mails_due.set(sum(each["number"] for each in mails))
    metrics.mails_oldest.set(max(age_s(each["oldest"]) for each in mails))
    if head := signed():
        metrics.log_head.set(closed(head).timestamp())
