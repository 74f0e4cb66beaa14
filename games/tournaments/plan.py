"""What comes next in a tournament whose rounds follow a plan, and how it stands: asked of the `Format` of its kind.
Pure: all follows from its standing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from random import Random

from games.tournaments.formats.arena import Arena
from games.tournaments.formats.core import Format, NextRound
from games.tournaments.formats.double import DoubleElimination
from games.tournaments.formats.groups import GroupsKnockout
from games.tournaments.formats.knockout import Knockout
from games.tournaments.formats.robin import BoxLeague, RoundRobin
from games.tournaments.formats.swiss import Swiss
from games.tournaments.formats.teams import Teams
from games.tournaments.standing import TournamentStanding
from games.tournaments.tiebreaks import TableRow

FORMATS: dict[str, Format] = {
    "round_robin": RoundRobin(),
    "swiss": Swiss(),
    "knockout": Knockout(),
    "boxes": BoxLeague(),
    "arena": Arena(),
    "double": DoubleElimination(),
    "groups": GroupsKnockout(),
    "teams": Teams(),
}
"""By a `Tournament.Kind`: those with a plan."""


def of(standing: TournamentStanding) -> Format:
    """The format of a tournament with a plan."""
    return FORMATS[standing.kind]


def next_rounds(standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
    """See `Format.next_rounds`. As a function it can be computed in another process."""
    return of(standing).next_rounds(standing, present, chance)


def finished(standing: TournamentStanding, present: Collection[int]) -> bool:
    return of(standing).finished(standing, present)


def lost(standing: TournamentStanding) -> set[int]:
    return of(standing).lost(standing)


def scores(standing: TournamentStanding) -> dict[int, float]:
    return of(standing).scores(standing)


def rows(standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
    return of(standing).rows(standing, players)


def judged(spent: Sequence[int], shares: Sequence[Fraction], gone: Sequence[bool]) -> list[int]:
    """The places by seat of a game that is not over in time: who has left, or has used more than their share of the
    time, comes after the others. All share the first place if that is nobody or everybody."""
    late = [left or ms > share for ms, share, left in zip(spent, shares, gone, strict=True)]
    on_time = late.count(False)
    return [1 + on_time if on_time and each else 1 for each in late]
