"""What differs between tournaments whose rounds follow a plan: a `Format` for each kind. Pure: all follows from the
standing.

In games of two a win is two points, and a shared one is one. At larger tables the points are matchpoints
(`games.tournaments.placepoints`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from games.tournaments.pairing import groups
from games.tournaments.placepoints import AVERAGE, matchpoints
from games.tournaments.standing import RoundTable, TournamentStanding
from games.tournaments.tiebreaks import ORDERS, CountedGame, Scores, TableRow, TieBreak, ranked

WIN = 2


@dataclass(frozen=True)
class NextRound:
    """A round to begin."""

    tables: tuple[groups.Table, ...]
    byes: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    """Who has asked for a bye, which counts as a shared place."""


class Format(ABC):
    """A kind of tournament: what comes next in it, and how it stands."""

    breaks: tuple[TieBreak, ...] = ()
    """The tie-breaks in their order."""
    cross: Literal["rivals", "rounds", ""] = ""
    """What its table shows beside each player: what they won against each other one, whom they met in each round, or
    neither."""
    for_two = True
    """Whether its tables are of two."""
    live, daily = True, True
    """Whether it can be played live, and by correspondence."""
    shut = False
    """Whether nobody can come in once it has begun."""
    beside = False
    """Whether its rounds, or those of a turn, all begin at once by correspondence."""
    continuous = False
    """Whether tables begin by the clock, while others are played."""
    by_hand = False
    """Whether a steward can pair a round by hand: no later round rests on who meets whom in this one."""
    least, most = 2, 200
    """How many people it can begin with."""

    def first_groups(self, standing: TournamentStanding, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """The players, given by their seeds, in the groups in which they play."""
        return (tuple(order),)

    def next_groups(self, standing: TournamentStanding, present: Collection[int]) -> tuple[tuple[int, ...], ...]:
        """The groups of the turn that follows, if all rounds of this one are over; else, and if none follows, none."""
        return ()

    @abstractmethod
    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        """The rounds that can begin once all tables are over; none at the end of the tournament, or of a turn.

        Among them may be pairs of whom one or both are not `present`. Where rounds are played `beside` each other these
        are all that are left, else it is one.
        """

    @abstractmethod
    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        """Whether no round follows, or none but those of a new turn: asked when all tables are over."""

    def lost(self, standing: TournamentStanding) -> set[int]:
        """Who is out because they lost."""
        return set()

    def third(self, standing: TournamentStanding) -> set[int]:
        """Who has won the game for the third place, if there was one."""
        return set()

    def fixed(self, standing: TournamentStanding, number: int, changed: RoundTable) -> bool:
        """Whether a table of a round cannot be corrected to this any more: a later round rests on who went on."""
        return False

    def tables(self, standing: TournamentStanding) -> tuple[tuple[int, ...], ...]:
        """The players in the groups that have a table each, by their seeds."""
        return standing.groups

    def annulled(self, standing: TournamentStanding) -> set[int]:
        """The players whose games of this turn do not count, because they have left it too early."""
        return set()

    def worth(self, standing: TournamentStanding) -> dict[int, float]:
        """The points for which some count as rivals in tie-breaks, if these are not those that they have."""
        return {}

    def missed(self, standing: TournamentStanding) -> dict[int, int]:
        """How many rounds of this turn each was neither paired in nor had a bye in."""
        return {}

    def counted(self, standing: TournamentStanding) -> list[RoundTable]:
        """The tables of this turn that count."""
        annulled = self.annulled(standing)
        tables = (table for each in standing.this_turn for table in each.tables if table.places)
        return [table for table in tables if annulled.isdisjoint(table.players)]

    def gained(self, standing: TournamentStanding, table: RoundTable) -> list[float]:
        """The points by seat of a table with a result."""
        won = matchpoints(table.places)
        return won if standing.seats > 2 else [WIN * each / (2 * AVERAGE) for each in won]

    def scores(self, standing: TournamentStanding) -> dict[int, float]:
        """The points of everybody in this turn."""
        points = dict.fromkeys([*standing.entrants, *(player for group in standing.groups for player in group)], 0.0)
        for table in self.counted(standing):
            for player, won in zip(table.players, self.gained(standing, table), strict=True):
                points[player] += won
        return points

    def rows(self, standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
        """The table of these players, who are given by their seeds: of a group, in this turn."""
        unplayed = dict.fromkeys(players, 0) | self.missed(standing)
        for each in standing.this_turn:
            for player in [
                *each.byes,
                *(p for table in each.tables if table.over and not table.places for p in table.players),
            ]:
                unplayed[player] = unplayed.get(player, 0) + 1
        games = [CountedGame(table.players, table.places, table.points) for table in self.counted(standing)]
        found = Scores(self.scores(standing), games, unplayed, self.worth(standing))
        return ranked(found, players, self.breaks_of(standing))

    def breaks_of(self, standing: TournamentStanding) -> tuple[TieBreak, ...]:
        """The tie-breaks of a tournament, in their order: those that were chosen for it, or the usual ones."""
        chosen = standing.settings.get("breaks")
        return tuple(TieBreak(each) for each in ORDERS[chosen]) if chosen in ORDERS else self.breaks
