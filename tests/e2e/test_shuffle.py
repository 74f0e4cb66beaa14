"""The shuffle in browsers: what they send, keep, and find again in the record."""

import json

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.lobby import open_matches
from games.matches import access, play, shuffle
from games.matches.models import Match
from tests.e2e.tables import led_to_table, signed_in


def kept(page, match):
    return json.loads(page.evaluate("key => localStorage.getItem('kept:' + key)", match.key))


@pytest.fixture
def table(visitor, site):
    """A game of ann and bob that both have shuffled in their browsers, and their pages."""
    ann, bob = visitor(), visitor()
    signed_in(ann, site, "ann")
    signed_in(bob, site, "bob")
    ann.goto(f"{site}/play")
    ann.locator("#create .segments label", has_text="2").first.click()
    ann.get_by_role("button", name="Create table").click()
    ann.get_by_role("heading", name="A table of Biblios for 2").wait_for()
    bob.goto(ann.url)
    bob.get_by_role("button", name="Take a seat").click()
    bob.get_by_role("button", name="Ready").click()
    led_to_table(ann)
    led_to_table(bob)
    return access.find(Match.objects.get().key), ann, bob


def test_browsers_keep_the_commitment_the_seals_and_their_own_bytes(table):
    match, *pages = table
    for page, seat in zip(pages, match.sitting, strict=True):
        mine = kept(page, match)
        assert (mine["commitment"], mine["seat"], mine["opened"]) == (match.commitment, seat.index, True)
        assert mine["seals"] == match.header["seals"] == [each.seal for each in match.sitting]
        assert mine["share"] == bytes(seat.share).hex() and seat.share_from == "sealed"
        assert page.complaints == []


def test_the_review_compares_the_record_with_what_the_browser_kept(table, site):
    match, ann, bob = table
    for index in range(2):
        play.vote(access.find(match.key), index, "abort")
    for page, says in ((ann, "the record agrees with it"), (bob, "The record differs")):
        if page is bob:
            changed = kept(bob, match) | {"share": "00" * 16}
            bob.evaluate("([key, text]) => localStorage.setItem('kept:' + key, text)", [match.key, json.dumps(changed)])
        page.goto(f"{site}/m/{match.key}/0")
        page.locator("summary", has_text="The shuffle").click()
        page.get_by_role("button", name="Verify in this browser").click()
        expect(page.locator("[data-kept]:visible")).to_contain_text(says)


def test_whoever_was_shown_another_commitment_gives_nothing(visitor, site):
    ann = visitor()
    signed_in(ann, site, "ann")
    sent = []
    ann.on("request", lambda request: sent.append(request.post_data) if request.url.endswith("/shuffle") else None)
    ann.goto(f"{site}/play")
    ann.get_by_role("button", name="Create table").click()
    expect(ann.locator("#shuffle")).to_contain_text("has given bytes ahead")
    match = Match.objects.get()
    ann.evaluate(
        "([key, text]) => localStorage.setItem('kept:' + key, text)",
        [match.key, json.dumps(kept(ann, match) | {"commitment": "0" * 64})],
    )
    ann.reload()
    expect(ann.get_by_role("alert").filter(has_text="another fingerprint")).to_be_visible()
    assert len(sent) == 1


def test_another_page_of_the_browser_does_not_take_its_bytes_away(visitor, site):
    ann, bob = visitor(), User.objects.create_user("bob")
    signed_in(ann, site, "ann")
    match = open_matches.open_match(User.objects.get(username="ann"), places=2, options={})
    ann.goto(f"{site}/m/{match.key}")
    expect(ann.locator("#shuffle")).to_contain_text("has given bytes ahead")
    open_matches.join(match, bob)
    expect(ann.locator("#chair-0")).to_contain_text("sealed")
    mine = kept(ann, match)
    other = json.dumps(mine | {"share": "00" * 16})  # drawn at the same moment
    ann.evaluate("([key, text]) => localStorage.setItem('kept:' + key, text)", [match.key, other])
    shuffle.do_without(match, bob)
    led_to_table(ann)
    assert bytes(access.find(match.key).sitting[0].share).hex() == kept(ann, match)["share"] == mine["share"]


def test_a_browser_that_cannot_seal_gives_nothing_and_is_not_waited_for(visitor, site):
    ann, bob = visitor(), User.objects.create_user("bob")
    ann.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")  # as without HTTPS
    signed_in(ann, site, "ann")
    match = open_matches.open_match(User.objects.get(username="ann"), places=2, options={})
    ann.goto(f"{site}/m/{match.key}")
    expect(ann.locator("#shuffle [data-says=insecure]")).to_be_visible()
    open_matches.join(match, bob)
    expect(ann.locator("#shuffle")).to_have_attribute("data-step", "")
    assert [seat.share_from for seat in access.find(match.key).sitting] == ["site", ""]
    assert ann.complaints == []


def test_without_scripts_one_gives_up_ones_part(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/")
    page.locator("form[action='/play/bots'] button").first.click()
    page.get_by_role("button", name="Begin without bytes of this browser").click()
    expect(page.locator("#ply")).to_be_attached()
    assert Match.objects.get().seats.first().share_from == "site"
    context.close()
