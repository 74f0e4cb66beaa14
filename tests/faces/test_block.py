"""The lot on the block, and who bids for it."""

import pytest

from tests.engine.biblios.sitting import Sitting
from tests.faces.scenes import Tags, page_of, scene_at, words

pytestmark = pytest.mark.usefixtures("static_files")


def stage(lot, *moves, me=0):
    sitting = Sitting.at_auction("G3 M2A", "G2 P2A", "G1 H1A", pile=f"{lot} S1A", first=0)
    return page_of(scene_at(sitting.play(*moves), me))["stage"]


def pictures(html):
    return [attrs["href"].rpartition("#")[2] for tag, attrs in Tags(html) if tag == "use"]


@pytest.mark.parametrize("me", [0, 2, None])
def test_a_bid_is_a_stack_of_as_many_coins_and_who_passed_has_a_shutter(me):
    shown = stage("F1A", "1 bid 3", "2 pass", me=me)
    assert [id for id in pictures(shown) if id in ("lectern", "pile-3", "shutter")] == ["lectern", "pile-3", "shutter"]
    assert "high bid3" in words(shown)


def test_the_highest_stack_stands_for_all_higher_bids():
    assert "pile-10" in pictures(stage("F1A", "1 bid 14"))


def test_a_bid_for_gold_is_cards_and_no_coins():
    assert "sheaf" in pictures(stage("G3", "1 bid 1"))


def test_nobody_has_bid_before_the_first_bid():
    assert not [id for id in pictures(stage("F1A")) if id.startswith("pile-")]
