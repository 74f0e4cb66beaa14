"""How often one may do what costs the site or bothers others, and what one reads who does it oftener."""

import itertools
import logging
import re
from contextlib import suppress
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import CalendarAddress, User
from accounts.people import calendar
from accounts.web import throttle
from accounts.web.network import network_of
from games.ladders.rules import Rules
from games.matches import access
from games.review import page
from tests.clubs.clubs import club_of
from tests.clubs.event_forms import NIGHT
from tests.components import free_port
from tests.matches.matches import rushed, seated
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
    goes_on(seconds - 2.5 + refusal.value.wait_s - 1)
    with pytest.raises(throttle.TooMany):
        throttle.count(what, "ann")
    goes_on(seconds - 2.5 + refusal.value.wait_s)
    throttle.count(what, "ann")


def test_no_more_pass_where_two_windows_meet(goes_on, at_most):
    at_most("reports", 10)
    passed = []
    for second in range(0, 2 * throttle.HOUR_S, 60):
        goes_on(second)
        with suppress(throttle.TooMany):
            throttle.count("reports", "ann")
            passed.append(second)
    hours = [[each for each in passed if since <= each < since + throttle.HOUR_S] for since in passed]
    assert max(map(len, hours)) <= 11 and len(passed) >= 18


@given(st.integers(0, 30), st.integers(0, 30), st.floats(0, 0.999), st.integers(1, 30), st.integers(1, 30))
def test_the_wait_that_is_said_is_long_enough_and_no_longer_than_it_must_be(before, now, passed, times, more):
    limit = throttle.Limit(times, 900, "")
    before, now, more = min(before, times), min(now, times), min(more, times)
    if before * (1 - passed) + now + more <= times:
        return
    wait = throttle.wait_s(times, before, now, throttle.Window("", 0, passed, limit), more)

    def free(seconds):
        windows, part = divmod(passed + seconds / limit.seconds, 1)
        earlier, present = [(before, now), (now, 0), (0, 0)][min(int(windows), 2)]
        return earlier * (1 - part) + present + more <= times + 1e-9

    assert free(wait) and (wait == 1 or not free(wait - 1.001))


def test_what_is_refused_does_not_count(goes_on, at_most):
    at_most("reports", 1)
    throttle.count("reports", "ann")
    for _ in range(5):
        with pytest.raises(throttle.TooMany):
            throttle.count("reports", "ann")
    goes_on(2 * throttle.HOUR_S)
    throttle.count("reports", "ann")


def test_what_is_given_back_may_be_used_again(at_most):
    at_most("newcomers", 1)
    for _ in range(3):
        throttle.count("newcomers", network_of("2001:db8::1"))
        throttle.give_back("newcomers", network_of("2001:db8::2"))


