"""The seasons of a ladder, and its tables: of a season, of the present, by rating."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from accounts.career import ratings
from accounts.models import Rating
from accounts.shown import PlayerShown, people_shown
from games.ladders.follow import table
from games.ladders.models import Ladder, LadderEvent
from games.ladders.pages.story import player_address
from games.ladders.payloads import GAME_KINDS, Ranked, SeasonBegun, SeasonEnded, kinds
from games.ladders.standing import Standing
from games.matches.clocks import instant, ms_of

EDGES = kinds(SeasonBegun, SeasonEnded)
"""The kinds of the events with which seasons begin and end."""


@dataclass(frozen=True)
class Season:
    number: int
    began: LadderEvent
    ended: LadderEvent | None = None
    ends: int | None = None
    """When it ends, if it runs, in milliseconds since 1970."""

    @property
    def final(self) -> tuple[Ranked, ...]:
        """The final table."""
        return self.ended.payload.final if self.ended and isinstance(self.ended.payload, SeasonEnded) else ()

    @property
    def last_day(self) -> datetime:
        """The last moment of it, or the planned one."""
        assert isinstance(self.began.payload, SeasonBegun)
        planned = self.began.payload.ends if self.ends is None else self.ends
        return instant((ms_of(self.ended.at) if self.ended else planned) - 1)


def seasons(ladder: Ladder) -> list[Season]:
    """All seasons, newest first."""
    return _seasons(ladder, ladder.log.filter(kind__in=EDGES))


def season(ladder: Ladder, number: int) -> Season | None:
    """The season with this number."""
    rows = ladder.log.filter(kind__in=EDGES, data__number=number)
    return next(iter(_seasons(ladder, rows)), None)


def running_season(ladder: Ladder, standing: Standing) -> LadderEvent | None:
    """The event that began the current season, or the last one; None before the first."""
    return ladder.log.filter(kind=SeasonBegun.kind, data__number=standing.season).first()


def _seasons(ladder: Ladder, rows: QuerySet[LadderEvent]) -> list[Season]:
    ends = ladder.now_standing().ends
    found: dict[int, Season] = {}
    for event in rows.order_by("number"):
        match event.payload:
            case SeasonBegun(number=number):
                found[number] = Season(number, event, ends=ends)
            case SeasonEnded(number=number):
                found[number] = Season(number, found[number].began, event)
    return [found[number] for number in sorted(found, reverse=True)]


@dataclass(frozen=True)
class Rank:
    """A line in the table of a season, or of a ladder."""

    position: int
    player: int
    person: PlayerShown
    games: int
    address: str


def ranks(ladder: Ladder, season: Season | None = None) -> tuple[Ranked, ...]:
    """The final ranking of a season, or the present one while it runs or without a season."""
    return season.final if season and season.ended else table(ladder.now_standing())


def ranking(ladder: Ladder, season: Season | None = None) -> list[Rank]:
    """The same as `ranks`, for a page."""
    rows = ranks(ladder, season)
    people = people_shown(player for player, *_ in rows)
    return [
        Rank(position, pk, person, games, player_address(ladder, person.name))
        for position, (pk, rating, games) in enumerate(rows, 1)
        for person in (people[pk]._replace(rating=ratings.shown(rating, games)),)
    ]


def by_rating(ladder: Ladder, pool: str) -> list[int]:
    """The players by the club's ratings (`club`) or by those of a pool of the site; ties in the order of the ladder."""
    standing = ladder.now_standing()
    if pool == "club":
        values = {player: standing.players[player].rating for player in standing.order}
    else:
        values = dict(
            Rating.objects.filter(game=ladder.game, pool=pool, user__in=standing.order).values_list("user", "value")
        )
    return sorted(standing.order, key=lambda player: -values.get(player, ratings.START))


def results(ladder: Ladder, season: Season | None = None) -> QuerySet[LadderEvent]:
    """The results of a ladder, or of one of its seasons."""
    rows = ladder.log.filter(kind__in=GAME_KINDS)
    return within(rows, season) if season else rows


def within(rows: QuerySet[LadderEvent], season: Season) -> QuerySet[LadderEvent]:
    """Those of a ladder's events that belong to a season, from its beginning to its end."""
    rows = rows.filter(number__gte=season.began.number)
    return rows.filter(number__lte=season.ended.number) if season.ended else rows
