"""Records the end of a match on the ladder for which it was played, in the transaction of its last move."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import Value
from django.db.models.functions import Greatest

from games.ladders import events, overdue
from games.ladders.models import Challenge, Ladder
from games.ladders.payloads import GameResult
from games.matches.clocks import ms_of
from games.matches.finish import left_soon
from games.matches.models import Match, Seat

log = logging.getLogger(__name__)


def began(match: Match) -> None:
    """A match has begun: if it is that of a challenge, the challenge is being played."""
    now: dict[str, Any] = {"status": Challenge.Status.PLAYING}
    if match.started_at and match.pace == Match.Pace.LIVE:
        # Nobody agrees to begin when it is too late to end. In the database, since a pause may move it meanwhile.
        now["finish_by"] = Greatest("finish_by", Value(match.started_at + events.PLAYED_IN))
    Challenge.objects.filter(match=match).update(**now)


def ended(match: Match) -> None:
    """A match has ended: if it was played for positions, they change now, in the same transaction."""
    challenge = Challenge.objects.filter(match=match).first()
    if challenge is None or (at := match.ended_at) is None:
        return
    with _surviving(challenge, at):
        if match.result is None:
            drop(challenge, at)
        else:
            count(challenge, match.sitting, match.result["places"], at)


@contextmanager
def _surviving(challenge: Challenge, at: datetime) -> Iterator[None]:
    """Lets the match end whatever error the ladder has: then the worker tries again (`Work.OVER`)."""
    try:
        with transaction.atomic():
            yield
    except OperationalError:
        raise  # not the ladder's fault: the database is away, or gave way to another transaction
    except Exception:
        log.exception("The ladder %s could not record the end of challenge %s.", challenge.ladder_id, challenge.pk)
        Ladder.objects.filter(pk=challenge.ladder_id).update(wake_at=at)


def count(challenge: Challenge, seats: Sequence[Seat], places: Sequence[int], at: datetime) -> None:
    """Record the end of a challenge's game with these places."""
    ladder = events.locked(challenge.ladder)
    challenge.refresh_from_db()
    if not challenge.alive:
        return  # it no longer counts: see `events.void`
    standing = ladder.now_standing()
    assert challenge.match and challenge.finish_by
    # No deadline passes in a pause: only its end may have been due earlier.
    deadline = ms_of(challenge.finish_by) if standing.resumes is None else standing.resumes
    if deadline <= ms_of(at) or (standing.ends is not None and standing.ends <= ms_of(at)):
        return  # those were due earlier: the worker does them in their order
    if standing.ends is None:
        events.void(ladder, challenge, at, "season")
        events.schedule_wakeup(ladder)
        return
    people = {seat.user_id: seat for seat in seats if seat.user_id is not None}
    players, late = list(people), [pk for pk, seat in people.items() if seat.left == Seat.Left.TIME]
    result = GameResult(
        challenge=challenge.pk,
        match=challenge.match.key,
        link=bytes(challenge.match.link).hex(),
        players=tuple(players),
        places=tuple(places),
        late=tuple(late),
        soon=tuple(pk for pk, seat in people.items() if left_soon(challenge.match, seat)),
        gone=tuple(overdue.gone(challenge, players, at)),
    )
    event = events.write(ladder, result, at)
    events.end(challenge, Challenge.Status.PLAYED, at)
    for player in players:
        before, after = event.steps.get(str(player), (None, None))
        if after is not None:
            events.notify(ladder, [player], "result", at, position=after, before=before)
    events.take_off(ladder, late, at)
    events.schedule_wakeup(ladder)


def drop(challenge: Challenge, at: datetime) -> None:
    """Record that the game of a challenge was aborted."""
    ladder = events.locked(challenge.ladder)
    challenge.refresh_from_db()
    if challenge.alive:
        events.void(ladder, challenge, at, "aborted")
        events.schedule_wakeup(ladder)
