from datetime import timedelta

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.notices import mails, notices, unsubscribing
from tests.people import person
from tests.reading import source

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def ann():
    return person("ann", email="ann@example.org")


@pytest.fixture
def stranger():
    """A browser that has never been here, and sends no token of a form."""
    return Client(enforce_csrf_checks=True)


def link(user, *topics):
    return unsubscribing.link(user, topics or ["challenge"]).removeprefix(settings.SITE_URL)


def silenced(user):
    user.refresh_from_db()
    return user.silenced


def test_a_mail_program_ends_the_mails_of_a_kind_with_the_header_of_the_mail(stranger, ann):
    notices.notify([ann], "challenged", "/", NOW, by=ann, club="The Abbey", name="bob")
    mails.send_due(NOW + notices.MAIL_AFTER)
    headers = mail.outbox[0].message()
    address = headers["List-Unsubscribe"].strip("<>").removeprefix(settings.SITE_URL)
    form = dict([headers["List-Unsubscribe-Post"].split("=")])
    assert stranger.post(address, form).status_code == 200
    assert silenced(ann) == ["challenge:mail"]
    notices.notify([ann], "challenged", "/", NOW, by=ann, club="The Abbey", name="dan")
    assert mails.send_due(NOW + timedelta(hours=1)) == 0


def test_looking_at_the_page_ends_nothing(stranger, ann):
    html = source(stranger.get(link(ann)))
    assert "Stop mails of this kind" in html and "ann@example.org" in html
    assert silenced(ann) == []


def test_the_page_ends_the_mails_of_one_kind_or_all(stranger, ann):
    html = source(stranger.post(link(ann)))
    assert "won’t get any more mails of this kind" in html and "Stop all notices by mail" in html
    html = source(stranger.post(link(ann), {"all": "1"}))
    assert "won’t get any more notices by mail" in html
    assert {f"{topic}:mail" for topic in notices.TOPICS} == set(silenced(ann))


def test_a_mail_about_several_kinds_ends_them_all(stranger, ann):
    both = link(ann, "challenge", "deadline")
    assert "Someone challenges you, A deadline" in source(stranger.get(both))
    assert "won’t get any more mails of this kind" in source(stranger.post(both))
    assert set(silenced(ann)) == {"challenge:mail", "deadline:mail"}


def test_what_was_chosen_before_stays(stranger, ann):
    notices.choose(ann, ["turn", "club:mail"], NOW)
    stranger.post(link(ann))
    assert set(silenced(ann)) == {"turn", "club:mail", "challenge:mail"}


def test_a_link_is_good_for_its_person_its_kind_and_its_address_only(stranger, ann):
    bob, own = person("bob", email="ann@example.org"), link(ann)
    wrong = [own[:-1], f"{own}0", own.replace("/challenge/", "/club/"), own.replace("/challenge/", "/nonsense/")]
    wrong.append(own.replace(link(ann).split("/")[2], link(bob).split("/")[2]))
    assert {stranger.post(address).status_code for address in wrong} == {404}
    services.change_email(ann, "")
    assert stranger.post(own).status_code == 404
    assert silenced(ann) == silenced(bob) == []
