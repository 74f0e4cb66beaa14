"""Swiss rounds: people with about the same points meet, and nobody the same person twice if that can be. Pure.

The aims are those of the FIDE Handbook, C.04.1 (basic rules for Swiss systems), without its colours, which these games
do not have, and in this order:

1. Nobody gets a bye a second time before everybody has had one.
2. As few as possible meet again; a third time counts as four repeats.
3. The differences of points at the tables are small: least is the sum of their squares.
4. For two: within a score group the upper half meets the lower half, as in the Dutch system (C.04.3).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from random import Random

from games.tournaments.pairing.groups import SIZES, Met, Seating, cheapest, sizes


def pair(
    order: Sequence[int], points: Mapping[int, int], met: Met | None = None, byes: Mapping[int, int] | None = None
) -> Seating:
    """The pairs of the next round, and who has a bye if the number is odd.

    `order`: the people who play, by their standing, or before the first round by their seeds. `points`: those so far.
    No pairing is better by the aims of this module: it is a maximum weight matching, exact in whole numbers (Galil,
    "Efficient algorithms for finding maximum matching in graphs", 1986). The bye is one of the pairs, with a rival who
    has the points of the last.
    """
    from networkx import Graph, max_weight_matching  # 30 MB, which only those need who pair

    ranked = sorted(order, key=lambda person: -points[person])
    bye = len(ranked)
    few = min((byes or {}).get(person, 0) for person in ranked) if ranked else 0
    repeats, spread, fold = _costs(ranked, points, met or {})
    graph = Graph()
    costs = {(a, b): (repeats(a, b), spread(a, b), fold(a, b)) for a, b in combinations(range(len(ranked)), 2)}
    if len(ranked) % 2:
        for a, person in enumerate(ranked):
            if (byes or {}).get(person, 0) == few:
                costs[a, bye] = (0, (points[person] - points[ranked[-1]]) ** 2, (bye - a) ** 2)
    # Each sum is below the next factor, so a lesser aim never outweighs a greater one.
    folds = 1 + sum(sorted((cost[2] for cost in costs.values()), reverse=True)[: bye + 1])
    spreads = 1 + sum(sorted((cost[1] for cost in costs.values()), reverse=True)[: bye + 1])
    for (a, b), (again, apart, unfolded) in costs.items():
        graph.add_edge(a, b, weight=-((again * spreads + apart) * folds + unfolded))
    pairs = sorted((min(found), max(found)) for found in max_weight_matching(graph, maxcardinality=True))
    return Seating(
        tuple((ranked[a], ranked[b]) for a, b in pairs if b != bye),
        tuple(ranked[a] for a, b in pairs if b == bye),
    )


def tables(
    order: Sequence[int],
    size: int,
    points: Mapping[int, int],
    chance: Random,
    *,
    met: Met | None = None,
    byes: Mapping[int, int] | None = None,
    small: Mapping[int, int] | None = None,
    allowed: Collection[int] = SIZES,
) -> Seating:
    """The tables of the next round if `size` are to sit at each, and who has a bye if not all of them find a seat.

    As `pair`, but the repeats and the differences are small, not least: see `groups.cheapest`. Among people with the
    same points it is chance that decides. The byes go to the last of those who have had the fewest. So do the seats at
    tables that are smaller than the others, where a win is likelier: `small` says how often each has sat there.
    """
    ranked = sorted(order, key=lambda person: -points[person])
    planned = sizes(len(ranked), size, allowed)
    last_first = sorted(reversed(ranked), key=lambda person: (byes or {}).get(person, 0))
    out = last_first[: len(ranked) - sum(planned)]
    few = [person for person in reversed(ranked) if person not in out]
    few.sort(key=lambda person: (small or {}).get(person, 0))
    at_few = few[: sum(each for each in planned if each < planned[0])]
    drawn = chance.sample(ranked, len(ranked))
    usual = planned[: planned.count(planned[0])] if planned else ()
    found = [
        *_seated(
            [person for person in drawn if person not in out and person not in at_few], usual, points, met, chance
        ),
        *_seated([person for person in drawn if person in at_few], planned[len(usual) :], points, met, chance),
    ]
    return Seating(tuple(found), tuple(out))


def at_small(tables: Collection[tuple[int, ...]]) -> list[int]:
    """Who sits at a table that is smaller than another one of its round."""
    largest = max(map(len, tables), default=0)
    return [person for table in tables if len(table) < largest for person in table]


def _seated(
    people: Sequence[int], planned: Sequence[int], points: Mapping[int, int], met: Met | None, chance: Random
) -> list[tuple[int, ...]]:
    """These people at tables of the planned sizes; their order decides among those with the same points."""
    if not people:
        return []
    seated = list(people)
    seated.sort(key=lambda person: -points[person])
    repeats, spread, _fold = _costs(seated, points, met or {})
    widest = 1 + len(seated) * 4 * (points[seated[0]] - points[seated[-1]]) ** 2
    found = cheapest(range(len(seated)), planned, lambda a, b: repeats(a, b) * widest + spread(a, b), chance)
    drawn = sorted(sorted(table) for table in found)
    return [tuple(seated[at] for at in table) for table in drawn]


def _costs(
    ranked: Sequence[int], points: Mapping[int, int], met: Met
) -> tuple[Callable[[int, int], int], Callable[[int, int], int], Callable[[int, int], int]]:
    """The costs of the aims 2 to 4, for two indices of `ranked`."""
    group: dict[int, int] = {}
    for person in ranked:
        group[points[person]] = group.get(points[person], 0) + 1

    def repeats(a: int, b: int) -> int:
        one, other = ranked[a], ranked[b]
        return met.get((min(one, other), max(one, other)), 0) ** 2

    def spread(a: int, b: int) -> int:
        return (points[ranked[a]] - points[ranked[b]]) ** 2

    def fold(a: int, b: int) -> int:
        if points[ranked[a]] != points[ranked[b]]:
            return 0
        return (2 * abs(a - b) - group[points[ranked[a]]]) ** 2

    return repeats, spread, fold
