"""Looking at games of Ex Libris, in a browser: while they are played, at their end, and later in the review."""

import pytest
from playwright.sync_api import expect

from games.engine.registry import title
from tests.e2e.axe import in_every_look
from tests.e2e.tables import signed_in
from tests.matches.matches import rushed, seated

GAME = title("exlibris")
LIVE = {"pace": "live", "bank_ms": 6_000_000}
SIZES = (1366, 625), (390, 664), (1920, 1080), (360, 640)
LONG = "W" * 20
FITS = """() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const found = [], bar = box(".review-controls"), hands = box(".ex-hands"), town = document.querySelector("#town");
    if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
    if (bar.bottom > innerHeight + 1) found.push("the bar leaves the window");
    if (Math.abs(bar.height - 44) > 1) found.push(`the bar is ${bar.height} px high`);
    if (town) {
        if (box("#position").bottom > bar.top + 1) found.push("the position runs under the bar");
        if (hands.bottom > town.getBoundingClientRect().top + 1) found.push("the shelves lie over the town");
    }
    for (const row of document.querySelectorAll(".ex-held-row")) {
        const shelf = row.querySelector(".ex-mini").getBoundingClientRect();
        if (shelf.height < 56 || shelf.width < 200) found.push(`a shelf of ${shelf.width} x ${shelf.height}`);
    }
    let end = 0;
    for (const label of document.querySelectorAll(".phases a:not(.short)")) {
        const range = document.createRange();
        range.selectNodeContents(label);
        const text = range.getBoundingClientRect();
        if (text.left < end - 0.5) found.push(`${label.textContent} is printed over another label`);
        end = text.right;
    }
    return found;
}"""


def bare(page, sizes, says):
    """What is wrong at each size, by the script `says`."""
    found = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}x{height}: {fault}" for fault in page.evaluate(says)]
    return found


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_review_fits_the_window_and_its_labels_lie_beside_each_other(visitor, site, players):
    match = rushed(seated(*["ann", "bob", LONG, "dan"][:players], game=GAME, **LIVE))
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    for ply in (match.ply // 2, match.ply):
        page.goto(f"{site}/m/{match.key}/{ply}?as=all", wait_until="networkidle")
        assert bare(page, SIZES, FITS) == []
    assert page.complaints == []


def test_the_scores_of_a_position_open_over_it_and_at_the_end_the_sheet_lies_open(visitor, site):
    match = rushed(seated("ann", "bob", game=GAME, **LIVE))
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    page.goto(f"{site}/m/{match.key}/{match.ply // 2}?as=all", wait_until="networkidle")
    scores = page.get_by_role("dialog", name="Scores")
    expect(scores).to_be_hidden()
    page.get_by_role("button", name="Scores").click()
    expect(scores.get_by_text("Stability")).to_be_visible()
    page.keyboard.press("Escape")
    assert in_every_look(page) == []
    page.keyboard.press("End")
    sheet = page.get_by_label("Score sheet")
    expect(sheet.get_by_text("Stability")).to_be_visible()
    points = sheet.locator("tfoot td b").all_text_contents()
    assert sorted(points) == sorted(page.locator(".ex-held-row header .number").all_text_contents())
    assert in_every_look(page) == []


SHELVES = """() => {
    const found = [];
    const shown = [...document.querySelectorAll("#people .ex-mini")].map((it) => it.getBoundingClientRect());
    const free = document.querySelector("#people").getBoundingClientRect();
    const area = shown.reduce((sum, box) => sum + box.width * box.height, 0) / (free.width * free.height);
    if (area < 0.45) found.push(`shelves on ${area} of their place`);
    if (innerWidth > 860 && shown.some((box) => box.bottom > innerHeight)) found.push("a shelf below the window");
    if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
    return found;
}"""


@pytest.mark.parametrize("players", [2, 4])
def test_who_watches_sees_the_shelves_large_side_by_side(visitor, site, players):
    match = rushed(seated(*["ann", "bob", LONG, "dan"][:players], game=GAME, **LIVE), lambda state: state.round > 4)
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    page.goto(f"{site}{match.get_absolute_url()}", wait_until="networkidle")
    assert bare(page, SIZES, SHELVES) == []
    page.set_viewport_size({"width": 1366, "height": 625})
    first, second = [page.locator("#people .ex-mini").nth(at).bounding_box() for at in (0, 1)]
    assert first["y"] == pytest.approx(second["y"], abs=2) and first["x"] < second["x"]
    assert page.complaints == []


def test_every_end_leads_everybody_to_the_review(visitor, site):
    match = rushed(seated("ann", "bob", game=GAME, **LIVE))
    for name in ("ann", ""):
        page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
        if name:
            signed_in(page, site, name)
        page.goto(f"{site}{match.get_absolute_url()}")
        page.get_by_role("link", name="Review this game").click()
        expect(page.get_by_label("Shelves and hands")).to_be_visible()
