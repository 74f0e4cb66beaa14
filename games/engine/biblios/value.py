"""What part of the win each seat may expect: two small nets for each number of players, learned apart from self-play.

The nets reckon in whole numbers, so that the same view has the same value on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, tanh
from operator import mul
from pathlib import Path
from typing import Any

from games.engine.biblios.features import SCALE, columns, table
from games.engine.biblios.situation import SeatSituation
from games.engine.core import RulesError

WEIGHT, UNIT = 1 << 14, 1 << 12
"""What stands for 1 in the weights of columns, and in what a unit says and the weights of that."""
ONE = WEIGHT * SCALE
assert ONE == UNIT * UNIT
_FINE = 13
"""A step of the table of tanh is 2 to this power in the units of ONE: 1/2048."""
_FAR = 8 * ONE >> _FINE
_TANH = [round(tanh((i << _FINE) / ONE) * UNIT) for i in range(-_FAR, _FAR + 1)]
_WHOLE = [round(exp(-i) * (1 << 30)) for i in range(32)]
_PARTS = [round(exp(-i / UNIT) * (1 << 30)) for i in range(UNIT)]

WEIGHTS = Path(__file__).parent / "weights"


class BadWeights(RulesError):
    """Weights that do not fit the columns."""


class Net:
    """One layer of tanh units, and what the columns say directly."""

    def __init__(self, seats: int, weights: Mapping[str, Any]) -> None:
        self.seats = seats
        self.units: list[tuple[list[int], int]] = [(unit[1:], unit[0]) for unit in weights["units"]]
        self.outputs: list[tuple[list[int], list[int], int]] = [
            (output[1 : 1 + len(self.units)], output[1 + len(self.units) :], output[0]) for output in weights["outputs"]
        ]

    def shares(self, row: Sequence[int]) -> tuple[float, ...]:
        """By seat, from the one that looks; they add up to 1."""
        said = []
        for weights, bias in self.units:
            step = (sum(map(mul, weights, row)) + bias >> _FINE) + _FAR
            said.append(_TANH[0 if step < 0 else step if step <= 2 * _FAR else 2 * _FAR])
        logits = [
            sum(map(mul, units, said)) + sum(map(mul, direct, row)) + bias for units, direct, bias in self.outputs
        ]
        if self.seats == 2:
            logits.append(0)
        high = max(logits)
        parts = []
        for logit in logits:
            less = high - logit >> 12
            whole = less >> 12
            parts.append(_WHOLE[whole] * _PARTS[less & UNIT - 1] if whole < 32 else 0)
        sum_ = sum(parts)
        return tuple([part / sum_ for part in parts])


class Value:
    """The two nets for a number of players."""

    def __init__(self, weights: Mapping[str, Any]) -> None:
        seats: int = weights["seats"]
        if weights["table"] != table(seats):
            raise BadWeights(f"the weights for {seats} players were learned from other columns: train them again")
        self.seats = seats
        self.version = hashlib.sha256(json.dumps(weights["nets"]).encode()).hexdigest()[:12]
        """Names the weights."""
        self.nets = [Net(seats, net) for net in weights["nets"]]

    def shares(self, situation: SeatSituation) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """By each net, the shares by seat from the one that looks."""
        row = columns(situation)
        first, second = self.nets
        return first.shares(row), second.shares(row)

    def worth(self, situation: SeatSituation) -> float:
        """The part of the win of the one who looks: the mean of the two nets."""
        first, second = self.shares(situation)
        return (first[0] + second[0]) / 2


@cache
def value_for(seats: int) -> Value:
    """The value for a number of players. Raises BadWeights."""
    return Value(json.loads((WEIGHTS / f"{seats}.json").read_text()))
