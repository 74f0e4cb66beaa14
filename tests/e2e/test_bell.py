"""The bell in a browser: it rings on whatever page is open, by eye and by ear."""

import json
import threading

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Member
from accounts.notices import notices
from games.matches import reminders
from games.matches.models import Seat
from games.tournaments import evenings, services
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import club_of
from tests.e2e.axe import faults
from tests.e2e.tables import signed_in
from tests.matches.matches import played, seated
from tests.people import person


def told(name="ann", address="/watch", **values):
    notices.notify(
        [person(name)],
        "challenged",
        address,
        timezone.now(),
        by=person("bob"),
        **({"club": "The Abbey", "name": "bob"} | values),
    )


def bell(page):
    return page.locator(".bell")


def number(page):
    return bell(page).locator(".badge")


@pytest.mark.parametrize("page", ["light", "phone"], indirect=True)
def test_what_is_told_rings_on_an_open_page_and_is_seen_where_it_leads(page, site):
    signed_in(page, site, "ann")
    with page.expect_websocket(lambda socket: "/ws/bell" in socket.url) as line:
        page.goto(f"{site}/rules")
    line.value.wait_for_event("framereceived")
    expect(number(page)).to_be_hidden()
    told()
    expect(number(page)).to_have_text("1")
    expect(number(page)).to_be_visible()
    expect(bell(page)).to_have_accessible_name("Notices: 1 new")
    expect(page.locator("#bell-news")).to_have_text("bob challenges you on the ladder of The Abbey.")
    told(name="bob")
    bell(page).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Notices")
    page.get_by_role("link", name="New: bob challenges you on the ladder of The Abbey.").click()
    page.wait_for_url(f"{site}/watch")
    expect(number(page)).to_be_hidden()
    assert page.complaints == []


def test_what_is_seen_in_one_tab_is_seen_in_the_other(page, site):
    signed_in(page, site, "ann")
    told()
    page.goto(f"{site}/rules")
    expect(number(page)).to_have_text("1")
    another = page.context.new_page()
    another.goto(f"{site}/notices")
    another.get_by_role("button", name="Mark all as read").click()
    expect(another.get_by_text("All notices marked as read.")).to_be_visible()
    expect(number(page)).to_be_hidden()
    expect(bell(page)).to_have_accessible_name("Notices")


def test_it_rings_at_a_table_too(page, site):
    match = seated("ann", "bob")
    signed_in(page, site, "ann")
    page.goto(site + match.get_absolute_url())
    told()
    expect(number(page)).to_have_text("1")
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#site-menu .bell > span[aria-hidden]")).to_have_text("Notices")
    signs = [page.locator(f"#site-menu {link} svg").bounding_box()["x"] for link in (".bell", "a[href='/watch']")]
    assert signs[0] == signs[1]
    assert page.complaints == []


def test_without_a_script_it_is_right_when_the_page_comes(visitor, site):
    page = visitor(java_script_enabled=False)
    signed_in(page, site, "ann")
    told()
    page.goto(f"{site}/rules")
    expect(number(page)).to_have_text("1")
    bell(page).click()
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.locator("main li.new")).to_have_count(0)
    expect(number(page)).to_be_hidden()


def test_what_one_is_told_is_chosen_by_keyboard(page, site):
    person("ann", email="ann@example.org")
    signed_in(page, site, "ann")
    page.goto(f"{site}/account#told")
    box = page.get_by_role("checkbox", name="Someone challenges you: by mail")
    box.focus()
    page.keyboard.press("Space")
    expect(box).not_to_be_checked()
    expect(page.locator("#kept-told")).to_have_text("Kept.")
    page.reload()
    expect(page.get_by_role("checkbox", name="Someone challenges you: by mail")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Someone challenges you: here")).to_be_checked()


def test_while_nobody_looks_there_is_no_line_and_then_it_is_right_again(page, site):
    signed_in(page, site, "ann")
    with page.expect_websocket(lambda socket: "/ws/bell" in socket.url) as line:
        page.goto(f"{site}/rules")
    line.value.wait_for_event("framereceived")
    with line.value.expect_event("close"):
        look(page, "hidden")
    told()
    expect(number(page)).to_be_hidden()
    look(page, "visible")
    expect(number(page)).to_have_text("1")


def look(page, state):
    """Chromium without a window looks at all its pages: the page is told otherwise."""
    page.evaluate(
        """(state) => {
            Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_a_question_counts_as_seen_when_somebody_has_looked_at_it_for_a_while(visitor, site, monkeypatch):
    noted, real = threading.Event(), reminders.seen
    monkeypatch.setattr(reminders, "seen", lambda *args: (real(*args), noted.set()))
    match = seated("ann", "bob")
    second = match.sitting[1 - match.mover]
    page = visitor()
    page.clock.install()
    signed_in(page, site, second.user.username)
    with page.expect_websocket(lambda socket: "/ws/m/" in socket.url) as line:
        page.goto(site + match.get_absolute_url())
    line.value.wait_for_event("framereceived")
    look(page, "hidden")
    match = played(match, until=lambda state: state.seat == second.index)
    page.locator(f"#ply[data-ply='{match.ply}'][data-asked='1']").wait_for(state="attached")
    sent = []
    line.value.on("framesent", lambda text: sent.append(json.loads(text)))
    page.clock.fast_forward(20_000)
    look(page, "visible")
    page.clock.fast_forward(7_000)
    assert all("seen" not in each for each in sent)
    with line.value.expect_event("framesent", lambda text: "seen" in text):
        page.clock.fast_forward(2_000)
    assert noted.wait(20)
    second.refresh_from_db()
    assert (sent[-1]["seen"], second.seen_ply) == (str(match.ply), match.ply)
    assert reminders.remind(match.asked_at + reminders.UNSEEN) == 0


def test_the_pages_are_open_to_everybody(visitor, site):
    page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    told(name="Bára")
    told(address="/old")
    for address in ("/notices", "/account", "/rules"):
        page.goto(site + address)
        assert faults(page) == []


@pytest.mark.parametrize("page", ["light", "dark phone"], indirect=True)
def test_whoever_is_ticked_at_a_night_is_led_to_their_table_and_says_that_they_are_ready(page, site):
    club, ann, now = club_of("ann", season=False).club, person("ann"), timezone.now()
    Member.objects.create(club=club, user=person("dan"), joined_at=now, seatable=True)
    night = services.open_tournament(club, ann, Tournament.Kind.EVENING, "Candlemas", GameTerms(seats=2), now)
    services.enter(night, ann, now)
    services.tick(night, ann, [person("dan")], now)
    signed_in(page, site, "dan")
    with page.expect_websocket(lambda socket: "/ws/bell" in socket.url) as line:
        page.goto(f"{site}/rules")
    line.value.wait_for_event("framereceived")
    evenings.seat_everybody(night, ann, timezone.now())
    expect(page.locator("#call")).to_contain_text("Round 1 of Candlemas has begun, and your table is open.")
    assert faults(page) == []
    page.get_by_role("link", name="To your table").click()
    expect(page.locator("#call")).to_be_hidden()
    expect(page.get_by_role("heading", name="Are you at your screen?")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="I’m ready").click()
    expect(page.locator(".at-table")).to_be_visible()
    assert Seat.objects.get(user=person("dan")).confirmed
    assert page.complaints == []
