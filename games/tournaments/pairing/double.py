"""Double elimination: who has lost twice is out. Pure.

Two brackets: in that of the winners, seeded as a knock-out, nobody has lost yet; whoever loses there goes into that of
the losers. Its rounds are by turns among those who are in it, and against those who come down. The winners of both meet
in the final, which is played again if the winner of the losers' bracket wins it. So that rivals meet again late, those
who come down are turned about from round to round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.tournaments.pairing.knockout import bracket

NOBODY = -1


class Source(NamedTuple):
    """Who comes to a side of a pairing."""

    pairing: int
    """The winner or the loser of this one; for a seed the number of the seed."""
    what: str
    """`seed`, `winner` or `loser`."""


class Slot(NamedTuple):
    """A place where two meet."""

    bracket: str
    """`winners`, `losers`, or `final`."""
    level: int
    """The round of its bracket, from 0."""
    sides: tuple[Source, Source]


def slots(people: int) -> list[Slot]:
    """All places of the brackets for so many, two or more, each after those whose players it gets. The last two are the
    final and its repetition."""
    found: list[Slot] = []

    def add(name: str, level: int, pairs: Sequence[tuple[Source, Source]]) -> list[int]:
        found.extend(Slot(name, level, pair) for pair in pairs)
        return list(range(len(found) - len(pairs), len(found)))

    def two(sources: Sequence[Source]) -> list[tuple[Source, Source]]:
        return list(zip(sources[::2], sources[1::2], strict=True))

    def won(numbers: Sequence[int]) -> list[Source]:
        return [Source(number, "winner") for number in numbers]

    def lost(numbers: Sequence[int]) -> list[Source]:
        return [Source(number, "loser") for number in numbers]

    winners = add("winners", 0, two([Source(seed, "seed") for seed in bracket(people)]))
    below, level, down = lost(winners), 0, 0
    while len(winners) > 1:
        if len(below) > 1:
            below = won(add("losers", level, two(below)))
            level += 1
        winners = add("winners", down + 1, two(won(winners)))
        coming = _turned(lost(winners), down)
        below = won(add("losers", level, list(zip(coming, below, strict=True))))
        level, down = level + 1, down + 1
    [final] = add("final", 0, [(Source(winners[0], "winner"), below[0])])
    add("final", 1, [(Source(final, "winner"), Source(final, "loser"))])
    return found


def _turned(coming: list[Source], down: int) -> list[Source]:
    """Those who come down the `down`-th time, from 0, so that they meet whom they have met as late as can be: turned
    round, then each half, then the halves exchanged, as simulations of 16 and 32 players say."""
    half = len(coming) // 2
    above, below = coming[:half], coming[half:]
    return [coming[::-1], [*above[::-1], *below[::-1]], [*below, *above], coming][down % 4]


class DoublePlace(NamedTuple):
    """A place of the brackets as far as it has been played."""

    slot: Slot
    sides: tuple[int | None, int | None]
    """The players; None: not decided, `NOBODY`: nobody comes."""
    winner: int | None
    loser: int | None


def places(seeds: Sequence[int], won: Callable[[int, int, int], int | None]) -> list[DoublePlace]:
    """All places of the brackets of these players, the best first, in the order of `slots`.

    `won`: of two players who meet, and how often they did before, who goes on; None if that has not been played.
    Without a rival one goes on without a game. The final is not played again, its second place has nobody, if the
    winner of the winners' bracket wins it.
    """
    found: list[DoublePlace] = []
    met: dict[frozenset[int], int] = {}
    for slot in slots(len(seeds)):
        one, other = (_side(found, seeds, source) for source in slot.sides)
        if slot.bracket == "final" and slot.level == 1:
            final = found[-1]
            if final.winner is not None and final.winner == final.sides[0]:
                one = other = NOBODY
        winner, loser = None, None
        if NOBODY in (one, other):
            winner, loser = (other if one == NOBODY else one), NOBODY
        elif one is not None and other is not None:
            pair = frozenset((one, other))
            winner = won(one, other, met.get(pair, 0))
            met[pair] = met.get(pair, 0) + 1
            loser = None if winner is None else other if winner == one else one
        found.append(DoublePlace(slot, (one, other), winner, loser))
    return found


def _side(found: Sequence[DoublePlace], seeds: Sequence[int], source: Source) -> int | None:
    if source.what == "seed":
        return seeds[source.pairing] if source.pairing < len(seeds) else NOBODY
    place = found[source.pairing]
    return place.winner if source.what == "winner" else place.loser
