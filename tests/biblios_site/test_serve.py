import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from biblios_site import stalls
from biblios_site.bounds import WAITING
from biblios_site.management.commands.serve import server_of
from games.hub.sockets import MALFORMED
from tests.components import free_port
from tests.prepared import fill

pytestmark = [pytest.mark.once, pytest.mark.slow]

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def manage(tmp_path):
    """Start a command in a process of its own, with its own data: manage(*command, **environment) -> process."""
    started = []
    fill(tmp_path)
    # Where the tests themselves are deaf to Ctrl-C, as behind nohup, the process would be so too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def manage(*command, **environment):
        process = subprocess.Popen(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env={**os.environ, "BIBLIOS_DATA": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": "", **environment},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        return process

    yield manage
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


@pytest.fixture
def serve(manage):
    """Start the site: serve(port=0, host="127.0.0.1", **environment) -> process."""

    def serve(port=0, host="127.0.0.1", **environment):
        return manage("serve", "--prepare", "--host", host, "--port", str(port), **environment)

    return serve


def port_of(process):
    line = process.stdout.readline()
    assert re.fullmatch(r"Armarium is at http://127\.0\.0\.1:\d+/ \(Ctrl-C ends it\)\n", line), process.stderr.read()
    return int(re.search(r":(\d+)/", line)[1])


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="This machine has no IPv6.")
def test_two_colons_are_every_address_of_both_kinds(serve):
    """As compose has it: the proxy is given the addresses of IPv6 too, and half of all requests once found nobody."""
    port = int(re.search(r"localhost:(\d+)/", serve(host="::").stdout.readline())[1])
    for address in ("127.0.0.1", "::1"):
        with closing(http.client.HTTPConnection(address, port)) as connection:
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200


@contextmanager
def asking(port, address):
    """A connection on which this page has been asked for."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", address)
        yield connection


def get(port, address):
    """Status and text of a page."""
    with asking(port, address) as connection:
        response = connection.getresponse()
        return response.status, response.read().decode()


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionError:
        return False
    return True


def test_it_answers_and_ends_in_peace(serve):
    process = serve()
    port = port_of(process)
    with asking(port, "/") as connection:
        assert connection.getresponse().status == 200
        process.terminate()
        assert (process.wait(), process.stderr.read()) == (0, "")


def test_it_names_an_address_that_one_can_go_to_when_it_listens_on_all(serve):
    line = serve(host="0.0.0.0").stdout.readline()
    name, port = re.search(r"http://(\w+):(\d+)/", line).groups()
    assert name == "localhost"
    assert get(int(port), "/healthz")[0] == 200


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "Ctrl-C"])
def test_a_request_that_is_running_when_it_ends_is_answered(serve, end):
    with socket.create_server(("127.0.0.1", 0)) as door:
        process = serve(DJANGO_SETTINGS_MODULE="tests.biblios_site.waiting_site", TEST_PORT=str(door.getsockname()[1]))
        port = port_of(process)
        with asking(port, "/wait") as connection:
            with door.accept()[0], socket.create_connection(("127.0.0.1", port)) as refused:
                refused.sendall(b"GET /?\xff HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert refused.recv(12) == b"HTTP/1.1 400"
                process.send_signal(end)
                while listens(port):
                    pass
            assert connection.getresponse().read() == b"at last"
            assert (process.wait(), process.stderr.read()) == (0, "")


def test_a_client_that_does_not_read_does_not_hold_up_the_end():
    async def endless(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": bytes(1_000_000), "more_body": True})

    server = server_of(endless)
    server.config.timeout_graceful_shutdown = 1
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=[[listener]])
        thread.start()
        with asking(listener.getsockname()[1], "/") as connection:
            assert connection.getresponse().status == 200
            server.should_exit = True
            thread.join(60)
            assert not thread.is_alive()


def test_no_answer_waits_until_the_client_has_acknowledged_the_one_before():
    async def constant(scope, receive, send):
        connection = next(iter(server.server_state.connections))
        at_once.append(connection.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    server, at_once = server_of(constant), []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=[[listener]])
        thread.start()
        assert get(listener.getsockname()[1], "/")[0] == 200
        server.should_exit = True
        thread.join(60)
    assert at_once == [1]


def test_a_port_in_use_is_named_with_the_way_out(serve):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = serve(port)
        assert process.stderr.read() == (
            "CommandError: Cannot listen: Address already in use "
            f"(while attempting to bind on address ('127.0.0.1', {port})). Choose another port with --port.\n"
        )
        assert process.wait() == 1


@contextmanager
def daphne(tmp_path, application="biblios_site.asgi:application", **environment):
    """The port of a Daphne that serves this application, and its process."""
    port = free_port()
    command = [sys.executable, "-m", "daphne", "--verbosity", "0", "--port", str(port), application]
    environment = {**os.environ, "BIBLIOS_DATA": str(tmp_path), **environment}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, text=True, stderr=subprocess.PIPE)
    try:
        while not listens(port):
            assert process.poll() is None
        yield port, process
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_daphne_serves_it_too(manage, tmp_path):
    assert manage("prepare").wait() == 0
    with daphne(tmp_path) as (port, _process):
        assert get(port, "/")[0] == 200
        with connect(f"ws://127.0.0.1:{port}/ws/play?lang=en", origin=f"http://127.0.0.1:{port}") as page:
            assert 'id="' in page.recv()
            page.send("too much" * 1000)
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    page.recv()
        assert closed.value.rcvd.code == MALFORMED


@pytest.mark.parametrize(("many", "cut_off"), [(WAITING, False), (10 * WAITING, True)])
def test_under_daphne_too_no_more_than_so_many_messages_of_a_socket_wait(tmp_path, many, cut_off):
    with socket.create_server(("127.0.0.1", 0)) as door:
        test_port = str(door.getsockname()[1])
        holding = daphne(tmp_path, "tests.biblios_site.holding_site:application", TEST_PORT=test_port)
        with holding as (port, _process), connect(f"ws://127.0.0.1:{port}/") as page, door.accept()[0] as held:
            page.socket.sendall(Frame(Opcode.TEXT, b"x").serialize(mask=True) * many)
            if cut_off:
                with pytest.raises(ConnectionClosed) as closed:
                    page.recv(timeout=60)
                assert closed.value.rcvd is None
            else:
                page.ping().wait(60)  # all have come
                held.sendall(b"x")
                assert [page.recv(timeout=60) for _ in range(many)] == ["x"] * many


EARLY = Frame(Opcode.TEXT, b"\xff").serialize(mask=True) + Frame(Opcode.CLOSE, b"x").serialize(mask=True)


@pytest.mark.parametrize("server", ["serve", "daphne"])
def test_frames_before_the_handshake_is_answered_leave_no_trace(manage, serve, tmp_path, server):
    with ExitStack() as stack:
        if server == "daphne":
            assert manage("prepare").wait() == 0
            port, process = stack.enter_context(daphne(tmp_path))
        else:
            process = serve()
            port = port_of(process)
        key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        where = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        handshake = f"GET /ws/play HTTP/1.1\r\n{where}Connection: Upgrade\r\nUpgrade: websocket\r\n{key}".encode()
        for packets in ([handshake + EARLY], [handshake, EARLY], [handshake, handshake + EARLY]) * 5:
            with socket.create_connection(("127.0.0.1", port)) as line, suppress(ConnectionError):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for packet in packets:
                    line.sendall(packet)
                line.shutdown(socket.SHUT_WR)
                while line.recv(1 << 16):
                    pass
        assert get(port, "/")[0] == 200
        process.terminate()
        assert "Traceback" not in process.communicate()[1]


def test_no_server_looks_for_garbage_in_what_is_imported(manage):
    told = "import gc; print(gc.get_freeze_count() > 50_000, *gc.get_threshold())"
    process = manage("shell", "--no-imports", "-c", f"import biblios_site.asgi; {told}")
    assert process.stdout.read() == f"True {stalls.YOUNG} {stalls.PORTIONS} {stalls.MOST}\n"


def test_a_server_shows_what_holds_it_up(serve):
    numbers = free_port()
    port = port_of(serve(BIBLIOS_METRICS=f"127.0.0.1:{numbers}"))
    assert get(port, "/")[0] == 200
    while "biblios_loop_stall_seconds_count 0.0" in get(numbers, "/metrics")[1]:
        pass
    assert "biblios_loop_stall_seconds_count" in get(numbers, "/metrics")[1]


@pytest.mark.parametrize("command", [["worker"], ["serve", "--no-worker"]], ids=" ".join)
def test_nobody_works_alone_without_the_means_to_tell_the_others(manage, command):
    process = manage(*command, REDIS_URL="")
    assert process.stderr.read().startswith("CommandError: Without REDIS_URL ")
    assert process.wait() == 1


def test_parts_that_go_away_and_come_back(manage, components):
    postgres, redis = components
    environment = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url, "BIBLIOS_LOG_LEVEL": "CRITICAL"}
    assert manage("prepare", **environment).wait() == 0
    port = port_of(manage("serve", "--no-worker", "--port", "0", **environment))
    assert get(port, "/readyz") == (200, "ready\n")

    for part, name in ((redis, "redis"), (postgres, "database")):
        part.kill()
        assert get(port, "/readyz") == (503, f"away: {name}\n")
        assert get(port, "/healthz") == (200, "alive\n")
        while {"redis": "a second late", "database": "Nobody can play"}[name] not in (status := get(port, "/status"))[
            1
        ]:
            pass
        assert status[0] == (503 if name == "database" else 200)
        part.start()
        while get(port, "/readyz")[0] != 200:
            pass
        assert get(port, "/play")[0] == 200


def test_a_worker_works_until_it_is_told_to_end_and_shows_its_numbers(manage, components):
    postgres, redis = components
    port = free_port()
    environment = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
    assert manage("prepare", **environment).wait() == 0
    process = manage("worker", BIBLIOS_METRICS=f"127.0.0.1:{port}", **environment)
    assert process.stdout.readline() == "The worker is running (Ctrl-C ends it)\n"
    assert "biblios_worker_lag_seconds_count 0.0" in (numbers := get(port, "/metrics")[1])
    assert "biblios_database_connections_max 9.0" in numbers
    while 'biblios_worker_round_timestamp_seconds{work="answers"}' not in get(port, "/metrics")[1]:
        pass
    process.terminate()
    assert (process.wait(), process.stderr.read()) == (0, "")
