"""Teams: every two teams meet once, board against board. Pure.

A win is one point of a board, a shared place half of one, as in team matches of chess. In a round the first of a team
play, in the order of its boards; a reserve, from below, takes the board of whoever is missing. Whoever has nobody
across wins without a game, and is among the byes of the round.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import NamedTuple

from games.tournaments.formats.core import WIN, Format, NextRound
from games.tournaments.pairing import berger
from games.tournaments.standing import RoundTable, TournamentStanding


class TeamBoard(NamedTuple):
    """A board of an encounter."""

    players: tuple[int | None, int | None]
    """Of the first team, of the second; None: nobody is there."""
    table: int | None
    """Its table in the round; None without a game."""
    points: tuple[float, float] | None
    """None until it is over; of a game that does not count nothing."""


class Encounter(NamedTuple):
    """Two teams that meet in a round."""

    teams: tuple[int, int]
    """Their numbers in `TournamentStanding.teams`."""
    boards: list[TeamBoard]

    @property
    def over(self) -> bool:
        return all(board.points is not None for board in self.boards)

    @property
    def points(self) -> tuple[float, float]:
        """Those of the boards so far."""
        found = [board.points for board in self.boards if board.points]
        return sum(one for one, _other in found), sum(other for _one, other in found)

    @property
    def match_points(self) -> tuple[int, int] | None:
        """2 for the team with more points, 1 for both if they are level; None until all boards are over, or if nobody
        of both teams was there."""
        one, other = self.points
        if not self.over or not self.boards:
            return None
        return 1 + (one > other) - (one < other), 1 + (other > one) - (other < one)


class TeamRow(NamedTuple):
    """A team in the table."""

    place: int
    """Who is level in both kinds of points shares it."""
    team: int
    match_points: int
    board_points: float
    met: dict[int, float]
    """The points of the boards against each team that it has met."""


class Teams(Format):
    """A round robin of teams."""

    beside = True

    def first_groups(self, standing: TournamentStanding, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """The teams of which anybody is there, in the order in which they were made; who is in none does not play."""
        found = [tuple(player for player in team.players if player in order) for team in standing.teams]
        return tuple(group for group in found if group)

    def next_rounds(self, standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
        found, teams = [], playing(standing)
        for pairs in berger.rounds(len(teams))[standing.turn_rounds :]:
            tables, byes = list[tuple[int, int]](), list[int]()
            for a, b in pairs:
                one, other = (self._line_up(standing, teams[team], present) for team in (a, b))
                for board, (here, across) in enumerate(zip(one, other, strict=True)):
                    if here is not None and across is not None:
                        tables.append((across, here) if board % 2 else (here, across))  # who begins alternates
                    else:
                        byes += [player for player in (here, across) if player is not None]
            found.append(NextRound(tuple(tables), tuple(byes)))
        return found

    def finished(self, standing: TournamentStanding, present: Collection[int]) -> bool:
        return standing.turn_rounds >= len(berger.rounds(len(standing.groups)))

    def gained(self, standing: TournamentStanding, table: RoundTable) -> list[float]:
        return [won / WIN for won in super().gained(standing, table)]

    def scores(self, standing: TournamentStanding) -> dict[int, float]:
        points = super().scores(standing)
        for each in standing.rounds:
            for player in each.byes:
                points[player] += 1
        return points

    def tables(self, standing: TournamentStanding) -> tuple[tuple[int, ...], ...]:
        """All players together, board by board."""
        return (tuple(player for number in playing(standing) for player in standing.teams[number].players),)

    def _line_up(self, standing: TournamentStanding, team: int, present: Collection[int]) -> list[int | None]:
        """Who sits at each board; None where a player is missing and there is no reserve."""
        boards: int = standing.settings["boards"]
        players = standing.teams[team].players
        reserves = iter([player for player in players[boards:] if player in present])
        seats = [player if player in present else next(reserves, None) for player in players[:boards]]
        return [*seats, *[None] * (boards - len(seats))]


def playing(standing: TournamentStanding) -> list[int]:
    """The numbers of the teams that play, in the order of their round robin."""
    began = {player for group in standing.groups for player in group}
    return [number for number, team in enumerate(standing.teams) if began & {*team.players}]


def team_of(standing: TournamentStanding, player: int | None) -> int | None:
    """The number of the team of a player."""
    return next((number for number, team in enumerate(standing.teams) if player in team.players), None)


def encounters(standing: TournamentStanding) -> list[list[Encounter]]:
    """By round, who meets whom."""
    home = {player: number for number, team in enumerate(standing.teams) for player in team.players}
    teams, form, found = playing(standing), Teams(), list[list[Encounter]]()
    for each, pairs in zip(standing.rounds, berger.rounds(len(teams)), strict=False):
        met = {pair: Encounter(pair, []) for a, b in pairs for pair in [(teams[a], teams[b])]}
        by_team = {team: encounter for pair, encounter in met.items() for team in pair}
        for index, table in enumerate(each.tables):
            encounter = by_team[home[table.players[0]]]
            turned = home[table.players[0]] != encounter.teams[0]
            one, other = table.players
            points: tuple[float, float] | None = None
            if table.over:
                won, lost = form.gained(standing, table) if table.places else (0.0, 0.0)
                points = (lost, won) if turned else (won, lost)
            encounter.boards.append(TeamBoard((other, one) if turned else (one, other), index, points))
        for player in each.byes:
            encounter = by_team[home[player]]
            first = home[player] == encounter.teams[0]
            board = (
                TeamBoard((player, None), None, (1.0, 0.0)) if first else TeamBoard((None, player), None, (0.0, 1.0))
            )
            encounter.boards.append(board)
        found.append(list(met.values()))
    return found


def team_rows(standing: TournamentStanding) -> list[TeamRow]:
    """The table of the teams: by match points, then by points of the boards."""
    teams = playing(standing)
    won, boards, met = dict.fromkeys(teams, 0), dict.fromkeys(teams, 0.0), {team: dict[int, float]() for team in teams}
    for encounter in (encounter for each in encounters(standing) for encounter in each):
        for side, team in enumerate(encounter.teams):
            boards[team] += encounter.points[side]
            won[team] += encounter.match_points[side] if encounter.match_points else 0
            met[team][encounter.teams[1 - side]] = encounter.points[side]
    key = {team: (won[team], boards[team]) for team in teams}
    return [
        TeamRow(1 + sum(other > key[team] for other in key.values()), team, won[team], boards[team], met[team])
        for team in sorted(teams, key=lambda team: key[team], reverse=True)
    ]
