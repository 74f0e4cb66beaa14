"""Who may open a socket, what they get there, and what they can do."""

from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from accounts import services
from accounts.clubs import clubs
from accounts.models import Club, Session, SessionStore
from accounts.people import sessions
from biblios_site import sockets
from games.board import services as board
from games.hub import page as hub
from games.hub.sockets import SIGNED_OUT
from games.matches import access, play
from games.table import socket
from tests.calendar.plans import MEET, make
from tests.clubs.clubs import DAY, agreed
from tests.people import person
from tests.security import world
from tests.security.server import running
from tests.security.test_clubs import private
from tests.sockets import Page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
async def site(static_files, transactional_db):
    return await sync_to_async(world.build)()


async def board_or_code(page):
    """The next board, or the code with which the server closes before, as a text."""
    while (message := await page.receive_output())["type"] != "websocket.close":
        if "data-ply" in message["text"]:
            return message["text"]
    return str(message["code"])


# Who gets a board of a table, with their own hand, and can move there; 4404 for others.

TABLES = """
           anonymous  guest   outsider  elsewhere  player  host   steward
open       4404       4404    4404      4404       4404    4404   4404
running    board      board   board     board      moves   hand   board
unwatched  4404       4404    4404      4404       moves   hand   4404
finished   board      board   board     board      hand    hand   board
aborted    board      board   board     board      hand    hand   board
unknown    4404       4404    4404      4404       4404    4404   4404
"""


@pytest.mark.once
async def test_whoever_gets_what_at_a_table(site, pages):
    for kind, *cells in map(str.split, TABLES.split("\n")[2:-1]):
        match = site.matches.get(kind, SimpleNamespace(key="x" * 12, status=""))
        assert [await comes(site, pages, role, match) for role in world.ROLES] == cells, kind


async def comes(site, pages, role, match):
    """What somebody gets at a table, as the table above has it."""
    page = await pages(f"/ws/m/{match.key}", session=site.sessions.get(role))
    came = await board_or_code(page)
    if "data-ply" not in came:
        return came
    if match.status == "running":
        fields = await sync_to_async(world.fields_of)(site, "m/<str:key>/play", match)
        before = (await sync_to_async(access.find)(match.key)).ply
        await page.answers(before, fields["move"])
        await page.asks()
        await page.board()
        if (await sync_to_async(access.find)(match.key)).ply != before:
            return "moves"
    return "hand" if "data-me=" in came else "board"


@pytest.mark.once
async def test_everybody_may_open_the_lobby_and_has_nothing_to_say_there(site, pages):
    for role in world.ROLES:
        page = await pages("/ws/play", session=site.sessions.get(role))
        before = await sync_to_async(world.rows)()
        await page.until(lambda text: "open-matches" in text)
        await page.answers(0, "keep")
        await page.sends(text="hello")
        assert await sync_to_async(world.rows)() == before, role


@pytest.mark.once
async def test_only_who_has_an_account_has_a_bell_and_nobody_has_anything_to_say_there(site, pages):
    for role in world.ROLES:
        page = await pages("/ws/bell", session=site.sessions.get(role))
        before = await sync_to_async(world.rows)()
        if role in ("anonymous", "guest"):
            assert await page.closed_with() == 4404
        else:
            await page.element("bell")
            await page.sends(seen="0")
            await page.answers(0, "keep")
            await page.send_to("x" * 3000)
            assert await page.closed_with() == 4400
        assert await sync_to_async(world.rows)() == before, role


@pytest.mark.once
async def test_what_is_said_by_who_may_not_write_is_not_heard(site, pages):
    before = await sync_to_async(world.rows)()
    for role in ("anonymous", "guest"):
        page = await pages(f"/ws/m/{site.matches['running'].key}", session=site.sessions.get(role))
        await page.board()
        await page.sends(text="hello")
        await page.sends(phrase="hello")
        await page.asks()
        await page.board()
    assert await sync_to_async(world.rows)() == before


async def test_watchers_write_in_a_chat_of_their_own_only(site, pages):
    before = await sync_to_async(world.rows)()
    for role in ("outsider", "elsewhere", "steward"):
        page = await pages(f"/ws/m/{site.matches['running'].key}", session=site.sessions[role])
        await page.board()
        await page.sends(text=f"hello from {role}")
        await page.until(lambda text, role=role: f"hello from {role}" in text)
    after = await sync_to_async(world.rows)()
    assert {name for name in after if after[name] != before[name]} == {"WatcherLine"}


