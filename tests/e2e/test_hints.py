"""Hints: asked for by keyboard or with a thumb, read out, and gone with the question."""

import pytest
from playwright.sync_api import expect

from games.engine.biblios.notation import PLACE
from tests.e2e.axe import violations
from tests.e2e.conftest import LOOKS
from tests.e2e.tables import signed_in
from tests.matches.matches import rushed, seated


@pytest.mark.parametrize("look", ["light", "phone"])
def test_a_hint_stands_there_until_one_answers(visitor, site, look):
    match = rushed(seated("ann", bots=1), lambda state: state.question == PLACE and state.seat == 0)
    page = visitor(**LOOKS[look])
    signed_in(page, site, "ann")
    page.goto(site + match.get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")
    button = page.get_by_role("button", name="Hint")
    if look == "phone":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Enter")
    said = page.get_by_role("status").filter(has_text="Hint")
    expect(said).to_contain_text("You ")
    assert violations(page, "#hint") == []
    expect(button).to_be_focused()
    said.locator("summary").click()
    expect(said.locator("p").first).to_be_hidden()
    page.keyboard.press("1")
    expect(page.locator("#ply")).not_to_have_attribute("data-ply", str(match.ply))
    expect(page.get_by_text("Rather than")).to_have_count(0)
    assert page.complaints == []
