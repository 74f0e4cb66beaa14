"""The standing of a tournament, and how each event changes it. Pure: it is the result of replaying the events.

It is kept beside them (`Tournament.standing`), so that nothing but the audit has to replay them.

Players are ids of users, times milliseconds since 1970, UTC. Who sits where stands in the events, so nothing is paired
again here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, NamedTuple, Self


class EventKind(StrEnum):
    """The kinds of events; in brackets the contents of `data`."""

    OPEN = "open"
    """It is open [kind: of `Tournament.Kind`, seats, and the settings of its kind]."""
    ENTER = "enter"
    """A player is there, or is back [player, guest: whether they are no member of the club, ticked: whether only a
    steward has said so yet, never they themselves]."""
    LEAVE = "leave"
    """A player is there no more; games that they have begun go on [player, out: whether a steward says so, not they
    themselves; agrees: whether they still agree to be let in again: they have neither gone by themselves nor left the
    club]. Or they were not there, because a steward has taken them out, and agree no more."""
    BEGIN = "begin"
    """A tournament with a plan begins, or a turn of a box league [groups: lists of players, by their seeds; seed: what
    chance was drawn from, empty without it]."""
    ROUND = "round"
    """A round begins [tables: a list of players, bots, match; byes: players without a seat; how: the way of pairing;
    seed: what chance was drawn from; until: when all games must be over, if there is a deadline; deal: which one all
    its tables play, from 0, if others play the same]. In a table's places the bots follow the players."""
    RESULT = "result"
    """A game is over [round, table, places, points; left: the seats of those who left, where the deal is the same]; all
    by seat."""
    VOID = "void"
    """A game ended without a result [round, table]."""
    FORFEIT = "forfeit"
    """A game was not over in time, or not played because a player had left [round, table, places, late: the players at
    fault, ply: how long its log was when that was found]. A game that is being played goes on, but counts as this."""
    UNFINISHED = "unfinished"
    """A game was still being played when the tournament closed: it does not count [round, table]."""
    LAST = "last"
    """No other deal of the week follows this one []."""
    CORRECT = "correct"
    """The stewards have set the places of a table [round, table, places]; without places the table does not count."""
    CLOSE = "close"
    """It is over []."""


class PastEvent(NamedTuple):
    """One event, reduced to what matters for the standing."""

    number: int
    kind: str
    at: int
    data: Mapping[str, Any]


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
    deal: int | None = None
    """Which deal its tables play, from 0; None if each has its own."""

    @property
    def over(self) -> bool:
        return all(table.over for table in self.tables)


@dataclass(slots=True)
class TournamentStanding:
    """The standing of a tournament."""

    kind: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    """The data of its first event."""
    events: int = 0
    """How many events have led to it."""
    opened: int = 0
    entrants: dict[int, Entrant] = field(default_factory=dict)
    """Everybody who was ever there, in the order in which they came."""
    rounds: list[Round] = field(default_factory=list)
    groups: tuple[tuple[int, ...], ...] = ()
    """The players who play each other, by their seeds: the boxes of this turn of a league, else all together. None
    before it begins, and at an evening."""
    turns: int = 0
    """How many turns of a box league have begun; 1 in other tournaments that have."""
    turn_began: int = 0
    """The number of rounds before this turn."""
    closed: int | None = None
    last: bool = False
    """Whether it has been said that no other deal of the week follows."""
    stirred: int = 0
    """When something happened last, apart from people who left or came back: these keep no event open."""

    @property
    def seats(self) -> int:
        """How many a table is to have."""
        return int(self.settings["seats"])

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
        """The players who are there and sit at no table, in the order in which they came."""
        busy = self.busy
        return [player for player in self.here if player not in busy]

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
        data = event.data
        self.events = event.number + 1
        if event.kind != EventKind.LEAVE and not (event.kind == EventKind.ENTER and data["player"] in self.entrants):
            self.stirred = max(self.stirred, event.at)
        match event.kind:
            case EventKind.OPEN:
                self.kind, self.settings, self.opened = data["kind"], dict(data), event.at
            case EventKind.ENTER:
                known = self.entrants.get(data["player"])
                first = known or Entrant(event.at, stranger=data["guest"], comings=0)
                self.entrants[data["player"]] = Entrant(
                    first.since, data["guest"], first.stranger, data["ticked"], comings=first.comings + 1
                )
            case EventKind.LEAVE:
                player = data["player"]
                known = self.entrants[player]
                out = data["out"] or (known.out and not known.here)
                self.entrants[player] = replace(known, here=False, out=out, agrees=data["agrees"])
            case EventKind.BEGIN:
                self.groups = tuple(tuple(group) for group in data["groups"])
                self.turns, self.turn_began = self.turns + 1, len(self.rounds)
            case EventKind.ROUND:
                tables = tuple(RoundTable(tuple(t["players"]), t["bots"], t["match"]) for t in data["tables"])
                until, deal = data.get("until"), data.get("deal")
                self.rounds.append(Round(event.at, tables, tuple(data["byes"]), data["how"], until, deal))
            case EventKind.RESULT:
                places, points, left = (tuple(data.get(name, ())) for name in ("places", "points", "left"))
                self._set(data, over=True, places=places, points=points, left=left)
            case EventKind.VOID | EventKind.UNFINISHED:
                self._set(data, over=True)
            case EventKind.FORFEIT:
                self._set(data, over=True, places=tuple(data["places"]), late=tuple(data["late"]))
            case EventKind.CORRECT:
                places = tuple(data["places"])
                self._set(data, over=True, places=places, points=(), late=(), left=(), corrected=True)
            case EventKind.LAST:
                self.last = True
            case EventKind.CLOSE:
                self.closed = event.at
            case _:
                raise ValueError(f"unknown kind of event: {event.kind}")

    def _set(self, data: Mapping[str, Any], **changes: Any) -> None:
        number, index = data["round"], data["table"]
        before = self.rounds[number]
        tables = list(before.tables)
        tables[index] = replace(tables[index], **changes)
        self.rounds[number] = replace(before, tables=tuple(tables))

    # As JSON

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in SCALARS} | {
            "entrants": [{"player": player, **_told(entrant)} for player, entrant in self.entrants.items()],
            "rounds": [_told(each) | {"tables": [_told(table) for table in each.tables]} for each in self.rounds],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_json` returned; an empty mapping gives a tournament without events."""
        standing = cls()
        if data:
            for name in SCALARS:
                setattr(standing, name, data[name])
            standing.groups = tuple(tuple(group) for group in data["groups"])
            standing.entrants = {
                known["player"]: Entrant(**{name: value for name, value in known.items() if name != "player"})
                for known in data["entrants"]
            }
            for each in data["rounds"]:
                tables = tuple(RoundTable(**_read(table)) for table in each["tables"])
                standing.rounds.append(Round(**_read(each) | {"tables": tables}))
        return standing


SCALARS = ("kind", "settings", "events", "opened", "groups", "turns", "turn_began", "closed", "last", "stirred")
"""The fields of a standing that JSON has as they are."""
DEFAULTS = {kind: [(each.name, each.default) for each in fields(kind)] for kind in (Entrant, RoundTable, Round)}


def _told(one: Entrant | RoundTable | Round) -> dict[str, Any]:
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