@pytest.mark.once
async def test_nobody_elses_page_hears_that_an_order_was_given(site, pages):
    match = site.matches["running"]
    page = await pages(f"/ws/m/{match.key}", session=site.sessions["player"])
    await page.board()
    host = await sync_to_async(world.client_of)(site, "host")
    await sync_to_async(host.post)(f"/m/{match.key}/orders", {"order": "gold"})
    await sync_to_async(host.post)(f"/m/{match.key}/orders", {"order": "bid", "value": ["0", "0"]})
    await sync_to_async(host.post)(f"/m/{match.key}/chat", {"text": "are you there?"})
    heard = await page.until(lambda text: "data-ply" in text or "are you there?" in text)
    assert "data-ply" not in heard


# Where it was asked for


@pytest.mark.parametrize(
    "origin",
    [
        *(
            "http://evil.example",
            "null",
            "",
            None,
            "http://localhost:8001",
            "https://localhost",
            "http://localhost.evil",
        ),
        *("http://evil@localhost", "http://localhost/", "file://", "http://LOCALHOST:80", "http://localhost, http://x"),
    ],
)
@pytest.mark.once
async def test_a_socket_that_no_page_of_the_site_asked_for_is_refused(origin):
    assert not await Page("/ws/play", origin=origin).opens()


@pytest.mark.parametrize("path", ["/", "/ws/nothing", "/play", "/ws/m/"])
@pytest.mark.once
async def test_where_no_socket_is_there_is_none_and_no_error(path):
    assert not await Page(path).opens()


@pytest.mark.parametrize("host", ["evil.example", "localhost:x", "", "localhost.evil.example"])
@pytest.mark.once
async def test_a_host_that_is_not_the_sites_is_refused_even_if_the_origin_fits(host):
    assert not await Page("/ws/play", origin=f"http://{host}", host=host).opens()


