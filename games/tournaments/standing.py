"""The standing of a tournament, and how each event changes it. Pure: it is the result of replaying the events.

It is kept beside them (`Tournament.standing`), so that nothing but the audit has to replay them.

Players are ids of users, times milliseconds since 1970, UTC. Who sits where stands in the events, so nothing is paired
again here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self, assert_never

from games.tournaments import payloads
from games.tournaments.payloads import PastEvent


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament."""

    since: int
    """When they came first."""
    guest: bool = False
    """Whether they are no member of the club."""
    stranger: bool = False
    """Whether they were none when they came first, so that their games are casual."""
    ticked: bool = False
    """Whether only a steward has ever said that they are there, so that their games are casual and wait for their first
    answer."""
    here: bool = True
    out: bool = False
    """Whether a steward has taken them out: into a tournament with a plan only a steward lets them in again."""
    agrees: bool = False
    """Whether that steward may let them in again without asking."""
    comings: int = 1
    """How often they have come, or been let in."""
    rests: bool = False
    """Whether they have asked for a bye in the next round."""
    asked: int = 0
    """How often they have asked for one, or taken it back."""
    paused: bool = False
    """Whether they get no table of an arena."""
    pauses: int = 0
    """How often they have paused themselves."""
    free_at: int = 0
    """When they could be seated last: they came, were ready again, or a game of theirs was over."""


