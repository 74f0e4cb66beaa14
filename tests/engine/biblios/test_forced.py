"""Which moves are made at once, because everybody can see that there is no other, and which are not."""

from random import Random

import pytest

from games.engine.biblios.notation import BID, PAY_CARDS, PAY_GOLD
from tests.engine.biblios.sitting import GAME, Sitting, lively_game, recorded
from tests.engine.promises import random_game


def forced_at(sitting, move):
    assert sitting.answers() == [move]
    return sitting.forced() == move


def answered_by_the_player(sitting, move):
    assert sitting.answers() == [move]
    return sitting.forced() is None


def test_the_last_place_is_forced():
    assert forced_at(Sitting(2).play("0 keep", "0 auction"), "public")
    assert forced_at(Sitting(2).play("0 public", "0 auction"), "keep")
    assert forced_at(Sitting(2).play("0 public", "0 keep"), "auction")


def test_the_last_places_in_the_public_space_are_forced_one_after_the_other():
    sitting = Sitting(4).play("0 keep", "0 auction")
    for _ in range(3):
        assert forced_at(sitting, "public")
        sitting.play("0 public")


def test_the_last_card_of_the_public_space_is_forced():
    sitting = Sitting(3, "M2A P2A G1 G2").play("0 keep", "0 auction", "0 public", "0 public")
    assert sitting.forced() is None
    assert forced_at(sitting.play("1 take G1"), "take G2")


def test_equal_cards_in_the_public_space_are_forced():
    sitting = Sitting(3, "M2A P2A G1 G1").play("0 keep", "0 auction", "0 public", "0 public")
    assert forced_at(sitting, "take G1")


def test_dice_that_cannot_move_otherwise_are_forced():
    sitting = Sitting.at_auction("G1", "G1", pile="C++", dice=(6, 6, 6, 4, 6))
    assert forced_at(sitting.play("1 bid 1", "0 pass", "1 pay G1"), "dice none")
    sitting = Sitting.at_auction("G1", "G1", pile="C--", dice=(1, 2, 1, 4, 1))
    sitting.play("1 bid 1", "0 pass", "1 pay G1")
    assert sitting.forced() is None
    assert forced_at(sitting.play("1 dice P-"), "dice S-")


@pytest.mark.parametrize("penalty", ["transfer", "discard", "honest"])
@pytest.mark.parametrize("lot", ["M2A", "G1"])
def test_a_pass_with_an_empty_hand_is_forced(penalty, lot):
    assert forced_at(Sitting.at_auction("G1", "", pile=lot, penalty=penalty), "pass")


@pytest.mark.parametrize(("seats", "highest"), [(2, 54), (3, 60), (4, 66)])
def test_a_pass_under_the_highest_bid_there_is_is_forced(seats, highest):
    sitting = Sitting.at_auction(*["G1"] * seats, pile="M2A").play(f"1 bid {highest}")
    for _ in range(seats - 1):
        assert forced_at(sitting, "pass")
        sitting.play(f"{sitting.asked} pass")
    assert sitting.answers() == ["refuse"]


def test_a_winner_who_cannot_pay_answers_in_person():
    for lot in ("M2A", "G1"):
        sitting = Sitting.at_auction("G1", "G1", pile=lot).play("1 bid 2", "0 pass")
        assert answered_by_the_player(sitting, "refuse")


def test_a_winner_who_cannot_pay_for_gold_answers_in_person_though_all_can_count_their_cards():
    sitting = Sitting.at_auction("G1", "G1", pile="G3").play("1 bid 40", "0 pass")
    assert answered_by_the_player(sitting, "refuse")


def test_a_payment_is_never_forced():
    sitting = Sitting.at_auction("G1", "G1 G3", pile="M2A").play("1 bid 4", "0 pass", "1 pay G3")
    assert answered_by_the_player(sitting, "pay G1")
    sitting = Sitting.at_auction("G1", "M2B G3", pile="G1").play("1 bid 2", "0 pass", "1 pay M2B")
    assert answered_by_the_player(sitting, "pay G3")


@pytest.mark.parametrize("options", [{"default_on_purpose": False}, {"penalty": "honest"}])
@pytest.mark.parametrize("lot", ["M2A", "G2"])
def test_the_only_payment_of_whoever_may_not_refuse_is_not_forced(options, lot):
    sitting = Sitting.at_auction("G1", "G1", pile=lot, **options).play("1 bid 1", "0 pass")
    assert answered_by_the_player(sitting, "pay G1")


def test_a_pass_for_want_of_gold_under_honest_is_not_forced():
    sitting = Sitting.at_auction("G3", "P2B G1", "H1A", pile="M2A", penalty="honest").play("1 bid 1")
    assert answered_by_the_player(sitting, "pass")


def test_a_pass_for_want_of_cards_under_honest_is_the_players_own():
    """All can count the cards, but the rules page does not name this pass among the forced ones."""
    sitting = Sitting.at_auction("G3", "P2B G1", "H1A H1B", pile="G1", penalty="honest").play("1 bid 2")
    while sitting.answers() != ["pass"]:
        sitting.play(f"{sitting.asked} pass")
    assert sitting.forced() is None


def test_a_last_bid_is_not_forced():
    sitting = Sitting.at_auction("G1", "G1", pile="M2A").play("1 bid 53")
    assert sitting.answers() == ["pass", "bid 54"]
    assert sitting.forced() is None


@pytest.mark.parametrize("game", [random_game, lambda game, rng: lively_game(rng)], ids=["random", "lively"])
def test_a_move_is_forced_exactly_where_everybody_can_see_that_there_is_no_other(game):
    for number in range(40):
        for state in game(GAME, Random(number)).positions():
            if state.over:
                assert state.forced() is None
                continue
            legal = state.legal()
            if state.question in (PAY_GOLD, PAY_CARDS):
                visible = False
            elif state.question == BID:
                visible = not state.hands[state.seat] or state.high == state.setup.highest_bid
            else:
                visible = len(legal) == 1
            assert state.forced() == (legal[0] if visible else None)


def test_the_record_marks_the_forced_moves_and_no_others():
    played = lively_game(Random(5))
    entries = [entry for entry in recorded(played)["moves"] if "move" in entry]
    marks = [entry.get("forced") for entry in entries]
    assert marks == [True if state.forced() is not None else None for state in played.positions()][:-1]
    assert True in marks and None in marks
