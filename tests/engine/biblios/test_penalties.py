"""Winners who cannot or will not pay, in the three forms of the penalty."""

from random import Random

import pytest

from games.engine.biblios.cards import gold_in
from games.engine.biblios.notation import PAY_CARDS, PAY_GOLD, REFUSE
from tests.engine.biblios.sitting import Sitting, lively_game


def steal(source, target, card):
    return {"chance": "steal", "from": source, "to": target, "card": card}


def punished(*hands, **more):
    """Seat 1 has won the first card with a bid of 50 and is about to be punished."""
    sitting = Sitting.at_auction(*hands, **{"pile": "M2A P2A H1A"} | more)
    sitting.play("1 bid 50")
    while sitting.asked != 1:
        sitting.play(f"{sitting.asked} pass")
    return sitting


def test_a_winner_who_cannot_pay_can_only_refuse():
    assert punished("G1", "G3 G3 M2B").answers() == ["refuse"]


@pytest.mark.parametrize("lot", ["M2A", "G1"])
def test_a_winner_may_refuse_although_they_can_pay(lot):
    sitting = Sitting.at_auction("P2B", "G3", pile=lot).play("1 bid 1", "0 pass")
    assert sitting.answers() == ["refuse", "pay G3"]


@pytest.mark.parametrize("lot", ["M2A", "G1"])
def test_without_default_on_purpose_only_a_winner_who_cannot_pay_defaults(lot):
    sitting = Sitting.at_auction("P2B", "G3", pile=lot, default_on_purpose=False).play("1 bid 1", "0 pass")
    assert sitting.answers() == ["pay G3"]
    assert punished("P2B", "G3", pile=lot, default_on_purpose=False).answers() == ["refuse"]


def test_each_other_player_draws_one_card_and_keeps_it_beginning_left_of_the_punished():
    sitting = punished("G1", "P4I H2I S2I F2I", "G2", "G3", draws="F2I H2I P4I").play("1 refuse")
    assert [sitting.hand(seat) for seat in range(4)] == ["P4I G1", "S2I", "F2I G2", "H2I G3"]
    assert sitting.chance() == [steal(1, 2, "F2I"), steal(1, 3, "H2I"), steal(1, 0, "P4I")]


def test_cards_are_drawn_only_as_long_as_there_are_any():
    sitting = punished("G1", "P4I H2I", "G2", "G3", draws="H2I P4I").play("1 refuse")
    assert [sitting.hand(seat) for seat in range(4)] == ["G1", "", "H2I G2", "P4I G3"]
    assert sitting.chance() == [steal(1, 2, "H2I"), steal(1, 3, "P4I")]


def test_an_earlier_punished_player_draws_too():
    sitting = punished("G1", "P4I", "H2I", draws="P4I H2I P4I").play("1 refuse", "2 bid 50", "0 pass")
    assert sitting.hand(1) == ""
    sitting.play("2 refuse")
    assert sitting.chance()[1:] == [steal(2, 0, "H2I"), steal(2, 1, "P4I")]
    assert sitting.hand(1) == "P4I"


def test_which_card_is_drawn_is_chance():
    drawn = set()
    for number in range(80):
        played = lively_game(Random(number), 2, penalty="transfer")
        entries = played.end.chance_since(0)
        drawn |= {entry["card"] for entry in entries}
    assert len(drawn) > 40


def test_the_same_card_is_auctioned_again_with_the_same_active_player():
    sitting = punished("G1", "G2", "G3").play("1 refuse")
    assert (sitting.lot, sitting.active) == ("M2A", 0)


def test_punished_player_is_left_out_when_the_card_is_auctioned_again():
    sitting = punished("G1 G1", "G2", "G3").play("1 refuse", "2 bid 1", "0 bid 2", "2 bid 3")
    assert sitting.asked == 0
    sitting.play("0 pass", "2 pay G3")
    assert sitting.lot == "P2A"


def test_the_bids_begin_at_1_again():
    assert punished("G1", "G2", "G3").play("1 refuse").answers()[:2] == ["pass", "bid 1"]


