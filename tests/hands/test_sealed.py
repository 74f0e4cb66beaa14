"""Until the day is over nothing of a hand reaches anybody but whoever plays it: two worlds that differ in nothing but
the deal give the same answers."""

import secrets
from datetime import timedelta
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games.engine import chance
from games.engine.registry import title
from games.hands import hands
from games.hands.models import Hand
from games.matches import access, dump
from games.matches.models import Match
from games.review.exports import some_lines
from games.transparency import intake
from games.transparency.models import TreeLeaf
from tests.hands.days import begun, hand_at
from tests.matches.matches import rushed
from tests.people import person
from tests.security.world import patterns
from tests.tournaments.test_hidden_games import ELSEWHERE, plain
from tests.undoing import undone

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NOW = timezone.now()
HERE = "play", "watch", "leaders", "log", "notices", "@/", "m/", "hand"
VIEWERS = None, "cho", "eve"
"""Signed out, one who has not played the hand, one who has finished it."""


def addresses(key):
    """All that can be fetched about a match, its player and its day."""
    known = {"<str:key>": key, "<str:username>": "ann", "<int:ply>": "3", "<slug:game>": title().slug}
    known["<str:day>"] = hands.today(NOW).isoformat()
    yield "/"
    for route in sorted(set(patterns())):
        if not route.endswith((*ELSEWHERE, "/tell")) and route.startswith(HERE):
            for part, text in known.items():
                route = route.replace(part, text)
            if not set(route) & set("<(^"):
                yield f"/{route}"


def played():
    """ann and eve have finished the hand, bob is in the middle of it."""
    for name in ("ann", "eve"):
        rushed(begun(name, NOW))
    rushed(begun("bob", NOW), until=lambda state: not state.early)


def looked(client):
    """Every answer by viewer, address and match."""
    seen = {}
    for name in VIEWERS:
        client.logout()
        viewer = name and person(name)
        if viewer:
            client.force_login(viewer)
        seen[name, "games.jsonl"] = (200, None, some_lines(person("ann"), viewer or AnonymousUser(), ""))
        for match in Match.objects.seated():
            if viewer and access.sat(match, viewer):
                continue
            for address in addresses(match.key):
                # Whoever has finished may read in the table of the day what others have, and their own game shows.
                if name != "eve" or (not address.startswith(("/hand", "/play")) and address != "/"):
                    seen[name, address] = plain(client.get(address))
    return seen


def world(secret, monkeypatch, client):
    """What is seen in a world in which this is the secret of the hand, of which nothing remains."""
    drawn = Random(1)
    monkeypatch.setattr(secrets, "token_bytes", drawn.randbytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size: drawn.randbytes(size).hex())
    monkeypatch.setattr(secrets, "choice", drawn.choice)
    with undone():
        hand = hand_at(NOW)
        Hand.objects.filter(pk=hand.pk).update(secret=secret, commitment=chance.commitment(secret))
        played()
        seen = looked(client)
    monkeypatch.undo()
    return seen


@pytest.mark.slow
def test_two_worlds_that_differ_in_the_deal_look_the_same_to_everybody_else(monkeypatch, client):
    one, other = (world(secret * 32, monkeypatch, client) for secret in (b"\1", b"\2"))
    assert len(one) > 80 and {status for status, _to, _text in one.values()} >= {200, 302, 404}
    assert one.keys() == other.keys()
    assert [where for where in one if one[where] != other[where]] == []


def test_players_have_the_result_of_their_own_table_and_no_more(client):
    match = rushed(begun("ann", NOW))
    client.force_login(person("ann"))
    shown = client.get(match.get_absolute_url()).content.decode()
    assert bytes(match.secret).hex() not in shown
    for what in ("0", "record.json", "record.txt", "proof.json", "result.png"):
        assert client.get(f"/m/{match.key}/{what}").status_code == 404, what
    assert list(dump.matches_of(running=True)) == []


def test_the_public_log_takes_it_in_without_telling_of_it(client):
    """An entry is a hash to everybody who may not see the game."""
    match = rushed(begun("ann", NOW))
    intake.close(NOW.date(), list(intake.leaves_of_matches(match.ended_at + timedelta(seconds=1))), None)
    assert TreeLeaf.objects.filter(match=match).exists()
    assert client.get(f"/m/{match.key}/proof.json").status_code == 404
    assert match.key not in client.get("/log/hashes/0.txt").content.decode()
    hands.close_due(hand_at(NOW).closes)
    assert client.get(f"/m/{match.key}/proof.json").status_code == 200
