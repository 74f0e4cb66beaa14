"""Bots that look ahead: they try each answer on cards that may be so, play on as the librarian does until it shows
what came of it, and value that.

The levels differ in how often they try, and in how well they can tell values apart. All is counted in tries, never in
time: the same view and the same chance give the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from games.engine.core import Bot, Move, Seat, View
from games.engine.exlibris.frames import CHOOSE_LIBRARY, DROP_TILE, PEEK, TURN
from games.engine.exlibris.librarian import choose_librarian
from games.engine.exlibris.model import Model, chances, mean
from games.engine.exlibris.rules import Position
from games.engine.exlibris.sample import sampler_of
from games.engine.exlibris.settling import settle
from games.engine.exlibris.view import ExLibrisView

UNTRIED = frozenset((CHOOSE_LIBRARY, DROP_TILE, PEEK, TURN))
"""Questions that the librarian answers: what comes of these no value can see."""


VALUED = range(1, 3)
"""The numbers of players with which the values were compared with games played on. With more, the librarian answers
until the last round, which needs no values."""


class Planning(NamedTuple):
    """How well a bot plans."""

    tries: tuple[int, ...]
    """How many answers each further deal of the hidden cards is tried for, the most promising ones; 0: all."""
    last_tries: tuple[int, ...]
    """The same in the last round."""
    blur: float = 0.0
    """How far it misjudges what an answer is worth, in parts of the win: the spread."""
    trust: float = 0.02
    """By how much another answer must promise more than that of the librarian, who knows things that no value sees."""


CLOSE = 3.0
"""At the end of a game tried, the points that are worth a factor of e: by how much it was won or lost says more about
an answer than that it was."""

FAIR = Planning((0,), (0,), blur=0.1)
GOOD = Planning((0,), (0,), blur=0.03)
STRONG = Planning((0, 0, 5, 5), (0, 5, 5, 3, 3, 3, 3))


def planner(level: Planning) -> Bot:
    """The bot of a level."""

    def choose(view: View, rng: Random) -> Move:
        assert isinstance(view, ExLibrisView)
        known = view.last or view.setup.seats in VALUED
        if len(view.legal) == 1 or view.question in UNTRIED or not known:
            return choose_librarian(view, rng)
        return best(view, level, rng)

    return choose


def best(view: ExLibrisView, level: Planning, rng: Random) -> Move:
    """The answer that promises most."""
    usual = choose_librarian(view, rng)
    values = tried(view, view.legal, level.last_tries if view.last else level.tries, rng, usual)
    if level.blur:
        values = {move: value + rng.gauss(0, level.blur) for move, value in values.items()}
    values[usual] += level.trust
    return max(values, key=lambda move: values[move])


def tried(
    view: ExLibrisView, moves: Sequence[Move], tries: Sequence[int], rng: Random, usual: Move | None = None
) -> dict[Move, float]:
    """What part of the win each of these answers promises on the average; of those tried most often, and `usual`."""
    assert view.me is not None
    me, sampler, model = view.me, sampler_of(view), mean(view.setup.seats)
    left, totals = list(moves), dict.fromkeys(moves, 0.0)
    for number in tries:
        if number:
            left = sorted(left, key=lambda move: (move != usual, -totals[move]))[:number]
        start, seed = sampler.draw(rng), rng.getrandbits(64)
        for move in left:
            state = start.copy()
            state.play(move)
            settle(state, me, Random(seed))
            totals[move] += _share(state, me, model)
    return {move: totals[move] / len(tries) for move in left}


def _share(state: Position, seat: Seat, model: Model) -> float:
    """What part of the win a seat may expect; at the end by how close it was."""
    if state.stack:
        return model.shares(state.view(seat))[seat]
    return chances([score.points for score in state.score()], (CLOSE, 0.0), 0.0)[seat]