@pytest.mark.parametrize(
    ("first", "loser", "next_to_bid"), [(0, 1, 2), (0, 2, 1), (0, 0, 1), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
)
def test_bidding_after_a_penalty_begins_left_of_the_active_player(first, loser, next_to_bid):
    sitting = Sitting.at_auction("G1", "G2", "G3", pile="M2A P2A", first=first)
    for _ in range(3):
        sitting.play(f"{sitting.asked} bid 50" if sitting.asked == loser else f"{sitting.asked} pass")
    sitting.play(f"{loser} refuse")
    assert (sitting.active, sitting.asked) == (first, next_to_bid)


def test_whoever_was_punished_earlier_for_this_card_stays_out():
    sitting = punished("G1", "G2", "G3", "G3").play("1 refuse", "2 pass", "3 pass", "0 bid 60", "0 refuse")
    assert sitting.asked == 2
    sitting.play("2 pass")
    assert sitting.asked == 3
    sitting.play("3 pass")
    assert sitting.lot == "P2A"


def test_single_player_left_may_bid_one_or_pass():
    sitting = punished("G1", "G2").play("1 refuse")
    assert (sitting.asked, sitting.answers()[:3]) == (0, ["pass", "bid 1", "bid 2"])
    assert sitting.forced() is None


def test_single_player_left_has_won_with_their_bid():
    sitting = punished("G1", "P2B").play("1 refuse", "0 bid 1")
    assert sitting.answers() == ["refuse", "pay G1"]
    sitting.play("0 pay G1")
    assert sitting.hand(0) == "M2A P2B"


def test_single_player_left_who_passes_leaves_the_card_to_the_discard():
    sitting = punished("G1", "G2").play("1 refuse", "0 pass")
    assert (sitting.discarded(), sitting.lot) == ("M2A", "P2A")


def test_when_all_are_punished_the_card_is_discarded():
    sitting = punished("G1 P2B", "G2 P2C").play("1 refuse", "0 bid 50", "0 refuse")
    assert sitting.discarded() == "M2A"
    assert (sitting.lot, sitting.active, sitting.asked) == ("P2A", 1, 0)


def test_all_take_part_again_for_the_next_card():
    sitting = punished("G1 P2B", "G2 P2C", "G3").play("1 refuse", "2 pass", "0 pass")
    assert (sitting.lot, sitting.active) == ("P2A", 1)
    sitting.play("2 pass", "0 pass")
    assert sitting.asked == 1


@pytest.mark.parametrize("lot", ["G1", "C+", "M2A"])
@pytest.mark.parametrize("penalty", ["transfer", "discard"])
def test_every_kind_of_card_is_auctioned_again(lot, penalty):
    sitting = punished("G2 P2B", "G2 P2C", pile=lot, penalty=penalty).play("1 refuse")
    assert (sitting.lot, sitting.asked) == (lot, 0)


def test_medieval_bluff_discards_one_random_card_face_up_instead():
    sitting = punished("G1", "P4I H2I", "G2", penalty="discard", draws="H2I").play("1 refuse")
    assert [sitting.hand(seat) for seat in range(3)] == ["G1", "P4I", "G2"]
    assert sitting.discarded() == "H2I"
    assert sitting.chance() == [{"chance": "discard", "from": 1, "card": "H2I"}]


def test_medieval_bluff_auctions_the_card_again_without_them():
    sitting = punished("G1", "P4I H2I", "G2", penalty="discard").play("1 refuse")
    assert (sitting.lot, sitting.active, sitting.asked) == ("M2A", 0, 2)
    sitting.play("2 pass", "0 pass")
    assert sitting.lot == "P2A"


def test_honest_bids_no_more_gold_than_is_in_the_hand():
    sitting = Sitting.at_auction("G1", "G3 G2 P2B", pile="M2A", penalty="honest")
    assert sitting.answers() == ["pass", "bid 1", "bid 2", "bid 3", "bid 4", "bid 5"]
    sitting.play("1 bid 5")
    assert sitting.answers() == ["pass"]


def test_honest_bids_no_more_cards_than_are_in_the_hand():
    sitting = Sitting.at_auction("G1", "G3 G2 P2B", pile="G1", penalty="honest")
    assert sitting.answers() == ["pass", "bid 1", "bid 2", "bid 3"]


@pytest.mark.parametrize("default_on_purpose", [True, False])
@pytest.mark.parametrize("lot", ["M2A", "G1", "C-"])
def test_honest_never_refuses(default_on_purpose, lot):
    options = {"penalty": "honest", "default_on_purpose": default_on_purpose}
    sitting = Sitting.at_auction("G1", "G3", pile=lot, **options).play("1 bid 1", "0 pass")
    assert sitting.answers() == ["pay G3"]


@pytest.mark.parametrize("default_on_purpose", [True, False])
def test_honest_nobody_ever_defaults(default_on_purpose):
    for number in range(30):
        played = lively_game(Random(number), penalty="honest", default_on_purpose=default_on_purpose)
        assert REFUSE not in played.moves
        assert played.end.draws == 0


def test_a_winner_is_never_without_an_answer_and_refuses_only_what_they_may():
    for number in range(40):
        played = lively_game(Random(number), default_on_purpose=False)
        for state in played.positions():
            if state.question in (PAY_GOLD, PAY_CARDS) and state.due == state.high:
                hand = state.hands[state.seat]
                means = gold_in(hand) if state.question == PAY_GOLD else hand.bit_count()
                assert (state.legal() == (REFUSE,)) == (means < state.high)
                assert (REFUSE in state.legal()) == (means < state.high)


def test_chance_is_told_for_each_penalty_since_a_moment():
    sitting = punished("G1", "P4I", "H2I", draws="P4I H2I").play("1 refuse")
    draws = sitting.state.draws
    assert draws == 1
    sitting.play("2 bid 50", "0 pass", "2 refuse")
    assert sitting.state.chance_since(draws) == sitting.chance()[1:]
    assert [entry["from"] for entry in sitting.chance()] == [1, 2, 2]
