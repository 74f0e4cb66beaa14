import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def serve(tmp_path):
    """Start the site in a process of its own, with its own data: serve(port=0, **environment) -> process."""
    started = []

    def serve(port=0, **environment):
        data = {"BIBLIOS_DATA": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""}
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--prepare", "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, **data, **environment},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        return process

    yield serve
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def port_of(process):
    line = process.stdout.readline()
    assert re.fullmatch(r"Biblios is at http://127\.0\.0\.1:\d+/ \(Ctrl-C ends it\)\n", line), process.stderr.read()
    return int(re.search(r":(\d+)/", line)[1])


@contextmanager
def asking(port, address):
    """A connection on which this page has been asked for."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", address)
        yield connection


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


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "Ctrl-C"])
def test_a_request_that_is_running_when_it_ends_is_answered(serve, end):
    with socket.create_server(("127.0.0.1", 0)) as door:
        process = serve(DJANGO_SETTINGS_MODULE="tests.games.waiting_site", TEST_PORT=str(door.getsockname()[1]))
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


def test_a_port_in_use_is_named_with_the_way_out(serve):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = serve(port)
        assert process.stderr.read() == (
            f"CommandError: Couldn't listen on 127.0.0.1:{port}: [Errno 98] Address already in use. "
            "Choose another port with --port.\n"
        )
        assert process.wait() == 1
