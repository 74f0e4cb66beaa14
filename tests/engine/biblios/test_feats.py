"""What the statistics of people count at the auctions."""

from random import Random

from tests.engine.biblios.sitting import GAME, Sitting, lively_game


def feats(sitting, made=None):
    return GAME.feats(sitting.start, sitting.moves, made or [len(sitting.moves)] * len(sitting.state.hands))


def test_a_bluff_holds_if_somebody_bids_more():
    sitting = Sitting.at_auction("G1", "G1", "G3 G2", pile="M2A")
    sitting.play("1 bid 3", "2 bid 4", "0 pass", "1 pass", "2 pay G3", "2 pay G2")
    assert feats(sitting) == [{}, {"bids": 1, "bluffs": 1, "held": 1}, {"bids": 1, "lots": 1, "spent": 5, "over": 1}]


def test_a_bluff_that_nobody_outbids_is_punished():
    sitting = Sitting.at_auction("G2 P2A", "G1", "G2", pile="M2A M2B")
    sitting.play("1 bid 3", "2 pass", "0 pass", "1 refuse")
    assert feats(sitting)[1] == {"bids": 1, "bluffs": 1, "penalties": 1}


def test_cards_pay_for_gold_and_a_bid_beyond_ones_cards_is_a_bluff():
    sitting = Sitting.at_auction("G2 P2A", "M2A", "M2B M2C M3E", pile="G3")
    sitting.play("1 bid 2", "2 bid 3", "0 pass", "1 pass", "2 pay M2B", "2 pay M2C", "2 pay M3E")
    assert feats(sitting)[1:] == [{"bids": 1, "bluffs": 1, "held": 1}, {"bids": 1, "lots": 1}]


def test_what_a_bot_does_after_a_player_has_left_is_not_theirs():
    sitting = Sitting.at_auction("G1", "G1", "G3 G2", pile="M2A")
    sitting.play("1 bid 3", "2 bid 4", "0 pass", "1 pass", "2 pay G3", "2 pay G2")
    assert feats(sitting, [6, 6, 4])[2] == {"bids": 1}


def test_every_lot_that_is_paid_for_is_somebodys_and_every_bluff_holds_or_is_punished():
    for seed in range(20):
        game = lively_game(Random(seed))
        counts = GAME.feats(game.start, game.moves, [len(game.moves)] * len(game.start.hands))
        for count in counts:
            assert count["held"] <= count["bluffs"] <= count["bids"] >= count["lots"]
            assert count["bluffs"] - count["held"] <= count["penalties"]
