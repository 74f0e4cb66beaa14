"""Games of one player: what somebody has reached at each difficulty, and the best wins of all."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from accounts.career import lines
from accounts.models import ArchivedMatch, User
from accounts.shown import PlayerShown
from accounts.web.requests import Visitor

RECORDS = 50
"""The number of wins on the page of a difficulty."""


class Reached(NamedTuple):
    """The games of one person at one difficulty."""

    level: int
    games: int
    won: int
    given_up: int
    best: int | None
    """The most points of a game that was played to its end, won or lost; None if none was."""


class BestWin(NamedTuple):
    """A win, as the page of the best shows it."""

    rank: int
    person: PlayerShown
    points: int
    ended_at: datetime
    match: str
    """The key of the match; empty if the visitor may not look at it."""
    mine: bool
    """Whether it is the visitor's."""


def reached(user: User, game: str) -> list[Reached]:
    """What somebody has reached at each difficulty that they have played, the easiest first."""
    # index accounts_archive_levels
    rows = ArchivedMatch.objects.filter(user=user, game=game, seats=1).values("level").order_by("level")
    counted = rows.annotate(
        games=Count("*"),
        wins=Count("level", filter=Q(won=True)),
        given_up=Count("level", filter=~Q(ended="")),
        best=Max("points", filter=Q(ended="")),
    )
    return [Reached(row["level"], row["games"], row["wins"], row["given_up"], row["best"]) for row in counted]


def records(game: str, level: int, visitor: Visitor) -> list[BestWin]:
    """The wins with the most points at a difficulty, of equal ones the earliest first; without guests and closed
    accounts."""
    rows = _wins(game, level).select_related("user").order_by("-points", "ended_at", "id")[:RECORDS]
    return list(_shown(rows, visitor))


def _wins(game: str, level: int) -> QuerySet[ArchivedMatch]:
    # index accounts_archive_alone
    wins = ArchivedMatch.objects.filter(game=game, level=level, seats=1, won=True, ended="")
    return wins.filter(user__guest=False, user__closed=False, user__is_active=True)


def _shown(rows: Iterable[ArchivedMatch], visitor: Visitor) -> Iterable[BestWin]:
    rows = list(rows)
    hidden = lines.closed([row.match for row in rows], visitor) if rows else set()
    for rank, row in enumerate(rows, start=1):
        key = "" if row.match in hidden else row.match
        person = PlayerShown.of(row.user)
        yield BestWin(rank, person, row.points, row.ended_at, key, row.user == visitor)
