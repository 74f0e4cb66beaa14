"""What a strong player would answer to a question, and why, from what one seat sees."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import NamedTuple

from games.engine.core import Game, Reason, View

ADVISER = "strong"
"""The bot that gives hints, with the numbers of players at which it is as good as its name says."""


class AdvisedMove(NamedTuple):
    """One move of an answer, and what the seat sees before it."""

    view: View
    move: str


class Hint(NamedTuple):
    """An answer, and why it is better than another one."""

    moves: tuple[AdvisedMove, ...]
    """All moves of the answer, such as the cards of one payment."""
    instead: str
    """The next best move at first sight in place of the first one; empty if nothing judges this table, or none comes
    near."""
    reason: Reason | None


def able(game: Game, seats: int) -> bool:
    """Whether there are hints at tables of this many players."""
    return ADVISER in game.bots and seats in game.level_seats


def hint(kind: type[Game], view: View, seats: int, key: str, ply: int) -> Hint:
    """The hint for the seat that is asked, by its view alone; `key` and `ply` name the question, so that it has the
    same hint whenever somebody asks. For other processes: nothing that is passed is large."""
    game, choose = kind(), kind.bots[ADVISER]
    rng = Random(sha256(f"hint {key} {ply}".encode()).digest())
    first = choose(view, rng)
    moves = [AdvisedMove(view, game.text(first))]
    # Nothing hidden comes up within one answer: any deal of the hidden cards shows how its questions go on.
    state = game.sample(view, rng)
    state.play(first)
    while state.same_answer and state.forced() is None:
        further = state.view(view.me)
        move = choose(further, rng)
        moves.append(AdvisedMove(further, game.text(move)))
        state.play(move)
    expert = game.expert(seats, state.options)
    other = next((move for move in expert.candidates(view) if move != first), None) if expert else None
    if expert is None or other is None:
        return Hint(tuple(moves), "", None)
    return Hint(tuple(moves), game.text(other), expert.reason(view, first, other))
