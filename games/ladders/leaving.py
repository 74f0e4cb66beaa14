"""Players who leave a ladder, at their wish or with their club, and what becomes of their challenges."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Club, User
from accounts.web.refused import Refused
from games.ladders import challenges, events, overdue
from games.ladders.models import Challenge, Ladder, TableResult
from games.ladders.payloads import Left


@transaction.atomic
def leave(ladder: Ladder, user: User, now: datetime) -> None:
    """Take a player off the ladder at their wish. What they agreed to play counts only among the others, if there are
    two: see `overdue.gone`."""
    ladder = events.locked(ladder)
    if user.pk not in ladder.now_standing().players:
        raise Refused(_("You aren’t on the ladder."))
    _remove(ladder, user, now, user)


@transaction.atomic
def left(club: Club, user: User, now: datetime, by: User | None) -> None:
    """Somebody is no member of the club any more: `accounts.signals.club_left`."""
    for ladder in events.all_locked(club):
        if user.pk in ladder.now_standing().players:
            _remove(ladder, user, now, by)


def _remove(ladder: Ladder, user: User, now: datetime, by: User | None) -> None:
    for challenge in ladder.challenges.filter(status__in=Challenge.ALIVE, parties__user=user):
        kind = "left"
        if _goes_on(ladder, challenge, user, now):
            kind = "left-table"
        elif challenge.status == Challenge.Status.PLAYING:
            events.void(ladder, challenge, now, "left")
        elif challenge.challenger_id == user.pk:
            events.withdraw(ladder, challenge, now, by or user, Challenge.Status.WITHDRAWN)
        elif challenge.status == Challenge.Status.OPEN and challenge.parties.filter(user=user, number__gt=1).exists():
            challenges.redraw(ladder, challenge, [user], now)
            continue
        else:
            events.end(challenge, Challenge.Status.VOID, now)
        others = User.objects.filter(parties__challenge=challenge).exclude(pk=user.pk)
        events.notify(ladder, others.values_list("pk", flat=True), kind, now, by=by, name=user.username)
    for entry in ladder.table_results.filter(status__in=TableResult.ALIVE, players__user=user):
        events.lapse(entry, now)
    events.write(ladder, Left(user.pk), now, by)
    events.schedule_wakeup(ladder)


def _goes_on(ladder: Ladder, challenge: Challenge, user: User, now: datetime) -> bool:
    """Whether an agreed challenge counts for others when this player leaves the ladder: otherwise a third could rescue
    whoever does not come, or is about to lose. A game that has not begun ends with its challenger."""
    if challenge.status == Challenge.Status.OPEN:
        return False
    players = [party.user_id for party in challenge.parties.all()]
    stay = ladder.now_standing().players.keys() & {*players} - {user.pk, *overdue.gone(challenge, players, now)}
    return len(stay) > 1 and (challenge.status == Challenge.Status.PLAYING or user.pk != challenge.challenger_id)
