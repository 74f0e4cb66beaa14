"""The rules of Biblios, in the order of the rulebook: gift phase, Church cards, auction phase, penalty.

A `Position` asks one small question at a time (rules: Decisions). The methods below first say what is asked, and
then follow the rulebook, one method for each of its paragraphs.
"""

from __future__ import annotations

from games.engine.biblios.cards import (
    BITS,
    BURIED,
    DECK,
    DISCARD,
    EVERYBODY,
    FIRST,
    FIRST_CHURCH,
    FIRST_GOLD,
    FORFEIT,
    GOLD,
    GOLD_1,
    GOLD_2,
    GOLD_3,
    KIND,
    OF_KIND,
    PILE,
    SPACE,
    by_letters,
    gold_in,
    in_categories,
)
from games.engine.biblios.church import first_die, moves_two, second_die
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
    SECOND_DIE,
    TAKE,
    TAKE_GIFT,
    UP,
)
from games.engine.biblios.view import BibliosView, open_view, own_view, public_view
from games.engine.biblios.zones import Zones
from games.engine.core import Move, Seat, View

ONLY_PASS, ONLY_REFUSE = (PASS,), (REFUSE,)
PAY_GOLD_1 = PAY + GOLD
PAYMENTS = by_letters(PAY)
ONES, TWOS, THREES = GOLD_1 >> FIRST_GOLD, GOLD_2 >> FIRST_GOLD, GOLD_3 >> FIRST_GOLD
GOLD_PAYMENTS = [(PAY + kind, OF_KIND[kind]) for kind in range(GOLD, GOLD + 3)]

# The open places of a turn as one number: 1 before oneself, 2 in the auction pile, 4 for each in the public space.
FILLS = (1, 4, 2)
PLACES = tuple(
    tuple(place for place, open_ in ((KEEP, room & 1), (PUBLIC, room >> 2), (AUCTION, room & 2)) if open_)
    for room in range(16)
)


