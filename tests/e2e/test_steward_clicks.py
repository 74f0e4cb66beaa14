"""How often a steward presses until three rounds of an evening are played; ticks of people are counted apart."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.tournaments import scheduled, services
from games.tournaments.models import Tournament
from tests.clubs.clubs import club_of
from tests.e2e.tables import signed_in
from tests.people import person
from tests.tournaments.evenings import end_all

pytestmark = [pytest.mark.slow, pytest.mark.once]
MEMBERS = "bob", "cho", "dan", "eve", "fay", "gus", "hal", "ida", "jon"


class Steward:
    """Presses with a pointer, and counts it."""

    def __init__(self, page, site):
        self.page, self.clicks = page, 0
        self.club = club_of("ann", *MEMBERS, season=False, now=timezone.now()).club
        signed_in(page, site, "ann")
        page.goto(site + self.club.get_absolute_url())

    def press(self, role, name):
        self.page.get_by_role("main").get_by_role(role, name=name).first.click()
        self.clicks += 1

    def set(self, kind):
        """Set an event of a kind that begins now, as its form proposes it."""
        self.press("link", "New event")
        self.press("link", kind)
        self.press("button", "Create the event")
        expect(self.page).to_have_url(re.compile(r"/tournaments/\d+$"))
        return Tournament.objects.get()

    def tick(self, people, button):
        for name in people:
            self.page.get_by_label(name, exact=True).check()
        self.press("button", button)

    def expect_round(self, event, number):
        expect(self.page.get_by_text(re.compile(rf"\bRound {number}\b")).first).to_be_visible()
        event.refresh_from_db()
        assert len(event.standing["rounds"]) == number


def test_a_night_of_nine_with_three_rounds_takes_seven_presses_at_most(page, site):
    ann = Steward(page, site)
    ann.club.members.update(seatable=True)
    night = ann.set("Club night")
    ann.tick(MEMBERS, "Add them")
    for number, button in enumerate(("Seat everybody", "Next round", "Next round"), 1):
        ann.press("button", button)
        ann.expect_round(night, number)
        end_all(night, timezone.now())
    assert ann.clicks <= 7


def test_a_swiss_of_eight_with_three_rounds_takes_six_presses_at_most(page, site):
    ann = Steward(page, site)
    cup = ann.set("Swiss")
    ann.tick(MEMBERS[:8], "Ask them")
    for name in MEMBERS[:8]:
        services.enter(cup, person(name), timezone.now())
    ann.press("button", "Begin with 8 players")
    for number in range(1, 4):
        ann.expect_round(cup, number)
        end_all(cup, timezone.now())
        # The pause is over.
        Tournament.objects.exclude(clock_at=None).update(clock_at=timezone.now())
        scheduled.begin_due(timezone.now())
    expect(page.get_by_text("This is over.").or_(page.get_by_text("has won."))).to_be_visible()
    assert ann.clicks <= 6
