"""Quick and sensible players, for looking on from one answer to the end of its turn or of its lot.

They see the whole position, for it is one of many that were drawn from a view, and look at it once: a game of theirs
takes a hundredth of the time that one of `greedy` takes. What they think of rivals' hands is half what is true in this
position and half what a usual hand holds, as if they had seen half of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from math import erf, sqrt
from random import Random

from games.engine.biblios.cards import (
    CHURCH,
    FIRST,
    FIRST_CHURCH,
    FIRST_GOLD,
    GOLD,
    GOLD_1,
    GOLD_2,
    GOLD_3,
    KIND,
    ONE_DOWN,
    ONE_UP,
    TWO_DOWN,
    TWO_UP,
    VALUES,
    gold_in,
    kinds_of,
    totals_in,
)
from games.engine.biblios.greedy import SORT, cheapest_gold
from games.engine.biblios.notation import (
    AUCTION,
    BID,
    DIE,
    DOWN,
    KEEP,
    NO_DIE,
    OVER,
    PASS,
    PAY,
    PAY_CARDS,
    PAY_GOLD,
    PLACE,
    PUBLIC,
    REFUSE,
    TAKE,
    TAKE_GIFT,
    UP,
)
from games.engine.biblios.rules import Position
from games.engine.core import Move, Seat

MEAN = (25 / 81, 25 / 81, 11 / 81, 11 / 81, 11 / 81)
"""By category, what a card adds to its sum on average."""
SQUARE = (75 / 81, 75 / 81, 15 / 81, 15 / 81, 15 / 81)
KEPT = (0.0, 0.0, 0.75, 0.88, 0.9, 0.95)
"""What a card must be worth to be kept, by the number of places that are open in the turn."""
SENT = 0.6
"""What a card must be worth to be sent to auction, while there is a choice."""
GOLD_IN_GIFTS = 0.4
"""What a gold is worth in the gift phase."""
LOT = 0.75
"""What is gained by a lot on average."""
DEAREST_GOLD, LAST_GOLD = 0.45, 0.03
"""The most and the least that a gold is worth."""
CHURCH_LOT = 1.6
"""A Church card is worth so much more at an auction than what its best die gains at first sight."""
GOLD_LOT = {2: 0.75, 3: 0.75, 4: 0.7}
"""Gold in an auction, by the number of players: so much of what it is worth in hand."""
THRIFT = {2: 1.05, 3: 0.9, 4: 0.8}
"""What is worth n is bought for n divided by this, by the number of players."""
SPREAD = 0.5
"""The prices at which players stop bidding vary by so much, up and down."""


def settled(state: Position) -> bool:
    """Whether a turn or a lot has just ended: a new one begins, or the game is over."""
    question = state.question
    if question == BID:
        return not state.high and not state.out
    return question == OVER or (question == PLACE and state.room == state.setup.places)


def play_on(state: Position, rng: Random) -> None:
    """Play on in place until the turn, or the lot, has ended. It asks `rng` equally often whatever the position."""
    moods = [1 + SPREAD * (2 * rng.random() - 1) for _ in state.hands]
    if not settled(state):
        players = Players(state, moods)
        while not settled(state):
            state.play(players.answer())


class Players:
    """All the players of a position, as they look at it once."""

    __slots__ = ("expected", "gold_worth", "likely", "limits", "moods", "rivals", "state", "totals")

    def __init__(self, state: Position, moods: list[float]) -> None:
        self.state = state
        self.moods = moods
        """By seat, what the price at which the player stops bidding is multiplied with."""
        hands = state.hands
        seats = len(hands)
        self.rivals = seats - 1
        self.totals = totals = [totals_in(hand) for hand in hands]
        counts = [hand.bit_count() for hand in hands]
        if state.pile:
            to_come = len(state.pile) - state.sold
            gold = sum([gold_in(hand) for hand in hands]) or 1
            self.gold_worth = min(DEAREST_GOLD, (to_come - 1) * LOT / gold) + LAST_GOLD
        else:
            to_come = (len(state.deal.deck) - state.placed) * seats // (seats + 1) + state.given.bit_count()
            self.gold_worth = GOLD_IN_GIFTS
        monks = 1 / sqrt(4 * to_come / seats * SQUARE[0] + 5)
        books = 1 / sqrt(4 * to_come / seats * SQUARE[4] + 1)
        self.likely = (monks, monks, books, books, books)
        """By category, how sure it is that whoever is ahead by 1 stays ahead."""
        self.expected = []
        """By seat and category, what the strongest rival is thought to hold."""
        for seat in range(seats):
            others = [other for other in range(seats) if other != seat]
            usual = sum([counts[other] for other in others]) / self.rivals
            highest = totals[others[0]] if seats == 2 else map(max, *[totals[other] for other in others])
            self.expected.append([(usual * mean + high) / 2 for mean, high in zip(MEAN, highest, strict=True)])
        self.limits: dict[Seat, int] = {}

    def chance(self, seat: Seat, category: int, more: int = 0) -> float:
        """The chance of a seat to win a die, with `more` of the category."""
        ahead = self.totals[seat][category] + more - self.expected[seat][category]
        return 0.5 + 0.5 * erf(ahead * self.likely[category])

    def worth(self, seat: Seat, kind: int) -> float:
        """What it means to a seat to get a card rather than leave it to a rival."""
        if kind >= CHURCH:
            return max(0.0, self.best_die(seat, kind)[0])
        if kind >= GOLD:
            return VALUES[kind] * self.gold_worth
        category, value = kind // 9, VALUES[kind]
        die = self.state.dice[category]
        now = self.chance(seat, category)
        more = self.chance(seat, category, value) - now
        return die * (more + (now - self.chance(seat, category, -value)) / self.rivals)

    def best_die(self, seat: Seat, church: int) -> tuple[float, Move]:
        """What a Church card gains at most, and the first die to move for that."""
        dice, rivals = self.state.dice, self.rivals
        gains = []
        for category in range(5):
            chance = self.chance(seat, category)
            gains.append(chance - (1 - chance) / rivals)
        up = [(gains[c], UP + c) for c in range(5) if dice[c] < 6]
        down = [(-gains[c], DOWN + c) for c in range(5) if dice[c] > 1]
        if church == ONE_UP:
            moves = up
        elif church == ONE_DOWN:
            moves = down
        elif church in (TWO_UP, TWO_DOWN):
            moves = up if church == TWO_UP else down
            moves = [(a[0] + b[0], a[1]) for i, a in enumerate(moves) for b in moves[i + 1 :]]
        elif self.state.setup.both_ways:
            moves = [(a[0] + b[0], a[1]) for a in up for b in down if a[1] - UP != b[1] - DOWN]
        else:
            moves = up + down
        return max(moves, default=(0.0, NO_DIE))

    def answer(self) -> Move:
        """The answer to the question that is asked."""
        state = self.state
        question = state.question
        if question == BID:
            return self._bid()
        if question == PAY_GOLD:
            return self._pay_gold()
        if question == PAY_CARDS:
            return self._pay_card()
        if question == PLACE:
            return self._place()
        if question == TAKE_GIFT:
            legal = state.legal()
            return max(legal, key=lambda move: self.worth(state.seat, move - TAKE)) if len(legal) > 1 else legal[0]
        if question == DIE:
            gain, move = self.best_die(state.seat, KIND[state.card])
            return move if gain > 0 else NO_DIE
        return max(state.legal(), key=self._second_gain)

    def _second_gain(self, move: Move) -> float:
        chance = self.chance(self.state.seat, (move - UP) % 5)
        return chance if move < DOWN else -chance

    def _place(self) -> Move:
        state = self.state
        legal = state.legal()
        if len(legal) == 1:
            return legal[0]
        worth = self.worth(state.seat, KIND[state.deal.deck[state.placed]])
        room = state.room
        if room & 1 and worth >= KEPT[1 + (room >> 1 & 1) + (room >> 2)]:
            return KEEP
        if room & 2 and (room < 4 or worth >= SENT):
            return AUCTION
        return PUBLIC if room >= 4 else KEEP

    def _bid(self) -> Move:
        state = self.state
        seat = state.seat
        limit = self.limits.get(seat)
        if limit is None:
            limit = self.limits[seat] = self.limit(seat)
        return PASS + state.high + 1 if state.high < limit else PASS

    def limit(self, seat: Seat) -> int:
        """The highest bid of a seat for the card that is up for auction."""
        state = self.state
        card, hand = state.card, state.hands[seat]
        worth = self.worth(seat, KIND[card]) * self.moods[seat]
        if FIRST_GOLD <= card < FIRST_CHURCH:
            worth *= GOLD_LOT[self.rivals + 1]
            number = 0
            for cost, _ in self._cheapest(seat, hand):
                worth -= cost
                if worth < 0:
                    break
                number += 1
            return number
        if card >= FIRST_CHURCH:
            worth *= CHURCH_LOT
        return min(int(worth / THRIFT[self.rivals + 1] / self.gold_worth), gold_in(hand))

    def _cheapest(self, seat: Seat, hand: int) -> Iterator[tuple[float, int]]:
        """The cards of a hand in the order in which the player would give them up, each with what that costs."""
        groups: dict[int, list[int]] = {}
        for kind in kinds_of(hand):
            groups.setdefault(SORT[kind], []).append(kind)
        given = [0] * 5
        costs = {sort: self._loss(seat, sort, 0) for sort in groups}
        while costs:
            sort = min(costs, key=costs.__getitem__)
            yield costs[sort], groups[sort].pop()
            if not groups[sort]:
                del costs[sort]
            if sort < GOLD:
                category = sort // 9
                given[category] += VALUES[sort]
                for other in costs:
                    if other // 9 == category:
                        costs[other] = self._loss(seat, other, given[category])

    def _loss(self, seat: Seat, kind: int, given: int) -> float:
        """What it costs to give up a card, after so much of its category."""
        if kind >= GOLD:
            return VALUES[kind] * self.gold_worth
        category = kind // 9
        loss = self.chance(seat, category, -given) - self.chance(seat, category, -given - VALUES[kind])
        return self.state.dice[category] * loss

    def _pay_gold(self) -> Move:
        state = self.state
        gold = state.hands[state.seat]
        ones, twos, threes = [(gold & equal).bit_count() for equal in (GOLD_1, GOLD_2, GOLD_3)]
        bound = state.bound
        return first_coin(ones, twos if bound > GOLD else 0, threes if bound == GOLD + 2 else 0, state.due)

    def _pay_card(self) -> Move:
        state = self.state
        first = FIRST[state.bound]
        hand = state.hands[state.seat] >> first << first
        if hand.bit_count() < state.due:
            return REFUSE
        return PAY + min([kind for _, kind in islice(self._cheapest(state.seat, hand), state.due)])


@cache
def first_coin(ones: int, twos: int, threes: int, due: int) -> Move:
    """The first card of the payment that greedy makes out of so much gold; to refuse if it is not enough."""
    coins = cheapest_gold([GOLD] * ones + [GOLD + 1] * twos + [GOLD + 2] * threes, due)
    return PAY + coins[0] if coins else REFUSE