class Position(Zones):
    """A position of Biblios, and what each answer does to it."""

    __slots__ = ()

    # What is asked

    def legal(self) -> tuple[Move, ...]:
        question = self.question
        if question == BID:
            if not self.hands[self.seat]:
                return ONLY_PASS
            bids = self.setup.bids
            return bids[self.high] if bids else self._honest_bids()
        if question == PLACE:
            return PLACES[self.room]
        if question == TAKE_GIFT:
            return self._gifts()
        if question == PAY_GOLD:
            return self._gold_payments()
        if question == PAY_CARDS:
            return self._card_payments()
        if question == DIE:
            return first_die(KIND[self.card], self.dice, self.setup.both_ways)
        if question == SECOND_DIE:
            return second_die(KIND[self.card], self.dice, self.die)
        return ()

    def forced(self) -> Move | None:
        question = self.question
        if question == BID:
            if self.hands[self.seat] and self.high < self.setup.highest_bid:
                return None  # under “honest” only the player knows that they lack the gold
            return PASS
        if question >= PAY_GOLD:
            return None  # only the player knows what they can pay
        legal = self.legal()
        return legal[0] if len(legal) == 1 else None

    @property
    def same_answer(self) -> bool:
        """Within one payment, and from the first die of a Church card to the second."""
        question = self.question
        return question == SECOND_DIE or (question in (PAY_GOLD, PAY_CARDS) and self.due < self.high)

    def play(self, move: Move) -> None:
        question = self.question
        if question == BID:
            self._bid(move)
        elif question == PLACE:
            self._place(move)
        elif question == TAKE_GIFT:
            self._take(move)
        elif move == REFUSE:
            self._punish()
        elif question == PAY_GOLD:
            self._pay_gold(move)
        elif question == PAY_CARDS:
            self._pay_card(move)
        else:
            self._move_die(move)

    # What each seat may know

    def view(self, seat: Seat | None) -> BibliosView:
        public = public_view(self)
        return public if seat is None else own_view(self, public, seat)

    def own_view(self, public: View, seat: Seat) -> BibliosView:
        assert isinstance(public, BibliosView)
        return own_view(self, public, seat)

    def opened(self) -> BibliosView:
        return open_view(self)

    # Gift phase

    def _place(self, move: Move) -> None:
        """The active player puts the top card of the draw pile in one of the places that are open."""
        card = self.deal.deck[self.placed]
        self.placed += 1
        self.room -= FILLS[move]
        if move == PUBLIC:
            self.space |= BITS[card]
        elif move == AUCTION:
            self.given |= BITS[card]
            self.flow = (self.flow, DECK, PILE, card, 1 << self.active)
        elif card >= FIRST_CHURCH:
            self._open_church(card)
            return
        else:
            self.kept = BITS[card]
        if not self.room:
            self._open_space()

    def _open_space(self) -> None:
        """The active player takes the kept card into hand; starting on their left, the others take one each."""
        active = self.active
        if self.kept:
            self.flow = (self.flow, DECK, active, self.kept.bit_length() - 1, 1 << active)
            self.hands[active] |= self.kept
            self.kept = 0
        self.question = TAKE_GIFT
        self.seat = self.setup.after[active][0]

    def _gifts(self) -> tuple[Move, ...]:
        space = self.space
        if not space & (space - 1):
            return (TAKE + KIND[space.bit_length() - 1],)
        gifts = []
        while space:
            kind = KIND[space.bit_length() - 1]
            space &= ~OF_KIND[kind]
            gifts.append(TAKE + kind)
        return tuple(gifts[::-1])

    def _take(self, move: Move) -> None:
        """A player takes a card of the public space into hand; a Church card is resolved instead."""
        equal = self.space & OF_KIND[move - TAKE]
        bit = equal & -equal
        self.space ^= bit
        seat = self.seat
        card = bit.bit_length() - 1
        if card >= FIRST_CHURCH:
            self._open_church(card)
        else:
            self.hands[seat] |= bit
            self.flow = (self.flow, SPACE, seat, card, EVERYBODY)
            self._next_gift()

    def _next_gift(self) -> None:
        """The next player takes; after the last the turn passes to the left, until the draw pile is empty."""
        if self.space:
            self.seat = self.setup.after[self.seat][0]
        elif self.placed < len(self.deal.deck):
            self.active = self.seat = self.setup.after[self.active][0]
            self.room = self.setup.places
            self.question = PLACE
        else:
            self._open_auctions()

    # Church cards

    def _open_church(self, card: int) -> None:
        """A player who acquires a Church card resolves it at once, before anything else goes on."""
        self.card = card
        self.question = DIE

    def _move_die(self, move: Move) -> None:
        """Move one die by 1; two-dice cards ask for another one; then the card is discarded, face up."""
        if move != NO_DIE:
            category, step = (move - UP, 1) if move < DOWN else (move - DOWN, -1)
            dice = list(self.dice)
            dice[category] += step
            self.dice = tuple(dice)
            if self.question == DIE and moves_two(KIND[self.card], self.setup.both_ways):
                self.die = category
                self.question = SECOND_DIE
                return
        self.discard |= BITS[self.card]
        self.card = self.die = -1
        if self.pile:
            self._next_lot()
        elif self.room:
            self.question = PLACE
        elif self.seat == self.active:
            self._open_space()
        else:
            self.question = TAKE_GIFT
            self._next_gift()

    # Auction phase

    def _open_auctions(self) -> None:
        """The pile is shuffled; the first active player of the gift phase is again the first active player."""
        self.pile = self.deal.auction_order(self.given)
        self.active = self.deal.first
        self.sold = 0
        self.card = self.pile[0]
        self._open_bidding()

    def _next_lot(self) -> None:
        """The player to the left of the active player becomes active and turns up the next card."""
        self.sold += 1
        self.banned = 0
        if self.sold == len(self.pile):
            self.question = OVER
            self.seat = None
            return
        self.active = self.setup.after[self.active][0]
        self.card = self.pile[self.sold]
        self._open_bidding()

    def _open_bidding(self) -> None:
        """Starting on the left of the active player, everybody bids except players punished for this card."""
        self.high = 0
        self.bidder = -1
        self.out = self.banned
        seat = self.setup.next_in[self.banned][self.active]
        if seat < 0:
            self._discard_unsold()
        else:
            self.seat = seat
            self.question = BID

    def _honest_bids(self) -> tuple[Move, ...]:
        """Under “honest” nobody bids more than they can pay (rules: Table options)."""
        hand = self.hands[self.seat]
        can_pay = hand.bit_count() if FIRST_GOLD <= self.card < FIRST_CHURCH else gold_in(hand)
        return (PASS, *range(PASS + self.high + 1, PASS + min(can_pay, self.setup.highest_bid) + 1))

    def _bid(self, move: Move) -> None:
        """Bidding goes round until one bidder is left, or all have passed."""
        seat = self.seat
        self.bids += ((self.sold, seat, move),)
        if move == PASS:
            self.out |= 1 << seat
        else:
            self.high = move - PASS
            self.bidder = seat
        following = self.setup.next_in[self.out][seat]
        if following != self.bidder:
            self.seat = following
        elif following >= 0:
            self._open_payment()
        else:  # nobody is left, and nobody has bid
            self._discard_unsold()

    def _discard_unsold(self) -> None:
        """A card that nobody may have, or wants, is discarded face up."""
        self.discard |= BITS[self.card]
        self.card = -1
        self._next_lot()

    def _open_payment(self) -> None:
        """Gold pays for any card but gold; any cards, face down, pay for gold."""
        self.seat = self.bidder
        self.due = self.high
        if FIRST_GOLD <= self.card < FIRST_CHURCH:
            self.question = PAY_CARDS
            self.bound = 0
        else:
            self.question = PAY_GOLD
            self.bound = GOLD + 2

    def _gold_payments(self) -> tuple[Move, ...]:
        """Gold, the dearest first: a value is offered only if cards of that value or less can still make up the bid."""
        gold = self.hands[self.seat] >> FIRST_GOLD
        due = self.due
        ones = (gold & ONES).bit_count()
        twos = (gold & TWOS).bit_count()
        threes = (gold & THREES).bit_count()
        small = ones + 2 * twos
        if small + 3 * threes < due:
            return ONLY_REFUSE
        offers = []
        if ones >= due:
            offers.append(PAY_GOLD_1)
        if twos and small >= due and self.bound > GOLD:
            offers.append(PAY_GOLD_1 + 1)
        if threes and self.bound == GOLD + 2:
            offers.append(PAY_GOLD_1 + 2)
        return self._or_refuse(offers)

    def _card_payments(self) -> tuple[Move, ...]:
        """Any cards, in the order of the card list: one is offered only if enough cards follow."""
        first = FIRST[self.bound]
        cards = self.hands[self.seat] >> first << first
        spare = cards.bit_count() - self.due + 1
        if spare <= 0:
            return ONLY_REFUSE
        offers = [*in_categories(cards, PAYMENTS)[:spare]]
        spare -= len(offers)
        for move, equal in GOLD_PAYMENTS:
            if spare > 0 and cards & equal:
                offers.append(move)
                spare -= (cards & equal).bit_count()
        return self._or_refuse(offers)

    def _or_refuse(self, offers: list[Move]) -> tuple[Move, ...]:
        """The winner may refuse at the first question; a winner who cannot pay can do nothing else."""
        if self.due == self.high and (self.setup.default_on_purpose or not offers):
            offers.insert(0, REFUSE)
        return tuple(offers)

    def _pay_gold(self, move: Move) -> None:
        """Gold is shown and discarded face up. It is enough as soon as the bid is covered."""
        kind = move - PAY
        card, bit = self._spend(kind)
        self.discard |= bit
        self.flow = (self.flow, self.seat, DISCARD, card, EVERYBODY)
        self.bound = kind
        self.due -= kind - GOLD + 1
        if self.due <= 0:
            self._acquire()

    def _pay_card(self, move: Move) -> None:
        """Cards for gold are discarded face down: the others learn the number only."""
        kind = move - PAY
        card, bit = self._spend(kind)
        self.buried |= bit
        self.flow = (self.flow, self.seat, BURIED, card, 1 << self.seat)
        self.bound = kind
        self.due -= 1
        if not self.due:
            self._acquire()

    def _spend(self, kind: int) -> tuple[int, int]:
        hand = self.hands[self.seat]
        equal = hand & OF_KIND[kind]
        bit = equal & -equal
        self.hands[self.seat] = hand ^ bit
        return bit.bit_length() - 1, bit

    def _acquire(self) -> None:
        """The winner takes the card into hand; a Church card is resolved instead."""
        card = self.card
        self.high = self.due = self.bound = 0
        if card >= FIRST_CHURCH:
            self._open_church(card)
            return
        seat = self.seat
        self.hands[seat] |= BITS[card]
        self.flow = (self.flow, PILE, seat, card, EVERYBODY)
        self.card = -1
        self._next_lot()

    # Penalty

    def _punish(self) -> None:
        """The others draw a card each, or one is discarded; the card is auctioned again without the punished player."""
        punished = self.seat
        self.bids += ((self.sold, punished, REFUSE),)
        setup, deal, hands = self.setup, self.deal, self.hands
        hand = hands[punished]
        for thief in setup.after[punished]:
            if not hand:
                break
            card = deal.steal(self.draws, hand)
            self.draws += 1
            bit = BITS[card]
            hand ^= bit
            if setup.penalty_discards:
                self.discard |= bit
                self.flow = (self.flow, punished, FORFEIT, card, EVERYBODY)
                break
            hands[thief] |= bit
            self.flow = (self.flow, punished, thief, card, 1 << punished | 1 << thief)
        hands[punished] = hand
        self.banned |= 1 << punished
        self.due = self.bound = 0
        self._open_bidding()
