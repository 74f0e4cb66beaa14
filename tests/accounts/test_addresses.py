import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.core import mail as mail_box
from django.test import Client
from django.utils import timezone

from accounts import enquiries, services
from accounts.mails import addresses, mail
from accounts.models import Enquiry, User
from accounts.web import throttle
from tests.people import person
from tests.reading import source

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet scriptorium"
NEW = "new@example.org"


@pytest.fixture
def ann():
    return User.objects.create_user("ann", "ann@example.org", PASSWORD)


@pytest.fixture
def desk(client, ann):
    client.force_login(ann)
    return client


@pytest.fixture
def sent(mailoutbox):
    """All mails so far."""

    def sent():
        enquiries.send_due(timezone.now())
        mail.wait()
        return mailoutbox

    return sent


def change(desk, email=NEW):
    return desk.post("/account/email", {"email": email, "password": PASSWORD})


def link(message):
    return re.search(rf"{settings.SITE_URL}(/account/confirm/\S+)", message.body)[1]


def addresses_of(user):
    user.refresh_from_db()
    return user.email, user.new_email


def test_a_new_address_gets_one_mail_and_counts_when_its_link_has_been_followed(desk, ann, sent):
    html = source(desk.get(change(desk)["Location"]))
    assert "Check your inbox" in html
    assert f'{NEW}</b><span class="tag warn">Not confirmed yet' in html
    [asked] = sent()
    assert asked.to == [NEW]
    assert addresses_of(ann) == ("ann@example.org", NEW)

    page = source(desk.get(link(asked)))
    assert NEW in page and "<bdi>ann</bdi>" in page
    assert addresses_of(ann) == ("ann@example.org", NEW), "programs that read mail open links"

    desk.logout()
    assert desk.post(link(asked))["Location"] == "/"
    assert addresses_of(ann) == (NEW, "")


def test_the_mail_that_asks_names_nobody(desk, sent):
    change(desk)
    [asked] = sent()
    assert "ann" not in asked.subject + asked.body.replace(link(asked), "")


def test_the_former_address_is_told_what_has_happened_and_what_to_do(desk, ann, sent):
    change(desk)
    desk.post(link(sent()[0]))
    told = sent()[1]
    assert told.to == ["ann@example.org"]
    assert NEW not in told.message().as_string()
    assert "choose another password" in told.body and f"{settings.SITE_URL}/account\n" in told.body
    change(desk, "")
    assert addresses_of(ann) == ("", "")
    assert sent()[2].to == [NEW], "told that it was removed"


def test_a_first_address_has_no_former_one_that_could_be_told(client, sent):
    client.post("/sign-up", {"username": "Ann", "new_password": PASSWORD, "email": NEW})
    client.post(link(sent()[0]))
    assert addresses_of(User.objects.get()) == (NEW, "")
    assert len(sent()) == 1


def test_a_link_works_once_and_for_the_address_that_waits_only(desk, ann, sent):
    change(desk, "one@example.org")
    sent()
    change(desk, "two@example.org")
    one, two = map(link, sent())
    assert desk.get(one).status_code == desk.post(one).status_code == 404
    desk.post(two)
    assert desk.post(two).status_code == 404
    assert addresses_of(ann) == ("two@example.org", "")


