"""The puzzle of the day: a decision of somebody, from a game that is open to all, without names.

Everybody gets the same, signed in or not; nothing of an answer is kept.
"""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from itertools import islice

from django.db import OperationalError, transaction
from django.db.models import Exists, OuterRef

from games.analysis.models import Analysis, JudgedDecision
from games.deck import deck, gathering
from games.deck.models import DailyPuzzle, DeckRefusal
from games.engine.second_look import AskedAgain
from games.matches.models import Match, Seat

log = logging.getLogger(__name__)

LARGE = 60
"""The least loss, in thousandths of the win."""
SETTLED = timedelta(days=1)
"""How long a game has been over at least."""
LATEST = 500
"""So many of the newest are chosen from."""
TRIED = 5
"""So many are looked at again in one go."""
tried: set[tuple[date, int]] = set()
"""The decisions that hold nothing for a day; those of other days are forgotten."""


def decisions(day: date) -> list[JudgedDecision]:
    """The decisions that could be the puzzle of a day, in an order that follows from the day."""
    ended = datetime.combine(day, time(), UTC) - SETTLED
    matches = Match.objects.filter(
        status=Match.Status.FINISHED,
        hidden=False,
        watch=Match.Watch.ANYBODY,
        listed=True,
        guided=False,
        ended_at__lt=ended,
    ).exclude(club__private=True)
    closed = Seat.objects.filter(match=OuterRef("analysis__match"), user__closed=True)
    banned = Seat.objects.filter(match=OuterRef("analysis__match"), user__is_active=False)
    refusing = Seat.objects.filter(
        match=OuterRef("analysis__match"), index=OuterRef("seat"), user__in=DeckRefusal.objects.values("user")
    )
    known = DailyPuzzle.objects.filter(match=OuterRef("analysis__match"))
    done = JudgedDecision.objects.filter(analysis__status=Analysis.Status.DONE, analysis__match__in=matches)
    large = done.filter(clear=True, loss__gte=LARGE)
    free = large.filter(~Exists(closed), ~Exists(banned), ~Exists(refusing), ~Exists(known))
    found = free.select_related("analysis__match").defer("figures").order_by("-pk")[:LATEST]
    return sorted(found, key=lambda row: sha256(f"{day} {row.analysis.match.key} {row.ply}".encode()).digest())


def draw(now: datetime) -> None:
    """Choose the puzzle of today, if there is none yet: one that holds on a second look."""
    day = deck.today(now)
    if DailyPuzzle.objects.filter(day=day).exists():
        return
    tried.intersection_update([one for one in tried if one[0] == day])
    left = (row for row in decisions(day) if (day, row.pk) not in tried and gathering.is_up_to_date(row.analysis))
    try:
        for row in islice(left, TRIED):
            if (again := looked_at(row)) and put(day, row, again):
                return
            tried.add((day, row.pk))
    except gathering.Stopped:
        pass
    finally:
        gathering.thinker.close()


def looked_at(row: JudgedDecision) -> AskedAgain | None:
    """The question of a decision; None if there is none. One that is odd does not hold up the others."""
    match = row.analysis.match
    try:
        return gathering.second_look(match, row.ply, row.analysis.version)
    except (gathering.Stopped, OperationalError):
        raise
    except Exception:
        log.exception("The decision at %s of match %s cannot be a puzzle.", row.ply, match.key)
        return None


@transaction.atomic
def put(day: date, row: JudgedDecision, again: AskedAgain) -> bool:
    """Make it the puzzle of the day, unless somebody of its game has left meanwhile. Returns whether there is one."""
    match = row.analysis.match
    people = deck.locked(match)
    asked = Seat.objects.filter(match=match, index=row.seat).values("user")
    if any(user.closed or not user.is_active for user in people) or DeckRefusal.objects.filter(user__in=asked).exists():
        return False
    puzzle = DailyPuzzle(day=day, match=match, ply=row.ply, seat=row.seat, question=again.plain)
    DailyPuzzle.objects.bulk_create([puzzle], ignore_conflicts=True)  # another worker may be first
    return True


def find(day: date) -> DailyPuzzle | None:
    """The puzzle of a day: until there is one, the last that there was."""
    found = DailyPuzzle.objects.filter(day__lte=day, match__hidden=False).select_related("match")
    return found.order_by("-day").first()
