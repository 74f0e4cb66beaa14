"""How likely each unseen card is to be in each place that a view leaves open, by habits and by what auctions showed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import exp
from operator import mul
from random import Random
from typing import Final

from games.engine.biblios.cards import BURIED, DECK, HIDDEN, PILE, cards_of
from games.engine.biblios.habits import FIRST_CHURCH_SORT, SORTS, TIMES, CardHabits, sorts_of, turn_kind
from games.engine.biblios.options import REMOVED_AT_RANDOM
from games.engine.biblios.purse import purses_of
from games.engine.biblios.view import BibliosView
from games.engine.core import Seat

TRIES_OF_A_CARD: Final = 40
"""A card is drawn again as long as it is unlikely, but not more often than this."""
STEEPEST: Final = 3.0
"""The most that what the auctions showed can make of a coin, as a logarithm."""
FIRST_COIN: Final = SORTS.index("G1")

Row = list[float]
"""Weights by sort of card."""


class Odds:
    """The odds of one view: rows of chances by sort of card, from which `take` draws."""

    def __init__(self, view: BibliosView, habits: CardHabits, free: int, turns: Sequence[int], known_lots: int) -> None:
        setup = view.setup
        self.habits = habits
        self.sorts = sorts_of(view.dice)
        self.rivals = [seat for seat in range(setup.seats) if seat != view.me]
        sorts = self.sorts
        self.count = [0.0] * len(SORTS)
        for card in cards_of(free):
            self.count[sorts[card]] += 1
        self.plain = self.count[:FIRST_CHURCH_SORT]
        turn = sum([target == PILE for _, target, _ in view.flow])
        self.now = turn_kind(min(turn, setup.turns - 1), setup.turns, view.space, 0)
        """The kind of the turn that is being played."""
        self._time = TIMES * (len(view.lots) - 1) // setup.turns if view.lots else -1
        self._rows: dict[tuple[str, int, int], Row] = {}
        self._wear = [0.0] * setup.seats
        """By seat, how many times over what one holds has been exposed to being paid face down."""
        hand = [0] * setup.seats
        kept: list[tuple[int, Seat]] = []
        given: list[int] = []
        for (source, target, kind), of in zip(view.flow, turns, strict=True):
            if target == BURIED:
                self._wear[source] += 1 / hand[source]
            if source >= 0:
                hand[source] -= 1
            if target >= 0:
                hand[target] += 1
            if kind == HIDDEN and source == DECK:
                if target == PILE:
                    given.append(of)
                else:
                    kept.append((of, target))
        self._kept = Counter(kept)
        """How many cards that nobody else saw were kept in each kind of turn, by each seat."""
        self._spread(Counter(given), known_lots, REMOVED_AT_RANDOM[setup.seats] + view.deck)
        usual = self._usual
        most = max(*habits.pay[:FIRST_CHURCH_SORT], usual)
        self.paying = [*[habits.pay[sort] / most for sort in sorts], usual / most]
        """By card (the last for one that is open), the chance that it is paid face down rather than another."""
        most = max(habits.lead)
        self.leading = [lead / most for lead in habits.lead]
        """By lead in its category, the chance that a category card is paid rather than another."""
        self.purses = purses_of(view, habits)
        self._slopes = {seat: self._slope(seat) for seat in self.rivals if self.purses[seat].telling}

    def _spread(self, given: Counter[int], known_lots: int, spare: int) -> None:
        """How much wanted a card of each sort is by all places together: what a place gets, the others do not."""
        rest = spare / (sum(self.count) or 1.0)
        to_come = 1 - known_lots / (given.total() or 1)
        wanted_later = [rest] * len(SORTS)
        for of, number in given.items():
            row = self.habits.auction[of]
            part = number * to_come / 2 / (sum(map(mul, row, self.count)) or 1.0)
            wanted_later = [want + part * weight for want, weight in zip(wanted_later, row, strict=True)]
        wanted = [2 * want - rest for want in wanted_later[:FIRST_CHURCH_SORT]]
        for (of, _), number in self._kept.items():
            row = self.habits.keep[of]
            part = number / 2 / (sum(map(mul, row, self.plain)) or 1.0)
            wanted = [want + part * weight for want, weight in zip(wanted, row, strict=False)]
        # A place takes its own part of what it wants: on average half of the places of its sort are still empty.
        self._wanted, self._wanted_later = wanted, wanted_later

    @cached_property
    def _usual(self) -> float:
        """The mean weight, in being paid face down, of a card that was kept."""
        total = mass = 0.0
        for of in {of for of, _ in self._kept}:
            weights = [*map(mul, self.plain, self.habits.keep[of])]
            mass += sum(weights)
            total += sum(map(mul, weights, self.habits.pay))
        return total / mass if mass else 1.0

    def _slope(self, seat: Seat) -> Row:
        """By value, what one more coin makes of what the auctions showed, at the usual number of coins."""
        usual = [0.0] * 3
        for (of, owner), number in self._kept.items():
            if owner == seat:
                row = self._chances(self.habits.keep[of], self._wanted)
                part = number / (sum(map(mul, row, self.plain)) or 1.0)
                for coin in range(3):
                    usual[coin] += part * row[FIRST_COIN + coin] * self.plain[FIRST_COIN + coin]
        likelihood = self.purses[seat].likelihood
        a, b, c = [round(number) for number in usual]
        now = likelihood((a, b, c))
        more = [likelihood((a + 1, b, c)), likelihood((a, b + 1, c)), likelihood((a, b, c + 1))]
        return [max(-STEEPEST, min(STEEPEST, then - now)) for then in more]

    def surplus(self, seat: Seat, coins: Sequence[int]) -> float:
        """The logarithm of how much likelier these unseen coins make what the auctions showed than the odds have it."""
        a, b, c = self._slopes[seat]
        ones, twos, threes = coins
        return self.purses[seat].likelihood((ones, twos, threes)) - a * ones - b * twos - c * threes

    # Rows

    def held(self, turn: int, seat: Seat) -> Row:
        """The odds of an open card in the hand of a seat, kept in a turn of this kind; -1: before the active player."""
        row = self._rows.get(("held", turn, seat))
        if row is None:
            weights = self._chances(self.habits.keep[turn], self._wanted)
            if seat >= 0 and self._time >= 0:
                weights = [*map(mul, weights, self.habits.stay[self._time])]
                if wear := self._wear[seat]:
                    wear /= self._usual
                    weights = [weight * exp(-wear * pay) for weight, pay in zip(weights, self.habits.pay, strict=False)]
                for coin, slope in enumerate(self._slopes.get(seat, ())):
                    weights[FIRST_COIN + coin] *= exp(slope)
            row = self._rows["held", turn, seat] = _scaled(weights, self.plain)
        return row

    def lost(self, turn: int) -> Row:
        """The odds of an open card that was kept in a turn of this kind and paid face down later."""
        row = self._rows.get(("lost", turn, -1))
        if row is None:
            weights = [*map(mul, self._chances(self.habits.keep[turn], self._wanted), self.habits.pay)]
            row = self._rows["lost", turn, -1] = _scaled(weights, self.plain)
        return row

    def given(self, turn: int) -> Row:
        """The odds of an open card in the auction pile, put there in a turn of this kind."""
        row = self._rows.get(("given", turn, -1))
        if row is None:
            weights = self._chances(self.habits.auction[turn], self._wanted_later)
            row = self._rows["given", turn, -1] = _scaled(weights, self.count)
        return row

    def _chances(self, weights: Sequence[float], wanted: Sequence[float]) -> Row:
        return [weight / (want or 1.0) for weight, want in zip(weights, wanted, strict=False)]

    def take(self, rest: list[int], row: Row, rng: Random) -> int:
        """Take a card out of the rest, by the odds of a row."""
        random, sorts = rng.random, self.sorts
        size = len(rest)
        for _ in range(TRIES_OF_A_CARD):
            index = int(random() * size)
            if random() < row[sorts[rest[index]]]:
                break
        card = rest[index]
        rest[index] = rest[-1]
        rest.pop()
        return card


def _scaled(weights: Row, count: Sequence[float]) -> Row:
    """The same weights, the greatest of a sort that is there 1."""
    most = max([weight for weight, number in zip(weights, count, strict=True) if number], default=0.0) or 1.0
    return [weight / most for weight in weights]
