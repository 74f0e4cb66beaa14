"""A person is challenged to a game, and accepts or declines in place."""

import pytest

from accounts import blocks
from accounts.models import Notice
from accounts.refused import Refused
from games.lobby import invitations, open_matches
from games.matches.models import Invitation, Match
from tests.people import person

pytestmark = pytest.mark.django_db

TERMS = {"places": 2, "options": {}, "pace": "live", "bank_ms": 600_000, "increment_ms": 15_000}
FORM = {
    **{"places": "2", "bots": "0", "pace": "live", "time": "10+15", "days": "3", "preset": "standard"},
    **{"kind": "rated", "watch": "all"},
}


@pytest.fixture
def ann():
    return person("ann")


@pytest.fixture
def bob():
    return person("bob")


def test_a_challenge_is_made_on_a_page_and_accepted_on_play(client, ann, bob):
    client.force_login(ann)
    preset = client.get("/@/bob/challenge").context["form"].fields["preset"].initial
    answer = client.post("/@/bob/challenge", FORM | {"preset": preset})
    match = Match.objects.get()
    assert answer.url == f"/m/{match.key}"
    assert (match.listed, match.rated, match.places) == (False, True, 2)
    assert Notice.objects.get(user=bob).address == answer.url
    client.force_login(person("cho"))
    assert "challenges you" not in client.get("/play").content.decode()
    client.force_login(bob)
    assert "challenges you" in client.get("/play").content.decode()
    assert "Decline" in client.get(answer.url).content.decode()
    client.post(f"{answer.url}/invitation", {"answer": "accept"})
    match.refresh_from_db()
    assert match.status in Match.UNDER_WAY
    assert not Invitation.objects.exists()


def test_whoever_declines_tells_the_challenger(client, ann, bob):
    match = invitations.challenge(ann, bob, **TERMS)
    client.force_login(bob)
    assert client.post(f"/m/{match.key}/invitation", {"answer": "decline"}).url == "/play"
    assert Notice.objects.filter(user=ann, kind="game declined").exists()
    assert not Notice.objects.filter(user=bob, seen_at=None).exists()
    with pytest.raises(Refused):
        invitations.accept(match, bob)


def test_nobody_answers_for_another(client, ann, bob):
    match = invitations.challenge(ann, bob, **TERMS)
    client.force_login(person("cho"))
    client.post(f"/m/{match.key}/invitation", {"answer": "decline"})
    assert Invitation.objects.exists()


@pytest.mark.parametrize("by", ["ann", "bob"])
def test_nobody_challenges_where_one_blocks_the_other(ann, bob, by):
    blocks.toggle(*((ann, bob) if by == "ann" else (bob, ann)))
    with pytest.raises(Refused, match="can’t challenge"):
        invitations.challenge(ann, bob, **TERMS)
    assert not Match.objects.exists()


def test_a_challenge_is_gone_with_a_block_and_with_its_table(ann, bob):
    match = invitations.challenge(ann, bob, **TERMS)
    assert invitations.of(bob) == [match]
    blocks.toggle(bob, ann)
    assert invitations.of(bob) == []
    blocks.toggle(bob, ann)
    open_matches.leave(match, ann)
    assert invitations.of(bob) == []


def test_a_second_challenge_leads_to_the_first(ann, bob):
    assert invitations.challenge(ann, bob, **TERMS) == invitations.challenge(ann, bob, **TERMS)
    assert Match.objects.count() == 1
