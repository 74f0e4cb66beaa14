"""The browser follows the chain of a game's log, keeps the newest link, and warns when the past is another one."""

import json
import re
from random import Random

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from games.matches import access
from games.matches.clocks import now_ms
from games.transparency import intake, receipt
from tests.e2e.axe import every_fault, violations
from tests.e2e.conftest import LOOKS
from tests.matches.matches import answer, rushed, seated
from tests.people import person
from tests.rewriting import unplayed


@pytest.fixture
def look(visitor, site):
    """Opens the page of a table for somebody, or for nobody."""

    def look(match, name="", page=None):
        page = page or visitor(**LOOKS["light"])
        if name:
            client = Client()
            client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
            page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
        page.goto(site + match.get_absolute_url())
        expect(page.locator("body")).to_have_attribute("data-line", "open")
        return page

    return look


def some(match, moves, seed=1):
    rng = Random(seed)
    for _ in range(moves):
        match = answer(match, rng)
    return match


def kept(page, match):
    """What the browser keeps of a match."""
    return json.loads(page.evaluate("key => localStorage.getItem('kept:' + key)", match.key) or "{}")


def follows(page, match):
    """Wait until the page has followed the chain to its end; what it shows and keeps is the link of the match."""
    match = access.find(match.key)
    panel = page.locator("#receipt")
    expect(panel.locator("[data-rows]")).to_have_text(str(match.ply))
    expect(panel).to_have_attribute("data-state", "kept")
    link = bytes(match.link).hex()
    expect(panel.locator("[data-whole]")).to_have_text(link)
    assert (kept(page, match)["ply"], kept(page, match)["link"]) == (match.ply, link)


def warned(page):
    expect(page.locator("#receipt")).to_have_attribute("data-state", "broken")
    alert = page.locator("#receipt [role=alert]")
    expect(alert).to_be_visible()
    return alert.text_content()


@pytest.mark.parametrize("name", ["ann", "bob", ""])
def test_the_browser_of_players_and_watchers_follows_every_row(look, name):
    match = some(seated("ann", "bob"), 5)
    page = look(match, name)
    follows(page, match)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for seed in range(4):
        match = some(match, 4, seed)
        follows(page, match)
    assert [url for url in asked if "receipt" in url] == []
    assert page.complaints == []


def test_a_page_that_missed_rows_asks_for_them(look):
    match = some(seated("ann", "bob"), 3)
    page = look(match)
    follows(page, match)
    page.goto("about:blank")
    match = some(match, 12)
    look(match, page=page)
    follows(page, match)


def test_a_rewritten_past_is_told_from_what_the_browser_kept(look):
    match = some(seated("ann", "bob"), 6)
    page = look(match, "ann")
    follows(page, match)
    link = kept(page, match)["link"]
    page.goto("about:blank")
    match = rushed(unplayed(match), lambda state: state.placed > 8, seed=9)
    for _ in range(2):
        look(match, page=page)
        assert link[:16] in warned(page)
        assert kept(page, match)["link"] == link


def test_a_past_that_was_cut_short_is_found(look):
    match = some(seated("ann", "bob"), 6)
    page = look(match)
    follows(page, match)
    page.goto("about:blank")
    look(rushed(unplayed(match), lambda state: state.placed > 0, seed=9), page=page)
    warned(page)


def test_a_row_that_the_site_tells_otherwise_to_others_is_found(look):
    """A message with a forged row: the link that the site tells beside it does not follow from it."""
    match = some(seated("ann", "bob"), 4)
    page = look(match)
    follows(page, match)
    page.evaluate(
        """async ([follow, line]) => (await import(follow)).follow(5, "0123456789abcdef", [line])""",
        [staticfiles_storage.url("js/follow.js"), f"4 0 0 {now_ms()} keep"],
    )
    warned(page)


