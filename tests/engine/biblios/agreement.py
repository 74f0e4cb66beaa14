"""How well samples of a view agree with what was really behind it, in games that nobody learned from.

If a sample is drawn as the view allows and as players play, view and truth cannot be told from view and sample: each
statistic has the same mean, and what the samples call 30 % is so in 30 of 100 cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from games.engine.biblios.cards import GOLD, KIND, OF_CATEGORY, VALUES, cards_of, gold_in, totals_in
from games.engine.biblios.notation import BID, PASS, PAY, PAY_CARDS, PAY_GOLD
from games.engine.biblios.purse import best_coins
from games.engine.biblios.rules import Position
from games.engine.biblios.view import BibliosView
from games.engine.core import Move
from tests.engine.biblios.sitting import GAME

Draw = Callable[[BibliosView, Random], Position]
DEAR = sum(1 << card for card in range(18) if VALUES[KIND[card]] > 2)
"""The 3s and 4s."""
CATEGORY_CARDS = sum(OF_CATEGORY)
STATISTICS: dict[str, Callable[[int], int]] = {
    "gold": gold_in,
    "value of category cards": lambda hand: sum(totals_in(hand)),
    "3s and 4s": lambda hand: (hand & DEAR).bit_count(),
    "category cards": lambda hand: (hand & CATEGORY_CARDS).bit_count(),
}
"""What is counted in the hand of a rival."""


def neutral_game(rng: Random, seats: int, **options: Any) -> tuple[Position, list[Move]]:
    """A game of players who place, take, bid and pay face down whatever they hold; coins they pay as fits best."""
    start = GAME.start(seats, rng.randbytes(32), options)
    assert isinstance(start, Position)
    state = start.copy()
    moves: list[Move] = []
    while not state.over:
        for move in _neutral(state, rng):
            moves.append(move)
            state.play(move)
    return start, moves


def _neutral(state: Position, rng: Random) -> list[Move]:
    legal = state.legal()
    if len(legal) == 1:
        return [legal[0]]
    if state.question == BID:
        return [rng.choice(legal[1:4]) if rng.random() < 0.4 else PASS]
    hand = cards_of(state.hands[state.seat])
    if state.question == PAY_CARDS:
        return [PAY + KIND[card] for card in sorted(rng.sample(hand, state.due))]
    if state.question == PAY_GOLD:
        held = [sum(KIND[card] == GOLD + coin for card in hand) for coin in range(3)]
        paid = best_coins(held[0], held[1], held[2], state.due)
        assert paid is not None
        return [PAY + GOLD + coin for coin in (2, 1, 0) for _ in range(paid[coin])]
    return [rng.choice(legal)]


class Look(NamedTuple):
    """A position as one seat sees it, with a rival of that seat."""

    state: Position
    me: int
    rival: int
    phase: str
    game: int


def looks(games: Iterable[tuple[Position, Sequence[Move]]], each: int, rng: Random) -> Iterator[Look]:
    """Positions drawn at random from each game: as many in the gift phase as in either half of the auctions."""
    for number, (start, moves) in enumerate(games):
        phases: dict[str, list[Position]] = {"gifts": [], "first lots": [], "last lots": []}
        state = start.copy()
        for move in moves:
            phase = "gifts" if not state.pile else "last lots" if 2 * state.sold >= len(state.pile) else "first lots"
            phases[phase].append(state.copy())
            state.play(move)
        for phase, states in phases.items():
            for at in rng.sample(states, min(each, len(states))):
                me, rival = rng.sample(range(len(at.hands)), 2)
                yield Look(at, me, rival, phase, number)


class Gap(NamedTuple):
    """The mean of a statistic in samples less that in truth, and its standard error (a game counts as one)."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {1.96 * self.error:.3f}"


def gaps(seen: Iterable[Look], draw: Draw, samples: int, rng: Random) -> dict[tuple[str, str], Gap]:
    """By phase and statistic, how samples differ from the truth."""
    found: dict[tuple[str, str], dict[int, list[float]]] = {}
    for look in seen:
        view = look.state.view(look.me)
        hands = [draw(view, rng).hands[look.rival] for _ in range(samples)]
        for name, count in STATISTICS.items():
            gap = sum(map(count, hands)) / samples - count(look.state.hands[look.rival])
            found.setdefault((look.phase, name), {}).setdefault(look.game, []).append(gap)
    return {key: _gap([sum(gaps) / len(gaps) for gaps in games.values()]) for key, games in found.items()}


def _gap(numbers: list[float]) -> Gap:
    mean = sum(numbers) / len(numbers)
    return Gap(mean, sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers) / (len(numbers) - 1)))


def questions(state: Position, me: int, rival: int) -> Iterator[bool]:
    """What one would like to know of a rival: five categories in which they lead, 3s and 4s, more gold, how much gold,
    whether a card that is not mine is in their hand."""
    mine, theirs = state.hands[me], state.hands[rival]
    for own, other in zip(totals_in(mine), totals_in(theirs), strict=True):
        yield other > own
    yield (theirs & DEAR).bit_count() > 1
    yield gold_in(theirs) > gold_in(mine)
    yield gold_in(theirs) > 6
    yield gold_in(theirs) > 10
    yield any(KIND[card] == GOLD + 2 for card in cards_of(theirs))
    for card in (7, 8, 16, 17, 26):
        yield bool(theirs >> card & 1)


class Bin(NamedTuple):
    """Answers that the samples called about equally likely."""

    number: int
    said: float
    true: float


def reliability(seen: Iterable[Look], draw: Draw, samples: int, rng: Random) -> list[Bin]:
    """By tenths of likelihood, how likely the samples called something and how often it was so."""
    bins = [[0.0, 0.0, 0.0] for _ in range(10)]
    for look in seen:
        view = look.state.view(look.me)
        counts = [0] * 15
        for _ in range(samples):
            for index, so in enumerate(questions(draw(view, rng), look.me, look.rival)):
                counts[index] += so
        for count, true in zip(counts, questions(look.state, look.me, look.rival), strict=True):
            if 0 < count < samples:  # what a view knows for sure says nothing of how it guesses
                one = bins[min(9, 10 * count // samples)]
                one[0] += 1
                one[1] += count / samples
                one[2] += true
    return [Bin(int(number), said / (number or 1), true / (number or 1)) for number, said, true in bins]
