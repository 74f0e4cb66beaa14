"""Weighs the answers to a question by what a value says of the situation after each of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from games.engine.biblios.cards import CHURCH, GOLD, VALUES
from games.engine.biblios.church import first_die, moves_two, second_die
from games.engine.biblios.features import Forecast
from games.engine.biblios.greedy import SORT, cheapest_gold
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
    TAKE,
    TAKE_GIFT,
    UP,
)
from games.engine.biblios.rivals import Rivals
from games.engine.biblios.situation import SeatSituation, situation
from games.engine.biblios.view import BibliosView
from games.engine.core import Move, Seat

UNLIKELY = 0.01
"""What is less likely at an auction is not followed any further."""
DEAREST = 12
"""Nobody is thought to bid more."""


class Worth(Protocol):
    """What says how good a situation is."""

    def worth(self, of: SeatSituation, /) -> float:
        """The part of the win that the one who looks may expect."""


class Outcomes:
    """How likely it is that each seat gets a lot, and for how much; seat 0 stands for nobody."""

    def __init__(self) -> None:
        self.of: dict[Seat, tuple[float, float]] = {}
        """By seat, the chance, and the sum of prices, each times its chance."""

    def add(self, seat: Seat, likely: float, price: int) -> None:
        """A seat gets the lot for a price with a chance."""
        before, prices = self.of.get(seat, (0.0, 0.0))
        if likely:
            self.of[seat] = before + likely, prices + likely * price


class Weigher:
    """Weighs the answers of the seat of a view."""

    def __init__(self, view: BibliosView, value: Worth, since: BibliosView | None = None) -> None:
        self.view = view
        self.value = value
        self.since = since
        """See `situation`."""
        self.seats = view.setup.seats
        self.base = situation(view, since, quiet=False)
        """The situation with the card that is being drawn, sold or resolved nowhere."""

    # Answers

    def weighed(self) -> dict[Move, float]:
        """By answer, the part of the win that it leaves; answers that are never worth a thought are left out."""
        question = self.view.question
        if question == BID:
            return self._bids()
        if question == PAY_GOLD:
            return dict.fromkeys([self._coin()], 0.0)
        if question == PAY_CARDS:
            return dict.fromkeys([self._cards_to_pay()], 0.0)
        return {move: self.value.worth(self.after(move)) for move in self.view.legal}

    def after(self, move: Move) -> SeatSituation:
        """What an answer to a question about a place, a gift or a die leads to."""
        question = self.view.question
        if question == PLACE:
            return self._placed(move)
        if question == TAKE_GIFT:
            return self._taken(move - TAKE)
        new = self.base.copy()
        new.dice = self._dice(move)
        return new

    def _placed(self, move: Move) -> SeatSituation:
        kind = self.view.drawn
        assert kind is not None
        new = self.base.copy()
        may_keep, may_give, may_put = new.open_
        if move == KEEP:
            new.open_ = 0, may_give, may_put
            self._gain(new, 0, kind)
        elif move == PUBLIC:
            new.open_ = may_keep, may_give - 1, may_put
            if kind >= CHURCH:
                self._gain(new, 1, kind)
            else:
                new.offer(kind)
        else:
            assert move == AUCTION
            new.open_ = may_keep, may_give, 0
            new.shelve(kind)
        return new

    def _taken(self, kind: int) -> SeatSituation:
        new = self.base.copy()
        new.takers = [seat for seat in new.takers if seat]
        new.withdraw(kind)
        self._gain(new, 0, kind)
        return new

    def _gain(self, new: SeatSituation, seat: int, kind: int) -> None:
        """A seat gets a card; a Church card moves the dice as that seat likes."""
        if kind < CHURCH:
            new.receive(seat, kind)
        else:
            new.dice = self._moved(new, seat, kind)

    # Dice

    def _dice(self, move: Move) -> list[int]:
        """The dice after an answer, with the best second die."""
        view = self.view
        dice = _turned(self.base.dice, move)
        assert view.card is not None
        if view.question == DIE and move != NO_DIE and moves_two(view.card, view.setup.both_ways):
            first = (move - UP) % 5
            seconds = second_die(view.card, tuple(dice), first)
            gains = self._gains(self._forecast, 0)
            dice = _turned(dice, max(seconds, key=lambda second: _gain_of(gains, second)))
        return dice

    @cached_property
    def _forecast(self) -> Forecast:
        return Forecast(self.base)

    def _gains(self, forecast: Forecast, seat: int) -> list[float]:
        """By category, what a seat gains over the average of the others when the die goes up."""
        others = self.seats - 1
        return [chances[seat] - (1.0 - chances[seat]) / others for chances in forecast.chances]

    def _moved(self, new: SeatSituation, seat: int, church: int) -> list[int]:
        """The dice as a seat likes them best after a Church card."""
        both_ways = self.view.setup.both_ways
        gains = self._gains(Forecast(new), seat)
        best, dice = 0.0, new.dice
        for first in first_die(church, tuple(new.dice), both_ways):
            if first == NO_DIE:
                continue
            once = _turned(new.dice, first)
            gain = _gain_of(gains, first)
            if moves_two(church, both_ways):
                second = max(
                    second_die(church, tuple(once), (first - UP) % 5), key=lambda second: _gain_of(gains, second)
                )
                once = _turned(once, second)
                gain += _gain_of(gains, second)
            if gain > best:
                best, dice = gain, once
        return dice

    # Auctions

    def _bids(self) -> dict[Move, float]:
        """Pass, and the lowest bid: those above it cost more and win no more."""
        view = self.view
        weighed = {PASS: self.lost()}
        won = self.won(view.high + 1)
        if won is not None:
            price, worth = won
            weighed[PASS + price] = self._bid(price, worth)
        return weighed

    def won(self, bid: int) -> tuple[int, float] | None:
        """What it costs, and what is left of the win, if I get the lot for a bid; None if I cannot pay it.

        Without change a bid may come to more: then it might as well be that much higher.
        """
        view = self.view
        if PASS + bid not in view.legal:
            return None
        paid = self.payment(bid)
        if paid is None:
            return None
        price = bid if self.for_cards else min(sum(VALUES[coin] for coin in paid), view.legal[-1] - PASS)
        return price, self.value.worth(self.bought(paid))

    @property
    def for_cards(self) -> bool:
        """Whether the lot is gold, which is paid with cards."""
        return self.view.card is not None and GOLD <= self.view.card < CHURCH

    def payment(self, due: int) -> list[int] | None:
        """What I would pay for the lot; None if I cannot."""
        hand = self.view.hand
        if self.for_cards:
            return self._given_up(hand, due) if due <= len(hand) else None
        return cheapest_gold([kind for kind in hand if kind >= GOLD], due)

    def bought(self, paid: Sequence[int]) -> SeatSituation:
        """I have the lot, and have paid with these cards."""
        assert self.view.card is not None
        new = self.base.copy()
        new.give_up(paid, self.view.hand)
        self._gain(new, 0, self.view.card)
        return new

    def lost(self) -> float:
        """What is left of the win if I pass, by who is likely to get the lot then, and for how much."""
        view = self.view
        assert view.me is not None
        outcomes = Outcomes()
        self.follow(outcomes, 1.0, view.high, (view.bidder - view.me) % self.seats if view.high else 0, self.staying, 0)
        return self._worth_of(outcomes)

    def _bid(self, price: int, won: float) -> float:
        """What is left if I bid so much, and pass if somebody bids more; `won` is left if I get the lot for it."""
        outcomes = Outcomes()
        unanswered = 1.0
        staying = self.staying
        for seat in self.staying:
            more = unanswered * self._rivals.stays(seat, price + 1)
            self.follow(outcomes, more, price + 1, seat, staying, seat)
            unanswered -= more
            staying = tuple([other for other in staying if other != seat])
        return unanswered * won + self._worth_of(outcomes)

    @cached_property
    def _rivals(self) -> Rivals:
        return Rivals(self.view, self.base, self._forecast)

    @cached_property
    def staying(self) -> tuple[Seat, ...]:
        """The rivals who may still get the lot, in the order in which they are asked."""
        view = self.view
        assert view.me is not None
        seats = [(view.me + i) % self.seats for i in range(1, self.seats)]
        return tuple(
            [i for i, seat in enumerate(seats, 1) if (view.high and seat == view.bidder) or not view.out >> seat & 1]
        )

    def follow(
        self, outcomes: Outcomes, likely: float, high: int, bidder: Seat, staying: tuple[Seat, ...], last: Seat
    ) -> None:
        """Who gets the lot, and for how much, among those who stay, when I have passed; seats are numbered from mine.

        `bidder` bids `high` (0: nobody, nothing); the one after `last` is asked.
        """
        if likely < UNLIKELY:
            outcomes.add(bidder, likely, high)
            return
        asked = next((seat for seat in staying if seat > last), staying[0] if staying else 0)
        if not staying or (asked == bidder and len(staying) == 1):
            outcomes.add(bidder, likely, high)
            return
        if asked == bidder:
            self.follow(outcomes, likely, high, bidder, staying, asked)
            return
        more = likely * (self._rivals.stays(asked, high + 1) if high < DEAREST else 0.0)
        if more:
            self.follow(outcomes, more, high + 1, asked, staying, asked)
        left = tuple([seat for seat in staying if seat != asked])
        self.follow(outcomes, likely - more, high, bidder, left, asked)

    def _worth_of(self, outcomes: Outcomes) -> float:
        """What outcomes leave of the win, each as likely as it is."""
        assert self.view.me is not None
        whole = 0.0
        for seat, (likely, prices) in outcomes.of.items():
            if seat:
                new = self.sold((self.view.me + seat) % self.seats, max(1, int(prices / likely + 0.5)))
            else:
                new = self.base
            whole += likely * self.value.worth(new)
        return whole

    def sold(self, seat: int, due: int) -> SeatSituation:
        """A seat has got the lot, and has paid what is due."""
        view = self.view
        assert view.card is not None and view.me is not None
        if seat == view.me:
            paid = self.payment(due)
            return self.bought(paid) if paid is not None else self.base
        new = self.base.copy()
        buyer = (seat - view.me) % self.seats
        if self.for_cards:
            new.bury(buyer, due)
        else:
            new.pay_gold(buyer, due, (due + 1) // 2)
        self._gain(new, buyer, view.card)
        return new

    def resolved(self) -> SeatSituation:
        """The seat that is asked has moved the dice as it likes."""
        view = self.view
        assert view.card is not None and view.me is not None and view.seat is not None
        new = self.base.copy()
        seat = (view.seat - view.me) % self.seats
        if view.question == DIE:
            new.dice = self._moved(new, seat, view.card)
        else:
            gains = self._gains(self._forecast, seat)
            moves = second_die(view.card, view.dice, view.die)
            new.dice = _turned(new.dice, max(moves, key=lambda move: _gain_of(gains, move)))
        return new

    def _given_up(self, cards: Sequence[int], number: int) -> list[int]:
        """The cards that I miss least when I buy gold, chosen one after another."""
        assert self.view.card is not None
        hand = [*self.view.hand, self.view.card]
        left = sorted(cards, reverse=True)
        chosen: list[int] = []
        losses: dict[int, float] = {}
        before = self._without(chosen, hand)
        for _ in range(number):
            for card in left:
                if SORT[card] not in losses:
                    losses[SORT[card]] = before - self._without([*chosen, card], hand)
            kind = min(left, key=lambda card: losses[SORT[card]])
            before -= losses[SORT[kind]]
            left.remove(kind)
            chosen.append(kind)
            # What else is missed hardly depends on a card of another category.
            losses = {sort: loss for sort, loss in losses.items() if min(sort, GOLD) // 9 != min(kind, GOLD) // 9}
        return chosen

    def _without(self, kinds: Sequence[int], hand: Sequence[int]) -> float:
        new = self.base.copy()
        new.give_up(kinds, hand)
        return self.value.worth(new)

    def _coin(self) -> Move:
        view = self.view
        paid = cheapest_gold([kind for kind in view.hand if GOLD <= kind <= view.bound], view.due)
        return PAY + paid[0] if paid else REFUSE

    def _cards_to_pay(self) -> Move:
        view = self.view
        cards = [kind for kind in view.hand if kind >= view.bound]
        if len(cards) < view.due:
            return REFUSE
        return PAY + min(self._given_up(cards, view.due))


def _turned(dice: Sequence[int], move: Move) -> list[int]:
    """The dice after one has been moved."""
    new = list(dice)
    if move != NO_DIE:
        new[(move - UP) % 5] += 1 if move < DOWN else -1
    return new


def _gain_of(gains: Sequence[float], move: Move) -> float:
    return gains[(move - UP) % 5] * (1 if move < DOWN else -1)
