"""The auctions that play by themselves on the home page are auctions by the rules."""

import pytest

from games.engine.biblios.cards import KINDS
from games.faces.biblios import demo

pytestmark = pytest.mark.once


@pytest.mark.parametrize(("card", "bids"), demo.LOTS)
def test_each_is_bid_in_turn_until_all_others_have_passed(card, bids):
    assert card in KINDS
    seats = len(demo.NAMES)
    passed, high, turn = set(), 0, bids[0][0]
    for seat, bid in bids:
        while turn in passed:
            turn = (turn + 1) % seats
        assert seat == turn and (bid > high or not bid)
        passed |= set() if bid else {seat}
        high, turn = max(high, bid), (turn + 1) % seats
    assert len(passed) == seats - 1


def test_what_is_beaten_and_what_is_taken_back_is_told_apart():
    drawn = demo.lot("P4H", ((1, 2), (2, 3), (0, 0), (1, 4), (2, 5), (1, 0)))
    rows = {name: [(it.bid, it.step, it.until, it.again) for it in acts] for name, _face, acts in drawn["rows"]}
    assert all("portrait" in face for _name, face, _acts in drawn["rows"])
    assert rows["Odo"] == [(0, 3, 0, False)]
    assert rows["Gisela"] == [(2, 1, 4, True), (4, 4, 6, True), (0, 6, 0, False)]
    assert rows[""] == [(3, 2, 5, True), (5, 5, 0, False)]
    assert (drawn["end"], drawn["sold"], drawn["told"]) == (7, "Yours for 5", "You get Pigments 4 for 5 gold.")
