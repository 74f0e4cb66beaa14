"""Where nobody may bid more than they can pay, a bid tells whether gold is up: a bid for the next lot, sent along with
the answer before it, asks what that is."""

from tests.security.attacks.outside import questions, sat_down

LOTS = 4


def test_no_bid_for_a_lot_that_is_not_up_is_taken(shared):
    site = shared(BIBLIOS_MESSAGES="10000")
    ann, bob = site.player("bidding_ann"), site.player("bidding_bob")
    table = sat_down(ann, bob, preset="custom", option_penalty="honest")
    passed = 0
    for player, board in questions(table, ann, bob):
        move = board.offers[0]
        if "pass" in board.offers:
            move = "pass"
            for moves in (["pass", "bid 1"], ["pass", "pass"], ["pass", "bid 9", "pay M2A"], ["pass", "pass", "pass"]):
                assert player.play(table, *moves, ply=board.ply).status == 409
            passed += 1
        if passed == 2 * LOTS:
            break
        assert player.play(table, move, ply=board.ply).status == 200
    assert passed == 2 * LOTS
