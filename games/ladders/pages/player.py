"""One player of a ladder over time: events, games, and a chart of positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from accounts.career import charts
from accounts.models import User
from games.ladders.models import Challenge, Ladder, LadderEvent, Party
from games.ladders.standing import Kind

LATEST_GAMES = 10


def moves(ladder: Ladder, user: User) -> QuerySet[LadderEvent]:
    """The events that moved a player."""
    return ladder.log.filter(steps__has_key=str(user.pk))


def best(ladder: Ladder, user: User) -> int | None:
    """The best position that a player has ever had."""
    steps = moves(ladder, user).values_list("steps", flat=True)
    return min((each[str(user.pk)][1] for each in steps if each[str(user.pk)][1]), default=None)


def games(ladder: Ladder, user: User) -> list[LadderEvent]:
    """The results of the player's last games for positions."""
    parties = Party.objects.filter(user=user, challenge__ladder=ladder, challenge__status=Challenge.Status.PLAYED)
    latest = parties.order_by("-challenge__ended_at", "-challenge").values_list("challenge", flat=True)
    challenges = list(latest[:LATEST_GAMES])
    return list(ladder.log.filter(kind=Kind.RESULT, data__challenge__in=challenges).order_by("-number"))


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


@dataclass(frozen=True)
class Graph:
    """The chart of a position over time, for an SVG of 640 by 190 (`templates/ladder/event_graph.html`).

    Coordinates are text, so that no language writes them with a comma.
    """

    lines: list[str]
    """One for each stretch of time on the ladder; they run level, and step up and down."""
    levels: list[tuple[str, str, int]]
    """Horizontal lines: y, y of the label's base, position."""
    dates: list[tuple[str, str]]
    """Labels of the time axis: x, text."""
    best: tuple[str, str]
    best_label: tuple[str, str, str]
    """x, y, text-anchor."""
    last: tuple[str, str] | None
    """The present position; None off the ladder."""
    top: int
    first: int
    final: int | None
    start: datetime
    end: datetime


def graph(stood: Sequence[Stand], now: datetime) -> Graph | None:
    """The chart of these positions until now; None for a player who was not on the ladder in this time."""
    positions = [stand.position for stand in stood if stand.position is not None]
    if not positions:
        return None
    start, end = stood[0].at, max(now, stood[-1].at)
    length = max((end - start).total_seconds(), 1)
    bottom = max([3, *positions])
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 10**6) if (bottom - 1) / size <= 5)

    def x(at: datetime) -> float:
        return charts.LEFT + (charts.RIGHT - charts.LEFT) * max(0, (at - start).total_seconds()) / length

    def y(position: int) -> float:
        return charts.TOP + (charts.BOTTOM - charts.TOP) * (position - 1) / (bottom - 1)

    lines: list[list[str]] = []
    on: int | None = None
    until = [*(stand.at for stand in stood[1:]), end]
    reached = start
    for stand, ends in zip(stood, until, strict=True):
        # Events by the clock are dated when they were due: time never runs backwards here.
        begins = reached = max(reached, stand.at)
        ends = max(begins, ends)
        if stand.position is not None:
            if on is None:
                lines.append([])
            here = y(stand.position)
            lines[-1] += [f"{x(begins):.1f},{here:.1f}", f"{x(ends):.1f},{here:.1f}"]
        on = stand.position
    best = next(stand for stand in stood if stand.position == min(positions))
    bx, by = x(best.at), y(min(positions))
    levels = [1, *range(step if step > 1 else 2, bottom + 1, step)]
    return Graph(
        lines=[" ".join(points) for points in lines],
        levels=[(f"{y(level):.1f}", f"{y(level) + 4:.1f}", level) for level in levels],
        dates=[(f"{x(day):.1f}", text) for day, text in charts.ticks(start, end, x)],
        best=(f"{bx:.1f}", f"{by:.1f}"),
        best_label=(f"{bx:.1f}", f"{by - 10:.1f}", "start" if bx < 120 else "end" if bx > 540 else "middle"),
        last=None if on is None else (f"{x(end):.1f}", f"{y(on):.1f}"),
        top=min(positions),
        first=positions[0],
        final=on,
        start=start,
        end=end,
    )
