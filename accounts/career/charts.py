"""Charts of a value over time, as numbers for an SVG of 640 by 190 (`templates/accounts/career/chart.html`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil, floor

from django.utils.formats import date_format
from django.utils.translation import pgettext

from accounts.text.numbers import digits
from accounts.web import datetimes

LEFT, RIGHT, TOP, BOTTOM = 44, 626, 35, 164
GAP = 70
"""The least distance between two labels of the time axis."""
DOTS = 300
"""The chart draws at most this many games: the last of each stretch of time."""

Point = tuple[datetime, float]


@dataclass(frozen=True)
class Chart:
    """Coordinates are text, so that no language writes them with a comma."""

    lines: list[str]
    levels: list[tuple[str, str, int]]
    """Horizontal lines: y, y of the label's base, value."""
    dates: list[tuple[str, str]]
    """Labels of the time axis: x, text."""
    best: tuple[str, str]
    best_label: tuple[str, str, str]
    """x, y, text-anchor."""
    last: tuple[str, str] | None
    """The end of the last line; None if it ends before the chart."""
    top: float
    """The best value."""
    first: float
    final: float | None
    start: datetime
    end: datetime

    @property
    def area(self) -> str:
        """What is below the line, if there is one."""
        return f"{LEFT},{BOTTOM} {self.lines[0]} {RIGHT},{BOTTOM}"


def chart(
    start: datetime,
    end: datetime,
    lines: Sequence[Sequence[Point]],
    *,
    edges: tuple[int, int],
    levels: Sequence[int],
    best: Point,
    ended: bool = False,
) -> Chart:
    """A chart of these lines, none of them empty.

    `edges` are the values at the top and at the bottom; `ended`: the last line does not go on at `end`.
    """
    top, bottom = edges
    length = max((end - start).total_seconds(), 1)

    def x(at: datetime) -> float:
        return LEFT + (RIGHT - LEFT) * max(0, (at - start).total_seconds()) / length

    def y(value: float) -> float:
        return TOP + (BOTTOM - TOP) * (value - top) / (bottom - top)

    def at(point: Point) -> tuple[str, str]:
        return f"{x(point[0]):.1f}", f"{y(point[1]):.1f}"

    bx, by = x(best[0]), y(best[1])
    last = None if ended else lines[-1][-1]
    return Chart(
        lines=[" ".join(",".join(at(point)) for point in line) for line in lines],
        levels=[(f"{y(level):.1f}", f"{y(level) + 4:.1f}", level) for level in levels],
        dates=[(f"{x(day):.1f}", text) for day, text in ticks(start, end, x)],
        best=at(best),
        best_label=(f"{bx:.1f}", f"{by - 10:.1f}", "start" if bx < 120 else "end" if bx > 540 else "middle"),
        last=at(last) if last else None,
        top=best[1],
        first=lines[0][0][1],
        final=last[1] if last else None,
        start=start,
        end=end,
    )


FEW = 10
"""So few games stand in their order, at equal distances: played within an hour, they would be an upright line."""


def rating_chart(start: datetime, end: datetime, first: float, games: Sequence[Point]) -> Chart:
    """The line of a rating that was `first` at `start` and changed with each game until `end`.

    `games` is not empty.
    """
    if len(games) < FEW:
        steps = [start + (end - start) * number / len(games) for number in range(len(games) + 1)]
        line = list(zip(steps, [first, *(value for _at, value in games)], strict=True))
    else:
        line = [(start, first), *games, (end, games[-1][1])]
    values = [value for _, value in line]
    step = next(size for size in (10, 20, 50, 100, 200, 500, 1000, 10**6) if (max(values) - min(values)) / size <= 3)
    low = floor(min(values) / step) * step
    high = max(ceil(max(values) / step) * step, low + step)
    best = max(line, key=lambda point: point[1])
    drawn = chart(start, end, [line], edges=(high, low), levels=range(low, high + 1, step), best=best)
    return replace(drawn, dates=days_of(games)) if len(games) < FEW else drawn


def days_of(games: Sequence[Point]) -> list[tuple[str, str]]:
    """Labels for a few games that stand at equal distances: the day of each that is another than the last one told."""
    labels: list[tuple[str, str]] = []
    told, before = "", float(LEFT - GAP)
    for number, (at, _value) in enumerate(games, 1):
        x, day = min(LEFT + (RIGHT - LEFT) * number / len(games), RIGHT - 12), datetimes.short_day(at)
        if day != told and x - before >= GAP:
            labels.append((f"{x:.1f}", day))
            told, before = day, x
    return labels


def ticks(start: datetime, end: datetime, x: Callable[[datetime], float]) -> list[tuple[datetime, str]]:
    """The days, months or years that begin between `start` and `end`, few enough that their labels do not touch."""
    days = (end - start).days
    midnight = start.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    if days < 70:
        form = ""
        begin = [midnight + timedelta(days=number) for number in range(days + 1)]
    else:
        form = pgettext("date format", "M") if days < 400 else "Y"
        begin = [
            datetime(year, month, 1, tzinfo=start.tzinfo)
            for year in range(start.year, end.year + 1)
            for month in (range(1, 13) if days < 400 else [1])
        ]
    begin = [day for day in begin if start <= day <= end and LEFT + 16 <= x(day) <= RIGHT - 10]
    every = next(n for n in range(1, len(begin) + 2) if n > len(begin) - 1 or x(begin[n]) - x(begin[0]) >= GAP)
    return [(day, digits(date_format(day, form)) if form else datetimes.short_day(day)) for day in begin[::every]]
