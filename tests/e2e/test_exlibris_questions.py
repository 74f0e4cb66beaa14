"""What the page of Ex Libris does with a question: cards are chosen as a whole, and the bar says what follows."""

import pytest
from playwright.sync_api import expect

from games.engine.exlibris import frames
from games.engine.exlibris.game import ExLibris
from tests.e2e.tables import signed_in
from tests.e2e.test_exlibris import LIVE, lay, questions
from tests.engine.exlibris.sitting import Sitting
from tests.faces.scenes import scene_of
from tests.matches.matches import seated

pytestmark = pytest.mark.once
GAME = ExLibris()
KEEP = """() => {
    document.addEventListener("submit", (event) => {
        event.preventDefault();
        const { target: form, submitter } = event;
        const chosen = [...form.elements].filter(({ name, checked }) => name === "move" && checked);
        window.answered = submitter.name === "move" ? [submitter.value] : chosen.map(({ value }) => value);
    });
    document.addEventListener("htmx:wsBeforeMessage", (event) => event.preventDefault());
}"""
"""Answers are kept as static/js/answer.js sends them, and the site changes nothing any more."""


@pytest.fixture
def page(visitor, site):
    """A table; what it answers is kept instead of sent."""
    page = visitor(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    page.goto(site + seated("ann", "bob", **LIVE).get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")
    page.evaluate(KEEP)
    return page


def asked(page, sitting):
    lay(page, scene_of([sitting.state], [], sitting.asked, GAME))


def answered(page):
    return page.evaluate("window.answered")


def sitting(tile, library="WIZ", shelf="A1 A2 A3"):
    sitting = Sitting(2, library, "GOL", tiles=[tile], deck="W1 W2 W3 W4 W5 V1 V2 V3").set_hand(0, "T1 T2 T3")
    return sitting.set_shelf(0, {(0, 0): shelf})


def test_a_card_of_the_shelf_is_chosen_by_keys_and_then_what_is_done_with_it(page):
    asked(page, sitting(9).play("0 send 9"))
    acts = page.locator("#stage .ex-act")
    expect(acts.first).to_be_hidden()
    page.locator("#shelf [name=card][value=A3]").focus()
    page.keyboard.press("Space")
    expect(acts.and_(page.locator(":visible"))).to_have_count(2)
    page.keyboard.press("Enter")
    expect(page.locator("[value='discard A3']")).to_be_focused()
    page.keyboard.press("Enter")
    assert answered(page) == ["discard A3"]


def test_the_bar_says_where_a_card_goes_and_what_changes(page):
    asked(page, sitting(18).play("0 send 18"))
    page.locator("#hand .ex-choice", has_text="T2").click()
    primary = page.locator("#stage [data-primary]")
    expect(primary).to_have_text("Choose a cell for T2")
    page.locator("#shelf [data-cell='at 0,3']").click()
    expect(primary).to_have_text("Put T2 to the right of A3: +2")
    primary.click()
    assert answered(page) == ["shelve T2", "at 0,3"]


def test_the_mummy_chooses_a_card_of_the_shelf_and_then_over_or_under(page):
    asked(page, sitting(18, "MUM").play("0 special home"))
    page.locator("#hand .ex-choice", has_text="T2").click()
    page.locator("#shelf .ex-tomb", has_text="A2").click()
    over, under = page.locator("[data-entomb=over]"), page.locator("[data-entomb=under]")
    expect(over).to_contain_text("A2 is lost")
    expect(under).to_have_text("Put T2 under A2: +2")
    expect(page.locator("#stage [data-primary]")).to_be_hidden()
    page.locator("#shelf [data-cell='at 0,3']").click()
    expect(under).to_be_hidden()
    page.locator("#shelf .ex-tomb", has_text="A2").click()
    under.click()
    assert answered(page) == ["shelve T2", "under 0,1"]


def test_the_card_of_the_cellar_is_chosen_already(page):
    asked(page, sitting(17).play("0 send 17"))
    expect(page.locator("#stage [data-primary]")).to_have_text("Choose a cell for W1")
    page.locator("#shelf [data-cell='at 0,3']").click()
    page.locator("#stage [data-primary]").click()
    assert answered(page) == ["shelve W1", "at 0,3"]


def test_a_place_on_the_shelf_that_cannot_be_used_says_why(page):
    full = Sitting(2, "WIZ", "GOL", tiles=[18]).set_hand(0, "T1 T2 T3")
    full.set_shelf(0, {(0, 0): "A1 A2 A3", (1, 0): "B1", (2, 0): "C1"}).play("0 send 18")
    asked(page, full)
    why = page.locator("#says")
    page.locator("#shelf .ex-card", has_text="A2").click()
    expect(why).to_have_text("A card lies there already.")
    page.locator("#shelf .ex-row").nth(2).locator(".ex-empty").last.click()
    expect(why).to_have_text("A card must touch another.")
    box = page.locator("#shelf .ex-scroll").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 1)
    expect(why).to_have_text("A shelf has at most three rows.")
    page.locator("#hand .ex-choice", has_text="T2").click()
    expect(why).to_have_text("")
    asked(page, sitting(9).play("0 send 9", "0 move A3"))
    page.locator("#shelf .ex-row").nth(1).locator(".ex-empty").last.click()
    expect(why).to_have_text("The card must touch another, and no other may be left apart.")


def test_in_the_last_step_cards_that_were_left_up_before_count_too(page):
    lay(page, questions()[0][frames.TURN])
    points = page.locator("#stage [data-sum]")
    with_them = points.text_content()
    page.evaluate("""() => {
        for (const card of document.querySelectorAll("#stage [data-kept]")) delete card.dataset.kept;
        document.getElementById("answer").dispatchEvent(new Event("change", { bubbles: true }));
    }""")
    expect(points).not_to_have_text(with_them)
