import re

import pytest
from django.conf import settings
from django.test import Client

from accounts import services
from accounts.mails import mail
from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD, ANOTHER = "a quiet scriptorium", "a loud refectory"


@pytest.fixture
def ann():
    return User.objects.create_user("ann", "ann@example.org", PASSWORD)


@pytest.fixture
def ask(client, mailoutbox):
    """Asks for a mail to an address; what has been sent by then."""

    def ask(address):
        ask.response = client.post("/account/forgot", {"email": address})
        mail.wait()
        return mailoutbox

    return ask


def link(message):
    return re.search(rf"{settings.SITE_URL}(/\S+)", message.body)[1]


def test_a_mail_with_a_link_goes_to_the_address_of_the_account(ask, ann):
    [message] = ask("Ann@example.org")
    assert message.to == ["ann@example.org"]
    assert message.subject == "A new password for Armarium"
    assert "Hello ann," in message.body


def test_the_answer_does_not_say_whether_an_account_has_the_address(ask, ann):
    ask("ann@example.org")
    known = ask.response.content.decode()
    assert len(ask("nobody@example.org")) == 1
    unknown = ask.response.content.decode()
    assert "If an account has confirmed the address" in known
    assert known.split("<main")[1].replace("ann@", "nobody@") == unknown.split("<main")[1]


@pytest.mark.parametrize("fields", [{"guest": True, "password": None}, {"is_active": False}])
def test_whoever_cannot_sign_in_gets_no_mail(ask, fields):
    User.objects.create_user("bob", "bob@example.org", **{"password": PASSWORD} | fields)
    assert ask("bob@example.org") == []


def test_a_thing_that_is_no_address_is_told_so(ask):
    assert ask("nowhere") == []
    assert ask.response.status_code == 422
    assert "Enter a valid email address." in ask.response.content.decode()


def test_five_mails_an_hour_go_to_one_address_and_nobody_learns_that_there_were_more(ask, ann, at_most):
    at_most("mails", 100)
    answers = set()
    for address in ["ann@example.org", "ANN+tag@example.org"] * 6:
        ask(address)
        answers.add((ask.response.status_code, len(ask.response.content.decode().replace(address, ""))))
    assert len(answers) == 1
    assert len(ask("ann@example.org")) == 5, "what was asked for with a tag, which no account has, took none of them"


def test_addresses_with_a_tag_share_five_mails_and_take_none_from_the_one_without(ask, ann, at_most):
    at_most("mails", 100)
    for name in ("bob", "cho"):
        User.objects.create_user(name, f"ann+{name}@example.org", password=PASSWORD)
        for _ in range(3):
            sent = ask(f"ann+{name}@example.org")
    assert len(sent) == 5
    assert len(ask("ann@example.org")) == 6


def test_ten_mails_an_hour_are_asked_for_from_one_network(ask, ann):
    for number in range(11):
        ask(f"cho{number}@example.org")
    assert ask.response.status_code == 429
    assert int(ask.response["Retry-After"]) > 3500


def test_no_link_goes_to_an_address_that_is_not_confirmed(ask, ann):
    services.change_email(ann, "new@example.org")
    assert ask("new@example.org") == []
    assert [message.to for message in ask("ann@example.org")] == [["ann@example.org"]]


def test_the_link_leads_to_the_site_whatever_the_request_calls_it(client, ann, mailoutbox):
    client.post("/account/forgot", {"email": "ann@example.org"}, headers={"Host": "127.0.0.1:1337"})
    mail.wait()
    assert f"{settings.SITE_URL}/account/reset/" in mailoutbox[0].body
    assert "1337" not in mailoutbox[0].message().as_string()


def test_by_the_link_one_chooses_a_password_and_everybody_is_signed_out(client, ask, ann):
    thief = Client()
    thief.force_login(ann)
    [message] = ask("ann@example.org")
    assert "<bdi>ann</bdi>" in client.get(link(message)).content.decode()

    assert client.post(link(message), {"new_password": "short"}).status_code == 422
    assert client.post(link(message), {"new_password": ANOTHER})["Location"] == "/sign-in"

    ann.refresh_from_db()
    assert ann.check_password(ANOTHER)
    assert thief.get("/account").status_code == 302
    assert not ann.sessions.exists()


def test_the_link_works_once(client, ask, ann):
    [message] = ask("ann@example.org")
    client.post(link(message), {"new_password": ANOTHER})
    response = client.post(link(message), {"new_password": "a third refectory"})
    assert response.status_code == 404
    assert "This link no longer works" in response.content.decode()
    ann.refresh_from_db()
    assert ann.check_password(ANOTHER)


def test_it_opens_a_name_that_rests_after_wrong_passwords(client, ask, ann):
    for _ in range(5):
        client.post("/sign-in", {"username": "ann", "password": "wrong"})
    [message] = ask("ann@example.org")
    client.post(link(message), {"new_password": ANOTHER})
    assert client.post("/sign-in", {"username": "ann", "password": ANOTHER}).status_code == 302


@pytest.mark.parametrize("address", ["x/y", "MQ/abc-def", "____/x", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk/x"])
def test_a_link_that_nobody_sent_is_stale(client, ann, address):
    assert client.get(f"/account/reset/{address}").status_code == 404


def test_a_mail_that_cannot_be_sent_stops_nothing(ask, ann, settings, caplog):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1
    assert ask("ann@example.org") == []
    assert ask.response.status_code == 200
    assert "A mail could not be sent" in caplog.text
