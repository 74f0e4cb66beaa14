"""What the events of a ladder say of its players: won and lost, against whom, how far they came. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from games.ladders.payloads import Corrected, Event, Game, Ordered, SeasonBegun, Undone, kinds
from games.ladders.standing import outcome

BY_STEWARDS = kinds(Ordered, Corrected, Undone, SeasonBegun)
"""The kinds of events that move players by the will of stewards, or by a soft reset."""


@dataclass
class WonLost:
    """Games of one player, against everybody or against one."""

    won: int = 0
    shared: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.shared + self.lost

    def count(self, code: str) -> None:
        """Count a game with this outcome: see `outcome`."""
        self.won += code == "w"
        self.shared += code == "d"
        self.lost += code == "l"


@dataclass
class LadderTally(WonLost):
    """One player's games, without those undone, and their rungs in that time. Who has the first place alone has won,
    who has it with others shares it."""

    first: int | None = None
    """The rung at the start of the time; None for a player who came later."""
    best: int | None = None
    last: int | None = None
    """The rung at its end."""

    @property
    def change(self) -> int | None:
        """The rungs gained (or, below zero, lost); None for a player who came later."""
        return None if self.first is None or self.last is None else self.first - self.last

    @property
    def places(self) -> int:
        return abs(self.change or 0)


def results(events: Iterable[Event], undone: Collection[int]) -> Iterator[tuple[Event, dict[int, int]]]:
    """The results that count, each with the places by player."""
    for event in events:
        if isinstance(event.payload, Game) and event.number not in undone:
            yield event, dict(zip(event.payload.players, event.payload.places, strict=True))


def tallies(events: Iterable[Event], undone: Collection[int], order: Iterable[int]) -> dict[int, LadderTally]:
    """By player, the tally of a time at whose end the ladder stands in this order."""
    events = list(events)
    found = {player: LadderTally(first=rung, best=rung, last=rung) for rung, player in enumerate(order, 1)}
    moved = set[int]()
    for event in events:
        for name, (before, after) in event.steps.items():
            player = int(name)
            tally = found.get(player)
            if tally is None:
                continue
            if player not in moved:
                moved.add(player)
                tally.first = before
                tally.best = min(filter(None, (tally.best, before)))
            if after and event.number not in undone:
                tally.best = min(after, tally.best or after)
    for _event, places in results(events, undone):
        for player in places.keys() & found.keys():
            found[player].count(outcome(places, player))
    return found


def head_to_head(events: Iterable[Event], undone: Collection[int]) -> dict[int, dict[int, WonLost]]:
    """By player and opponent, the games of the one against the other: whoever finished higher has won."""
    found: defaultdict[int, defaultdict[int, WonLost]] = defaultdict(lambda: defaultdict(WonLost))
    for _event, places in results(events, undone):
        for player, place in places.items():
            for other, its in places.items():
                if other != player:
                    found[player][other].count("w" if place < its else "l" if place > its else "d")
    return {player: dict(others) for player, others in found.items()}
