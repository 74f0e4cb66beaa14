"""What the events of a ladder tell: all of them, those that moved one player, how he stood over time, the seasons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import charts, ratings
from accounts.keyset import BadCursor, Page
from accounts.models import POOLS, Club, Rating, User
from games import ladder_words
from games.clocks import instant, ms_of
from games.ladder import Rules
from games.ladder_results import names_of
from games.models import Challenge, Ladder, LadderEvent, Party
from games.services import ladders
from games.standing import UNDOABLE, Event, Kind, Standing, replay

PAGE = 40
"""How many events a page shows."""
LATEST_GAMES = 10

# Names


class Names(dict[int, SafeString]):
    """By id the players' names as links to their pages on a ladder."""

    def __init__(self, club: Club, ids: Iterable[int]):
        found = User.objects.filter(pk__in=set(ids)).values_list("pk", "username")
        self.plain = dict(found)
        super().__init__(
            (pk, format_html('<a href="{}"><bdi>{}</bdi></a>', player_address(club, name), name))
            for pk, name in self.plain.items()
        )


def player_address(club: Club, name: str) -> str:
    """Of a player's page on the ladder of a club."""
    return f"{club.get_absolute_url()}/ladder/player/{quote(name, safe='')}"


# Events


@dataclass(frozen=True)
class Step:
    """How one player was moved."""

    player: int
    name: SafeString
    before: int | None
    after: int | None

    @property
    def words(self) -> str:
        return ladder_words.step(self.before, self.after)

    @property
    def way(self) -> str:
        """`up` or `down`; empty for who came or went."""
        if self.before is None or self.after is None:
            return ""
        return "up" if self.after < self.before else "down"


@dataclass(frozen=True)
class Told:
    """An event as a page shows it."""

    event: LadderEvent
    sentence: SafeString
    steps: list[Step]
    """Of those whom it is about."""
    others: list[Step] = field(default_factory=list)
    """Of those who were passed, or moved up because somebody else went."""
    undone: LadderEvent | None = None
    """The event that has undone this one."""
    mine: Step | None = None
    """Of the player whose page it is."""
    passing: bool = False
    """Whether it moved him without being about him."""

    @property
    def number(self) -> int:
        return self.event.number

    @property
    def match(self) -> str:
        """The address of the game, if it is one that counted."""
        return f"/m/{self.event.data['match']}" if self.event.kind == Kind.RESULT else ""

    @property
    def still(self) -> bool:
        """Whether it could have moved somebody, and did not."""
        return self.event.kind in UNDOABLE and not self.event.steps

    @property
    def undoable(self) -> bool:
        return self.event.kind in UNDOABLE and self.undone is None


def tell(club: Club, events: Sequence[LadderEvent], about: int | None = None) -> list[Told]:
    """These events of one ladder as a page shows them; `about`: on the page of this player. Two queries."""
    if not events:
        return []
    undoing, undone, rules = _context(events)
    seen = [*events, *undone.values()]
    people = {event.by_id for event in seen if event.by_id} | {int(key) for event in events for key in event.steps}
    names = Names(club, people | {player for event in seen for player in ladder_words.players(event)})
    told = []
    for event in events:
        concerned = ladder_words.players(undone.get(event.data.get("event"), event))
        steps = {
            int(key): Step(int(key), names[int(key)], before, after) for key, (before, after) in event.steps.items()
        }
        order = sorted(steps.values(), key=lambda step: (step.after is None, step.after or step.before))
        told.append(
            Told(
                event,
                ladder_words.sentence(
                    event, names, undone=undone.get(event.data.get("event")), rules=rules.get(event.number)
                ),
                steps=[step for step in order if step.player in concerned],
                others=[step for step in order if step.player not in concerned],
                undone=undoing.get(event.number),
                mine=steps.get(about) if about is not None else None,
                passing=about is not None and about not in concerned,
            )
        )
    return told


