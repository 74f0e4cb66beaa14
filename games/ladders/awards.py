"""The awards of a season, from its events alone. Pure.

They go to players who stand on the ladder at the end of the season. Everybody with the same best value shares an award;
nobody gets one whose least value nobody reached. Events that stewards have undone do not count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import permutations
from typing import NamedTuple

from games.ladders.payloads import Declined, Event, GameResult, Overdue, Unanswered, Withdrawn
from games.ladders.standing import outcome
from games.ladders.tally import BY_STEWARDS, results

RUN = 3
"""The least number of games of the longest run ..."""
FAITHFUL = 3
"""... and of the most faithful."""


class Award(StrEnum):
    """The awards; the value of each in brackets."""

    CLIMB = "climb"
    """The most rungs gained by games and by the rules, less those lost [rungs, at least 1]. What stewards set, and what
    others gained or lost by that, is left out. Who leaves and comes back has lost what is between."""
    RUN = "run"
    """The most games won in a row, each alone [games, at least `RUN`]."""
    FAITHFUL = "faithful"
    """The most games, of those who never ran out of time, left a game when it had hardly begun, were at fault for one
    that was not over in time, refused a challenge, did not answer one, or withdrew one [games, at least `FAITHFUL`]."""
    GIANT = "giant"
    """Who beat the player that stood the most rungs above them before the game, and had not run out of time [rungs, at
    least 1]; of several with as many rungs, who beat the one on the highest rung."""


class Won(NamedTuple):
    """An award that was won."""

    value: int
    players: tuple[int, ...]
    """All who share it, in the order of the ladder."""
    rung: int = 0
    """GIANT: the rung on which those they beat stood."""

    @property
    def key(self) -> tuple[int, int]:
        """The greater, the better."""
        return self.value, -self.rung


def awards(events: Iterable[Event], undone: Collection[int], order: Sequence[int]) -> dict[Award, Won]:
    """The awards of a season with these events after its beginning, at whose end the ladder stands in this order."""
    events = list(events)
    found = {
        Award.CLIMB: _best(climbs(events, undone), order, 1),
        Award.RUN: _best(runs(events, undone), order, RUN),
        Award.FAITHFUL: _best(faithful(events, undone), order, FAITHFUL),
    }
    # The highest giant of as many rungs: the lower its own rung, the more it is.
    giants = {player: (rungs, -rung) for player, (rungs, rung) in beaten(events, undone, order).items()}
    best = max((giants[player] for player in order if player in giants), default=(0, 0))
    if best[0]:
        found[Award.GIANT] = Won(best[0], tuple(one for one in order if giants.get(one) == best), -best[1])
    return {award: won for award, won in found.items() if won}


def _best(values: Mapping[int, int], order: Sequence[int], least: int) -> Won | None:
    best = max((values.get(player, 0) for player in order), default=0)
    return Won(best, tuple(one for one in order if values.get(one) == best)) if best >= least else None


def climbs(events: Sequence[Event], undone: Collection[int]) -> dict[int, int]:
    """By player who finished a game, the rungs gained: see `Award.CLIMB`."""
    gained: Counter[int] = Counter()
    off: dict[int, int] = {}
    for event in events:
        if event.kind in BY_STEWARDS or event.number in undone:
            continue
        for name, (before, after) in event.steps.items():
            player = int(name)
            if after is None:
                off[player] = before or 0
            else:
                gained[player] += (off.pop(player, after) if before is None else before) - after
    played = {player for _event, places in results(events, undone) for player in places}
    return {player: gained[player] for player in played}


def runs(events: Sequence[Event], undone: Collection[int]) -> dict[int, int]:
    """By player, the longest run: see `Award.RUN`."""
    longest: Counter[int] = Counter()
    now: Counter[int] = Counter()
    for _event, places in results(events, undone):
        for player in places:
            now[player] = now[player] + 1 if outcome(places, player) == "w" else 0
            longest[player] = max(longest[player], now[player])
    return dict(longest)


def faithful(events: Sequence[Event], undone: Collection[int]) -> dict[int, int]:
    """By player without a fault, the games: see `Award.FAITHFUL`."""
    faults = set[int]()
    for event in events:
        if event.number in undone:
            continue
        match event.payload:
            case GameResult(late=late, soon=soon):
                faults |= {*late, *soon}
            case Overdue(late=late):
                faults |= {*late}
            case Unanswered(other=player) | Declined(other=player) | Withdrawn(player=player):
                faults.add(player)
    games = Counter(player for _event, places in results(events, undone) for player in places)
    return {player: number for player, number in games.items() if player not in faults}


def beaten(events: Sequence[Event], undone: Collection[int], order: Sequence[int]) -> dict[int, tuple[int, int]]:
    """By player, how many rungs above them somebody stood whom they beat, at most, and on which rung the highest of
    these: see `Award.GIANT`."""
    stands, counted = at_first(events, order), {event.number: places for event, places in results(events, undone)}
    found: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for event in events:
        places = counted.get(event.number, {})
        late = event.payload.late if isinstance(event.payload, GameResult) else ()
        for player, other in permutations(places, 2):
            here, there = stands.get(player), stands.get(other)
            won = places[player] < places[other] and other not in late
            if won and here and there and there < here:
                found[player] = max(found[player], (here - there, there), key=lambda each: (each[0], -each[1]))
        for name, (_before, after) in event.steps.items():
            stands[int(name)] = after
    return dict(found)


def at_first(events: Sequence[Event], order: Sequence[int]) -> dict[int, int | None]:
    """Where everybody stood before these events, at whose end the ladder stands in this order."""
    stands: dict[int, int | None] = {player: rung for rung, player in enumerate(order, 1)}
    for event in reversed(events):
        for name, (before, _after) in event.steps.items():
            stands[int(name)] = before
    return stands