def test_without_scripts_the_page_shows_the_link(visitor, site):
    match = some(seated("ann", "bob"), 4)
    page = visitor(java_script_enabled=False, **LOOKS["light"])
    page.goto(site + match.get_absolute_url())
    page.locator("#receipt summary").click()
    expect(page.locator("#receipt [data-whole]")).to_have_text(bytes(match.link).hex())


def test_a_browser_that_keeps_nothing_follows_all_the_same(look, visitor):
    page = visitor(**LOOKS["light"])
    page.add_init_script(
        "delete window.localStorage; Object.defineProperty(window, 'localStorage', {value: {getItem: () => null}})"
    )
    match = some(seated("ann", "bob"), 4)
    look(match, page=page)
    expect(page.locator("#receipt")).to_have_attribute("data-state", "followed")


@pytest.mark.parametrize("page", ["light", "phone"], indirect=True)
def test_the_receipt_in_every_look(page, look):
    """Nothing hangs over, and a reader of the screen gets along."""
    match = some(seated("ann", "bob"), 6)
    look(match, "ann", page)
    if not page.locator("[data-sheet=help]:visible").count():
        page.locator(".dock [data-sheet=chat]").click()
    page.locator("[data-sheet=help]:visible").first.click()
    page.locator("#receipt summary").click()
    follows(page, match)
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert every_fault(page, "#receipt") == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download a receipt").click()
    given = json.loads(download.value.path().read_text())
    assert (given["match"], given["ply"], given["link"]) == (match.key, match.ply, bytes(match.link).hex())


def test_the_review_holds_a_record_against_a_receipt(page, site, tmp_path):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 9)
    names = ("taken", "forged", "differs", "another", "old", "broken")
    taken, forged, differs, another, old, broken = (tmp_path / f"{name}.json" for name in names)
    intake.daily(timezone.now())
    given = receipt.document(match)
    # The first five minutes of a day have no head yet.
    answers = "signed=signed" if given["head"] else "signed=unnamed"
    taken.write_text(json.dumps(given))
    forged.write_text(json.dumps(given | {"link": "0" * 64}))
    bare = {name: value for name, value in given.items() if name not in ("key", "head", "signature")}
    old.write_text(json.dumps(bare))
    differs.write_text(json.dumps(bare | {"link": "0" * 64}))
    another.write_text(json.dumps(given | {"match": "anotherkey23"}))
    broken.write_text("{")
    match = rushed(match, seed=3)
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    for file, *outcomes in (
        (taken, "receipt=agrees", answers),
        (forged, "signed=forged"),
        (old, "receipt=agrees", "signed=unsigned"),
        (differs, "receipt=differs", "signed=unsigned"),
        (another, "receipt=other"),
        (taken, "receipt=agrees", answers),
        (broken, "receipt=other"),
    ):
        page.locator("[data-receipt-file]").set_input_files(file)
        for outcome in outcomes:
            expect(page.locator(f"[data-{outcome}]")).to_be_visible()
        assert page.locator("[data-receipt]:visible, [data-signed]:visible").count() == len(outcomes)
    page.locator("[data-receipt-file]").set_input_files(taken)
    expect(page.locator("[data-receipt=agrees]")).to_contain_text(f"after {given['ply']} rows")
    if given["head"]:
        [key] = re.findall(r"^key (\S+)$", given["head"]["note"], re.MULTILINE)
        expect(page.locator("[data-signed=signed] [data-key]")).to_have_text(key)
    assert violations(page, ".proof") == []
    assert page.complaints == []


def test_the_review_says_that_a_rewritten_game_is_not_the_one_that_was_watched(look, site):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 9)
    page = look(match)
    follows(page, match)
    page.goto("about:blank")
    match = rushed(unplayed(match), seed=5)
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    page.get_by_role("button", name="Verify in this browser").click()
    expect(page.locator("[data-kept=differs]")).to_be_visible()
    expect(page.locator("[data-says=verified]")).to_be_visible()
