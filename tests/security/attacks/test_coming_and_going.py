"""Somebody comes to a club night and goes, all day long: each time is an event for good, and every page reads them."""

import re

from tests.security.attacks.clubs import club_of, evening_of

A_DAY_OF_COMINGS = """
from django.db import transaction
from django.utils import timezone
from games.tournaments import events
from games.tournaments.models import Tournament
from games.tournaments.payloads import Entered, EntrantLeft
with transaction.atomic():
    evening = events.locked(Tournament.objects.get(club__slug={slug!r}))
    by = evening.club.members.get().user
    for _ in range(1_500):
        events.write(evening, Entered(by.pk, guest=False, ticked=False), timezone.now(), by)
        events.write(evening, EntrantLeft(by.pk, out=False, agrees=False), timezone.now(), by)
"""
"""As many as the limits allowed in less than two hours."""
PAGES = 20


def test_one_comes_ten_times_at_most(attacked):
    ann = attacked.player("coming_ann")
    evening = evening_of(ann, club_of(ann, "Comings"))
    for _ in range(10):
        ann.post(f"{evening}/enter")
        ann.post(f"{evening}/leave")
    assert f'formaction="{evening}/leave"' not in ann.post(f"{evening}/enter").text


def test_a_page_costs_what_it_did_however_many_came_and_went(attacked):
    ann = attacked.player("going_ann")
    club = club_of(ann, "Goings")
    evening = evening_of(ann, club)
    ann.post(f"{evening}/enter")
    stranger = attacked.visitor()

    def cost():
        before = attacked.cpu_s()
        for _ in range(PAGES):
            assert stranger.get(evening).status == 200
            assert ann.get("/play/news").status == 200
        return attacked.cpu_s() - before

    cost()
    before = cost()
    attacked.manage("shell", "-c", A_DAY_OF_COMINGS.format(slug=re.sub("^/c/", "", club)))
    after = cost()
    assert after < 1.6 * before, (before, after)
