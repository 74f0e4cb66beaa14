"""The auction phase: bidding, payments, bluffs."""

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

from games.engine.biblios.cards import TEXTS
from tests.engine.biblios.sitting import GAME, Sitting

RICH = "G1 G2 G3"


def auction(seats=3, pile="M2A P2A H1A", **options):
    """Everybody has gold for 6 in three cards."""
    return Sitting.at_auction(*[RICH] * seats, pile=pile, **options)


def payments(sitting):
    """All ways to pay for the last card of the pile, each the cards in the order in which they are paid."""
    payer = sitting.asked
    ways = []

    def pay(state, paid):
        for move in state.legal():
            text = GAME.text(move)
            if text != "refuse":
                after = state.after(move, payer)
                cards = (*paid, text.removeprefix("pay "))
                if after.over:
                    ways.append(cards)
                else:
                    pay(after, cards)

    pay(sitting.state, ())
    return ways


@pytest.mark.parametrize(("first", "order"), [(0, [1, 2, 0]), (1, [2, 0, 1]), (2, [0, 1, 2])])
def test_bidding_begins_left_of_the_active_player_who_bids_last_in_the_first_round(first, order):
    sitting = auction(first=first)
    for bid, seat in enumerate(order, 1):
        sitting.play(f"{seat} bid {bid}")
    assert sitting.asked == order[0]


def test_each_bid_is_more_than_every_earlier_one():
    sitting = auction()
    assert sitting.answers()[:2] == ["pass", "bid 1"]
    sitting.play("1 bid 4")
    assert sitting.answers()[:2] == ["pass", "bid 5"]
    sitting.play("2 pass")
    assert sitting.answers()[:2] == ["pass", "bid 5"]


def test_whoever_has_passed_is_out_of_this_auction():
    sitting = auction().play("1 pass", "2 bid 1", "0 bid 2")
    assert sitting.asked == 2
    sitting.play("2 bid 3")
    assert sitting.asked == 0


def test_whoever_passed_bids_again_for_the_next_card():
    sitting = auction().play("1 pass", "2 pass", "0 pass")
    assert (sitting.lot, sitting.asked) == ("P2A", 2)
    sitting.play("2 pass", "0 pass")
    assert sitting.asked == 1


def test_bidding_goes_round_until_every_other_player_has_passed():
    sitting = auction().play("1 bid 1", "2 bid 2", "0 bid 3", "1 bid 4", "2 pass", "0 bid 5", "1 pass")
    assert (sitting.asked, sitting.answers()) == (0, ["refuse", "pay G3"])


def test_the_last_player_without_a_bid_still_chooses():
    sitting = auction().play("1 pass", "2 pass")
    assert sitting.asked == 0
    assert sitting.answers()[:2] == ["pass", "bid 1"]
    assert sitting.forced() is None


def test_the_last_player_who_bids_has_won():
    sitting = auction().play("1 pass", "2 pass", "0 bid 3", "0 pay G3")
    assert sitting.hand(0) == "M2A G1 G2"


def test_a_card_that_nobody_bids_for_is_discarded_face_up():
    sitting = auction().play("1 pass", "2 pass", "0 pass")
    assert sitting.discarded() == "M2A"
    assert texts_known_to_all(sitting) == ["M2A"]


def texts_known_to_all(sitting):
    """The cards that a watcher knows to be discarded since the sitting began."""
    before, after = Counter(sitting.start.view(None).discard), Counter(sitting.state.view(None).discard)
    return [TEXTS[kind] for kind in (after - before).elements()]


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_the_player_left_of_the_active_one_becomes_active_whoever_won(winner):
    sitting = auction()
    for seat in (1, 2, 0):
        sitting.play(f"{seat} bid 1" if seat == winner else f"{seat} pass")
    sitting.play(f"{winner} pay G1")
    assert (sitting.active, sitting.asked, sitting.lot) == (1, 2, "P2A")


