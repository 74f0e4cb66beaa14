import pytest

from tests.e2e.axe import every_fault, in_every_look


def heading(page):
    return page.get_by_role("heading", level=1).inner_text()


def test_the_home_page_is_whole_quiet_and_open_to_everybody(page, site):
    page.goto(site, wait_until="networkidle")

    assert heading(page) == "Outbid your friends for the best library."
    assert page.get_by_role("img", name="Monks 2, tie letter B").first.is_visible()
    assert page.get_by_role("img", name="C5: Historic Volumes").is_visible()
    assert page.locator(".brand use").evaluate("use => use.getBBox().width") > 0, "the sprite is not drawn"
    assert in_every_look(page) == []
    assert page.complaints == []


SHIFTS = """new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted = (window.shifted ?? 0) + value;
}).observe({ type: "layout-shift", buffered: true })"""
RUNNING = "document.getAnimations().filter((each) => each.playState === 'running').length"


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1366, 625)])
def test_the_first_screen_has_its_buttons_and_a_table_that_plays_by_itself(visitor, site, width, height):
    page = visitor(viewport={"width": width, "height": height})
    page.add_init_script(SHIFTS)
    page.goto(site, wait_until="networkidle")
    dock = page.locator(".dock").bounding_box()
    for name in ("Play now against bots", "Play with a friend"):
        box = page.get_by_role("button", name=name, exact=True).first.bounding_box()
        assert box["y"] + box["height"] <= (dock["y"] if dock else height)
    assert page.evaluate(RUNNING) > 0
    pause = page.get_by_role("checkbox", name="Pause the picture")
    pause.press("Space")
    assert page.evaluate(RUNNING) == 0
    pause.press("Space")
    # It comes to an end by itself, and nothing on the page has moved.
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    assert page.get_by_text("Yours for 4").is_visible()
    assert page.evaluate(RUNNING) == 0 and page.evaluate("window.shifted ?? 0") < 0.01


def test_without_motion_the_table_stands_still_at_its_end(visitor, site):
    page = visitor(reduced_motion="reduce")
    page.goto(site, wait_until="networkidle")
    assert page.evaluate("document.getAnimations().length") == 0
    shown = page.locator(".demo-lot").evaluate_all("lots => lots.map((lot) => getComputedStyle(lot).opacity)")
    assert shown == ["0", "0", "1"]
    assert page.get_by_role("checkbox", name="Pause the picture").is_hidden()


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
    assert every_fault(page) == []
    page.get_by_role("link", name="Back to the home page").click()
    assert heading(page) == "Outbid your friends for the best library."
