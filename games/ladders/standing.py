"""How a ladder stands, and how each of its events changes that. Pure: replaying the events gives the standing again.

Players are ids of users. Times are milliseconds since 1970, UTC. An event whose player has left changes nothing; nor
does one that was undone, but for when people sink (`Standing.pass_over`): so the others can be replayed without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from accounts.career import ratings
from games.ladders import rules as ladder
from games.ladders.rules import DAY_MS, RANGES, Order, Rules

MOST_REST_MS = RANGES["rest_days"][1] * DAY_MS
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
    """A game is over [challenge, match, players, places, late: whose time ran out]. It counts if none has left."""
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
    """His last games, the latest last: see `outcome`."""
    late: list[int] = field(default_factory=list)
    """When his time ran out."""
    vacation: tuple[int, int] | None = None
    """His vacation, a past one or one to come: from, until. What of it was before idle time was last counted is cut
    off."""
    vacation_ms: int = 0
    """How much vacation he has taken this season, the present one included."""
    held: int | None = None
    """The position from which he was taken off; None while he stands on the ladder."""

    def away(self, at: int) -> bool:
        """Whether he is on vacation."""
        return self.vacation is not None and self.vacation[0] <= at < self.vacation[1]

    def days_off(self, at: int) -> tuple[int, int] | None:
        """The first and the last moment of the vacation that he is on or has announced."""
        if self.vacation is None or self.vacation[1] <= at:
            return None
        return self.vacation[0], self.vacation[1] - 1

    def patience_ms(self, rules: Rules) -> int:
        """After how much idle time he sinks next."""
        return (rules.idle_days + self.sunk * rules.sink_days) * DAY_MS

    def sinks_at(self, rules: Rules) -> int:
        """When he sinks next, if nothing happens before: vacations do not count as idle time."""
        due = self.idle_from + self.patience_ms(rules)
        if self.vacation and self.vacation[0] <= due:
            due += max(0, self.vacation[1] - max(self.vacation[0], self.idle_from))
        return due

    def idle_ms(self, at: int) -> int:
        """How much idle time he has until then."""
        begins, ends = self.vacation or (at, at)
        return at - self.idle_from - max(0, min(ends, at) - max(begins, self.idle_from))

    def idle(self, at: int, rules: Rules) -> bool:
        """Whether he has been idle for so long that he sinks."""
        return self.sunk > 0 or self.sinks_at(rules) <= at

    def active(self, at: int) -> None:
        """He has done something: idle time counts anew."""
        self.idle_from, self.sunk = at, 0

    def count_on(self, at: int, idle_ms: int) -> None:
        """Idle time counts on from `at`, with so much of it before."""
        self.idle_from = at - idle_ms
        if self.vacation:
            begins, ends = self.vacation
            self.vacation = max(at, begins), max(at, ends)


NAMES = [each.name for each in fields(Player)]


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
    """When two players, the lower id first, last ended a challenge with each other. Whoever leaves and comes back rests
    all the same; what no rules could care for any more is forgotten."""

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
        standing = Standing.from_json(self.to_json())  # three times as fast as a deep copy
        standing.apply(event)
        return standing

    def apply(self, event: Event) -> None:
        """As `after`, in place."""
        self.CHANGES[event.kind](self, event.at, **event.data)

    def pass_over(self, event: Event) -> None:
        """In place of an event that was undone. It moves nobody; but who played was not idle, and whom the clock let
        sink has his respite until he sinks next, or it would let him sink again at once."""
        if event.kind == Kind.RESULT:
            for player in event.data["players"]:
                if player in self.players and player not in event.data["late"]:
                    self.players[player].active(event.at)
        elif event.kind == Kind.SINK and event.data["player"] in self.players:
            self.players[event.data["player"]].sunk += 1

    # One method a kind of event; the arguments after the time are its data.

    def _rules(self, at: int, rules: dict[str, Any]) -> None:
        self.rules = Rules.from_json(rules)
        for known in self.players.values():
            # New rules hold from now on: nobody should have sunk already.
            known.count_on(at, min(known.idle_ms(at), known.patience_ms(self.rules)))

    def _season(self, at: int, number: int, ends: int) -> None:
        if self.season and self.rules.soft_reset:
            self.order = ladder.soft_reset(self.order, {one: self.players[one].rating for one in self.order})
        self.season, self.began, self.ends = number, at, ends
        for known in self.players.values():
            known.count_on(at, known.idle_ms(max(self.paused, known.idle_from)))
            known.vacation_ms = known.vacation[1] - known.vacation[0] if known.vacation else 0

    def _season_end(self, at: int, number: int, final: list[Any]) -> None:
        self.ends, self.paused = None, at

    def _join(self, at: int, player: int) -> None:
        if player not in self.players:
            self.players[player] = Player(joined=at, idle_from=at)
            self.order = (*self.order, player)

    def _leave(self, at: int, player: int) -> None:
        self.players.pop(player, None)
        self.order = tuple(other for other in self.order if other != player)

    def _order(self, at: int, order: list[int]) -> None:
        self.order = ladder.ordered(self.order, [player for player in order if player in self.order])

    def _correct(self, at: int, player: int, position: int) -> None:
        if player in self.order:
            self.order = ladder.moved(self.order, player, position)

    def _result(
        self, at: int, challenge: int, match: str, players: list[int], places: list[int], late: list[int]
    ) -> None:
        if not all(player in self.players for player in players):
            return
        finished = dict(zip(players, places, strict=True))
        self.order = ladder.result(self.order, finished, late, self.rules)
        known = [self.players[player] for player in players]
        rated = [ratings.Rated(each.rating, each.games, place) for each, place in zip(known, places, strict=True)]
        for player, one, rating in zip(players, known, ratings.after(rated), strict=True):
            one.rating = rating
            one.games += 1
            one.form = (one.form + outcome(finished, player))[-FORM:]
            if player in late:
                one.late = [*self._lately(one, at), at]
            else:
                one.active(at)
        self._meet(at, players)

    def _void(self, at: int, **data: Any) -> None:
        pass

    def _unanswered(self, at: int, challenge: int, player: int, silent: list[int]) -> None:
        self.order = ladder.give_way(self.order, player, silent)
        for one in silent:
            self._meet(at, [player, one])

    def _declined(self, at: int, challenge: int, player: int, silent: list[int]) -> None:
        if self.rules.decline_yields:
            self.order = ladder.give_way(self.order, player, silent)
        for one in silent:
            self._meet(at, [player, one])

    def _meet(self, at: int, players: list[int]) -> None:
        """These rest from each other now, but for who has left."""
        players = [player for player in players if player in self.players]
        self.met = {pair: when for pair, when in self.met.items() if when > at - MOST_REST_MS}
        self.met |= {(player, other): at for player in players for other in players if player < other}

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
            known.count_on(at, known.idle_ms(at))
            known.vacation = begins, ends
            known.vacation_ms += ends - begins

    def _back(self, at: int, player: int) -> None:
        known = self.players.get(player)
        if known is None:
            return
        if known.vacation and at < known.vacation[1] and (known.held is None or known.away(at)):
            begins, ends = known.vacation
            known.vacation_ms -= ends - max(at, begins)
            known.vacation = min(at, begins), at
        else:
            known.active(at)
        if known.held is not None:
            self.order = ladder.back(self.order, player, known.held, self.rules)
            known.held, known.late = None, []
            known.active(at)

    CHANGES: ClassVar[dict[str, Callable[..., None]]] = {
        Kind.RULES: _rules,
        Kind.SEASON: _season,
        Kind.SEASON_END: _season_end,
        Kind.JOIN: _join,
        Kind.LEAVE: _leave,
        Kind.ORDER: _order,
        Kind.CORRECT: _correct,
        Kind.RESULT: _result,
        Kind.VOID: _void,
        Kind.UNANSWERED: _unanswered,
        Kind.DECLINED: _declined,
        Kind.SINK: _sink,
        Kind.OFF: _off,
        Kind.VACATION: _vacation,
        Kind.BACK: _back,
    }
    """What an event of each kind does, but for `undo`: see `replay`."""

    # As JSON

    def to_json(self) -> dict[str, Any]:
        return {
            "order": list(self.order),
            "players": [
                # By hand: `asdict` would take ten times as long, on the path of every event.
                {"player": player}
                | {name: getattr(known, name) for name in NAMES}
                | {"late": [*known.late], "vacation": known.vacation and [*known.vacation]}
                for player, known in self.players.items()
            ],
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
    """How a game ended for one of its players: `w` he alone won, `d` he shared the first place, `l` he lost."""
    if places[player] > 1:
        return "l"
    return "w" if list(places.values()).count(1) == 1 else "d"


def replay(events: Iterable[Event]) -> Standing:
    """What events come to, from the first one on; those that were undone count as if they had not been."""
    events = list(events)
    undone = {event.data["event"] for event in events if event.kind == Kind.UNDO}
    standing = Standing()
    for event in events:
        if event.number in undone:
            standing.pass_over(event)
        elif event.kind != Kind.UNDO:
            standing.apply(event)
    return standing