def test_a_network_of_ipv6_counts_once_and_the_wide_one_four_times(at_most):
    at_most("newcomers", 2)

    def joins(address):
        with suppress(throttle.TooMany):
            throttle.count("newcomers", network_of(address))
            return True

    assert [joins(f"2001:db8::{n}") for n in range(3)] == [True, True, None]
    assert [joins(f"2001:db8:0:{n}::1") for n in range(1, 8)] == [True] * 6 + [None]
    assert joins("2001:db8:1::1")
    assert [joins(address) for address in ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1")] == [True, True, None]
    assert joins("192.0.2.2")


@pytest.mark.parametrize(
    ("noted", "near"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("1.1.1.1, 198.51.100.7", "198.51.100.7"),
        ("2001:db8::7%eth0", "2001:db8::/64"),
        ("", "192.0.2.1"),
        ("unknown", "192.0.2.1"),
        ("198.51.100.7, ", "192.0.2.1"),
    ],
)
@pytest.mark.once
def test_behind_a_proxy_the_last_address_that_it_noted_counts(settings, noted, near):
    assert network_of("192.0.2.1", noted).near == "192.0.2.1"
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert network_of("192.0.2.1", noted).near == near


@pytest.mark.once
@pytest.mark.parametrize("what", ["newcomers", "moves"])
def test_a_lively_evening_makes_nobody_forget(what, at_most):
    at_most(what, 1)
    throttle.count(what, "ann")
    for number in range(100_000):
        throttle.count(what, number)
    with pytest.raises(throttle.TooMany):
        throttle.count(what, "ann")


def test_what_a_process_counts_for_itself_is_forgotten_after_the_next_window(goes_on):
    for window in range(5):
        goes_on(window * throttle.LIMITS["moves"].seconds)
        throttle.count("moves", f"person {window}")
    assert [list(counts) for counts in throttle.OwnWindow.counts.values()] == [["moves person 3"], ["moves person 4"]]


class Away(Exception):
    """What a cache raises that cannot be reached."""


def test_while_the_cache_is_away_it_is_counted_in_memory_and_said_once(goes_on, at_most, monkeypatch, caplog):
    asked = []

    def away(*args):
        asked.append(args)
        raise Away

    at_most("reports", 2)
    with caplog.at_level(logging.ERROR), monkeypatch.context() as patch:
        patch.setattr(throttle, "cache", SimpleNamespace(get=away))
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


@pytest.mark.once
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


def with_password(name):
    user = person(name)
    user.set_password(PASSWORD)
    user.save()
    return user


def enter(name):
    with_password(name)
    return Client().post("/sign-in", {"username": name, "password": PASSWORD})


def confirm(name):
    client = Client()
    client.force_login(with_password(name), backend="django.contrib.auth.backends.ModelBackend")
    return client.post("/account/email", {"email": "", "password": PASSWORD})


NEWCOMERS = (person(f"newcomer{number}") for number in itertools.count())
ADDRESSES = (f"monk-{number}@example.org" for number in itertools.count())
TERMS = {"seats": "2", "pace": "daily", "days": "3", "preset": "rulebook"}
WEBHOOK = {"address": "https://127.0.0.1/", "format": "json", "topics": "result"}
ASKED = {
    "newcomers": lambda match: Client().post("/guest"),
    "sign-ins": lambda match: sign_in(Client()),
    "guesses": lambda match: sign_in(Client()),
    "guesses elsewhere": lambda match: sign_in(Client()),
    "entries": lambda match: enter("ann"),
    "passwords": lambda match: confirm("ann"),
    "network passwords": lambda match: confirm(next(NEWCOMERS).username),
    "mails": lambda match: Client().post("/account/forgot", {"email": "ann@example.org"}),
    "links": lambda match: ann_waiting().post("/account/email/again"),
    "exports": lambda match: Client().get("/@/ann/games.jsonl"),
    "searches": lambda match: Client().get("/@/ann/games?opponent=bob"),
    "log": lambda match: Client().get("/log"),
    "status": lambda match: Client().get("/status"),
    "tables": lambda match: as_ann().post("/play/bots", {"places": "2"}),
    "quick": lambda match: as_ann().post("/play/quick", {"places": "4"}),
    "room": lambda match: as_ann().post(f"/m/{match.key}/ready"),
    "founding": lambda match: as_ann().post(
        "/clubs/new", {"clubname": "Us", "visible": "all", "joining": "free", "game": "biblios"}
    ),
    "clubs": lambda match: as_ann().post("/c/st-gall/join"),
    "invitations": lambda match: as_ann().post("/c/st-gall/desk/invite", {"names": "cho"}),
    "mail invitations": lambda match: as_ann().post("/c/st-gall/desk/invite", {"names": next(ADDRESSES)}),
    "ladder": lambda match: as_ann().post("/c/st-gall/ladders/1/back"),
    "challenges": lambda match: as_ann().post("/c/st-gall/ladders/1/challenge?to=bob", TERMS),
    "table results": lambda match: as_ann().post("/c/st-gall/ladders/1/table", result_of_ann()),
    "desk": lambda match: as_ann().post("/c/st-gall/desk/link"),
    "openings": lambda match: as_ann().post("/c/st-gall/calendar/new", NIGHT),
    "posts": lambda match: as_ann().post("/c/st-gall/board/post", {"text": "Who brings the cake?"}),
    "follows": lambda match: as_ann().post("/@/bob/follow"),
    "messages": lambda match: as_ann().post("/messages/bob", {"text": "Good game!"}),
    "new messages": lambda match: as_ann().post(f"/messages/{next(NEWCOMERS).username}", {"text": "Hello!"}),
    "reports": lambda match: as_ann().post("/@/bob/report", {"text": "Shouts at people."}),
    "chat": lambda match: as_ann().post(f"/m/{match.key}/chat", {"text": "hello"}),
    "feeds": lambda match: Client().get("/c/st-gall/feed.atom"),
    "webhooks": lambda match: as_ann().post("/c/st-gall/desk/webhooks/new", WEBHOOK),
    "calendars": lambda match: Client().get(calendar_of_ann()),
    "guest games": lambda match: Client().post("/play/bots", {"places": "2"}, follow=True),
    "answers": lambda match: as_guest(match).post(f"/m/{match.key}/play", {"ply": "99", "move": "keep"}),
    "reviews": lambda match: Client().get(f"/m/{forgotten(match).key}/0"),
    "analyses": lambda match: as_ann().post(f"/m/{over(match).key}/decisions/ask"),
    "hints": lambda match: as_ann().post(f"/m/{match.key}/hint", {"ply": "0"}),
    "receipts": lambda match: Client().get(f"/m/{match.key}/receipt.json"),
    "moves": lambda match: as_ann().post(f"/m/{match.key}/play", {"ply": "99", "move": "keep"}),
}


def test_a_limit_by_day_is_below_what_the_shorter_one_lets_through_in_a_day():
    by_day = [limit for limit in throttle.LIMITS.values() if limit.a_day]
    assert all(limit.times < limit.a_day < limit.times * throttle.DAY_S / limit.seconds for limit in by_day)


@pytest.mark.parametrize("what", [what for what, limit in throttle.LIMITS.items() if limit.a_day])
def test_what_is_kept_for_good_is_limited_by_day_as_well(what, goes_on, monkeypatch):
    limit = throttle.LIMITS[what]
    limit = limit._replace(a_day=min(limit.a_day, 20))
    monkeypatch.setitem(throttle.LIMITS, what, limit)
    pause_s = 2 * limit.seconds // limit.times
    for done in range(limit.a_day):
        goes_on(done * pause_s)
        throttle.count(what, "ann")
    goes_on(limit.a_day * pause_s)
    with pytest.raises(throttle.TooMany, match="today"):
        throttle.count(what, "ann")
    throttle.count(what, "bob")


def as_ann():
    client = Client()
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    return client


def result_of_ann():
    places = {f"place_{number}": number for number in range(1, 5)}
    players = {"player_1": person("ann").pk, "player_2": person("bob").pk}
    return {**players, **places, "played_on": timezone.now().date().isoformat()}


def calendar_of_ann():
    if not CalendarAddress.objects.exists():
        calendar.renew(person("ann"))
    return f"/calendar/{CalendarAddress.objects.get().token}.ics"


def as_guest(match):
    User.objects.filter(username="ann").update(guest=True)
    return as_ann()


def forgotten(match):
    """The match, which this process has not read yet."""
    page._readings.clear()
    return match


def over(match):
    """The match, finished."""
    return rushed(access.find(match.key))


def ann_waiting():
    client = as_ann()
    User.objects.filter(username="ann").update(new_email="ann@example.org")
    return client


@pytest.fixture
def match(static_files):
    """A match of ann and bob, who also have a club."""
    club_of("ann", "bob", rules=Rules(at_table=True))
    return seated("ann", "bob")


def test_every_limit_of_the_table_is_tried_here():
    # Those of events: tests/tournaments/test_consent.py.
    events = {what for what in throttle.LIMITS if what.startswith(("event ", "club games", "games for others"))}
    # Nobody is told of the others: the tests of mails try them.
    silent = {what for what in throttle.LIMITS if what == "letters" or what.endswith((" from", " to"))} - events
    assert set(ASKED) == set(throttle.LIMITS) - silent - events and not any(
        throttle.LIMITS[what].says for what in silent
    )


@pytest.mark.slow
@pytest.mark.parametrize("what", ASKED)
@pytest.mark.once
def test_whoever_reaches_a_limit_reads_when_to_try_again(match, what, at_most):
    at_most(what, 2)
    ask = ASKED[what]
    assert all(ask(match).status_code < 429 for _ in range(2))
    answer = ask(match)
    html = answer.content.decode()
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 2 * throttle.LIMITS[what].seconds
    assert str(throttle.LIMITS[what].says) in html
    assert re.search(r"Try again in \d+ (second|minute)s?\.", html)


@pytest.mark.parametrize("what", ["tables", "quick", "room", "reports", "chat", "moves"])
@pytest.mark.once
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


@pytest.mark.once
def test_what_was_typed_into_a_report_is_not_lost(match, at_most):
    at_most("reports", 0)
    assert "Shouts at people." in ASKED["reports"](match).content.decode()


def test_no_account_is_made_for_whoever_comes_too_often(client, at_most):
    at_most("newcomers", 0)
    client.post("/sign-up", {"username": "Dora", "new_password": PASSWORD})
    assert not User.objects.filter(folded="dora").exists()
