"""Private messages: who may write to whom, what each sees, and who else does."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services
from accounts.models import Conversation, Message, Notice, Report
from accounts.people import blocks, inbox
from accounts.web import throttle
from accounts.web.refused import Refused
from tests.people import person

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def ann():
    return person("ann")


@pytest.fixture
def bob():
    return person("bob")


def texts(user, other):
    return [each.text for each in inbox.read(user, other, NOW)[0]]


def test_a_message_is_read_by_both_and_by_nobody_else(client, ann, bob):
    inbox.send(ann, bob, "  Shall we play?\n<b>Now</b> ", NOW)
    client.force_login(bob)
    assert client.get("/notices").content.decode().count("has written to you") == 1
    page = client.get("/messages").content.decode()
    assert "Shall we play?" in page and "unread" in page
    page = client.get("/messages/ann").content.decode()
    assert "Shall we play?<br>&lt;b&gt;Now&lt;/b&gt;" in page
    assert "unread" not in client.get("/messages").content.decode()
    assert Notice.objects.get().seen_at
    client.force_login(person("cho"))
    for address in ("/messages", "/messages/ann", "/messages/bob"):
        assert "Shall we" not in client.get(address).content.decode()


def test_the_bell_counts_a_writer_once_until_they_are_read(ann, bob):
    for text in ("one", "two"):
        inbox.send(ann, bob, text, NOW)
    assert Notice.objects.filter(user=bob, seen_at=None).count() == 1
    assert Conversation.objects.get(user=bob).unread == 2
    assert texts(bob, ann) == ["one", "two"]
    inbox.send(ann, bob, "three", NOW)
    assert Notice.objects.filter(user=bob, seen_at=None).count() == 1


@pytest.mark.parametrize("by", ["ann", "bob"])
def test_nobody_writes_where_one_blocks_the_other(client, ann, bob, by):
    inbox.send(ann, bob, "before", NOW)
    blocks.toggle(*((ann, bob) if by == "ann" else (bob, ann)))
    for one, other in ((ann, bob), (bob, ann)):
        with pytest.raises(Refused, match="can’t write"):
            inbox.send(one, other, "after", NOW)
        client.force_login(one)
        page = client.get(f"/messages/{other.username}").content.decode()
        assert ("<textarea" in page) is (one.username != by), "whoever is blocked does not learn it by looking"


@pytest.mark.parametrize("text", ["", " \n ", "x" * 1001])
def test_a_message_is_neither_empty_nor_too_long(client, ann, bob, text):
    client.force_login(ann)
    assert client.post("/messages/bob", {"text": text}).status_code == 422
    assert not Message.objects.exists()


def test_letters_keep_their_joiners_and_nothing_turns_the_line_around(ann, bob):
    inbox.send(ann, bob, "می\u200cخواهم\u202e\x07\n?", NOW)
    assert texts(bob, ann) == ["می\u200cخواهم\n?"]


def test_guests_and_visitors_do_not_write(client, bob):
    assert "/sign-in" in client.post("/messages/bob", {"text": "hello"}).url
    client.force_login(person("guest-1", guest=True))
    assert client.post("/messages/bob", {"text": "hello"}).url == "/sign-up?next=%2Fmessages%2Fbob"
    assert not Message.objects.exists()


def test_what_was_written_too_fast_is_not_lost(client, ann, bob, monkeypatch):
    monkeypatch.setitem(throttle.LIMITS, "messages", throttle.LIMITS["messages"]._replace(times=1))
    client.force_login(ann)
    assert client.post("/messages/bob", {"text": "one"}).status_code == 302
    answer = client.post("/messages/bob", {"text": "two"})
    assert answer.status_code == 429 and ">\ntwo</textarea>" in answer.content.decode()


def test_one_writes_to_so_many_new_people_a_day_and_answers_all(ann, monkeypatch):
    monkeypatch.setitem(throttle.LIMITS, "new messages", throttle.LIMITS["new messages"]._replace(times=1))
    bob, dan = person("bob"), person("dan")
    inbox.send(ann, bob, "hello", NOW)
    inbox.send(ann, bob, "again", NOW)
    with pytest.raises(throttle.TooMany):
        inbox.send(ann, dan, "hello", NOW)
    inbox.send(dan, ann, "hello", NOW)
    inbox.send(ann, dan, "hello yourself", NOW)


def test_a_conversation_is_deleted_for_oneself_and_gone_when_both_have(ann, bob):
    inbox.send(ann, bob, "one", NOW)
    inbox.delete(bob, ann)
    assert (texts(bob, ann), texts(ann, bob)) == ([], ["one"])
    assert not inbox.conversations(bob)
    inbox.send(ann, bob, "two", NOW)
    assert texts(bob, ann) == ["two"]
    inbox.delete(ann, bob)
    assert [each.text for each in Message.objects.all()] == ["two"]
    inbox.delete(bob, ann)
    assert not Message.objects.exists()


def test_longer_conversations_have_pages(client, ann, bob, monkeypatch):
    monkeypatch.setattr(inbox, "PAGE", 2)
    rows = [inbox.send(ann, bob, text, NOW) for text in ("one", "two", "three")]
    assert texts(ann, bob) == ["two", "three"]
    client.force_login(ann)
    assert f"?before={rows[1].pk}" in client.get("/messages/bob").content.decode()
    page = client.get(f"/messages/bob?before={rows[1].pk}").content.decode()
    assert "<bdi>one</bdi>" in page and "<bdi>two</bdi>" not in page
    assert client.get("/messages/bob?before=x").status_code == 200


def test_stewards_read_only_what_a_reporter_shows_them(client, ann, bob):
    inbox.send(bob, ann, "You are a fool", NOW)
    client.force_login(ann)
    client.post("/@/bob/report", {"text": "rude"})
    assert Report.objects.get().messages == ""
    client.post("/@/bob/report", {"text": "rude", "messages": "on"})
    assert "bob: You are a fool" in Report.objects.latest("pk").messages
    client.force_login(person("cho"))
    assert "private messages" not in client.get("/@/bob/report").content.decode()


def test_nobody_shows_stewards_what_the_other_has_not_said(ann, bob):
    inbox.send(bob, ann, "hello", NOW)
    inbox.send(ann, bob, f"hi\n{NOW:%Y-%m-%d %H:%M} UTC, bob: I will find you", NOW)
    said = inbox.transcript(ann, bob).splitlines()
    assert [line for line in said if not line.startswith(" ")] == [
        f"{NOW:%Y-%m-%d %H:%M} UTC, bob: hello",
        f"{NOW:%Y-%m-%d %H:%M} UTC, ann: hi",
    ]


def test_the_conversations_of_a_closed_account_are_gone(ann, bob):
    inbox.send(ann, bob, "my secret", NOW)
    services.close(ann, NOW - timedelta(days=20))
    services.close_due(NOW)
    assert not Message.objects.exists() and not Conversation.objects.exists()
    assert not Notice.objects.filter(kind="wrote").exists()
