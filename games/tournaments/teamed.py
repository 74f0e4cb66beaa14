"""The page of a tournament of teams, as one person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from accounts.shown import PlayerShown
from games.tournaments import words
from games.tournaments.contest import TournamentPage
from games.tournaments.formats import teams
from games.tournaments.formats.teams import Encounter, TeamRow
from games.tournaments.page import ShownPlace, ShownTable, shown_points


class TeamPlayer(NamedTuple):
    """Somebody in a team."""

    player: int
    person: PlayerShown
    board: int
    """From 1; a reserve has a number beyond the boards."""
    reserve: bool
    captain: bool
    left: bool


class ShownTeam(NamedTuple):
    """A team."""

    number: int
    name: str
    players: list[TeamPlayer]
    mine: bool
    choose: bool
    """Whether the visitor can choose it."""
    order: bool
    """Whether the visitor can order its boards."""


class TeamLine(NamedTuple):
    """A team in the table of teams; it has a place and points as a player has."""

    place: int
    player: int
    """Its number."""
    name: str
    points: str
    """Those of its matches."""
    boards: str
    games: int
    """How many teams it has met."""
    cross: list[str]
    mine: bool


class ShownEncounter(NamedTuple):
    """Two teams that meet."""

    names: tuple[str, str]
    points: tuple[str, str]
    tables: list[ShownTable]
    alone: list[PlayerShown]
    """Who had nobody across, and won."""


class TeamsPage(TournamentPage):
    """Teams: their table, and who plays whom board by board."""

    own: ClassVar[dict[str, str]] = {"tables": "teams", "places": "teams"}

    @property
    def may_make_teams(self) -> bool:
        return self.may and not self.begun and self.tournament.closed_at is None

    @property
    def my_team(self) -> int | None:
        return teams.team_of(self.standing, self.me)

    @property
    def teamless(self) -> list[PlayerShown]:
        """Who takes part and has chosen no team."""
        return [self.shown[player] for player in self.standing.here if teams.team_of(self.standing, player) is None]

    @property
    def entered(self) -> int:
        return len(self.standing.here) - len(self.teamless)

    @cached_property
    def teams(self) -> list[ShownTeam]:
        """Those that are there, or play once it has begun."""
        standing, mine, open_ = self.standing, self.my_team, self.tournament.closed_at is None
        there = teams.playing(standing) if self.begun else range(len(standing.teams))
        return [
            ShownTeam(
                number,
                standing.teams[number].name,
                self._players(number),
                number == mine,
                open_ and self.here and number != mine and not (self.begun and mine is not None),
                open_ and not self.begun and (self.may or standing.teams[number].captain == self.me),
            )
            for number in there
            if not standing.teams[number].gone
        ]

    def _players(self, number: int) -> list[TeamPlayer]:
        team, boards = self.standing.teams[number], self.tournament.settings["boards"]
        return [
            TeamPlayer(
                player,
                self.shown[player],
                board,
                board > boards,
                player == team.captain,
                not self.standing.entrants[player].here,
            )
            for board, player in enumerate(team.players, 1)
        ]

    @cached_property
    def team_rows(self) -> list[TeamLine]:
        found = teams.team_rows(self.standing)
        order = [row.team for row in found]
        return [
            TeamLine(
                row.place,
                row.team,
                self.standing.teams[row.team].name,
                shown_points(row.match_points),
                shown_points(row.board_points),
                len(row.met),
                ["×" if other == row.team else self._met(row, other) for other in order],
                row.team == self.my_team,
            )
            for row in found
        ]

    def _met(self, row: TeamRow, other: int) -> str:
        return shown_points(row.met[other]) if other in row.met else ""

    @cached_property
    def encounters(self) -> list[tuple[int, list[ShownEncounter]]]:
        """By round, the last first unless all began at once: its number from 1, and who meets whom."""
        found = teams.encounters(self.standing)
        told = [(number + 1, [self._shown(number, one) for one in each]) for number, each in enumerate(found)]
        return told if self.several else told[::-1]

    def _shown(self, number: int, encounter: Encounter) -> ShownEncounter:
        one, other = (self.standing.teams[team].name for team in encounter.teams)
        won, lost = encounter.points
        alone = [player for board in encounter.boards if board.table is None for player in board.players]
        return ShownEncounter(
            (one, other),
            (shown_points(won), shown_points(lost)),
            [self.rounds[number][board.table] for board in encounter.boards if board.table is not None],
            [self.shown[player] for player in alone if player is not None],
        )

    @cached_property
    def rows(self) -> Sequence[tuple[ShownPlace, PlayerShown, str]]:
        """The table of teams, as the page on the wall shows it."""
        return [(row, PlayerShown(row.name), row.points) for row in self.team_rows]

    @property
    def winner(self) -> PlayerShown | None:
        if self.standing.closed is None or not self.standing.rounds or self.standing.busy:
            return None
        first = [row for row in self.team_rows if row.place == 1]
        return PlayerShown(first[0].name) if len(first) == 1 else None

    @property
    def points_said(self) -> str:
        return str(words.POINTS_OF_TEAMS)

    def _name(self, number: int) -> str:
        return _("Players")
