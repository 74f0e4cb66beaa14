"""Open pages of a ladder follow what happens, and show nobody more than a fresh page would."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.clubs import clubs
from games.ladders import challenges, events
from games.ladders.terms import Terms
from games.matches.models import Match
from tests.clubs.clubs import DAILY, DAY, club_of, met
from tests.ladders.ladder_pages import challenge
from tests.people import person
from tests.sockets import Page, opening

pytestmark = pytest.mark.django_db(transaction=True)
CHALLENGE = ["challenge-state", "challenge-next", "challenge-counter", "challenge-players", "challenge-terms"]
EVERYTHING = ["waits", "rungs", "my-place", "my-challenges", "results", "this-season"]


class LadderPage(Page):
    """A page of a ladder."""

    async def regions(self):
        """The next message that brings regions, by their ids."""
        message = await self.until(lambda text: " hx-swap-oob=" in text)
        names = "|".join([*EVERYTHING, *CHALLENGE])
        parts = re.split(rf'(?=<(?:div|section|span)[^>]* id="(?:{names})")', message)
        return {re.search(r'id="([a-z-]+)"', part)[1]: part for part in parts if part.strip()}


@pytest.fixture
async def pages(static_files):
    """Opens pages: pages(name, address); closed when the test is over."""
    async with opening(LadderPage) as opener:
        yield lambda name, address="/ws/c/st-gall/ladders/1": opener(address, name)


@sync_to_async
def laid(*names, **kwargs):
    return club_of(*names, now=timezone.now() - 2 * DAY, **kwargs)


@sync_to_async
def do(service, *args, **kwargs):
    return service(*args, **kwargs)


async def test_a_page_is_sent_what_has_changed_and_only_that(pages):
    ladder = await laid("ann", "bob", "dan")
    ann, watcher = await pages("ann"), await pages("")
    assert list(await ann.regions()) == list(await watcher.regions()) == EVERYTHING
    await do(challenge, ladder, "bob", "ann", now=timezone.now())
    found = await ann.regions()
    assert set(found) == {"rungs", "my-challenges"}
    assert "challenges you" in found["rungs"] and "/accept" in found["my-challenges"]
    await do(met, ladder, "dan", "bob", now=timezone.now())
    found = await watcher.regions()
    assert {"rungs", "results"} <= set(found)
    assert "dan" in found["results"] and "bob" in found["results"]


async def test_all_rungs_stay_shown_where_all_were_asked_for(pages):
    await laid(*(f"p{number:02}" for number in range(1, 63)))
    part, whole = await pages("p20"), await pages("p20", "/ws/c/st-gall/ladders/1?all=1")
    assert "p55" not in (await part.regions())["rungs"]
    assert "p55" in (await whole.regions())["rungs"]


async def test_of_a_private_club_only_members_hear(pages):
    ladder = await laid("ann", "bob", private=True)
    for name in ("", "cho"):
        assert await (await pages(name)).closed_with() == 4404
    bob = await pages("bob")
    assert "rungs" in await bob.regions()
    await do(lambda: clubs.expel(ladder.club, person("ann"), person("bob"), "Shouts at people.", timezone.now()))
    assert await bob.closed_with() == 4404


async def test_there_is_nothing_to_hear_where_there_is_no_ladder(pages):
    await laid("ann", "bob")
    for address in ("nowhere/ladders/1", "St%20Gall/ladders/1", "st-gall/ladders/1?challenge=7"):
        assert await (await pages("ann", f"/ws/c/{address}")).closed_with() == 4404


async def test_the_players_of_a_challenge_are_led_to_its_table_and_nobody_else(pages):
    ladder = await laid("ann", "bob", "dan")
    made = await do(challenge, ladder, "bob", "ann", now=timezone.now(), terms=Terms())
    address = f"/ws/c/st-gall/ladders/1?challenge={made.pk}"
    bob, dan = await pages("bob", address), await pages("dan", address)
    for page in (bob, dan):
        assert list(await page.regions()) == CHALLENGE
    await do(challenges.accept, made, await do(person, "ann"), timezone.now())
    key = await sync_to_async(lambda: Match.objects.get(challenge=made).key)()
    assert await bob.goes() == f"/m/{key}"
    found = await dan.regions()
    assert "Everyone has agreed" in found["challenge-next"] and "/m/" not in found["challenge-next"]


async def test_other_terms_come_together_with_the_button_that_accepts_them(pages):
    ladder = await laid("ann", "bob")
    made = await do(challenge, ladder, "bob", "ann", now=timezone.now())
    bob = await pages("bob", f"/ws/c/st-gall/ladders/1?challenge={made.pk}")
    assert "1 day a move" in (await bob.regions())["challenge-terms"]
    await do(challenges.counter, made, await do(person, "ann"), Terms(), timezone.now())
    found = await bob.regions()
    assert "/accept" in found["challenge-next"] and "/counter" in found["challenge-counter"]
    assert "10 min + 15 s" in found["challenge-terms"]


async def test_a_page_that_comes_back_after_the_table_has_opened_stays_where_it_is(pages):
    ladder = await laid("ann", "bob")
    made = await do(challenge, ladder, "bob", "ann", now=timezone.now(), terms=DAILY)
    await do(challenges.accept, made, await do(person, "ann"), timezone.now())
    page = await pages("bob", f"/ws/c/st-gall/ladders/1?challenge={made.pk}")
    assert "To the table" in (await page.regions())["challenge-next"]


async def test_a_page_has_nothing_to_say(pages):
    ladder = await laid("ann", "bob")
    ann = await pages("ann")
    await ann.regions()
    await ann.send_to("x" * 3000)
    assert await ann.closed_with() == 4400
    assert await sync_to_async(lambda: events.Ladder.objects.get(pk=ladder.pk).events)() == ladder.events
