"""What the auctions have shown of the gold that a rival holds: bids, payments, and that somebody could not pay."""

from __future__ import annotations

from functools import lru_cache
from math import lgamma, log
from typing import Final, NamedTuple

from games.engine.biblios.cards import BURIED, CHURCH, DECK, DISCARD, FIRST, FORFEIT, GOLD, PILE, SPACE, VALUES
from games.engine.biblios.habits import MARGINS, PRICES, TIMES, CardHabits, sorts_of
from games.engine.biblios.notation import MAX_GOLD, PASS, REFUSE
from games.engine.biblios.view import BibliosView
from games.engine.core import Seat

Coins = tuple[int, int, int]
"""The numbers of gold cards of each value."""
IMPOSSIBLE: Final = 1e-4
"""How likely the rules let happen what they forbid: cards that were lost unseen may be what is wrong."""
TRUST: Final = 1.0
"""How far answers are taken to be independent of each other: 0 not at all, 1 fully."""
PRICE: Final = tuple(
    [max(i for i, least in enumerate(PRICES) if least <= max(1, price)) for price in range(2 * MAX_GOLD)]
)
"""By price, the index of its row."""
FACTORIAL: Final = tuple([lgamma(number + 1) for number in range(24)])
"""The logarithms of the factorials."""
MARGIN: Final = {
    margin: max(i for i, least in enumerate(MARGINS) if least <= margin)
    for margin in range(-MAX_GOLD - 1, 2 * MAX_GOLD)
}
"""By margin, the index in a row."""


class Paid(NamedTuple):
    """What a bid was paid with."""

    known: Coins
    """What the payer was known to hold."""
    bid: int
    paid: Coins


class Answer(NamedTuple):
    """The last bid of a player for a lot, or their pass."""

    row: tuple[float, ...]
    """By margin (see `MARGIN`), the logarithm of how likely it is."""
    margin: int
    """What the gold known would leave after paying that much."""


class Purse:
    """The gold of one rival through the auctions, but for the coins that nobody has seen.

    Coins that were shown later count as known; cards lost unseen are taken for other cards.
    """

    def __init__(self, habits: CardHabits, on_purpose: bool) -> None:
        self.answers: list[Answer] = []
        self.refused: list[int] = []
        """With how much gold among the unseen coins the rival could have paid a bid that they refused to pay."""
        self.payments: list[Paid] = []
        self.shown = [0, 0, 0]
        """The coins paid, by value, that nobody had known of."""
        self._defy = log(habits.defy if on_purpose else IMPOSSIBLE)
        self._clumsy = log(habits.clumsy)
        self._by_gold: dict[int, float] = {}
        self._by_coins: dict[Coins, float] = {}

    @property
    def telling(self) -> bool:
        """Whether the auctions have shown anything at all."""
        return bool(self.answers or self.refused or any(self.shown))

    def likelihood(self, unseen: Coins) -> float:
        """The logarithm of how likely all that was shown is, if these are the unseen coins."""
        found = self._by_coins.get(unseen)
        if found is None:
            ones, twos, threes = unseen
            found = self._of_gold(ones + 2 * twos + 3 * threes)
            for (a, b, c), bid, paid in self.payments:
                if best_coins(a + ones, b + twos, c + threes, bid) != paid:
                    found += self._clumsy
            # A coin that is paid is no likelier to be paid because there are more of its kind, as one drawn would be.
            for number, shown in zip(unseen, self.shown, strict=True):
                found += FACTORIAL[number] - FACTORIAL[number + shown]
            self._by_coins[unseen] = found
        return found

    def _of_gold(self, gold: int) -> float:
        found = self._by_gold.get(gold)
        if found is None:
            found = self._defy * sum(gold >= enough for enough in self.refused)
            found += TRUST * sum([row[MARGIN[margin + gold]] for row, margin in self.answers])
            self._by_gold[gold] = found
        return found


