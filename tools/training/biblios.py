"""Trains the values of Biblios: games against itself and against greedy, then two nets, each from one half of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple, Self

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
from tools.training.nets import QuickNets, fit, predicted

BIBLIOS = game_of("biblios", 1)
GREEDY = 0.25
"""The part of the seats that greedy has in games of the nets."""
BLUR = 0.03
"""The error that the nets' players make, so that games differ."""
OFTEN = 0.5
"""The part of the quiet moments of the gift phase that is learned from; of the auctions it is all, by all seats."""
LOOKING_AHEAD = 0.95
"""How much of what is learned from a moment comes from further on than the next moment of the same seat."""
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


class Moments(NamedTuple):
    """Moments of games, in order, as one seat saw each."""

    rows: Any
    """Their columns."""
    shares: Any
    """What part of the win each seat got in the end, from the one that looks on."""
    sides: Any
    """Which game it was, and which seat that looked on, as one number."""

    @classmethod
    def of(cls, parts: Sequence[Self]) -> Self:
        """All together."""
        return cls(*[np.concatenate(column) for column in zip(*parts, strict=True)])


def play(chunk: Chunk) -> tuple[list[list[int]], list[list[float]], list[int]]:
    """The moments of some games, with sides from 0 on."""
    rng = Random(chunk.seed)
    player: Bot = Learned(BLUR, value=QuickValue(chunk.nets)) if chunk.nets else wavering
    rows, shares, sides = [], [], []
    for game in range(chunk.games):
        state = BIBLIOS.start(chunk.seats, rng.randbytes(32))
        assert isinstance(state, Position)
        bots = [wavering if rng.random() < GREEDY else player for _ in range(chunk.seats)]
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
        places = state.places()
        won = [(place == 1) / places.count(1) for place in places]
        shares += [[won[(seat + i) % chunk.seats] for i in range(chunk.seats)] for seat in seen]
        sides += [game * chunk.seats + seat for seat in seen]
    return rows, shares, sides


def looking_ahead(moments: Moments, said: Any) -> Any:
    """By moment, what to learn: `said` of the next moments of the same side, each less than the one before, and the end
    (the λ-return: Sutton, “Learning to predict by the methods of temporal differences”, 1988)."""
    wanted = moments.shares.copy()
    following: dict[int, int] = {}
    for moment in range(len(wanted) - 1, -1, -1):
        later = following.get(moments.sides[moment])
        if later is not None:
            wanted[moment] = (1 - LOOKING_AHEAD) * said[later] + LOOKING_AHEAD * wanted[later]
        following[moments.sides[moment]] = moment
    return wanted


def train(seats: int, seed: int, games: int, rounds: int, processes: int, say: Callable[[str], Any]) -> None:
    """Play, learn, and play better; the weights of the last round are written. The same arguments, the same weights."""
    nets: list[Any] = []
    kept: list[Moments] = []
    with get_context("spawn").Pool(processes) as pool:
        for number in range(rounds):
            chunks = [Chunk(seats, CHUNK, f"{seed} {seats} {number} {i}", nets) for i in range(games // CHUNK)]
            for rows, shares, sides in pool.imap(play, chunks, 1):
                first = len(kept) * CHUNK * seats
                kept.append(
                    Moments(np.array(rows, dtype=np.int32), np.array(shares), np.array(sides, dtype=np.int64) + first)
                )
            moments = Moments.of(kept)
            halves = [moments.sides // seats % 2 == half for half in (0, 1)]
            nets = learned(moments, moments.shares, halves, seed)
            first_half, second_half = [predicted(net, moments.rows) for net in nets]
            said = np.where(halves[0][:, None], second_half, first_half)
            off = float(((said[:, 0] - moments.shares[:, 0]) ** 2).mean())
            nets = learned(moments, looking_ahead(moments, said), halves, seed)
            say(f"round {number}: {len(said)} moments; Brier {off:.4f}, of a constant {moments.shares[:, 0].var():.4f}")
            weights = {"seats": seats, "table": table(seats), "nets": nets}
            (WEIGHTS / f"{seats}.json").write_text(json.dumps(weights, separators=(",", ":")) + "\n")


def learned(moments: Moments, wanted: Any, halves: Sequence[Any], seed: int) -> list[Any]:
    """Two nets, each from one half of the games."""
    return [fit(moments.rows[half], wanted[half], seed + i) for i, half in enumerate(halves)]
