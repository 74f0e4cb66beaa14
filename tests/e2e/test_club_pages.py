"""The pages of a club in which much has happened: nobody scrolls far, whoever looks at them."""

import pytest
from django.core.management import call_command

from accounts.models import Club
from tests.e2e.tables import signed_in

pytestmark = [pytest.mark.slow, pytest.mark.once]

HIGHEST = 4000
"""Of a page, in px, on a phone that is 390 px wide."""


def test_no_page_of_a_full_club_is_high_on_a_phone(visitor, site):
    call_command("simulateseason", "--seed=5", "--challenges=40")
    club = Club.objects.get()
    steward = club.members.filter(role="steward").first().user
    address = club.get_absolute_url()
    paths = [address, f"{address}/calendar", f"{address}/members", f"{address}/tournaments", f"{address}/desk"]
    paths += [event.get_absolute_url() for event in club.tournaments.all()]
    page = visitor(viewport={"width": 390, "height": 664}, reduced_motion="reduce")
    heights = {}
    for name in (steward.username, ""):
        page.context.clear_cookies()
        if name:
            signed_in(page, site, name)
        for path in paths:
            page.goto(site + path)
            heights[name, path] = page.evaluate("document.documentElement.scrollHeight")
    assert len(heights) > 40
    assert {where: height for where, height in heights.items() if height > HIGHEST} == {}
