"""Groups, then a knock-out: round robins whose best play a knock-out. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from games.tournaments.formats.core import Format, NextRound
from games.tournaments.formats.knockout import Knockout
from games.tournaments.formats.robin import RoundRobin
from games.tournaments.pairing import crosswise
from games.tournaments.standing import RoundTable, TournamentStanding
from games.tournaments.tiebreaks import TableRow

ROBIN, KNOCKOUT = RoundRobin(), Knockout()


def in_knockout(standing: TournamentStanding) -> bool:
    """Whether the groups are over, and the knock-out has begun: the second turn."""
    return standing.turns > 1


def group_phase(standing: TournamentStanding) -> TournamentStanding:
    """How it stands, or stood when the knock-out began, in the groups."""
    if not in_knockout(standing):
        return standing
    rounds = standing.rounds[: standing.turn_began]
    return replace(standing, rounds=rounds, groups=standing.first_groups, turns=1, turn_began=0)


class GroupsKnockout(Format):
    """The first `through` of each group go into a knock-out, which is the second turn."""

    breaks = ROBIN.breaks
    cross = ROBIN.cross
    shut = True
    beside = True
    least, most = 3, 96

    def first_groups(self, standing: TournamentStanding, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        return crosswise.snake(order, standing.settings["group"])

    def next_groups(self, standing: TournamentStanding, present: Collection[int]) -> tuple[tuple[int, ...], ...]:
        """The seeds of the knock-out, if two or more go on."""
        if in_knockout(standing) or not ROBIN.finished(standing, present):
            return ()
        seeds = crosswise.seeds(self._through(standing, present))
        return (seeds,) if len(seeds) > 1 else ()

    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        return self._phase(standing).next_rounds(standing, present, chance)

    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        return self._phase(standing).finished(standing, present) and not self.next_groups(standing, present)

    def lost(self, standing: TournamentStanding) -> set[int]:
        """Once the knock-out has begun, also who has not come so far."""
        if not in_knockout(standing):
            return set()
        [seeds] = standing.groups
        behind = {player for group in standing.first_groups for player in group if player not in seeds}
        return behind | KNOCKOUT.lost(standing)

    def fixed(self, standing: TournamentStanding, number: int, changed: RoundTable) -> bool:
        if not in_knockout(standing):
            return False
        if number >= standing.turn_began:
            return KNOCKOUT.fixed(standing, number, changed)
        before = group_phase(standing)
        [group] = [group for group in before.groups if changed.players[0] in group]
        [seeds] = standing.groups
        order = [row.player for row in ROBIN.rows(before, group)]
        last = max((number for number, player in enumerate(order) if player in seeds), default=-1)
        tables = [
            changed if set(table.players) == set(changed.players) else table for table in before.rounds[number].tables
        ]
        before.rounds[number] = replace(before.rounds[number], tables=tuple(tables))
        return [row.player for row in ROBIN.rows(before, group)][: last + 1] != order[: last + 1]

    def rows(self, standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
        return self._phase(standing).rows(standing, players)

    def _phase(self, standing: TournamentStanding) -> Format:
        return KNOCKOUT if in_knockout(standing) else ROBIN

    def _through(self, standing: TournamentStanding, present: Collection[int]) -> list[list[int]]:
        """Who goes on from each group, the best first: whoever has left is passed over."""
        orders = [[row.player for row in ROBIN.rows(standing, group)] for group in standing.groups]
        return [[player for player in order if player in present][: standing.settings["through"]] for order in orders]
