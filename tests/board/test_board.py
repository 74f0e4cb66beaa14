"""The board of a club, and the comments on its events: who reads, writes and deletes there, and who is told."""

import pytest
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Block, Notice, StewardDecision, User
from accounts.signals import account_closed
from games.board import services
from games.board.models import Post
from tests.clubs.clubs import club_of
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def club():
    """ann is its steward, bob and cho are members; dan is none."""
    return club_of("ann", "bob", "cho").club


@pytest.fixture
def at(client, club):
    """at(name, path, data): a page of the club as somebody sees it, or what they send there."""

    def at(name, path="/board", data=None):
        client.force_login(person(name))
        return client.get(f"/c/st-gall{path}") if data is None else client.post(f"/c/st-gall{path}", data, follow=True)

    return at


def told(name):
    return Notice.objects.filter(user=person(name), kind__in=services.KINDS, seen_at=None)


def test_members_write_read_and_delete_their_own(at):
    assert "Who brings cake?" in text(at("bob", "/board/post", {"text": " Who brings cake? "}))
    written = Post.objects.get()
    shown = at("cho").text
    assert "Who brings cake?" in shown and f"/board/{written.pk}/delete" not in shown
    assert "Who brings cake?" in at("cho", "").text, "the first page of the club has the last posts"
    at("cho", f"/board/{written.pk}/delete", {})
    assert Post.objects.exists()
    at("bob", f"/board/{written.pk}/delete", {})
    assert not Post.objects.exists() and not StewardDecision.objects.filter(kind="unposted").exists()
    assert at("bob", f"/board/{written.pk}/delete", {}).status_code == 404


def test_strangers_and_guests_neither_read_nor_write(client, at):
    at("bob", "/board/post", {"text": "Among us"})
    assert at("dan").status_code == 404 and "Among us" not in at("dan", "").text
    assert at("dan", "/board/post", {"text": "Hello"}).status_code == 404
    User.objects.filter(pk=person("dan").pk).update(guest=True)
    assert "/sign-up" in at("dan", "/board/post", {"text": "Hello"}).redirect_chain[0][0]
    assert Post.objects.count() == 1


@pytest.mark.parametrize("wrong", ["", " \n ", "\u200b", "x" * 2001])
def test_a_post_without_text_or_too_long_is_refused(at, wrong):
    assert "A post needs 1 to 2000 characters." in text(at("bob", "/board/post", {"text": wrong}))
    assert not Post.objects.exists()


def test_stewards_delete_any_and_the_log_tells(at, club):
    at("bob", "/board/post", {"text": "Rude"})
    at("ann", f"/board/{Post.objects.get().pk}/delete", {})
    assert not Post.objects.exists()
    assert "ann deleted a post of bob." in text(at("cho", "/log"))


def test_the_bell_rings_once_until_it_is_read_and_never_by_mail(at):
    at("bob", "/board/post", {"text": "One"})
    at("bob", "/board/post", {"text": "Two"})
    assert told("cho").count() == 1 and not told("bob").exists()
    assert told("cho").get().mail_at is None
    at("cho")
    assert not told("cho").exists()
    at("bob", "/board/post", {"text": "Three"})
    assert told("cho").count() == 1


def test_whom_one_blocks_is_not_read_and_rings_no_bell(at):
    Block.objects.create(user=person("cho"), blocked=person("bob"))
    at("bob", "/board/post", {"text": "Look here"})
    assert "Look here" not in at("cho").text and "Look here" not in at("cho", "").text
    assert not told("cho").exists() and told("ann").exists()
    assert "Look here" in at("ann").text


def test_a_report_names_the_post(client, at):
    at("bob", "/board/post", {"text": "Rude"})
    address = f"/@/bob/report?post={Post.objects.get().pk}"
    assert address in at("cho").text
    assert f"About post {Post.objects.get().pk} on the board" in client.get(address).text
    assert "<script" not in text(client.get("/@/bob/report?post=<script>"))


def test_an_account_that_is_closed_takes_its_posts_along(at):
    at("bob", "/board/post", {"text": "One"})
    at("cho", "/board/post", {"text": "Two"})
    account_closed.send(User, user=person("bob"))
    assert [post.text for post in Post.objects.all()] == ["Two"]


def test_who_writes_very_much_is_stopped(at):
    for number in range(10):
        at("bob", "/board/post", {"text": f"Post {number}"})
    assert at("bob", "/board/post", {"text": "One more"}).status_code == 429
    assert Post.objects.count() == 10


@pytest.mark.parametrize("under", ["calendar/1", "calendar/x", "tournaments/7", "m/1", "calendar/99999999999", "\0"])
def test_nothing_is_said_on_what_is_not_there(at, under):
    assert at("bob", "/board/post", {"text": "Well", "under": under}).status_code == 404
    assert not Post.objects.exists()


def test_whoever_was_expelled_writes_no_more(club, at):
    clubs.expel(club, person("ann"), person("bob"), "Rude", timezone.now())
    assert at("bob", "/board/post", {"text": "Well"}).status_code == 404
