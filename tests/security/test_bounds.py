"""How the running server treats clients that send too much, or too slowly."""

import asyncio
import gc
import http.client
import os
import socket
import weakref
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, suppress
from contextvars import ContextVar
from pathlib import Path

import pytest
from uvicorn.server import ServerState
from websockets.asyncio.client import connect as async_connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode, Frame, Opcode
from websockets.sync.client import connect

from biblios_site import bounds
from biblios_site.management.commands.serve import server_of
from tests.security.server import get, running

pytestmark = [pytest.mark.once, pytest.mark.slow]

GIGABYTE = 1 << 30
TOO_LARGE = b"HTTP/1.1 413"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with running(tmp_path_factory.mktemp("data")) as (port, process):
        yield port, process


@pytest.fixture
def port(site):
    return site[0]


def memory(process) -> int:
    """The most bytes that a process has had in memory so far."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no such line")


def temporary_files(process) -> set[str]:
    """The open files of a process that have no name any more."""
    files = set()
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed by now
            files.add(os.readlink(link))
    return {file for file in files if "(deleted)" in file}


def poured(port, head, block=bytes(1 << 16), most=GIGABYTE):
    """How many bytes of a body the server takes after this head, and what it answers."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=60)) as line:
        line.sendall(head)
        sent, answer = 0, b""
        with suppress(OSError):
            while sent < most:
                line.sendall(block)
                sent += len(block)
        with suppress(OSError):  # it has hung up, with what was sent still on its way
            answer = line.recv(100)
        return sent, answer


HEAD = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.mark.parametrize(
    ("head", "block"),
    [
        (b"Content-Length: %d\r\n\r\n" % GIGABYTE, bytes(1 << 16)),
        (b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + bytes(1 << 16) + b"\r\n"),
    ],
    ids=["known", "chunked"],
)
def test_a_body_of_a_gigabyte_is_cut_off_at_its_beginning(site, head, block):
    port, process = site
    before, files = memory(process), temporary_files(process)
    sent, answer = poured(port, HEAD + head, block)
    assert sent < 32 << 20  # what fits into the buffers between the two
    assert answer[:12] in (b"", TOO_LARGE)
    assert memory(process) - before < 32 << 20
    assert temporary_files(process) <= files
    assert get(port, "/rules")[0].status == 200


def test_whoever_asks_first_is_told_without_sending_anything(port):
    with closing(socket.create_connection(("127.0.0.1", port), timeout=60)) as line:
        line.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % GIGABYTE)
        answer = b"".join(iter(lambda: line.recv(1000), b""))
        assert answer.startswith(TOO_LARGE)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_bound_is_where_it_says(port, more):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", "/sign-in", body=b"x" * (bounds.BODY_BYTES + more))
        assert connection.getresponse().status == (413 if more > 0 else 403)


