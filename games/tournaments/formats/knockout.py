"""Knock-outs: who loses is out. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from games.tournaments.formats.core import Format, NextRound
from games.tournaments.pairing import knockout
from games.tournaments.standing import RoundTable, TournamentStanding
from games.tournaments.tiebreaks import TableRow


class Knockout(Format):
    """Who loses is out; the seeds are the first group of this turn."""

    shut = True

    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        [seeds] = standing.groups
        seating = knockout.pair(seeds, self.lost(standing) | (set(seeds) - set(present)))
        return [NextRound(seating.tables, seating.byes)] if seating.tables else []

    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        [seeds] = standing.groups
        return not knockout.pair(seeds, self.lost(standing) | (set(seeds) - set(present))).tables

    def winner(self, standing: TournamentStanding, table: RoundTable) -> int:
        """Who goes on after a game that is over: the better seed if the place was shared or the game does not count."""
        placed = zip(table.players, table.places, strict=False)
        return min([player for player, place in placed if place == 1] or table.players, key=standing.groups[0].index)

    def fixed(self, standing: TournamentStanding, number: int, changed: RoundTable) -> bool:
        if number + 1 >= len(standing.rounds):
            return False
        [table] = [each for each in standing.rounds[number].tables if set(each.players) == set(changed.players)]
        return self.winner(standing, changed) != self.winner(standing, table)

    def lost(self, standing: TournamentStanding) -> set[int]:
        tables = [table for each in standing.this_turn for table in each.tables if table.over]
        return {player for table in tables for player in table.players if player != self.winner(standing, table)}

    def rows(self, standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
        """By the number of rounds that they have survived, with and without a game; then who has lost or withdrawn
        comes after the others."""
        survived, out = dict.fromkeys(players, 0), self.lost(standing)
        for each in standing.this_turn:
            for player in [*each.byes, *(self.winner(standing, table) for table in each.tables if table.over)]:
                survived[player] += 1
        still = {player: player not in out and standing.entrants[player].here for player in players}
        key = {player: (survived[player], still[player]) for player in players}
        return [
            TableRow(1 + sum(other > key[player] for other in key.values()), player, survived[player], {})
            for player in sorted(players, key=lambda player: key[player], reverse=True)
        ]
