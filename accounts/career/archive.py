"""What the archive keeps of a match: a row for each person in it, and their new ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.career import ratings, tallies
from accounts.models import ArchivedMatch, Rating, User


@dataclass(frozen=True)
class Part:
    """The result of one seat of a match that has ended. There is one for each seat, in their order."""

    user: User | None
    """None for a bot that sat here from the start."""
    seat: int
    name: str
    place: int
    """The final place, from 1; ties share it. Players who left come last, whatever their bots achieved."""
    won: bool
    points: int
    categories: str = ""
    """The codes of what else was won."""
    left: str = ""
    """Why a bot played on for this player: `time`, `resign`, `leave`; else empty."""


RatingChange = tuple[float, float]
"""A rating before and after a match."""


@transaction.atomic
def archive(
    match_key: str, ended_at: datetime, seats: Sequence[Part], *, game: str, pool: str
) -> list[RatingChange | None]:
    """Archive a match that has just ended, and rate it. Returns the change of rating by seat, None for an unrated one.

    `game` and `pool` are slug and code of `titles`; without a pool the match is casual. A match of one player, or with
    a guest or a bot from the start, is never rated. The database refuses a match that is archived already
    (IntegrityError).
    """
    rated = pool and len(seats) > 1 and all(part.user and not part.user.guest for part in seats)
    pool = pool if rated else ""
    moved: Sequence[RatingChange | None] = _rate(game, pool, seats) if rated else [None] * len(seats)
    # Written under the locks that `_rate` took: of two rated matches of one person, the one that was rated first has
    # the lower ids. `ledger.Ledger.replay` relies on it.
    rows = [
        ArchivedMatch(
            user=part.user,
            match=match_key,
            game=game,
            ended_at=ended_at,
            seats=len(seats),
            seat=part.seat,
            place=part.place,
            won=part.won,
            points=part.points,
            categories=part.categories,
            left=part.left,
            names=[each.name for each in seats],
            scores=[each.points for each in seats],
            pool=pool,
            before=change and change[0],
            after=change and change[1],
        )
        for part, change in zip(seats, moved, strict=True)
        if part.user
    ]
    ArchivedMatch.objects.bulk_create(rows)
    tallies.count(rows)
    return list(moved)


def _rate(game: str, pool: str, seats: Sequence[Part]) -> list[RatingChange]:
    """Lock the ratings of these people (in the order of their ids, to rule out deadlocks) and change them."""
    people = [part.user.pk for part in seats if part.user]
    Rating.objects.bulk_create(
        (Rating(user_id=pk, game=game, pool=pool) for pk in sorted(people)), ignore_conflicts=True
    )
    rows = Rating.objects.select_for_update().filter(game=game, pool=pool, user__in=people).order_by("user_id")
    locked = {row.user_id: row for row in rows}
    sitting = [locked[pk] for pk in people]
    players = [ratings.Rated(row.value, row.games, part.place) for row, part in zip(sitting, seats, strict=True)]
    changes = []
    for row, value in zip(sitting, ratings.after(players), strict=True):
        changes.append((row.value, value))
        row.best = max(row.best, row.value, value)
        row.value = value
        row.games += 1
        row.save(update_fields=["value", "best", "games"])
    return changes


def explain(match_key: str) -> list[list[ratings.Pair]]:
    """Why the ratings changed as they did: by seat, the pairs of a rated match; empty for an unrated one."""
    same = {name: OuterRef(name) for name in ("user", "game", "pool")}
    earlier = ArchivedMatch.objects.filter(**same, id__lt=OuterRef("id"))
    counted = earlier.order_by().values("user").annotate(games=Count("id")).values("games")
    rows = (
        ArchivedMatch.objects.filter(match=match_key)  # index accounts_archive_match
        .exclude(pool="")
        .annotate(games=Coalesce(Subquery(counted), 0))
        .order_by("seat")
    )
    players = [ratings.Rated(row.before, row.games, row.place) for row in rows if row.before is not None]
    return ratings.changes(players) if players else []
