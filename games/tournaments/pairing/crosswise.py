"""Groups, and the bracket of those who come out of them: the first of one against the second of another. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from games.tournaments.pairing.knockout import bracket

LEAST, MOST = 3, 6
"""How many people are in a group, if there are enough."""


def snake(order: Sequence[int], size: int) -> tuple[tuple[int, ...], ...]:
    """The people, the best first, in groups of about `size` that are as strong as each other: dealt out to and fro.
    Fewer than six are one group."""
    people = len(order)
    counts = [n for n in range(1, people // LEAST + 1) if people <= MOST * n] or [1]
    many = min(counts, key=lambda n: (abs(people - size * n), n))
    found: list[list[int]] = [[] for _ in range(many)]
    for number, person in enumerate(order):
        row, at = divmod(number, many)
        found[many - 1 - at if row % 2 else at].append(person)
    return tuple(tuple(group) for group in found)


def seeds(groups: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The seeds of a bracket (`knockout.bracket`) for those who go on from each group, the best of it first.

    The first of all groups have the first seeds, then come the second ones, and so on. Within these, people of one
    group meet as late as can be, and the first of a group begins against the second of its neighbour, where the bracket
    lets them. Nothing is better by these aims, rank after rank: it is a maximum weight matching.
    """
    from networkx import Graph, max_weight_matching  # 30 MB, which only those need who pair

    slots = bracket(sum(map(len, groups)))
    spot = {seed: place for place, seed in enumerate(slots)}
    home = {person: number for number, group in enumerate(groups) for person in group}
    order = [group[0] for group in groups if group]
    for rank in range(1, max(map(len, groups), default=0)):
        new = [group[rank] for group in groups if len(group) > rank]
        free = range(len(order), len(order) + len(new))
        graph = Graph()
        for person in new:
            for seed in free:
                early = sum(
                    4 ** (len(slots).bit_length() - (spot[seed] ^ spot[placed]).bit_length())
                    for placed, other in enumerate(order)
                    if home[other] == home[person]
                )
                rival = slots[spot[seed] ^ 1]
                crossed = rank == 1 and rival < len(order) and home[order[rival]] == home[person] ^ 1
                graph.add_edge(("person", person), ("seed", seed), weight=crossed - early * (len(new) + 1))
        matched = {}
        for pair in max_weight_matching(graph, maxcardinality=True):
            ends = dict(pair)
            matched[ends["seed"]] = ends["person"]
        order += [matched[seed] for seed in free]
    return tuple(order)