def test_the_turn_goes_on_to_the_left_also_when_a_card_is_discarded():
    sitting = auction().play("1 pass", "2 pass", "0 pass")
    assert sitting.active == 1
    sitting.play("2 pass", "0 pass", "1 pass")
    assert sitting.active == 2


def test_the_winner_takes_the_card_into_hand():
    sitting = auction().play("1 bid 2", "2 pass", "0 pass", "1 pay G2")
    assert sitting.hand(1) == "M2A G1 G3"
    assert sitting.discarded() == "G2"


def test_the_game_ends_when_every_card_has_been_bought_or_discarded():
    sitting = auction().play("1 pass", "2 pass", "0 pass", "2 bid 1", "0 pass", "1 pass", "2 pay G1")
    assert not sitting.over
    sitting.play("0 pass", "1 pass", "2 pass")
    assert sitting.over
    assert (sitting.answers(), sitting.asked) == ([], None)


@pytest.mark.parametrize(("seats", "highest"), [(2, 54), (3, 60), (4, 66)])
@pytest.mark.parametrize("lot", ["M2A", "G1", "C+"])
def test_the_highest_bid_is_the_gold_of_the_table(seats, highest, lot):
    sitting = auction(seats, lot)
    assert sitting.answers() == ["pass", *(f"bid {bid}" for bid in range(1, highest + 1))]
    sitting.play(f"1 bid {highest - 1}")
    assert sitting.answers() == ["pass", f"bid {highest}"]
    assert sitting.forced() is None
    sitting.play(f"{sitting.asked} bid {highest}")
    assert (sitting.answers(), sitting.forced()) == (["pass"], "pass")


def test_nobody_needs_to_own_what_they_bid():
    sitting = Sitting.at_auction("M2B", "M2C", pile="M2A").play("1 bid 50")
    assert sitting.answers()[1] == "bid 51"


@pytest.mark.parametrize("lot", ["M2A", "G1", "C+"])
def test_an_empty_hand_can_only_pass_and_that_is_forced(lot):
    sitting = Sitting.at_auction("", "", "G1", pile=lot)
    assert (sitting.answers(), sitting.forced()) == (["pass"], "pass")
    sitting.play("1 pass")
    assert "bid 1" in sitting.answers()
    sitting.play("2 pass")
    assert (sitting.asked, sitting.answers(), sitting.forced()) == (0, ["pass"], "pass")


def test_gold_is_paid_the_dearest_first():
    sitting = Sitting.at_auction("G1", "G1 G1 G2 G2 G3", pile="M2A").play("1 bid 4", "0 pass")
    assert sitting.answers() == ["refuse", "pay G2", "pay G3"]
    sitting.play("1 pay G2")
    assert sitting.answers() == ["pay G1", "pay G2"]
    sitting.play("1 pay G1")
    assert sitting.answers() == ["pay G1"]
    assert sitting.play("1 pay G1").discarded() == "G1 G1 G2"


def test_a_value_is_offered_only_if_cards_of_that_value_or_less_can_still_make_up_the_bid():
    sitting = Sitting.at_auction("G1", "G1 G2 G3", pile="M2A").play("1 bid 5", "0 pass")
    assert sitting.answers() == ["refuse", "pay G3"]
    sitting.play("1 pay G3")
    assert sitting.answers() == ["pay G2"]


def test_a_dearer_mix_is_allowed_and_there_is_no_change():
    sitting = Sitting.at_auction("G1", "G1 G3", pile="M2A").play("1 bid 1", "0 pass")
    assert sitting.answers() == ["refuse", "pay G1", "pay G3"]
    sitting.play("1 pay G3")
    assert (sitting.hand(1), sitting.discarded()) == ("M2A G1", "G3")


