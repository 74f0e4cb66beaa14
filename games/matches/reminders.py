"""Reminds players of a question that they have not seen for a while, at the bell and by mail.

A page reports a question as seen only after somebody has looked at it for some seconds without an answer: a quick
answer writes nothing here. Nobody else learns whether a question was seen. Nobody is reminded of one that their
standing order will answer.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.notices import notices
from games.matches import history
from games.matches.models import Match, Seat
from games.matches.turn import standing_answer

TOPICS = {"turn": notices.Topic(_("It’s your turn and you’re away"), "i-turn")}
KINDS = {
    "turn": notices.NoticeKind(
        "turn",
        _("It’s your turn in the game of %(game)s with %(names)s."),
        _("It’s your turn in one of your games of %(game)s."),
        stands=True,
        urgent=True,
    ),
}
UNSEEN = timedelta(minutes=5)
"""How long a question may wait before its player is reminded."""


def shown(match: Match, seat: Seat | None) -> bool:
    """Note that a page has shown a player the match; returns whether they had not seen the present question before."""
    if seat is None or match.status != Match.Status.RUNNING or match.mover != seat.index or seat.seen_ply >= match.ply:
        return False
    return bool(Seat.objects.filter(pk=seat.pk, seen_ply__lt=match.ply).update(seen_ply=match.ply))


def seen(match: Match, seat: Seat, now: datetime) -> None:
    """Note that a player has looked at the page for a while; a reminder they were sent counts as seen too."""
    if not shown(match, seat) and seat.user:
        notices.seen(seat.user, now, match.get_absolute_url())


def remind(now: datetime) -> int:
    """Remind the players of questions unseen for too long. Returns how many. Any number of workers may do so."""
    # From the few running matches to their seats.
    alive = Match.objects.filter(status=Match.Status.RUNNING, asked_at__lte=now - UNSEEN)
    due = Seat.objects.filter(match__in=alive, index=F("match__mover"), seen_ply__lt=F("match__ply"))
    due = (
        due.filter(user__isnull=False, bot="", left="")
        .select_related("match__club", "match__host", "user")
        .order_by("pk")
    )
    return sum(_remind(seat, now) for seat in due)


def _answered_by_order(pk: int) -> bool:
    """Whether a standing order will answer the present question of a match."""
    match = Match.objects.playing().get(pk=pk)
    return bool(standing_answer(match, history.replay(match).state(match.ply)))


@transaction.atomic
def _remind(seat: Seat, now: datetime) -> bool:
    match, user = seat.match, seat.user
    assert user is not None
    if seat.orders.exists() and _answered_by_order(match.pk):
        return False
    # Claimed like a move: another worker, an open page or an answer may have been first.
    still = Match.objects.filter(pk=match.pk, ply=match.ply, status=Match.Status.RUNNING).values("pk")
    if not Seat.objects.filter(pk=seat.pk, match__in=still, seen_ply__lt=match.ply, left="").update(seen_ply=match.ply):
        return False
    others = match.seats.select_related("user").exclude(pk=seat.pk).order_by("index")
    if not any(other.user_id and not other.left for other in others):
        return False  # only bots are waiting
    names = ", ".join(other.shown_name for other in others)
    cause = match.club or match.host
    notices.notify([user], "turn", match.get_absolute_url(), now, by=cause, names=names, game=match.game_name)
    return True
