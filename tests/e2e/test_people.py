"""People in a browser: they write to each other, see who is online, and challenge each other."""

import re

from django.utils import timezone
from playwright.sync_api import expect

from accounts.people import following, inbox
from tests.e2e.tables import signed_in
from tests.people import person


def reading(page, site):
    """Ann has her conversation with bob open, fetched again as her bell came. Returns the socket of the bell."""
    person("bob")
    signed_in(page, site, "ann")
    with (
        page.expect_websocket(lambda socket: "/ws/bell" in socket.url) as line,
        page.expect_request_finished(lambda request: "hx-request" in request.headers),
    ):
        page.goto(f"{site}/messages/bob")
    return line.value


def test_a_message_appears_at_once_and_enter_sends_an_answer(page, site):
    reading(page, site)
    inbox.send(person("bob"), person("ann"), "Shall we play?", timezone.now())
    letters = page.get_by_role("log", name="Messages")
    expect(letters).to_contain_text("Shall we play?")
    field = page.get_by_label("Message", exact=True)
    field.fill("Gladly.")
    field.press("Enter")
    expect(letters).to_contain_text("Gladly.")
    assert not page.complaints


def test_the_end_of_a_conversation_is_in_sight_and_whoever_reads_above_stays_there(page, site):
    inbox.send(person("bob"), person("ann"), "A long one." + "\n." * 80, timezone.now())
    inbox.send(person("bob"), person("ann"), "One.", timezone.now())
    reading(page, site)
    letters = page.get_by_role("log", name="Messages")
    expect(letters.get_by_text("One.", exact=True)).to_be_in_viewport(ratio=1)
    inbox.send(person("bob"), person("ann"), "Two.", timezone.now())
    expect(letters.get_by_text("Two.")).to_be_in_viewport(ratio=1)
    letters.evaluate("letters => letters.scrollTo(0, -letters.scrollHeight)")
    expect(letters.get_by_text("Two.")).not_to_be_in_viewport()
    inbox.send(person("bob"), person("ann"), "Three.", timezone.now())
    expect(letters).to_contain_text("Three.")
    expect(letters.get_by_text("Three.")).not_to_be_in_viewport()


def test_no_message_is_lost_that_comes_while_the_one_before_is_fetched(page, site):
    line = reading(page, site)
    letters, fetched = page.get_by_role("log", name="Messages"), []
    page.route("**/messages/bob", lambda route: fetched.append((route, route.fetch())), times=1)
    inbox.send(person("bob"), person("ann"), "One.", timezone.now())
    while not fetched:
        page.wait_for_timeout(10)
    with line.expect_event("framereceived", lambda text: "bell" in text):
        inbox.send(person("bob"), person("ann"), "Two.", timezone.now())
    route, response = fetched[0]
    route.fulfill(response=response)
    expect(letters).to_contain_text("One.")
    expect(letters).to_contain_text("Two.")


def test_who_is_online_is_challenged_and_accepts_in_place(visitor, site):
    ann, bob = visitor(), visitor()
    signed_in(ann, site, "ann")
    signed_in(bob, site, "bob")
    following.follow(person("ann"), person("bob"))
    with bob.expect_websocket(lambda socket: "/ws/play" in socket.url) as line:
        bob.goto(f"{site}/play")
    line.value.wait_for_event("framereceived")
    ann.goto(f"{site}/play")
    ann.get_by_role("list", name="Friends online").get_by_role("link", name="Challenge bob").click()
    ann.get_by_role("button", name="Send the challenge").click()
    expect(ann).to_have_url(re.compile(r"/m/\w+$"))
    bob.get_by_role("region", name="Waiting for you").get_by_role("button", name="Accept").click()
    for page in (ann, bob):
        expect(page.locator("#ply")).to_be_attached()
        # The game may begin before a page has sent its share of the shuffle, which is then refused.
        assert not [complaint for complaint in page.complaints if "409" not in complaint]
