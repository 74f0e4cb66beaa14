"""Another game than Biblios, with its own words, styles and scripts, in the browser."""

import pytest

from tests.e2e.axe import faults
from tests.e2e.tables import ASKED, board, sign_up, signed_in
from tests.matches.matches import played, seated

pytestmark = pytest.mark.usefixtures("toy")


def test_two_people_open_join_play_and_verify_a_game_of_sealed_offers(visitor, site):
    ann, bob = visitor(reduced_motion="reduce"), visitor(reduced_motion="reduce")
    sign_up(ann, site, "Ann")
    sign_up(bob, site, "Bob")
    ann.get_by_role("navigation", name="Game at the table").get_by_role("link", name="Sealed offers").click()
    ann.wait_for_url(lambda url: "game=toy" in url)
    ann.locator("#create .segments", has=ann.locator("#id_places_1")).get_by_text("2", exact=True).click()
    ann.locator("#create summary").click()
    ann.get_by_label("Rules", exact=True).select_option("Short")
    assert ann.get_by_text("One round.", exact=True).is_visible()
    ann.get_by_role("button", name="Create table").click()
    ann.wait_for_url("**/m/*")
    bob.get_by_role("button", name="Join the table of Ann").click()
    table = ann.url.partition("#")[0]
    bob.wait_for_url(table)
    bob.get_by_role("button", name="I’m ready").click()
    for page in (ann, bob):
        page.locator("#ply").wait_for(state="attached")

    first, second = (ann, bob) if board(ann)["me"] == board(ann)["mover"] else (bob, ann)
    offer(first, 100)
    second.locator("#offers").get_by_text("sealed").wait_for()
    assert "100" not in second.locator("#log-lines").inner_text()
    offer(second, 20)
    # The lower offer may object.
    first.locator("#opened").get_by_text("100, 20").wait_for()
    second.locator("#stage").get_by_role("button", name="Agree").click()
    for page in (ann, bob):
        board(page, "[data-over='1']")
        assert "wins." in page.get_by_role("heading", level=1).inner_text()

    ann.goto(f"{table}/3?as=all")
    ann.get_by_role("button", name="Verify in this browser").click()
    ann.locator("[data-verify][data-outcome=verified]").wait_for()
    assert ann.locator("[data-check=prizes]").get_attribute("data-holds") == "true"
    assert ann.complaints == bob.complaints == []


def offer(page, coins):
    """Choose an offer, when asked, and send it: the button says what it sends."""
    board(page, ASKED)
    page.get_by_role("radio", name=str(coins), exact=True).check()
    page.get_by_role("button", name=f"Offer {coins}", exact=True).click()


def test_pages_with_two_games_are_open_to_everybody_and_fit_on_a_phone(visitor, site, toy):
    for game in (toy, None):
        played(seated("ann", "bob", game=game, rated=True, pace="daily", days=1), seed=4)
    page = visitor(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    signed_in(page, site, "ann")
    found = {}
    for path in ("/play", "/leaders", "/@/ann?game=toy", "/@/ann/games", "/clubs/new"):
        page.goto(site + path)
        found[path] = faults(page)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found[path].append("wider than the screen")
    assert {path: faults for path, faults in found.items() if faults} == {}
    page.goto(f"{site}/@/bob")
    page.get_by_role("group", name="Game").get_by_role("link", name="Sealed offers").click()
    page.get_by_text("Rating, 2 and 3 players").wait_for()
    assert page.complaints == []
