from django.utils import timezone
from playwright.sync_api import expect

from games.hands import hands
from games.matches.models import Match
from tests.e2e.conftest import LOOKS
from tests.e2e.tables import led_to_table, signed_in, within_reach
from tests.hands.days import done, hand_at, over
from tests.people import person


def test_a_phone_plays_the_hand_of_the_day_and_shares_the_result(visitor, site):
    now = timezone.now()
    hand = hand_at(now)
    done("bob", points=19, now=now)
    page = visitor(**LOOKS["phone"], permissions=["clipboard-read", "clipboard-write"])
    person("ann")
    signed_in(page, site, "ann")

    page.goto(f"{site}/play")
    page.get_by_role("link", name="Play today’s hand of Biblios").click()
    expect(page.get_by_text("1 player has finished this hand.")).to_be_visible()
    page.get_by_role("button", name="Play today’s hand").click()
    led_to_table(page)
    assert within_reach(page) == []
    match = Match.objects.seated().get(hand_try__user=person("ann"))

    page.goto(f"{site}/hand")
    expect(page.get_by_role("link", name="Go on with Biblios")).to_have_attribute("href", match.get_absolute_url())
    hands.ended(over(match, points=11, now=timezone.now()))
    page.goto(site + hand.get_absolute_url())
    expect(page.get_by_text("So far place 2 of 2.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert ": 11 points, 2 dice, place 2 of 2" in copied
    assert copied.splitlines()[1].endswith(hand.get_absolute_url())
    assert page.complaints == []
