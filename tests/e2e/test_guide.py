import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.tables import led_to_table

LOOKS = ["light", "dark", "phone", "dark phone"]


def faults(page):
    """What axe finds wrong for those who see, hear or move otherwise."""
    return [found["id"] for found in Axe().run(page).response["violations"]]


@pytest.mark.parametrize("path", ["/rules", "/watch"])
@pytest.mark.parametrize("page", LOOKS, indirect=True)
def test_rules_and_watch_are_whole_quiet_and_open_to_everybody(page, site, path):
    page.goto(site + path, wait_until="networkidle")
    assert page.get_by_role("heading", level=1).is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert faults(page) == []
    assert page.complaints == []


def place_of_answers(page):
    return page.locator("#answer button").first.bounding_box()


@pytest.mark.parametrize("page", LOOKS, indirect=True)
def test_the_lessons_of_the_guided_game_move_nothing_at_the_table(page, site):
    page.goto(site)
    page.get_by_role("listitem").filter(has_text="A guided first game").get_by_role("button", name="Begin").click()
    led_to_table(page)  # until it is loaded: without lesson.css the answers stand elsewhere
    lesson = page.locator("#lesson details")
    assert lesson.get_attribute("open") is not None
    before = place_of_answers(page)
    lesson.locator("summary").click()
    assert not lesson.get_by_role("link", name="More in the rules").is_visible()
    assert place_of_answers(page) == before
    lesson.locator("summary").click()
    lesson.get_by_role("link", name="More in the rules").click()
    page.wait_for_url(re.compile("/rules/biblios#(gifts|goal|church)$"))  # as the first card wants
    assert page.complaints == []
