"""What a browser does with the forms of a club."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.clubs.clubs import club_of
from tests.e2e.tables import sign_up

pytestmark = [pytest.mark.slow, pytest.mark.once]


def test_who_can_join_is_not_asked_of_a_club_for_members_only(page, site):
    sign_up(page, site, "ann")
    page.goto(f"{site}/clubs/new")
    joining = page.get_by_role("group", name="Who can join")
    expect(joining).to_be_visible()
    page.get_by_text("Members only", exact=True).click()
    expect(joining).to_be_hidden()
    page.get_by_text("Everyone", exact=True).click()
    expect(joining).to_be_visible()


def test_what_became_of_a_list_is_in_view(page, site):
    sign_up(page, site, "ann")
    club_of("ann", "bob", now=timezone.now())
    page.goto(f"{site}/c/st-gall/desk")
    page.get_by_label("Names or mail addresses").fill("1. bob\t030-1234\n2. Hans")
    page.evaluate("scrollTo(0, 40)")
    page.get_by_role("button", name="Invite all").click()
    expect(page.get_by_text("No such player.")).to_be_in_viewport()
    expect(page.get_by_label("Names or mail addresses")).to_have_value("2. Hans")