def test_gold_payment_leaves_no_card_superfluous():
    rng = Random(1)
    for _ in range(150):
        counts = [rng.randrange(5), rng.randrange(5), rng.randrange(5)]
        gold = sum(value * count for value, count in zip((1, 2, 3), counts, strict=True))
        if not gold:
            continue
        bid = rng.randint(1, gold)
        hand = " ".join(f"G{value}" for value in (1, 2, 3) for _ in range(counts[value - 1]))
        ways = payments(Sitting.at_auction("P2A", hand, pile="M2A").play(f"1 bid {bid}", "0 pass"))
        found = []
        for mix in product(*(range(count + 1) for count in counts)):
            paid = sum(value * count for value, count in zip((1, 2, 3), mix, strict=True))
            cheapest = next((value for value in (1, 2, 3) if mix[value - 1]), 0)
            if paid >= bid > paid - cheapest:
                found.append(tuple(f"G{value}" for value in (3, 2, 1) for _ in range(mix[value - 1])))
        assert sorted(ways) == sorted(found), (hand, bid)


@pytest.mark.parametrize("lot", ["M2A", "P4I", "C++"])
def test_any_card_but_gold_is_paid_with_gold_only(lot):
    sitting = Sitting.at_auction("G1", "M2B P2B G1 G1", pile=lot).play("1 bid 2", "0 pass")
    assert sitting.answers() == ["refuse", "pay G1"]


@pytest.mark.parametrize("lot", ["G1", "G2", "G3"])
def test_gold_is_paid_with_that_many_cards_of_any_kind(lot):
    sitting = Sitting.at_auction("G1", "M2B F1A G3", pile=lot).play("1 bid 2", "0 pass")
    assert sitting.answers() == ["refuse", "pay M2B", "pay F1A"]
    sitting.play("1 pay F1A")
    assert sitting.answers() == ["pay G3"]
    sitting.play("1 pay G3")
    assert (sitting.hand(1), sitting.buried()) == (f"M2B {lot}", "F1A G3")


def test_cards_for_gold_are_paid_in_the_order_of_the_card_list_each_set_once():
    rng = Random(2)
    cards = [*TEXTS[:45:4], *(["G1", "G2", "G3"] * 3)]
    for _ in range(60):
        held = sorted(rng.sample(cards, rng.randint(1, 7)), key=TEXTS.index)
        bid = rng.randint(1, len(held))
        ways = payments(Sitting.at_auction("P2B", " ".join(held), pile="G1").play(f"1 bid {bid}", "0 pass"))
        assert sorted(ways) == sorted(set(combinations(held, bid))), (held, bid)


def test_equal_gold_is_one_answer_in_a_payment():
    for lot in ("M2A", "G1"):
        sitting = Sitting.at_auction("P2B", "G2 G2 G2", pile=lot).play("1 bid 1", "0 pass")
        assert sitting.answers() == ["refuse", "pay G2"]


def test_gold_paid_is_shown_and_cards_paid_for_gold_are_not():
    shown = Sitting.at_auction("G1", "G1 G2", pile="M2A P2A").play("1 bid 2", "0 pass", "1 pay G2")
    hidden = Sitting.at_auction("G1", "G1 G2", pile="G3 P2A").play("1 bid 1", "0 pass", "1 pay G2")
    assert (texts_known_to_all(shown), shown.buried()) == (["G2"], "")
    assert (texts_known_to_all(hidden), hidden.buried()) == ([], "G2")


def test_gold_won_can_pay_for_a_later_card():
    sitting = Sitting.at_auction("G1", "M2B", pile="G3 M2A").play("1 bid 1", "0 pass", "1 pay M2B")
    sitting.play("0 pass", "1 bid 3", "1 pay G3")
    assert sitting.hand(1) == "M2A"


def test_refusing_is_possible_only_before_the_first_card_is_paid():
    for lot in ("M2A", "G1"):
        sitting = Sitting.at_auction("G1", "G1 G2 G2", pile=lot).play("1 bid 3", "0 pass")
        assert sitting.answers()[0] == "refuse"
        sitting.play(f"1 {sitting.answers()[1]}")
        assert "refuse" not in sitting.answers()


def test_the_auction_begins_with_the_player_who_was_active_first():
    sitting = auction(first=2)
    assert (sitting.active, sitting.asked) == (2, 0)
