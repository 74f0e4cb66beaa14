"""The rules of a ladder: who moves where, one function for each rule. Pure.

An order is a tuple of players (ids of users), the top first; positions count from 1. Every function returns a new
order of the same players. `Rules` holds a club's settings; `games.ladders.challenging` decides who may challenge whom.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

Rungs = tuple[int, ...]
DAY_MS = 24 * 3600 * 1000
WEEK_MS = 7 * DAY_MS


def number(usual: int, least: int, most: int) -> Any:
    """A rule that is a number, within these bounds."""
    return field(default=usual, metadata={"range": (least, most)})


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that stewards may set. `games.ladders.words.rule_labels` has the names and explanations for people."""

    reach: int = number(4, 1, 50)
    """Two players: how many places up a challenge may reach."""
    reach_a_seat: int = number(2, 1, 20)
    """Three and four players: the places for each seat, between the first and the last of the table."""
    sizes: tuple[int, ...] = (2, 3, 4)
    """The numbers of players of its games."""
    drawn: bool = True
    """Three and four players: who joins the first two is drawn at random; otherwise the challenger chooses them."""
    clocks: tuple[str, ...] = ("5+10", "10+15", "15+20", "own", "1d", "3d", "7d")
    """The time controls that can be agreed if games can end in time by them, as `games.ladders.terms` names them."""
    usual_clock: str = "10+15"
    presets: tuple[str, ...] = ()
    """The presets of the game that can be agreed, and `custom`; none: all of them."""
    usual_preset: str = ""
    """What a challenge proposes unless somebody changes it; no preset: the first one."""
    most_out: int = number(2, 1, 10)
    most_in: int = number(2, 1, 10)
    """The number of open challenges that a player may have made, and be in by others, including games being played."""
    placement: bool = True
    """The first challenge of a player, if to the smallest table, reaches to the middle of the ladder."""
    rest_days: int = number(7, 0, 90)
    """The rest after a challenge, whether played, unanswered, declined, withdrawn or cancelled, before the same two
    meet again."""
    accept_days: int = number(3, 1, 30)
    """The time to answer a challenge."""
    finish_days: int = number(10, 1, 90)
    """The time in which its game must be over once agreed; otherwise those at fault give way."""
    forfeit: int = number(2, 1, 50)
    """The most places by which the challenged who does not answer goes down, though never below the challenger, and so
    the most places that are won without playing, by all others together; the same for each who is at fault that an
    agreed game was not played in time."""
    cheap_refusals: int = number(0, 0, 20)
    """The times within `LATE_DAYS` that giving way costs a player one place only."""
    decline_yields: bool = True
    """The challenged who declines gives way like one who does not answer; otherwise declining changes nothing."""
    time_costs_place: bool = True
    """Players who run out of time lose their place like any loser; otherwise only the game, unless it had hardly
    begun."""
    most_late: int = number(3, 1, 20)
    """Players who run out of time, or do not play in time, this often within `LATE_DAYS` are off the ladder until they
    say they are back."""
    idle_days: int = number(21, 3, 365)
    """Players who have finished no game for this long sink by one place ..."""
    sink_days: int = number(7, 1, 90)
    """... and by one more each time this many days have passed."""
    vacation_days: int = number(21, 0, 84)
    """The days of vacation in a season."""
    season_weeks: int = number(12, 1, 52)
    season_follows: bool = True
    """When a season ends, the next one begins at once."""
    soft_reset: bool = False
    """A new season begins halfway between the old order and that of the ratings, among those who have played."""
    at_table: bool = False
    """Results of games at a real table count once all of their players, or a steward, confirm them."""
    members_join: bool = False
    """New members of the club stand on the ladder at once."""
    stewards_add: bool = False
    """Only stewards put members on the ladder; otherwise every member of the club can join it."""

    def to_json(self) -> dict[str, Any]:
        return {name: [*value] if isinstance(value, tuple) else value for name, value in asdict(self).items()}


