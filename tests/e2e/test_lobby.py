import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import User
from games.lobby import open_matches
from games.matches.clocks import USUAL
from games.matches.models import Match, Seat
from tests.e2e.axe import in_every_look, violations
from tests.e2e.conftest import LOOKS
from tests.e2e.tables import led_to_table
from tests.matches.matches import seated
from tests.people import person

LIVE = {"clock": USUAL}


@pytest.fixture
def signed_in(visitor, site):
    """Opens a page of somebody who is signed in."""

    def open_page(name, path="/play", **look):
        client = Client()
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        page = visitor(**look)
        page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
        page.goto(site + path)
        return page

    return open_page


def width(page):
    return page.evaluate("document.documentElement.scrollWidth")


def test_two_people_find_each_other_and_both_are_led_to_the_table(signed_in):
    ann, bob = signed_in("ann"), signed_in("bob", **LOOKS["phone"])
    ann.locator("#create .segments label", has_text="2").first.click()
    ann.get_by_role("button", name="Create table").click()
    ann.get_by_role("heading", name="A table of Biblios for 2").wait_for()

    # The table appears before bob without an action of theirs.
    bob.get_by_role("button", name="Join the table of ann").click()
    ann.locator("#room", has_text="bob").wait_for()
    bob.get_by_role("button", name="Ready").click()

    match = Match.objects.get()
    for page in (ann, bob):
        page.wait_for_url(f"**/m/{match.key}")
        page.locator("body[data-table]").wait_for()
    assert [seat.share_from for seat in Seat.objects.all()] == ["sealed", "sealed"]
    assert ann.complaints == bob.complaints == []


def test_a_quick_match_is_looked_for_on_the_page_and_begins_by_itself(signed_in):
    ann = signed_in("ann")
    ann.locator(".quick-button", has_text="2").first.click()
    ann.get_by_text("Looking for a game of Biblios for 2").wait_for()
    bob = signed_in("bob")
    bob.locator(".quick-button", has_text="1 waiting").click()
    for page in (ann, bob):
        led_to_table(page)


def test_what_one_is_choosing_stays_when_the_lobby_changes(signed_in):
    ann = signed_in("ann")
    ann.locator("#create summary").click()
    ann.locator("#id_time").select_option("own")
    ann.locator("#id_minutes").fill("7")
    open_matches.open_match(person("bob"), places=2, options={}, **LIVE)
    ann.get_by_role("button", name="Join the table of bob").wait_for()
    assert ann.locator("#id_minutes").input_value() == "7"
    assert ann.locator("#id_minutes").evaluate("field => field === document.activeElement")


def test_the_form_shows_what_belongs_to_the_choices_made(signed_in):
    ann = signed_in("ann", viewport={"width": 1366, "height": 625})
    # The button to press is in the first screen, the rest behind one press.
    assert ann.get_by_role("button", name="Create table").bounding_box()["y"] < 625 - 56
    assert not ann.locator("#id_time").is_visible()
    assert ann.locator("#create .usual").inner_text().split("\n") == ["10 min + 15 s", "Rulebook", "Rated"]
    ann.locator("#create summary").click()
    assert ann.get_by_text("Anyone can watch").is_visible() and not ann.locator("[name=watch]").first.is_visible()
    ann.locator("#create .segments label", has_text="Daily").click()
    assert ann.get_by_text("3 days a move").is_visible()
    assert not ann.locator("#id_time").is_visible()
    ann.locator("#create .segments label", has_text="No clock").click()
    assert ann.get_by_text("With bots, or without a clock, a game is casual.").is_visible()
    assert not ann.get_by_text("3 days a move").is_visible()
    assert ann.locator("#create").get_by_text("No one", exact=True).is_visible()
    ann.locator("#id_preset").select_option("custom")
    assert ann.locator("#id_option_penalty").is_visible()
    ann.locator("#create summary").click()
    expect(ann.locator("#create summary")).to_have_text("As you chose Change", use_inner_text=True)


def test_the_form_is_filled_by_keyboard_and_says_what_is_wrong(signed_in):
    ann = signed_in("ann")
    ann.locator("#create summary").press("Enter")
    ann.locator("[name=bots]").first.focus()
    for _ in range(3):
        ann.keyboard.press("ArrowRight")
    ann.keyboard.press("Enter")
    ann.get_by_text("One of the seats is yours: choose fewer bots.").wait_for()
    assert ann.locator("[name=bots][value='3']").is_checked()
    assert violations(ann) == []


