"""Round robins and box leagues: everybody in a group plays everybody. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from games.tournaments.formats.core import Format, NextRound
from games.tournaments.pairing import berger, boxes
from games.tournaments.standing import TournamentStanding
from games.tournaments.tiebreaks import TieBreak

MOST_ROBIN = 16
"""The most people of a round robin: each of them plays all others."""


def rounds_left(standing: TournamentStanding) -> list[NextRound]:
    """The rounds of this turn that have not begun: those of all groups side by side."""
    plans = [(group, berger.rounds(len(group))) for group in standing.groups]
    found = []
    for number in range(standing.turn_rounds, max((len(plan) for _group, plan in plans), default=0)):
        pairs = [(group[a], group[b]) for group, plan in plans if number < len(plan) for a, b in plan[number]]
        playing = {player for pair in pairs for player in pair}
        byes = tuple(player for group, plan in plans if number < len(plan) for player in group if player not in playing)
        found.append(NextRound(tuple(pairs), byes))
    return found


class RoundRobin(Format):
    """Everybody plays everybody once."""

    breaks = (TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.GAME)
    cross = "rivals"
    shut = True
    beside = True
    most = MOST_ROBIN

    def annulled(self, standing: TournamentStanding) -> set[int]:
        """Who has left before half of their games: all of them count for nobody, as FIDE has it for round robins."""
        played = dict.fromkeys((player for group in standing.groups for player in group), 0)
        for each in standing.this_turn:
            for table in each.tables:
                for player in table.players if table.places or not table.over else ():
                    played[player] += player not in table.late
        return {
            player
            for group in standing.groups
            for player in group
            if not standing.entrants[player].here and 2 * played[player] < len(group) - 1
        }

    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        return rounds_left(standing)

    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        return not rounds_left(standing)


class BoxLeague(RoundRobin):
    """Round robins in boxes, turn after turn."""

    live = False
    shut = False
    most = Format.most

    def first_groups(self, standing: TournamentStanding, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        return boxes.divide(order, standing.settings["box"])

    def next_groups(self, standing: TournamentStanding, present: Collection[int]) -> tuple[tuple[int, ...], ...]:
        """The boxes of the next turn: two went up and two down, who left is left out, and who is new comes last."""
        if len(present) < 2 or not self.finished(standing, present):
            return ()
        finals = [tuple(row.player for row in self.rows(standing, group)) for group in standing.groups]
        order = [player for box in boxes.move(finals) for player in box if player in present]
        new = [player for player in standing.here if player in present and player not in order]
        return boxes.divide([*order, *new], standing.settings["box"])
