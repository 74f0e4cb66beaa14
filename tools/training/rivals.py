"""Trains what Biblios players expect of the others at an auction: who bids on, as a rival sees them."""

from __future__ import annotations

import json
from collections.abc import Callable
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple

import numpy as np

from games.engine.biblios.features import Forecast
from games.engine.biblios.greedy import choose_greedy
from games.engine.biblios.learned import Learned
from games.engine.biblios.notation import BID, PASS
from games.engine.biblios.rivals import Rivals, rivals_table
from games.engine.biblios.rules import Position
from games.engine.biblios.situation import situation
from games.engine.biblios.value import WEIGHTS
from games.engine.registry import game_of
from tools.training.biblios import BLUR, CHUNK
from tools.training.nets import brier, fit

BIBLIOS = game_of("biblios", 1)
GREEDY = 0.5
"""The part of the seats that greedy has; the others are the learned players."""
UNITS, EPOCHS, DECAY = 8, 12, 1e-4


class Chunk(NamedTuple):
    """Some games to play in one process."""

    seats: int
    games: int
    seed: str


def play(chunk: Chunk) -> tuple[list[list[int]], list[list[float]]]:
    """Columns, and whether there was a bid (1, 0) or a pass (0, 1), for each answer in the auctions of some games."""
    rng = Random(chunk.seed)
    learned = Learned(BLUR)
    rows, answers = [], []
    for _ in range(chunk.games):
        state = BIBLIOS.start(chunk.seats, rng.randbytes(32))
        assert isinstance(state, Position)
        bots = [choose_greedy if rng.random() < GREEDY else learned for _ in range(chunk.seats)]
        while not state.over:
            move = state.forced()
            if move is None:
                seat = state.seat
                move = bots[seat](state.view(seat), rng)
                if state.question == BID:
                    view = state.view((seat + 1 + rng.randrange(chunk.seats - 1)) % chunk.seats)
                    here = situation(view, quiet=False)
                    rivals = Rivals(view, here, Forecast(here))
                    rows.append(rivals.row((seat - view.me) % chunk.seats, state.high + 1))
                    answers.append([1.0, 0.0] if move > PASS else [0.0, 1.0])
            state.play(move)
    return rows, answers


def train(seats: int, seed: int, games: int, _rounds: int, processes: int, say: Callable[[str], Any]) -> None:
    """Play, and learn from nine games of ten; the tenth shows how good it is."""
    with get_context("spawn").Pool(processes) as pool:
        chunks = [Chunk(seats, CHUNK, f"{seed} rivals {seats} {i}") for i in range(games // CHUNK)]
        played = pool.map(play, chunks, 1)
    parts = [[np.array(part) for part in chunk] for chunk in played]
    learn, held = [
        [np.concatenate([chunk[part] for i, chunk in enumerate(parts) if (i % 10 == 9) is tenth]) for part in (0, 1)]
        for tenth in (False, True)
    ]
    net = fit(learn[0], learn[1], seed, UNITS, EPOCHS, DECAY)
    say(f"{len(learn[0])} answers; Brier {brier(net, *held):.4f}, of a constant {held[1][:, 0].var():.4f}")
    weights = {"table": rivals_table(), "net": net}
    (WEIGHTS / f"rivals{seats}.json").write_text(json.dumps(weights, separators=(",", ":")) + "\n")