def test_the_lobby_and_its_rooms_suit_everybody(signed_in):
    seated("ann", "bob", "dan", **LIVE)
    match = open_matches.open_match(person("ann"), places=4, options={"penalty": "honest"}, rated=True, **LIVE)
    open_matches.join(match, person("A-very-long-name-yes"))
    open_matches.open_match(person("Another-name-of-kind"), places=3, options={}, **LIVE)
    page = signed_in("ann")
    page.locator("#open-matches").wait_for()
    assert in_every_look(page) == []
    page.goto(page.url.replace("/play", f"/m/{match.key}"))
    assert in_every_look(page) == []
    assert page.complaints == []


def test_a_visitor_plays_at_once_and_keeps_their_game(visitor, site):
    page = visitor()
    page.goto(site + "/play")
    page.locator(".quick-button", has_text="2 bots").click()
    led_to_table(page)
    guest = User.objects.get()
    assert guest.guest
    page.goto(site + "/play")
    assert page.locator("#own-matches a").count() == 1


def test_forms_are_answered_in_the_page_that_stands(signed_in):
    ann = signed_in("ann")
    ann.evaluate("window.stands = true")
    ann.evaluate("addEventListener('htmx:afterSettle', () => (document.documentElement.dataset.settled = 1))")
    for button in (ann.locator(".quick-button", has_text="2").first, ann.get_by_role("button", name="Stop looking")):
        ann.evaluate("delete document.documentElement.dataset.settled")
        button.click()
        ann.locator("html[data-settled]").wait_for(state="attached")  # what is chosen before would be lost
    ann.locator("#create summary").click()
    ann.locator("[name=bots][value='3']").check(force=True)
    ann.get_by_role("button", name="Create table").click()
    expect(ann.locator("#create .banner")).to_be_focused()
    assert ann.url.endswith("/play") and ann.evaluate("window.stands")
    assert ann.complaints == [
        "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
    ]

    # The line is lost, and comes back.
    ann.context.set_offline(True)
    ann.get_by_role("button", name="Create table").click()
    expect(ann.get_by_role("status").get_by_text("That didn’t arrive. Please send it again.")).to_be_visible()
    ann.context.set_offline(False)
    ann.locator("[name=bots][value='0']").check(force=True)
    ann.get_by_role("button", name="Create table").click()
    ann.wait_for_url("**/m/*")


def test_why_something_is_refused_stands_above_the_page(signed_in):
    table = open_matches.open_match(person("bob"), places=2, options={}, **LIVE)
    ann = signed_in("ann")
    ann.route("**/join", lambda route: (open_matches.leave(table, person("bob")), route.continue_()))
    ann.get_by_role("button", name="Join the table of bob").click()
    expect(ann.get_by_role("status").first).not_to_be_empty()


def test_the_forms_work_without_scripts(signed_in):
    ann = signed_in("ann", java_script_enabled=False)
    ann.locator(".quick-button", has_text="2").first.click()
    ann.get_by_role("button", name="Stop looking").click()
    ann.get_by_role("button", name="Create table").click()
    ann.wait_for_url("**/m/*")


def test_two_talk_in_the_waiting_room_and_lose_nothing_of_what_they_type(signed_in):
    match = open_matches.open_match(person("ann"), places=3, options={}, **LIVE)
    open_matches.join(match, person("bob"))
    ann, bob = signed_in("ann", f"/m/{match.key}"), signed_in("bob", f"/m/{match.key}", **LOOKS["phone"])
    ann.get_by_label("Chat message").fill("half a sen")
    bob.get_by_role("button", name="Good luck!").click()
    expect(ann.locator("#chat-lines")).to_contain_text("Good luck!")
    expect(ann.get_by_label("Chat message")).to_have_value("half a sen")
    ann.get_by_label("Chat message").press_sequentially("tence")
    ann.get_by_label("Chat message").press("Enter")
    expect(bob.locator("#chat-lines")).to_contain_text("tence")
    expect(ann.get_by_label("Chat message")).to_have_value("")
    assert violations(ann) == violations(bob) == []
    assert width(bob) == 360
    assert ann.complaints == bob.complaints == []


def test_whoever_looks_for_a_quick_match_plays_bots_and_is_led_to_the_people(signed_in):
    ann, bob = signed_in("ann"), signed_in("bob")
    ann.locator("#quick").get_by_role("button", name="2 players").first.click()
    expect(ann.locator("#quick [data-waited]")).to_have_text("0:01")
    ann.get_by_role("button", name="Start with bots meanwhile").click()
    led_to_table(ann)
    expect(ann.locator("#seeking [data-waited]")).to_have_text(re.compile(r"0:\d\d"))
    bots = ann.url
    bob.locator("#quick").get_by_role("button", name="2 players").first.click()
    expect(ann).not_to_have_url(bots)
    led_to_table(ann)
    assert {seat.user.username for seat in Match.objects.get(rated=True).seats.all()} == {"ann", "bob"}
    assert ann.complaints == bob.complaints == []
