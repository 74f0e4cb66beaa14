import asyncio
import re
import sys
from contextlib import asynccontextmanager
from random import Random
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connections
from django.test.utils import CaptureQueriesContext

from accounts.models import SessionStore
from games.hub import nudges, sockets
from games.matches import access, announce, chat, history, play
from games.table import present, room, socket
from tests.clubs.clubs import agreed, club_of
from tests.matches.matches import answer, rushed, seated
from tests.people import person
from tests.sockets import Page, opening, session_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match(static_files):
    return seated("ann", "bob", watch="none")


@pytest.fixture
async def pages(match):
    """Opens pages of a table: pages(name) or pages(None), connected; closed when the test is over."""
    async with opening() as opener:
        yield lambda name=None, key=match.key: opener(f"/ws/m/{key}", name)


def mover(match):
    return match.seats.all()[match.mover].user.username


async def test_on_connect_the_whole_board_comes(pages, match):
    page = await pages("ann")
    assert await page.reaches(0)


async def test_a_move_reaches_every_page_of_the_table(pages, match):
    mine, also_mine, theirs = await pages("ann"), await pages("ann"), await pages("bob")
    for page in (mine, also_mine, theirs):
        assert await page.reaches(0)
    by = mine if await sync_to_async(mover)(match) == "ann" else theirs
    await by.answers(0, "keep")
    for page in (mine, also_mine, theirs):
        assert await page.reaches(1)


async def test_an_answer_that_came_by_post_reaches_the_pages_too(pages, match):
    page = await pages("bob")
    assert await page.reaches(0)
    await sync_to_async(answer)(match, Random(1))
    assert await page.reaches(1)


async def test_a_stale_answer_gets_a_sentence_and_the_board(pages, match):
    page = await pages("ann")
    assert await page.reaches(0)
    await page.answers(7, "keep")
    assert "moved on" in await page.refused()
    assert await page.reaches(0)


async def test_whoever_may_not_watch_is_told_what_one_is_told_of_a_table_that_is_not_there(pages, match):
    for name, key in (("cho", match.key), (None, match.key), ("ann", "x" * 12)):
        page = await pages(name, key=key)
        assert await page.closed_with() == sockets.NOT_HERE


async def test_a_table_of_a_private_club_is_for_its_members_to_watch(pages, static_files):
    match = await sync_to_async(lambda: agreed(club_of("ann", "bob", "eva", private=True), "bob", "ann").match)()
    assert await (await pages("eva", match.key)).reaches(0)
    for name in ("cho", None):
        assert await (await pages(name, match.key)).closed_with() == sockets.NOT_HERE


async def test_a_watcher_cannot_answer(pages, static_files):
    match = await sync_to_async(seated)("ann", "bob")
    page = await pages("cho", key=match.key)
    assert await page.reaches(0)
    await page.answers(0, "keep")
    await page.asks()
    assert await page.reaches(0)
    assert (await sync_to_async(access.find)(match.key)).ply == 0


@pytest.mark.parametrize(
    "message",
    [
        *("{", "[]", '{"ply": "0"}', '{"ply": 0, "move": "keep"}', '{"ply": "0", "move": ["keep", 5]}', '{"text": 3}'),
        *('{"ply": "٣", "move": "keep"}', '{"ply": "1234567", "move": "keep"}', '{"ply": ["0"], "move": "keep"}'),
        *('{"text": "x", "ply": "1"}', '{"text": ["x", "y"]}', "x" * 3000, '{"move": ' + "[" * 900),
    ],
)
async def test_a_malformed_message_closes_the_socket_and_nobody_else_notices(pages, match, message):
    page, other = await pages("ann"), await pages("bob")
    assert await other.reaches(0)
    await page.send_to(text_data=message)
    assert await page.closed_with() == sockets.MALFORMED
    assert (await sync_to_async(access.find)(match.key)).ply == 0


async def test_bytes_close_the_socket(pages, match):
    page = await pages("ann")
    await page.send_to(bytes_data=b"\x00")
    assert await page.closed_with() == sockets.MALFORMED


async def test_a_flood_closes_the_socket(pages, match, monkeypatch):
    monkeypatch.setattr(socket, "MESSAGES", 5)
    page = await pages("ann")
    for _ in range(6):
        await page.answers(5, "keep")
    assert await page.closed_with() == sockets.TOO_MANY


async def test_a_socket_from_another_site_is_refused(match):
    assert not await Page(f"/ws/m/{match.key}", origin="http://evil.example").opens()


