"""What the card that has just come is worth, and what each other card would have been that was as likely to come.

A card of the draw pile is worth what is best to do with it, by the view of the seat that draws it. A lot goes to
whoever would pay more for it by their own view, for as much as the other would not; it is worth what is then, by both
views. Cards that differ only in the letter count as the first of those that are left. For two players: with more,
nobody can say yet what anything is worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from games.engine.biblios.cards import GOLD, KIND
from games.engine.biblios.greedy import SORT
from games.engine.biblios.haste import settled
from games.engine.biblios.notation import BID, PLACE
from games.engine.biblios.outlook import by_seat, placed
from games.engine.biblios.rules import Position
from games.engine.biblios.situation import SeatSituation
from games.engine.biblios.value import value_for
from games.engine.biblios.view import BibliosView
from games.engine.biblios.weigher import Weigher
from games.engine.core import Chance, TwoShares

MOST_CARDS = 5
"""So many cards are paid for gold at most."""


def chances(state: Position) -> list[Chance]:
    """The card that has just come, then the others; none if none has come."""
    if state.question == PLACE:
        view = state.view(state.seat)
        sorts = _sorts(state.deal.deck[state.placed :])
        return [Chance(ways, placed(view.with_(drawn=kind))) for kind, ways in sorts]
    if state.question == BID and settled(state) and not state.banned:
        bidders = [Bidder(state.view(seat)) for seat in range(len(state.hands))]
        return [Chance(ways, _sold(bidders, kind)) for kind, ways in _sorts(state.pile[state.sold :])]
    return []


def _sorts(cards: Sequence[int]) -> list[tuple[int, int]]:
    """A kind of each sort among these cards, and how many of the sort there are; that of the first card comes first."""
    kinds = [KIND[card] for card in cards]
    first: dict[int, int] = {}
    for kind in kinds:
        first[SORT[kind]] = min(kind, first.get(SORT[kind], kind))
    return [(first[sort], ways) for sort, ways in Counter(SORT[kind] for kind in kinds).items()]


def _sold(bidders: Sequence[Bidder], kind: int) -> TwoShares:
    """The shares once a card of this kind has been sold."""
    for bidder in bidders:
        bidder.look_at(kind)
    limits = [bidder.limit() for bidder in bidders]
    first_asked = bidders[0].view.seat
    assert first_asked is not None
    buyer = first_asked if limits[0] == limits[1] else limits.index(max(limits))
    price = min(limits[buyer], min(limits) + 1)
    seen = [bidder.shares(buyer, price) for bidder in bidders]
    first, second = [tuple([sum(both) / 2 for both in zip(*[it[at] for it in seen], strict=True)]) for at in (0, 1)]
    return first, second


class Bidder:
    """One of two seats at an auction."""

    def __init__(self, view: BibliosView) -> None:
        assert view.me is not None
        self.view, self.me, self.value = view, view.me, value_for(view.setup.seats)
        self.weigher = Weigher(view, self.value)

    def look_at(self, kind: int) -> None:
        """From now on a card of this kind is the lot."""
        self.weigher = self._weigher(kind)

    def limit(self) -> int:
        """The most that it would pay for the lot rather than leave it to the other; 0 if it does not want it."""
        price, worth = 0, self.value.worth
        while True:
            bought = self._after(self.me, price + 1)
            if bought is None or worth(bought) <= worth(self.weigher.sold(1 - self.me, price + 1)):
                return price
            price += 1

    def _weigher(self, kind: int) -> Weigher:
        """What weighs what comes of a lot of this kind."""
        return Weigher(self.view.with_(card=kind, lots=(*self.view.lots[:-1], kind)), self.value)

    @cached_property
    def _spare(self) -> list[int]:
        """The cards that it misses least, in that order: it pays with them for gold, whichever gold it is."""
        return self._weigher(GOLD).payment(min(MOST_CARDS, len(self.view.hand))) or []

    def _after(self, buyer: int, price: int) -> SeatSituation | None:
        """The situation once somebody has bought the lot; None if they cannot."""
        weigher = self.weigher
        if not price:
            return weigher.base
        if buyer != self.me:
            return weigher.sold(buyer, price)
        if weigher.for_cards:
            return weigher.bought(self._spare[:price]) if price <= len(self._spare) else None
        paid = weigher.payment(price)
        return None if paid is None else weigher.bought(paid)

    def shares(self, buyer: int, price: int) -> TwoShares:
        """The shares once somebody has bought the lot, or nobody for nothing."""
        after = self._after(buyer, price)
        assert after is not None
        first, second = self.value.shares(after)
        return by_seat(first, self.me), by_seat(second, self.me)
