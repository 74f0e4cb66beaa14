"""The points of an evening: matchpoints, by place at tables of any size. Pure.

Matchpoints are those of duplicate bridge (World Bridge Federation, Laws of Duplicate Bridge 2017, Law 78 A): two for
each rival whom one leaves behind, one for each with whom one shares a place. So that a win is worth as much at a table
of two as at one of four, they are factored to the same top, `TOP`: 6, 4, 2, 0 at a table of four, 6, 3, 0 at one of
three, 6, 0 at one of two. Every table has the same average, `AVERAGE`, which is also what a round without a seat is
worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.tournaments.standing import TournamentStanding

TOP = 6
AVERAGE = TOP / 2


class EveningRow(NamedTuple):
    """A player in the table of an evening."""

    place: int
    """Who is level in points and in wins shares it."""
    player: int
    points: float
    """A multiple of a half, or at tables of more than four of a smaller fraction."""
    games: int
    wins: int
    """First places, shared ones too."""


def matchpoints(places: Sequence[int]) -> list[float]:
    """The points by seat for these places, at a table of two or more."""
    rivals = len(places) - 1
    return [
        TOP * (2 * sum(place < other for other in places) + places.count(place) - 1) / (2 * rivals) for place in places
    ]


def table(standing: TournamentStanding) -> list[EveningRow]:
    """Everybody who has had a seat or is there, by points, then wins."""
    points = {player: AVERAGE * byes for player, byes in standing.byes.items()}
    games, wins = dict[int, int](), dict[int, int]()
    for each in standing.counted:
        gained = matchpoints(each.places)
        for seat, player in enumerate(each.players):
            points[player] = points.get(player, 0) + gained[seat]
            games[player] = games.get(player, 0) + 1
            wins[player] = wins.get(player, 0) + (each.places[seat] == 1)
    shown = [player for player, known in standing.entrants.items() if known.here or standing.table_of(player)]
    keys = {player: (-points.get(player, 0), -wins.get(player, 0)) for player in shown}
    return [
        EveningRow(
            1 + sum(key < keys[player] for key in keys.values()),
            player,
            points.get(player, 0),
            games.get(player, 0),
            wins.get(player, 0),
        )
        for player in sorted(shown, key=lambda player: keys[player])
    ]
