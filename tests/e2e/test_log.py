"""The public log in a browser: its page, and the button of a review that checks whether the game is in it."""

import json
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.transparency import intake
from tests.e2e.axe import in_every_look
from tests.matches.matches import rushed, seated


@pytest.fixture
def matches(database):
    """Matches that ended today; the site has closed the day."""
    matches = [rushed(seated("ann", "bob"), seed=seed) for seed in range(3)]
    intake.daily((timezone.now() + timedelta(days=1)).replace(hour=1))
    return matches


def shuffle_and_log(page, site, match):
    """The part of the review that is about the log."""
    page.goto(f"{site}{match.get_absolute_url()}/{match.ply}")
    page.get_by_role("heading", name="The public log").click()
    return page.locator("[data-log-proof]")


def test_the_page_of_the_log_is_open_to_everybody(page, site, matches):
    page.goto(f"{site}/log", wait_until="networkidle")
    expect(page.locator(".note")).to_contain_text("/log 3 ")
    assert in_every_look(page) == []
    assert page.complaints == []


def test_a_browser_checks_that_a_game_is_in_the_log(page, site, matches):
    for match in matches:
        panel = shuffle_and_log(page, site, match)
        panel.get_by_role("button", name="Check in this browser").click()
        expect(panel).to_have_attribute("data-outcome", "verified")
        expect(panel.locator("[data-holds=true]")).to_have_count(3)
    assert in_every_look(page, "[data-log-proof]") == []
    assert page.complaints == []


SPOILT = (
    (lambda proof: proof.update(entry=proof["entry"].replace('"places":[', '"places":[9,')), ["entry", "inclusion"]),
    (lambda proof: proof.update(inclusion=["00" * 32 for _ in proof["inclusion"]]), ["inclusion"]),
    (lambda proof: proof["head"].update(note=proof["head"]["note"].replace("\nday 2", "\nday 3")), ["signature"]),
)
"""How a proof can be changed, and what does not hold any more."""


def test_a_browser_says_what_does_not_hold(page, site, matches):
    def spoilt(spoil, route):
        answer = route.fetch()
        proof = answer.json()
        spoil(proof)
        route.fulfill(response=answer, body=json.dumps(proof))

    for spoil, fails in SPOILT:
        page.route("**/proof.json", partial(spoilt, spoil))
        panel = shuffle_and_log(page, site, matches[0])
        panel.get_by_role("button", name="Check in this browser").click()
        expect(panel).to_have_attribute("data-outcome", "differs")
        wrong = panel.locator("[data-holds=false]")
        assert [line.get_attribute("data-check") for line in wrong.all()] == fails


def test_a_game_of_today_is_in_the_log_from_tomorrow(page, site, database):
    panel = shuffle_and_log(page, site, rushed(seated("ann", "bob")))
    expect(panel).to_contain_text("tomorrow")
    expect(panel.get_by_role("button")).to_have_count(0)
