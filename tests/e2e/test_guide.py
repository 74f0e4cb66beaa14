import pytest
from playwright.sync_api import expect

from tests.e2e.axe import every_fault, in_every_look
from tests.e2e.tables import ASKED, board, led_to_table


@pytest.mark.parametrize("path", ["/rules", "/rules/exlibris", "/watch"])
def test_rules_and_watch_are_whole_quiet_and_open_to_everybody(page, site, path):
    page.goto(site + path, wait_until="networkidle")
    assert page.get_by_role("heading", level=1).is_visible()
    assert in_every_look(page) == []
    assert page.complaints == []


def lesson(page, title):
    """The lesson that stands on the page, as soon as it has this title."""
    box = page.locator("#lesson")
    expect(box.get_by_role("heading")).to_have_text(title)
    return box


@pytest.mark.parametrize("page", ["light", "phone"], indirect=True)
def test_the_lessons_stand_at_what_they_explain_and_can_be_called_back(page, site, same_cards):
    page.goto(site)
    page.get_by_role("button", name="Learn in five minutes (Biblios)").click()
    led_to_table(page)
    aim = lesson(page, "How you win")
    expect(page.locator(".explained")).to_have_id("canon")
    own, thing = aim.bounding_box(), page.locator("#canon").bounding_box()
    apart = own["x"] >= thing["x"] + thing["width"] or own["y"] >= thing["y"] + thing["height"]
    assert apart, (own, thing)
    assert every_fault(page) == []
    aim.get_by_role("button", name="Got it").click()
    board(page, ASKED)
    expect(aim.get_by_role("heading")).not_to_have_text("How you win")
    aim.get_by_role("button", name="Got it").click()
    expect(aim).to_be_hidden()
    page.reload()
    expect(aim).to_be_hidden()
    page.evaluate("document.querySelector('#lesson-welcome button').click()")
    lesson(page, "How you win").get_by_role("button", name="Got it").click()
    expect(aim).to_be_hidden()
    assert page.complaints == []


@pytest.mark.parametrize("page", ["light", "phone"], indirect=True)
def test_the_lessons_of_ex_libris_stand_at_its_table(page, site):
    page.goto(site)
    page.get_by_role("button", name="Learn in ten minutes (Ex Libris)").click()
    led_to_table(page)
    aim = lesson(page, "How you win")
    expect(page.locator(".explained")).to_have_id("facts")
    assert every_fault(page) == []
    aim.get_by_role("button", name="Got it").click()
    lesson(page, "Your library").get_by_role("button", name="Got it").click()
    expect(aim).to_be_hidden()
    page.locator("#stage").get_by_role("button", name="Keep the").first.click()
    lesson(page, "Send an assistant")
    expect(page.locator(".explained")).to_have_id("town")
    aim.get_by_role("button", name="Got it").click()
    page.evaluate("document.querySelector('#lesson-library button').click()")
    lesson(page, "Your library").get_by_role("button", name="Got it").click()
    expect(aim).to_be_hidden()
    assert page.complaints == []
