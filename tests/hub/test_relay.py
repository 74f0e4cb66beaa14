"""What processes tell each other over Redis, with a real one."""

import json
import os
import queue
import signal
from contextlib import contextmanager

import pytest
import redis

from games.hub import nudges, relay
from tests.components import Redis, do_without, missing

pytestmark = pytest.mark.once

PATIENCE_S = 20


@pytest.fixture(scope="module")
def server():
    do_without(missing())
    with Redis() as server:
        yield server


@contextmanager
def connected(server, settings):
    """The relay of this process; gives what it hears, None for "something may have been missed"."""
    settings.REDIS_URL = server.url
    news = queue.Queue()
    with relay.connected(lambda sender, message: news.put((sender, message)), lambda: news.put(None)):
        yield news


def another(server):
    return redis.Redis.from_url(server.url)


def test_what_another_process_says_is_heard_and_who_says_it(server, settings):
    with connected(server, settings) as news:
        assert news.get(timeout=PATIENCE_S) is None
        another(server).publish(relay.CHANNEL, 'other [{"match":"abc","ply":3},{"lobby":true}]')
        assert news.get(timeout=PATIENCE_S) == ("other", {"match": "abc", "ply": 3})
        assert news.get(timeout=PATIENCE_S) == ("other", {"lobby": True})


def test_a_process_does_not_hear_itself_but_others_do(server, settings):
    with another(server).pubsub(ignore_subscribe_messages=True) as line, connected(server, settings) as news:
        line.subscribe(relay.CHANNEL)
        line.get_message(timeout=PATIENCE_S)
        assert news.get(timeout=PATIENCE_S) is None
        relay.send(match="abc", ply=3)
        sender, _, text = line.get_message(timeout=PATIENCE_S)["data"].decode().partition(" ")
        assert (sender, json.loads(text)) == (relay.ME, [{"match": "abc", "ply": 3}])
        another(server).publish(relay.CHANNEL, 'other [{"match":"end"}]')
        assert news.get(timeout=PATIENCE_S) == ("other", {"match": "end"})


def test_when_redis_comes_back_everybody_is_told_to_look(server, settings):
    with connected(server, settings) as news:
        assert news.get(timeout=PATIENCE_S) is None
        server.kill()
        relay.send(match="lost")
        server.start()
        assert news.get(timeout=PATIENCE_S) is None
        another(server).publish(relay.CHANNEL, 'other [{"match":"again"}]')
        assert news.get(timeout=PATIENCE_S) == ("other", {"match": "again"})


def test_a_redis_that_hangs_counts_as_away(server, settings, monkeypatch):
    monkeypatch.setattr(relay, "SILENCE_S", 0.5)
    monkeypatch.setattr(relay, "BEAT_S", 0.1)
    monkeypatch.setattr(relay, "RETRY_S", 0.1)
    with connected(server, settings) as news:
        assert news.get(timeout=PATIENCE_S) is None
        os.kill(server.pid, signal.SIGSTOP)
        try:
            for _ in range(200):
                if not relay.listening.is_set():
                    break
                relay._stopped.wait(0.1)
            assert not relay.listening.is_set()
        finally:
            os.kill(server.pid, signal.SIGCONT)
        assert news.get(timeout=PATIENCE_S) is None
        assert relay.listening.is_set()


def test_the_last_words_of_a_process_are_heard(server, settings):
    with another(server).pubsub(ignore_subscribe_messages=True) as line:
        line.subscribe(relay.CHANNEL)
        line.get_message(timeout=PATIENCE_S)
        with connected(server, settings):
            relay.send(match="last")
        while b'"last"' not in line.get_message(timeout=PATIENCE_S)["data"]:
            pass


def test_what_nobody_understands_stops_nothing(server, settings, caplog):
    with connected(server, settings) as news:
        assert news.get(timeout=PATIENCE_S) is None
        for text in ("", "x", "other {", "other 5", 'other [{"match":"good"}]'):
            another(server).publish(relay.CHANNEL, text)
        assert news.get(timeout=PATIENCE_S) == ("other", {"match": "good"})


def test_without_redis_nothing_is_sent_and_nothing_breaks(settings):
    settings.REDIS_URL = None
    with relay.connected(lambda sender, message: None, lambda: None):
        assert relay.alone()
        relay.send(match="abc")


def test_what_is_heard_of_matches_that_nobody_here_looks_at_is_forgotten():
    nudges.heard("other", {"present": "abc", "users": [1], "strangers": 0, "ask": False})
    assert nudges.here("abc") == set()
    nudges.heard("other", {"match": "abc", "ply": 5})
    nudges.heard("other", {"something": "new"})
