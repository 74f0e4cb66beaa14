"""Moves that are none: unknown, not possible now, by the wrong seat, after the end."""

import pytest

from games.engine.core import BadMove, IllegalMove, RulesError, WrongSeat
from tests.engine.biblios.sitting import GAME, Sitting

SITTINGS = {
    "place": Sitting(3),
    "take": Sitting(2, "M2A P2A G1").play("0 keep", "0 auction", "0 public"),
    "dice": Sitting(2, "C++ P2A G1").play("0 keep"),
    "second die": Sitting(2, "C++ P2A G1").play("0 keep", "0 dice M+"),
    "bid": Sitting.at_auction("G1", "G1", pile="M2A").play("1 bid 3"),
    "pay": Sitting.at_auction("G1", "G1 G2", pile="M2A").play("1 bid 1", "0 pass"),
}
EVERY_QUESTION = pytest.mark.parametrize("sitting", SITTINGS.values(), ids=SITTINGS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bid",
        "bid 0",
        "bid 67",
        "bid -1",
        "bid 03",
        "bid 3 ",
        " bid 3",
        "bid  3",
        "bid ３",
        "BID 3",
        "Keep",
        "take M1A",
        "take",
        "take m2a",
        "pay C+",
        "dice M",
        "dice M++",
        "dice X+",
        "discard",
        "keep\n",
        "\ud800",
        "🎲",
        "x" * 100_000,
        None,
        3,
        ["pass"],
        {"bid": 3},
        float("nan"),
    ],
    ids=lambda text: ascii(text)[:20],
)
def test_an_unknown_text_is_no_move(text):
    with pytest.raises(BadMove) as caught:
        GAME.move(text)
    message = str(caught.value)
    assert "is no move; expected one like" in message
    assert len(message.encode()) < 400


@pytest.mark.parametrize("text", ["keep", "take C+-", "dice none", "dice S-", "bid 66", "pass", "pay G3", "refuse"])
def test_a_move_reads_back_as_it_was_written(text):
    assert GAME.text(GAME.move(text)) == text


@EVERY_QUESTION
def test_an_illegal_move_is_refused_with_those_that_were_expected(sitting):
    before = sitting.state.key()
    answers = sitting.answers()
    for text in ("keep", "public", "take M2B", "dice F+", "bid 2", "pass", "refuse", "pay G3"):
        if text not in answers:
            with pytest.raises(IllegalMove) as caught:
                sitting.state.after(GAME.move(text), sitting.asked)
            assert not isinstance(caught.value, WrongSeat)
            assert f"“{text}” is not possible now" in str(caught.value)
            assert answers[0] in str(caught.value)
            assert list(caught.value.expected) == answers
    assert sitting.state.key() == before


@EVERY_QUESTION
@pytest.mark.parametrize("seat", [-1, 0, 1, 2, 9])
def test_a_move_by_a_seat_that_is_not_asked_is_refused(sitting, seat):
    if seat == sitting.asked:
        return
    before = sitting.state.key()
    with pytest.raises(WrongSeat, match=rf"by seat {seat}, but seat {sitting.asked} is asked"):
        sitting.state.after(sitting.state.legal()[0], seat)
    assert sitting.state.key() == before


def test_a_move_after_the_end_is_refused():
    sitting = Sitting.at_auction("G1", "G1", pile="M2A").play("1 pass", "0 pass")
    before = sitting.state.key()
    for seat in (None, 0, 1):
        with pytest.raises(IllegalMove, match=r"“pass” comes after the end of the game; no move was expected"):
            sitting.state.after(GAME.move("pass"), seat)
    assert sitting.state.key() == before


@EVERY_QUESTION
def test_a_legal_move_leaves_the_position_that_it_was_made_in(sitting):
    before = sitting.state.key()
    for move in sitting.state.legal():
        assert sitting.state.after(move, sitting.asked).key() != before
    assert sitting.state.key() == before


def test_all_these_errors_are_of_one_family():
    assert issubclass(BadMove, RulesError)
    assert issubclass(WrongSeat, IllegalMove)
    assert issubclass(IllegalMove, RulesError)
