"""Arenas: so many minutes, in which whoever is ready is paired again and again. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from games.tournaments.formats.core import Format, NextRound
from games.tournaments.pairing import arena
from games.tournaments.standing import TournamentStanding
from games.tournaments.tiebreaks import TableRow, TieBreak

EVERY_MS = 10_000
"""From one wave of pairings to the next: who becomes free meanwhile is in the next one."""
GRACE_MS = 5 * 60_000
"""How long after the end games that began before it still count."""


class Arena(Format):
    """Who is ready is paired, wave after wave, by the clock: a wave is a round."""

    breaks = (TieBreak.WINS,)
    for_two = False
    daily = False
    continuous = True

    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        return []

    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        return False

    def tables(self, standing: TournamentStanding) -> tuple[tuple[int, ...], ...]:
        """Who has played or is there."""
        played = {player for each in standing.rounds for table in each.tables for player in table.players}
        return (tuple(player for player, known in standing.entrants.items() if known.here or player in played),)

    def rows(self, standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
        """By points, then by games in which one came first."""
        points, wins = self.scores(standing), dict.fromkeys(standing.entrants, 0)
        for table in standing.counted:
            for player, place in zip(table.players, table.places, strict=False):
                wins[player] += place == 1
        key = {player: (points[player], wins[player]) for player in players}
        order = sorted(key.values(), reverse=True)
        first = {each: place for place, each in reversed(list(enumerate(order, 1)))}
        ranked = sorted(players, key=lambda player: key[player], reverse=True)
        return [
            TableRow(first[key[player]], player, points[player], {TieBreak.WINS: float(wins[player])})
            for player in ranked
        ]


def ends(standing: TournamentStanding) -> int:
    """When an arena that has begun ends: no game begins any more."""
    minutes: int = standing.settings["minutes"]
    return (standing.began or 0) + minutes * 60_000


def wave(
    standing: TournamentStanding,
    people: Collection[int],
    apart: Collection[frozenset[int]],
    now: int,
    chance: Random,
) -> tuple[tuple[int, ...], ...]:
    """The tables that begin now: none if nobody can be paired. `people`: who of those who are free
    there is so everywhere."""
    points, met = Arena().scores(standing), dict[int, frozenset[int]]()
    for each in standing.rounds:
        for table in each.tables:
            met |= {player: frozenset(table.players) - {player} for player in table.players}
    since = {player: max(standing.entrants[player].free_at, standing.began or 0) for player in people}
    waiting = [
        arena.WaitingPlayer(player, round(2 * points[player]), now - since[player], met.get(player, frozenset()))
        for player in people
    ]
    active = len({*standing.free, *standing.busy})
    return arena.tables(waiting, standing.seats, active, apart, chance)
