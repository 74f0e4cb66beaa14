"""Clubs and their ladders: the notices and mails that some people cause to others."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core import mail
from django.utils import timezone

from accounts import services
from accounts.models import Notice
from accounts.notices import mails, notices
from games.ladders import challenges
from games.ladders.models import Challenge
from tests.clubs.clubs import DAY, club_of
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


# Names of former members


def test_whoever_has_closed_their_account_is_named_in_nobodys_notices():
    ann, bob, cho = person("ann"), person("bob"), person("cho")
    now = timezone.now()
    notices.notify([ann], "challenged", "/c/st-gall", now, by=bob, club="St Gall", name="bob")
    notices.notify([ann], "table", "/m/x", now, by=bob, club="St Gall", names="bobby, bob, cho")
    notices.notify([ann], "approved", "/c/bob", now, by=cho, club="bob")
    services.close(bob)
    assert services.close_due(now + timedelta(days=15)) == 1
    bob.refresh_from_db()
    gone = bob.username
    told = list(Notice.objects.filter(user=ann).order_by("pk").values_list("values", flat=True))
    assert told == [
        {"club": "St Gall", "name": gone},
        {"club": "St Gall", "names": f"bobby, {gone}, cho"},
        {"club": "bob"},
    ]
    assert cho.notices.count() == 0


# Mails and notices that others cause


def test_no_address_gets_more_than_so_many_mails_an_hour(at_most):
    at_most("letters to", 3)
    now = timezone.now()
    ann, also_ann = person("ann", email="ann@example.org"), person("ann2", email="Ann@Example.org")
    for number in range(6):
        notices.notify([ann, also_ann], "announced", f"/c/club-{number}", now, by=ann, club="St Gall", text="Hear!")
    mails.send_due(now + timedelta(minutes=1))
    assert len(mail.outbox) == 3
    assert not Notice.objects.exclude(mail_at=None).exists()
    assert Notice.objects.filter(user=ann, seen_at=None).count() == 6


def test_nobody_is_challenged_again_and_again(client, at_most):
    at_most("challenges", 1)
    club_of("ann", "bob", now=timezone.now() - DAY)
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    terms = {"seats": "2", "pace": "daily", "days": "1", "preset": "rulebook"}
    answers = []
    for _ in range(2):
        answers.append(client.post("/c/st-gall/ladders/1/challenge?to=ann", terms).status_code)
        for challenge in Challenge.objects.filter(status="open"):
            challenges.withdraw(challenge, person("bob"), timezone.now())
    assert answers == [302, 429]
    assert Notice.objects.filter(user=person("ann"), kind="challenged").count() == 1


def test_a_long_list_of_invitations_counts_more_than_a_short_one(client, at_most):
    at_most("invitations", 4)
    club_of("ann", "bob")
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    many = [person(f"Monk-{number}").username for number in range(61)]

    def ask(names):
        return client.post("/c/st-gall/desk/invite", {"names": "\n".join(names)}).status_code

    assert [ask(many[:41]), ask(many[41:50]), ask(many[50:])] == [200, 200, 429]
    assert Notice.objects.filter(kind="invited").count() == 50


def test_a_mail_has_no_header_that_a_name_or_a_reason_brings():
    ann, now = person("ann", email="ann@example.org"), timezone.now()
    for number, sign in enumerate(("\r\n", "\n", "\x0b", "\x85", "\u2028")):
        values = {"club": f"St{sign}Bcc: eve@example.org", "reason": f"Why{sign}Bcc: eve@example.org{sign}{sign}Hello"}
        notices.notify([ann], "expelled", f"/c/{number}", now, by=ann, **values)
    assert mails.send_due(now + timedelta(minutes=1)) == 5
    for letter in mail.outbox:
        assert letter.message()["Bcc"] is None and letter.recipients() == ["ann@example.org"]
        assert len(letter.subject.splitlines()) == 1


def test_what_people_write_is_no_markup_and_no_pattern_in_a_notice():
    ann, now = person("ann"), timezone.now()
    odd = "<b>%(name)s %s {{ 7 }}"
    more = {"day": 0, "value": 2, "event": odd, "title": odd, "host": odd, "game": "Biblios"}
    for kind in notices.KINDS:
        values = {"club": odd, "name": odd, "names": f"{odd}, {odd}", "reason": odd, "text": odd}
        notices.notify(
            [ann], kind, f"/{kind}", now, by=ann, **values, hours=1, position=1, before=2, number=1, until=0, **more
        )
    for notice in Notice.objects.all():
        page, text = notices.in_page(notice), notices.in_text(notice)
        nobodys = notice.kind in ("deck", "hand")  # nobody has chosen a word of these
        assert "<b>" not in page and (odd in text or nobodys)
        assert unescape(re.sub("</?(bdi|time)[^>]*>", "", page)) == text
