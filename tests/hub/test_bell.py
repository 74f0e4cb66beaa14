import asyncio
import re
from datetime import timedelta

import pytest
import redis
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.utils import timezone, translation

from accounts.models import Notice
from accounts.notices import notices
from accounts.people import sessions
from games.hub import nudges, relay, sockets
from games.hub import page as hub
from tests.components import Redis, do_without, missing
from tests.people import person
from tests.sockets import Page, opening, session_of

pytestmark = pytest.mark.django_db(transaction=True)

CLUB = "The Abbey"


def told(whom, number=1, **values):
    notices.notify(
        [person(whom)],
        "challenged",
        f"/c/{number}",
        timezone.now(),
        by=person("bob"),
        **({"club": CLUB, "name": "bob"} | values),
    )


class Bell(Page):
    """The bell of a page."""

    said = ""

    async def says(self):
        """What the next message with a number says: the number, and its words."""
        text = await self.until(lambda text: 'id="bell"' in text)
        self.said = "".join(re.findall(r'<span id="bell-news"[^>]*>(.*?)</span>', text))
        return int(re.search(r"<b[^>]*>(\d+)</b>", text)[1]), re.search(r">([^<]*)</span></span>", text)[1]


@pytest.fixture
async def pages(static_files):
    """Opens bells: pages(name) or pages(None), connected; closed when the test is over."""
    async with opening(Bell) as opener:
        yield lambda name=None, query="": opener(f"/ws/bell{query}", name)
    assert not hub.NewsConsumer.pages
    assert hub.NewsConsumer.round is None


async def test_the_bell_says_at_first_what_there_is_but_that_is_no_news(pages):
    await sync_to_async(told)("ann")
    page = await pages("ann")
    assert await page.says() == (1, "Notices: 1 new")
    assert page.said == ""


async def test_what_is_told_rings_every_open_page_of_that_person_with_its_sentence(pages):
    first, second, others = await pages("ann"), await pages("ann"), await pages("bob")
    for page in (first, second, others):
        assert (await page.says())[0] == 0
    await sync_to_async(told)("ann")
    for page in (first, second):
        assert await page.says() == (1, "Notices: 1 new")
        assert page.said == "bob challenges you on the ladder of The Abbey."
    await sync_to_async(told)("bob", name="ann")
    await others.says()
    assert others.said == "ann challenges you on the ladder of The Abbey."


async def test_a_notice_seen_elsewhere_is_neither_counted_nor_read_out(pages):
    await sync_to_async(told)("ann", 1)
    await sync_to_async(told)("ann", 2)
    page = await pages("ann")
    assert (await page.says())[0] == 2
    await sync_to_async(notices.seen)(await sync_to_async(person)("ann"), timezone.now(), "/c/2")
    assert await page.says() == (1, "Notices: 1 new")
    assert page.said == ""
    await sync_to_async(notices.seen)(await sync_to_async(person)("ann"), timezone.now())
    assert await page.says() == (0, "Notices")
    assert page.said == ""


async def test_the_words_are_in_the_language_of_the_page(pages, settings, monkeypatch):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    languages = []
    monkeypatch.setattr(notices, "in_text", lambda notice: languages.append(translation.get_language()) or "Neues")
    page = await pages("ann", "?lang=de")
    await page.says()
    await sync_to_async(told)("ann")
    await page.says()
    assert page.said == "Neues"
    assert languages == ["de"]


@pytest.mark.parametrize("name", [None, "guest-x"])
async def test_whoever_has_no_account_has_no_bell(pages, name):
    await sync_to_async(person)("guest-x", guest=True)
    page = await pages(name)
    assert await page.closed_with() == sockets.NOT_HERE


@pytest.mark.parametrize("end", [sessions.end, lambda user: user.sessions.all().delete()])
async def test_the_bell_ends_with_its_session(pages, monkeypatch, end):
    monkeypatch.setattr(hub, "TICK_S", 0.05)
    page, others = await pages("ann"), await pages("bob")
    await page.says()
    await others.says()
    await sync_to_async(end)(await sync_to_async(person)("ann"))
    assert await page.closed_with() == sockets.SIGNED_OUT
    await sync_to_async(told)("ann")
    await sync_to_async(told)("bob")
    assert (await others.says())[0] == 1


async def test_whoever_signs_out_while_the_page_comes_has_no_bell(pages, monkeypatch):
    real = nudges.join

    def join(group, listener):
        real(group, listener)
        listener.session = "of somebody who has just signed out"

    monkeypatch.setattr(nudges, "join", join)
    page = await pages("ann")
    assert await page.closed_with() == sockets.SIGNED_OUT


async def test_another_session_that_ends_closes_nothing(pages):
    page = await pages("ann")
    await page.says()
    user = await sync_to_async(person)("ann")
    await sync_to_async(session_of)(user)
    await sync_to_async(lambda: user.sessions.order_by("expire_date").last().delete())()
    await sync_to_async(told)("ann")
    assert (await page.says())[0] == 1


