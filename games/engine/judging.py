"""Whole games for those who judge their decisions: what `verdicts` needs, from the start and the moves of a game.

What a child process is asked for are functions here, and all that they take and return is plain: the child knows the
rules and the experts, and nothing of a site.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from games.engine.core import Expert, Game, Move, RulesError, Seat, State
from games.engine.verdicts import (
    WHOLE,
    Band,
    CannotBeDealt,
    DecisionVerdict,
    own_band,
    public_bands,
    verdict,
    version_of,
)

POINTS = 24
"""So many positions of a game, about, stand for its course."""


T = TypeVar("T")


class OtherExpert(Exception):
    """What was to judge is not what there is."""


class Case(NamedTuple):
    """A game that has ended, whose decisions are judged."""

    game: Game
    expert: Expert
    start: State
    moves: Sequence[Move]
    key: str
    """Names it: `verdicts.seed_of`."""

    def positions(self, numbers: Iterable[int]) -> Iterator[tuple[int, State]]:
        """The positions after so many moves, ascending; each holds until the next one."""
        state, at = self.start.copy(), 0
        for number in sorted(numbers):
            for move in self.moves[at:number]:
                state.play(move)
            at = number
            yield number, state

    def verdicts(self, numbers: Iterable[int]) -> Iterator[DecisionVerdict]:
        """What is said of the decisions after so many moves each, but for those where what their player knew agrees
        with no deal."""
        for number, state in self.positions(numbers):
            with suppress(CannotBeDealt):
                yield verdict(self.game, self.expert, state.view(state.seat), self.moves[number], self.key, number)


def is_decision(state: State) -> bool:
    """Whether there is something to decide."""
    return state.forced() is None and len(state.legal()) > 1


class PlainGame(NamedTuple):
    """What another process is told of a game."""

    game: Game
    start: State
    moves: Sequence[str]
    key: str
    version: str
    """By what it is to be judged."""

    @property
    def case(self) -> Case:
        """The game. Raises RulesError where its moves contradict the rules, OtherExpert."""
        seats = len(self.start.scores())
        expert = self.game.expert(seats, self.start.options)
        if expert is None or version_of(expert) != self.version:
            raise OtherExpert
        self.game.replay(self.start, self.moves)
        return Case(self.game, expert, self.start, [self.game.move(text) for text in self.moves], self.key)


def tried(work: Callable[..., T], *arguments: Any) -> T | RulesError | OtherExpert:
    """What one of the functions below returns, or raises."""
    try:
        return work(*arguments)
    except (RulesError, OtherExpert) as error:
        return error


def decisions(asked: PlainGame) -> list[int]:
    """The numbers of moves before those that were decisions."""
    case = asked.case
    return [number for number, state in case.positions(range(len(case.moves))) if is_decision(state)]


def judged(asked: PlainGame, numbers: Sequence[int]) -> list[DecisionVerdict]:
    """The verdicts on these decisions."""
    return list(asked.case.verdicts(numbers))


class Courses(NamedTuple):
    """How the shares of a game went."""

    numbers: list[int]
    """The positions: so many moves before each."""
    public: list[list[Band]]
    """At each, by seat, what everybody could expect of it."""
    own: dict[Seat, list[Band]]
    """By seat, what its player could expect of it."""


def courses(asked: PlainGame, seats: Sequence[Seat]) -> Courses:
    """How the shares went, for everybody and for the players of these seats."""
    return courses_of(asked.case, seats)


def courses_of(case: Case, seats: Sequence[Seat]) -> Courses:
    """How the shares went, for everybody and for the players of these seats."""
    last = len(case.moves)
    step = max(1, -(-last // POINTS))
    found = Courses(sorted({*range(0, last, step), last}), [], {seat: [] for seat in seats})
    for number, state in case.positions(found.numbers):
        try:
            public = public_bands(case.game, case.expert, state.view(None), case.key, number)
        except CannotBeDealt:
            public = [Band(0, WHOLE) for _ in state.scores()]  # anything
        found.public.append(public)
        for seat in seats:
            found.own[seat].append(own_band(case.expert, state.view(seat)))
    return found
