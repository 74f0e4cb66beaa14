"""People at tables of two, three and four: how many tables of which size, and who sits where. Pure.

People are numbers. What is drawn comes from the `random.Random` that is given, so the same one gives the
same tables again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import NamedTuple

Table = tuple[int, ...]
Met = Mapping[tuple[int, int], int]
"""How often each two have met, the smaller number first; who is missing has not."""
Cost = Callable[[int, int], int]
"""What it costs to seat these two at one table: 0 or more, the same both ways."""

SIZES = (2, 3, 4)
STARTS = 8
"""The number of seatings from which the search begins: 64 people are seated in a fifth of a second."""


class Seating(NamedTuple):
    tables: tuple[Table, ...]
    byes: tuple[int, ...]
    """Those for whom there is no seat in this round."""


def sizes(people: int, size: int, allowed: Collection[int] = SIZES) -> tuple[int, ...]:
    """The sizes of tables for so many people, the largest first, if tables of `size` are wanted and those of `allowed`
    are as well possible. As few as can be have no seat. Then the sum of the squares of the differences to `size` is
    least, so two tables of three come before one of four and one of two. A ValueError if `size` is not allowed."""
    if size not in allowed:
        raise ValueError(f"tables of {size} are not among the sizes that are allowed: {sorted(allowed)}")
    others = sorted(set(allowed) - {size})
    best: tuple[tuple[int, int], tuple[int, ...]] | None = None
    # `size` tables of another size can be replaced by tables of `size`, so fewer of each are enough.
    for counts in product(range(size), repeat=len(others)):
        rest = people - sum(n * each for n, each in zip(counts, others, strict=True))
        if rest < 0:
            continue
        found = [each for n, each in zip(counts, others, strict=True) for _ in range(n)] + [size] * (rest // size)
        key = (rest % size, sum((each - size) ** 2 for each in found))
        if best is None or key < best[0]:
            best = key, tuple(sorted(found, reverse=True))
    return best[1] if best else ()


def meetings(rounds: Iterable[Iterable[Table]]) -> Counter[tuple[int, int]]:
    """How often each two have met at the tables of these rounds."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def sitting_out(people: Sequence[int], number: int, byes: Mapping[int, int], chance: Random) -> tuple[int, ...]:
    """So many of these people who get a bye, in the order of `people`: those with the fewest `byes` so far, drawn at
    random among equals. So nobody sits out twice before everybody has once."""
    drawn = sorted(people, key=lambda person: (byes.get(person, 0), chance.random()))[:number]
    return tuple(person for person in people if person in drawn)


def by_rung(
    people: Sequence[int],
    size: int,
    chance: Random,
    *,
    allowed: Collection[int] = SIZES,
    byes: Mapping[int, int] | None = None,
) -> Seating:
    """Tables of neighbours: `people` are in the order of their rungs, the first at the first table."""
    return _seat(people, size, allowed, byes, chance, lambda seated, planned: _cut(seated, planned))


def at_random(
    people: Sequence[int],
    size: int,
    chance: Random,
    *,
    allowed: Collection[int] = SIZES,
    byes: Mapping[int, int] | None = None,
) -> Seating:
    """Tables drawn at random, each seating as likely as any other."""
    return _seat(people, size, allowed, byes, chance, lambda seated, planned: _cut(_shuffled(seated, chance), planned))


def unmet(
    people: Sequence[int],
    size: int,
    chance: Random,
    *,
    met: Met,
    allowed: Collection[int] = SIZES,
    byes: Mapping[int, int] | None = None,
) -> Seating:
    """Tables of people who have not met, or else as seldom as possible: see `cheapest`."""

    def cost(one: int, other: int) -> int:
        return met.get((min(one, other), max(one, other)), 0) ** 2

    return _seat(
        people,
        size,
        allowed,
        byes,
        chance,
        lambda seated, planned: cheapest(_shuffled(seated, chance), planned, cost, chance),
    )


def cheapest(people: Sequence[int], planned: Sequence[int], cost: Cost, chance: Random) -> tuple[Table, ...]:
    """The people at tables of the `planned` sizes so that the sum of the costs of all who sit together is small.

    To find the least is the social golfer problem, for which no fast way is known. This is its usual local search (Dotú
    and Van Hentenryck, "Scheduling social golfers locally", 2005) in its simplest form: from the order given, and from
    random ones, two people change places for as long as that makes it cheaper. It ends early at 0."""
    best: list[list[int]] = []
    least = -1
    for start in range(STARTS):
        tables = [list(table) for table in _cut(_shuffled(people, chance) if start else people, planned)]
        total = _descend(tables, cost)
        if least < 0 or total < least:
            best, least = tables, total
        if least == 0:
            break
    return tuple(tuple(table) for table in best)


def _descend(tables: list[list[int]], cost: Cost) -> int:
    """Exchanges people for as long as the sum gets less; the sum."""
    people = [person for table in tables for person in table]
    price = {one: {other: cost(one, other) for other in people if other != one} for one in people}

    def beside(person: int, table: list[int], instead_of: int) -> int:
        return sum(price[person][other] for other in table if other != instead_of)

    better = True
    while better:
        better = False
        for a, b in combinations(tables, 2):
            for i, j in product(range(len(a)), range(len(b))):
                one, other = a[i], b[j]
                before = beside(one, a, one) + beside(other, b, other)
                if before and beside(one, b, other) + beside(other, a, one) < before:
                    a[i], b[j] = other, one
                    better = True
    return sum(price[one][other] for table in tables for one, other in combinations(table, 2))


def _seat(
    people: Sequence[int],
    size: int,
    allowed: Collection[int],
    byes: Mapping[int, int] | None,
    chance: Random,
    arrange: Callable[[Sequence[int], Sequence[int]], tuple[Table, ...]],
) -> Seating:
    if len(set(people)) != len(people):
        raise ValueError("somebody is named twice")
    planned = sizes(len(people), size, allowed)
    out = sitting_out(people, len(people) - sum(planned), byes or {}, chance)
    return Seating(arrange([person for person in people if person not in out], planned), out)


def _shuffled(people: Sequence[int], chance: Random) -> list[int]:
    return chance.sample(people, len(people))


def _cut(people: Sequence[int], planned: Sequence[int]) -> tuple[Table, ...]:
    ends = [sum(planned[: i + 1]) for i in range(len(planned))]
    return tuple(tuple(people[end - size : end]) for end, size in zip(ends, planned, strict=True))