async def test_the_line_is_kept_alive(pages, monkeypatch):
    monkeypatch.setattr(hub, "TICK_S", 0.01)
    page = await pages("ann")
    await page.says()
    assert await page.receive_from() == hub.TICK


@pytest.mark.parametrize("message", [{"bytes": b"x"}, {"text": "x" * 3000}])
async def test_a_malformed_message_closes_it(pages, message):
    page = await pages("ann")
    await page.says()
    await page.send_input({"type": "websocket.receive", **message})
    assert await page.closed_with() == sockets.MALFORMED


async def test_a_page_has_nothing_to_say_here(pages):
    await sync_to_async(told)("ann")
    page = await pages("ann")
    assert (await page.says())[0] == 1
    for text in ('{"seen": "1"}', '{"ply": "0", "move": "keep"}', "x"):
        await page.send_to(text)
    await sync_to_async(told)("ann", 2)
    assert (await page.says())[0] == 2


@pytest.mark.parametrize("when", ["afterwards", "meanwhile", "no more"])
async def test_a_database_that_is_away_is_asked_again_with_the_next_change_or_tick(pages, monkeypatch, when):
    if when == "no more":
        monkeypatch.setattr(hub, "TICK_S", 0.05)
    page = await pages("ann")
    await page.says()
    real, asked, loop = notices.unseen, asyncio.Event(), asyncio.get_running_loop()

    def away(user):
        monkeypatch.setattr(notices, "unseen", real)
        if when == "meanwhile":
            told("ann", 2)
        loop.call_soon_threadsafe(asked.set)
        raise OperationalError

    monkeypatch.setattr(notices, "unseen", away)
    await sync_to_async(told)("ann", 1)
    await asked.wait()
    if when == "afterwards":
        await sync_to_async(told)("ann", 2)
    found = 0
    while found < (1 if when == "no more" else 2):
        found = (await page.says())[0]


# Other processes


async def test_what_another_process_tells_rings_here(pages, settings):
    do_without(missing())
    with Redis() as server:
        settings.REDIS_URL = server.url
        missed = asyncio.Event()
        loop = asyncio.get_running_loop()

        def missing_something():
            nudges.missed()
            loop.call_soon_threadsafe(missed.set)

        with relay.connected(nudges.heard, missing_something):
            await missed.wait()
            page, others = await pages("ann"), await pages("bob")
            await page.says()
            await others.says()
            ann = await sync_to_async(person)("ann")
            # As another process would write it: nothing here hears of that.
            await sync_to_async(Notice.objects.create)(
                user=ann, kind="off", values={"club": CLUB}, address="/c", at=timezone.now()
            )
            redis.Redis.from_url(server.url).publish(relay.CHANNEL, f'other [{{"bell":[{ann.pk},0]}}]')
            assert (await page.says())[0] == 1
            # And when messages may have been lost, everybody looks.
            await sync_to_async(Notice.objects.all().update)(seen_at=timezone.now())
            nudges.missed()
            assert (await page.says())[0] == 0


def test_others_are_told_by_one_tiny_message_without_content(monkeypatch):
    sent = []
    monkeypatch.setattr(relay, "send", lambda **message: sent.append(message))
    ann, bob = person("ann"), person("bob")
    notices.notify([bob, ann], "approved", "/c/abbey", timezone.now(), by=bob, club=CLUB)
    assert sent == [{"bell": sorted([ann.pk, bob.pk])}]


@pytest.mark.parametrize("nonsense", [{"bell": 5}, {"bell": []}, {"bell": ["x", None]}])
def test_nonsense_rings_nowhere(nonsense):
    nudges.heard("other", nonsense)


def called(minutes_ago=0):
    now = timezone.now() - timedelta(minutes=minutes_ago)
    notices.notify([person("ann")], "round", "/m/abc", now, by=person("bob"), event="Candlemas", number=1)


async def test_who_is_called_to_a_table_has_a_line_with_the_way_there_on_each_page_until_they_go(pages):
    await sync_to_async(told)("ann")
    page = await pages("ann")
    assert 'href="/m/abc"' not in await page.until(lambda text: 'id="call"' in text)
    await sync_to_async(called)()
    line = await page.until(lambda text: 'href="/m/abc"' in text)
    assert "Round 1 of Candlemas has begun" in line and "To your table" in line
    later = await pages("ann")
    await later.until(lambda text: 'href="/m/abc"' in text)
    await sync_to_async(notices.bell)(await sync_to_async(person)("ann"), "/m/abc", timezone.now())
    for each in (page, later):
        assert await each.until(lambda text: re.search(r'id="call"[^>]* hidden', text))


async def test_an_old_call_to_a_table_stands_on_no_page(pages):
    await sync_to_async(called)(minutes_ago=6)
    page = await pages("ann")
    assert 'href="/m/abc"' not in await page.until(lambda text: 'id="call"' in text)
