"""Knock-outs for two, with seeds: who loses is out. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.tournaments.pairing.groups import Seating


def bracket(people: int) -> tuple[int, ...]:
    """The numbers 0 to people - 1 from the top of the bracket to its bottom; a number that is too large is a bye.

    The standard seeding (https://en.wikipedia.org/wiki/Single-elimination_tournament#Seeding): filled up to a power of
    two, the two best can only meet in the final, the four best not before the semi-finals, and so on, and in the first
    round the best meets the last. So the byes go to the best.
    """
    found: tuple[int, ...] = (0,)
    while len(found) < people:
        last = 2 * len(found) - 1
        found = tuple(each for seed in found for each in (seed, last - seed))
    return found


def pair(seeds: Sequence[int], out: Collection[int]) -> Seating:
    """The pairs of the next round, and who goes on without a game.

    `seeds`: all who entered, the best first. `out`: who has lost or withdrawn. A bye is had where nobody is left to
    play: in the first round because there were too few, later because a rival has withdrawn. Without tables the winner
    is the only one left, if anybody is.
    """
    spots = [[seeds[seed]] if seed < len(seeds) and seeds[seed] not in out else [] for seed in bracket(len(seeds))]
    while len(spots) > 1:
        spots = [above + below for above, below in zip(spots[::2], spots[1::2], strict=True)]
        if any(len(each) == 2 for each in spots):
            rank = {person: number for number, person in enumerate(seeds)}
            tables = tuple(tuple(sorted(each, key=rank.__getitem__)) for each in spots if len(each) == 2)
            return Seating(tables, tuple(sorted((each[0] for each in spots if len(each) == 1), key=rank.__getitem__)))
    return Seating((), tuple(spots[0]))
