"""The end of a game: what is shown, and that nothing lies over anything else, however long the names are."""

import re

import pytest
from playwright.sync_api import expect

from games.matches import access
from tests.e2e.axe import found
from tests.e2e.tables import signed_in
from tests.matches.matches import rushed, seated

WAYS_TO_LEAVE = ("resign", "time", "leave")
OVERLAPS = """() => {
  const drawn = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const parts = ":is(.place, .avatar, .standing-name, .won-dice, .points, .gained)";
  const boxes = [...document.querySelectorAll(`.hero h1, .wreath, #rematch, .standing-list ${parts}`)].map((node) => {
    const box = node.matches("h1, .gained") ? drawn(node) : node.getBoundingClientRect();
    return { what: `${node.className} ${node.innerText}`, box };
  });
  // Lines of text that are set closely share a little of their empty height.
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 4 || b.bottom <= a.top + 4;
  const page = document.querySelector("#stage").getBoundingClientRect();
  const found = [];
  for (const [at, { what, box }] of boxes.entries()) {
    if (!box.width) continue;
    if (box.left < page.left || page.right < box.right || box.top < page.top || page.bottom < box.bottom)
      found.push(`${what} leaves the page`);
    for (const other of boxes.slice(at + 1)) {
      if (other.box.width && !apart(box, other.box)) found.push(`${what} and ${other.what}`);
    }
  }
  return found;
}"""

REPAINTED = """() => {
  for (const node of document.querySelectorAll(".race li .number")) node.textContent = "0";
  document.dispatchEvent(new Event("board"));
}"""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_longest_names_of_whoever_left_lie_over_nothing(visitor, site, database, same_cards, players):
    match = seated(*[f"{'W' * 19}{seat}" for seat in range(players)], pace="live", bank_ms=600_000, rated=True)
    for seat, why in enumerate(WAYS_TO_LEAVE[: players - 1]):
        match.seats.filter(index=seat).update(left=why)
    match = rushed(access.find(match.key))
    page = visitor()
    page.goto(f"{site}/m/{match.key}")
    assert page.locator(".standing-list li").count() == players
    for width, height in [(1280, 720), (1440, 900), (861, 900), (360, 740)]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OVERLAPS) == [], (width, height)


@pytest.fixture
def nearly_over(same_cards):
    """A game of two in its last auctions."""
    match = seated("ann", "bob", pace="live", bank_ms=600_000, rated=True)
    return rushed(match, lambda state: len(state.view(None).lots) == state.setup.turns)


def test_the_lesson_about_the_count_waits_until_the_dice_are_judged(visitor, site, database, same_cards):
    match = seated("ann", bots=1, guided=True)
    match = rushed(match, lambda state: len(state.view(None).lots) == state.setup.turns)
    page = visitor()
    signed_in(page, site, "ann")
    page.goto(f"{site}/m/{match.key}")
    expect(page.locator("body")).to_have_attribute("data-line", "open")
    rushed(access.find(match.key))
    lesson = page.locator("#lesson")
    expect(page.locator("body")).to_have_attribute("data-judged", "1")
    assert lesson.is_hidden()
    page.evaluate(REPAINTED)
    assert lesson.is_hidden()
    page.get_by_role("button", name="Show all").click()
    expect(lesson.get_by_role("heading")).to_have_text("The count")
    own, dice = lesson.bounding_box(), page.locator(".dice-columns").bounding_box()
    assert own["y"] >= dice["y"] + dice["height"]
    assert page.complaints == []


def headings(page):
    return page.get_by_role("heading", level=1)


