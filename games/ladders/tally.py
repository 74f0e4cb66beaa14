"""What the events of a ladder say of its players: won and lost, against whom, how far they came. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.ladders.standing import GAME_KINDS, Kind, outcome

BY_STEWARDS = (Kind.ORDER, Kind.CORRECT, Kind.UNDO, Kind.SEASON)
"""The kinds of events that move players by the will of stewards, or by a soft reset."""

Steps = Mapping[str, list[int | None]]
"""By player's id (as text), the positions before and after, from 1; None for off the ladder."""


class Past(NamedTuple):
    """An event with the players it moved."""

    number: int
    kind: str
    data: Mapping[str, Any]
    steps: Steps
    at: int = 0
    """In milliseconds since 1970, where that matters."""


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


def results(rows: Iterable[Past], undone: Collection[int]) -> Iterator[tuple[Past, dict[int, int]]]:
    """The results that count, each with the places by player."""
    for row in rows:
        if row.kind in GAME_KINDS and row.number not in undone:
            yield row, dict(zip(row.data["players"], row.data["places"], strict=True))


def tallies(rows: Iterable[Past], undone: Collection[int], order: Iterable[int]) -> dict[int, LadderTally]:
    """By player, the tally of a time at whose end the ladder stands in this order."""
    rows = list(rows)
    found = {player: LadderTally(first=rung, best=rung, last=rung) for rung, player in enumerate(order, 1)}
    moved = set[int]()
    for number, _kind, _data, steps, _at in rows:
        for name, (before, after) in steps.items():
            player = int(name)
            tally = found.get(player)
            if tally is None:
                continue
            if player not in moved:
                moved.add(player)
                tally.first = before
                tally.best = min(filter(None, (tally.best, before)))
            if after and number not in undone:
                tally.best = min(after, tally.best or after)
    for _row, places in results(rows, undone):
        for player in places.keys() & found.keys():
            found[player].count(outcome(places, player))
    return found


def head_to_head(rows: Iterable[Past], undone: Collection[int]) -> dict[int, dict[int, WonLost]]:
    """By player and opponent, the games of the one against the other: whoever finished higher has won."""
    found: defaultdict[int, defaultdict[int, WonLost]] = defaultdict(lambda: defaultdict(WonLost))
    for _row, places in results(rows, undone):
        for player, place in places.items():
            for other, its in places.items():
                if other != player:
                    found[player][other].count("w" if place < its else "l" if place > its else "d")
    return {player: dict(others) for player, others in found.items()}
