"""How strong a bot is: it plays each deal in every seat in turn, against another bot in all other seats.

The same seed gives the same games, so two bots can be measured on the same deals; but for the times nothing else has a
part in the numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from games.engine.bots import play_out
from games.engine.core import Bot, Game, Move, Seat, State, View

SURE = 1.96
"""Standard errors on either side of a mean, between which the truth is in 95 of 100 cases."""

Clock = Callable[[], int]
"""Nanoseconds since any moment."""


class Bout(NamedTuple):
    """One deal, played once with the bot in every seat."""

    share: float
    """The part of the games that it won; of a shared win its part."""
    times: tuple[list[int], list[int]]
    """The nanoseconds of each decision of the bot, and of the one that it met."""


class Strength(NamedTuple):
    """What many deals say."""

    share: float
    either_side: float
    """Half the width of the interval, by the deals, in which the true share is in 95 of 100 cases."""
    games: int


class Speed(NamedTuple):
    """How long decisions take, in milliseconds."""

    mean: float
    slow: float
    """99 of 100 take no longer."""


def bout(
    game: Game, seats: int, options: Mapping[str, Any], names: tuple[str, str], seed: str, number: int, clock: Clock
) -> Bout:
    """The deal of this number, of the bot `names[0]` against `names[1]`; alone at the table there is no other."""
    times: tuple[list[int], list[int]] = [], []
    bot, other = (_timed(game.bots[name], kept, clock) for name, kept in zip(names, times, strict=True))
    shares = []
    for seat in range(seats):
        name = f"{seed}/{number}".encode("utf-8", "surrogateescape")
        state = game.start(seats, hashlib.sha256(name).digest(), options)
        play_out(state, [bot if at == seat else other for at in range(seats)], Random(name + b"/%d" % seat))
        shares.append(share(game, state, seat))
    return Bout(fmean(shares), times)


def share(game: Game, state: State, seat: Seat) -> float:
    """The part of a win that a seat has at the end of a game."""
    winners = game.result(state)["winners"]
    return winners.count(seat) / len(winners) if winners else 0.0


def strength(bouts: Sequence[Bout], seats: int) -> Strength:
    """The strength that at least two bouts tell."""
    shares = [each.share for each in bouts]
    return Strength(fmean(shares), SURE * stdev(shares) / sqrt(len(shares)), len(shares) * seats)


def speed(times: Sequence[int]) -> Speed:
    """How long these decisions took, of which there is at least one."""
    return Speed(fmean(times) / 1e6, sorted(times)[(len(times) - 1) * 99 // 100] / 1e6)


def _timed(choose: Bot, times: list[int], clock: Clock) -> Bot:
    def chosen(view: View, rng: Random) -> Move:
        began = clock()
        move = choose(view, rng)
        times.append(clock() - began)
        return move

    return chosen