async def test_what_is_said_reaches_players_and_nobody_else(pages):
    match = await sync_to_async(seated)("ann", "bob")
    ann, bob, cho = await pages("ann", key=match.key), await pages("bob", key=match.key), await pages(key=match.key)
    for page in (ann, bob, cho):
        assert await page.reaches(0)
    await ann.sends(text="<b>good</b> game")
    for page in (ann, bob):
        await page.until(lambda text: "&lt;b&gt;good&lt;/b&gt; game" in text)
    await cho.asks()
    text = ""
    while "data-ply" not in text:
        text = await cho.receive_from()
        assert "good" not in text


async def test_a_page_of_a_session_that_was_ended_elsewhere_is_closed_at_once(pages, match):
    page = await pages("ann")
    assert await page.reaches(0)
    await sync_to_async(lambda: SessionStore(person("ann").sessions.get().session_key).delete())()
    assert await page.closed_with() == sockets.SIGNED_OUT


async def test_ticks_go_on_when_the_database_did_not_answer_once(pages, match, monkeypatch):
    monkeypatch.setattr(room, "ROUND_S", 0.05)
    asked = []

    def away(match):
        asked.append(match)
        if len(asked) == 1:
            raise OperationalError("the database is away")
        return []

    page = await pages("ann")
    assert await page.reaches(0)
    monkeypatch.setattr(present, "sitters", away)
    while len(asked) < 2:
        await page.board()


async def test_whoever_is_here_can_be_read_while_pages_come_and_go(match):
    mine, person_there = room.Table(match.key), SimpleNamespace(is_authenticated=True, pk=1)
    others = [type("Page", (), {"user": person_there})() for _ in range(200)]
    mine.pages.update(others)
    read = asyncio.get_running_loop().run_in_executor(None, lambda: [mine.users for _ in range(500)])
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        while not read.done():
            for _ in range(500):
                mine.pages.discard(others[0])
                mine.pages.add(others[0])
            await asyncio.sleep(0)
    finally:
        sys.setswitchinterval(before)
    assert await read == [{1}] * 500


async def test_a_tick_says_how_much_time_is_left(pages, monkeypatch):
    monkeypatch.setattr(room, "ROUND_S", 0.05)
    match = await sync_to_async(seated)("ann", "bob", pace="live", bank_ms=60_000, increment_ms=1000)
    page = await pages("ann", key=match.key)
    assert await page.reaches(0)
    tick = re.fullmatch(
        r'<div id="ply" hidden data-remaining="(\d+)" data-ply="0" data-mover="(\d)"[^>]*></div>', await page.board()
    )
    assert 0 < int(tick[1]) < 60_000 and int(tick[2]) == match.mover


async def test_a_round_finds_whoever_is_gone_without_a_word(pages, monkeypatch):
    monkeypatch.setattr(room, "ROUND_S", 0.05)
    match = await sync_to_async(seated)("ann", "bob", pace="live", bank_ms=60_000, increment_ms=1000)
    bob = await sync_to_async(person)("bob")
    page = await pages("ann", key=match.key)
    assert await page.reaches(0)
    nudges.heard("other", {"present": match.key, "users": [bob.pk], "strangers": 0, "ask": False})
    await page.until(lambda text: 'data-here="true"' in text)
    await page.until(lambda text: text.startswith('<div id="ply"') and "data-here" not in text)  # a round
    nudges._elsewhere[match.key].clear()
    await page.until(lambda text: 'data-here="false"' in text)


async def test_in_correspondence_nobody_is_told_who_is_there(pages, monkeypatch):
    """Whoever answered while they are away would have left an order."""
    monkeypatch.setattr(room, "ROUND_S", 0.05)
    match = await sync_to_async(seated)("ann", "bob", pace="daily", days=1)
    page = await pages("ann", key=match.key)
    board = await page.until(lambda text: 'data-ply="0"' in text)
    assert "data-here" not in board and "Away" not in board
    assert "data-here" not in await page.board()


async def test_nothing_is_kept_of_a_table_when_its_last_page_is_gone(pages, match):
    page = await pages("ann")
    assert await page.reaches(0)
    assert match.key in room.Table.tables
    await page.disconnect()
    assert match.key not in room.Table.tables


async def test_what_another_process_wrote_without_a_nudge_is_found_by_the_next_round(pages, match, monkeypatch):
    monkeypatch.setattr(room, "ROUND_S", 0.05)
    page = await pages("bob")
    assert await page.reaches(0)
    monkeypatch.setattr(announce, "turned", lambda turns: None)
    await sync_to_async(answer)(match, Random(1))
    assert await page.reaches(1)


