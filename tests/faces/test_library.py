"""The library that one sees while the others give and take."""

import re

import pytest

from games.engine.biblios.notation import PLACE
from games.faces.biblios.library import LEVELS, level, library
from games.faces.biblios.scriptorium import sums_of
from games.faces.biblios.story import Story
from games.faces.language import drawing
from games.faces.slots import SlotRenderer
from tests.engine.biblios.sitting import Sitting
from tests.faces.scenes import Tale, page_of, scene_at, words

pytestmark = pytest.mark.usefixtures("static_files")


def given(me):
    """The second of three gives: Ann has taken Monks 3 F, Dan nothing yet; both are seen by all."""
    sitting = Sitting(3, "M3F M2A H1A P2A F1A S1A S1B S1C", first=1)
    sitting.play("1 public", "1 public", "1 keep", "1 auction", "2 take M2A", "0 take M3F", "2 keep", "2 public")
    return scene_at(sitting, me)


def niches(me):
    scene = given(me)
    sums = sums_of(Story(), scene.view)
    with drawing("en"):
        slots, renderer = library(scene.view, scene.names, sums), SlotRenderer()
        return {name: renderer.whole(slots, name) for name in slots}


@pytest.mark.parametrize(
    ("me", "figures", "standing"),
    [(0, ["M3F"], "you lead; Dan: ≥2"), (1, [], "Ann leads: ≥3"), (None, [], "Ann leads: ≥3")],
)
def test_a_niche_has_ones_own_cards_and_says_who_leads_by_what_was_seen(me, figures, standing):
    monks = niches(me)["niche-M"]
    assert re.findall(r'data-figure="([^"]*)"', monks) == figures
    assert words(monks).endswith(standing)
    assert words(niches(me)["niche-S"]).endswith("none seen")
    assert "light-3" in monks


def test_whoever_waits_sees_who_acts_with_their_piles_and_the_library_in_place_of_the_hand():
    page = page_of(given(0))["stage"]
    assert "Dan is placing card 3 of 4" in words(page)
    assert "You choose first." in words(page)
    assert 'id="library"' in page and 'id="verso"' not in page
    assert 'id="library"' not in page_of(given(2))["stage"]


def test_whoever_watches_sees_nobodys_hand_in_the_library():
    tale, seen = Tale("watched", 3), 0
    for ply, state in enumerate(tale.states):
        if state.question == PLACE and ply % 5 == 0:
            stage = page_of(tale.scene(ply, None))["stage"]
            assert "data-figure" not in stage
            seen += 'class="library"' in stage
    assert seen > 5


def test_a_higher_total_never_stands_lower():
    for category in "MPHSFG":
        heights = [level(category, total) for total in range(30)]
        assert heights == sorted(heights)
        assert (heights[0], heights[1] > 0, heights[-1]) == (0, True, LEVELS)
