"""How often one may do what costs the site or bothers others, and what one reads who does it oftener."""

import logging
import re
from types import SimpleNamespace

import pytest
from django.test import Client

from accounts import throttle
from accounts.models import User
from games.matches import access
from tests.clubs.clubs import club_of
from tests.components import free_port
from tests.matches.matches import seated
from tests.people import person

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet scriptorium"


@pytest.fixture
def goes_on(monkeypatch):
    """Sets the clock of the limits: goes_on(12.5) is 12.5 seconds after a full hour."""

    def goes_on(seconds):
        monkeypatch.setattr(throttle, "clock", lambda: 1_000_000 * 3600.0 + seconds)

    goes_on(0)
    return goes_on


@pytest.mark.parametrize("what", ["reports", "moves"], ids=["for all processes", "for this one"])
def test_each_counts_for_itself_until_the_time_is_over(what, goes_on, at_most):
    at_most(what, 2)
    seconds = throttle.LIMITS[what].seconds
    for who in ("ann", "ann", "bob", "bob"):
        throttle.count(what, who)
    goes_on(seconds - 2.5)
    with pytest.raises(throttle.TooMany) as refusal:
        throttle.count(what, "ann")
    assert refusal.value.wait_s == 3
    goes_on(seconds)
    throttle.count(what, "ann")


@pytest.mark.parametrize("what", ["newcomers", "moves"])
def test_a_lively_evening_makes_nobody_forget(what, at_most):
    at_most(what, 1)
    throttle.count(what, "ann")
    for number in range(5000):
        throttle.count(what, number)
    with pytest.raises(throttle.TooMany):
        throttle.count(what, "ann")


class Away(Exception):
    """What a cache raises that cannot be reached."""


def test_while_the_cache_is_away_it_is_counted_in_memory_and_said_once(goes_on, at_most, monkeypatch, caplog):
    asked = []

    def away(*args):
        asked.append(args)
        raise Away

    at_most("reports", 2)
    with caplog.at_level(logging.ERROR), monkeypatch.context() as patch:
        patch.setattr(throttle, "cache", SimpleNamespace(add=away))
        throttle.count("reports", "ann")
        throttle.count("reports", "ann")
        assert len(asked) == 1  # a cache that does not answer must not hold up every page
        goes_on(throttle.AWAY_S)
        with pytest.raises(throttle.TooMany):
            throttle.count("reports", "ann")
        assert len(asked) == 2
    assert len(caplog.records) == 1
    goes_on(2 * throttle.AWAY_S)
    at_most("reports", 4)  # three are in memory, which in tests is the cache too
    throttle.count("reports", "ann")
    assert not throttle.away_until


def test_a_page_is_answered_while_redis_is_away(client, settings):
    redis = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": f"redis://127.0.0.1:{free_port()}"}
    settings.CACHES = {**settings.CACHES, "default": redis}
    assert client.post("/guest").status_code == 302
    assert throttle.away_until


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
    "links": lambda match: ann_waiting().post("/account/email/again"),
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
    "reports": lambda match: as_ann().post("/@/bob/report", {"text": "Shouts at people."}),
    "chat": lambda match: as_ann().post(f"/m/{match.key}/chat", {"text": "hello"}),
    "moves": lambda match: as_ann().post(f"/m/{match.key}/play", {"ply": "99", "move": "keep"}),
}


def as_ann():
    client = Client()
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    return client


def ann_waiting():
    client = as_ann()
    User.objects.filter(username="ann").update(new_email="ann@example.org")
    return client


@pytest.fixture
def match(static_files):
    """A match of ann and bob, who also have a club."""
    club_of("ann", "bob")
    return seated("ann", "bob")


def test_every_limit_of_the_table_is_tried_here():
    # Nobody is told of the others: the tests of mails try them.
    assert set(ASKED) == set(throttle.LIMITS) - {"letters", "letters to", "links to", "mails to"}


@pytest.mark.slow
@pytest.mark.parametrize("what", ASKED)
def test_whoever_reaches_a_limit_reads_when_to_try_again(match, what, at_most):
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
    assert access.find(match.key).ply == 0


def test_what_was_typed_into_a_report_is_not_lost(match, at_most):
    at_most("reports", 0)
    assert "Shouts at people." in ASKED["reports"](match).content.decode()


def test_no_account_is_made_for_whoever_comes_too_often(client, at_most):
    at_most("newcomers", 0)
    client.post("/sign-up", {"username": "Dora", "new_password": PASSWORD})
    assert not User.objects.filter(folded="dora").exists()
