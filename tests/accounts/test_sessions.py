from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import Session, SessionStore, User
from accounts.people import sessions
from accounts.signals import session_ended

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/1 Safari/604.1"
)


@pytest.fixture
def ann():
    return User.objects.create_user("ann", password="a quiet scriptorium")


def browser(user, agent):
    """A browser of this make in which the user is signed in and has looked at a page."""
    client = Client(headers={"User-Agent": agent})
    client.force_login(user)
    client.get("/account")
    return client


def is_signed_in(client):
    return client.get("/account").status_code == 200


@pytest.fixture
def desk(static_files, ann):
    return browser(ann, FIREFOX)


@pytest.fixture
def phone(static_files, ann):
    return browser(ann, SAFARI)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (SAFARI, "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", "Chromium on Windows"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chromium on Android"),
        ("curl/8", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_is_named_as_people_would(agent, name):
    assert sessions.device(agent) == name


def test_the_settings_list_the_browsers_and_mark_this_one(desk, phone, ann):
    html = desk.get("/account").content.decode()
    assert html.index("Firefox on Linux") < html.index("This browser") < html.index("Safari on iPhone")
    assert html.count("This browser") == 1


def test_no_key_of_a_session_is_ever_shown(desk, phone):
    html = desk.get("/account").content.decode()
    assert Session.objects.count() == 2
    assert not any(key in html for key in Session.objects.values_list("session_key", flat=True))


def test_a_browser_that_is_ended_is_signed_out(desk, phone, ann):
    [other] = [one for one in sessions.signed_in(ann, desk.session) if not one.here]
    assert desk.post("/account/sessions", {"session": other.handle})["Location"].startswith("/account")
    assert is_signed_in(desk)
    assert not is_signed_in(phone)


def test_all_others_are_signed_out_at_once(desk, phone, ann):
    third = browser(ann, FIREFOX)
    desk.post("/account/sessions")
    assert [is_signed_in(one) for one in (desk, phone, third)] == [True, False, False]


def test_nobody_ends_the_sessions_of_somebody_else(desk, ann):
    bob = browser(User.objects.create_user("bob"), SAFARI)
    [mine] = sessions.signed_in(ann, desk.session)
    bob.post("/account/sessions", {"session": mine.handle})
    bob.post("/account/sessions")
    assert is_signed_in(desk)


def test_when_a_browser_was_last_seen_is_noted_now_and_then(desk, ann):
    [row] = ann.sessions.all()
    store = SessionStore(row.session_key)
    store["seen"] = seen = (timezone.now() - timedelta(minutes=6)).timestamp()
    store.save()
    desk.get("/account")
    [row] = ann.sessions.all()
    assert row.get_decoded()["seen"] > seen
    before = row.session_data
    desk.get("/account")
    assert ann.sessions.get().session_data == before


def test_whoever_only_looks_gets_no_session(client):
    client.get("/sign-in")
    assert not Session.objects.exists()


def test_expired_sessions_are_neither_listed_nor_kept(desk, phone, ann):
    now = timezone.now()
    ann.sessions.exclude(session_key=desk.session.session_key).update(expire_date=now - timedelta(seconds=1))
    assert len(sessions.signed_in(ann, desk.session)) == 1
    services.forget_sessions(now)
    assert Session.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_that_a_session_has_ended_is_told_when_it_is_gone(client):
    ann, told = User.objects.create_user("ann"), []

    def hear(user, **signal):
        told.append((user, ann.sessions.count()))

    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    session_ended.connect(hear)
    sessions.end(ann)
    session_ended.disconnect(hear)
    assert told == [(ann.pk, 0)]
