"""What chance has done to each seat of a game that is over.

Each time something comes by chance, it is valued, and so is all else that was as likely. The luck of a seat is what
came less the mean of all that could have come, added up over the game. Whatever the way of valuing is, as long as it is
the same for all and follows from what had happened by then, that has the mean zero: nobody is lucky in the long run.

It looks at whole positions, so never ask it of a game that somebody still plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from games.engine.core import Chance, Seat
from games.engine.judging import Case, PlainGame
from games.engine.verdicts import WHOLE, Measured


def luck(asked: PlainGame) -> list[Measured]:
    """By seat, what chance has brought, with its standard error; empty where nothing says it."""
    return luck_of(asked.case)


def favoured(luck: Sequence[Measured]) -> Seat | None:
    """The seat that chance has favoured beyond twice the error; None if nobody can tell."""
    best = max(range(len(luck)), key=lambda seat: luck[seat].mean, default=None)
    return None if best is None or luck[best].mean <= 2 * luck[best].error else best


def luck_of(case: Case) -> list[Measured]:
    """The same of a case.

    Half the difference between the two values is the error of their mean, as far as they err apart: so much at each
    chance, and apart from one to the next, makes the error.
    """
    # What lies there where a game is played on from another one has come in that one.
    numbers = range(0 if _begins_with_its_deal(case) else 1, len(case.moves))
    chances = [found for _, state in case.positions(numbers) if (found := case.expert.chances(state))]
    return [_added(seat) for seat in zip(*map(gains, chances), strict=True)]


def _begins_with_its_deal(case: Case) -> bool:
    start = case.start
    first = case.game.begin(len(start.scores()), start.options, start.deal)
    return first.view(first.seat) == start.view(start.seat)


def gains(chances: Sequence[Chance]) -> list[tuple[float, float]]:
    """By seat and by each value, what has come, the first of these, less the mean of all that could have."""
    ways = sum(chance.ways for chance in chances)

    def gain(value: int, seat: int) -> float:
        return chances[0].worth[value][seat] - sum(it.ways * it.worth[value][seat] for it in chances) / ways

    return [(gain(0, seat), gain(1, seat)) for seat in range(len(chances[0].worth[0]))]


def _added(found: Sequence[tuple[float, float]]) -> Measured:
    """The luck of a seat."""
    mean = sum(first + second for first, second in found) / 2
    error = sqrt(sum((first - second) ** 2 for first, second in found)) / 2
    return Measured(round(WHOLE * mean), round(WHOLE * error))