PRESETS: dict[str, dict[str, Any]] = {
    "friendly": {
        **{"accept_days": 7, "finish_days": 21, "forfeit": 1, "cheap_refusals": 2, "decline_yields": False},
        **{"most_late": 5, "idle_days": 42, "sink_days": 14, "vacation_days": 42, "rest_days": 3},
    },
    "normal": {},
    "strict": {
        **{"accept_days": 2, "finish_days": 7, "forfeit": 4, "most_late": 2, "idle_days": 14, "sink_days": 7},
        **{"vacation_days": 14, "rest_days": 7},
    },
}
"""How much a ladder asks of its players, by name: what differs from the usual values of the rules about it."""
DEMANDS = tuple(dict.fromkeys(name for preset in PRESETS.values() for name in preset))
"""The rules that presets set."""


def preset(name: str, rules: Rules) -> Rules:
    """These rules with the demands of a preset. Raises KeyError for an unknown one."""
    usual = {each: getattr(Rules(), each) for each in DEMANDS}
    return replace(rules, **{**usual, **PRESETS[name]})


def preset_of(rules: Rules) -> str:
    """The name of the preset whose demands these rules have; empty for demands of their own."""
    return next((name for name in PRESETS if preset(name, rules) == rules), "")


RANGES: dict[str, tuple[int, int]] = {each.name: each.metadata["range"] for each in fields(Rules) if each.metadata}
"""The least and the most of each number of `Rules`."""


STALL_DAYS = 3
"""Who waits for the others of an agreed game for this long has room for another challenge."""
FREE_WITHDRAWALS = 1
"""The challenges that a player may withdraw in a season as if they had not made them: nobody rests."""
MOST_REDRAWN = 4
"""How many who were drawn to a table, and do not want to play, are replaced by others; then it becomes smaller."""
LATE_DAYS = 30
"""The days after which being late, and giving way, is forgotten."""
BACK_DROP = 5
"""The places that who was late too often is set back."""

DECIDE_DAYS = 7
"""The time that the stewards have to decide about a disputed one."""
ENTER_DAYS = 7
"""The most days between such a game and its entry."""

FULL_ANSWERS = 2
"""The number of answers for which each player of a correspondence game can take all their time, and yet it may be over
within `finish_days`."""


def ends_in_time(rules: Rules, days: int, players: int) -> bool:
    """Whether a game of this many players with this many days a move (0: a live game) can be over in time."""
    return days * players * FULL_ANSWERS <= rules.finish_days


def position(order: Rungs, player: int) -> int:
    """The position of a player, from 1. Raises ValueError for somebody who is not on the ladder."""
    return order.index(player) + 1


def reach(rules: Rules, seats: int) -> int:
    """The most places between the first and the last at a table of this many seats."""
    return rules.reach if seats == 2 else rules.reach_a_seat * seats


def to_middle(order: Rungs, player: int) -> int:
    """How many places a player stands below the middle of the ladder; not positive for the upper half."""
    return position(order, player) - (len(order) + 1) // 2


def moved(order: Rungs, player: int, to: int) -> Rungs:
    """Put a player at position `to` (at the bottom, if that is beyond it); the others keep their order."""
    others = [other for other in order if other != player]
    others.insert(to - 1, player)
    return tuple(others)


def leapfrog(order: Rungs, winner: int, loser: int) -> Rungs:
    """Two players: a winner who was below moves just above the loser."""
    to = position(order, loser)
    return moved(order, winner, to) if position(order, winner) > to else order


def lift(order: Rungs, places: Mapping[int, int]) -> Rungs:
    """Three and four players, by their places: from the last to the first, everybody who beat somebody higher up moves
    just above the highest player they beat.

    Afterwards everybody is above all those they beat; players who share a place keep their order, as do those who did
    not play."""
    # Of players who share a place the upper goes first, and so stays the upper.
    for player in sorted(places, key=lambda each: (-places[each], position(order, each))):
        beaten = [position(order, other) for other in places if places[other] > places[player]]
        to = min(beaten, default=len(order))
        if to < position(order, player):
            order = moved(order, player, to)
    return order


