"""Games that anybody may watch: those being played, and those that ended last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.shown import PlayerShown
from games.faces.face import Face
from games.faces.registry import face_of
from games.matches.models import LogEntry, Match

QUIET = timedelta(minutes=30)
"""A live match leaves the list when nothing has happened in it for this long."""


class PlayerResult(NamedTuple):
    """A player of a match that is shown, and what they have reached in it."""

    person: PlayerShown
    points: int | None = None
    won: bool = False


@dataclass(frozen=True)
class ShownMatch:
    """A match in the list: what everybody may know, and nothing else."""

    address: str
    game: str
    """The name of what is played."""
    players: list[PlayerResult]
    pace: str
    rated: bool
    at: datetime | None
    """When it began, or ended."""
    picture: str = ""
    """The game from afar, as HTML."""
    progress: str = ""
    """How far it has come."""

    @property
    def names(self) -> list[str]:
        return [each.person.name for each in self.players]


@dataclass(frozen=True)
class Wanted:
    """Which matches somebody wants to see; None for any."""

    places: int | None = None
    rated: bool | None = None
    pace: str | None = None
    game: str | None = None

    @property
    def condition(self) -> Q:
        chosen = {"places": self.places, "rated": self.rated, "pace": self.pace, "game": self.game}
        return Q(**{name: value for name, value in chosen.items() if value is not None})


def running(limit: int, wanted: Wanted | None = None, without: int | None = None) -> list[ShownMatch]:
    """The public matches being played, youngest first; without those in which nobody has moved for long, and those of
    the user of this id."""
    found = _lively(wanted)
    if without:
        found = found.exclude(seats__user=without)
    return _boards(found.order_by("-started_at", "-pk")[:limit])


def number() -> int:
    """How many public matches are being played, by the same measure."""
    return _lively().count()


def finished(limit: int, wanted: Wanted | None = None) -> list[ShownMatch]:
    """The public matches that ended last, latest first."""
    # index games_match_ended
    return _boards(_open_to_all(Match.Status.FINISHED, wanted).order_by("-ended_at", "-pk")[:limit])


def moves_in(matches: Sequence[Match], beginnings: Callable[[Face[Any]], Iterable[str]]) -> Mapping[int, list[str]]:
    """By match, its moves that begin like this; these are public."""
    of_face = defaultdict(list)
    for match in matches:
        of_face[face_of(match.rules)].append(match)
    public = Q()
    for face, played in of_face.items():
        for beginning in beginnings(face):
            public |= Q(match__in=played, move__startswith=beginning)
    moves: defaultdict[int, list[str]] = defaultdict(list)
    if public:
        rows = LogEntry.objects.filter(public).order_by("match", "ply")
        for number, move in rows.values_list("match", "move"):
            moves[number].append(move)
    return moves


def _lively(wanted: Wanted | None = None) -> QuerySet[Match]:
    lively = Q(pace=Match.Pace.DAILY) | Q(asked_at__gte=timezone.now() - QUIET)
    return _open_to_all(Match.Status.RUNNING, wanted).filter(lively)


def _open_to_all(status: Match.Status, wanted: Wanted | None) -> QuerySet[Match]:
    shown = Match.objects.filter(status=status, hidden=False, watch=Match.Watch.ANYBODY, guided=False)
    if wanted:
        shown = shown.filter(wanted.condition)
    return shown.defer("secret", "link").seated().prefetch_related("seats__user__ratings")


def _boards(matches: Iterable[Match]) -> list[ShownMatch]:
    found = list(matches)
    moves = moves_in(found, lambda face: (*face.progress_moves, *face.picture_moves))
    return [_shown(match, moves[match.pk]) for match in found]


def _shown(match: Match, moves: Sequence[str]) -> ShownMatch:
    face, result = face_of(match.rules), match.result
    players = [
        PlayerResult(
            seat.occupant,
            points=result["points"][seat.index] if result and "ended" not in result else None,
            won=result is not None and match.rules.won(result, seat.index),
        )
        for seat in match.sitting
    ]
    return ShownMatch(
        match.get_absolute_url(),
        match.game_name,
        players,
        match.pace,
        match.rated,
        match.ended_at or match.started_at,
        face.picture(match.options, moves),
        "" if result else face.progress(match.places, match.options, moves),
    )