def _context(
    events: Sequence[LadderEvent],
) -> tuple[dict[int, LadderEvent], dict[int, LadderEvent], dict[int, Rules]]:
    """By the number of an event: what has undone it; itself, if one of `events` has undone it; the rules before it."""
    numbers = {event.number for event in events}
    targets = {event.data["event"] for event in events if event.kind == Kind.UNDO}
    wanted = Q(number__in=targets) | Q(kind=Kind.UNDO, data__event__in=numbers)
    if set_ := [event.number for event in events if event.kind == Kind.RULES]:
        wanted |= Q(kind=Kind.RULES, number__lte=max(set_))
    near = list(LadderEvent.objects.filter(wanted, ladder=events[0].ladder_id).order_by("number").select_related("by"))
    undoing = {event.data["event"]: event for event in near if event.kind == Kind.UNDO}
    undone = {event.number: event for event in near if event.number in targets}
    rules, last = {}, Rules()
    for event in near:
        if event.kind == Kind.RULES:
            rules[event.number], last = last, Rules.from_json(event.data["rules"])
    return undoing, undone, rules


def page(rows: QuerySet[LadderEvent], older: str = "", newer: str = "", size: int = PAGE) -> Page:
    """Some of a ladder's events, the newest first: from the first on, or those older or newer than the event of a
    number. Raises BadCursor."""
    # unique (ladder, number)
    if newer:
        near = list(rows.filter(number__gt=_number(newer)).order_by("number")[: size + 1])
        shown = near[:size][::-1]
        more_newer, more_older = len(near) > size, bool(shown)
    else:
        if older:
            rows = rows.filter(number__lt=_number(older))
        near = list(rows.order_by("-number")[: size + 1])
        shown = near[:size]
        more_newer, more_older = bool(older and shown), len(near) > size
    return Page(shown, str(shown[0].number) if more_newer else "", str(shown[-1].number) if more_older else "")


def around(rows: QuerySet[LadderEvent], text: str) -> Page:
    """The page that begins with the event of this number. Raises BadCursor if there is none."""
    number = _number(text)
    found = page(rows, older=str(number + 1))
    if not found.rows or found.rows[0].number != number:
        raise BadCursor(text)
    newer = text if rows.filter(number__gt=number).exists() else ""
    return Page(found.rows, newer, found.older)


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text, re.ASCII):
        raise BadCursor(text)
    return int(text)


def without(ladder: Ladder, event: LadderEvent) -> list[Step]:
    """Who would stand elsewhere if an event were undone."""
    undo = Event(ladder.events, Kind.UNDO, ms_of(timezone.now()), {"event": event.number})
    moves = ladders.steps(ladder.now_standing(), replay([*ladders.events(ladder), undo]))
    names = Names(ladder.club, map(int, moves))
    steps = [Step(int(key), names[int(key)], before, after) for key, (before, after) in moves.items()]
    return sorted(steps, key=lambda step: (step.after is None, step.after or step.before))


def by_rating(ladder: Ladder, pool: str) -> list[int]:
    """The players by the club's ratings (`club`) or by those of a pool of the site; of equal ones as they stand.
    Raises Http404 for any other word."""
    standing = ladder.now_standing()
    if pool == "club":
        values = {player: standing.players[player].rating for player in standing.order}
    elif pool in POOLS:
        values = dict(Rating.objects.filter(pool=pool, user__in=standing.order).values_list("user", "value"))
    else:
        raise Http404
    return sorted(standing.order, key=lambda player: -values.get(player, ratings.START))


# One player


def player(ladder: Ladder, user: User) -> QuerySet[LadderEvent]:
    """The events that moved a player."""
    return ladder.log.filter(steps__has_key=str(user.pk))


def best(ladder: Ladder, user: User) -> int | None:
    """The best position that a player has ever had."""
    steps = player(ladder, user).values_list("steps", flat=True)
    return min((each[str(user.pk)][1] for each in steps if each[str(user.pk)][1]), default=None)


def games(ladder: Ladder, user: User) -> list[LadderEvent]:
    """The results of his last games for positions."""
    parties = Party.objects.filter(user=user, challenge__ladder=ladder, challenge__status=Challenge.Status.PLAYED)
    latest = parties.order_by("-challenge__ended_at", "-challenge").values_list("challenge", flat=True)
    challenges = list(latest[:LATEST_GAMES])
    return list(ladder.log.filter(kind=Kind.RESULT, data__challenge__in=challenges).order_by("-number"))


