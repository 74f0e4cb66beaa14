"""Ratings of the site's own bots, by number of players, from games against people and among themselves.

They are computed from results that there are anyway, once a day, and change nothing: people’s ratings come from games
without bots alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from itertools import combinations
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Subquery

from accounts.career.fitting import SURE, Fitted, Meeting, fitted
from accounts.career.ratings import OPPONENTS, PROVISIONAL, score
from accounts.models import ArchivedMatch
from games.engine.core import Game
from games.matches.models import Match, Seat

Shares = Mapping[str, Mapping[int, tuple[float, float]]]
"""By bot and number of players, what part of the games it wins against the usual bot in all other seats, and half the
width of the interval of 95 %."""
NEWEST = 2000
"""So many games with people are counted, for each pool."""
KEPT_S = 2 * 24 * 3600
"""How long ratings are kept that nobody renews. They are renewed once a day: so they tell nothing of a single game."""


class HouseRating(NamedTuple):
    """The rating of a bot in a pool."""

    rating: Fitted
    games: int
    """The number of games with people that it rests on besides those among bots."""


def ratings_of(game: Game) -> dict[str, dict[str, HouseRating]]:
    """The ratings of the bots of a game, by pool and name, as they were computed last; none if they were not yet, or if
    the cache that has them is away."""
    kept: dict[str, dict[str, tuple[float, float, int]]] = {}
    with suppress(Exception):  # each kind of cache has errors of its own; others tell that it is away
        _day, kept = cache.get(_key(game), (0, {}))
    return {
        pool: {bot: HouseRating(Fitted(value, deviation), games) for bot, (value, deviation, games) in found.items()}
        for pool, found in kept.items()
    }


def renew(game: Game, shares: Shares, today: date) -> None:
    """Compute the ratings of the bots of a game, unless that was done today."""
    day, _kept = cache.get(_key(game), (0, {}))
    if day != today.toordinal():
        # Plain values: another release may read them.
        found = {
            pool: {bot: (*rated.rating, rated.games) for bot, rated in computed(game, pool, shares).items()}
            for pool in game.pools
        }
        cache.set(_key(game), (today.toordinal(), found), KEPT_S)


def _key(game: Game) -> str:
    return f"house:{game.slug}:{game.version}"


def computed(game: Game, pool: str, shares: Shares) -> dict[str, HouseRating]:
    """The ratings in one pool, by name."""
    games: defaultdict[str, int] = defaultdict(int)
    people: defaultdict[str, set[int]] = defaultdict(set)
    pairings = [*among_bots(game, pool, shares)]
    tables = list(with_people(game, pool))
    for table in tables:
        # The others decide nothing about a rating, so they hide nobody.
        met = {sitter.user for sitter in table if sitter.user and sitter.rating is not None}
        for bot in {sitter.bot for sitter in table if sitter.bot and met}:
            games[bot] += 1
            people[bot] |= met
    # Where few have met a bot, its rating would tell how they fared.
    known = {bot for bot, met in people.items() if len(met) >= OPPONENTS}
    for table in tables:
        pairings += [pairing for pairing in of_table(table) if pairing.player in known or _of_bots(pairing)]
    ratings = fitted(pairings, game.bot)
    return {bot: HouseRating(rating, games[bot] if bot in known else 0) for bot, rating in ratings.items()}


def among_bots(game: Game, pool: str, shares: Shares) -> Iterable[Meeting]:
    """What was measured among bots. Of more than two the odds against one of the others count."""
    for bot, measured in shares.items():
        for places, (share, either_side) in measured.items():
            if game.pool(places) == pool and 0 < share < 1 and bot != game.bot:
                odds = share * (places - 1) / (1 - share)
                yield Meeting(bot, game.bot, odds / (1 + odds), share * (1 - share) / (either_side / SURE) ** 2)


class Placed(NamedTuple):
    """Who sat at a table, and how it ended for them."""

    bot: str
    user: int | None
    rating: float | None
    """Of a person, as it was when the game ended; None if it was not settled."""
    place: int


def with_people(game: Game, pool: str) -> Iterable[list[Placed]]:
    """The newest games played to their end by people with settled ratings and bots, to which nothing was special."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    people = seats.filter(bot="", user__guest=False)
    chosen = (
        Match.objects.filter(status=Match.Status.FINISHED, game=game.slug, places__in=game.pools[pool])
        .filter(hidden=False, guided=False, hinted=False, beginning__isnull=True)
        .exclude(watch=Match.Watch.CLUB)
        .filter(Exists(seats.exclude(bot="")), Exists(people), ~Exists(seats.exclude(left="")))
        .order_by("-ended_at", "-id")[:NEWEST]
    )
    # index accounts_archive_chart, by which each person's last rating before a game is one look
    settled = ArchivedMatch.objects.filter(
        user=OuterRef("user"),
        game=game.slug,
        pool=pool,
        ended_at__lt=OuterRef("match__ended_at"),
        games__gte=PROVISIONAL,
    ).order_by("-ended_at", "-id")
    results = {pk: result for pk, result in chosen.values_list("pk", "result") if result and "ended" not in result}
    sitting = Seat.objects.filter(match__in=list(results)).annotate(strength=Subquery(settled.values("after")[:1]))
    tables: defaultdict[int, list[Placed]] = defaultdict(list)
    for match, index, bot, user, strength in sitting.values_list("match", "index", "bot", "user", "strength"):
        tables[match].append(Placed(bot, user, strength, results[match]["places"][index]))
    return [table for table in tables.values() if any(sitter.rating is not None for sitter in table)]


def of_table(table: list[Placed]) -> Iterable[Meeting]:
    """The pairs of a table in which a bot is: all others, but itself."""
    for one, other in combinations(table, 2):
        if not one.bot:
            one, other = other, one
        against = other.bot or other.rating
        if one.bot and against is not None and against != one.bot:
            yield Meeting(one.bot, against, score(one.place, other.place), 2 / len(table))


def _of_bots(pairing: Meeting) -> bool:
    return isinstance(pairing.opponent, str)
