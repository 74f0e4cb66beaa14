"""Round robins for two: Berger tables, in which everybody meets everybody once. Pure."""

from __future__ import annotations

Pair = tuple[int, int]


def rounds(people: int) -> tuple[tuple[Pair, ...], ...]:
    """The rounds for the numbers 0 to people - 1; in each of them everybody plays once, but for one if they are odd.

    As in the FIDE Handbook, C.05, Annex 1: from round to round everybody but the last moves on by half the people, and
    the last changes sides. The first of a pair is who begins there.
    """
    even = people + people % 2
    if even < 2:
        return ()
    last, found = even - 1, []
    for number in range(last):
        ring = [(seat + number * (even // 2)) % last for seat in range(last)]
        top = (last, ring[0]) if number % 2 else (ring[0], last)
        pairs = [top, *((ring[seat], ring[last - seat]) for seat in range(1, even // 2))]
        found.append(tuple(pair for pair in pairs if people not in pair))
    return tuple(found)
