"""What moves on the table of Ex Libris when somebody has answered: it comes, goes, and is not there for who wants none."""

import pytest
from playwright.sync_api import expect

from games.engine.exlibris import frames
from games.engine.exlibris.game import ExLibris
from games.matches import access, history, play
from games.matches.models import LogEntry
from tests.e2e.tables import board, signed_in
from tests.matches.matches import rushed, seated

GAME = ExLibris()
pytestmark = pytest.mark.once
RECORD = """() => {
  window.motions = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.motions.push(timing.id ?? this.id);
    return animate.call(this, frames, timing);
  };
}"""


def sends(state):
    return state.question == frames.PLACE and state.seat == 1 and state.round > 1 and tile_of(state)


def tile_of(state):
    """An answer that sends an assistant to a tile."""
    return next(
        (text for text in map(GAME.text, state.legal()) if text.startswith("send") and text[5:].isdecimal()), ""
    )


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_rivals_assistant_walks_to_its_house_and_a_caption_comes_and_goes(visitor, site, motion):
    match = rushed(seated("ann", "bob", pace="live", bank_ms=600_000, game=GAME), sends)
    ann = visitor(viewport={"width": 1366, "height": 625}, reduced_motion=motion)
    signed_in(ann, site, "ann")
    ann.goto(site + match.get_absolute_url())
    expect(ann.locator("body")).to_have_attribute("data-line", "open")
    ann.evaluate(RECORD)
    state = history.replay(match).state(match.ply)
    move = tile_of(state)
    play.play(match, 1, match.ply, [move], LogEntry.By.PLAYER)
    match = access.find(match.key)
    caption = ann.locator("#caption")
    if motion == "reduce":
        board(ann, f"[data-ply='{match.ply}']")
        assert not {"walk", "caption"} & {*ann.evaluate("window.motions")}
        expect(caption).not_to_be_visible()
        return
    expect(caption).to_be_visible()
    expect(caption).to_have_text("bob sends one here")
    house, words = ann.locator(f"#place-{move[5:]}").bounding_box(), caption.bounding_box()
    assert house["y"] <= words["y"] <= house["y"] + house["height"]
    assert ann.evaluate("window.motions").count("walk") == 2  # the copy goes, and what it is a copy of is not seen
    expect(ann.locator(".flying")).to_have_count(0)
    expect(caption).not_to_be_visible()
    assert ann.complaints == []