def test_who_sees_the_game_end_sees_each_die_judged_and_nobody_else_does(visitor, site, database, nearly_over):
    page, calm, late = visitor(), visitor(reduced_motion="reduce"), visitor()
    for one in (page, calm):
        signed_in(one, site, "ann" if one is page else "bob")
        one.goto(f"{site}/m/{nearly_over.key}")
        expect(one.locator("body")).to_have_attribute("data-line", "open")
    match = rushed(access.find(nearly_over.key))
    place = match.result["places"][0]

    expect(page.locator("body")).to_have_attribute("data-judged", re.compile("[0-4]"))
    expect(page.locator(".judging")).to_be_visible()
    expect(headings(page)).to_be_hidden()
    expect(page.locator("#live")).to_contain_text("1st ann" if place == 1 else "bob won")
    page.keyboard.press("Escape")
    expect(page.locator("body")).not_to_have_attribute("data-judged", re.compile("."))
    expect(headings(page)).to_contain_text("You won" if place == 1 else "bob won")

    expect(headings(calm)).to_contain_text("ann won" if place == 1 else "You won")
    assert calm.locator("body").get_attribute("data-judged") is None
    for one in (page, late):
        one.goto(f"{site}/m/{match.key}")
        expect(headings(one)).to_contain_text("won")
        assert one.locator("body").get_attribute("data-judged") is None
    assert page.complaints == calm.complaints == late.complaints == []


@pytest.mark.parametrize("page", ["light", "phone"], indirect=True)
def test_it_is_shown_again_by_hand_and_goes_on_by_the_enter_key(page, site, database, nearly_over):
    match = rushed(nearly_over)
    page.goto(f"{site}/m/{match.key}")
    page.get_by_role("button", name="Show it again").click()
    titles = []
    for die in range(5):
        titles.append(page.locator(".verdict-title:visible").inner_text())
        if die == 4:
            # The ratings of the game may come while it is judged, and the board with them.
            page.evaluate(REPAINTED)
            points = page.locator(".race li .number").all_inner_texts()
        page.keyboard.press("Enter")
    assert [title.split(" go to ")[0] for title in titles] == [
        "Monks",
        "Pigments",
        "Holy Books",
        "Manuscripts",
        "Forbidden Tomes",
    ]
    expect(headings(page)).to_be_in_viewport(ratio=1)
    assert sorted(int(text.split(" → ")[-1]) for text in points) == sorted(match.result["points"])


def test_without_scripts_the_whole_result_stands_there(visitor, site, database, nearly_over):
    match = rushed(nearly_over)
    page = visitor(java_script_enabled=False)
    page.goto(f"{site}/m/{match.key}")
    expect(headings(page)).to_contain_text("won with")
    expect(page.locator(".judging")).to_be_hidden()
    expect(page.get_by_role("button", name="Show it again")).to_be_hidden()
    page.locator("summary", has_text="Share").click()
    expect(page.get_by_role("link", name="Download picture")).to_be_visible()
    assert page.get_by_role("img", name="The result as a picture").evaluate("image => image.naturalWidth") == 1200


BOTTOM = "part => part.getBoundingClientRect().bottom"
SIZES = [(1366, 625), (1280, 720), (1366, 768), (1440, 900)]


@pytest.mark.parametrize("players", [2, 4])
def test_all_of_it_is_in_view_on_a_desk_and_ones_own_result_on_a_phone(visitor, site, database, same_cards, players):
    match = rushed(seated(*["ann", "bob", "dan", "eve"][:players], pace="live", bank_ms=600_000, rated=True))
    page = visitor()
    signed_in(page, site, "ann")
    page.goto(f"{site}/m/{match.key}")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator("#stage").evaluate(BOTTOM) <= height, (width, height)
        page.get_by_role("button", name="Show it again").click()
        assert page.locator(".race").evaluate(BOTTOM) <= height, (width, height)
        page.keyboard.press("Escape")
    for width, height in [(390, 664), (360, 640)]:
        page.set_viewport_size({"width": width, "height": height})
        for part in (headings(page), page.get_by_role("button", name="Rematch")):
            expect(part).to_be_in_viewport(ratio=1)
        assert page.locator("#stage").evaluate("stage => stage.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_those_who_see_or_move_otherwise_can_use_it(visitor, site, database, nearly_over, scheme):
    match = rushed(nearly_over)
    page = visitor(color_scheme=scheme, viewport={"width": 1366, "height": 768})
    signed_in(page, site, "ann")
    page.goto(f"{site}/m/{match.key}")
    for show in ("Show it again", ""):
        assert [what for impact, what in found(page) if impact in ("serious", "critical")] == []
        if show:
            page.get_by_role("button", name=show).click()
    page.keyboard.press("Escape")
    page.locator("summary", has_text="Share").press("Enter")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Copy link")).to_be_hidden()
    assert page.evaluate("document.activeElement.textContent") == "Share"