def result(
    order: Rungs, places: Mapping[int, int], late: Collection[int], rules: Rules, soon: Collection[int] = ()
) -> Rungs:
    """After a game, by the places of its players; a shared place changes nothing between those who share it.

    `late`: the players who ran out of time; if the rules let them keep their places, they count as not having played.
    `soon`: those who left, or ran out of time, when the game had hardly begun. Nobody has beaten them: at a table of
    three or four they step down by as many rungs as others who stayed stand below them, and lift nobody past people who
    did not play. Players who have left the ladder move nobody.
    """
    kept = {
        player: place
        for player, place in places.items()
        if player in order and not (player in late and player not in soon and not rules.time_costs_place)
    }
    if len(places) > 2:
        stayed = {player: place for player, place in kept.items() if player not in soon}
        order = lift(order, stayed)
        left = {
            player: sum(order.index(player) < order.index(other) for other in stayed)
            for player in kept
            if player in soon
        }
        return stepped_down(order, left)
    if len(set(kept.values())) < 2:
        return order
    winner, loser = sorted(kept, key=kept.__getitem__)
    return leapfrog(order, winner, loser)


def give_way(order: Rungs, challenger: int, rungs: Mapping[int, int]) -> Rungs:
    """Without a game, each of these players who stands above the challenger goes down by so many rungs, though never
    below the challenger; nobody else goes down, and nobody up by more rungs than there are of them."""
    if challenger not in order:
        return order
    above = [one for one in order[: order.index(challenger)] if one in rungs]
    for player in reversed(above):  # the lowest first, so that none stops another
        order = moved(order, player, min(position(order, player) + rungs[player], position(order, challenger)))
    return order


def stepped_down(order: Rungs, rungs: Mapping[int, int]) -> Rungs:
    """Put these players down by so many rungs each, or to the bottom; the lowest first, so that none stops another."""
    for player in sorted(rungs, key=order.index, reverse=True):
        order = moved(order, player, position(order, player) + rungs[player])
    return order


def sink(order: Rungs, player: int, idle: Collection[int]) -> Rungs:
    """One place down for an idle player, but never below another idle one."""
    here = position(order, player)
    if here == len(order) or order[here] in idle:
        return order
    return moved(order, player, here + 1)


def back(order: Rungs, player: int, held: int) -> Rungs:
    """Put a player taken off at position `held` back on the ladder, `BACK_DROP` places lower or at the bottom."""
    return moved(order, player, held + BACK_DROP)


ENOUGH = 5
"""Whoever has played fewer games in a season is not moved by a soft reset: their rating says too little."""


def soft_reset(order: Rungs, ratings: Mapping[int, float], games: Mapping[int, int]) -> Rungs:
    """The order of a new season, by the ratings and by the games of the last one: who has not played enough keeps their
    position; the others share theirs by the mean of old position and rank by rating; ties as before."""
    playing = tuple(player for player in order if games[player] >= ENOUGH)
    ranked = sorted(playing, key=lambda player: -ratings[player])
    rank = {player: number for number, player in enumerate(ranked, 1)}
    mixed = iter(sorted(playing, key=lambda player: rank[player] + position(playing, player)))
    return tuple(next(mixed) if player in rank else player for player in order)


def shortest(order: Rungs, first: Sequence[int]) -> Rungs:
    """The fewest of these players that, put first, give the same order: the others stand below in this order anyway,
    and go on to follow from what happened before."""
    wanted, top = ordered(order, first), len(first)
    while top and ordered(order, first[: top - 1]) == wanted:
        top -= 1
    return tuple(first[:top])


def ordered(order: Rungs, first: Sequence[int]) -> Rungs:
    """These players first, in this order, then all others as they stood. Players not on the ladder are skipped."""
    stand = set(order)
    return tuple(dict.fromkeys((*(player for player in first if player in stand), *order)))
