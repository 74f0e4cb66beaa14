import pytest
from axe_playwright_python.sync_playwright import Axe

LOOKS = ["light", "dark", "phone", "dark phone"]


def heading(page):
    return page.get_by_role("heading", level=1).inner_text()


def faults(page):
    """What axe finds wrong for those who see, hear or move otherwise."""
    return [found["id"] for found in Axe().run(page).response["violations"]]


@pytest.mark.parametrize("page", LOOKS, indirect=True)
def test_the_home_page_is_whole_quiet_and_open_to_everybody(page, site):
    page.goto(site, wait_until="networkidle")

    assert heading(page) == "Outbid your friends for the best library."
    assert page.get_by_role("img", name="Manuscripts 1, tie letter D").is_visible()
    assert page.get_by_role("img", name="C5: Historic Volumes").is_visible()
    assert page.locator(".brand use").evaluate("use => use.getBBox().width") > 0, "the sprite is not drawn"
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert faults(page) == []
    assert page.complaints == []


@pytest.mark.parametrize(("page", "background"), [("light", 239), ("dark", 21)], indirect=["page"])
def test_the_colours_follow_the_wish_of_the_reader(page, site, background):
    page.goto(site)
    assert page.locator("body").evaluate("e => parseInt(getComputedStyle(e).backgroundColor.slice(4))") == background


def test_the_first_stop_of_the_keyboard_leads_to_the_content(page, site):
    page.goto(site)
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to content"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def test_what_is_not_there_looks_like_the_rest_and_leads_back(page, site):
    page.goto(f"{site}/nowhere")
    assert heading(page) == "This page isn’t in the library."
    assert faults(page) == []
    page.get_by_role("link", name="Back to the home page").click()
    assert heading(page) == "Outbid your friends for the best library."
