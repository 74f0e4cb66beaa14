"""Arenas: whoever is ready is paired, again and again, with people near in points whom they have not just met. Pure.

The rules, in their order:

1. Who is `apart` never meets, and who has just met does not meet again at once: only when both have waited for
   `AGAIN_MS`, or at the beginning of each wave if there are no more than `FEW` people.
2. As many as possible get a table, and of those left over who has waited for less.
3. The sum of the squares of the differences of points is least; at tables of three and four it is small.

Tables have the wanted size. Only who has waited for `SMALLER_MS` gets a smaller one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

from games.tournaments.pairing.groups import Table, cheapest

AGAIN_MS = 120_000
SMALLER_MS = 60_000
FEW = 3


class WaitingPlayer(NamedTuple):
    """Somebody who is ready and free."""

    player: int
    points: int
    """Twice their points."""
    waited_ms: int
    met: frozenset[int] = frozenset()
    """With whom they sat at their last table."""


def tables(
    waiting: Sequence[WaitingPlayer], size: int, active: int, apart: Collection[frozenset[int]], chance: Random
) -> tuple[Table, ...]:
    """The tables that can begin now, none if none can. `active`: how many people are ready or play; `apart`: pairs."""

    def barred(one: WaitingPlayer, other: WaitingPlayer) -> bool:
        if frozenset((one.player, other.player)) in apart:
            return True
        just_met = other.player in one.met or one.player in other.met
        return just_met and active > FEW and min(one.waited_ms, other.waited_ms) < AGAIN_MS

    left, found = list(waiting), list[Table]()
    for seats in range(size, 1, -1):
        if seats < size and all(each.waited_ms < SMALLER_MS for each in left):
            break
        drawn = _pairs(left, barred) if seats == 2 else _larger(left, seats, barred, chance)
        found += drawn
        seated = {player for table in drawn for player in table}
        left = [each for each in left if each.player not in seated]
    return tuple(found)


def _pairs(waiting: Sequence[WaitingPlayer], barred: Callable[[WaitingPlayer, WaitingPlayer], bool]) -> list[Table]:
    """A maximum weight matching: see `swiss.pair`."""
    from networkx import Graph, max_weight_matching  # 30 MB, which only those need who pair

    order = {each.player: number for number, each in enumerate(sorted(waiting, key=lambda each: each.waited_ms), 1)}
    pairs = [(a, b) for a, b in combinations(waiting, 2) if not barred(a, b)]
    # What counts less never outweighs what counts more.
    widest = 1 + len(waiting) * max(((a.points - b.points) ** 2 for a, b in pairs), default=0)
    graph = Graph()
    for a, b in pairs:
        waits = order[a.player] + order[b.player]
        graph.add_edge(a.player, b.player, weight=widest * waits - (a.points - b.points) ** 2)
    number = {each.player: index for index, each in enumerate(waiting)}
    matched = max_weight_matching(graph, maxcardinality=True)
    return sorted((tuple(sorted(pair, key=number.__getitem__)) for pair in matched), key=lambda pair: number[pair[0]])


def _larger(
    waiting: Sequence[WaitingPlayer], seats: int, barred: Callable[[WaitingPlayer, WaitingPlayer], bool], chance: Random
) -> list[Table]:
    """Tables of three or four; where somebody would sit with whom they cannot, there is none."""
    longest = sorted(waiting, key=lambda each: -each.waited_ms)[: len(waiting) // seats * seats]
    ranked = sorted(longest, key=lambda each: -each.points)
    if not ranked:
        return []
    widest = 1 + len(ranked) * seats * (ranked[0].points - ranked[-1].points) ** 2
    known: Mapping[int, WaitingPlayer] = {each.player: each for each in ranked}

    def cost(one: int, other: int) -> int:
        a, b = known[one], known[other]
        return widest * barred(a, b) + (a.points - b.points) ** 2

    drawn = cheapest([each.player for each in ranked], [seats] * (len(ranked) // seats), cost, chance)
    return [table for table in drawn if not any(barred(known[a], known[b]) for a, b in combinations(table, 2))]
