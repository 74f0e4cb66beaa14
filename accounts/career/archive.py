"""What the archive keeps of a match: a row for each person in it, and their new ratings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import combinations
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count
from django.db.models.functions import TruncDate

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
    soon: bool = False
    """Whether that was while the game had hardly begun."""
    level: int = 0
    """How hard the match was, from 1, if it was one of one player; else 0."""
    feats: Mapping[str, int] = field(default_factory=dict)
    """What the player did, counted by code (at most 16 characters)."""
    ended: str = ""
    """How the match ended before its game did: the `ended` of a record; empty if it was played to its end."""


class RatingChange(NamedTuple):
    """What a match has done to a rating."""

    before: float
    after: float
    games: int
    """The number of games that had counted before."""


Two = frozenset[int]
"""Two people, by their ids."""


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
    moved: Sequence[RatingChange | None] = _rate(game, pool, ended_at, seats) if rated else [None] * len(seats)
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
            level=part.level,
            won=part.won,
            points=part.points,
            categories=part.categories,
            left=part.left,
            soon=part.soon,
            bots=any(each.user is None for each in seats),
            feats=dict(part.feats),
            ended=part.ended,
            names=[each.name for each in seats],
            scores=[each.points for each in seats],
            pool=pool,
            before=change and change.before,
            after=change and change.after,
            games=change and change.games,
        )
        for part, change in zip(seats, moved, strict=True)
        if part.user
    ]
    ArchivedMatch.objects.bulk_create(rows)
    tallies.count(rows)
    return list(moved)


def _rate(game: str, pool: str, ended_at: datetime, seats: Sequence[Part]) -> list[RatingChange]:
    """Lock the ratings of these people (in the order of their ids, to rule out deadlocks) and change them."""
    people = [part.user.pk for part in seats if part.user]
    Rating.objects.bulk_create(
        (Rating(user_id=pk, game=game, pool=pool) for pk in sorted(people)), ignore_conflicts=True
    )
    rows = Rating.objects.select_for_update().filter(game=game, pool=pool, user__in=people).order_by("user_id")
    locked = {row.user_id: row for row in rows}
    sitting = [locked[pk] for pk in people]
    met = meetings(game, pool, people, day(ended_at))
    players = [
        ratings.Rated(row.value, row.games, part.place, part.soon, times(met, people, row.user_id))
        for row, part in zip(sitting, seats, strict=True)
    ]
    changes = []
    for row, pairs in zip(sitting, ratings.changes(players), strict=True):
        held = level_of(row)
        changed = held.after(pairs, players, people)
        changes.append(RatingChange(held.value, changed.value, held.games))
        keep(row, changed)
        row.save(update_fields=KEPT)
    return changes


KEPT = ("value", "games", "best", "opponents", "ranked")
"""The columns of Rating that a match may change."""


def level_of(row: Rating) -> ratings.Level:
    """A rating as its row keeps it."""
    return ratings.Level(row.value, row.games, row.best, tuple(row.opponents))


def keep(row: Rating, held: ratings.Level) -> None:
    """Put a rating into its row, which is to be saved."""
    row.value, row.games, row.best = held.value, held.games, held.best
    row.opponents, row.ranked = list(held.opponents), held.ranked


def day(at: datetime) -> date:
    """The day (UTC) of which the meetings count together."""
    return at.astimezone(UTC).date()


def meetings(game: str, pool: str, people: Collection[int], on: date, before: int | None = None) -> Counter[Two]:
    """How often each two of these people have ended a match rated in this pool on a day; `before` an id of its row."""
    midnight = datetime.combine(on, time(), UTC)
    # index accounts_archive_chart
    rows = ArchivedMatch.objects.filter(
        user__in=people, game=game, pool=pool, ended_at__gte=midnight, ended_at__lt=midnight + timedelta(days=1)
    )
    if before is not None:
        rows = rows.filter(id__lt=before)
    tables: defaultdict[str, list[int]] = defaultdict(list)
    for match, user in rows.values_list("match", "user"):
        tables[match].append(user)
    return Counter(two for table in tables.values() for two in twos(table))


def twos(people: Iterable[int]) -> list[Two]:
    """Each two of these people."""
    return [frozenset(two) for two in combinations(people, 2)]


def times(met: Counter[Two], people: Sequence[int], me: int) -> dict[int, int]:
    """How often somebody has met each of the others at a table, by index: as `ratings.Rated.met` has it."""
    return {index: met[frozenset((me, other))] for index, other in enumerate(people) if other != me}


def explain(match_key: str) -> list[list[ratings.Pair]]:
    """Why the ratings changed as they did: by seat, the pairs of a rated match; empty for an unrated one."""
    # index accounts_archive_match
    rows = list(ArchivedMatch.objects.filter(match=match_key).exclude(pool="").order_by("seat"))
    if not rows:
        return []
    first, people = rows[0], [row.user_id for row in rows]
    met = meetings(first.game, first.pool, people, day(first.ended_at), before=min(row.pk for row in rows))
    players = [
        ratings.Rated(row.before, row.games, row.place, row.soon, times(met, people, row.user_id))
        for row in rows
        if row.before is not None and row.games is not None
    ]
    return ratings.changes(players)


def has_played(user: User) -> bool:
    """Whether a game of theirs is in the archive."""
    return ArchivedMatch.objects.filter(user=user).exists()


def settled_opponents(people: Collection[int]) -> dict[int, set[int]]:
    """Whom people have met in games that counted, with ratings that were settled, by their ids: of each pool the first
    few. Without those who have met nobody. No query if there is nobody."""
    found = defaultdict[int, set[int]](set)
    if people:
        for user, opponents in Rating.objects.filter(user__in=people).values_list("user", "opponents"):
            found[user].update(opponents)
    return dict(found)


def rated_days(people: Collection[int]) -> dict[int, int]:
    """On how many days (UTC) rated games of people have ended, by their ids; without those who have none. No query if
    there is nobody."""
    if not people:
        return {}
    rated = ArchivedMatch.objects.filter(user__in=people, after__isnull=False).exclude(pool="")
    days = rated.annotate(day=TruncDate("ended_at", tzinfo=UTC)).values_list("user")
    return dict(days.annotate(Count("day", distinct=True)))
