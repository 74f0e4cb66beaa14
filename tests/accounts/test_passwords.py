"""How passwords wait for their turn to be hashed, and what one reads when too many do."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import cache
from django.db import connection
from django.test import Client, override_settings

from accounts.mails import addresses
from accounts.models import User
from accounts.people import passwords
from biblios_site import settings as site_settings

PASSWORD, ANOTHER = "a quiet scriptorium", "a loud refectory"


@pytest.fixture
def held():
    """Holds up a queue: held(queue, times) -> what was begun; all go on at the end."""
    goes_on = threading.Event()
    with ThreadPoolExecutor(9) as callers:

        def held(queue, times):
            begun = threading.Semaphore(0)

            def work():
                begun.release()
                goes_on.wait()

            done = [callers.submit(queue.do, work) for _ in range(times)]
            for _ in range(times):
                begun.acquire()
            return done

        held.queued = lambda queue, work: callers.submit(queue.do, work)
        held.goes_on = goes_on
        yield held
        goes_on.set()


def test_as_many_as_there_are_threads_are_at_it_and_the_next_waits_for_its_turn(held):
    queue = passwords.Queue(2, 1)
    begun = held(queue, 2)
    last = held.queued(queue, lambda: "at last")
    while True:  # until it waits: from then on there is no place
        try:
            queue.do(lambda: None)
        except passwords.TooBusy:
            break
    assert not any(each.done() for each in (*begun, last))
    held.goes_on.set()
    assert last.result() == "at last"
    assert queue.do(lambda: "a place again") == "a place again"


def test_what_goes_wrong_is_told_and_leaves_its_place():
    queue = passwords.Queue(1, 0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            queue.do(lambda: 1 / 0)


# Every door.


@pytest.fixture
def hashing(monkeypatch):
    """Passwords are hashed as on the site; `hashing` are the states of the connection while that was done."""
    seen = []

    class Watched(passwords.Queue):
        def do(self, work):
            seen.append("in a transaction" if connection.in_atomic_block else connection.connection and "open")
            return super().do(work)

    with override_settings(PASSWORD_HASHERS=site_settings.PASSWORD_HASHERS):
        monkeypatch.setattr(passwords, "_queue", Watched(2, 20))
        yield seen


@pytest.fixture
def doors(hashing, static_files):
    """Each door with a password: (client, address, fields), ann's account behind it; the limits have forgotten all."""
    User.objects.create_user("Guest-x", guest=True)
    ann = User.objects.create_user("Ann", "ann@example.org", PASSWORD)
    at_desk, stranger, guest = Client(), Client(), Client()
    at_desk.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    guest.post("/guest")
    new = {"username": "Bob", "new_password": ANOTHER}
    link = f"/account/reset/{addresses.named(ann)}/{default_token_generator.make_token(ann)}"
    hashing.clear()
    cache.clear()
    return {
        "sign in": (stranger, "/sign-in", {"username": "Ann", "password": PASSWORD}),
        "wrong": (stranger, "/sign-in", {"username": "Ann", "password": "wrong"}),
        "unknown": (stranger, "/sign-in", {"username": "Nobody", "password": "wrong"}),
        "of a guest": (stranger, "/sign-in", {"username": "Guest-x", "password": "wrong"}),
        "sign up": (stranger, "/sign-up", new),
        "sign up as a guest": (guest, "/sign-up", new),
        "email": (at_desk, "/account/email", {"email": "", "password": PASSWORD}),
        "close": (at_desk, "/account/close", {"password": PASSWORD}),
        "password": (at_desk, "/account/password", {"password": PASSWORD, "new_password": ANOTHER}),
        "reset": (stranger, link, {"new_password": ANOTHER}),
    }


DOORS = ["sign in", "wrong", "unknown", "of a guest", "sign up", "sign up as a guest"]
DOORS += ["email", "close", "password", "reset"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_hashes_in_turn_and_holds_up_nobody_meanwhile(doors, hashing, door):
    assert list(doors) == DOORS
    client, address, fields = doors[door]
    assert client.post(address, fields).status_code in (302, 422)
    assert hashing == [None] * (2 if door == "password" else 1)


@contextmanager
def no_place_in(queue):
    """No place in this queue."""
    places = 0
    while queue._places.acquire(blocking=False):
        places += 1
    yield
    queue._places.release(places)


@pytest.mark.django_db
@pytest.mark.parametrize("door", DOORS)
def test_when_too_many_wait_one_reads_so_and_nothing_is_done_or_counted(doors, door, at_most):
    for what in ("newcomers", "guesses", "guesses elsewhere", "sign-ins", "network passwords", "entries"):
        at_most(what, 1)
    client, address, fields = doors[door]
    before = list(User.objects.order_by("pk").values())
    with no_place_in(passwords._queue):
        for _ in range(3):
            answer = client.post(address, fields)
            assert (answer.status_code, answer["Retry-After"]) == (503, "5")
            assert "Many passwords are being checked right now. Go back and try again" in answer.content.decode()
    assert list(User.objects.order_by("pk").values()) == before
    assert client.post(address, fields).status_code in (302, 422)


@pytest.mark.django_db
def test_known_and_unknown_names_look_the_same_when_too_many_wait(doors):
    with no_place_in(passwords._queue):
        answers = [client.post(address, fields) for client, address, fields in (doors["wrong"], doors["unknown"])]
    pages = [answer.content.decode().split("<main")[1] for answer in answers]
    assert pages[0] == pages[1]
