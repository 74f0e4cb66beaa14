"""Which dice a Church card may move (rules: Church cards).

A die moves by 1 and stays within 1 to 6. A two-dice card moves two different dice, both in its direction, or is
declined; the second die is asked for after the first, in Scriptorium order.
"""

from __future__ import annotations

from functools import cache

from games.engine.biblios.cards import ONE_DOWN, ONE_UP, TWO_DOWN, TWO_UP, UP_OR_DOWN
from games.engine.biblios.notation import DOWN, NO_DIE, UP
from games.engine.core import Move


def moves_two(church: int, both_ways: bool) -> bool:
    """Whether a kind of Church card moves two dice; `both_ways` is the option `dual_church=both`."""
    return church in (TWO_UP, TWO_DOWN) or (church == UP_OR_DOWN and both_ways)


@cache
def first_die(church: int, dice: tuple[int, ...], both_ways: bool) -> tuple[Move, ...]:
    """The answers to "which die?" for a kind of Church card; declining is always one of them (rules: Church cards)."""
    up = [category for category in range(5) if dice[category] < 6]
    down = [category for category in range(5) if dice[category] > 1]
    if church == TWO_UP:
        up, down = up[:-1], []  # the second die comes after the first in Scriptorium order
    elif church == TWO_DOWN:
        up, down = [], down[:-1]
    elif church == ONE_UP:
        down = []
    elif church == ONE_DOWN:
        up = []
    elif both_ways:
        up, down = [category for category in up if set(down) - {category}], []
    return (NO_DIE, *(UP + category for category in up), *(DOWN + category for category in down))


@cache
def second_die(church: int, dice: tuple[int, ...], first: int) -> tuple[Move, ...]:
    """The answers to "which other die?", after the die of category `first`; it can no longer be declined."""
    if church == TWO_UP:
        return tuple(UP + category for category in range(first + 1, 5) if dice[category] < 6)
    if church == TWO_DOWN:
        return tuple(DOWN + category for category in range(first + 1, 5) if dice[category] > 1)
    return tuple(DOWN + category for category in range(5) if category != first and dice[category] > 1)
