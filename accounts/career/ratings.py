"""How a finished match changes the ratings of those who played it: pairwise Elo, as plain numbers.

The scale and the update are Elo's (Arpad E. Elo, *The Rating of Chessplayers, Past and Present*, 1978): a difference
of 400 points makes ten to one, and a result moves a rating by K times what it was better than expected. Matches of
more than two follow the usual generalisation: the final order is read as one game between each two players, won,
lost or drawn by their places. Each of these games weighs 2/n, so that a match of n players moves ratings by no more
than n - 1 games at that weight: for two it is Elo's own rule.

A rating has to be earned. The more often the same two meet on a day the less it counts (`REPEATED`), somebody whose
own rating is provisional moves that of others less (`NEWCOMER`), and nobody gains from an opponent who left while the
game had hardly begun, though whoever left so loses. Otherwise winning and losing weigh the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

START = 1500.0
"""The rating before the first game."""
PROVISIONAL = 10
"""With fewer games, a rating is marked with a question mark and has no rank."""
OPPONENTS = 5
"""For a rank, this many different people whose own rating was no longer provisional must have been met."""
REPEATED = (1.0, 0.5, 0.25)
"""What the first, second and third match of the same two people count that end on one day (UTC), in one pool. Later
ones do not count."""
NEWCOMER = 0.5
"""What a match against somebody with a provisional rating counts for somebody whose rating is not."""
K = ((10, 60), (20, 40))
"""The K of those with fewer games than this; `K_SETTLED` for all others. Newcomers find their level quickly."""
K_SETTLED = 20


@dataclass(frozen=True, slots=True)
class Rated:
    """One of the players of a match: their rating before it, and their final place (ties share it)."""

    rating: float
    games: int
    """The number of games of this pool that had counted before."""
    place: int
    soon: bool = False
    """Whether they left while the game had hardly begun."""
    met: Mapping[int, int] | None = None
    """By an opponent's index, how often the two had met in this pool on the same day before; those left out, never."""

    @property
    def provisional(self) -> bool:
        return self.games < PROVISIONAL

    def times(self, opponent: int) -> int:
        """How often they had met this opponent on the same day before."""
        return (self.met or {}).get(opponent, 0)


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
    """The product of 2/n and of what lessens it: `repeated`, `newcomer`, `soon`; 0 if the pair does not count."""
    repeated: int = 0
    """The number of earlier matches of the two on the same day."""
    newcomer: bool = False
    """Whether it counts less because only the opponent's rating is provisional."""
    soon: bool = False
    """Whether nothing is gained because the opponent left while the game had hardly begun."""

    @property
    def change(self) -> float:
        """How much this pair moves the player's rating."""
        return self.k * self.weight * (self.score - self.expected)


@dataclass(frozen=True, slots=True)
class Level:
    """A rating as it is kept between two matches."""

    value: float = START
    games: int = 0
    """The number of games that have counted."""
    best: float = START
    """The highest that it has been, the initial one included."""
    opponents: tuple[int, ...] = ()
    """The first `OPPONENTS` different people, by their ids, who were met in games that counted, and whose own rating
    was no longer provisional."""

    @property
    def ranked(self) -> bool:
        """Whether it has a place on the leader board."""
        return self.games >= PROVISIONAL and len(self.opponents) >= OPPONENTS

    def after(self, pairs: Sequence[Pair], players: Sequence[Rated], people: Sequence[int]) -> Level:
        """The rating after a match with these pairs; `players` and `people` (ids) are those at the table."""
        counted = [pair.opponent for pair in pairs if pair.weight]
        if not counted:
            return self
        value = self.value + sum(pair.change for pair in pairs)
        settled = [people[opponent] for opponent in counted if not players[opponent].provisional]
        opponents = tuple(dict.fromkeys((*self.opponents, *settled)))[:OPPONENTS]
        return Level(value, self.games + 1, max(self.best, value), opponents)


def k_of(games: int) -> int:
    """The K of a player with this many games in the pool."""
    return next((k for below, k in K if games < below), K_SETTLED)


def expected(rating: float, other: float) -> float:
    """The expected score against `other`: 10/11 for 400 points more (Elo 1978, with the logistic curve)."""
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def changes(players: Sequence[Rated]) -> list[list[Pair]]:
    """For each player, the pairs with all others in their order; the sum of its changes is the player's change.

    The same players in the same order give the very same numbers, to the last bit.
    """
    return [
        [_pair(me, other, index, 2 / len(players)) for index, other in enumerate(players) if index != seat]
        for seat, me in enumerate(players)
    ]


def _pair(me: Rated, other: Rated, opponent: int, share: float) -> Pair:
    soon = other.soon and me.place < other.place
    newcomer = other.provisional and not me.provisional
    repeated = me.times(opponent)
    weight = 0.0 if soon else share * repetition(repeated) * (NEWCOMER if newcomer else 1.0)
    return Pair(
        opponent,
        expected(me.rating, other.rating),
        score(me.place, other.place),
        k_of(me.games),
        weight,
        repeated=repeated,
        newcomer=newcomer,
        soon=soon,
    )


def repetition(before: int) -> float:
    """What a match of two people counts who have met so often before on the same day."""
    return REPEATED[before] if before < len(REPEATED) else 0.0


def score(place: int, other: int) -> float:
    """1 for the better place, one half for the same, 0 for the worse."""
    return 1.0 if place < other else 0.0 if place > other else 0.5


def after(players: Sequence[Rated]) -> list[float]:
    """The players' new ratings."""
    return [me.rating + sum(pair.change for pair in pairs) for me, pairs in zip(players, changes(players), strict=True)]


def shown(rating: float, games: int) -> str:
    """A rating as pages show it: `1588`, or `1500?` while it rests on few games."""
    return f"{rating:.0f}{'?' if games < PROVISIONAL else ''}"
