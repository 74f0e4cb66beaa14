"""Who is asked and does not know it: told at the bell and by mail, when the question has not been seen for a while.

A page says that it has shown a question, but only when somebody has looked at it for some seconds without an answer:
whoever answers at once writes nothing here. Nobody else learns whether a question was seen.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from accounts.notices import book as notices
from games.matches.models import Match, Seat

UNSEEN = timedelta(minutes=5)
"""So long a question may wait before who is asked is told."""


def shown(match: Match, seat: Seat | None) -> bool:
    """The page of a player shows him how the match stands; whether he has not seen before what he is asked."""
    if seat is None or match.status != Match.Status.RUNNING or match.mover != seat.index or seat.seen_ply >= match.ply:
        return False
    return bool(Seat.objects.filter(pk=seat.pk, seen_ply__lt=match.ply).update(seen_ply=match.ply))


def seen(match: Match, seat: Seat, now: datetime) -> None:
    """A player has looked at his page for a while; if he was told already, he has seen that too."""
    if not shown(match, seat) and seat.user:
        notices.seen(seat.user, now, match.get_absolute_url())


def tell(now: datetime) -> int:
    """Tell those whose questions have not been seen for too long; how many. Any number of workers may do it at once."""
    # From the few matches that are alive to their seats.
    alive = Match.objects.filter(status=Match.Status.RUNNING, asked_at__lte=now - UNSEEN)
    due = Seat.objects.filter(match__in=alive, index=F("match__mover"), seen_ply__lt=F("match__ply"))
    due = due.filter(user__isnull=False, bot="", left="").select_related("match", "user").order_by("pk")
    return sum(_tell(seat, now) for seat in due)


@transaction.atomic
def _tell(seat: Seat, now: datetime) -> bool:
    match, user = seat.match, seat.user
    assert user is not None
    # Claimed like a move: another worker, a page that has shown it or an answer may have been first.
    still = Match.objects.filter(pk=match.pk, ply=match.ply, status=Match.Status.RUNNING).values("pk")
    if not Seat.objects.filter(pk=seat.pk, match__in=still, seen_ply__lt=match.ply, left="").update(seen_ply=match.ply):
        return False
    others = match.seats.select_related("user").exclude(pk=seat.pk).order_by("index")
    if not any(other.user_id and not other.left for other in others):
        return False  # nobody but bots waits
    names = ", ".join(other.shown_name for other in others)
    notices.tell([user], "turn", match.get_absolute_url(), now, names=names)
    return True
