"""A decent bot: it takes what raises its expected points most, one move at a time, and never bluffs.

A hand is worth, for each category, the chance to win it times its die; the chance comes from a normal approximation
of what the others hold and of what is still to come. Gold is worth what it can still buy in the auctions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import erf, inf, sqrt
from random import Random

from games.engine.biblios.cards import (
    CARDS,
    CHURCH,
    GOLD,
    KIND,
    OF_KIND,
    ONE_DOWN,
    ONE_UP,
    TWO_DOWN,
    TWO_UP,
    VALUES,
)
from games.engine.biblios.notation import (
    AUCTION,
    BID,
    DIE,
    DOWN,
    KEEP,
    NO_DIE,
    PASS,
    PAY,
    PAY_CARDS,
    PAY_GOLD,
    PLACE,
    PUBLIC,
    REFUSE,
    SECOND_DIE,
    TAKE,
    TAKE_GIFT,
    UP,
)
from games.engine.biblios.options import REMOVED_OF_EACH_GOLD
from games.engine.biblios.view import BibliosView
from games.engine.core import Move, View

SORT = (
    *(min(k for k in range(45) if k // 9 == kind // 9 and VALUES[k] == VALUES[kind]) for kind in range(GOLD)),
    *range(GOLD, len(OF_KIND)),
)
"""For each kind, the first kind that differs from it only in the letter."""
SORTS = Counter(SORT[KIND[card]] for card in range(CARDS))

GOLD_AT_THE_END = 0.02
"""The points that a gold is worth when it can buy nothing more: it breaks ties."""
MOST_A_GOLD_BUYS = 0.6
"""The points that a gold is worth at most, however much there is to buy."""
THRIFT, THRIFT_A_RIVAL = 1.1, 0.15
"""A card must be worth so many times its price, and so much more for each rival: the highest bidder hopes too much."""
STRIDES = 3
"""A bid goes one of so many equal steps towards the highest that is worth it."""


def choose_greedy(view: View, rng: Random) -> Move:
    """The move that raises the expected points most; `rng` is not needed."""
    assert isinstance(view, BibliosView)
    if len(view.legal) == 1:
        return view.legal[0]
    return Judge(view).answer()


class Judge:
    """The worth of things to the player who looks, in points."""

    def __init__(self, view: BibliosView) -> None:
        self.view = view
        self.hand = view.hand if view.kept is None else (*view.hand, view.kept)
        self.totals = _totals(self.hand)
        self.rivals = [seat for seat in range(view.setup.seats) if seat != view.me]
        self.unseen = self._unseen()
        """By sort, the number of cards whose place is not known. A sort is a kind without its letter."""
        self.size = sum(self.unseen.values()) or 1
        seen = view.seen
        self.seen_gold = [sum(VALUES[kind] for kind in seen[seat] if kind >= GOLD) for seat in self.rivals]
        self.hidden = [max(0, view.counts[seat] - len(seen[seat])) for seat in self.rivals]
        """For each rival, the number of cards in hand that nobody saw them take."""
        self.rival_totals = [_totals(seen[seat]) for seat in self.rivals]
        self.to_come = view.deck * (view.setup.seats / (view.setup.seats + 1)) + view.piled
        """The approximate number of cards that will still come into hands."""
        self._chances: dict[tuple[int, int], float] = {}
        self._worths: dict[int, float] = {}

    def _unseen(self) -> Counter[int]:
        view = self.view
        unseen = +SORTS
        unseen.subtract({GOLD + value: REMOVED_OF_EACH_GOLD[view.setup.seats] for value in range(3)})
        known = [self.hand, view.space, view.discard, *(view.seen[seat] for seat in self.rivals)]
        if view.me is not None:
            known.append(view.buried[view.me])
        for kinds in known:
            unseen.subtract(SORT[kind] for kind in kinds)
        unseen.subtract(SORT[kind] for kind in (view.drawn, view.card) if kind is not None)
        mine = Counter(view.given)
        mine.subtract(view.lots)
        unseen.subtract(SORT[kind] for kind in (+mine).elements())
        return +unseen

    # Chances

    @cached_property
    def _moments(self) -> list[tuple[float, float]]:
        """For each category, mean and mean square of what an unseen card adds to it."""
        moments = []
        for category in range(5):
            values = [(VALUES[sort], count) for sort, count in self.unseen.items() if sort // 9 == category]
            mean = sum(value * count for value, count in values) / self.size
            moments.append((mean, sum(value * value * count for value, count in values) / self.size))
        return moments

    def chance(self, category: int, more: int = 0, rival_more: int = 0) -> float:
        """The chance to win a category's die with `more` on my total; `rival_more` goes to the strongest rival."""
        total = self.totals[category] + more - rival_more
        key = category, total
        if key not in self._chances:
            mean, square = self._moments[category]
            to_come = 2 * self.to_come / self.view.setup.seats * square
            chance = 1.0
            for seen, hidden in zip(self.rival_totals, self.hidden, strict=True):
                spread = sqrt(hidden * (square - mean * mean) + to_come + 0.2)
                ahead = total - seen[category] - hidden * mean
                chance *= 0.5 + 0.5 * erf(ahead / spread / 1.4142)
            if total <= 0 and not self.to_come:
                chance = 0.0
            self._chances[key] = chance
        return self._chances[key]

    # What a card is worth

    def worth(self, kind: int) -> float:
        """My gain from one more card."""
        if kind not in self._worths:
            if kind >= CHURCH:
                self._worths[kind] = max((0.0, *(gain for gain, _ in self._die_moves(kind))))
            elif kind >= GOLD:
                self._worths[kind] = VALUES[kind] * self.gold_worth
            else:
                gain = self.chance(kind // 9, VALUES[kind]) - self.chance(kind // 9)
                self._worths[kind] = gain * self.view.dice[kind // 9]
        return self._worths[kind]

    def cheapest(self, kinds: Sequence[int], number: int) -> tuple[list[int], float]:
        """Cards to give up, chosen one after another so that each costs least, and their total cost."""
        left, given, cost = list(kinds), [0] * 5, 0.0

        def loss(kind: int) -> float:
            if kind >= GOLD:
                return self.worth(kind)
            category = kind // 9
            less = -given[category]
            return (self.chance(category, less) - self.chance(category, less - VALUES[kind])) * self.view.dice[category]

        chosen = []
        for _ in range(number):
            kind = min(left, key=loss)
            cost += loss(kind)
            left.remove(kind)
            chosen.append(kind)
            if kind < GOLD:
                given[kind // 9] += VALUES[kind]
        return chosen, cost

    def harm(self, kind: int) -> float:
        """My loss when a rival gets a card."""
        if kind >= CHURCH:
            return 0.5 * self.worth(kind)
        if kind >= GOLD:
            return VALUES[kind] * self.gold_worth / self.view.setup.seats
        category = kind // 9
        loss = self.chance(category) - self.chance(category, rival_more=VALUES[kind])
        return loss * self.view.dice[category] / max(1, len(self.rivals) - 1)

    @cached_property
    def gold_worth(self) -> float:
        """The points that one gold will buy: what is still to be auctioned for gold, over all the gold in hands."""
        goods = {sort: count for sort, count in self.unseen.items() if sort < GOLD}
        number = sum(goods.values())
        lots = (self.view.piled + self.view.deck / (self.view.setup.seats + 1)) * number / self.size
        total = sum((self.worth(sort) + self.harm(sort)) * count for sort, count in goods.items())
        gold = sum(VALUES[sort] * count for sort, count in self.unseen.items() if GOLD <= sort < CHURCH)
        in_hands = self.my_gold + sum(self.seen_gold) + gold / self.size * (sum(self.hidden) + self.to_come / 2)
        return min(MOST_A_GOLD_BUYS, total / (number or 1) * lots / (in_hands or 1)) + GOLD_AT_THE_END

    @property
    def my_gold(self) -> int:
        """All the gold I hold."""
        return sum(VALUES[kind] for kind in self.hand if kind >= GOLD)

    # The questions

    def answer(self) -> Move:
        """The answer that does best."""
        return {
            PLACE: self.place,
            TAKE_GIFT: self.take,
            DIE: self.move_die,
            SECOND_DIE: self.move_die,
            BID: self.bid,
            PAY_GOLD: self.pay_gold,
            PAY_CARDS: self.pay_cards,
        }[self.view.question]()

    def place(self) -> Move:
        """Put the card where it does best, compared with what an average card would do there."""
        view = self.view
        kind = view.drawn
        assert kind is not None
        left = (view.room & 1) + (view.room >> 1 & 1) + (view.room >> 2)
        worths = sorted(self.worth(sort) for sort in self.unseen.elements())
        usual_worth = sum(worths) / self.size
        usual_harm = sum(self.harm(sort) * count for sort, count in self.unseen.items()) / self.size
        # Among the cards still to be placed in this turn, on average, the best would be kept instead.
        best_to_come = worths[len(worths) * (left - 1) // left] if worths else 0.0
        gains = {
            KEEP: self.worth(kind) - best_to_come,
            PUBLIC: usual_harm - self.harm(kind),
            AUCTION: (self.worth(kind) - usual_worth) / (len(self.rivals) + 1)
            - (self.harm(kind) - usual_harm) / (len(self.rivals) + 1),
        }
        return max(view.legal, key=gains.__getitem__)

    def take(self) -> Move:
        """Take what is worth most, counting what it would be worth to those who choose later."""
        return max(self.view.legal, key=lambda move: self.worth(move - TAKE) + self.harm(move - TAKE))

    def move_die(self) -> Move:
        """Move the dice that gain most, or none if that loses."""
        view = self.view
        if view.question == SECOND_DIE:
            return max(view.legal, key=self.die_gain)
        assert view.card is not None
        gain, move = max(self._die_moves(view.card), default=(0.0, NO_DIE))
        return move if gain > 0 and move in view.legal else NO_DIE

    def die_gain(self, move: Move) -> float:
        """My gain over the average rival when a die moves."""
        category, step = (move - UP, 1) if move < DOWN else (move - DOWN, -1)
        chance = self.chance(category)
        return step * (chance - (1 - chance) / len(self.rivals))

    def _die_moves(self, church: int) -> list[tuple[float, Move]]:
        """The possible gains from a Church card, each with the (first) die to move."""
        dice = self.view.dice
        up = [(self.die_gain(UP + c), UP + c) for c in range(5) if dice[c] < 6]
        down = [(self.die_gain(DOWN + c), DOWN + c) for c in range(5) if dice[c] > 1]
        if church in (TWO_UP, TWO_DOWN):
            moves = up if church == TWO_UP else down
            return [(a[0] + b[0], a[1]) for i, a in enumerate(moves) for b in moves[i + 1 :]]
        if church == ONE_UP:
            return up
        if church == ONE_DOWN:
            return down
        if self.view.setup.both_ways:
            return [(a[0] + b[0], a[1]) for a in up for b in down if a[1] - UP != b[1] - DOWN]
        return up + down

    def bid(self) -> Move:
        """Raise part of the way to the highest price at which the card is still worth it, or pass."""
        view = self.view
        assert view.card is not None
        gain = self.worth(view.card) + self.harm(view.card)
        thrift = THRIFT + THRIFT_A_RIVAL * len(self.rivals)
        most = view.legal[-1] - PASS
        prices: list[int] = []
        for bid in range(view.high + 1, most + 1):
            price, cost = self.price(bid)
            if cost * thrift >= gain:
                break
            prices.append(min(price, most))
        return PASS + prices[(len(prices) - 1) // STRIDES] if prices else PASS

    def price(self, bid: int) -> tuple[int, float]:
        """What a bid comes to, in gold or in cards, and the points that this costs; infinitely many if I lack it.

        Without change a bid may come to more: then it might as well be that much higher."""
        if self.view.card is not None and GOLD <= self.view.card < CHURCH:
            return bid, self.cheapest(self.hand, bid)[1] if bid <= len(self.hand) else inf
        coins = cheapest_gold([kind for kind in self.hand if kind >= GOLD], bid)
        gold = sum(VALUES[kind] for kind in coins or ())
        return gold, gold * self.gold_worth if coins else inf

    def pay_gold(self) -> Move:
        """Pay as little too much as possible, and with large coins."""
        paid = cheapest_gold([kind for kind in self.hand if GOLD <= kind <= self.view.bound], self.view.due)
        return PAY + paid[0] if paid else REFUSE

    def pay_cards(self) -> Move:
        """Pay with the cards that are worth least."""
        view = self.view
        cards = [kind for kind in self.hand if kind >= view.bound]
        if len(cards) < view.due:
            return REFUSE
        return PAY + min(self.cheapest(cards, view.due)[0])


def _totals(kinds: Sequence[int]) -> list[int]:
    totals = [0] * 5
    for kind in kinds:
        if kind < GOLD:
            totals[kind // 9] += VALUES[kind]
    return totals


def cheapest_gold(gold: Sequence[int], due: int) -> list[int] | None:
    """The gold cards, dearest first, that cover `due` with the least to spare, then with fewest cards; else None."""
    counts = [gold.count(GOLD + value) for value in range(3)]
    best: tuple[int, int, list[int]] | None = None
    for threes in range(counts[2] + 1):
        for twos in range(counts[1] + 1):
            ones = max(0, due - 3 * threes - 2 * twos)
            if ones <= counts[0]:
                paid = [GOLD + 2] * threes + [GOLD + 1] * twos + [GOLD] * ones
                over = 3 * threes + 2 * twos + ones - due
                if over < VALUES[paid[-1]] and (best is None or (over, len(paid)) < best[:2]):
                    best = over, len(paid), paid
    return best[2] if best else None
