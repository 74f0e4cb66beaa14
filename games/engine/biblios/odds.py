"""How likely each unseen card is to be in each place that a view leaves open, by habits and by what auctions showed."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Final

from games.engine.biblios.cards import (
    BURIED,
    CHURCH,
    DECK,
    FIRST_GOLD,
    GOLD,
    HIDDEN,
    KIND,
    PILE,
    cards_of,
)
from games.engine.biblios.habits import FIRST_CHURCH_SORT, SORTS, Habits, sorts_of, turn_kind
from games.engine.biblios.options import REMOVED_AT_RANDOM
from games.engine.biblios.purse import Coins, Purse, purses_of
from games.engine.biblios.view import BibliosView
from games.engine.core import Seat

TRIES_OF_A_CARD: Final = 40
"""A card is drawn again as long as it is unlikely, but not more often than this."""
STEEPEST: Final = 3.0
"""The most that what the auctions showed can make of a coin, as a logarithm."""
FIRST_COIN: Final = SORTS.index("G1")

Row = list[float]


class Odds:
    """The odds of one view: rows of chances by card, from which `take` draws."""

    def __init__(self, view: BibliosView, habits: Habits, free: int, turns: Sequence[int], known_lots: int) -> None:
        self.habits = habits
        self.sorts = sorts_of(view.dice)
        self.rivals = [seat for seat in range(view.setup.seats) if seat != view.me]
        self.count = [0] * len(SORTS)
        for card in cards_of(free):
            self.count[self.sorts[card]] += 1
        turn = sum(target == PILE for _, target, _ in view.flow)
        self.now = turn_kind(min(turn, view.setup.turns - 1), view.setup.turns, view.space, 0)
        """The kind of the turn that is being played."""
        self._rows: dict[tuple[str, int, int], Row] = {}
        self._wear = [0.0] * view.setup.seats
        """By seat, how many times over what one holds has been exposed to being paid face down."""
        hand = [0] * view.setup.seats
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
        self._kept, self._given = kept, given
        self._open_lots = 1 - known_lots / (len(given) or 1)
        """The part of the others' cards in the auction pile that has not been turned up."""
        self._spread(view)
        self.paying = self._paying()
        """By card (the last for one that is open), the chance that it is paid face down rather than another."""
        self.purses = purses_of(view, habits) if view.bids else [Purse(habits) for _ in view.counts]
        self._slopes: dict[Seat, Row] = {}
        if view.bids:
            for seat in self.rivals:
                if self.purses[seat].telling:
                    self._slopes[seat] = self._slope(seat)

    def _spread(self, view: BibliosView) -> None:
        """How much wanted a card of each sort is by all places together: what a place gets, the others do not."""
        plain = sum(self.count[:FIRST_CHURCH_SORT])
        total = plain + sum(self.count[FIRST_CHURCH_SORT:])
        spare = REMOVED_AT_RANDOM[view.setup.seats] + view.deck
        given = [0.0] * len(SORTS)
        for of in self._given:
            row = self.habits.auction[of]
            whole = sum(map(float.__mul__, row, map(float, self.count))) or 1.0
            for sort, weight in enumerate(row):
                given[sort] += self._open_lots * weight / whole
        held = [0.0] * len(SORTS)
        for of, _ in self._kept:
            row = self.habits.keep[of]
            whole = sum(map(float.__mul__, row[:FIRST_CHURCH_SORT], map(float, self.count))) or 1.0
            for sort in range(FIRST_CHURCH_SORT):
                held[sort] += row[sort] / whole
        rest = spare / (total or 1)
        self._wanted = [rest + a + b / 2 for a, b in zip(given, held, strict=True)]
        self._wanted_later = [rest + a / 2 for a in given]

    def _paying(self) -> Row:
        pay = self.habits.pay
        usual = self._usual(pay)
        most = max(*pay[:FIRST_CHURCH_SORT], usual)
        return [*(pay[sort] / most for sort in self.sorts), usual / most]

    def _usual(self, pay: Sequence[float]) -> float:
        """The mean weight of an open card in a hand."""
        total = mass = 0.0
        for of, _ in self._kept[:4]:
            for sort in range(FIRST_CHURCH_SORT):
                weight = self.count[sort] * self.habits.keep[of][sort]
                mass += weight
                total += weight * pay[sort]
        return total / mass if mass else 1.0

    def _slope(self, seat: Seat) -> Row:
        """By value, what one more coin makes of what the auctions showed, at the usual number of coins."""
        usual = [0.0] * 3
        for of, owner in self._kept:
            if owner == seat:
                row = self._chances(self.habits.keep[of], self._wanted, FIRST_CHURCH_SORT)
                whole = sum(map(float.__mul__, row, map(float, self.count))) or 1.0
                for coin in range(3):
                    usual[coin] += row[FIRST_COIN + coin] * self.count[FIRST_COIN + coin] / whole
        purse = self.purses[seat]
        ones, twos, threes = (round(number) for number in usual)
        slopes = []
        for coin in range(3):
            more = [ones, twos, threes]
            more[coin] += 1
            less = [ones, twos, threes]
            less[coin] = max(0, less[coin] - 1)
            steps = more[coin] - less[coin]
            rise = purse.likelihood(_coins(more)) - purse.likelihood(_coins(less))
            slopes.append(max(-STEEPEST, min(STEEPEST, rise / steps)))
        return slopes

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
            weights = self._chances(self.habits.keep[turn], self._wanted, FIRST_CHURCH_SORT)
            if seat >= 0 and self._wear[seat]:
                wear, pay, usual = self._wear[seat], self.habits.pay, self._usual(self.habits.pay)
                weights = [weight * exp(-wear * pay[sort] / usual) for sort, weight in enumerate(weights)]
            for coin, slope in enumerate(self._slopes.get(seat, ())):
                weights[FIRST_COIN + coin] *= exp(slope)
            row = self._rows["held", turn, seat] = self._row(weights)
        return row

    def lost(self, turn: int) -> Row:
        """The odds of an open card that was kept in a turn of this kind and paid face down later."""
        row = self._rows.get(("lost", turn, -1))
        if row is None:
            weights = self._chances(self.habits.keep[turn], self._wanted, FIRST_CHURCH_SORT)
            row = self._rows["lost", turn, -1] = self._row(
                [weight * self.habits.pay[sort] for sort, weight in enumerate(weights)]
            )
        return row

    def given(self, turn: int) -> Row:
        """The odds of an open card in the auction pile, put there in a turn of this kind."""
        row = self._rows.get(("given", turn, -1))
        if row is None:
            row = self._rows["given", turn, -1] = self._row(
                self._chances(self.habits.auction[turn], self._wanted_later, len(SORTS))
            )
        return row

    def _chances(self, weights: Sequence[float], wanted: Sequence[float], end: int) -> Row:
        return [weight / (want or 1.0) for weight, want in zip(weights[:end], wanted, strict=False)]

    def _row(self, weights: Row) -> Row:
        """By card, scaled so that the likeliest unseen sort is always taken."""
        most = max([weight for weight, count in zip(weights, self.count, strict=False) if count], default=1.0)
        scaled = [weight / most for weight in weights] + [0.0] * (len(SORTS) - len(weights))
        return [scaled[sort] for sort in self.sorts]

    @staticmethod
    def take(rest: list[int], row: Row, rng: Random) -> int:
        """Take a card out of the rest, by the odds of a row."""
        random = rng.random
        size = len(rest)
        for _ in range(TRIES_OF_A_CARD):
            index = int(random() * size)
            if random() < row[rest[index]]:
                break
        card = rest[index]
        rest[index] = rest[-1]
        rest.pop()
        return card


def _coins(numbers: Sequence[int]) -> Coins:
    ones, twos, threes = numbers
    return ones, twos, threes
