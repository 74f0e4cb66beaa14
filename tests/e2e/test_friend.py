"""With a friend: from the wish to both at the table, the host presses twice at most, and the friend once."""

import pytest
from playwright.sync_api import expect

from games.matches.models import Match, Seat
from tests.e2e.axe import violations
from tests.e2e.conftest import LOOKS
from tests.e2e.tables import led_to_table, signed_in

CLIPBOARD = ["clipboard-read", "clipboard-write"]


def counting(page):
    """The page, which counts what is pressed on it, here and on the pages that follow."""
    page.presses = 0

    def pressed():
        page.presses += 1

    page.expose_function("pressed", pressed)
    page.add_init_script("addEventListener('click', (event) => event.isTrusted && event.detail && pressed(), true)")
    return page


@pytest.mark.parametrize("look", ["light", "phone"])
@pytest.mark.parametrize("people", ["accounts", "guests"])
@pytest.mark.parametrize("start", ["/", "/play"])
def test_two_presses_and_one_bring_both_to_the_table(visitor, site, look, people, start):
    host, friend = counting(visitor(**LOOKS[look])), counting(visitor(**LOOKS[look]))
    if people == "accounts":
        signed_in(host, site, "ann")
        signed_in(friend, site, "bob")
    host.context.grant_permissions(CLIPBOARD, origin=site)
    host.goto(site + start)
    name = "Play with a friend" if start == "/" else "Get a link"
    host.get_by_role("button", name=name).click()
    expect(host.get_by_text("Copied: paste it to your friend")).to_be_visible()
    copied = host.evaluate("navigator.clipboard.readText()")
    assert copied == host.url.removesuffix("#copied")
    assert violations(host) == []

    friend.goto(copied)
    expect(friend.get_by_role("heading", name="is waiting for you")).to_be_visible()
    assert violations(friend) == []
    friend.get_by_role("button", name="Play as a guest" if people == "guests" else "Play now").click()
    led_to_table(host)
    led_to_table(friend)
    assert Match.objects.get().status == "running"
    assert [seat.share_from for seat in Seat.objects.all()] == ["sealed", "sealed"]
    assert (host.presses, friend.presses) == (1, 1)
    assert host.complaints == friend.complaints == []


def test_where_nothing_may_be_copied_the_link_stands_selected(visitor, site):
    page = visitor()
    page.add_init_script("navigator.clipboard.write = () => Promise.reject(new DOMException('', 'NotAllowedError'))")
    page.goto(site)
    page.get_by_text("Ex Libris", exact=True).first.click()
    page.get_by_role("button", name="Play with a friend").click()
    expect(page.get_by_role("heading", name="A table of Ex Libris for 2")).to_be_visible()
    expect(page.locator("#link")).to_be_focused()
    assert page.locator("#link").evaluate("link => link.selectionEnd - link.selectionStart === link.value.length")
    expect(page.get_by_text("Copied: paste it to your friend")).to_be_hidden()
    expect(page.get_by_role("figure", name="QR code of the link")).to_be_visible()
    # The title that was played last is proposed from now on.
    page.goto(site)
    expect(page.locator("[name=game][value=exlibris]").first).to_be_checked()


def test_without_scripts_the_link_is_there_too(visitor, site):
    page = visitor(java_script_enabled=False)
    page.goto(site)
    page.get_by_role("button", name="Play with a friend").click()
    expect(page.locator("#link")).to_have_value(f"http://localhost:8000/m/{Match.objects.get().key}")


def test_why_there_is_no_table_is_said(visitor, site):
    page = visitor()
    page.goto(site + "/play")
    page.locator(".quick-button", has_text="2 bots").click()
    led_to_table(page)
    page.goto(site + "/play")
    page.get_by_role("button", name="Get a link").click()
    expect(page.get_by_role("status").first).to_contain_text("one game at a time")
