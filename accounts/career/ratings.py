"""How a finished match changes the ratings of those who played it: pairwise Elo, as plain numbers.

The scale and the update are Elo's (Arpad E. Elo, *The Rating of Chessplayers, Past and Present*, 1978): a difference
of 400 points makes ten to one, and a result moves a rating by K times what it was better than expected. Matches of
more than two follow the usual generalisation: the final order is read as one game between each two players, won,
lost or drawn by their places. Each of these games weighs 2/n, so that a match of n players moves ratings by no more
than n - 1 games at that weight: for two it is Elo's own rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

START = 1500.0
"""The rating before the first game."""
PROVISIONAL = 10
"""With fewer games, a rating is marked with a question mark and has no rank."""
K = ((10, 60), (20, 40))
"""The K of those with fewer games than this; `K_SETTLED` for all others. Newcomers find their level quickly."""
K_SETTLED = 20


@dataclass(frozen=True, slots=True)
class Rated:
    """One of the players of a match: their rating before it, and their final place (ties share it)."""

    rating: float
    games: int
    """The number of rated games of this pool that they had played before."""
    place: int


@dataclass(frozen=True, slots=True)
class Pair:
    """One player's share in the comparison with one opponent."""

    opponent: int
    """The opponent's index among the players."""
    expected: float
    """The expected score, from the two ratings: between 0, a sure loss, and 1."""
    score: float
    """The actual score: 1, a half, or 0."""
    k: int
    weight: float

    @property
    def change(self) -> float:
        """How much this pair moves the player's rating."""
        return self.k * self.weight * (self.score - self.expected)


def k_of(games: int) -> int:
    """The K of a player with this many games in the pool."""
    return next((k for below, k in K if games < below), K_SETTLED)


def expected(rating: float, other: float) -> float:
    """The expected score against `other`: 10/11 for 400 points more (Elo 1978, with the logistic curve)."""
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def changes(players: Sequence[Rated]) -> list[list[Pair]]:
    """For each player, the pairs with all others in their order; the sum of its changes is the player's change."""
    weight = 2 / len(players)
    return [
        [
            Pair(index, expected(me.rating, other.rating), score(me.place, other.place), k_of(me.games), weight)
            for index, other in enumerate(players)
            if index != seat
        ]
        for seat, me in enumerate(players)
    ]


def score(place: int, other: int) -> float:
    """1 for the better place, one half for the same, 0 for the worse."""
    return 1.0 if place < other else 0.0 if place > other else 0.5


def after(players: Sequence[Rated]) -> list[float]:
    """The players' new ratings. The same players in the same order give the very same numbers, to the last bit."""
    return [me.rating + sum(pair.change for pair in pairs) for me, pairs in zip(players, changes(players), strict=True)]


def shown(rating: float, games: int) -> str:
    """A rating as pages show it: `1588`, or `1500?` while it rests on few games."""
    return f"{rating:.0f}{'?' if games < PROVISIONAL else ''}"
