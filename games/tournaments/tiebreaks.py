"""Who stands before whom with the same points: the tie-breaks, by the FIDE Handbook, C.07 (2024). Pure.

FIDE's are for games of two. At a larger table each rival counts as the share of a game that they are of the company, so
that a table of four weighs as much as one of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple


class TieBreak(StrEnum):
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn-berger"
    DIRECT = "direct"
    WINS = "wins"
    GAME = "game"


ORDERS: dict[str, tuple[TieBreak, ...]] = {
    "rivals": (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.GAME),
    "direct": (TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.GAME),
    "wins": (TieBreak.WINS, TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER),
    "game": (TieBreak.GAME, TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER),
}
"""The orders of tie-breaks from which one can choose."""


class CountedGame(NamedTuple):
    """A game that counts; all by seat."""

    players: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[float, ...] = ()
    """As the game counts them; empty if it did not come to that."""


class TableRow(NamedTuple):
    """A player in the table of a tournament."""

    place: int
    """Who is level in points and in all tie-breaks shares it."""
    player: int
    points: float
    ties: dict[TieBreak, float | None]
    """None where a tie-break cannot be said for them: a direct encounter with nobody level, or not of all."""


@dataclass(frozen=True)
class Scores:
    """What the tie-breaks are counted from."""

    points: Mapping[int, float]
    """The points of everybody in the tournament."""
    games: Sequence[CountedGame]
    unplayed: Mapping[int, int] = field(default_factory=dict)
    """How many rounds each had without a game that counts: byes, games that do not count, rounds that they missed."""
    worth: Mapping[int, float] = field(default_factory=dict)
    """The points that some count for as rivals, if these are not those that they have."""

    def rival(self, player: int) -> float:
        """The points of a player as a rival of others."""
        return self.worth.get(player, self.points[player])

    def of(self, player: int) -> Iterable[tuple[int, CountedGame]]:
        """The games of a player, with their seats."""
        return ((game.players.index(player), game) for game in self.games if player in game.players)


def buchholz(field: Scores, player: int) -> float:
    """The points of the rivals, at the end (C.07, 8.1). A round without a game counts as one with a rival who has as
    many points as oneself (16.4); with a rival the rounds that they missed count as shared (`Scores.worth`)."""
    own = field.points[player]
    return own * field.unplayed.get(player, 0) + sum(
        sum(field.rival(rival) for rival in game.players if rival != player) / (len(game.players) - 1)
        for _seat, game in field.of(player)
    )


def sonneborn_berger(field: Scores, player: int) -> float:
    """The points of the rivals whom one has beaten, and half of those with whom one shared the place (C.07, 9.1)."""
    return sum(
        _share(game, seat, other) * field.rival(rival) / (len(game.players) - 1)
        for seat, game in field.of(player)
        for other, rival in enumerate(game.players)
        if rival != player
    )


def wins(field: Scores, player: int) -> float:
    """The games in which one came first, shared first places too (C.07, 7.1, there without shared ones)."""
    return sum(game.places[seat] == 1 for seat, game in field.of(player))


def game_points(field: Scores, player: int) -> float:
    """The points of the game itself, in all games together."""
    return sum(game.points[seat] for seat, game in field.of(player) if game.points)


def direct(field: Scores, level: Sequence[int]) -> dict[int, float] | None:
    """What those who are level have won against each other, one for a win, half for a shared place; None unless each of
    them has met each other one (C.07, 6)."""
    inside = set(level)
    won, met = dict.fromkeys(level, 0.0), set[frozenset[int]]()
    for game in field.games:
        seats = [seat for seat, player in enumerate(game.players) if player in inside]
        for a, b in combinations(seats, 2):
            met.add(frozenset((game.players[a], game.players[b])))
            won[game.players[a]] += _share(game, a, b)
            won[game.players[b]] += _share(game, b, a)
    return won if len(met) == len(level) * (len(level) - 1) // 2 else None


COUNTED: Mapping[TieBreak, Callable[[Scores, int], float]] = {
    TieBreak.BUCHHOLZ: buchholz,
    TieBreak.SONNEBORN_BERGER: sonneborn_berger,
    TieBreak.WINS: wins,
    TieBreak.GAME: game_points,
}
"""The tie-breaks that can be counted for one player alone: all but the direct encounter."""


def ranked(field: Scores, players: Iterable[int], breaks: Sequence[TieBreak]) -> list[TableRow]:
    """The players by points, then by the tie-breaks in their order; who is level in all of them shares a place, in the
    order in which they were given."""
    ties = {
        # Thirds, added in different orders, differ in their last digits.
        player: {each: round(COUNTED[each](field, player), 9) if each in COUNTED else None for each in breaks}
        for player in players
    }
    groups = _split(list(ties), lambda player: field.points[player])
    for each in breaks:
        groups = [part for group in groups for part in _broken(field, group, each, ties)]
    rows: list[TableRow] = []
    for group in groups:
        place = len(rows) + 1
        rows += [TableRow(place, player, field.points[player], ties[player]) for player in group]
    return rows


def _broken(
    field: Scores, level: list[int], tie_break: TieBreak, ties: dict[int, dict[TieBreak, float | None]]
) -> list[list[int]]:
    """Those who are level, in groups by a tie-break."""
    if len(level) == 1:
        return [level]
    if tie_break is TieBreak.DIRECT:
        won = direct(field, level)
        if won is None:
            return [level]
        for player in level:
            ties[player][tie_break] = won[player]
    return _split(level, lambda player: ties[player][tie_break] or 0)


def _split(players: Sequence[int], key: Callable[[int], float]) -> list[list[int]]:
    values = sorted({key(player) for player in players}, reverse=True)
    return [[player for player in players if key(player) == value] for value in values]


def _share(game: CountedGame, seat: int, other: int) -> float:
    """What one seat won against another: 1, 1/2 or 0."""
    return (game.places[seat] < game.places[other]) + (game.places[seat] == game.places[other]) / 2
