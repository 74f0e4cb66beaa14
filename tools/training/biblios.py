"""Trains the values of Biblios: games against itself and against greedy, then two nets, each from one half of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple

import numpy as np

from games.engine.biblios.features import columns, table
from games.engine.biblios.greedy import choose_greedy
from games.engine.biblios.learned import Learned
from games.engine.biblios.notation import BID, PLACE, TAKE_GIFT
from games.engine.biblios.rules import Position
from games.engine.biblios.situation import SeatSituation, situation
from games.engine.biblios.value import WEIGHTS
from games.engine.biblios.view import BibliosView
from games.engine.core import Bot, Move, Seat, View
from games.engine.registry import game_of
from tools.training.nets import QuickNets, brier, fit

BIBLIOS = game_of("biblios", 1)
GREEDY = 0.25
"""The part of the seats that greedy has in games of the nets."""
BLUR = 0.03
"""The error that the nets' players make, so that games differ."""
OFTEN = 0.5
"""The part of the quiet moments of the gift phase that is learned from; of the auctions it is all, by all seats."""
CHUNK = 50


class QuickValue:
    """A value as `Learned` asks for it, by numpy."""

    def __init__(self, nets: Sequence[Any]) -> None:
        self.nets = QuickNets(nets)

    def worth(self, of: SeatSituation) -> float:
        """The share of the one who looks."""
        return self.nets.worth(columns(of))


class Chunk(NamedTuple):
    """Some games to play in one process."""

    seats: int
    games: int
    seed: str
    nets: Sequence[Any]


def wavering(view: View, rng: Random) -> Move:
    """Greedy, with places and gifts at random now and then."""
    assert isinstance(view, BibliosView)
    if view.question in (PLACE, TAKE_GIFT) and rng.random() < 0.1:
        return rng.choice(view.legal)
    return choose_greedy(view, rng)


def is_quiet(state: Position) -> bool:
    """Whether nothing is half done."""
    return state.question in (PLACE, TAKE_GIFT) or (
        state.question == BID and not state.high and state.out == state.banned
    )


def play(chunk: Chunk) -> tuple[list[list[int]], list[list[float]], list[int]]:
    """Columns, shares of the win from the seat that looks on, and the game, for moments of some games."""
    rng = Random(chunk.seed)
    learned: Bot = Learned(BLUR, value=QuickValue(chunk.nets)) if chunk.nets else wavering
    rows, shares, games = [], [], []
    for game in range(chunk.games):
        state = BIBLIOS.start(chunk.seats, rng.randbytes(32))
        assert isinstance(state, Position)
        bots = [wavering if rng.random() < GREEDY else learned for _ in range(chunk.seats)]
        seen: list[Seat] = []
        while not state.over:
            move = state.forced()
            state.play(bots[state.seat](state.view(state.seat), rng) if move is None else move)
            if state.over or not is_quiet(state):
                continue
            if state.pile:
                looking = list(range(chunk.seats))
            else:
                looking = [rng.randrange(chunk.seats)] if rng.random() < OFTEN else []
            for seat in looking:
                seen.append(seat)
                rows.append(columns(situation(state.view(seat))))
                games.append(game)
        places = state.places()
        won = [(place == 1) / places.count(1) for place in places]
        shares += [[won[(seat + i) % chunk.seats] for i in range(chunk.seats)] for seat in seen]
    return rows, shares, games


def train(seats: int, seed: int, games: int, rounds: int, processes: int, say: Callable[[str], Any]) -> None:
    """Play, learn, and play better; the weights of the last round are written. The same arguments, the same weights."""
    nets: list[Any] = []
    kept: list[tuple[Any, Any, Any]] = []
    with get_context("spawn").Pool(processes) as pool:
        for number in range(rounds):
            chunks = [Chunk(seats, CHUNK, f"{seed} {seats} {number} {i}", nets) for i in range(games // CHUNK)]
            played = pool.map(play, chunks, 1)
            kept.append(
                (
                    np.array([row for rows, _, _ in played for row in rows], dtype=np.int32),
                    np.array([share for _, shares, _ in played for share in shares]),
                    np.array([game + CHUNK * i for i, (_, _, of) in enumerate(played) for game in of]),
                )
            )
            rows, shares, of = (np.concatenate(parts) for parts in zip(*kept, strict=True))
            halves = [of % 2 == half for half in (0, 1)]
            nets = [fit(rows[half], shares[half], seed + i) for i, half in enumerate(halves)]
            found = [f"{brier(net, rows[~half], shares[~half]):.4f}" for net, half in zip(nets, halves, strict=True)]
            say(f"round {number}: {len(rows)} moments; Brier {' '.join(found)}, of a constant {shares[:, 0].var():.4f}")
            weights = {"seats": seats, "table": table(seats), "nets": nets}
            (WEIGHTS / f"{seats}.json").write_text(json.dumps(weights, separators=(",", ":")) + "\n")
