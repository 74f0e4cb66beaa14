"""What standing orders answer at the Auction House, and of the Sasquatch."""

import pytest

from games.engine.core import BadOrder, Order
from games.engine.exlibris.cards import labels_of
from games.engine.exlibris.frames import PAY_BID, TAKE_BACK
from tests.engine.exlibris.sitting import GAME, Sitting


def auction():
    """Seat 0 stands on bid 2, with A1, B1 and C1 among its hand cards; it is asked whether it pays."""
    sitting = Sitting(2, "GHO", "GOL", tiles=(3, 18, 14), hands=("A1 B1 C1",))
    sitting.play("0 send 3:2", "1 send home", "1 pass")
    return sitting.first_answers(lambda sitting: sitting.state.question == PAY_BID)


def sasquatch():
    """Seat 1 comes where the Sasquatch of seat 0 stands."""
    sitting = Sitting(2, "SAS", "GOL", tiles=(7, 18))
    sitting.play("0 special 7", "1 send 7")
    assert sitting.state.question == TAKE_BACK and sitting.asked == 0
    return sitting


def answered(sitting, *orders, by=None):
    """What these orders of the seat that is asked answer, as a text."""
    state = sitting.state
    move = GAME.answer(state.view(state.seat if by is None else by), orders)
    return None if move is None else GAME.text(move)


def test_an_order_pays_a_bid_with_its_cards_one_after_the_other():
    sitting = auction()
    pay = Order("pay", "1 B1 A1")
    assert answered(sitting, pay, Order("stay", "1")) == "discard B1"
    assert answered(sitting.play("0 discard B1"), pay) == "discard A1"
    assert sitting.state.same_answer


@pytest.mark.parametrize("value", ["2 B1 A1", "1 B1", "1 A1 B1 C1", "1 B1 M4", "2"])
def test_an_order_of_another_round_or_number_or_with_a_card_that_is_gone_answers_nothing(value):
    sitting = auction()
    assert "M4" not in labels_of(sitting.state.view(0).hand)
    assert answered(sitting, Order("pay", value)) is None


def test_an_order_without_cards_declines_but_does_not_break_off():
    sitting = auction()
    assert answered(sitting, Order("pay", "1")) == "pass"
    assert answered(sitting.play("0 discard B1"), Order("pay", "1")) is None


def test_the_sasquatch_stays_in_that_round():
    sitting = sasquatch()
    assert answered(sitting, Order("stay", "1")) == "pass"
    assert answered(sitting, Order("stay", "2"), Order("pay", "1")) is None
    assert answered(sitting, Order("stay", "1"), by=1) is None


@pytest.mark.parametrize(("kind", "value"), [("pay", "15 B10 B11 S10 S12"), ("pay", "1"), ("stay", "9")])
def test_an_order_reads_back_as_it_is(kind, value):
    assert GAME.order(kind, value) == (kind, value)
    assert len(value) <= 20


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(
            ("pay", value)
            for value in ("", "0", "16", "1 ", "1  A1", "1 A0", "1 A1 A1", "1 A1 A2 A3 A4 A5", "x A1", "1\n")
        ),
        *(("stay", value) for value in ("", "0", "1 A1", "-1")),
        *(("bid", "1"), ("", "")),
    ],
)
def test_what_is_no_order_is_refused_with_what_was_expected(kind, value):
    with pytest.raises(BadOrder, match="expected “pay”, a round and up to four different cards, or “stay” and a round"):
        GAME.order(kind, value)