@pytest.mark.once
async def test_behind_a_proxy_that_speaks_https_the_origin_does_too(static_files, settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert not await Page("/ws/play", origin="http://localhost").opens()
    page = Page("/ws/play", origin="https://localhost")
    assert await page.opens()
    await page.disconnect()


@pytest.mark.once
def test_a_running_server_refuses_sockets_from_elsewhere(tmp_path):
    with running(tmp_path) as (port, _process):
        here = f"127.0.0.1:{port}"
        with connect(f"ws://{here}/ws/play", origin=f"http://{here}") as line:
            assert line.recv()
        for origin in ("http://evil.example", None, f"http://127.0.0.1:{port + 1}", "null", f"http://localhost:{port}"):
            with pytest.raises(InvalidStatus) as refusal:
                connect(f"ws://{here}/ws/play", origin=origin).__enter__()
            assert refusal.value.response.status_code == 403


# How many


@pytest.mark.once
async def test_one_browser_has_so_many_sockets_and_those_that_close_make_room(site, pages, monkeypatch):
    monkeypatch.setattr(sockets, "OF_A_BROWSER", 3)
    address, session = "/ws/play", site.sessions["outsider"]
    mine = [await pages(address, session=session) for _ in range(3)]
    one_more = await pages(address, session=session)
    assert await one_more.closed_with() == socket.TOO_MANY
    others = await pages(address, session=site.sessions["player"])
    await others.receive_from()
    await mine[0].disconnect()
    again = await pages(address, session=session)
    await again.until(lambda text: "open-matches" in text)


@pytest.mark.once
async def test_one_address_has_so_many_sockets_whatever_cookies_it_sends(static_files, pages, monkeypatch):
    monkeypatch.setattr(sockets, "OF_A_NETWORK", 3)
    for number in range(3):
        await pages("/ws/play", session=f"made-up-{number}")
    page = await pages("/ws/play", session="made-up-3")
    assert await page.closed_with() == socket.TOO_MANY


# Sessions that end elsewhere


def signs_out(user, session):
    SessionStore(session).flush()


def ends_all_sessions(user, session):
    sessions.end(user)


def is_banned(user, session):
    user.is_active = False
    user.save()
    sessions.end(user)


ENDINGS = {
    "signs out": signs_out,
    "ends the session elsewhere": ends_all_sessions,
    "changes the password": lambda user, session: services.change_password(user, "another scriptorium"),
    "closes the account": lambda user, session: services.close(user),
    "is banned": is_banned,
}


@pytest.mark.parametrize("ending", ENDINGS)
async def test_whoever_signs_out_in_another_window_cannot_move_in_this_one(site, pages, ending):
    match = site.matches["unwatched"]
    session = site.sessions["player"]
    page = await pages(f"/ws/m/{match.key}", session=session)
    await page.board()
    fields = await sync_to_async(world.fields_of)(site, "m/<str:key>/play", match)
    user = await sync_to_async(person)("bob")
    await sync_to_async(ENDINGS[ending])(user, session)
    assert not await sync_to_async(Session.objects.filter(session_key=session).exists)()
    await page.answers(match.ply, fields["move"])
    assert await page.closed_with() == SIGNED_OUT
    assert (await sync_to_async(access.find)(match.key)).ply == match.ply


async def test_what_comes_after_the_end_of_a_socket_is_not_sent():
    sent = []

    async def send(message):
        sent.append(message["type"])
        if message.get("text") == "too late":
            raise OSError  # the server knows already that the page has gone

    send_open = sockets.while_open(send)
    await send_open({"type": "websocket.send", "text": "too late"})
    await send_open({"type": "websocket.close"})
    await send_open({"type": "websocket.send", "text": "later still"})
    assert sent == ["websocket.send", "websocket.close"]


async def test_whoever_is_expelled_sees_no_more_of_the_games_that_they_watch(site, pages, monkeypatch):
    monkeypatch.setattr(hub, "TICK_S", 0.05)

    def arrange():
        ladder = private("ann", "bob", "dan")
        match = agreed(ladder, "dan", "bob", now=timezone.now()).match
        person("cho").memberships.create(club=ladder.club, joined_at=timezone.now())
        return ladder.club, match

    club, match = await sync_to_async(arrange)()
    watcher = await pages(f"/ws/m/{match.key}", session=site.sessions["outsider"])
    player = await pages(f"/ws/m/{match.key}", session=site.sessions["player"])
    ladder = await pages("/ws/c/arcana/ladders/1", session=site.sessions["outsider"])
    for page in (watcher, player):
        await page.board()
    await ladder.until(lambda text: "rungs" in text)
    people = site.people
    await sync_to_async(clubs.expel)(club, people["host"], people["outsider"], "Noise", timezone.now())
    assert await watcher.closed_with() == 4404
    assert await ladder.closed_with() == 4404
    await sync_to_async(play.leave)(await sync_to_async(access.find)(match.key), 0, "resign")
    await player.board()


async def test_the_board_is_live_for_members_and_for_nobody_else(site, pages):
    def arrange():
        club = private("ann", "bob", "dan").club
        person("cho").memberships.create(club=club, joined_at=timezone.now())
        return club

    club = await sync_to_async(arrange)()
    people = site.people
    write = sync_to_async(board.write)
    leaver = await pages("/ws/c/arcana/board", session=site.sessions["outsider"])
    member = await pages("/ws/c/arcana/board", session=site.sessions["player"])
    stranger = await pages("/ws/c/arcana/board", session=site.sessions["guest"])
    assert await stranger.closed_with() == 4404
    for page in (leaver, member):
        await page.until(lambda text: 'id="posts"' in text)
    await write(club, people["host"], "Cake at eight", timezone.now(), address="/")
    for page in (leaver, member):
        await page.until(lambda text: "Cake at eight" in text)
    await sync_to_async(clubs.leave)(club, people["outsider"], timezone.now())
    assert await leaver.closed_with() == 4404
    await write(club, people["host"], "Only for us", timezone.now(), address="/")
    await member.until(lambda text: "Only for us" in text)


async def test_comments_are_live_for_members_and_whoever_is_expelled_gets_nothing_more(site, pages, monkeypatch):
    monkeypatch.setattr(hub, "TICK_S", 0.05)

    def arrange():
        club = private("ann", "bob", "dan").club
        Club.objects.filter(pk=club.pk).update(private=False)
        club.refresh_from_db()
        person("cho").memberships.create(club=club, joined_at=timezone.now())
        now = timezone.now()
        return club, *make(club, MEET._replace(starts_at=now + DAY, public=True), now=now)

    club, event = await sync_to_async(arrange)()
    under, people, sessions = f"calendar/{event.pk}", site.people, site.sessions
    for stranger in (None, sessions["guest"]):
        page = await pages(f"/ws/c/arcana/board?under={under}", session=stranger)
        assert await page.closed_with() == 4404
    for absent in ("calendar/0", "m/1", "tournaments/99999999999", "%00"):
        page = await pages(f"/ws/c/arcana/board?under={absent}", session=sessions["player"])
        assert await page.closed_with() == 4404, absent
    expelled = [
        await pages(f"/ws/c/arcana/board{where}", session=sessions["outsider"]) for where in ("", f"?under={under}")
    ]
    member = await pages(f"/ws/c/arcana/board?under={under}", session=sessions["player"])
    write = sync_to_async(board.write)
    await write(club, people["host"], "I bring cake", timezone.now(), under=under, address="/")
    for page in (expelled[1], member):
        await page.until(lambda text: "I bring cake" in text)
    await sync_to_async(clubs.expel)(club, people["host"], people["outsider"], "Noise", timezone.now())
    for text in ("Only", "for us"):
        await write(club, people["host"], text, timezone.now(), under=under, address="/")
        await write(club, people["host"], text, timezone.now(), address="/")
    for page in expelled:
        while (message := await page.receive_output())["type"] != "websocket.close":
            assert "Only" not in message["text"] and "for us" not in message["text"]
        assert message["code"] == 4404
    await member.until(lambda text: "for us" in text)
