"""What standing orders answer in the auctions."""

import pytest

from games.engine.core import BadOrder, Order
from tests.engine.biblios.sitting import GAME, Sitting

GOLD = Order("gold", "")


def auction(high=0, pile="M2A G1"):
    """The first lot; the seat that is asked, which has gold for 6, has to say more than `high` or pass."""
    sitting = Sitting.at_auction("G1 G2 G3", "G1 G2 G3", "G1 G2 G3", pile=pile)
    return sitting.play(f"1 bid {high}") if high else sitting


def answered(sitting, *orders, by=None):
    """What these orders of the seat that is asked answer, as a text."""
    state = sitting.state
    move = GAME.answer(state.view(state.seat if by is None else by), orders)
    return None if move is None else GAME.text(move)


@pytest.mark.parametrize(
    ("value", "high", "said"), [("0 4", 0, "bid 1"), ("0 4", 3, "bid 4"), ("0 4", 4, "pass"), ("0 0", 0, "pass")]
)
def test_an_order_for_a_lot_bids_one_more_up_to_its_limit_then_passes(value, high, said):
    assert answered(auction(high), Order("bid", value)) == said


def test_an_order_for_another_lot_answers_nothing():
    assert answered(auction(), Order("bid", "1 4")) is None


def test_all_gold_cards_are_passed_on_but_where_there_is_an_order_for_the_lot():
    gold = auction(pile="G1 M2A")
    assert answered(gold, GOLD) == "pass"
    assert answered(gold, GOLD, Order("bid", "0 4")) == "bid 1"
    assert answered(gold, GOLD, Order("bid", "1 4")) == "pass"
    assert answered(auction(), GOLD) is None


def test_only_the_seat_that_is_asked_has_an_answer():
    assert answered(auction(pile="G1 M2A"), GOLD, by=2) is None


@pytest.mark.parametrize(("kind", "value"), [("bid", "0 4"), ("bid", "12 0"), ("gold", "")])
def test_an_order_reads_back_as_it_is(kind, value):
    assert GAME.order(kind, value) == (kind, value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("bid", value) for value in ("", "0", "0 -1", "0 04", "0 1000", "x 1", "0 4\n")),
        *(("gold", "1"), ("lot", "0 4"), ("", "")),
    ],
)
def test_what_is_no_order_is_refused_with_what_was_expected(kind, value):
    with pytest.raises(BadOrder, match="expected “bid”, a lot and a limit, or “gold”"):
        GAME.order(kind, value)
