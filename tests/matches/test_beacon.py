"""A beacon that is mixed into the shuffle, if there is one: asked on loopback, over a real connection."""

import hashlib
import json
import subprocess
import sys
from contextlib import suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from threading import Event, Thread

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.utils import timezone

from biblios_site.settings import beacon as beacon_of
from games import worker
from games.engine import chance
from games.engine.core import BadRecord
from games.lobby import open_matches
from games.matches import access, beacon, history, shuffle
from games.matches.clocks import ms_of, now_ms
from games.matches.models import Match
from games.review import proof, records
from tests.matches.matches import rushed

pytestmark = pytest.mark.django_db

A = b"a" * 16
DUE, OVER = timedelta(seconds=9), timedelta(minutes=1)
CHECKLOG = Path(__file__).parents[2] / "static" / "log" / "checklog.py"


def right(number):
    """What an honest beacon says."""
    signature = hashlib.sha512(f"round {number}".encode()).digest()
    said = {"round": number, "randomness": hashlib.sha256(signature).hexdigest(), "signature": signature.hex()}
    return 200, json.dumps(said)


def another(number, **fields):
    return 200, json.dumps(json.loads(right(number)[1]) | fields)


class Server(ThreadingHTTPServer):
    """A beacon: `answer` gives status and text for a round; `asked` are the paths that were asked for."""

    def __init__(self, answer):
        super().__init__(("127.0.0.1", 0), Answering)
        self.answer, self.asked, self.stopping = answer, [], Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/chain"