@dataclass(frozen=True, slots=True)
class Team:
    """A team of a tournament of teams."""

    name: str
    players: tuple[int, ...] = ()
    """In the order of its boards."""
    captain: int | None = None
    """Who chose it first; whoever sits at the first board if they have left it."""
    gone: bool = False
    """Whether a steward has removed it."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of a round."""

    players: tuple[int, ...]
    bots: int = 0
    match: str = ""
    """The key of its match; empty if there is none."""
    over: bool = False
    places: tuple[int, ...] = ()
    """By seat, players before bots; empty until there is a result, and if it does not count."""
    points: tuple[int, ...] = ()
    """By seat, as the game counts them; empty if a steward set the places."""
    corrected: bool = False
    late: tuple[int, ...] = ()
    """The players at fault, if it was not over in time or not played."""
    left: tuple[int, ...] = ()
    """The seats of those who left, where the deal is the same at several tables."""

    @property
    def size(self) -> int:
        return len(self.players) + self.bots


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its tables, and who had no seat."""

    at: int
    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...] = ()
    how: str = ""
    until: int | None = None
    """When all its games must be over; None without a deadline."""
    halves: tuple[int, ...] = ()
    """Who has a bye because they asked for it."""
    deal: int | None = None
    """Which deal its tables play, from 0; None if each has its own."""

    @property
    def over(self) -> bool:
        return all(table.over for table in self.tables)


@dataclass(slots=True)
class TournamentStanding:
    """The standing of a tournament."""

    kind: str = ""
    seats: int = 0
    """How many a table is to have."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Those of its kind."""
    events: int = 0
    """How many events have led to it."""
    opened: int = 0
    entrants: dict[int, Entrant] = field(default_factory=dict)
    """Everybody who was ever there, in the order in which they came."""
    teams: list[Team] = field(default_factory=list)
    """All that were ever made."""
    rounds: list[Round] = field(default_factory=list)
    groups: tuple[tuple[int, ...], ...] = ()
    """The players who play each other, by their seeds: the boxes of this turn of a league, else all together. None
    before it begins, and at an evening."""
    first_groups: tuple[tuple[int, ...], ...] = ()
    """The groups of the first turn."""
    turns: int = 0
    """How many turns of a box league have begun; 1 in other tournaments that have."""
    turn_began: int = 0
    """The number of rounds before this turn."""
    began: int | None = None
    """When this turn, or the tournament, began."""
    closed: int | None = None
    last: bool = False
    """Whether it has been said that no other deal of the week follows."""
    stirred: int = 0
    """When something happened last, apart from people who left or came back: these keep no event open."""

    @property
    def this_turn(self) -> list[Round]:
        """The rounds of this turn."""
        return self.rounds[self.turn_began :]

    @property
    def turn_rounds(self) -> int:
        return len(self.rounds) - self.turn_began

    @property
    def until(self) -> int | None:
        """The next deadline of a round that is not over."""
        return min((each.until for each in self.rounds if each.until is not None and not each.over), default=None)

    @property
    def waiting(self) -> bool:
        """Whether it goes on according to its plan, and no game is being played."""
        return bool(self.groups) and self.closed is None and all(each.over for each in self.rounds)

    @property
    def here(self) -> list[int]:
        """The players who are there, in the order in which they came."""
        return [player for player, entrant in self.entrants.items() if entrant.here]

    @property
    def busy(self) -> set[int]:
        """The players whose game is not over."""
        return {player for each in self.rounds for table in each.tables if not table.over for player in table.players}

    @property
    def free(self) -> list[int]:
        """The players who are there, have not paused, and sit at no table, in the order in which they came."""
        busy = self.busy
        return [player for player in self.here if player not in busy and not self.entrants[player].paused]

    @property
    def byes(self) -> dict[int, int]:
        """How often each player had no seat in a round."""
        found: dict[int, int] = {}
        for each in self.rounds:
            for player in each.byes:
                found[player] = found.get(player, 0) + 1
        return found

    @property
    def counted(self) -> list[RoundTable]:
        """The tables with a result, in order."""
        return [table for each in self.rounds for table in each.tables if table.places]

    def table_of(self, player: int) -> RoundTable | None:
        """The table at which a player sits now, or sat last."""
        found = (table for each in reversed(self.rounds) for table in each.tables if player in table.players)
        return next(found, None)

    def apply(self, event: PastEvent) -> None:
        """Change as the event says."""
        self.events, at, payload = event.number + 1, event.at, event.payload
        back = isinstance(payload, payloads.Entered) and payload.player in self.entrants
        if not back and not isinstance(payload, payloads.EntrantLeft):
            self.stirred = max(self.stirred, at)
        match payload:
            case payloads.Opened():
                self.kind, self.seats, self.settings = payload.tournament, payload.seats, payload.settings
                self.opened = at
            case payloads.Entered():
                known = self.entrants.get(payload.player)
                first = known or Entrant(at, stranger=payload.guest, comings=0)
                self.entrants[payload.player] = Entrant(
                    first.since,
                    payload.guest,
                    first.stranger,
                    payload.ticked,
                    comings=first.comings + 1,
                    asked=first.asked,
                    pauses=first.pauses,
                    free_at=at,
                )
            case payloads.EntrantLeft():
                known = self.entrants[payload.player]
                out = payload.out or (known.out and not known.here)
                self.entrants[payload.player] = replace(known, here=False, out=out, agrees=payload.agrees)
                if not self.groups:
                    self._leave_team(payload.player)
            case payloads.TeamMade():
                self.teams.append(Team(payload.name))
            case payloads.TeamRemoved():
                self.teams[payload.team] = Team(self.teams[payload.team].name, gone=True)
            case payloads.TeamChosen():
                self._leave_team(payload.player)
                team = self.teams[payload.team]
                captain = payload.player if team.captain is None else team.captain
                self.teams[payload.team] = replace(team, players=(*team.players, payload.player), captain=captain)
            case payloads.TeamOrdered():
                self.teams[payload.team] = replace(self.teams[payload.team], players=payload.players)
            case payloads.EntrantPaused():
                known = self.entrants[payload.player]
                pauses = known.pauses + (not payload.absent)
                self.entrants[payload.player] = replace(known, paused=True, pauses=pauses)
            case payloads.EntrantReady():
                known = self.entrants[payload.player]
                self.entrants[payload.player] = replace(known, paused=False, free_at=at)
            case payloads.ByeAsked():
                known = self.entrants[payload.player]
                self.entrants[payload.player] = replace(known, rests=payload.wants, asked=known.asked + 1)
            case payloads.Begun():
                self.groups, self.began = payload.groups, at
                self.first_groups = self.first_groups or payload.groups
                self.turns, self.turn_began = self.turns + 1, len(self.rounds)
            case payloads.RoundBegun():
                tables = tuple(RoundTable(table.players, table.bots, table.match) for table in payload.tables)
                self.rounds.append(
                    Round(at, tables, payload.byes, payload.how, payload.until, payload.halves, payload.deal)
                )
                for player in payload.halves:
                    self.entrants[player] = replace(self.entrants[player], rests=False)
            case payloads.TableFinished():
                self._set(payload, at, places=payload.places, points=payload.points, left=payload.left)
            case payloads.TableVoided() | payloads.Unfinished():
                self._set(payload, at)
            case payloads.Forfeited():
                self._set(payload, at, places=payload.places, late=payload.late)
            case payloads.TableCorrected():
                self._set(payload, at, places=payload.places, points=(), late=(), left=(), corrected=True)
            case payloads.Last():
                self.last = True
            case payloads.TournamentClosed():
                self.closed = at
            case _:
                assert_never(payload)

    def _set(self, about: payloads.OfTable, at: int, **changes: Any) -> None:
        """Change a table that is over now."""
        before = self.rounds[about.round]
        tables = list(before.tables)
        if not tables[about.table].over:
            for player in tables[about.table].players:
                self.entrants[player] = replace(self.entrants[player], free_at=at)
        tables[about.table] = replace(tables[about.table], over=True, **changes)
        self.rounds[about.round] = replace(before, tables=tuple(tables))

    def _leave_team(self, player: int) -> None:
        for number, team in enumerate(self.teams):
            if player in team.players:
                players = tuple(other for other in team.players if other != player)
                captain = (players[0] if players else None) if team.captain == player else team.captain
                self.teams[number] = replace(team, players=players, captain=captain)

    # As JSON

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in SCALARS} | {
            "entrants": [{"player": player, **_told(entrant)} for player, entrant in self.entrants.items()],
            "teams": [_told(team) for team in self.teams],
            "rounds": [_told(each) | {"tables": [_told(table) for table in each.tables]} for each in self.rounds],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_json` returned; an empty mapping gives a tournament without events."""
        standing = cls()
        if data:
            for name in SCALARS:
                setattr(standing, name, data[name])
            standing.groups, standing.first_groups = (
                tuple(tuple(group) for group in data[name]) for name in ("groups", "first_groups")
            )
            standing.entrants = {
                known["player"]: Entrant(**{name: value for name, value in known.items() if name != "player"})
                for known in data["entrants"]
            }
            standing.teams = [Team(**_read(team)) for team in data["teams"]]
            for each in data["rounds"]:
                tables = tuple(RoundTable(**_read(table)) for table in each["tables"])
                standing.rounds.append(Round(**_read(each) | {"tables": tables}))
        return standing


SCALARS = (
    *("kind", "seats", "settings", "events", "opened", "groups", "turns", "turn_began", "began", "closed", "last"),
    *("first_groups", "stirred"),
)
"""The fields of a standing that JSON has as they are."""
DEFAULTS = {kind: [(each.name, each.default) for each in fields(kind)] for kind in (Entrant, Team, RoundTable, Round)}


def _told(one: Entrant | Team | RoundTable | Round) -> dict[str, Any]:
    """The fields that are not as they are by default."""
    return {name: value for name, default in DEFAULTS[type(one)] if (value := getattr(one, name)) != default}


def _read(told: Mapping[str, Any]) -> dict[str, Any]:
    """Fields from JSON, which knows no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}


def replay(events: Iterable[PastEvent]) -> TournamentStanding:
    """The standing after these events, from the first."""
    standing = TournamentStanding()
    for event in events:
        standing.apply(event)
    return standing
