"""What the pages on privacy and terms promise, held against what the site does."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.conf import settings
from django.utils import timezone

from accounts import services
from accounts.models import Browser, Notice, Session, User
from accounts.notices import notices
from accounts.people import browsers, inbox
from games.matches import chat
from games.matches.models import ChatLine
from tests.matches.matches import seated
from tests.people import person
from tests.reading import source

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def test_every_page_leads_to_privacy_and_terms_and_so_does_signing_up(client):
    for address in ("/", "/rules", "/sign-up"):
        html = source(client.get(address))
        assert 'href="/privacy"' in html and 'href="/terms"' in html
    assert "By signing up you agree" in source(client.get("/sign-up"))


def test_it_names_the_days_after_which_things_are_deleted(client):
    html = " ".join(source(client.get("/privacy")).split())
    now = timezone.now()
    for promise in ("deleted after 7 days", "For 90 days after", "deleted 60 days after", "after 365 days"):
        assert promise in html, promise
    ann, bob = person("ann"), person("bob")
    notices.notify([ann], "wrote", "/messages/bob", now - 59 * DAY, by=bob, name="bob")
    notices.notify([ann], "wrote", "/messages/dan", now - 61 * DAY, by=person("dan"), name="dan")
    Notice.objects.update(seen_at=now, mail_at=None)
    notices.forget(now)
    assert ann.notices.count() == 1
    for days, mark in ((89, "a"), (91, "b")):
        Browser.objects.create(user=ann, browser=mark, mark=mark, seen_at=now - days * DAY)
    assert browsers.forget(now) == 1
    idle = [services.guest(), services.guest()]
    User.objects.filter(pk=idle[0].pk).update(date_joined=now - 8 * DAY)
    assert services.forget_guests(now) == 1


def test_no_network_address_is_kept_of_somebody_who_signs_up_and_in(client):
    entry = {"username": "ann", "new_password": "a quiet scriptorium"}
    client.post("/sign-up", entry, REMOTE_ADDR="203.0.113.7", headers={"User-Agent": "Firefox/140 (X11; Linux)"})
    session = Session.objects.get(user__username="ann")
    assert "203.0.113.7" not in str(session.get_decoded())
    assert session.expire_date - timezone.now() < settings.SESSION_COOKIE_AGE * DAY / 86_400
    everything = [row for model in apps.get_models() for row in model._base_manager.values()]
    assert everything and "203.0.113.7" not in str(everything)


def test_what_is_promised_of_a_closed_account_is_deleted_and_the_games_stay(client):
    match = seated("ann", "bob")
    ann, bob = person("ann"), person("bob")
    chat.say(match, ann, "hello")
    inbox.send(ann, bob, "psst", timezone.now())
    User.objects.filter(pk=ann.pk).update(email="ann@example.org", about="a monk")
    at = services.close(ann, timezone.now())
    assert at - timezone.now() < 14 * DAY
    services.close_due(at)
    ann.refresh_from_db()
    assert (ann.username, ann.email, ann.about) == (f"closed-{ann.pk}", "", "")
    assert not ann.has_usable_password() and not ChatLine.objects.filter(user=ann) and not inbox.messages(ann, bob)
    assert match.seats.filter(user=ann).exists()


def test_the_cookies_are_those_that_it_lists(client):
    client.post("/sign-up", {"username": "ann", "new_password": "a quiet scriptorium"})
    client.post("/account/theme", {"theme": "dark"})
    assert {*client.cookies} <= {"sessionid", "csrftoken", "browser", "theme", "messages"}, client.cookies.keys()


def test_a_player_finds_the_record_of_their_games_there(client):
    client.force_login(person("ann"))
    html = source(client.get("/privacy"))
    assert 'href="/@/ann/games.jsonl"' in html
    assert client.get("/@/ann/games.jsonl").status_code == 200