class Answering(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        if self.server.answer is None:
            self.server.stopping.wait()
            return
        status, text = self.server.answer(int(self.path.rpartition("/")[2]))
        self.send_response(status)
        if status == 302:
            self.send_header("Location", self.path + "/../" + self.path.rpartition("/")[2])
        self.end_headers()
        pieces = [text] if isinstance(text, str) else text
        with suppress(OSError):  # whoever asked has hung up
            for piece in pieces:
                self.wfile.write(piece.encode())
                self.server.stopping.wait(0 if piece is text else 0.02)

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def serving(settings):
    """Starts a beacon: serving(answer); the site asks it."""
    servers = []

    def serving(answer):
        server = Server(answer)
        servers.append(server)
        Thread(target=server.serve_forever, args=[0.01]).start()
        settings.BEACON = server.url, 1_600_000_000, 3
        return server

    yield serving
    for server in servers:
        server.stopping.set()
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def with_browsers(settings):
    settings.SHUFFLE_MS = 8000


@pytest.fixture
def sealed(ann):
    """A match of ann and a bot whose seals are public; ann has not opened hers."""

    def sealed():
        match = open_matches.open_match(ann, places=2, options={}, bots=1)
        shuffle.give_seal(match, ann, chance.seal(match.key, 0, A))
        return access.find(match.key)

    return sealed


def now(match):
    """The match as it is now."""
    return access.find(match.key)


def asked(match):
    """What the worker does once the round has been said."""
    shuffle.ask_beacon(timezone.now() + DUE)
    return now(match)


def document(match):
    return json.loads(json.dumps(records.document(match, history.replay(match))))


def test_by_default_no_beacon_is_asked(sealed, ann, settings):
    assert settings.BEACON is None and beacon_of("") is None
    match = sealed()
    shuffle.open_seal(match, ann, A)
    assert now(match).status == "running"
    assert now(match).header["beacon_round"] == now(match).beacon == ""


def test_the_round_is_to_come_when_the_seals_are_published_and_stays(serving, sealed, ann, client):
    server = serving(right)
    match = sealed()
    address, number = match.beacon_round, beacon.number_of(match.beacon_round)
    assert address == f"{server.url}/public/{number}"
    said_at = 1000 * (1_600_000_000 + 3 * (number - 1))
    assert 1000 < said_at - ms_of(match.sealed_at) <= 4000
    client.force_login(ann)
    assert f'data-beacon="{address}"' in client.get(f"/m/{match.key}").text
    shuffle.open_seal(match, ann, A)
    assert now(match).status == "shuffling" and now(match).beacon_round == address
    shuffle.ask_beacon(match.sealed_at)
    assert server.asked == []


def test_what_it_says_is_mixed_in(serving, sealed, ann):
    server = serving(right)
    match = sealed()
    shuffle.open_seal(match, ann, A)
    match = asked(match)
    assert match.status == "running" and server.asked == [match.beacon_round.removeprefix(server.url[: -len("/chain")])]
    assert match.beacon == json.loads(right(beacon.number_of(match.beacon_round))[1])["randomness"]
    assert match.header["beacon_round"] == match.beacon_round
    shares = [bytes(seat.share) for seat in match.sitting]
    assert history.seed_of(match, match.sitting) == chance.mix(bytes(match.secret), shares, bytes.fromhex(match.beacon))


def test_a_beacon_that_is_quicker_than_a_browser_waits_for_it(serving, sealed, ann):
    serving(right)
    match = asked(sealed())
    assert match.beacon and match.status == "shuffling"
    shuffle.open_seal(match, ann, A)
    assert now(match).status == "running"


def test_matches_that_wait_for_the_same_round_ask_once(serving, sealed, ann):
    server = serving(right)
    one, two = sealed(), sealed()
    Match.objects.update(beacon_round=one.beacon_round)
    asked(one)
    assert len(server.asked) == 1 and now(one).beacon == now(two).beacon != ""


WRONG = {
    "no such round": lambda number: (404, "{}"),
    "elsewhere": lambda number: (302, "{}"),
    "broken": lambda number: (500, right(number)[1]),
    "another round": lambda number: right(number + 1),
    "another number": lambda number: another(number, round=number + 1),
    "another hash": lambda number: another(number, randomness="00" * 32),
    "a short hash": lambda number: another(number, randomness=""),
    "no signature": lambda number: another(number, signature=None),
    "no text": lambda number: another(number, randomness=7),
    "no object": lambda number: (200, "[]"),
    "no JSON": lambda number: (200, "<html>"),
    "deep": lambda number: (200, "[" * 4000),
    "megabytes": lambda number: (200, right(number)[1] + " " * 5_000_000),
    "nothing": lambda number: (200, ""),
}


@pytest.mark.parametrize("answer", WRONG)
def test_a_wrong_answer_is_none_and_the_match_begins_without(serving, sealed, ann, answer):
    server = serving(WRONG[answer])
    match = sealed()
    shuffle.open_seal(match, ann, A)
    assert asked(match).status == "shuffling" and len(server.asked) == 1
    worker.attend_all([match.pk], timezone.now() + OVER)
    match = now(match)
    assert match.status == "running" and match.beacon == "" and match.header["beacon_round"]


def test_a_match_does_not_wait_longer_than_its_bound(serving, sealed, ann):
    serving(right)
    match = sealed()
    shuffle.open_seal(match, ann, A)
    match = now(match)
    assert ms_of(match.wake_at) - ms_of(match.sealed_at) == beacon.MOST_MS
    shuffle.look(match, ms_of(match.wake_at) - 1)
    assert now(match).status == "shuffling"
    shuffle.look(match, ms_of(match.wake_at))
    assert now(match).status == "running"
    shuffle.hear(match, "00" * 32)
    assert now(match).beacon == ""


def test_a_beacon_that_is_away_or_does_not_finish_is_left(serving, sealed, monkeypatch):
    monkeypatch.setattr(beacon, "TIMEOUT_S", 0.2)
    server = serving(None)
    match = sealed()
    assert asked(match).beacon == "" and len(server.asked) == 1
    server.answer = lambda number: (200, (" " for _ in iter(lambda: server.stopping.is_set(), True)))
    assert asked(match).beacon == "" and len(server.asked) == 2
    server.shutdown()
    server.server_close()
    assert asked(match).beacon == ""


@pytest.mark.parametrize("answers", [True, False])
def test_the_record_says_what_it_said_and_everything_recomputes_it(serving, sealed, ann, client, tmp_path, answers):
    serving(right if answers else WRONG["broken"])
    match = sealed()
    shuffle.open_seal(match, ann, A)
    asked(match)
    if not answers:
        Match.objects.update(sealed_at=match.sealed_at - OVER)
        shuffle.look(match, now_ms())
    match = rushed(now(match), seed=3)
    record = document(match)
    assert bool(record["proof"]["beacon"]) == answers
    assert proof.links(record)[-1] == bytes(match.link)

    out = StringIO()
    call_command("verifylogs", match.key, stdout=out)
    assert "no fault" in out.getvalue()
    kept = tmp_path / "record.jsonl"
    kept.write_text(json.dumps(record) + "\n")
    call_command("checkrecords", str(kept), stdout=out)
    assert "1 records replayed, no fault" in out.getvalue()
    checked = subprocess.run([sys.executable, str(CHECKLOG), str(kept)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout

    page = client.get(f"/m/{match.key}/0").text
    assert f'href="{match.beacon_round}"' in page
    assert ("didn’t answer in time" in page) != answers
    assert not answers or match.beacon in page

    record["proof"]["beacon"] = "" if answers else "00" * 32
    with pytest.raises(BadRecord):
        proof.links(record)


def test_a_beacon_that_was_not_asked_is_found_out(rewriting, sealed, ann):
    match = sealed()
    shuffle.open_seal(match, ann, A)
    rewriting("UPDATE games_match SET beacon = %s WHERE id = %s", ["00" * 32, match.pk])
    out = StringIO()
    with pytest.raises(CommandError, match="1 matches are wrong"):
        call_command("verifylogs", match.key, stdout=out)
    assert "none was asked" in out.getvalue()


def test_the_setting_is_a_chain_with_its_genesis_and_period():
    chain = "https://beacon.example.org/52db9b"
    assert beacon_of(f"{chain}/?genesis=1692803367&period=3") == (chain, 1692803367, 3)
    assert beacon_of("http://[::1]:8080?genesis=1&period=1") == ("http://[::1]:8080", 1, 1)


@pytest.mark.parametrize(
    "url",
    [
        "http://beacon.example.org/c?genesis=1&period=3",
        "file:///etc/passwd?genesis=1&period=3",
        "https://me:word@beacon.example.org/c?genesis=1&period=3",
        "https://beacon.example.org/c",
        "https://beacon.example.org/c?genesis=1&period=30",
        "https://beacon.example.org/c?genesis=1&period=0",
        "https://beacon.example.org/c?genesis=-1&period=3",
        "https:///c?genesis=1&period=3",
        f"https://beacon.example.org/{'c' * 180}?genesis=1&period=3",
    ],
)
def test_another_setting_is_refused(url):
    with pytest.raises(ImproperlyConfigured, match="genesis=1692803367"):
        beacon_of(url)
