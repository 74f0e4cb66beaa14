"""The standing of a ladder, and how each event changes it. Pure: it is the result of replaying the events.

Players are ids of users. Times are milliseconds since 1970, UTC. An event whose player has left changes nothing; nor
does one that was undone, except when people sink (`Standing.pass_over`): so the others can be replayed without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any, assert_never

from accounts.career import ratings
from accounts.journal.payload import read
from games.ladders import payloads
from games.ladders import rules as ladder
from games.ladders.payloads import Event, Steps
from games.ladders.rules import DAY_MS, FREE_WITHDRAWALS, LATE_DAYS, RANGES, Rules, Rungs

MOST_REST_MS = RANGES["rest_days"][1] * DAY_MS
FORM = 5
"""The number of last games in a player's form."""


@dataclass(slots=True)
class Player:
    """A ladder's knowledge of one of its players."""

    joined: int
    idle_from: int
    """Idle time counts from here: the player joined, finished a game or came back."""
    sunk: int = 0
    """The number of times they have sunk since."""
    rating: float = ratings.START
    """In the club's own pool."""
    games: int = 0
    played: int = 0
    """The games of this season."""
    form: str = ""
    """The last games, the latest last: see `outcome`."""
    late: list[int] = field(default_factory=list)
    """When they ran out of time, or had not played in time."""
    refused: list[int] = field(default_factory=list)
    """When they gave way to a challenger."""
    vacation: tuple[int, int] | None = None
    """A vacation, past or to come: from, until. The part before the last start of idle time is cut off."""
    vacation_ms: int = 0
    """The vacation taken this season, including the present one."""
    held: int | None = None
    """The position from which they were taken off; None while they are on the ladder."""

    def away(self, at: int) -> bool:
        """Whether they are on vacation."""
        return self.vacation is not None and self.vacation[0] <= at < self.vacation[1]

    def days_off(self, at: int) -> tuple[int, int] | None:
        """The first and the last moment of the vacation that they are on or have announced."""
        if self.vacation is None or self.vacation[1] <= at:
            return None
        return self.vacation[0], self.vacation[1] - 1

    def patience_ms(self, rules: Rules) -> int:
        """The idle time after which they sink next."""
        return (rules.idle_days + self.sunk * rules.sink_days) * DAY_MS

    def sinks_at(self, rules: Rules) -> int:
        """When they sink next, if nothing happens before: vacations do not count as idle time."""
        due = self.idle_from + self.patience_ms(rules)
        if self.vacation and self.vacation[0] <= due:
            due += max(0, self.vacation[1] - max(self.vacation[0], self.idle_from))
        return due

    def idle_ms(self, at: int) -> int:
        """Their idle time until then."""
        begins, ends = self.vacation or (at, at)
        return at - self.idle_from - max(0, min(ends, at) - max(begins, self.idle_from))

    def idle(self, at: int, rules: Rules) -> bool:
        """Whether they have been idle for long enough to sink."""
        return self.sunk > 0 or self.sinks_at(rules) <= at

    def active(self, at: int) -> None:
        """Note that they have done something: idle time starts anew."""
        self.idle_from, self.sunk = at, 0

    def count_on(self, at: int, idle_ms: int) -> None:
        """Restart idle time at `at`, with this much of it before."""
        self.idle_from = at - idle_ms
        if self.vacation:
            begins, ends = self.vacation
            self.vacation = max(at, begins), max(at, ends)


NAMES = [each.name for each in fields(Player)]


