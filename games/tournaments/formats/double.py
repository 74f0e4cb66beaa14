"""Double elimination: who has lost twice is out. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from random import Random

from games.tournaments.formats.core import NextRound
from games.tournaments.formats.knockout import Knockout
from games.tournaments.pairing import double
from games.tournaments.standing import TournamentStanding
from games.tournaments.tiebreaks import TableRow

OUT = 2
"""Who has lost so often is out."""


class DoubleElimination(Knockout):
    """Whoever loses once plays on in the losers' bracket. In a round all play who know their rivals; who has left loses
    the games to come, one after the other."""

    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        [seeds] = standing.groups
        ready = [
            (one, other)
            for place in places(standing)
            for one, other in [place.sides]
            if place.winner is None and one is not None and other is not None
        ]
        tables = tuple(tuple(sorted(pair, key=seeds.index)) for pair in ready)
        return [NextRound(tables)] if tables else []

    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        return not self.next_rounds(standing, present, Random(0))

    def lost(self, standing: TournamentStanding) -> set[int]:
        losses = Counter(place.loser for place in places(standing))
        return {player for player in standing.groups[0] if losses[player] >= OUT}

    def rows(self, standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
        """Who is not out comes first, then who lost the second time in the latest round of the brackets; who did so in
        the same one shares the place. Their points are the games that they have won."""
        losses, reached, won = Counter[int](), dict[int, tuple[bool, int]](), Counter[int]()
        for place in places(standing):
            if place.loser is not None and place.loser != double.NOBODY:
                losses[place.loser] += 1
                reached[place.loser] = (place.slot.bracket == "final", place.slot.level)
        for table in (table for each in standing.rounds for table in each.tables if table.over):
            won[self.winner(standing, table)] += 1
        key = {
            player: (losses[player] < OUT, reached[player] if losses[player] >= OUT else (False, 0))
            for player in players
        }
        return [
            TableRow(1 + sum(other > key[player] for other in key.values()), player, won[player], {})
            for player in sorted(players, key=lambda player: (key[player], won[player]), reverse=True)
        ]


def places(standing: TournamentStanding) -> list[double.DoublePlace]:
    """The places of the brackets of a tournament that has begun, as far as they have been played."""
    results, knockout = dict[tuple[frozenset[int], int], int](), Knockout()
    for pair, times in meetings(standing).items():
        for meeting, (number, index) in enumerate(times):
            table = standing.rounds[number].tables[index]
            if table.over:
                results[pair, meeting] = knockout.winner(standing, table)
    return double.places(standing.groups[0], lambda one, other, met: results.get((frozenset((one, other)), met)))


def meetings(standing: TournamentStanding) -> dict[frozenset[int], list[tuple[int, int]]]:
    """By the two who met, or meet, their rounds and tables, the first first."""
    found: dict[frozenset[int], list[tuple[int, int]]] = {}
    for number, each in enumerate(standing.rounds):
        for index, table in enumerate(each.tables):
            found.setdefault(frozenset(table.players), []).append((number, index))
    return found
