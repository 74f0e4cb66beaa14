"""Swiss tournaments: so many rounds, in which people with about the same points meet. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from random import Random

from games.tournaments.formats.core import WIN, Format, NextRound
from games.tournaments.pairing import groups, swiss
from games.tournaments.placepoints import AVERAGE
from games.tournaments.standing import TournamentStanding
from games.tournaments.tiebreaks import TieBreak

HALF = WIN / 2
"""A shared place, and a bye that was asked for."""


class Swiss(Format):
    """A fixed number of rounds; a bye is worth a win, or the average of a table."""

    breaks = (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.GAME)
    cross = "rounds"
    for_two = False
    by_hand = True

    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        if self.finished(standing, present):
            return []
        seeds = [*standing.groups[0], *(player for player in standing.here if player not in standing.groups[0])]
        halves = tuple(player for player in present if standing.entrants[player].rests)
        order = [row.player for row in self.rows(standing, seeds) if row.player in present and row.player not in halves]
        points = {player: round(2 * won) for player, won in self.scores(standing).items()}
        met = groups.meetings([table.players for table in each.tables] for each in standing.rounds)
        if standing.seats == 2:
            seating = swiss.pair(order, points, met, standing.byes)
        else:
            seated = [[table.players for table in each.tables] for each in standing.rounds]
            small = Counter(player for tables in seated for player in swiss.at_small(tables))
            seating = swiss.tables(order, standing.seats, points, chance, met=met, byes=standing.byes, small=small)
        return [NextRound(seating.tables, seating.byes, halves)]

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
            for player in each.halves:
                points[player] += HALF if standing.seats == 2 else AVERAGE
        return points

    def missed(self, standing: TournamentStanding) -> dict[int, int]:
        there = Counter(
            player
            for each in standing.this_turn
            for player in (*each.byes, *(player for table in each.tables for player in table.players))
        )
        return {player: len(standing.this_turn) - there[player] for player in standing.entrants}

    def worth(self, standing: TournamentStanding) -> dict[int, float]:
        """For their rivals, each round that somebody missed counts as shared: who has left weighs no less in tie-breaks
        because they left. A half-point bye is such a round already."""
        points, draw = self.scores(standing), HALF if standing.seats == 2 else AVERAGE
        halves = Counter(player for each in standing.this_turn for player in each.halves)
        missed = self.missed(standing)
        return {player: points[player] + draw * (count - halves[player]) for player, count in missed.items()}