async def test_what_another_process_tells_reaches_the_pages(pages, match, monkeypatch):
    page = await pages("bob")
    assert await page.reaches(0)
    with monkeypatch.context() as patch:
        patch.setattr(announce, "turned", lambda turns: None)
        await sync_to_async(answer)(match, Random(1))
    nudges.heard("other", {"match": match.key, "ply": 1})
    assert await page.reaches(1)


async def test_what_another_process_wrote_is_read_beside_the_event_loop(pages, match, monkeypatch):
    page = await pages("bob")
    assert await page.reaches(0)
    with monkeypatch.context() as patch:
        patch.setattr(announce, "turned", lambda turns: None)
        await sync_to_async(answer)(match, Random(1))
    history._replays.clear()
    nudges.heard("other", {"match": match.key, "ply": 1})
    assert await page.reaches(1)


async def test_a_board_that_could_not_be_drawn_comes_when_the_database_is_back(pages, match, monkeypatch):
    monkeypatch.setattr(room, "DEAF_S", 0.01)
    page = await pages("bob")
    assert await page.reaches(0)
    find, looks = access.find, []

    def away(key):
        looks.append(key)
        if len(looks) < 3:
            raise OperationalError("the database is away")
        return find(key)

    await sync_to_async(answer)(match, Random(1))
    assert await page.reaches(1)
    monkeypatch.setattr(access, "find", away)
    await page.asks()
    assert await page.reaches(1)
    assert len(looks) >= 3


async def test_a_board_that_cannot_be_drawn_holds_up_nothing_else(pages, static_files, monkeypatch):
    monkeypatch.setattr(room, "DEAF_S", 0.01)
    draw, tried = room.Table.draw, []

    def broken(table, match):
        tried.append(match)
        if not mended and len(tried) < 1000:
            raise RuntimeError("something that nobody thought of")
        return draw(table, match)

    mended = []
    match = await sync_to_async(seated)("ann", "bob")
    page = await pages(None, match.key)
    assert await page.reaches(0)
    monkeypatch.setattr(room.Table, "draw", broken)
    await page.asks()
    while not tried:
        await asyncio.sleep(0)
    mended.append(True)
    assert await page.reaches(0)
    assert len(tried) < 1000


async def test_an_answer_from_memory_that_is_behind_gets_a_sentence_and_the_board(pages, match, monkeypatch):
    page = await pages(await sync_to_async(mover)(match))
    assert await page.reaches(0)
    monkeypatch.setattr(announce, "turned", lambda turns: None)
    await sync_to_async(play.play)(match, match.mover, 0, ["keep"])
    await page.answers(0, "public")
    assert "moved on" in await page.refused()
    assert await page.reaches(1)
    assert [row.move for row in await sync_to_async(lambda: list(match.log.all()))()] == ["keep"]


async def test_whoever_has_a_page_open_in_another_process_is_here_too(pages, match):
    page = await pages("bob")
    assert await page.reaches(0)
    ann = await sync_to_async(person)("ann")
    nudges.heard("other", {"present": match.key, "users": [ann.pk], "strangers": 0, "ask": False})
    assert ann.pk in nudges.here(match.key)
    nudges.heard("other", {"present": match.key, "users": [], "strangers": 0, "ask": False})
    assert ann.pk not in nudges.here(match.key)


async def test_an_answer_that_the_database_cannot_take_gets_a_sentence(pages, match, monkeypatch):
    page = await pages(await sync_to_async(mover)(match))
    assert await page.reaches(0)

    def away(turns):
        raise OperationalError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(play, "commit", away)
        await page.answers(0, "keep")
        assert "couldn’t save" in await page.refused()
    await page.answers(0, "keep")
    assert await page.reaches(1)


async def test_a_page_whose_socket_ends_by_a_fault_is_gone_from_the_table(match, monkeypatch):
    def broken(match, seat, text):
        raise RuntimeError("something that nobody thought of")

    page = Page(f"/ws/m/{match.key}", await sync_to_async(lambda: session_of(person("ann")))())
    assert await page.opens()
    assert await page.reaches(0)
    monkeypatch.setattr("games.matches.chat.say", broken)
    await page.sends(text="hello")
    with pytest.raises(RuntimeError):
        await page.wait()
    assert match.key not in room.Table.tables
    assert nudges.here(match.key) == set()


async def test_what_is_said_while_the_database_is_away_gets_a_sentence(pages, match, monkeypatch):
    def away(match, seat, text):
        raise OperationalError("the database is away")

    page = await pages("ann")
    assert await page.reaches(0)
    monkeypatch.setattr("games.matches.chat.say", away)
    await page.sends(text="hello")
    assert "couldn’t save" in await page.refused()


