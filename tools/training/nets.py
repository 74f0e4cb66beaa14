"""Fits a small net to what games brought, with numpy; the weights are whole numbers, as bots reckon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

WEIGHT, UNIT, SCALE = 1 << 14, 1 << 12, 1 << 10
"""As the value of a title reckons."""
UNITS, DECAY, RATE, BATCH, EPOCHS = 16, 3e-3, 2e-3, 512, 8


def fit(rows: Any, targets: Any, seed: int, units: int = UNITS, epochs: int = EPOCHS, decay: float = DECAY) -> Any:
    """The weights of a net: softmax over seats, or one output against 0 where there are two."""
    rng = np.random.default_rng(seed)
    columns = rows.astype(np.float64) / SCALE
    mean, spread = columns.mean(0), columns.std(0) + 0.02
    x = (columns - mean) / spread
    outputs = 1 if targets.shape[1] == 2 else targets.shape[1]
    width = x.shape[1]
    parts = [
        rng.normal(0, 0.5 / np.sqrt(width), (width, units)),
        np.zeros(units),
        rng.normal(0, 0.1, (units, outputs)),
        np.zeros((width, outputs)),
        np.zeros(outputs),
    ]
    first, second = [np.zeros_like(p) for p in parts], [np.zeros_like(p) for p in parts]
    average = [np.zeros_like(p) for p in parts]
    step = kept = 0
    for epoch in range(epochs):
        order = rng.permutation(len(x))
        rate = RATE * (1 - epoch / epochs) + 1e-4
        for start in range(0, len(x) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            inputs, wanted = x[chosen], targets[chosen][:, :outputs] if outputs == 1 else targets[chosen]
            hidden = np.tanh(inputs @ parts[0] + parts[1])
            off = (shares_of(hidden @ parts[2] + inputs @ parts[3] + parts[4])[:, :outputs] - wanted) / BATCH
            back = off @ parts[2].T * (1 - hidden * hidden)
            slopes = [
                inputs.T @ back + decay * parts[0],
                back.sum(0),
                hidden.T @ off + decay * parts[2],
                inputs.T @ off + decay * parts[3],
                off.sum(0),
            ]
            step += 1
            for i, slope in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * slope
                second[i] = 0.999 * second[i] + 0.001 * slope * slope
                parts[i] -= rate * first[i] / (1 - 0.9**step) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
        if epoch >= epochs - 3:
            kept += 1
            average = [a + p for a, p in zip(average, parts, strict=True)]
    w1, b1, w2, direct, b2 = [a / kept for a in average]
    w1, direct = w1 / spread[:, None], direct / spread[:, None]
    b1, b2 = b1 - mean @ w1, b2 - mean @ direct
    return {
        "units": [[whole(b1[j] * WEIGHT * SCALE), *(whole(w * WEIGHT) for w in w1[:, j])] for j in range(units)],
        "outputs": [
            [
                whole(b2[k] * WEIGHT * SCALE),
                *(whole(w * UNIT) for w in w2[:, k]),
                *(whole(w * WEIGHT) for w in direct[:, k]),
            ]
            for k in range(outputs)
        ],
    }


def whole(number: float) -> int:
    """The nearest whole number."""
    return int(np.rint(number))


def shares_of(logits: Any) -> Any:
    """By seat; a single output is against 0."""
    if logits.shape[1] == 1:
        share = 1 / (1 + np.exp(-logits))
        return np.concatenate([share, 1 - share], 1)
    parts = np.exp(logits - logits.max(1, keepdims=True))
    return parts / parts.sum(1, keepdims=True)


def predicted(net: Any, rows: Any) -> Any:
    """What a net says of rows."""
    x = rows.astype(np.float64)
    units = np.array(net["units"], dtype=np.float64)
    outputs = np.array(net["outputs"], dtype=np.float64)
    number = len(units)
    width = x.shape[1] + 1
    units = units.reshape(-1, width)
    hidden = np.tanh((x @ units[:, 1:].T + units[:, 0]) / (WEIGHT * SCALE))
    logits = hidden @ outputs[:, 1 : 1 + number].T / UNIT
    logits = logits + (x @ outputs[:, 1 + number :].T + outputs[:, 0]) / (WEIGHT * SCALE)
    return shares_of(logits)


def brier(net: Any, rows: Any, targets: Any) -> float:
    """The mean squared error of the share of the one who looks: what a constant says is its variance."""
    return float(((predicted(net, rows)[:, 0] - targets[:, 0]) ** 2).mean())


class QuickNets:
    """Nets that reckon with numpy: in training several times as fast, and nearly the same."""

    def __init__(self, nets: Sequence[Any]) -> None:
        units = [np.array(net["units"], dtype=np.float64) for net in nets]
        outputs = [np.array(net["outputs"], dtype=np.float64) for net in nets]
        self.units = len(units[0]) * len(nets)
        self.each = len(outputs[0])
        width = len(units[0])
        first = [rows / (WEIGHT * SCALE) for rows in units]
        direct = [rows / (WEIGHT * SCALE) for rows in outputs]
        self.first = np.concatenate([rows[:, 1:] for rows in first] + [rows[:, 1 + width :] for rows in direct])
        self.bias = np.concatenate([rows[:, 0] for rows in first] + [rows[:, 0] for rows in direct])
        self.second = np.zeros((self.each * len(nets), self.units))
        for i, rows in enumerate(outputs):
            here = slice(i * self.each, (i + 1) * self.each)
            self.second[here, i * width : (i + 1) * width] = rows[:, 1 : 1 + width] / UNIT

    def worth(self, row: Sequence[int]) -> float:
        """The share of the one who looks: the mean of the nets."""
        said = self.first @ np.array(row, dtype=np.float64) + self.bias
        logits = said[self.units :] + self.second @ np.tanh(said[: self.units])
        return float(shares_of(logits.reshape(-1, self.each))[:, 0].mean())
