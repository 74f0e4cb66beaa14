"""Bots choose a move from a View, and see nothing else; each game names its own under `Game.bots`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.engine.core import Bot, Game, Move, State, View


def choose(kind: type[Game], name: str, view: View, seed: int) -> Move:
    """The answer of the bot with this name, for other processes: nothing that is passed is large."""
    return kind.bots[name](view, Random(seed))


def choose_random(view: View, rng: Random) -> Move:
    """Any legal move, each equally likely."""
    return view.legal[int(rng.random() * len(view.legal))]


def play_out(state: State, bots: Sequence[Bot], rng: Random) -> list[Move]:
    """Play `state` to its end in place, one bot for each seat; forced moves are made at once. Returns the moves."""
    moves = []
    while not state.over:
        move = state.forced()
        if move is None:
            seat = state.seat
            assert seat is not None
            move = bots[seat](state.view(seat), rng)
        state.play(move)
        moves.append(move)
    return moves


def random_playout(state: State, rng: Random) -> None:
    """Play `state` to its end in place with random moves; faster than a bot, because it builds no views."""
    legal, play, random = state.legal, state.play, rng.random
    while answers := legal():
        play(answers[int(random() * len(answers))])