@dataclass(frozen=True)
class Stand:
    """Where a player stood from a moment on; None off the ladder."""

    at: datetime
    position: int | None


def stands(ladder: Ladder, user: User, since: LadderEvent | None = None) -> list[Stand]:
    """Where a player stood, step by step: always, or from an event on."""
    rows = player(ladder, user)
    if since is not None:
        rows = rows.filter(number__gte=since.number)
    moves = [(at, steps[str(user.pk)]) for at, steps in rows.order_by("number").values_list("at", "steps")]
    found = [Stand(at, after) for at, (_before, after) in moves]
    if since is not None:
        first = moves[0][1][0] if moves else ladder.now_standing().position(user.pk)
        found.insert(0, Stand(since.at, first))
    return found


@dataclass(frozen=True)
class Graph:
    """The chart of a position over time, for an SVG of 640 by 190 (`templates/ladder/event_graph.html`).

    Coordinates are texts, which no language writes with a comma.
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
    """Where he stands now; None off the ladder."""
    top: int
    first: int
    final: int | None
    start: datetime
    end: datetime


def graph(stood: Sequence[Stand], now: datetime) -> Graph | None:
    """The chart of these stands until now; None for who did not stand on the ladder in this time."""
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
        # What happens by the clock is entered as of when it was due: time never runs backwards here.
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


# Seasons


@dataclass(frozen=True)
class Season:
    number: int
    began: LadderEvent
    ended: LadderEvent | None = None

    @property
    def final(self) -> list[tuple[int, float, int]]:
        """The final table: player, rating, games."""
        return [(player, rating, games) for player, rating, games in self.ended.data["final"]] if self.ended else []

    @property
    def planned(self) -> datetime:
        """When it is to end."""
        return instant(self.began.data["ends"])


def seasons(ladder: Ladder) -> list[Season]:
    """All seasons, the newest first."""
    return _seasons(ladder.log.filter(kind__in=(Kind.SEASON, Kind.SEASON_END)))


def season(ladder: Ladder, number: int) -> Season | None:
    """The season of a number."""
    rows = ladder.log.filter(kind__in=(Kind.SEASON, Kind.SEASON_END), data__number=number)
    return next(iter(_seasons(rows)), None)


def running_season(ladder: Ladder, standing: Standing) -> LadderEvent | None:
    """The event that began the season that runs, or the last one; None before the first."""
    return ladder.log.filter(kind=Kind.SEASON, data__number=standing.season).first()


def _seasons(rows: QuerySet[LadderEvent]) -> list[Season]:
    found: dict[int, Season] = {}
    for event in rows.order_by("number"):
        number = event.data["number"]
        ended = event.kind == Kind.SEASON_END
        found[number] = Season(number, found[number].began, event) if ended else Season(number, event)
    return [found[number] for number in sorted(found, reverse=True)]


@dataclass(frozen=True)
class Row:
    """A line of the table of a season, or of a ladder."""

    position: int
    player: int
    name: str
    rating: str
    games: int
    address: str


def ranks(ladder: Ladder, season: Season | None = None) -> list[tuple[int, float, int]]:
    """How a season ended; how the ladder stands while it runs, or without a season: player, rating, games."""
    if season and season.ended:
        return season.final
    standing = ladder.now_standing()
    return [(player, standing.players[player].rating, standing.players[player].games) for player in standing.order]


def table(ladder: Ladder, season: Season | None = None) -> list[Row]:
    """As `ranks`, for a page."""
    rows = ranks(ladder, season)
    names = names_of(player for player, *_ in rows)
    return [
        Row(position, pk, names[pk], ratings.shown(rating, games), games, player_address(ladder.club, names[pk]))
        for position, (pk, rating, games) in enumerate(rows, 1)
    ]


def results(ladder: Ladder, season: Season | None = None) -> QuerySet[LadderEvent]:
    """The results of a ladder, or of one of its seasons."""
    rows = ladder.log.filter(kind=Kind.RESULT)
    if season:
        rows = rows.filter(number__gt=season.began.number)
        if season.ended:
            rows = rows.filter(number__lt=season.ended.number)
    return rows
