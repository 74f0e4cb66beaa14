"""A person is challenged to a game, and accepts or declines in place."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Notice, User
from accounts.people import blocks
from accounts.web.refused import Refused
from games.lobby import invitations, open_matches
from games.matches.clocks import USUAL
from games.matches.models import Invitation, Match
from tests.people import person
from tests.reading import source

pytestmark = pytest.mark.django_db

TERMS = {"places": 2, "options": {}, "clock": USUAL}
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
    preset = re.search(r'name="preset"[^>]*> <option value="(\w+)" selected', source(client.get("/@/bob/challenge")))[1]
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


def test_the_seat_of_a_challenge_is_kept_until_it_is_answered(client, ann, bob):
    match = invitations.challenge(ann, bob, **TERMS)
    for act in (lambda: open_matches.join(match, person("cho")), lambda: open_matches.add_bot(match, ann)):
        with pytest.raises(Refused, match="kept for bob"):
            act()
    client.force_login(ann)
    page = source(client.get(f"/m/{match.key}"))
    assert "Waiting for bob to answer." in page and 'id="room" class="kept"' in page
    assert "Add a bot" not in page and "All seats are taken" not in page
    client.force_login(User.objects.get(username="cho"))
    assert "Take a seat" not in source(client.get(f"/m/{match.key}"))
    invitations.decline(match, bob)
    client.force_login(ann)
    page = source(client.get(f"/m/{match.key}"))
    assert "Add a bot" in page and "bob</bdi> has declined." in page and "Waiting for bob" not in page
    open_matches.join(match, User.objects.get(username="cho"))


def test_other_seats_of_a_challenge_stay_free(ann, bob):
    match = invitations.challenge(ann, bob, **TERMS | {"places": 3})
    open_matches.add_bot(match, ann)
    with pytest.raises(Refused, match="kept for bob"):
        open_matches.add_bot(match, ann)


def test_a_challenge_ends_when_its_seat_is_taken_by_the_plain_button(client, ann, bob):
    match = invitations.challenge(ann, bob, **TERMS)
    client.force_login(bob)
    client.post(f"/m/{match.key}/join")
    assert match.seats.filter(user=bob).exists() and not Invitation.objects.exists()
    client.post(f"/m/{match.key}/stand")
    assert invitations.of(bob) == []


def test_whoever_accepts_is_locked_before_the_challenge_as_whoever_joins(ann, bob):
    match = invitations.challenge(ann, bob, **TERMS)
    with CaptureQueriesContext(connection) as asked:
        invitations.accept(match, bob)
    touched = re.findall(r'(accounts_user|DELETE FROM "games_invitation)"', "\n".join(it["sql"] for it in asked))
    assert "DELETE" in "".join(touched) and touched[0] == "accounts_user"
