"""Open pages of an evening follow it, lead people to their tables, and show nobody more than a fresh page would."""

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.clubs import clubs
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.tournaments import services
from tests.people import person
from tests.sockets import opening
from tests.tournaments.evenings import evening_of, seat

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def pages(static_files):
    """Opens pages of the evening: pages(name, query)."""
    async with opening() as opener:
        since = ms_of(timezone.now())
        yield lambda name, query="": opener(f"/ws/c/st-gall/tournaments/1?since={since}{query}", name or None)


async def test_a_round_leads_its_people_to_their_tables_and_nobody_else(pages):
    evening = await sync_to_async(evening_of)("ann", "bob", "dan")
    await sync_to_async(services.leave)(evening, await sync_to_async(person)("dan"), timezone.now())
    bob, dan, wall = await pages("bob"), await pages("dan"), await pages("ann", "&wall=1")
    assert "You’re here" in await bob.until(lambda text: "evening-me" in text)
    assert "first round begins soon" in await wall.until(lambda text: "wall-tables" in text)
    await sync_to_async(seat)(evening, now=timezone.now())
    key = await sync_to_async(lambda: Match.objects.get().key)()
    assert await bob.goes() == f"/m/{key}"
    assert key in await dan.until(lambda text: "evening-tables" in text and key in text)
    assert "bob" in await wall.until(lambda text: "wall-table " in text or 'class="wall-table' in text)


async def test_of_a_private_evening_only_members_hear(pages):
    evening = await sync_to_async(evening_of)("ann", "bob", private=True)
    await sync_to_async(person)("cho")
    bob = await pages("bob")
    await bob.until(lambda text: "evening-me" in text)
    for name in ("cho", ""):
        assert await (await pages(name)).closed_with() == 4404
    ann, gone = await sync_to_async(person)("ann"), await sync_to_async(person)("bob")
    await sync_to_async(clubs.expel)(evening.club, ann, gone, "Shouts.", timezone.now())
    assert await bob.closed_with() == 4404
