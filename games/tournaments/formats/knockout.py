"""Knock-outs: who loses is out. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from games.tournaments.bracket import goes_on, levels, rounds_won, third_place
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
        if not seating.tables:
            return []
        return [NextRound((*seating.tables, *self._third(standing, seating.tables, present)), seating.byes)]

    def _third(
        self, standing: TournamentStanding, tables: Sequence[tuple[int, ...]], present: Collection[int]
    ) -> list[tuple[int, ...]]:
        """The table for the third place, beside the final: of those who lost the semi-finals, if both are there."""
        drawn = levels(standing)
        if not standing.settings.get("third") or len(drawn) < 2 or {*tables[0]} != {*drawn[-1][0].sides}:
            return []
        losers = [
            player for each in drawn[-2] if each.table for player in each.sides if player and player != each.winner
        ]
        there = [player for player in losers if player in present]
        return [tuple(sorted(there, key=standing.groups[0].index))] if len(there) == 2 else []

    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        [seeds] = standing.groups
        return not knockout.pair(seeds, self.lost(standing) | (set(seeds) - set(present))).tables

    def winner(self, standing: TournamentStanding, table: RoundTable) -> int:
        """Who goes on after a game that is over: the better seed if the place was shared or the game does not count."""
        return goes_on(standing, table)

    def fixed(self, standing: TournamentStanding, number: int, changed: RoundTable) -> bool:
        if number + 1 >= len(standing.rounds):
            return False
        [table] = [each for each in standing.rounds[number].tables if set(each.players) == set(changed.players)]
        return self.winner(standing, changed) != self.winner(standing, table)

    def lost(self, standing: TournamentStanding) -> set[int]:
        tables = [table for each in standing.this_turn for table in each.tables if table.over]
        return {player for table in tables for player in table.players if player != self.winner(standing, table)}

    def third(self, standing: TournamentStanding) -> set[int]:
        return {
            self.winner(standing, table)
            for number, each in enumerate(standing.this_turn, standing.turn_began)
            for table in each.tables
            if table.over and third_place(standing, number, table)
        }

    def rows(self, standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
        """By the number of rounds that they have won, with and without a game; then who has lost or withdrawn comes
        after the others, and who has won the game for the third place before the other one."""
        won, out, third = rounds_won(standing), self.lost(standing), self.third(standing)
        still = {player: player not in out and standing.entrants[player].here for player in players}
        key = {player: (won[player], still[player], player in third) for player in players}
        return [
            TableRow(1 + sum(other > key[player] for other in key.values()), player, won[player], {})
            for player in sorted(players, key=lambda player: key[player], reverse=True)
        ]