@lru_cache(maxsize=1 << 16)
def best_coins(ones: int, twos: int, threes: int, due: int) -> Coins | None:
    """The coins that cover `due` with the least to spare, then the fewest of them; None if there is not enough."""
    best: tuple[int, int, Coins] | None = None
    for c in range(min(threes, (due + 2) // 3) + 1):
        for b in range(min(twos, max(0, due - 3 * c + 1) // 2) + 1):
            a = max(0, due - 3 * c - 2 * b)
            if a <= ones:
                spare = 3 * c + 2 * b + a - due
                if best is None or (spare, a + b + c) < best[:2]:
                    best = spare, a + b + c, (a, b, c)
    return best[2] if best else None


def purses_of(view: BibliosView, habits: CardHabits) -> list[Purse]:
    """By seat, what the auctions have shown."""
    return _History(view, habits).purses


class _History:
    """The auctions once more: who was known to hold which gold when they bid, passed, paid or refused."""

    def __init__(self, view: BibliosView, habits: CardHabits) -> None:
        self.view = view
        self.flow = view.flow
        self.purses = [Purse(habits, view.setup.default_on_purpose) for _ in view.counts]
        self.known = self._known_at_first()
        self.at = next((i for i, (s, _, _) in enumerate(view.flow) if s not in (DECK, SPACE)), len(view.flow))
        """The index in `flow` of the first step that has not been told again."""
        self.rows = habits.answers
        self.sorts = sorts_of(view.dice)
        bids: dict[Seat, int] = {}
        high = 0
        last = -1
        for lot, seat, move in view.bids:
            if lot != last:
                self._close(last, bids)
                last, bids, high = lot, {}, 0
            if move == REFUSE:
                self._refuse(lot, seat, bids)
                bids, high = {}, 0
            elif move == PASS:
                self._answer(lot, seat, high + 1, 0)
            else:
                bids[seat] = high = move - PASS
        self._close(last, bids)

    def _answer(self, lot: int, seat: Seat, price: int, bid: int) -> None:
        """A pass (0) or a bid (1) at a price."""
        if not self._for_gold(lot) and seat != self.view.me:
            row = self.rows[TIMES * lot // self.view.setup.turns][self.sorts[FIRST[self.view.lots[lot]]]][PRICE[price]][
                bid
            ]
            ones, twos, threes = self.known[seat]
            self.purses[seat].answers.append(Answer(row, ones + 2 * twos + 3 * threes - price))

    def _known_at_first(self) -> list[list[int]]:
        """The gold that each seat is known to have had when the auctions began, by value."""
        known = [[0, 0, 0] for _ in self.view.counts]
        left = [[0, 0, 0] for _ in self.view.counts]
        for source, target, kind in self.flow:
            if GOLD <= kind < CHURCH:
                coin = kind - GOLD
                if source >= 0:
                    if left[source][coin]:
                        left[source][coin] -= 1
                    else:
                        known[source][coin] += 1
                        self.purses[source].shown[coin] += target == DISCARD
                elif source in (DECK, SPACE) and target >= 0:
                    known[target][coin] += 1
                if target >= 0:
                    left[target][coin] += 1
        return known

    def _gold(self, seat: Seat) -> int:
        ones, twos, threes = self.known[seat]
        return ones + 2 * twos + 3 * threes

    def _for_gold(self, lot: int) -> bool:
        """Whether a lot was paid for with cards."""
        return GOLD <= self.view.lots[lot] < CHURCH

    def _close(self, lot: int, bids: dict[Seat, int]) -> None:
        """What the bids for a lot show, and the payment if there was one."""
        if not bids:
            return
        winner = max(bids, key=bids.__getitem__)
        ones, twos, threes = self.known[winner]
        paid = [0, 0, 0]
        if self._for_gold(lot):
            for _ in range(bids[winner]):
                self._next(winner, (BURIED,))
        else:
            for seat, bid in bids.items():
                self._answer(lot, seat, bid, 1)
            due = bids[winner]
            while due > 0 and (kind := self._next(winner, (DISCARD,))) is not None:
                paid[kind - GOLD] += 1
                due -= VALUES[kind]
            if due <= 0:
                self.purses[winner].payments.append(
                    Paid((ones, twos, threes), bids[winner], (paid[0], paid[1], paid[2]))
                )
        if self.at < len(self.flow) and self.flow[self.at][0] == PILE:
            self._next(PILE, (winner,))

    def _refuse(self, lot: int, seat: Seat, bids: dict[Seat, int]) -> None:
        """What a refusal shows, and the penalty."""
        if not self._for_gold(lot):
            self.purses[seat].refused.append(bids.pop(seat) - self._gold(seat))
            for other, bid in bids.items():
                self._answer(lot, other, bid, 1)
        thieves = 1 if self.view.setup.penalty_discards else self.view.setup.seats - 1
        for _ in range(thieves):
            self._next(seat, (FORFEIT, *range(self.view.setup.seats)))

    def _next(self, source: int, targets: tuple[int, ...]) -> int | None:
        """Tell one step again if it goes from there to one of these; its kind."""
        if self.at == len(self.flow):
            return None
        found, target, kind = self.flow[self.at]
        if found != source or target not in targets:
            return None
        self.at += 1
        if GOLD <= kind < CHURCH:
            coin = kind - GOLD
            if source >= 0:
                self.known[source][coin] -= 1
            if target >= 0:
                self.known[target][coin] += 1
        return kind
