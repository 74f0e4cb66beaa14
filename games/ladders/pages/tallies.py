"""What players have won and lost on a ladder, and how far they came: counted from its events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.ladders.models import Ladder
from games.ladders.pages.results import undone_of
from games.ladders.pages.seasons import Season, within
from games.ladders.standing import Kind, outcome


@dataclass
class LadderTally:
    """One player's games, without those undone, and their rungs in that time."""

    won: int = 0
    """Games whose first place they had alone ..."""
    shared: int = 0
    """... or with others ..."""
    lost: int = 0
    """... and all others."""
    first: int | None = None
    """The rung at the start of the time; None for a player who came later."""
    best: int | None = None
    last: int | None = None
    """The rung at its end."""

    @property
    def games(self) -> int:
        return self.won + self.shared + self.lost

    @property
    def change(self) -> int | None:
        """The rungs gained (or, below zero, lost); None for a player who came later."""
        return None if self.first is None or self.last is None else self.first - self.last

    @property
    def places(self) -> int:
        return abs(self.change or 0)

    def count(self, data: Mapping[str, Any], player: int) -> None:
        """Count a result in which they played."""
        code = outcome(dict(zip(data["players"], data["places"], strict=True)), player)
        self.won += code == "w"
        self.shared += code == "d"
        self.lost += code == "l"


def of_season(ladder: Ladder, season: Season, order: Iterable[int]) -> dict[int, LadderTally]:
    """By player, the tally of a season that ended, or stands by now, in this order. Two queries."""
    rows = within(ladder.log.exclude(pk=season.began.pk), season).order_by("number")
    undone = undone_of(ladder)
    found = {player: LadderTally(first=rung, best=rung, last=rung) for rung, player in enumerate(order, 1)}
    moved = set[str]()
    for number, kind, data, steps in rows.values_list("number", "kind", "data", "steps"):
        for player, (before, after) in steps.items():
            tally = found.get(int(player))
            if tally is None:
                continue
            if player not in moved:
                moved.add(player)
                tally.first = before
                tally.best = min(filter(None, (tally.best, before)))
            if after and number not in undone:
                tally.best = min(after, tally.best or after)
        if kind == Kind.RESULT and number not in undone:
            for one in data["players"]:
                if one in found:
                    found[one].count(data, one)
    return found


def of_player(ladder: Ladder, player: int) -> LadderTally:
    """The games of a player since the ladder began. Two queries."""
    undone, tally = undone_of(ladder), LadderTally()
    for number, data in ladder.log.filter(kind=Kind.RESULT).values_list("number", "data"):
        if player in data["players"] and number not in undone:
            tally.count(data, player)
    return tally
