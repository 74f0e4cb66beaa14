"""How a ladder stands, and how each of its events changes that. Pure: replaying the events gives the standing again.

Players are ids of users. Times are milliseconds since 1970, UTC. An event whose player has left, or which another one
has undone, changes nothing: so events can be replayed without those that were undone.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from accounts import ratings
from games import ladder
from games.ladder import DAY_MS, Order, Rules

FORM = 5
"""How many of his last games a player's form shows."""


class Kind(StrEnum):
    """What happens to a ladder; in brackets what its `data` says."""

    RULES = "rules"
    """The stewards have set the rules [rules]."""
    SEASON = "season"
    """A season has begun [number, ends]."""
    SEASON_END = "season-end"
    """It has ended [number, final: a list of player, rating, games]."""
    JOIN = "join"
    """A player stands at the bottom [player]."""
    LEAVE = "leave"
    """He does not stand on the ladder any more [player]."""
    ORDER = "order"
    """The stewards have ordered the ladder [order]."""
    CORRECT = "correct"
    """They have put a player at a position [player, position]."""
    UNDO = "undo"
    """They have undone an event: the ladder is as if it had not been [event: its number]."""
    RESULT = "result"
    """A game is over [challenge, match, players, places, late: whose time ran out]."""
    VOID = "void"
    """A game does not count [challenge, match, players, why: "left", "aborted", "season", "unfinished"]."""
    UNANSWERED = "unanswered"
    """A challenge was not answered [challenge, player: the challenger, silent: who did not answer]."""
    DECLINED = "declined"
    """A challenge was declined [challenge, player: the challenger, silent: who declined]."""
    SINK = "sink"
    """A player has been idle for too long [player]."""
    OFF = "off"
    """His time has run out too often: he is taken off until he is back [player]."""
    VACATION = "vacation"
    """A player goes on vacation [player, begins, ends]."""
    BACK = "back"
    """He is back, from vacation or after having been taken off [player]."""


UNDOABLE = {Kind.RESULT, Kind.UNANSWERED, Kind.DECLINED, Kind.SINK, Kind.OFF, Kind.ORDER, Kind.CORRECT}
"""What stewards may undo."""


class Event(NamedTuple):
    """One event, as far as the standing is concerned."""

    number: int
    kind: str
    at: int
    data: Mapping[str, Any]


@dataclass(slots=True)
class Player:
    """What a ladder knows of one of its players."""

    joined: int
    idle_from: int
    """From here on idle time counts: he joined, finished a game or came back."""
    sunk: int = 0
    """How many times he has sunk since."""
    rating: float = ratings.START
    """In the club's own pool."""
    games: int = 0
    form: str = ""
    """His last games, the latest last: `w` won, `l` lost, `d` shared."""
    late: list[int] = field(default_factory=list)
    """When his time ran out."""
    vacation: tuple[int, int] | None = None
    """His last vacation, or the one to come: from, until."""
    vacation_ms: int = 0
    """How much vacation he has taken this season, the present one included."""
    held: int | None = None
    """The position from which he was taken off; None while he stands on the ladder."""

    def away(self, at: int) -> bool:
        """Whether he is on vacation."""
        return self.vacation is not None and self.vacation[0] <= at < self.vacation[1]

    def sinks_at(self, rules: Rules) -> int:
        """When he sinks next, if nothing happens before: vacations do not count as idle time."""
        due = self.idle_from + (rules.idle_days + self.sunk * rules.sink_days) * DAY_MS
        if self.vacation and self.idle_from < self.vacation[1] and self.vacation[0] <= due:
            due += self.vacation[1] - max(self.vacation[0], self.idle_from)
        return due

    def idle(self, at: int, rules: Rules) -> bool:
        """Whether he has been idle for so long that he sinks."""
        return self.sunk > 0 or self.sinks_at(rules) <= at

    def active(self, at: int) -> None:
        """He has done something: idle time counts anew."""
        self.idle_from, self.sunk = at, 0


