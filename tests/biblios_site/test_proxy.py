"""The real proxy, with its own configuration, before two web processes and a worker on PostgreSQL and Redis."""

import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.components import Postgres, Redis, do_without, free_port, missing
from tests.prepared import cluster, fill

pytestmark = [pytest.mark.once, pytest.mark.slow]

ROOT = Path(__file__).parent.parent.parent
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname = False
TRUSTING.verify_mode = ssl.CERT_NONE


@contextmanager
def process(*command, **environment):
    """A process of the site: gives what its first line says."""
    started = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield started
    finally:
        started.terminate()
        started.wait()
        started.stdout.close()


def configuration(folder, static, http_port, https_port, checked, webs):
    """The proxy's own file, with the ports, the folder and the processes of this test in place of compose's."""
    text = (ROOT / "Caddyfile").read_text()
    upstream = re.search(r"dynamic a web 8000 \{\s+refresh 2s\s+\}", text)[0]
    for old, new in (
        (upstream, f"to {' '.join(f'127.0.0.1:{port}' for port in webs)}"),
        ("admin off", f"admin off\n\thttp_port {http_port}\n\thttps_port {https_port}"),
        (":8081", f":{checked}"),
        ("root * /srv", f"root * {static}"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    file = folder / "Caddyfile"
    file.write_text(text)
    return file


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """The ports of the proxy, and the web processes behind it."""
    do_without(missing() or ("" if shutil.which("caddy") else "Not installed here (Debian's package): caddy."))
    folder = tmp_path_factory.mktemp("site")
    fill(folder)
    with ExitStack() as stack:
        postgres, redis = (stack.enter_context(part) for part in (Postgres(fsync=False, like=cluster()), Redis()))
        environment = {
            "BIBLIOS_DATA": str(folder),
            "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url,
            "BIBLIOS_HOSTS": "localhost",
            "BIBLIOS_HTTPS": "1",
        }
        manage = (sys.executable, "manage.py")
        serve = (*manage, "serve", "--no-worker", "--port", "0")
        metrics = [f"127.0.0.1:{free_port()}" for _ in range(2)]
        webs = [stack.enter_context(process(*serve, **environment, BIBLIOS_METRICS=at)) for at in metrics]
        stack.enter_context(process(*manage, "worker", **environment))
        ports = [int(re.search(r":(\d+)/", web.stdout.readline())[1]) for web in webs]
        plain, secure, checked = (free_port() for _ in range(3))
        (folder / "srv").mkdir()
        (folder / "srv" / "static").symlink_to(folder / "static")
        file = configuration(folder, folder / "srv", plain, secure, checked, ports)
        home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        caddy = ("caddy", "run", "--config", str(file), "--adapter", "caddyfile")
        stack.enter_context(process(*caddy, BIBLIOS_HOST="localhost", **home))
        it = SimpleNamespace(plain=plain, secure=secure, webs=webs, metrics=metrics)
        while not answers(it):
            time.sleep(0.05)
        yield it


def answers(proxy):
    try:
        return ask(proxy, "/").status == 200
    except OSError:
        return False


def ask(proxy, path, method="GET", body=None, **headers):
    """The answer, read, with its text."""
    with closing(http.client.HTTPSConnection("localhost", proxy.secure, context=TRUSTING)) as connection:
        connection.request(method, path, body, {"Host": f"localhost:{proxy.secure}", **headers})
        response = connection.getresponse()
        response.text = response.read().decode("utf-8", "replace")
        return response


def guest(proxy):
    """The cookies of a new guest at a table with bots, whose game has begun, and the table's address."""
    page = ask(proxy, "/play")
    cookie = page.getheader("Set-Cookie").partition(";")[0]
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)[1]
    origin = f"https://localhost:{proxy.secure}"
    form = {"Cookie": cookie, "Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
    answer = ask(proxy, "/play/bots", "POST", f"csrfmiddlewaretoken={token}&places=2", **form)
    assert answer.status == 302, answer.text
    new = [value.partition(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie"]
    cookies, place = "; ".join([cookie, *new]), answer.getheader("Location")
    token = re.findall(r"csrftoken=(\w+)", cookies)[-1]
    given_up = ask(
        proxy, f"{place}/shuffle", "POST", f"csrfmiddlewaretoken={token}&without=1", **form | {"Cookie": cookies}
    )
    assert given_up.status in (200, 302), given_up.text
    return cookies, place


def table_sockets(proxy):
    """How many sockets of tables each web process has open."""
    pages = [urlopen(f"http://{at}/metrics").read().decode() for at in proxy.metrics]
    found = [re.search(r'^biblios_sockets\{page="table"\} (\d+)', page, re.MULTILINE) for page in pages]
    return [int(count[1]) if count else 0 for count in found]


def test_plain_http_is_led_to_https(proxy):
    with closing(http.client.HTTPConnection("localhost", proxy.plain)) as connection:
        connection.request("GET", "/rules", headers={"Host": "localhost"})
        response = connection.getresponse()
        assert response.status == 308
        assert re.fullmatch(r"https://localhost(:\d+)?/rules", response.getheader("Location"))


def test_static_files_come_compressed_and_may_be_kept_for_ever(proxy):
    path = re.search(r"/static/css/base\.\w+\.css", ask(proxy, "/").text)[0]
    answer = ask(proxy, path, **{"Accept-Encoding": "gzip"})
    assert answer.status == 200
    assert answer.getheader("Content-Encoding") == "gzip"
    assert answer.getheader("Content-Type").startswith("text/css")
    assert answer.getheader("Cache-Control") == "public, max-age=31536000, immutable"
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert ask(proxy, "/static/nothing.css").status == 404
    assert ask(proxy, "/static/.collected").status == 404


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_what_checkers_ask_is_not_answered_to_the_outside(proxy, path):
    assert ask(proxy, path).status == 404


def test_a_form_that_is_too_large_is_refused(proxy):
    # 502 if the site has ended the connection while the proxy was still writing.
    assert ask(proxy, "/sign-in", "POST", b"x" * 300_000).status in (413, 502)


def test_what_the_outside_says_of_itself_is_not_believed(proxy):
    """A site that believed it would lead plain requests to HTTPS, again and again."""
    assert ask(proxy, "/", **{"X-Forwarded-Proto": "http"}).status == 200


def test_a_socket_of_another_site_is_refused(proxy):
    _, place = guest(proxy)
    with pytest.raises(InvalidStatus) as refused:
        connect(f"wss://localhost:{proxy.secure}/ws{place}", ssl=TRUSTING, origin="https://evil.example")
    assert refused.value.response.status_code == 403


def page(proxy, cookies, place, language="en"):
    """The socket of a page at a table."""
    address, origin = f"localhost:{proxy.secure}", f"https://localhost:{proxy.secure}"
    where, headers = f"wss://{address}/ws{place}?lang={language}", {"Cookie": cookies}
    patience = {"open_timeout": 60}  # seconds: a busy machine may be slow to answer
    return connect(where, ssl=TRUSTING, origin=origin, additional_headers=headers, compression=None, **patience)


def test_all_pages_of_a_table_come_to_one_process(proxy):
    cookies, place = guest(proxy)
    with ExitStack() as stack:
        for language in ("en", "de", "fr", "ar"):
            socket = stack.enter_context(page(proxy, cookies, place, language))
            assert 'data-ply="' in socket.recv(timeout=30)
        assert sorted(table_sockets(proxy)) == [0, 4]


def test_a_guest_plays_by_socket_and_their_page_comes_back_when_its_process_ends(proxy):
    cookies, place = guest(proxy)
    with page(proxy, cookies, place) as socket:
        board = socket.recv(timeout=30)
        assert 'data-ply="' in board
        socket.send(json.dumps({"ply": "999999", "move": "nothing"}))
        assert "moved on" in socket.recv(timeout=30) and 'data-ply="' in socket.recv(timeout=30)
        [web] = [web for web, count in zip(proxy.webs, table_sockets(proxy), strict=True) if count]
        web.kill()
        web.wait()
    with page(proxy, cookies, place) as socket:
        assert 'data-ply="' in socket.recv(timeout=30)
    assert {ask(proxy, "/").status for _ in range(6)} == {200}