def test_a_head_without_end_is_refused(port):
    sent, answer = poured(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Long: " + b"x" * 1000 + b"\r\n")
    assert sent < 32 << 20
    assert answer[:12] in (b"", b"HTTP/1.1 400")
    sent, answer = poured(port, b"GET /", b"x" * (1 << 16))
    assert sent < 32 << 20


@pytest.fixture
async def clock(monkeypatch):
    """The clock of the loop in which a test runs: it goes on by itself, and at once when `clock(seconds)` is called."""
    loop, ahead = asyncio.get_running_loop(), [0.0]
    real = loop.time
    monkeypatch.setattr(loop, "time", lambda: real() + ahead[0])

    def goes_on(seconds):
        ahead[0] += seconds

    return goes_on


@asynccontextmanager
async def served(application):
    """The port of a server for this application, in the loop in which the test runs."""
    config = server_of(application).config
    config.load()
    server = await asyncio.get_running_loop().create_server(
        lambda: bounds.Connection(config, ServerState(), {}), "127.0.0.1", 0
    )
    # What a client does not read shall wait in the server, not in the system.
    server.sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
    async with server:
        yield server.sockets[0].getsockname()[1]


@asynccontextmanager
async def connected(port):
    """The two ends of a connection that the server has taken up."""
    async with opened(port) as ends:
        while not bounds.Connection.rooms:
            await asyncio.sleep(0)
        yield ends
    while bounds.Connection.rooms:
        await asyncio.sleep(0)


@asynccontextmanager
async def opened(port):
    """The two ends of a connection, whatever the server makes of it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    yield reader, writer
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def welcome(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"7")]})
    await send({"type": "http.response.body", "body": b"welcome"})


GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALVES = [b"", b"GET / HTTP/1.1\r\nX-Slow: ", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"]


@pytest.mark.parametrize("half", HALVES, ids=["nothing", "half a head", "no body"])
@pytest.mark.parametrize("before", [b"", GET], ids=["first", "second"])
async def test_what_comes_drop_by_drop_gets_no_more_time(clock, before, half):
    async with served(bounds.small(welcome)) as port, connected(port) as (reader, writer):
        writer.write(before)
        if before:
            await reader.readuntil(b"welcome")
        writer.write(half)
        for _ in range(bounds.ARRIVAL_S):
            await asyncio.sleep(0)
            writer.write(b"x" if half else b"")
            clock(1)
        assert await reader.read(12) in (b"", b"HTTP/1.1 408")
        assert not (await reader.read()).endswith(b"welcome")


async def test_what_is_there_in_the_last_second_is_answered(clock):
    async with served(bounds.small(welcome)) as port, connected(port) as (reader, writer):
        writer.write(GET[:10])
        clock(bounds.ARRIVAL_S - 1)
        writer.write(GET[10:])
        await reader.readuntil(b"welcome")


async def test_nothing_of_an_answered_request_is_kept():
    async def application(scope, receive, send):
        await receive()
        cards.set(kept := Cards())
        left.append(weakref.ref(kept))
        heard = asyncio.create_task(receive())
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"7")]})
        await send({"type": "http.response.body", "body": b"welcome"})
        for _ in range(10):
            await asyncio.sleep(0)
        # Django would make an exception of the end, and a cycle of that.
        ended.append(heard.done())
        heard.cancel()

    class Cards: ...

    cards, left, ended = ContextVar("cards"), [], []
    async with served(bounds.small(application)) as port, connected(port) as (reader, writer):
        writer.write(GET)
        await reader.readuntil(b"welcome")
        while not ended:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()
        assert (ended, left[0]()) == ([False], None)


def download(*pieces):
    """An application whose answer comes in these pieces; `asked` are the types of the requests so far."""

    async def application(scope, receive, send):
        application.asked.append(scope["type"])
        length = b"%d" % sum(map(len, pieces))
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
        for left, piece in zip(reversed(range(len(pieces))), pieces, strict=True):
            await send({"type": "http.response.body", "body": piece, "more_body": left > 0})

    application.asked = []
    return application


async def test_a_download_that_is_not_read_is_cut_off(monkeypatch):
    monkeypatch.setattr(bounds, "READ_S", 0)
    ended = asyncio.Event()

    async def application(scope, receive, send):
        await download(*[bytes(1 << 20)] * 8)(scope, receive, send)
        ended.set()

    async with served(application) as port, connected(port) as (_, writer):
        writer.write(GET)
        await ended.wait()


async def test_whoever_has_caught_up_with_a_download_may_ask_again(clock, monkeypatch):
    monkeypatch.setattr(bounds, "READ_S", bounds.ARRIVAL_S // 2)
    size = 2 * bounds.ANSWER_BYTES
    async with served(download(bytes(size), b"")) as port, connected(port) as (reader, writer):
        for _ in range(2):
            writer.write(GET)
            await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(size)
            clock(bounds.READ_S + 1)


HANDSHAKE = b"Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
NEXT = {
    "page": GET + GET,
    "socket": GET + b"GET / HTTP/1.1\r\n" + HANDSHAKE,
    "nothing": b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
}


@pytest.mark.parametrize("requests", NEXT.values(), ids=NEXT)
async def test_whoever_leaves_an_answer_unread_gets_no_other_and_is_cut_off(monkeypatch, requests):
    monkeypatch.setattr(bounds, "READ_S", 0)
    application = download(bytes(bounds.ANSWER_BYTES - 1000))
    async with served(application) as port, connected(port) as (_, writer):
        writer.write(requests)
        while bounds.Connection.rooms:
            await asyncio.sleep(0)
        assert application.asked == ["http"]


MALFORMED = {
    "method": b"POST / HTTP/1.1\r\nContent-Length: 3\r\n",
    "body": b"GET / HTTP/1.1\r\nContent-Length: 100\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 300,
    "long header": b"GET / HTTP/1.1\r\nX: " + b"a" * 9000 + b"\r\n",
}


@pytest.mark.parametrize("head", MALFORMED.values(), ids=MALFORMED)
async def test_a_malformed_handshake_ends_the_connection(head):
    async with served(welcome) as port, connected(port) as (reader, writer):
        writer.write(head + HANDSHAKE)
        assert await reader.read() == b""


OPENING = HANDSHAKE[:-2] + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
EARLY = {
    "text": b"\x81\x81\0\0\0\0x",
    "no UTF-8": b"\x81\x81\0\0\0\0\xff",
    "ping": b"\x89\x81\0\0\0\0x",
    "close": b"\x88\x82\0\0\0\0\x03\xe8",
    "unmasked": b"\x81\x01x",
    "half a frame": b"\x81\xfe",
    "another handshake": b"GET / HTTP/1.1\r\n" + OPENING,
}


@pytest.mark.parametrize("early", EARLY.values(), ids=EARLY)
@pytest.mark.parametrize("apart", [False, True], ids=["in the packet of the handshake", "in the next one"])
async def test_whatever_comes_before_the_handshake_is_answered_ends_the_connection(caplog, apart, early):
    asked, ended = asyncio.Event(), asyncio.Event()

    async def slow(scope, receive, send):
        asked.set()
        assert (await receive())["type"] == "websocket.connect"
        assert (await receive())["type"] == "websocket.disconnect"
        with suppress(OSError):
            await send({"type": "websocket.accept"})
        ended.set()

    async with served(slow) as port, connected(port) as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\n" + OPENING + (b"" if apart else early))
        if apart:
            await asked.wait()
            writer.write(early)
        with suppress(ConnectionError):
            assert await reader.read() == b""
        if apart:
            await ended.wait()
    assert caplog.messages == []


async def test_a_text_that_is_none_closes_the_socket_and_is_no_error_of_the_site(caplog):
    async with served(echo) as port, async_connect(f"ws://127.0.0.1:{port}/") as page:
        page.transport.write(EARLY["no UTF-8"])
        with pytest.raises(ConnectionClosed) as closed:
            await page.recv()
    assert closed.value.rcvd.code == CloseCode.INVALID_DATA
    assert caplog.messages == []


async def echo(scope, receive, send):
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] != "websocket.disconnect":
        if text := message.get("text"):
            await send({"type": "websocket.send", "text": text})


@pytest.mark.parametrize("text", ["é", "🂡"])
async def test_a_text_may_come_in_pieces_that_are_none(text):
    async with served(echo) as port, async_connect(f"ws://127.0.0.1:{port}/") as page:
        first, last = text.encode()[:1], text.encode()[1:]
        page.transport.write(Frame(Opcode.TEXT, first, fin=False).serialize(mask=True))
        page.transport.write(Frame(Opcode.CONT, last).serialize(mask=True))
        assert await page.recv() == text


async def test_while_messages_wait_for_the_site_no_more_are_read():
    heard, goes_on = [], asyncio.Event()

    async def slow(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        await goes_on.wait()
        while (message := await receive())["type"] == "websocket.receive":
            heard.append(message["text"])

    async with served(slow) as port:
        async with async_connect(f"ws://127.0.0.1:{port}/", write_limit=0) as page:
            text = "x" * (bounds.MESSAGE_BYTES - 1)

            async def pour():
                for _ in range(5000):
                    await page.send(text)

            pouring = asyncio.create_task(pour())
            done, _ = await asyncio.wait([pouring], timeout=0.5)
            assert not done
            goes_on.set()
            await pouring
        while len(heard) < 5000:
            await asyncio.sleep(0)
    assert set(heard) == {text}


async def test_a_socket_with_too_many_messages_at_once_is_cut_off():
    heard = []

    async def site(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            heard.append(message)

    async with served(site) as port, async_connect(f"ws://127.0.0.1:{port}/") as page:
        page.transport.write(b"\x81\x80\0\0\0\0" * 40_000)  # empty texts, as a browser masks them
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(page.recv(), 30)
    assert len(heard) < 40_000 / 10


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536])
def test_texts_are_framed_as_the_standard_has_it(length):
    text = "é" + "x" * (length - 2) if length > 1 else "x" * length
    assert bounds.text_frame(text.encode()) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


async def test_a_socket_that_does_not_read_is_cut_off():
    ended = asyncio.Event()

    async def chatter(scope, receive, send):
        await send({"type": "websocket.accept"})
        with suppress(OSError):
            while True:
                await send({"type": "websocket.send", "text": "x" * bounds.MESSAGE_BYTES})
                await asyncio.sleep(0)
        ended.set()

    handshake = (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    async with served(chatter) as port, connected(port) as (_, writer):
        writer.write(handshake)
        await ended.wait()


def test_half_requests_make_room_for_whole_ones_of_their_own_network_too(port):
    with ExitStack() as lines, closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as page:
        page.request("GET", "/rules")
        assert page.getresponse().read()
        halves = []
        for _ in range(bounds.OF_A_NETWORK + 50):
            halves.append(lines.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)))
            halves[-1].sendall(b"GET / HTTP/1.1\r\n")
        assert get(port, "/rules")[0].status == 200
        page.request("GET", "/rules")
        assert page.getresponse().status == 200
        with suppress(ConnectionError):
            assert halves[0].recv(1) == b""
        halves[-1].sendall(b"Host: localhost\r\n\r\n")
        assert halves[-1].recv(12) == b"HTTP/1.1 200"


async def test_of_all_connections_those_that_have_said_least_and_waited_longest_go_first(monkeypatch):
    monkeypatch.setattr(bounds, "share_of_files", lambda _eighths: 3)
    async with served(bounds.small(welcome)) as port, AsyncExitStack() as lines:

        async def line(sent):
            reader, writer = await lines.enter_async_context(opened(port))
            writer.write(sent)
            if sent == GET:
                await reader.readuntil(b"welcome")
            else:
                while not bounds.Connection.rooms[bounds.EVERYBODY].waiting[bounds.Awaited.REQUEST]:
                    await asyncio.sleep(0)
            return reader

        whole, *_ = ends = [await line(sent) for sent in (GET, GET[:10], GET, GET, GET)]
        room = bounds.Connection.rooms[bounds.EVERYBODY]
        for dropped in (ends[1], whole):
            with suppress(ConnectionError):
                assert await dropped.read() == b""
        assert room.open == 3
        assert [len(waiting) for waiting in room.waiting] == [0, 3, 0]


async def test_a_connection_that_is_being_answered_is_not_dropped(monkeypatch):
    monkeypatch.setattr(bounds, "OF_A_NETWORK", 1)
    asked, answer = asyncio.Event(), asyncio.Event()

    async def slow(scope, receive, send):
        asked.set()
        await answer.wait()
        await welcome(scope, receive, send)

    async with served(slow) as port, connected(port) as (reader, writer):
        writer.write(GET)
        await asked.wait()
        async with opened(port) as (refused, _):
            with suppress(ConnectionError):
                assert await refused.read() == b""
        answer.set()
        await reader.readuntil(b"welcome")


def test_a_frame_of_a_hundred_megabytes_is_not_waited_for(site):
    port, process = site
    before = memory(process)
    with connect(f"ws://127.0.0.1:{port}/ws/play", origin=f"http://127.0.0.1:{port}", max_size=None) as line:
        try:
            line.send("x" * (100 << 20))
            for _ in line:
                pass
        except ConnectionClosed:
            pass
        assert line.protocol.close_code in (1006, 1009)
    assert memory(process) - before < 32 << 20


@pytest.mark.parametrize("piece", ["x" * 4000, ""])
def test_a_message_in_a_hundred_pieces_is_not_put_together(site, piece):
    port, _ = site
    with connect(f"ws://127.0.0.1:{port}/ws/play", origin=f"http://127.0.0.1:{port}") as line:
        try:
            line.send(piece for _ in range(100))
            for _ in line:
                pass
        except ConnectionClosed:
            pass
        assert line.protocol.close_code in (1006, 1009)