@dataclass(slots=True)
class Standing:
    """How a ladder stands: the order of its players, and what it knows of each."""

    order: Order = ()
    players: dict[int, Player] = field(default_factory=dict)
    """All who belong to the ladder: those of `order`, and those who are taken off until they are back."""
    rules: Rules = field(default_factory=Rules)
    season: int = 0
    """The number of the season that runs, or of the last one; 0 before the first."""
    began: int = 0
    paused: int = 0
    """When the last season ended: the time until the next one begins is no idle time."""
    ends: int | None = None
    """When the season ends; None while none runs."""
    met: dict[tuple[int, int], int] = field(default_factory=dict)
    """When two players, the lower id first, last finished a game with each other."""

    def position(self, player: int) -> int | None:
        """Where a player stands, from 1; None for who does not."""
        return self.order.index(player) + 1 if player in self.order else None

    def positions(self) -> dict[int, int]:
        """All players who stand on the ladder with their positions."""
        return {player: number for number, player in enumerate(self.order, 1)}

    def taken_off(self) -> list[int]:
        """Those who will stand on the ladder again when they say that they are back."""
        return [player for player, known in self.players.items() if known.held is not None]

    def too_late(self, player: int, at: int) -> bool:
        """Whether his time has run out so often lately that he is taken off."""
        known = self.players.get(player)
        return known is not None and known.held is None and len(self._lately(known, at)) >= self.rules.most_late

    def _lately(self, known: Player, at: int) -> list[int]:
        return [late for late in known.late if late > at - self.rules.late_days * DAY_MS]

    def after(self, event: Event) -> Standing:
        """The standing after an event that is no `undo`: what that comes to follows from all events (`replay`)."""
        standing = copy.deepcopy(self)
        standing.apply(event)
        return standing

    def apply(self, event: Event) -> None:
        """As `after`, in place."""
        getattr(self, "_" + event.kind.replace("-", "_"))(event.at, **event.data)

    # One method a kind of event; the arguments after the time are its data.

    def _rules(self, at: int, rules: dict[str, Any]) -> None:
        self.rules = Rules.from_json(rules)

    def _season(self, at: int, number: int, ends: int) -> None:
        if self.season and self.rules.soft_reset:
            self.order = ladder.soft_reset(self.order, {one: self.players[one].rating for one in self.order})
        self.season, self.began, self.ends = number, at, ends
        for known in self.players.values():
            known.idle_from += at - max(self.paused, known.idle_from)
            known.vacation_ms = max(0, known.vacation[1] - max(at, known.vacation[0])) if known.vacation else 0

    def _season_end(self, at: int, number: int, final: list[Any]) -> None:
        self.ends, self.paused = None, at

    def _join(self, at: int, player: int) -> None:
        if player not in self.players:
            self.players[player] = Player(joined=at, idle_from=at)
            self.order = (*self.order, player)

    def _leave(self, at: int, player: int) -> None:
        self.players.pop(player, None)
        self.order = tuple(other for other in self.order if other != player)
        self.met = {pair: when for pair, when in self.met.items() if player not in pair}

    def _order(self, at: int, order: list[int]) -> None:
        self.order = ladder.ordered(self.order, [player for player in order if player in self.order])

    def _correct(self, at: int, player: int, position: int) -> None:
        if player in self.order:
            self.order = ladder.moved(self.order, player, position)

    def _result(
        self, at: int, challenge: int, match: str, players: list[int], places: list[int], late: list[int]
    ) -> None:
        finished = dict(zip(players, places, strict=True))
        self.order = ladder.result(self.order, finished, late, self.rules)
        known = [self.players[player] for player in players if player in self.players]
        if len(known) == len(players):
            rated = [ratings.Rated(each.rating, each.games, place) for each, place in zip(known, places, strict=True)]
            for each, value in zip(known, ratings.after(rated), strict=True):
                each.rating = value
        for player in players:
            if player in self.players:
                one = self.players[player]
                one.games += 1
                one.form = (one.form + outcome(finished, player))[-FORM:]
                if player in late:
                    one.late = [*self._lately(one, at), at]
                else:
                    one.active(at)
        self.met |= {(player, other): at for player in players for other in players if player < other}

    def _void(self, at: int, **data: Any) -> None:
        pass

    def _unanswered(self, at: int, challenge: int, player: int, silent: list[int]) -> None:
        self.order = ladder.give_way(self.order, player, silent)

    def _declined(self, at: int, challenge: int, player: int, silent: list[int]) -> None:
        if self.rules.decline_yields:
            self.order = ladder.give_way(self.order, player, silent)

    def _sink(self, at: int, player: int) -> None:
        if player in self.order:
            idle = {other for other in self.order if self.players[other].idle(at, self.rules)}
            self.order = ladder.sink(self.order, player, idle)
            self.players[player].sunk += 1

    def _off(self, at: int, player: int) -> None:
        if self.too_late(player, at) and player in self.order:
            self.players[player].held = self.position(player)
            self.order = tuple(other for other in self.order if other != player)

    def _vacation(self, at: int, player: int, begins: int, ends: int) -> None:
        if known := self.players.get(player):
            if known.vacation:
                # The idle time that the last one has stopped stays stopped.
                known.idle_from = known.sinks_at(self.rules) - self._patience_ms(known)
            known.vacation = (begins, ends)
            known.vacation_ms += ends - begins

    def _back(self, at: int, player: int) -> None:
        known = self.players.get(player)
        if known and known.held is not None:
            self.order = ladder.back(self.order, player, known.held, self.rules)
            known.held, known.late = None, []
            known.active(at)
        elif known and known.vacation and at < known.vacation[1]:
            known.vacation_ms -= known.vacation[1] - max(at, known.vacation[0])
            known.vacation = (min(at, known.vacation[0]), at)

    def _patience_ms(self, known: Player) -> int:
        return (self.rules.idle_days + known.sunk * self.rules.sink_days) * DAY_MS

    # As JSON

    def to_json(self) -> dict[str, Any]:
        return {
            "order": list(self.order),
            "players": [{"player": player} | asdict(known) for player, known in self.players.items()],
            "rules": self.rules.to_json(),
            "season": self.season,
            "began": self.began,
            "paused": self.paused,
            "ends": self.ends,
            "met": [[*pair, at] for pair, at in self.met.items()],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Standing:
        """What `to_json` gave; of nothing, a ladder without players."""
        standing = cls()
        if data:
            standing.order = tuple(data["order"])
            for known in map(dict, data["players"]):
                player = known.pop("player")
                vacation = known.pop("vacation")
                standing.players[player] = Player(**known, vacation=tuple(vacation) if vacation else None)
            standing.rules = Rules.from_json(data["rules"])
            standing.season, standing.began = data["season"], data["began"]
            standing.paused, standing.ends = data["paused"], data["ends"]
            standing.met = {(lower, higher): at for lower, higher, at in data["met"]}
        return standing


def outcome(places: Mapping[int, int], player: int) -> str:
    """How a game ended for one of its players: `w` he alone won, `d` he shared his place, `l` he lost."""
    place, others = places[player], [other for each, other in places.items() if each != player]
    return "d" if place in others else "w" if place == 1 else "l"


def replay(events: Iterable[Event]) -> Standing:
    """What events come to, from the first one on; those that were undone count as if they had not been."""
    standing = Standing()
    past: list[Event] = []
    undone: set[int] = set()
    for event in events:
        if event.kind == Kind.UNDO:
            undone.add(event.data["event"])
            standing = Standing()
            for earlier in past:
                if earlier.number not in undone:
                    standing.apply(earlier)
        else:
            standing.apply(event)
            past.append(event)
    return standing
