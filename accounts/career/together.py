"""Two people head to head: the games in which both had a seat."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import ArchivedMatch, User

LATEST = 5
"""The number of games shown."""


@dataclass(frozen=True)
class HeadToHead:
    """The games of two people at tables of one size."""

    seats: int
    games: int
    ahead: int
    """How often the first of them was placed before the other."""
    behind: int

    @property
    def level(self) -> int:
        return self.games - self.ahead - self.behind


def shared(user: User, other: User) -> QuerySet[ArchivedMatch]:
    """The rows of `user` in matches that `other` played too, with the place of the other as `theirs`."""
    # unique (user, match)
    same = ArchivedMatch.objects.filter(user=other, match=OuterRef("match"))
    rows = ArchivedMatch.objects.filter(user=user).annotate(theirs=Subquery(same.values("place")[:1]))
    return rows.filter(theirs__isnull=False)


def scores(user: User, other: User, game: str) -> list[HeadToHead]:
    """How two people have done against each other in a game, by number of players; empty without a game."""
    ahead, behind = Q(place__lt=F("theirs")), Q(place__gt=F("theirs"))
    rows = shared(user, other).filter(game=game).values("seats").order_by("seats")
    counts = rows.annotate(number=Count("id"), ahead=Count("id", filter=ahead), behind=Count("id", filter=behind))
    return [HeadToHead(row["seats"], row["number"], row["ahead"], row["behind"]) for row in counts]


def latest(user: User, other: User, game: str) -> list[ArchivedMatch]:
    """The last games of two people."""
    return list(shared(user, other).filter(game=game).order_by("-ended_at", "-id")[:LATEST])
