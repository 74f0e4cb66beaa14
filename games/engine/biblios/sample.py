"""Determinizations: a position drawn at random among those that a view allows.

The history of the hands is replayed from the view's `flow`, piece by piece. A card that the viewer knows stands for
itself; any other is OPEN until the end, when it becomes one of the cards that the viewer has not seen. A
hidden loss (a penalty between two others, a payment face down) takes any piece of the hand. Where the view shows
later that a hand held a card, an open piece of the hand becomes it, or two pieces exchange what they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import exp
from random import Random
from typing import Any, Final

from games.engine.biblios.cards import (
    BITS,
    BURIED,
    CARDS,
    CHURCH,
    FIRST_CHURCH,
    FIRST_GOLD,
    GOLD,
    HIDDEN,
    KIND,
    OF_KIND,
    PILE,
    VALUES,
    cards_of,
)
from games.engine.biblios.deal import SampledDeal
from games.engine.biblios.evidence import OPEN, Evidence, Step, set_of
from games.engine.biblios.habits import HABITS, CardHabits
from games.engine.biblios.notation import BID, PAY_GOLD
from games.engine.biblios.odds import TRIES_OF_A_CARD, Odds
from games.engine.biblios.options import REMOVED_AT_RANDOM
from games.engine.biblios.rules import Position
from games.engine.biblios.view import BibliosView
from games.engine.core import RulesError

PLAIN: Final = (1 << FIRST_CHURCH) - 1
"""The cards that a hand can hold."""
TRIES: Final = 100
"""Draws before a view is given up. Of 164,000 views of positions reached in play, two needed a second one."""
SWEEPS: Final = 2
"""How often each card of a hand is drawn again to fit what the auctions have shown."""


class Contradiction(RulesError):
    """The view contradicts every draw: it is not the view of a position reached in play."""


@lru_cache(maxsize=16)
def sampler_of(view: BibliosView) -> Sampler:
    """The sampler of a view; those of the last few views are kept, as a search draws many samples of each."""
    return Sampler(view, HABITS[view.setup.seats])


class Sampler:
    """Draws positions from a view, and from nothing but the view; what they share is computed once.

    A sample is meant for the same viewer, and for playing on. Hidden losses are equally likely to have
    taken any card that was not seen to stay; what a rival would rather bid, pay or put in the auction pile is not
    weighed, nor how likely later events make an earlier loss. What a rival's bid shows under the option `honest` binds
    only while that rival is the highest bidder. Where cards were lost and found, a sample may give the *other* seats
    memories of an impossible history: do not sample again from their views of it.
    """

    def __init__(self, view: BibliosView, habits: CardHabits) -> None:
        self.view = view
        self.evidence = evidence = Evidence(view)
        self.odds = Odds(view, habits, evidence.free, evidence.turns, len(evidence.others_lots))
        self.start = _Hands(view, evidence.free, self.odds)
        flow = view.flow
        first_loss = next((i for i, (s, _, kind) in enumerate(flow) if s >= 0 and kind == HIDDEN), len(flow))
        self.start.follow(evidence.steps[:first_loss], None)
        self.steps = evidence.steps[first_loss:]

    def draw(self, rng: Random) -> Position:
        """A position such that `position.view(view.me) == view`. Raises Contradiction."""
        for _ in range(TRIES):
            try:
                return self._draw(rng)
            except Contradiction:
                continue  # one draw in ten thousand or fewer, after long chains of penalties
        raise Contradiction("no position was found that has this view")

    def hands(self, rng: Random) -> list[int]:
        """By seat, the hand of a position that may be so, as a set; faster than `draw`. Raises Contradiction."""
        for _ in range(TRIES):
            try:
                hands, _, _ = self._hands(rng)
            except Contradiction:
                continue
            return [set_of([hands.card[piece] for piece in hand]) for hand in hands.hands]
        raise Contradiction("no position was found that has this view")

    def _hands(self, rng: Random) -> tuple[_Hands, list[int], list[int]]:
        """Hands, the cards put in the auction pile, and the other unknown cards in random order."""
        hands = self.start.copy()
        hands.follow(self.steps, rng)
        given = self._draw_given(hands, rng)
        rest = hands.close(rng, self.view.kept == HIDDEN)
        hands.let_pay(rest, rng)
        return hands, given, rest

    def _draw(self, rng: Random) -> Position:
        view, evidence = self.view, self.evidence
        hands, given, rest = self._hands(rng)
        kept = 1 << hands.kept if view.kept == HIDDEN else evidence.kept
        self._give_unseen(given, rest, hands.free, rng)

        removed = [rest.pop() for _ in range(REMOVED_AT_RANDOM[view.setup.seats])]
        card = hands.card
        deck_size = CARDS - len(evidence.fixed) - len(removed)
        deck = (*[OPEN] * (deck_size - view.deck), *evidence.drawn, *rest)

        state = Position(view.setup, SampledDeal(view.first, (*evidence.fixed, *removed), deck, rng))
        state.question = view.question
        state.seat = view.seat
        state.active = view.active
        state.dice = view.dice
        state.hands = [set_of([card[piece] for piece in hand]) for hand in hands.hands]
        state.discard = evidence.discard | set_of([card[piece] for piece in hands.shown])
        state.buried = set_of([card[piece] for piece in hands.buried])
        state.draws = evidence.draws
        state.placed = deck_size - view.deck
        state.room = view.room
        state.kept = kept
        state.space = evidence.space
        state.given = set_of(given)
        state.card = evidence.card
        state.die = view.die
        if evidence.lots:
            to_come = cards_of(state.given & ~set_of(evidence.lots))
            rng.shuffle(to_come)
            state.pile = (*evidence.lots, *to_come)
            state.sold = len(evidence.lots) - (not view.over)
        state.high = view.high
        state.bidder = view.bidder
        state.out = view.out
        state.banned = view.banned
        state.bids = view.bids
        state.due = view.due
        state.bound = KIND[card[hands.buried[-1]]] if view.bound == HIDDEN else view.bound
        state.flow = self._flow(hands, given)
        return state

    def _draw_given(self, hands: _Hands, rng: Random) -> list[int]:
        """The cards put in the auction pile, with the lots of the others dealt out among their turns."""
        evidence = self.evidence
        given = evidence.given[:]
        others = evidence.others[:]
        rng.shuffle(others)
        for lot in evidence.others_lots:
            given[others.pop()] = lot
        for turn in evidence.my_lots:
            # An equal card of another player may have been turned up, while mine is still to come.
            kind = KIND[given[turn]]
            equal = hands.free & OF_KIND[kind]
            rivals = len(others) * equal.bit_count() / (hands.free.bit_count() or 1)
            if rivals and rng.random() * (1 + rivals) < rivals:
                given[others.pop()] = given[turn]
                given[turn] = hands.known(kind)
        return given

    def _give_unseen(self, given: list[int], rest: list[int], free: int, rng: Random) -> None:
        """Draw the cards in the auction pile that are still open from the rest, to which the Church cards come now."""
        for church in cards_of(free & ~PLAIN):
            rest.insert(int(rng.random() * (len(rest) + 1)), church)
        for index, card in enumerate(given):
            if card == OPEN:
                given[index] = self.odds.take(rest, self.odds.given(self.evidence.given_turns[index]), rng)

    def _flow(self, hands: _Hands, given: Sequence[int]) -> Any:
        """The history as a position keeps it."""
        card = hands.card
        gifts = iter(given)
        flow: Any = None
        for (source, target, _), (known, piece), saw in zip(
            self.view.flow, hands.history, self.evidence.saw, strict=True
        ):
            if target == PILE:
                known = next(gifts)
            elif known == OPEN:
                known = card[piece]
            flow = (flow, source, target, known, saw)
        return flow


class _Hands:
    """The hands, while their history is replayed. A piece is a card on its way through them."""

    def __init__(self, view: BibliosView, free: int, odds: Odds) -> None:
        self.view = view
        self.odds = odds
        self.free = free
        """The cards that are not yet known to be anywhere."""
        self.card: list[int] = []
        """By piece, the card that it is."""
        self.turn: list[int] = []
        """By piece, the kind of the turn in which it was kept."""
        self.hands: list[list[int]] = [[] for _ in view.counts]
        self.buried: list[int] = []
        self.shown: list[int] = []
        """The pieces discarded face up."""
        self.opened: set[int] = set()
        """The pieces that came into a hand unseen."""
        self.settled: set[int] = set()
        """The pieces whose place the viewer knows: their own, and those discarded face up."""
        self.moved: list[int] = []
        """The pieces that a hidden loss took: they may just as well be in the hand they came from."""
        self.guessed: list[int] = []
        """The open pieces that became gold because it was shown: an equal card might have been shown instead."""
        self.history: list[tuple[int, int]] = []
        """For each step of the flow the card, if the viewer knows it, and the piece."""
        self.kept = OPEN

    def copy(self) -> _Hands:
        """An independent copy."""
        new = _Hands.__new__(_Hands)
        new.view = self.view
        new.odds = self.odds
        new.free = self.free
        new.card = self.card[:]
        new.turn = self.turn[:]
        new.hands = [hand[:] for hand in self.hands]
        new.buried = self.buried[:]
        new.shown = self.shown[:]
        new.opened = self.opened.copy()
        new.settled = self.settled.copy()
        new.moved = self.moved[:]
        new.guessed = self.guessed[:]
        new.history = self.history[:]
        new.kept = self.kept
        return new

    def known(self, kind: int) -> int:
        """One more card of a kind, known to be somewhere."""
        free = self.free & OF_KIND[kind]
        bit = free & -free
        self.free ^= bit
        return bit.bit_length() - 1

    def follow(self, steps: Iterable[Step], rng: Random | None) -> None:
        """Replay steps of the flow.

        `rng` draws what is lost; without it nothing may be. Raises Contradiction.
        """
        me = self.view.me
        for (source, target, kind), known, staying, turn, leads in steps:
            piece = OPEN
            if target != PILE:
                if source < 0:
                    piece = len(self.card)
                    self.card.append(known)
                    self.turn.append(turn)
                    if known == OPEN:
                        self.opened.add(piece)
                elif kind == HIDDEN:
                    hand = self.hands[source]
                    assert rng is not None
                    index = self._paid(hand, leads, rng) if target == BURIED else int(rng.random() * len(hand))
                    if self.card[hand[index]] in staying:
                        index = rng.choice(
                            [i for i, piece in enumerate(hand) if self.card[piece] not in staying] or [index]
                        )
                    piece = hand.pop(index)
                    self.moved.append(piece)
                else:
                    piece = self._show(self.hands[source], kind, rng)
                if target >= 0:
                    self.hands[target].append(piece)
                    if source >= 0 and kind != HIDDEN:
                        known = self.card[piece]
                        self.settled.discard(piece)
                        if target != me and piece in self.guessed:
                            self.guessed.remove(piece)
                    if target == me:
                        self.settled.add(piece)
                elif target == BURIED:
                    self.buried.append(piece)
                else:
                    self.shown.append(piece)
                    self.settled.add(piece)
            self.history.append((known, piece))

    def _paid(self, hand: list[int], leads: tuple[int, ...], rng: Random) -> int:
        """The index in a hand of a card paid face down."""
        odds, cards, random = self.odds, self.card, rng.random
        chances = [odds.leading[lead] for lead in leads]
        for _ in range(TRIES_OF_A_CARD):
            index = int(random() * len(hand))
            card = cards[hand[index]]
            chance = odds.paying[card]
            if 0 <= card < FIRST_GOLD:
                chance *= chances[KIND[card] // 9]
            if random() < chance:
                break
        return index

    def _show(self, hand: list[int], kind: int, rng: Random | None) -> int:
        """Take a piece out of a hand that has just been seen to hold a card of this kind."""
        card = self.card
        equal = OF_KIND[kind]
        opens = []
        for index, piece in enumerate(hand):
            if card[piece] == OPEN:
                opens.append(index)
            elif equal >> card[piece] & 1:
                return hand.pop(index)
        open_ = opens[int(rng.random() * len(opens))] if opens and rng else opens[-1] if opens else -1
        if open_ >= 0 and self.free & equal:
            piece = hand.pop(open_)
            card[piece] = self.known(kind)
            if kind >= GOLD:
                self.guessed.append(piece)
            return piece
        # In this sample it went elsewhere, or is still open elsewhere: the two pieces exchange what they are.
        if rng is None:
            raise Contradiction
        piece = hand.pop(open_ if open_ >= 0 else int(rng.random() * len(hand)))
        other = self._elsewhere(piece, kind)
        card[piece], card[other] = card[other], card[piece]
        if card[piece] == OPEN:
            card[piece] = self.known(kind)
        return piece

    def _elsewhere(self, piece: int, kind: int) -> int:
        """A piece out of the viewer's sight that is, or can become, of this kind."""
        card = self.card
        moved = [other for other in self.moved if other != piece and other not in self.settled]
        # Preferably a piece that may be elsewhere; only gold can need another one.
        for others in (moved, [other for hand in self.hands for other in hand if other not in self.settled]):
            for other in others:
                if card[other] != OPEN and KIND[card[other]] == kind:
                    return other
            if self.free & OF_KIND[kind]:
                for other in others:
                    if card[other] == OPEN:
                        return other
                for guess in self.guessed:
                    for other in others:
                        if card[other] != OPEN and KIND[card[other]] == KIND[card[guess]]:
                            # The card shown then was this one: the card that was guessed for it is free again.
                            self.guessed.remove(guess)
                            self.free |= BITS[card[guess]]
                            card[guess], card[other] = card[other], OPEN
                            return other
        raise Contradiction

    def close(self, rng: Random, kept: bool) -> list[int]:
        """Decide every open piece, and what is `kept` if it is hidden; the other unknown cards in random order."""
        random, odds, card, turn = rng.random, self.odds, self.card, self.turn
        rest = cards_of(self.free & PLAIN)
        rest.sort(key=lambda _: random())
        held = set()
        for seat in odds.rivals:
            pieces = [piece for piece in self.hands[seat] if card[piece] == OPEN]
            held.update(pieces)
            for piece in pieces:
                card[piece] = odds.take(rest, odds.held(turn[piece], seat), rng)
            if pieces and odds.purses[seat].telling:
                self._fit_purse(pieces, seat, rest, rng)
        for piece in [piece for piece, known in enumerate(card) if known == OPEN]:
            card[piece] = odds.take(rest, odds.lost(turn[piece]), rng)
        if kept:
            self.kept = odds.take(rest, odds.held(odds.now, -1), rng)
        return rest

    def _fit_purse(self, pieces: list[int], seat: int, rest: list[int], rng: Random) -> None:
        """Draw cards of a rival again, and keep the new one as often as what the auctions have shown is likelier."""
        odds, card, turn = self.odds, self.card, self.turn
        coins = [0, 0, 0]
        for piece in pieces:
            if card[piece] >= FIRST_GOLD:
                coins[KIND[card[piece]] - GOLD] += 1
        worth = odds.surplus(seat, coins)
        for piece in pieces * SWEEPS:
            old = card[piece]
            new = odds.take(rest, odds.held(turn[piece], seat), rng)
            rest.append(old)
            card[piece] = new
            if KIND[old] == KIND[new] or (old < FIRST_GOLD and new < FIRST_GOLD):
                continue
            others = coins[:]
            if old >= FIRST_GOLD:
                others[KIND[old] - GOLD] -= 1
            if new >= FIRST_GOLD:
                others[KIND[new] - GOLD] += 1
            found = odds.surplus(seat, others)
            if found >= worth or rng.random() < exp(found - worth):
                coins, worth = others, found
            else:
                card[piece] = rest.pop()
                rest.append(new)

    def let_pay(self, rest: list[int], rng: Random) -> None:
        """Give a rival enough to pay with: they have paid a part, or may bid only what they can pay."""
        view = self.view
        seat = view.bidder
        if seat in (-1, view.me):
            return
        if view.bound == HIDDEN:
            self._order_payment(self.hands[seat], view.due, view.high - view.due, rng)
        elif view.question == PAY_GOLD and (view.due < view.high or view.setup.honest):
            self._lend_gold(self.hands[seat], view.due, view.bound, rest, rng)
        elif view.question == BID and view.setup.honest and not GOLD <= view.lots[-1] < CHURCH:
            self._lend_gold(self.hands[seat], view.high, GOLD + 2, rest, rng)

    def _order_payment(self, hand: list[int], due: int, paid: int, rng: Random) -> None:
        """Cards are paid in the order of the card list: what was paid comes before enough of what is held."""
        pieces = self.buried[-paid:] + rng.sample(hand, due)
        for piece, card in zip(pieces, sorted(self.card[piece] for piece in pieces), strict=True):
            self.card[piece] = card

    def _lend_gold(self, hand: list[int], need: int, bound: int, rest: list[int], rng: Random) -> None:
        """Exchange cards of the hand, the least useful first, for unseen gold until it covers what is needed."""
        card = self.card

        def worth(card: int) -> int:
            return VALUES[KIND[card]] if GOLD <= KIND[card] <= bound else 0

        missing = need - sum(worth(card[piece]) for piece in hand)
        away = [piece for piece in self.moved if piece not in self.settled and piece not in hand]
        unseen = away + [piece for piece in self.opened if piece not in self.settled and piece not in hand]
        while missing > 0:
            for piece in sorted(hand, key=lambda piece: (worth(card[piece]), piece not in self.opened)):
                have = worth(card[piece])
                better = [(card, other) for other in unseen if worth(card[other]) > have]
                better += [(rest, i) for i, other in enumerate(rest) if worth(other) > have]
                if not better:
                    continue
                if piece not in self.opened:
                    # It was seen to come into a hand, so not every place is possible: prefer one of a lost card.
                    lost = [(card, other) for other in away if worth(card[other]) > have]
                    if not lost and away:
                        other = rng.choice(away)
                        card[piece], card[other] = card[other], card[piece]
                    better = lost or better
                where, i = rng.choice(better)
                card[piece], where[i] = where[i], card[piece]
                missing -= worth(card[piece]) - have
                break
            else:
                raise Contradiction
