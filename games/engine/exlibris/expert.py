"""What judges decisions of Ex Libris."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from random import Random

from games.engine.core import Expert, Move, Reason, Seat, State, View
from games.engine.exlibris.frames import MAY_SHELVE, PLACE, TURN
from games.engine.exlibris.librarian import choose_librarian
from games.engine.exlibris.model import PATH, mean, models
from games.engine.exlibris.outcome import outcomes
from games.engine.exlibris.planner import UNTRIED, tried
from games.engine.exlibris.reasons import reason_of
from games.engine.exlibris.rules import Position
from games.engine.exlibris.settling import settle
from games.engine.exlibris.view import ExLibrisView

METHOD = 2
"""Another way of looking on, another number."""
ALONE = UNTRIED | {PLACE, MAY_SHELVE}
"""Questions to which only the librarian's answer is held against another one: played on to the end, it was better than
the answer that the values preferred. So a loss is named where both agree. In the last round no values are needed."""
MOST = 6
"""Answers that are worth comparing."""


class ExLibrisExpert(Expert):
    """Values of shelf, hand and time, and the librarian to see what an answer brings."""

    def __init__(self, seats: int) -> None:
        self.models = models(seats)
        self.mean = mean(seats)
        self.version = f"exlibris {METHOD}.{_weights()} {seats}"

    def candidates(self, view: View) -> tuple[Move, ...]:
        """Those that promise most on one deal of the hidden cards; to some questions only the librarian's."""
        assert isinstance(view, ExLibrisView)
        if view.question == TURN:
            return view.legal
        if view.question in (UNTRIED if view.last else ALONE):
            return (choose_librarian(view, Random(0)),)
        values = tried(view, view.legal, (0, 0) if view.last else (0,), Random(0))
        return tuple(sorted(values, key=lambda move: -values[move])[:MOST])

    def settle(self, state: State, seat: Seat, rng: Random) -> None:
        assert isinstance(state, Position)
        settle(state, seat, rng)

    def shares(self, view: View, since: View | None = None) -> tuple[tuple[float, ...], tuple[float, ...]]:
        assert isinstance(view, ExLibrisView)
        first, second = self.models
        return first.shares(view), second.shares(view)

    def reason(self, view: View, better: Move, made: Move) -> Reason:
        assert isinstance(view, ExLibrisView)
        one, two = outcomes(view, (better, made), self.mean)
        return reason_of(view, better, made, (one, two))


@cache
def _weights() -> str:
    return sha256(PATH.read_bytes()).hexdigest()[:12]
