"""Whether Swiss rounds hold what they promise: tournaments made up at random, each round compared with all there are.

The check shares nothing with the pairing but the promises: it goes through the possible pairings one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from games.tournaments.pairing import swiss
from games.tournaments.pairing.groups import Met, Seating, meetings

FEW = 8
"""Up to so many people all pairings are compared; with more, only whether nobody need have met again."""


class BrokenPromise(Exception):
    """A round of which something is wrong."""


def check_tournament(chance: Random, most: int = 24) -> Counter[str]:
    """Play a random Swiss tournament, with shared places, people who leave and who come late, and check each round.
    Returns what happened: the numbers of rounds, pairs, byes, repeats. Raises BrokenPromise."""
    everybody = list(range(chance.randint(1, most)))
    there = everybody[: chance.randint(1, len(everybody))]
    strength = {person: chance.random() for person in everybody}
    points, byes = dict.fromkeys(everybody, 0), Counter[int]()
    met, told = Counter[tuple[int, int]](), Counter[str]()
    for _number in range(chance.randint(1, len(everybody) + 2)):
        order = sorted(there, key=lambda person: (-points[person], person))
        seating = swiss.pair(order, points, met, byes)
        check_round(order, points, met, byes, seating)
        told.update(rounds=1, pairs=len(seating.tables), byes=len(seating.byes))
        told["repeats"] += sum(met[min(pair), max(pair)] > 0 for pair in seating.tables)
        for a, b in seating.tables:
            won = chance.choice((1, 1, 1, 1, 0)) if strength[a] > strength[b] else chance.choice((1, 1, -1, -1, -1))
            points[a] += 1 + won
            points[b] += 1 - won
        for person in seating.byes:
            points[person] += 2
        byes.update(seating.byes)
        met.update(meetings([seating.tables]))
        there = [person for person in there if chance.random() > 0.03]
        there += [person for person in everybody if person not in there and chance.random() < 0.05]
    return told


def check_round(
    order: Sequence[int], points: Mapping[int, int], met: Met, byes: Mapping[int, int], seating: Seating
) -> None:
    """Check one round of pairs against the promises of `games.tournaments.pairing.swiss`."""
    seated = [person for table in seating.tables for person in table]
    if sorted([*seated, *seating.byes]) != sorted(order):
        raise BrokenPromise(f"not everybody has one seat or a bye: {seating}, of {order}")
    if len(seating.byes) != len(order) % 2:
        raise BrokenPromise(f"{len(seating.byes)} have a bye, of {len(order)}")
    few = min((byes.get(person, 0) for person in order), default=0)
    if any(byes.get(person, 0) > few for person in seating.byes):
        raise BrokenPromise(f"a bye more than others have had: {seating.byes}")
    rest = [person for person in order if byes.get(person, 0) == few] if len(order) % 2 else [None]
    own = _cost(seating, order, points, met)
    if len(order) <= FEW:
        least = min(
            (
                _cost(Seating(pairs, () if bye is None else (bye,)), order, points, met)
                for bye in rest
                for pairs in _all([person for person in order if person != bye])
            ),
        )
        if own != least:
            raise BrokenPromise(f"repeats and differences are {own}, and could be {least}: {seating}")
    elif own[0] and any(_without_repeat([person for person in order if person != bye], met, [5_000]) for bye in rest):
        raise BrokenPromise(f"some meet again who need not: {seating}")


def _cost(seating: Seating, order: Sequence[int], points: Mapping[int, int], met: Met) -> tuple[int, int]:
    """What is to be least: the repeats, then the differences."""
    last = min((points[person] for person in order), default=0)
    return (
        sum(met.get((min(pair), max(pair)), 0) ** 2 for pair in seating.tables),
        sum((points[a] - points[b]) ** 2 for a, b in seating.tables)
        + sum((points[person] - last) ** 2 for person in seating.byes),
    )


def _all(people: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to make pairs of an even number of people."""
    if not people:
        yield ()
        return
    first, *others = people
    for other in others:
        for pairs in _all([person for person in others if person != other]):
            yield ((first, other), *pairs)


def _without_repeat(people: Sequence[int], met: Met, tries: list[int]) -> bool:
    """Whether a pairing without repeats is found in so many tries."""
    if not people:
        return True
    tries[0] -= 1
    if tries[0] < 0:
        return False
    partners = {
        person: [other for other in people if other != person and not met.get((min(person, other), max(person, other)))]
        for person in people
    }
    first = min(people, key=lambda person: len(partners[person]))
    return any(
        _without_repeat([person for person in people if person not in (first, other)], met, tries)
        for other in partners[first]
    )
