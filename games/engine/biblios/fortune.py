"""What the card that has just come is worth, and what each other card would have been that was as likely to come.

A card of the draw pile is worth what is best to do with it, by the view of the seat that draws it. A lot goes to
whoever would pay more for it by their own view, for as much as the other would not; it is worth what is then, by both
views. Cards that differ only in the letter count as the first of those that are left. For two players: with more,
nobody can say yet what anything is worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.engine.biblios.cards import KIND
from games.engine.biblios.greedy import SORT
from games.engine.biblios.haste import settled
from games.engine.biblios.notation import BID, PLACE
from games.engine.biblios.outlook import by_seat, placed
from games.engine.biblios.rules import Position
from games.engine.biblios.situation import SeatSituation
from games.engine.biblios.value import Value, value_for
from games.engine.biblios.view import BibliosView
from games.engine.biblios.weigher import Weigher
from games.engine.core import Chance, TwoShares


def chances(state: Position) -> list[Chance]:
    """The card that has just come, then the others; none if none has come."""
    if state.question == PLACE:
        view = state.view(state.seat)
        sorts = _sorts(state.deal.deck[state.placed :])
        return [Chance(ways, placed(view.with_(drawn=kind))) for kind, ways in sorts]
    if state.question == BID and settled(state) and not state.banned:
        views = [state.view(seat) for seat in range(len(state.hands))]
        return [Chance(ways, _sold(views, kind)) for kind, ways in _sorts(state.pile[state.sold :])]
    return []


def _sorts(cards: Sequence[int]) -> list[tuple[int, int]]:
    """A kind of each sort among these cards, and how many of the sort there are; that of the first card comes first."""
    kinds = [KIND[card] for card in cards]
    first: dict[int, int] = {}
    for kind in kinds:
        first[SORT[kind]] = min(kind, first.get(SORT[kind], kind))
    return [(first[sort], ways) for sort, ways in Counter(SORT[kind] for kind in kinds).items()]


def _sold(views: Sequence[BibliosView], kind: int) -> TwoShares:
    """The shares once a card of this kind has been sold."""
    value = value_for(len(views))
    bidders = [_Bidder(view.with_(card=kind, lots=(*view.lots[:-1], kind)), value) for view in views]
    limits = [bidder.limit() for bidder in bidders]
    buyer = views[0].seat if limits[0] == limits[1] else limits.index(max(limits))
    assert buyer is not None
    price = min(limits[buyer], min(limits) + 1)
    seen = [bidder.shares(buyer, price) for bidder in bidders]
    first, second = [tuple([sum(both) / 2 for both in zip(*[it[at] for it in seen], strict=True)]) for at in (0, 1)]
    return first, second


class _Bidder:
    """One of two seats at an auction."""

    def __init__(self, view: BibliosView, value: Value) -> None:
        assert view.me is not None
        self.me, self.value, self.weigher = view.me, value, Weigher(view, value)

    def limit(self) -> int:
        """The most that it would pay rather than leave the lot to the other for that; 0 if it does not want it."""
        price, worth = 0, self.value.worth
        while True:
            bought = self._after(self.me, price + 1)
            if bought is None or worth(bought) <= worth(self.weigher.sold(1 - self.me, price + 1)):
                return price
            price += 1

    def _after(self, buyer: int, price: int) -> SeatSituation | None:
        """The situation once somebody has bought the lot; None if they cannot."""
        if not price:
            return self.weigher.base
        if buyer != self.me:
            return self.weigher.sold(buyer, price)
        paid = self.weigher.payment(price)
        return None if paid is None else self.weigher.bought(paid)

    def shares(self, buyer: int, price: int) -> TwoShares:
        """The shares once somebody has bought the lot, or nobody for nothing."""
        after = self._after(buyer, price)
        assert after is not None
        first, second = self.value.shares(after)
        return by_seat(first, self.me), by_seat(second, self.me)
