"""The rules of a ladder, one function a rule: who moves where. Pure.

An order is a tuple of players (ids of users), the top first; positions count from 1. Every function gives a new order
of the same players. `Rules` has what a club may set differently; `games.ladders.challenging` says who may challenge
whom.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

Order = tuple[int, ...]
DAY_MS = 24 * 3600 * 1000
WEEK_MS = 7 * DAY_MS


@dataclass(frozen=True, slots=True)
class Rules:
    """What the stewards of a club may set. `RANGES` has the bounds of the numbers."""

    reach: int = 4
    """Two players: how many places above oneself one may challenge."""
    reach_a_seat: int = 2
    """Three and four players: so many places for each seat, between the first and the last of the table."""
    accept_days: int = 3
    """So long a challenge waits for an answer."""
    finish_days: int = 10
    """So long after it is agreed its game must be over."""
    most_out: int = 2
    most_in: int = 2
    """How many challenges one may have made, and may be in by others, at a time, games being played included."""
    rest_days: int = 7
    """So long after a challenge, played or not answered or declined, the same two do not meet again."""
    decline_yields: bool = True
    """Whoever declines gives way as if he had not answered; otherwise declining changes nothing."""
    late_keeps_place: bool = True
    """Whoever runs out of time loses the game, not the place."""
    most_late: int = 3
    late_days: int = 30
    """Whose time runs out so often within so many days is taken off the ladder until he says that he is back."""
    back_drop: int = 5
    """At most so many places lower he then stands."""
    idle_days: int = 21
    """Whoever has finished no game for so long sinks by one place ..."""
    sink_days: int = 7
    """... and by one more each time so many days have gone by."""
    vacation_days: int = 21
    """So many days of vacation a season."""
    season_weeks: int = 12
    season_follows: bool = True
    """When a season ends the next one begins at once."""
    soft_reset: bool = False
    """A new season begins half way between the old order and that of the ratings."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Rules:
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})


RANGES = {
    "reach": (1, 50),
    "reach_a_seat": (1, 20),
    "accept_days": (1, 30),
    "finish_days": (1, 90),
    "most_out": (1, 10),
    "most_in": (1, 10),
    "rest_days": (0, 90),
    "most_late": (1, 20),
    "late_days": (1, 365),
    "back_drop": (0, 50),
    "idle_days": (3, 365),
    "sink_days": (1, 90),
    "vacation_days": (0, 84),
    "season_weeks": (1, 52),
}
"""The least and the most of each number of `Rules`."""


def position(order: Order, player: int) -> int:
    """Where a player stands, from 1. Raises ValueError for who does not."""
    return order.index(player) + 1


def reach(rules: Rules, seats: int) -> int:
    """How many places may lie between the first and the last at a table of so many."""
    return rules.reach if seats == 2 else rules.reach_a_seat * seats


def moved(order: Order, player: int, to: int) -> Order:
    """A player stands at position `to` (at the bottom, if that is beyond it), the others keep their order."""
    others = [other for other in order if other != player]
    others.insert(to - 1, player)
    return tuple(others)


def leapfrog(order: Order, winner: int, loser: int) -> Order:
    """Two players: a winner who stood below moves just above the loser."""
    to = position(order, loser)
    return moved(order, winner, to) if position(order, winner) > to else order


def lift(order: Order, places: Mapping[int, int]) -> Order:
    """Three and four players, by their places: from the last to the first, whoever beat somebody who stands above him
    moves just above the highest of these.

    Afterwards everybody stands above all he beat; who shares a place keeps his order with whom he shares it, as do
    those who did not play.
    """
    # Of those who share a place the upper goes first, and so stays the upper.
    for player in sorted(places, key=lambda each: (-places[each], position(order, each))):
        beaten = [position(order, other) for other in places if places[other] > places[player]]
        to = min(beaten, default=len(order))
        if to < position(order, player):
            order = moved(order, player, to)
    return order


def result(order: Order, places: Mapping[int, int], late: Collection[int], rules: Rules) -> Order:
    """After a game, by the places of its players; a shared place changes nothing between those who share it.

    `late`: whose time ran out; if the rules let them keep their places they stand by as if they had not played. Who
    does not stand on the ladder any more moves nobody.
    """
    kept = {
        player: place
        for player, place in places.items()
        if player in order and not (rules.late_keeps_place and player in late)
    }
    if len(places) > 2:
        return lift(order, kept)
    if len(set(kept.values())) < 2:
        return order
    winner, loser = sorted(kept, key=kept.__getitem__)
    return leapfrog(order, winner, loser)


def give_way(order: Order, challenger: int, silent: Collection[int]) -> Order:
    """A challenge that these have not answered: the challenger moves up one place for each of them who stands above
    him, which is never further than just above the highest of them."""
    if challenger not in order:
        return order
    here = position(order, challenger)
    return moved(order, challenger, here - sum(player in order[: here - 1] for player in silent))


def sink(order: Order, player: int, idle: Collection[int]) -> Order:
    """One place down for a player who has been idle, but never below another one who is."""
    here = position(order, player)
    if here == len(order) or order[here] in idle:
        return order
    return moved(order, player, here + 1)


def back(order: Order, player: int, held: int, rules: Rules) -> Order:
    """Who was taken off the ladder at position `held` stands on it again, `back_drop` places lower or at the bottom."""
    return moved(order, player, held + rules.back_drop)


def soft_reset(order: Order, ratings: Mapping[int, float]) -> Order:
    """The order of a new season: by the mean of the old position and the rank by rating, of equal means as before."""
    ranked = sorted(order, key=lambda player: -ratings[player])
    rank = {player: number for number, player in enumerate(ranked, 1)}
    return tuple(sorted(order, key=lambda player: rank[player] + position(order, player)))


def ordered(order: Order, first: Sequence[int]) -> Order:
    """These players first, in this order, then all others as they stood. Who does not stand there is passed over."""
    stand = set(order)
    return tuple(dict.fromkeys((*(player for player in first if player in stand), *order)))
