"""Swiss tournaments: so many rounds, in which people with about the same points meet. Pure."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from games.tournaments.formats.core import WIN, Format, NextRound
from games.tournaments.pairing import groups, swiss
from games.tournaments.placepoints import AVERAGE
from games.tournaments.standing import TournamentStanding
from games.tournaments.tiebreaks import TieBreak


class Swiss(Format):
    """A fixed number of rounds; a bye is worth a win, or the average of a table."""

    breaks = (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.GAME)
    cross = "rounds"
    for_two = False

    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        if self.finished(standing, present):
            return []
        seeds = [*standing.groups[0], *(player for player in standing.here if player not in standing.groups[0])]
        order = [row.player for row in self.rows(standing, seeds) if row.player in present]
        points = {player: round(2 * won) for player, won in self.scores(standing).items()}
        met = groups.meetings([table.players for table in each.tables] for each in standing.rounds)
        if standing.seats == 2:
            seating = swiss.pair(order, points, met, standing.byes)
        else:
            seating = swiss.tables(order, standing.seats, points, chance, met=met, byes=standing.byes)
        return [NextRound(seating.tables, seating.byes)]

    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        return len(standing.rounds) >= standing.settings["rounds"] or len(present) < 2

    def tables(self, standing: TournamentStanding) -> tuple[tuple[int, ...], ...]:
        """With those who came late, once they have played or had a bye."""
        [seeds] = standing.groups
        played = {*standing.byes, *(player for player in standing.entrants if standing.table_of(player))}
        return ((*seeds, *(player for player in standing.entrants if player not in seeds and player in played)),)

    def scores(self, standing: TournamentStanding) -> dict[int, float]:
        points = super().scores(standing)
        for each in standing.this_turn:
            for player in each.byes:
                points[player] += WIN if standing.seats == 2 else AVERAGE
        return points
