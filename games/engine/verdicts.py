"""What a decision was worth by what its player knew, and what another answer would have been worth.

Positions are drawn that the player could not tell from the real one. In each of them the answers are played, and the
same goes on after all of them: so two answers differ by nothing but themselves. The futures that choose the better
answer are not those that value it, or the loss would be overstated; and only what two values that were learned apart
say beyond their noise is called clear.

Everything follows from the view, the answer, and a text that names the decision: anybody gets the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from games.engine.core import Expert, Game, Move, Reason, RulesError, Seat, State, View

METHOD = 2
"""Other numbers from the same expert, another method."""
SAMPLES = 48
"""So many futures are looked at where an answer seems to lose something; a quarter of them where none does."""
FEWEST = 3
"""So many answers go on after that quarter."""
CLEAR_FROM = 200
"""A loss below this is never clear, in ten-thousandths of the win."""
PUBLIC_SAMPLES = 6
"""So many positions are drawn for what everybody knew."""
WHOLE = 10_000
"""Shares are written in ten-thousandths of the win: whole numbers are the same on all machines."""

Pair = tuple[float, float]
"""The share of one seat by each of the two values of an expert."""


class CannotBeDealt(Exception):
    """Nothing agrees with what somebody knew, as where cards had been dealt again for another seat alone."""


class Measured(NamedTuple):
    """A mean, and its standard error: in ten-thousandths of the win."""

    mean: int
    error: int


class WeighedAnswers(NamedTuple):
    """Two answers by one value, over the same futures."""

    made: Measured
    better: Measured
    loss: Measured
    """The mean of the differences, future by future."""


class DecisionVerdict(NamedTuple):
    """What is said of one decision."""

    number: int
    """The number of moves before it."""
    seat: Seat
    made: str
    better: str
    """The answer worth most; the one that was given, if none seemed better."""
    worths: tuple[WeighedAnswers, WeighedAnswers]
    """By each of the two values. If none seemed better, both answers of it are the same."""
    reason: Reason | None
    """Why the better one is; None if none is."""

    @property
    def loss(self) -> int:
        """What the better answer would have brought, in thousandths of the win: the smaller one by the two values."""
        return max(0, min(worth.loss.mean for worth in self.worths)) // 10

    @property
    def clear(self) -> bool:
        """Whether both values say, beyond their noise, that another answer was better."""
        return all(worth.loss.mean > max(2 * worth.loss.error, CLEAR_FROM) for worth in self.worths)

    @property
    def plain(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return self._asdict() | {
            "worths": [worth._asdict() for worth in self.worths],
            "reason": self.reason and [self.reason.code, *self.reason.facts],
        }

    @classmethod
    def read(cls, plain: dict[str, Any]) -> DecisionVerdict:
        """The verdict that `plain` gives, also after it was written and read as JSON, and with more beside it."""
        plain = {name: plain[name] for name in cls._fields}
        first, second = [
            WeighedAnswers(*[Measured(*worth[name]) for name in WeighedAnswers._fields]) for worth in plain["worths"]
        ]
        reason = plain["reason"] and Reason(plain["reason"][0], tuple(plain["reason"][1:]))
        return cls(**plain | {"worths": (first, second), "reason": reason})


def version_of(expert: Expert) -> str:
    """Names what gives these numbers: the expert, and how it is asked. At most 60 characters."""
    return f"{expert.version}/{METHOD}.{SAMPLES}"


def seed_of(expert: Expert, key: str, number: int) -> int:
    """Where the random numbers for a decision begin. `key` names the game."""
    digest = sha256(f"{version_of(expert)} {key} {number}".encode()).digest()
    return int.from_bytes(digest[:8]) << 32  # with room for one number a future


class Futures:
    """The futures of one position as its player knows it, and what the answers played in them bring."""

    def __init__(self, game: Game, expert: Expert, view: View, seed: int) -> None:
        assert view.me is not None
        self.expert, self.view, self.seat = expert, view, view.me
        self.found: dict[Move, list[Pair]] = {}
        """By answer its value in each future, so far."""
        self.states = self._drawn(game, view, seed)

    @staticmethod
    def _drawn(game: Game, view: View, seed: int) -> Iterator[tuple[State, int]]:
        rng = Random(seed)
        for number in count(1):
            yield dealt(game, view, rng), seed + number

    def play(self, answers: Sequence[Move], times: int) -> None:
        """Play these answers in so many further futures."""
        for _ in range(times):
            state, seed = next(self.states)
            for answer in answers:
                after = state.copy()
                after.play(answer)
                if not after.over:
                    self.expert.settle(after, self.seat, Random(seed))
                self.found.setdefault(answer, []).append(share_of(self.expert, after, self.seat, self.view))

    def best_first(self, answers: Sequence[Move]) -> list[Move]:
        """The answers by the mean of both values; of equal ones, the first stays first."""
        return sorted(answers, key=lambda answer: -sum(map(sum, self.found[answer])) / len(self.found[answer]))


def dealt(game: Game, view: View, rng: Random) -> State:
    """A position drawn at random among those that a view allows. Raises CannotBeDealt."""
    try:
        return game.sample(view, rng)
    except RulesError as error:
        raise CannotBeDealt from error


def share_of(expert: Expert, state: State, seat: Seat, since: View) -> Pair:
    """The share that a seat may expect by what it knows, by each value; `since` is the view that was dealt again."""
    first, second = expert.shares(state.view(seat), since)
    return first[seat], second[seat]


def verdict(
    game: Game, expert: Expert, view: View, made: Move, key: str, number: int, samples: int = SAMPLES
) -> DecisionVerdict:
    """The verdict on an answer to a question with several, by the view of who was asked.

    `key` names the game, and `number` is that of the moves before. Raises CannotBeDealt.
    """
    assert view.me is not None
    futures = Futures(game, expert, view, seed_of(expert, key, number))
    answers = list(dict.fromkeys((made, *expert.candidates(view))))
    quarter, half = samples // 4, samples // 2
    futures.play(answers, quarter)
    order = futures.best_first(answers)
    better = order[0]
    if better != made:
        answers = list(dict.fromkeys((made, *order[: FEWEST - 1])))
        futures.play(answers, half - quarter)
        better = futures.best_first(answers)[0]
    if better != made:
        futures.found.clear()
        futures.play((made, better), samples - half)
    one, two = futures.found[made], futures.found[better]
    first, second = [_worth([pair[value] for pair in one], [pair[value] for pair in two]) for value in (0, 1)]
    return DecisionVerdict(
        number=number,
        seat=view.me,
        made=game.text(made),
        better=game.text(better),
        worths=(first, second),
        reason=expert.reason(view, better, made) if better != made else None,
    )


def _worth(made: Sequence[float], better: Sequence[float]) -> WeighedAnswers:
    return WeighedAnswers(
        measured(made), measured(better), measured([b - a for a, b in zip(made, better, strict=True)])
    )


def measured(values: Sequence[float]) -> Measured:
    """The mean of these shares and its standard error."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return Measured(round(WHOLE * mean), round(WHOLE * sqrt(spread / len(values))))


# A whole game


class Band(NamedTuple):
    """Between which shares of the win something lies, in ten-thousandths."""

    low: int
    high: int

    @classmethod
    def of(cls, both: Sequence[Measured]) -> Band:
        """What both values say, with their errors."""
        low, high = min(it.mean - it.error for it in both), max(it.mean + it.error for it in both)
        return cls(max(0, low), min(WHOLE, high))


def own_band(expert: Expert, view: View) -> Band:
    """What a seat could expect by what it knew."""
    assert view.me is not None
    return Band.of([measured([shares[view.me]]) for shares in expert.shares(view)])


def public_bands(game: Game, expert: Expert, view: View, key: str, number: int) -> list[Band]:
    """By seat, what everybody could expect of it; `view` is a watcher's. Raises CannotBeDealt."""
    rng = Random(seed_of(expert, f"public {key}", number))
    states = [dealt(game, view, rng) for _ in range(PUBLIC_SAMPLES)]
    seats = range(len(expert.shares(states[0].view(0))[0]))
    found = [[share_of(expert, state, seat, view) for state in states] for seat in seats]
    return [Band.of([measured([pair[value] for pair in pairs]) for value in (0, 1)]) for pairs in found]
