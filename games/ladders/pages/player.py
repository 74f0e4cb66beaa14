"""One player of a ladder over time: events, games, and a chart of positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.career import charts
from accounts.models import User
from games.ladders.models import Challenge, Ladder, LadderEvent, Party, TableResult
from games.ladders.payloads import AtTable, GameResult

LATEST_GAMES = 10


def moves(ladder: Ladder, user: User) -> QuerySet[LadderEvent]:
    """The events that moved a player."""
    return ladder.log.filter(steps__has_key=str(user.pk))


def events(ladder: Ladder, rows: QuerySet[LadderEvent], user: User) -> QuerySet[LadderEvent]:
    """Those of a ladder's events that moved a player, are about them, end a challenge of theirs, or were done by
    them."""
    challenges = list(Party.objects.filter(user=user, challenge__ladder=ladder).values_list("challenge", flat=True))
    about = Q(steps__has_key=str(user.pk)) | Q(data__player=user.pk) | Q(data__challenge__in=challenges)
    about |= Q(kind=AtTable.kind, data__result__in=_entries(ladder, user))
    return rows.filter(about | Q(by=user))


def best(ladder: Ladder, user: User) -> int | None:
    """The best position that a player has ever had."""
    steps = moves(ladder, user).values_list("steps", flat=True)
    return min((each[str(user.pk)][1] for each in steps if each[str(user.pk)][1]), default=None)


def games(ladder: Ladder, user: User) -> list[LadderEvent]:
    """The results of the player's last games for positions."""
    parties = Party.objects.filter(user=user, challenge__ladder=ladder, challenge__status=Challenge.Status.PLAYED)
    latest = parties.order_by("-challenge__ended_at", "-challenge").values_list("challenge", flat=True)
    challenges = list(latest[:LATEST_GAMES])
    entries = _entries(ladder, user)[:LATEST_GAMES]
    played = Q(kind=GameResult.kind, data__challenge__in=challenges) | Q(kind=AtTable.kind, data__result__in=entries)
    return list(ladder.log.filter(played).order_by("-number")[:LATEST_GAMES])


def _entries(ladder: Ladder, user: User) -> list[int]:
    """The ids of the player's games at a real table that count, the latest first."""
    mine = ladder.table_results.filter(status=TableResult.Status.COUNTED, players__user=user)
    return list(mine.order_by("-ended_at", "-pk").values_list("pk", flat=True))


@dataclass(frozen=True)
class Stand:
    """The position of a player from a moment on; None off the ladder."""

    at: datetime
    position: int | None


def stands(ladder: Ladder, user: User, since: LadderEvent | None = None) -> list[Stand]:
    """The positions of a player, step by step: since the beginning, or since an event."""
    rows = moves(ladder, user)
    if since is not None:
        rows = rows.filter(number__gte=since.number)
    moved = [(at, steps[str(user.pk)]) for at, steps in rows.order_by("number").values_list("at", "steps")]
    found = [Stand(at, after) for at, (_before, after) in moved]
    if since is not None:
        first = moved[0][1][0] if moved else ladder.now_standing().position(user.pk)
        found.insert(0, Stand(since.at, first))
    return found


def chart(stood: Sequence[Stand], now: datetime) -> charts.Chart | None:
    """The chart of these positions until now, position 1 on top. Its lines run level, and step up and down; each is a
    stretch of time on the ladder. None for a player who was not on the ladder in this time."""
    positions = [stand.position for stand in stood if stand.position is not None]
    if not positions:
        return None
    start, end = stood[0].at, max(now, stood[-1].at)
    lines: list[list[charts.Point]] = []
    on: int | None = None
    until = [*(stand.at for stand in stood[1:]), end]
    reached = start
    for stand, ends in zip(stood, until, strict=True):
        # Events by the clock are dated when they were due: time never runs backwards here.
        begins = reached = max(reached, stand.at)
        if stand.position is not None:
            if on is None:
                lines.append([])
            lines[-1] += [(begins, stand.position), (max(begins, ends), stand.position)]
        on = stand.position
    best = next((stand.at, stand.position) for stand in stood if stand.position == min(positions))
    bottom = max([3, *positions])
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 10**6) if (bottom - 1) / size <= 5)
    levels = [1, *range(step if step > 1 else 2, bottom + 1, step)]
    return charts.chart(start, end, lines, edges=(1, bottom), levels=levels, best=best, ended=on is None)
