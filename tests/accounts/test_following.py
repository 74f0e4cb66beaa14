"""Whom one follows, and who is shown as online to whom."""

import re

import pytest

from accounts.models import Follow
from accounts.people import blocks, following
from accounts.web.refused import Refused
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann():
    return person("ann")


@pytest.fixture
def bob():
    return person("bob")


@pytest.fixture
def everybody_here(monkeypatch, ann, bob):
    monkeypatch.setattr(following, "_connected", lambda: {ann.pk, bob.pk})


def seen(viewer):
    return [(each.person.name, each.online) for each in following.followed(viewer)]


def test_those_online_come_first(monkeypatch, ann, bob):
    cho = person("cho")
    monkeypatch.setattr(following, "_connected", lambda: {cho.pk})
    following.follow(ann, bob)
    following.follow(ann, cho)
    assert seen(ann) == [("cho", True), ("bob", False)]


def test_where_nobody_is_followed_nobody_counts_who_is_here(monkeypatch, ann):
    monkeypatch.setattr(following, "_connected", lambda: pytest.fail("every refresh of the lobby would do that"))
    assert seen(ann) == []


@pytest.mark.usefixtures("everybody_here")
def test_whoever_wants_to_stay_unseen_is_shown_like_somebody_who_is_away(client, ann, bob, monkeypatch):
    following.follow(ann, bob)
    client.force_login(ann)
    assert "online</span>" in client.get("/@/bob").content.decode()
    bob.unseen = True
    bob.save()
    assert seen(ann) == [("bob", False)]
    unseen = [client.get(page).content for page in ("/@/bob", "/following", "/play")]
    monkeypatch.setattr(following, "_connected", lambda: {ann.pk})
    tokens = rb'(csrfmiddlewaretoken" value=")\w+|(since=)\d+'
    away = [client.get(page).content for page in ("/@/bob", "/following", "/play")]
    assert [re.sub(tokens, b"", page) for page in unseen] == [re.sub(tokens, b"", page) for page in away]


@pytest.mark.usefixtures("everybody_here")
@pytest.mark.parametrize("by", ["ann", "bob"])
def test_a_block_ends_following_and_hides_who_is_online(ann, bob, by):
    following.follow(ann, bob)
    blocks.toggle(*((ann, bob) if by == "ann" else (bob, ann)))
    assert not Follow.objects.exists()
    assert following.online(ann, [bob]) == following.online(bob, [ann]) == set()
    with pytest.raises(Refused):
        following.follow(ann, bob)


@pytest.mark.usefixtures("everybody_here")
def test_visitors_and_guests_learn_of_nobody_who_is_online(client, bob):
    assert "online" not in client.get("/@/bob").content.decode()
    client.force_login(person("guest-1", guest=True))
    assert "online" not in client.get("/@/bob").content.decode()
    assert client.get("/following").url == "/sign-up?next=%2Ffollowing"


def test_one_follows_and_unfollows_on_the_profile(client, ann, bob):
    client.force_login(ann)
    assert client.post("/@/bob/follow", {"follow": "yes"}).url == "/@/bob"
    assert "Unfollow" in client.get("/@/bob").content.decode()
    client.post("/@/bob/follow", {"follow": "no", "next": "/following"})
    assert not Follow.objects.exists()
    assert client.post("/@/ann/follow").status_code == 404


def test_a_player_is_found_by_name_in_any_case(client, ann, bob):
    person("gone", closed=True)
    assert 'action="/find"' in client.get("/leaders").content.decode()
    assert client.get("/find", {"name": " BOB "}).url == "/@/bob"
    for name in ("nobody", "gone", "", "\0"):
        assert client.get("/find", {"name": name}).url == "/leaders"
    client.force_login(ann)
    assert client.get("/find", {"name": "nobody", "at": "following"}).url == "/following"
    page = client.get("/following").content.decode()
    assert "There is no player with the name “nobody”." in page and 'action="/find"' in page