@dataclass(slots=True)
class Standing:
    """The standing of a ladder: the order of its players, and what it knows of each."""

    order: Rungs = ()
    players: dict[int, Player] = field(default_factory=dict)
    """All who belong to the ladder: those in `order`, and those who are taken off until they are back."""
    rules: Rules = field(default_factory=Rules)
    season: int = 0
    """The number of the current season, or of the last one; 0 before the first."""
    began: int = 0
    paused: int = 0
    """When the last season ended, or the last pause began: the time until it goes on is not idle time."""
    resumes: int | None = None
    """When the present pause ends; None unless there is one."""
    end_chosen: bool = False
    """Whether stewards have moved the end of the season since the pause began: then it does not depend on the pause."""
    ends: int | None = None
    """When the season ends; None between seasons."""
    met: dict[tuple[int, int], int] = field(default_factory=dict)
    """When two players, the lower id first, last ended a challenge with each other. Leaving and coming back does not
shorten the rest; entries too old for any rules are forgotten."""
    placed: set[int] = field(default_factory=set)
    """The players whose first challenge has ended, also those who have left since."""
    closed: int | None = None
    """When the stewards closed the ladder for good."""
    withdrawn: dict[int, int] = field(default_factory=dict)
    """How many challenges each player has withdrawn this season; leaving does not make them fewer."""

    def position(self, player: int) -> int | None:
        """The position of a player, from 1; None off the ladder."""
        return self.order.index(player) + 1 if player in self.order else None

    def positions(self) -> dict[int, int]:
        """All players who stand on the ladder with their positions."""
        return {player: number for number, player in enumerate(self.order, 1)}

    def taken_off(self) -> list[int]:
        """Players who will be on the ladder again when they say that they are back."""
        return [player for player, known in self.players.items() if known.held is not None]

    def next_order(self) -> Rungs:
        """The order in which a new season would begin now."""
        if not self.season or not self.rules.soft_reset:
            return self.order
        known = {player: self.players[player] for player in self.order}
        rated = {player: one.rating for player, one in known.items()}
        return ladder.soft_reset(self.order, rated, {player: one.played for player, one in known.items()})

    def deadlines_from(self, at: int) -> int:
        """The moment from which a deadline counts that is set at `at`: in a pause, its end."""
        return at if self.resumes is None else max(at, self.resumes)

    def too_late(self, player: int, at: int) -> bool:
        """Whether they have recently been late so often that they are taken off."""
        known = self.players.get(player)
        return known is not None and known.held is None and len(self._lately(known.late, at)) >= self.rules.most_late

    def _lately(self, times: Iterable[int], at: int) -> list[int]:
        """Those of the times of being late, or of refusing, that are not forgotten."""
        return [time for time in times if time > at - LATE_DAYS * DAY_MS]

    def given_way(self, at: int, challenger: int, silent: Collection[int]) -> Rungs:
        """The order if these players give way to the challenger then."""
        known = {one: self.players[one] for one in silent if one in self.players}
        cheap = {one for one, each in known.items() if len(self._lately(each.refused, at)) < self.rules.cheap_refusals}
        return ladder.give_way(
            self.order, challenger, {one: 1 if one in cheap else self.rules.forfeit for one in known}
        )

    def withdraws_freely(self, player: int) -> bool:
        """Whether nobody would have to rest if the player withdrew a challenge."""
        return self.withdrawn.get(player, 0) < FREE_WITHDRAWALS

    def after(self, event: Event) -> Standing:
        """The standing after an event other than `Undone`, which needs all events (`replay`)."""
        standing = Standing.from_json(self.to_json())  # three times as fast as a deep copy
        standing.apply(event)
        return standing

    def apply(self, event: Event) -> None:
        """The same as `after`, in place."""
        at, payload = event.at, event.payload
        match payload:
            case payloads.GameResult():
                if finished := self._finished(
                    at, payload.players, payload.places, payload.late, payload.soon, payload.gone
                ):
                    self._meet(at, finished)
                    self.placed.add(payload.players[0])
            case payloads.AtTable():
                # The rest counts from the day of the game, however long the others take to confirm it.
                self._meet(min(at, midnight(payload.played)), self._finished(at, payload.players, payload.places))
            case payloads.Voided():
                self._void(at, payload)
            case payloads.Overdue():
                self._overdue(at, payload)
            case payloads.Unanswered():
                self._give_way(at, payload.player, [payload.other])
                self._ended(at, payload.player, payload.other)
            case payloads.Declined():
                if self.rules.decline_yields:
                    self._give_way(at, payload.player, [payload.other])
                self._ended(at, payload.player, payload.other)
            case payloads.Withdrawn():
                self._withdraw(at, payload)
            case payloads.Sunk():
                self._sink(at, payload.player)
            case payloads.TakenOff():
                self._take_off(at, payload.player)
            case payloads.Vacation():
                self._begin_vacation(at, payload)
            case payloads.Back():
                self._come_back(at, payload.player)
            case payloads.JoinedLadder():
                self._join(at, payload.player)
            case payloads.Added():
                for player in payload.players:
                    self._join(at, player)
            case payloads.Left():
                self.players.pop(payload.player, None)
                self.order = tuple(other for other in self.order if other != payload.player)
            case payloads.Ordered():
                self.order = ladder.ordered(self.order, payload.order)
            case payloads.Corrected():
                if payload.player in self.order:
                    self.order = ladder.moved(self.order, payload.player, payload.position)
            case payloads.Undone():
                raise ValueError("only a replay of all events can undo one of them")
            case _:
                self._change_all(at, payload)

    def _change_all(self, at: int, payload: payloads.OfAll) -> None:
        """Apply an event that concerns the whole ladder."""
        match payload:
            case payloads.MovedHere():
                self._move_in(at, payload)
            case payloads.RulesSet():
                self._set_rules(at, payload.rules)
            case payloads.SeasonBegun():
                self._begin_season(at, payload)
            case payloads.SeasonMoved():
                self.ends, self.end_chosen = payload.ends, True
            case payloads.SeasonEnded():
                if self.resumes is None:
                    self.paused = at
                self.ends = self.resumes = None
            case payloads.Paused():
                if self.ends is not None:
                    self.paused, self.resumes, self.end_chosen = at, payload.ends, False
                    self.ends += payload.ends - at
            case payloads.Resumed():
                self._resume(at)
            case payloads.Closed():
                self.closed = at
            case _:
                assert_never(payload)

    def pass_over(self, event: Event) -> None:
        """Take the place of an event that was undone. It moves nobody; but its players were not idle, and a player who
        sank by the clock gets the time until the next sinking, or would sink again at once."""
        match event.payload:
            case payloads.GameResult(players=players, late=late):
                self._active(event.at, {*players} - {*late})
            case payloads.AtTable(players=players):
                self._active(event.at, players)
            case payloads.Sunk(player=player) if player in self.players:
                self.players[player].sunk += 1

    def _active(self, at: int, players: Collection[int]) -> None:
        for player in players:
            if player in self.players:
                self.players[player].active(at)

    # The ladder as a whole

    def _move_in(self, at: int, payload: payloads.MovedHere) -> None:
        self.rules, self.season, self.paused = payload.rules, payload.season, at
        for player, rating, games in payload.rungs:
            self.players[player] = Player(joined=at, idle_from=at, rating=rating, games=games)
        self.order = tuple(self.players)
        self.placed = {player for player, known in self.players.items() if known.games}

    def _set_rules(self, at: int, rules: Rules) -> None:
        self.rules = rules
        stopped = self.ends is None or self.resumes is not None
        for known in self.players.values():
            # New rules apply from now on: nobody should have sunk already.
            now = self._stopped(known) if stopped else at
            known.count_on(now, min(known.idle_ms(now), known.patience_ms(rules)))

    def _begin_season(self, at: int, payload: payloads.SeasonBegun) -> None:
        self.rules = payload.rules
        self.order = self.next_order()
        self.season, self.began, self.ends, self.withdrawn = payload.number, at, payload.ends, {}
        self._go_on(at)
        for known in self.players.values():
            known.vacation_ms = known.vacation[1] - known.vacation[0] if known.vacation else 0
            known.played = 0

    def _resume(self, at: int) -> None:
        if self.ends is not None and self.resumes is not None:
            if not self.end_chosen:
                self.ends -= max(0, self.resumes - at)
            self.resumes = None
            self._go_on(at)

    def _go_on(self, at: int) -> None:
        """Restart the idle time of everybody as it was when it stopped."""
        for known in self.players.values():
            known.count_on(at, known.idle_ms(self._stopped(known)))

    def _stopped(self, known: Player) -> int:
        """When the idle time of a player stopped, in a pause or between seasons; or began, if that was later."""
        return max(self.paused, known.idle_from)

    # Games and challenges

    def _finished(
        self,
        at: int,
        players: Collection[int],
        places: Collection[int],
        late: Collection[int] = (),
        soon: Collection[int] = (),
        gone: Collection[int] = (),
    ) -> list[int]:
        """Let a game of these players move the ladder and the ratings. Returns those among whom it counts: none if they
        are not two."""
        stayed = {
            player: place
            for player, place in zip(players, places, strict=True)
            if player in self.players and player not in gone
        }
        if len(stayed) < 2:
            return []
        ranked = sorted(stayed.values())
        finished = {player: 1 + ranked.index(place) for player, place in stayed.items()}
        self.order = ladder.result(self.order, finished, late, self.rules, soon)
        known = [self.players[player] for player in finished]
        rated = [
            ratings.Rated(each.rating, each.games, place, player in soon)
            for (player, place), each in zip(finished.items(), known, strict=True)
        ]
        for player, one, rating in zip(finished, known, ratings.after(rated), strict=True):
            one.rating = rating
            one.games += 1
            one.played += 1
            one.form = (one.form + outcome(finished, player))[-FORM:]
            if player in late:
                one.late = [*self._lately(one.late, at), at]
            else:
                one.active(at)
        return list(finished)

    def _void(self, at: int, payload: payloads.Voided) -> None:
        if payload.why == "aborted":
            self._ended(at, *payload.players)
        elif payload.why == "left":
            self._rest(at, *payload.players)

    def _overdue(self, at: int, payload: payloads.Overdue) -> None:
        if payload.player not in payload.late:
            self._give_way(at, payload.player, payload.late)
        for one in payload.late:
            if known := self.players.get(one):
                known.late = [*self._lately(known.late, at), at]
        self._ended(at, *payload.players)

    def _withdraw(self, at: int, payload: payloads.Withdrawn) -> None:
        free = self.withdraws_freely(payload.player)
        self.withdrawn[payload.player] = self.withdrawn.get(payload.player, 0) + 1
        if not free:
            self._ended(at, payload.player, *payload.others)

    def _give_way(self, at: int, challenger: int, silent: Collection[int]) -> None:
        """Let these players give way to a challenger, unless the challenger has left."""
        if challenger not in self.players:
            return
        self.order = self.given_way(at, challenger, silent)
        for one in silent:
            if known := self.players.get(one):
                known.refused = [*self._lately(known.refused, at), at]

    def _ended(self, at: int, challenger: int, *others: int) -> None:
        """A challenge has ended without a game that counts."""
        self._rest(at, challenger, *others)
        if challenger in self.players and any(one in self.players for one in others):
            self.placed.add(challenger)

    def _rest(self, at: int, challenger: int, *others: int) -> None:
        """Let the challenger rest from each of the others, but not these from each other: a third could keep two apart
        who have not met."""
        for one in others:
            self._meet(at, [challenger, one])

    def _meet(self, at: int, players: list[int]) -> None:
        """Let these players rest from each other now, except those who have left."""
        players = [player for player in players if player in self.players]
        self.met = {pair: when for pair, when in self.met.items() if when > at - MOST_REST_MS}
        pairs = [(player, other) for player in players for other in players if player < other]
        self.met |= {pair: max(at, self.met.get(pair, at)) for pair in pairs}

    # One player

    def _join(self, at: int, player: int) -> None:
        if player not in self.players:
            self.players[player] = Player(joined=at, idle_from=at)
            self.order = (*self.order, player)

    def _sink(self, at: int, player: int) -> None:
        if player in self.order:
            self.order = ladder.sink(self.order, player, self._idle(at))
            self.players[player].sunk += 1

    def _idle(self, at: int) -> set[int]:
        return {player for player in self.order if self.players[player].idle(at, self.rules)}

    def sinks_to(self, player: int, at: int) -> int:
        """The position, from 1, to which a player of `order` would sink at a moment: the same, if they would not."""
        return ladder.position(ladder.sink(self.order, player, self._idle(at)), player)

    def _take_off(self, at: int, player: int) -> None:
        if self.too_late(player, at) and player in self.order:
            self.players[player].held = self.position(player)
            self.order = tuple(other for other in self.order if other != player)

    def _begin_vacation(self, at: int, payload: payloads.Vacation) -> None:
        if known := self.players.get(payload.player):
            known.count_on(at, known.idle_ms(at))
            known.vacation = payload.begins, payload.ends
            known.vacation_ms += payload.ends - payload.begins

    def _come_back(self, at: int, player: int) -> None:
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
            self.order = ladder.back(self.order, player, known.held)
            known.held, known.late = None, []
            known.active(at)

    # As JSON

    def to_json(self) -> dict[str, Any]:
        return {
            "order": list(self.order),
            "players": [
                # By hand: `asdict` would take ten times as long, on the path of every event.
                {"player": player}
                | {name: getattr(known, name) for name in NAMES}
                | {"late": [*known.late], "refused": [*known.refused], "vacation": known.vacation and [*known.vacation]}
                for player, known in self.players.items()
            ],
            "rules": self.rules.to_json(),
            "season": self.season,
            "began": self.began,
            "paused": self.paused,
            "resumes": self.resumes,
            "end_chosen": self.end_chosen,
            "ends": self.ends,
            "closed": self.closed,
            "met": [[*pair, at] for pair, at in self.met.items()],
            "placed": sorted(self.placed),
            "withdrawn": [[player, times] for player, times in self.withdrawn.items()],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Standing:
        """Read payload `to_json` returned; an empty mapping gives a ladder without players."""
        standing = cls()
        if data:
            standing.order = tuple(data["order"])
            for known in map(dict, data["players"]):
                player = known.pop("player")
                vacation = known.pop("vacation")
                standing.players[player] = Player(**known, vacation=tuple(vacation) if vacation else None)
            standing.rules = read(Rules, data["rules"])
            standing.season, standing.began = data["season"], data["began"]
            standing.paused, standing.resumes, standing.ends = data["paused"], data["resumes"], data["ends"]
            standing.end_chosen, standing.closed = data["end_chosen"], data["closed"]
            standing.met = {(lower, higher): at for lower, higher, at in data["met"]}
            standing.placed, standing.withdrawn = set(data["placed"]), dict(data["withdrawn"])
        return standing


def midnight(day: str) -> int:
    """The start of a day (UTC), as ISO 8601 writes it, in milliseconds since 1970."""
    return (date.fromisoformat(day) - date(1970, 1, 1)).days * DAY_MS


def outcome(places: Mapping[int, int], player: int) -> str:
    """The outcome of a game for one of its players: `w` won alone, `d` shared the first place, `l` lost."""
    if places[player] > 1:
        return "l"
    return "w" if list(places.values()).count(1) == 1 else "d"


def steps(before: Standing, after: Standing) -> Steps:
    """The players who have moved: by player's id, the positions before and after."""
    was, now = before.positions(), after.positions()
    everybody = was | now
    return {str(one): [was.get(one), now.get(one)] for one in everybody if was.get(one) != now.get(one)}


def undone_by(events: Iterable[Event]) -> set[int]:
    """The numbers of the events that others of these have undone."""
    return {event.payload.event for event in events if isinstance(event.payload, payloads.Undone)}


def replay(events: Iterable[Event]) -> Standing:
    """The result of replaying events from the first one on; undone events count as if they had not happened."""
    events = list(events)
    undone = undone_by(events)
    standing = Standing()
    for event in events:
        if event.number in undone:
            standing.pass_over(event)
        elif not isinstance(event.payload, payloads.Undone):
            standing.apply(event)
    return standing
