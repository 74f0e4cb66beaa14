"""What the tables of the same deal have scored, and how a tournament of such deals stands. Pure: all of it follows from
its standing.

The score of a seat is the points of the game. Whoever left, or ran out of time, is below all who finished; who stayed,
but could not finish because a rival had left, has the average. A table that all agreed to cancel counts as left by all;
one that was still being played at the close, or that a steward has struck out, does not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import NamedTuple

from games.tournaments import matchpoints
from games.tournaments.matchpoints import AVERAGE, Score
from games.tournaments.pairing import groups
from games.tournaments.standing import RoundTable, TournamentStanding


class Compared(NamedTuple):
    """Somebody in their seat of a deal, compared with the others in that seat."""

    player: int
    score: Score
    points: int
    """Matchpoints."""
    top: int
    """The most that one can have in this seat."""
    percent: Fraction
    match: str
    """The key of the game."""
    stayed: bool = False
    """Whether a rival's leaving has ended the game, so that this is the average."""


class Comparison(NamedTuple):
    """A deal: what was scored in each seat."""

    deal: int
    tables: int
    """How many tables count."""
    seats: tuple[tuple[Compared, ...], ...]
    """By seat, the best first."""


class DealRow(NamedTuple):
    """A player in the table of a tournament."""

    place: int
    """Who is level in percent shares it."""
    player: int
    percent: Fraction
    """The mean of all deals, byes with them."""
    points: int
    """The matchpoints of all deals."""
    games: int
    """How many deals they have played."""
    byes: int


def counts(table: RoundTable) -> bool:
    """Whether a table is compared with others."""
    return bool(table.points or table.left)


def comparisons(standing: TournamentStanding) -> list[Comparison]:
    """All deals that have been played, in order."""
    tables: dict[int, list[RoundTable]] = {}
    for each in standing.rounds:
        if each.deal is not None:
            tables.setdefault(each.deal, []).extend(table for table in each.tables if counts(table))
    return [
        Comparison(deal, len(played), tuple(_seat(played, seat) for seat in range(len(played[0].players))))
        for deal, played in sorted(tables.items())
        if played
    ]


def comparable(standing: TournamentStanding) -> bool:
    """Whether there is a deal that was played at two tables that count."""
    return any(comparison.tables > 1 for comparison in comparisons(standing))


def keys(comparison: Comparison) -> list[str]:
    """The keys of the games of a deal."""
    return [each.match for each in comparison.seats[0]]


def _seat(tables: Sequence[RoundTable], seat: int) -> tuple[Compared, ...]:
    """Everybody in a seat, the best first."""
    scored = [(table, None if seat in table.left else table.points[seat]) for table in tables if _ends(table, seat)]
    points, top = matchpoints.matchpoints([score for _table, score in scored]), matchpoints.top(len(scored))
    found = [
        Compared(table.players[seat], score, each, top, matchpoints.percent(each, top), table.match)
        for (table, score), each in zip(scored, points, strict=True)
    ]
    stayed = [
        Compared(table.players[seat], None, top // 2, top, AVERAGE, table.match, stayed=True)
        for table in tables
        if not _ends(table, seat)
    ]
    return tuple(sorted(found, key=lambda each: -each.points) + stayed)


def _ends(table: RoundTable, seat: int) -> bool:
    """Whether a seat has a score: it was played to the end, or left."""
    return seat in table.left or bool(table.points)


def table(standing: TournamentStanding) -> list[DealRow]:
    """Everybody who had a seat or a bye, by the mean of their percent. A bye is worth the average. Who had only seats
    that do not count has none."""
    played = [each for comparison in comparisons(standing) for seat in comparison.seats for each in seat]
    byes, percent, points, deals = standing.byes, dict[int, Fraction](), Counter[int](), Counter[int]()
    for player, count in byes.items():
        percent[player] = AVERAGE * count
    for each in played:
        percent[each.player] = percent.get(each.player, Fraction(0)) + each.percent
        points[each.player] += each.points
        deals[each.player] += 1
    sat = [player for player in standing.entrants if player in byes or standing.table_of(player)]
    mean = {player: percent.get(player, Fraction(0)) / max(1, deals[player] + byes.get(player, 0)) for player in sat}
    return [
        DealRow(
            1 + sum(other > mean[player] for other in mean.values()),
            player,
            mean[player],
            points[player],
            deals[player],
            byes.get(player, 0),
        )
        for player in sorted(sat, key=lambda player: -mean[player])
    ]


def seating(
    people: Sequence[int],
    size: int,
    seed: str,
    met: Counter[tuple[int, int]],
    byes: Mapping[int, int],
    sat: Counter[tuple[int, int]],
) -> groups.Seating:
    """Tables of exactly this size at which people meet whom they have not met, in seats in which they have not sat."""
    chance = Random(seed)
    found = groups.unmet(people, size, chance, met=met, allowed=(size,), byes=byes)
    return groups.Seating(tuple(turned(table, sat, chance) for table in found.tables), found.byes)


def turned(people: Sequence[int], sat: Counter[tuple[int, int]], chance: Random) -> tuple[int, ...]:
    """These people in the order of the seats at their table, so that each sits where they have sat seldom: `sat` counts
    player and seat. Drawn at random among the best."""
    orders = list(permutations(people))
    chance.shuffle(orders)
    return min(orders, key=lambda order: sum(sat[player, seat] ** 2 for seat, player in enumerate(order)))


def sat(standing: TournamentStanding) -> Counter[tuple[int, int]]:
    """How often each player has sat in each seat."""
    tables = (table for each in standing.rounds for table in each.tables)
    return Counter((player, seat) for table in tables for seat, player in enumerate(table.players))
