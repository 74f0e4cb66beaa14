"""Whatever is sent over a socket: no fault, and nothing happens that may not."""

import json

import pytest
from asgiref.sync import sync_to_async
from hypothesis import given
from hypothesis import strategies as st

from accounts.web import throttle
from games.engine.core import RulesError
from games.matches import access, chat, history
from games.matches.models import ChatLine
from games.table import socket
from tests.security import world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

# What `games.table.socket.read_message` lets through, and nothing else: SECURITY.md names the same.


def meaning(thing):
    """What a message says to the table; None if it is none."""
    if not isinstance(thing, dict):
        return None
    fields = {name: value for name, value in thing.items() if name not in ("HEADERS", "csrfmiddlewaretoken")}
    if fields.keys() == {"ply", "move"} and is_ply(fields["ply"]):
        moves = fields["move"] if isinstance(fields["move"], list) else [fields["move"]]
        return {"ply": int(fields["ply"]), "move": moves} if all(isinstance(move, str) for move in moves) else None
    if fields.keys() in ({"text"}, {"phrase"}) and all(isinstance(text, str) for text in fields.values()):
        return fields
    return {"seen": int(fields["seen"])} if fields.keys() == {"seen"} and is_ply(fields["seen"]) else None


def is_ply(thing) -> bool:
    return isinstance(thing, str) and 0 < len(thing) < 7 and set(thing) <= set("0123456789")


names = st.one_of(
    st.sampled_from(["ply", "move", "text", "phrase", "seen", "HEADERS", "csrfmiddlewaretoken", "", "PLY"]),
    st.text(max_size=5),
)
plies = st.one_of(st.sampled_from(["0", "00", "999999", "1000000", "-1", "+1", " 1", "1\n", "٣", "1.0", "", "x"]))
numbers = st.one_of(
    st.sampled_from([0, -1, 10**30, 2**63, 1.0, 0.5, float("nan"), float("inf"), -0.0, True, False]), st.integers()
)
moves = st.one_of(
    st.sampled_from(["keep", "public", "pass", "bid 1", "bid 5", "pay", "\x00", "\ud800", "é" * 300, "x" * 5000]),
    st.text(max_size=10),
)
leaves = st.one_of(st.none(), st.booleans(), numbers, moves)
things = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4)),
    max_leaves=8,
)
messages = st.one_of(
    st.fixed_dictionaries(
        {"ply": st.one_of(plies, numbers), "move": st.one_of(moves, st.lists(st.one_of(moves, leaves), max_size=4))},
        optional={"HEADERS": things, "csrfmiddlewaretoken": things},
    ),
    st.fixed_dictionaries({"text": st.one_of(moves, things)}),
    st.fixed_dictionaries({"phrase": st.one_of(moves, st.sampled_from(sorted(chat.PHRASES)))}),
    st.fixed_dictionaries({"seen": st.one_of(plies, numbers)}),
    st.dictionaries(names, things, max_size=4),
    things,
)
broken = st.sampled_from(
    [
        *("", "{", "[" * 900, '{"ply":' + "[" * 900, '{"ply": 1e999, "move": []}', "9" * 1999, "\x00", "\ud800"),
        *(
            '{"text": "a", "text": 5}',
            '{"ply": "0", "move": ["keep"]} x',
            "NaN",
            '{"seen": 1}',
            '{"seen": "1"}' + " " * 3000,
        ),
        *(
            '{"ply": "' + "9" * 1900 + '", "move": ["keep"]}',
            '{"text": "\\ud800"}',
            '{"text": "' + "\\u0000" * 9 + '"}',
        ),
    ]
)


@given(thing=st.one_of(messages.map(json.dumps), broken))
def test_what_is_no_message_is_not_read(thing):
    found = socket.read_message(thing)
    try:
        meant = json.loads(thing)
    except (ValueError, RecursionError):
        meant = None
    assert found == (meaning(meant) if len(thing) <= socket.LONGEST_MESSAGE else None)


@pytest.mark.parametrize("role", ["player", "outsider"])
async def test_whatever_a_page_sends_the_table_stays_right(static_files, monkeypatch, pages, role, request):
    """One page after another sends until it is closed; another page at the table sees every one of them out."""
    monkeypatch.setattr(socket, "MESSAGES", 10**9)
    monkeypatch.setattr("biblios_site.sockets.OF_A_BROWSER", 10**9)
    for what in ("moves", "chat"):
        monkeypatch.setitem(throttle.LIMITS, what, throttle.LIMITS[what]._replace(times=10**9))
    site = await sync_to_async(world.build)()
    before = await sync_to_async(world.rows)()
    match = site.matches["running"]
    address, page = f"/ws/m/{match.key}", None
    watching = await pages(address, session=site.sessions["host"])
    await watching.board()
    for thing in draw_many(request, st.one_of(messages.map(json.dumps), broken, st.binary(max_size=20))):
        if page is None:
            page = await pages(address, session=site.sessions[role])
            await page.board()
        if isinstance(thing, bytes):
            await page.send_input({"type": "websocket.receive", "bytes": thing})
            meant = None
        else:
            meant = socket.read_message(thing)
            await page.send_input({"type": "websocket.receive", "text": thing})
        if meant is None:
            assert await page.closed_with() == socket.MALFORMED
            await page.disconnect()
            page = None
        else:
            await page.asks()
            await page.board()
    if page:
        await page.disconnect()
    await watching.asks()
    await watching.board()
    after = await sync_to_async(world.rows)()
    changed = {name for name in after if after[name] != before[name]}
    if role == "outsider":
        assert changed <= {"WatcherLine"}
    else:
        assert changed <= {"Match", "LogEntry", "ChatLine", "Seat"}
        await sync_to_async(replays)(match)
        assert all(0 < len(text) <= 200 for text in await sync_to_async(texts_of)(match))


def draw_many(request, strategy):
    """As many things of a strategy as the profile has examples."""
    drawn = []

    @given(strategy)
    def draw(thing):
        drawn.append(thing)

    draw()
    return drawn


def replays(match):
    """Every row of the log is what the rules allow."""
    found = access.find(match.key)
    history.Replay(found).add(
        history.Row(*row) for row in found.log.order_by("ply").values_list("seat", "move", "by", "at")
    )


def texts_of(match) -> list[str]:
    return [line.text or line.phrase for line in ChatLine.objects.filter(match=match)]


@pytest.mark.once
def test_a_log_with_a_move_that_is_none_would_be_found(static_files):
    site = world.build()
    match = site.matches["running"]
    replay = history.Replay(access.find(match.key))
    with pytest.raises(RulesError):
        replay.add([history.Row(0, "castle", 0, 0)])
