"""The puzzle of the day: a decision of somebody, from a game that is open to all, without names.

Everybody gets the same, signed in or not; nothing of an answer is kept.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

from django.db.models import Exists, OuterRef

from games.analysis.models import Analysis, JudgedDecision
from games.deck import deck, gathering
from games.deck.models import DailyPuzzle
from games.matches import thinking
from games.matches.models import Match, Seat

LARGE = 60
"""The least loss, in thousandths of the win."""
SETTLED = timedelta(days=1)
"""How long a game has been over at least."""
LATEST = 500
"""So many of the newest are chosen from."""
TRIED = 5
"""So many are looked at again for one day."""


def decisions(day: date) -> list[JudgedDecision]:
    """The decisions that could be the puzzle of a day, in an order that follows from the day."""
    ended = datetime.combine(day, time(), UTC) - SETTLED
    matches = Match.objects.filter(
        status=Match.Status.FINISHED, hidden=False, watch=Match.Watch.ANYBODY, listed=True, ended_at__lt=ended
    ).exclude(club__private=True)
    closed = Seat.objects.filter(match=OuterRef("analysis__match"), user__closed=True)
    banned = Seat.objects.filter(match=OuterRef("analysis__match"), user__is_active=False)
    known = DailyPuzzle.objects.filter(match=OuterRef("analysis__match"))
    done = JudgedDecision.objects.filter(analysis__status=Analysis.Status.DONE, analysis__match__in=matches)
    large = done.filter(clear=True, loss__gte=LARGE)
    free = large.exclude(Exists(closed)).exclude(Exists(banned)).exclude(Exists(known))
    found = free.select_related("analysis__match").order_by("-pk")[:LATEST]
    return sorted(found, key=lambda row: sha256(f"{day} {row.analysis.match.key} {row.ply}".encode()).digest())


def draw(now: datetime) -> None:
    """Choose the puzzle of today, if there is none yet: one that holds on a second look."""
    day = deck.today(now)
    if DailyPuzzle.objects.filter(day=day).exists():
        return
    for row in decisions(day)[:TRIED]:
        match = row.analysis.match
        try:
            again = gathering.second_look(match, row.ply, row.analysis.version)
        except (thinking.Failed, thinking.Lost):
            continue  # judged by what is no longer there
        finally:
            gathering.thinker.close()
        if again:
            puzzle = DailyPuzzle(day=day, match=match, ply=row.ply, seat=row.seat, question=again.plain)
            DailyPuzzle.objects.bulk_create([puzzle], ignore_conflicts=True)  # another worker may be first
            return


def find(day: date) -> DailyPuzzle | None:
    """The puzzle of a day: until there is one, the last that there was."""
    found = DailyPuzzle.objects.filter(day__lte=day, match__hidden=False).select_related("match")
    return found.order_by("-day").first()