@pytest.mark.parametrize("address", ["x/y", "MQ/abc-def", "____/x", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk/x"])
def test_a_link_that_nobody_sent_is_stale(client, ann, address):
    assert client.get(f"/account/confirm/{address}").status_code == 404


def test_the_link_for_a_password_confirms_nothing_and_the_other_way_round(desk, ann, sent):
    change(desk)
    sent()
    desk.post("/account/forgot", {"email": "ann@example.org"})
    asked, reset = sent()
    other = re.search(r"/account/reset(/\S+)", reset.body)[1]
    assert desk.post(f"/account/confirm{other}").status_code == 404
    assert desk.get(link(asked).replace("confirm", "reset")).status_code == 404


def test_a_link_of_yesterday_is_stale(desk, ann, monkeypatch, sent):
    change(desk)
    monkeypatch.setattr(settings, "PASSWORD_RESET_TIMEOUT", -1)
    assert desk.post(link(sent()[0])).status_code == 404


def test_whoever_knew_the_password_before_it_was_changed_confirms_nothing(desk, ann, sent):
    change(desk, "thief@example.org")
    sent()
    services.change_password(ann, "another scriptorium")
    asked = link(sent()[0])
    assert desk.get(asked).status_code == desk.post(asked).status_code == 404
    assert addresses_of(ann)[0] == "ann@example.org"


def test_entering_the_address_that_counts_drops_the_one_that_waits(desk, ann, sent):
    change(desk)
    sent()
    change(desk, "ann@example.org")
    assert addresses_of(ann) == ("ann@example.org", "")
    assert len(sent()) == 1


def test_the_link_is_sent_again_or_forgotten(desk, ann, sent):
    change(desk)
    sent()
    desk.post("/account/email/again")
    assert [message.to for message in sent()] == [[NEW], [NEW]]
    desk.post("/account/email/forget")
    assert addresses_of(ann) == ("ann@example.org", "")
    desk.post("/account/email/again")
    assert len(sent()) == 2


def test_one_person_asks_for_six_of_these_mails_a_day(desk, ann):
    answers = [change(desk, f"stranger{number}@example.org").status_code for number in range(7)]
    assert answers == [302] * 6 + [429]
    assert addresses_of(ann)[1] == "stranger5@example.org"


def test_one_network_asks_for_ten_of_these_mails_an_hour_and_signs_up_without_them(client, sent):
    for number in range(11):
        response = client.post(
            "/sign-up", {"username": f"ann{number}", "new_password": PASSWORD, "email": f"x{number}@example.org"}
        )
        assert response["Location"] == "/play"
        html = source(client.get("/play"))
        client.logout()
    assert "couldn’t send the mail yet" in html
    assert len(sent()) == 10


def asked_by(name, email, network):
    """What somebody in this network is told who asks for the mail to this address."""
    browser = Client(REMOTE_ADDR=network)
    browser.force_login(person(name, password=PASSWORD))
    return change(browser, email).status_code, "Check your inbox" in source(browser.get("/account"))


@pytest.fixture
def later(monkeypatch):
    """Sends what is due after so many hours, and returns all mails so far."""
    start, now = throttle.clock(), timezone.now()

    def later(hours):
        monkeypatch.setattr(throttle, "clock", lambda: start + hours * 3600)
        enquiries.send_due(now + timedelta(hours=hours))
        return mail_box.outbox

    return later


@pytest.mark.once
def test_nobody_in_another_network_uses_up_the_mail_that_confirms_an_address(sent):
    told = set()
    for number in range(9):
        told.add(asked_by(f"rival{number}", NEW, "10.0.0.1"))
        sent()
    assert len(sent()) == 2
    told.add(asked_by("owner", NEW, "10.0.0.2"))
    assert len(sent()) == 3
    assert told == {(302, True)}, "nobody learns what others have asked for"


def test_what_an_address_has_no_room_for_waits_and_comes_in_one_mail(client, sent, later):
    for number in range(9):
        asked_by(f"rival{number}", NEW, f"10.0.0.{number}")
        sent()
    told = asked_by("owner", "New@example.org", "10.0.1.1")
    assert len(sent()) == 3 and told == (302, True)
    assert len(later(7)) == 3
    assert len(later(11)) == 4
    assert not Enquiry.objects.exists()
    asked = re.findall(rf"{settings.SITE_URL}(/account/confirm/\S+)", sent()[3].body)
    assert len(asked) == 7 and "owner" not in sent()[3].body
    [own] = [path for path in asked if "<bdi>owner</bdi>" in source(client.get(path))]
    client.post(own)
    assert addresses_of(person("owner")) == ("New@example.org", "")


def test_one_address_gets_so_many_of_these_mails_a_day_whoever_asks(sent, later):
    for hours in range(0, 24, 4):
        for number in range(3):
            asked_by(f"p{hours}x{number}", NEW, f"10.0.{hours}.{number}")
        later(hours)
    assert len(sent()) <= 9


def test_asking_with_tags_takes_nothing_from_the_address_without_one(sent):
    for number in range(9):
        asked_by(f"rival{number}", f"new+{number}@example.org", f"10.0.0.{number}")
    assert len(sent()) == 3
    asked_by("owner", NEW, "10.0.1.1")
    assert sent()[3].to == [NEW]


def test_what_waits_is_dropped_with_the_address_and_not_put_off_by_asking_again(desk, ann, sent, later):
    for number in range(3):
        asked_by(f"rival{number}", NEW, f"10.0.0.{number}")
        sent()
    assert len(sent()) == 3
    change(desk)
    sent()
    waits = Enquiry.objects.get(user=ann).mail_at
    desk.post("/account/email/again")
    assert Enquiry.objects.get(user=ann).mail_at <= waits
    desk.post("/account/email/forget")
    assert len(later(12)) == 3
    assert not Enquiry.objects.exists()


def test_a_mail_that_asks_waits_while_the_server_is_away(desk, ann, settings, sent):
    change(desk)
    settings.EMAIL_BACKEND = "tests.accounts.notices.test_notices.Away"
    with pytest.raises(OSError):
        enquiries.send_due(timezone.now())
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert len(sent()) == 1


def test_who_asks_for_another_address_while_the_mail_goes_gets_a_mail_there_too(desk, ann, sent, monkeypatch):
    change(desk)

    def meanwhile(users):
        monkeypatch.undo()
        change(desk, "other@example.org")
        return addresses.question(users)

    monkeypatch.setattr(addresses, "question", meanwhile)
    sent()
    assert [message.to for message in sent()] == [[NEW], ["other@example.org"]]
    assert not Enquiry.objects.exists()


def test_a_mail_that_breaks_off_takes_nothing_from_the_share_of_its_address(desk, ann, sent, later, monkeypatch):
    change(desk)
    breaks_off = Mock(side_effect=SMTPServerDisconnected)
    for hours in range(1, 5):
        with monkeypatch.context() as broken, pytest.raises(SMTPServerDisconnected):
            broken.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", breaks_off)
            later(hours)
    assert len(later(5)) == 1


def test_two_accounts_may_have_one_address_and_neither_learns_of_the_other(client, ann, sent):
    answers = []
    for name, email in (("bob", "ann@example.org"), ("bruno", "nobody@example.org")):  # both of one avatar
        response = client.post("/sign-up", {"username": name, "new_password": PASSWORD, "email": email})
        html = source(client.get("/account")).split('id="toasts"')[1].split("</main>")[0]
        html = re.sub(r'value="\w{64}"', "", html.replace(name, "").replace(email, ""))
        answers.append((response.status_code, html))
        client.logout()
    assert len(sent()) == 2
    assert answers[0] == answers[1]


def test_whoever_closes_their_account_leaves_no_address_that_waits(desk, ann):
    change(desk)
    services.close(ann)
    services.close_due(ann.closing_at)
    assert addresses_of(ann) == ("", "")


def test_a_mailbox_is_one_whatever_its_case_and_its_tags():
    assert addresses.mailbox("Ann+Abbey@Example.org") == addresses.mailbox("ann@example.org") == "ann@example.org"


def test_an_address_that_another_page_has_just_confirmed_is_kept(ann):
    stale = User.objects.get(pk=ann.pk)
    services.change_email(ann, NEW)
    assert services.confirm_email(ann, addresses.confirmation.make_token(ann))
    services.change_email(stale, "third@example.org")
    ann.refresh_from_db()
    assert (ann.email, ann.new_email) == (NEW, "third@example.org")