async def test_somebody_elses_order_refuses_no_answer(pages, match, monkeypatch):
    page = await pages(await sync_to_async(mover)(match))
    assert await page.reaches(0)
    with monkeypatch.context() as patch:
        patch.setattr(nudges, "changed", lambda match, lobby=False: None)  # as if it came by another process
        await sync_to_async(play.set_order)(match, match.sitting[1 - match.mover], "gold", "")
    await page.answers(0, "keep")
    while "data-ply" not in (text := await page.receive_from()):
        assert "says" not in text
    assert 'data-ply="1"' in text


async def test_the_log_of_a_table_with_pages_is_not_forgotten(pages, match, monkeypatch):
    monkeypatch.setattr(history, "KEPT_MATCHES", 1)
    page = await pages("ann")
    assert await page.reaches(0)
    other = await sync_to_async(seated)("dan", "eve")
    await sync_to_async(history.replay)(other)
    assert history.known(match)


async def test_chat_that_could_not_be_read_comes_when_the_database_is_back(pages, match, monkeypatch):
    monkeypatch.setattr(room, "DEAF_S", 0.01)
    ann, heard, looks = await pages("ann"), chat.heard, []
    assert await ann.reaches(0)

    def away(match, seat, after=0):
        looks.append(after)
        if len(looks) == 1:
            raise OperationalError("the database is away")
        return heard(match, seat, after)

    monkeypatch.setattr(chat, "heard", away)
    await sync_to_async(chat.say)(match, match.sitting[1].user, "good evening")
    await ann.until(lambda text: "good evening" in text)
    assert len(looks) > 1


async def test_a_page_that_asks_for_the_whole_board_while_something_is_said_hears_it(pages, match, monkeypatch):
    ann = await pages("ann")
    assert await ann.reaches(0)
    draw = room.Table.draw

    def asked_meanwhile(table, match):
        messages = draw(table, match)
        for page in table.pages:
            page.drawn = None
        monkeypatch.setattr(room.Table, "draw", draw)
        return messages

    monkeypatch.setattr(room.Table, "draw", asked_meanwhile)
    await sync_to_async(chat.say)(match, match.sitting[1].user, "good evening")
    await ann.until(lambda text: "good evening" in text)


@asynccontextmanager
async def asking(most):
    """Fails if the site asks the database more than `most` questions meanwhile."""
    capture = await sync_to_async(lambda: CaptureQueriesContext(connections["default"]))()
    await sync_to_async(capture.__enter__)()
    try:
        yield
    finally:
        await sync_to_async(capture.__exit__)(None, None, None)
    assert len(capture) <= most, [query["sql"] for query in capture.captured_queries]


def with_rows(match):
    """The match some answers later, and nothing of it remembered."""
    match = rushed(match, until=lambda state: not state.early)
    history._recent.clear()
    return match


async def test_coming_to_a_table_takes_a_query_for_the_person_and_for_the_first_two_for_the_table(match):
    match = await sync_to_async(with_rows)(match)
    assert match.ply and not history.known(match)
    keys = [await sync_to_async(lambda name=name: session_of(person(name)))() for name in ("ann", "bob", "bob")]
    pages = [Page(f"/ws/m/{match.key}", key) for key in keys]
    for page, most in zip(pages, (3, 1, 1), strict=True):
        async with asking(most):
            assert await page.opens()
            assert await page.reaches(match.ply)
    for page in pages:
        await page.disconnect()


async def test_a_table_where_something_was_said_takes_one_query_more(match):
    await sync_to_async(chat.say)(match, match.sitting[1].user, "good evening")
    key = await sync_to_async(lambda: session_of(person("ann")))()
    page = Page(f"/ws/m/{match.key}", key)
    async with asking(3):  # the log is empty, and not asked for
        assert await page.opens()
        assert "good evening" in await page.board()
    await page.disconnect()


async def test_a_watcher_of_a_table_for_anybody_costs_no_more_than_a_player():
    match = await sync_to_async(lambda: with_rows(seated("ann", "bob")))()
    first, second = Page(f"/ws/m/{match.key}"), Page(f"/ws/m/{match.key}")
    for page, most in ((first, 2), (second, 0)):
        async with asking(most):
            assert await page.opens()
            assert await page.reaches(match.ply)
    for page in (first, second):
        await page.disconnect()


def test_to_mute_is_an_edit_that_other_processes_notice(match):
    chat.mute(match, match.sitting[0])
    fresh = access.find(match.key)
    assert fresh.sitting[0].muted
    assert fresh.revision == match.revision + 1
