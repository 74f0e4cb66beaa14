"""How often one may do what costs the site or bothers others, and what one reads who does it oftener."""

import logging
import re

import pytest
from django.test import Client

from accounts import throttle
from accounts.models import User
from games.table import present
from tests.clubs.clubs import club_of
from tests.matches.matches import seated
from tests.people import person

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet scriptorium"


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["in memory", "in the cache"])
def counter(request, clock):
    return throttle.Memory(clock) if request.param == "in memory" else throttle.Shared(clock)


def test_a_counter_counts_each_key_by_itself_and_says_how_long(counter, clock):
    assert [counter.count("a", 60) for _ in range(3)] == [1, 2, 3]
    assert counter.count("b", 60) == 1
    clock.now += 15
    assert counter.count("a", 60) == 4
    assert counter.left_s("a") == 45


def test_memory_begins_anew_when_the_time_is_over(clock):
    counter = throttle.Memory(clock)
    assert [counter.count("a", 60) for _ in range(3)] == [1, 2, 3]
    clock.now += 60
    assert counter.count("a", 60) == 1


def test_memory_holds_only_so_many_keys(clock):
    counter = throttle.Memory(clock, most=10)
    for number in range(8):
        counter.count(f"old {number}", 5)
    clock.now += 6
    for number in range(1000):
        counter.count(number, 60)
        assert len(counter.counts) <= 10


class Away(Exception):
    """What a cache says that cannot be reached."""


def test_while_the_cache_is_away_it_is_counted_in_memory_and_said_once(clock, monkeypatch, caplog):
    def away(*args):
        asked.append(args)
        raise Away

    asked, counter = [], throttle.Shared(clock)
    for name in ("add", "incr", "get", "set"):
        monkeypatch.setattr(throttle.cache, name, away, raising=False)
    with caplog.at_level(logging.ERROR):
        assert [counter.count("a", 60) for _ in range(3)] == [1, 2, 3]
        assert counter.left_s("a") == 60
        assert len(asked) == 1  # a cache that does not answer must not hold up every page
        clock.now += counter.AWAY_S
        assert counter.count("a", 60) == 4
        assert len(asked) == 2
    assert len(caplog.records) == 1
    monkeypatch.undo()
    clock.now += counter.AWAY_S
    assert counter.count("a", 60) == 1


def test_a_page_is_answered_while_the_cache_is_away(client, monkeypatch):
    monkeypatch.setattr(throttle, "shared", throttle.Shared())
    monkeypatch.setattr(throttle.cache, "add", lambda *args: 1 / 0, raising=False)
    assert client.post("/guest").status_code == 302


def test_the_wait_is_said_in_words():
    assert [throttle.in_words(n) for n in (1, 40, 91, 3600)] == ["1 second", "40 seconds", "2 minutes", "60 minutes"]


# Each limit: who reaches it, and what is asked for once too often.


def sign_in(client):
    return client.post("/sign-in", {"username": "cho", "password": "x"}, REMOTE_ADDR="192.0.2.7")


TERMS = {"seats": "2", "pace": "daily", "days": "3", "preset": "rulebook"}
ASKED = {
    "newcomers": lambda match: Client().post("/guest"),
    "sign-ins": lambda match: sign_in(Client()),
    "mails": lambda match: Client().post("/account/forgot", {"email": "ann@example.org"}),
    "mails to": lambda match: Client().post("/account/forgot", {"email": "Ann@example.org"}),
    "exports": lambda match: Client().get("/@/ann/games.jsonl"),
    "searches": lambda match: Client().get("/@/ann/games?opponent=bob"),
    "tables": lambda match: as_ann().post("/play/bots", {"places": "2"}),
    "quick": lambda match: as_ann().post("/play/quick", {"places": "4"}),
    "room": lambda match: as_ann().post(f"/m/{match.key}/ready"),
    "founding": lambda match: as_ann().post("/clubs/new", {"clubname": "Us", "visible": "all", "joining": "free"}),
    "clubs": lambda match: as_ann().post("/c/st-gall/join"),
    "invitations": lambda match: as_ann().post("/c/st-gall/desk/invite", {"names": "cho"}),
    "ladder": lambda match: as_ann().post("/c/st-gall/ladder/back"),
    "challenges": lambda match: as_ann().post("/c/st-gall/ladder/challenge?to=bob", TERMS),
    "desk": lambda match: as_ann().post("/c/st-gall/desk/link"),
    "reports": lambda match: as_ann().post("/@/bob/report", {"text": "He shouts."}),
    "chat": lambda match: as_ann().post(f"/m/{match.key}/chat", {"text": "hello"}),
    "moves": lambda match: as_ann().post(f"/m/{match.key}/play", {"ply": "99", "move": "keep"}),
}


def as_ann():
    client = Client()
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def match(static_files):
    """A match of ann and bob, who also have a club."""
    club_of("ann", "bob")
    return seated("ann", "bob")


def test_every_limit_of_the_table_is_tried_here():
    # Letters are sent by the worker: `test_clubs.py` tries their limit.
    assert set(ASKED) == set(throttle.LIMITS) - {"letters"}


@pytest.mark.parametrize("what", ASKED)
def test_who_reaches_a_limit_reads_when_to_try_again(match, what, at_most):
    at_most(what, 2)
    ask = ASKED[what]
    assert all(ask(match).status_code < 429 for _ in range(2))
    answer = ask(match)
    html = answer.content.decode()
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= throttle.LIMITS[what].seconds
    assert str(throttle.LIMITS[what].says) in html
    assert re.search(r"Try again in \d+ (second|minute)s?\.", html)


@pytest.mark.parametrize("what", ["tables", "quick", "room", "reports", "chat", "moves"])
def test_what_one_does_too_often_others_may_still_do(match, what, at_most):
    at_most(what, 0)
    assert ASKED[what](match).status_code == 429
    at_most(what, 1)
    throttle.count(what, person("bob").pk)
    with pytest.raises(throttle.TooMany):
        throttle.count(what, person("bob").pk)


def test_a_move_that_comes_too_often_is_not_made(match, at_most):
    at_most("moves", 0)
    name = match.seats.all()[match.mover].user.username
    client = Client()
    client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(f"/m/{match.key}/play", {"ply": "0", "move": "keep"}, headers={"HX-Request": "true"})
    assert answer.status_code == 429
    assert 'data-ply="0"' in answer.content.decode()
    assert present.find(match.key).ply == 0


def test_what_was_typed_into_a_report_is_not_lost(match, at_most):
    at_most("reports", 0)
    assert "He shouts." in ASKED["reports"](match).content.decode()


def test_no_account_is_made_for_who_comes_too_often(client, at_most):
    at_most("newcomers", 0)
    client.post("/sign-up", {"username": "Dora", "new_password": PASSWORD})
    assert not User.objects.filter(folded="dora").exists()
