"""What anybody may watch: tables at play, and the games that ended last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.career.ratings import pool_of
from games.faces.biblios.pages import public_dice
from games.matches.models import LogEntry, Match
from games.table.present import shown_rating

QUIET = timedelta(minutes=30)
"""A table without days for a move is left out of the list when nothing has happened there for so long."""


@dataclass(frozen=True)
class Player:
    """Somebody at a table, as everybody sees him."""

    name: str
    username: str
    """For the link to the profile; empty for bots and guests."""
    rating: str = ""
    points: int | None = None
    place: int | None = None


@dataclass(frozen=True)
class Table:
    """A match as the list of tables shows it: what everybody may know, and nothing else."""

    address: str
    players: list[Player]
    pace: str
    rated: bool
    at: datetime | None
    """When it began, or ended."""
    dice: list[dict[str, Any]] = field(default_factory=list)

    @property
    def just_now(self) -> bool:
        return self.at is not None and timezone.now() - self.at < timedelta(minutes=1)

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]


def running(limit: int) -> list[Table]:
    """The tables at play that anybody may watch, the youngest first; not those at which nobody has moved for long."""
    lively = Q(pace=Match.Pace.DAILY) | Q(asked_at__gte=timezone.now() - QUIET)
    matches = list(_open_to_all(Match.Status.RUNNING).filter(lively).order_by("-started_at", "-pk")[:limit])
    moves = defaultdict(list)
    # A Church card is used in the open: these rows say the same to everybody.
    for match, move in (
        LogEntry.objects.filter(match__in=matches, move__startswith="dice ")
        .order_by("match", "ply")
        .values_list("match", "move")
    ):
        moves[match].append(move)
    return [_table(match, match.started_at, public_dice(match.options, moves[match.pk])) for match in matches]


def finished(limit: int) -> list[Table]:
    """The public games that ended last, the latest first."""
    # index games_match_ended
    return [
        _table(match, match.ended_at, result=match.result)
        for match in _open_to_all(Match.Status.FINISHED).order_by("-ended_at", "-pk")[:limit]
    ]


def _open_to_all(status: Match.Status):
    shown = Match.objects.filter(status=status, listed=True, watch=Match.Watch.ANYBODY, guided=False)
    return shown.defer("secret", "link").seated().prefetch_related("seats__user__ratings")


def _table(
    match: Match, at: datetime | None, dice: Iterable[dict[str, Any]] = (), result: dict[str, Any] | None = None
) -> Table:
    pool, players = pool_of(match.places), []
    for seat in match.seats.all():
        known = seat.user is not None and not seat.user.guest
        points, place = (result[key][seat.index] for key in ("points", "places")) if result else (None, None)
        players.append(
            Player(
                name=seat.shown_name,
                username=seat.user.username if known else "",
                rating=shown_rating(seat.user, pool),
                points=points,
                place=place,
            )
        )
    return Table(match.get_absolute_url(), players, match.pace, match.rated, at, list(dice))
