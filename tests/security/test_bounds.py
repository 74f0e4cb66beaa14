"""What the running server takes from who sends too much, or too slowly."""

import http.client
import os
import socket
from contextlib import closing, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from biblios_site import bounds
from tests.security.server import get, running

GIGABYTE = 1 << 30


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
    assert answer in (b"", bounds.TOO_LARGE)
    assert memory(process) - before < 32 << 20
    assert temporary_files(process) <= files
    assert get(port, "/rules")[0].status == 200


def test_who_asks_first_is_told_without_sending_anything(port):
    with closing(socket.create_connection(("127.0.0.1", port), timeout=60)) as line:
        line.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % GIGABYTE)
        assert line.recv(1000) == bounds.TOO_LARGE
        assert line.recv(1000) == b""


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_bound_is_where_it_says(port, more):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", "/sign-in", body=b"x" * (bounds.BODY_BYTES + more))
        assert connection.getresponse().status == (413 if more > 0 else 403)


def test_a_head_without_end_is_refused(port):
    sent, answer = poured(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Long: " + b"x" * 1000 + b"\r\n")
    assert sent < 32 << 20
    assert answer in (b"", b"HTTP/1.1 400 Bad Request\r\n\r\n")
    sent, answer = poured(port, b"GET /", b"x" * (1 << 16))
    assert sent < 32 << 20


def test_what_comes_drop_by_drop_gets_no_more_time():
    """With the clock of Twisted's own tests: 59 s are all right, whatever comes then."""
    from twisted.internet.task import Clock
    from twisted.internet.testing import StringTransport

    class Server:
        def __init__(self):
            self.came = []

        def protocol_connected(self, protocol):
            self.came.append(protocol)

        protocol_disconnected = protocol_connected

    for beginning in (b"", b"POST /sign-in HTTP/1.1\r\nContent-Length: 100\r\n\r\n"):
        clock, line = Clock(), StringTransport()
        factory = bounds.Factory(Server())
        factory.reactor = clock
        channel = factory.buildProtocol(None)
        channel.callLater = clock.callLater
        channel.makeConnection(line)
        channel.dataReceived(beginning)
        for _ in range(bounds.ARRIVAL_S - 1):
            clock.advance(1)
            channel.dataReceived(b"x")
        assert not line.disconnecting
        clock.advance(1)
        assert line.disconnecting


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


def test_a_message_in_a_hundred_pieces_is_not_put_together(site):
    port, _ = site
    with connect(f"ws://127.0.0.1:{port}/ws/play", origin=f"http://127.0.0.1:{port}") as line:
        try:
            line.send("x" * 4000 for _ in range(100))
            for _ in line:
                pass
        except ConnectionClosed:
            pass
        assert line.protocol.close_code in (1006, 1009)
