"""What a view is worth: the shares of the win that each seat may expect, by what one seat knows."""

from __future__ import annotations

from games.engine.biblios.deal import cards_for
from games.engine.biblios.notation import BID, DIE, PAY_CARDS, PAY_GOLD, PLACE, SECOND_DIE, TAKE_GIFT
from games.engine.biblios.scoring import score, standing
from games.engine.biblios.situation import SeatSituation, situation
from games.engine.biblios.value import value_for
from games.engine.biblios.view import BibliosView
from games.engine.biblios.weigher import Weigher

Shares = tuple[float, ...]


def values(view: BibliosView, since: BibliosView | None = None) -> tuple[Shares, Shares]:
    """By each of the two nets, what part of the win each seat may expect; at the end, the result.

    In a position that was drawn for another view, `since`, hidden hands are believed to be as that one says.
    """
    if view.over:
        result = _result(view)
        return result, result
    assert view.me is not None
    value = value_for(view.setup.seats)
    calm = view.question == BID or (view.question == PLACE and view.room == view.setup.places)
    first, second = value.shares(situation(view, since) if calm else _ahead(view, Weigher(view, value, since)))
    return _by_seat(first, view.me), _by_seat(second, view.me)


def placed(view: BibliosView) -> tuple[Shares, Shares]:
    """The same, once the seat that looks has put the card that it has drawn where that is best."""
    value = value_for(view.setup.seats)
    first, second = value.shares(_ahead(view, Weigher(view, value)))
    assert view.me is not None
    return _by_seat(first, view.me), _by_seat(second, view.me)


def _ahead(view: BibliosView, weigher: Weigher) -> SeatSituation:
    """The situation when what is being done has been done, before the next card is known."""
    question = view.question
    if question in (PAY_GOLD, PAY_CARDS):
        return weigher.sold(view.bidder, view.due)
    if view.seat == view.me:
        return max((weigher.after(move) for move in view.legal), key=weigher.value.worth)
    if question in (DIE, SECOND_DIE):
        return weigher.resolved()
    assert question in (PLACE, TAKE_GIFT)
    return situation(view, weigher.since)


def _by_seat(shares: Shares, me: int) -> Shares:
    """Shares from the one who looks on, as shares from seat 0 on."""
    seats = len(shares)
    return tuple([shares[(seat - me) % seats] for seat in range(seats)])


def _result(view: BibliosView) -> Shares:
    hands = []
    for kinds in view.hands:
        cards = cards_for(kinds or ())
        assert cards is not None
        hands.append(sum(1 << card for card in cards))
    places = standing(hands, score(hands, view.dice), view.setup.final_tie).places
    return tuple([(place == 1) / places.count(1) for place in places])
