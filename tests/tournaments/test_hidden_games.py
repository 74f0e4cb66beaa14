"""Until an event with the same deal for all closes, nothing about a deal reaches anybody but the players at their own
table: two worlds that differ in nothing but the deal give the same answers."""

import re
import secrets
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.models import ArchivedMatch
from games.matches import access, dump
from games.matches.clocks import instant
from games.matches.models import Match
from games.review.exports import some_lines
from games.tournaments import audit, due, duplicate, events, playing, services
from games.tournaments.models import Tournament
from tests.matches.matches import rushed
from tests.people import person
from tests.security.world import patterns
from tests.tournaments.deals import deal_of, duplicate_of, matches
from tests.undoing import undone

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HERE = "play", "watch", "leaders", "log", "notices", "@/", "m/", "c/<str:slug>"
ELSEWHERE = (
    *("games.jsonl", "quick", "stop", "bots", "guided", "/new", "challenge", "report", "block", "follow", "seen"),
    *("join", "ready", "stand", "kick", "bot", "shuffle", "invitation", "/play", "begin", "resign", "vote", "tempo"),
    *("skip", "orders", "chat", "mute", "rematch", "enter", "leave", "tick", "seat", "next", "last", "close"),
    *("decline", "club", "invite", "link", "poster", "announce", "desk", "token", "webhooks"),
)
"""What is only asked by POST, or cannot know of a match."""
NOW = timezone.now()
VIEWERS = None, "cho", "mia", "gus", "hal", "ste"
"""Signed out, no member, a member, one who has a bye or has not played, one at another table, a steward."""
TELLS_NOTHING = (
    (r'(csrf\w*"? (?:value|content)=)"\w+"', r"\1"),
    (r'nonce="[^"]+"', ""),
    (r"\b[0-9a-f]{64}\b", "COMMITMENT"),
    (r"since=\d+", ""),
    (r"\d\d:\d\d(:\d\d(\.\d+)?)?", "NOW"),
    (r'( data-told="when")?>(just now|today NOW UTC)', ">NOW"),
    (r"(\d+ (d|h|min|s) )+left", "LEFT"),
)


def plain(response):
    """The answer without what is drawn anew for each: the status, where it leads, the page."""
    text = response.content.decode()
    for pattern, instead in TELLS_NOTHING:
        text = re.sub(pattern, instead, text)
    return response.status_code, response.headers.get("Location"), text


def addresses(club, number, key, name):
    """All that can be fetched about a match, its event, its club and its players, and whatever else takes nothing."""
    known = {
        "c/<str:slug>/tournaments/<int:number>": f"c/{club.slug}/tournaments/{number}",
        "<str:slug>": club.slug,
        "<str:key>": key,
        "<str:username>": name,
        "<int:ply>": "3",
        "<int:round_number>/<int:table>": "1/1",
        "<slug:game>": "biblios",
    }
    yield "/"
    for route in sorted(set(patterns())):
        if route.endswith(ELSEWHERE) or "/ladder" in route or not route.startswith(HERE):
            continue
        for part, text in known.items():
            route = route.replace(part, text)
        if not set(route) & set("<(^"):
            yield f"/{route}"


def world(secret, monkeypatch, make, look, client):
    """What `look` finds in a world with this secret, of which nothing remains."""
    drawn = Random(1)
    monkeypatch.setattr(secrets, "token_bytes", drawn.randbytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size: drawn.randbytes(size).hex())
    monkeypatch.setattr(secrets, "choice", drawn.choice)
    monkeypatch.setattr(playing, "deal_secret", lambda _secret, deal: secret * 31 + bytes([deal]))
    with undone():
        seen = look(make(), client)
    monkeypatch.undo()
    return seen


def a_duplicate():
    """Round 1 of a duplicate tournament: one table has finished, one plays, one has not begun to."""
    found = duplicate_of("ste", "ann", "bob", "dan", "eve", "hal", "ida", "gus", now=NOW)
    services.leave(found, person("ste"), NOW)
    found.club.members.create(user=person("mia"), role="member", joined_at=NOW)
    duplicate.seat_everybody(found, person("ste"), NOW)
    first, second, _third = matches(found)
    rushed(first)
    rushed(second, until=lambda state: not state.early)
    return found


def a_deal():
    """A deal of the week that two have played to the end, and one plays."""
    found = deal_of("ste", "ann", "bob", "hal", "gus", "mia", now=NOW)
    for name in ("ann", "bob", "hal"):
        match = duplicate.play(found, person(name), NOW)
        rushed(match, until=(lambda state: not state.early) if name == "hal" else None)
    return found


def looked(found, client):
    """Every answer by viewer, address and match; the matches of the viewer left out."""
    seen = {}
    mine = {match.key: {seat.user_id for seat in match.sitting} for match in Match.objects.seated()}
    for name in VIEWERS:
        client.logout()
        viewer = name and person(name)
        if viewer:
            client.force_login(viewer)
        seen[name, "games.jsonl"] = (200, None, some_lines(person("ann"), viewer or AnonymousUser(), ""))
        for key, sitting in mine.items():
            if viewer and viewer.pk in sitting:
                continue
            player = person("ann").username
            for address in addresses(found.club, found.number, key, player):
                if (name, address) not in seen:
                    seen[name, address] = plain(client.get(address))
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("make", [a_duplicate, a_deal])
def test_two_worlds_that_differ_in_the_deal_look_the_same_to_everybody_else(make, monkeypatch, client):
    one, other = (world(secret, monkeypatch, make, looked, client) for secret in (b"\1", b"\2"))
    assert len(one) > 200 and {status for status, _to, _text in one.values()} >= {200, 404}
    assert one.keys() == other.keys()
    assert [where for where in one if one[where] != other[where]] == []


def played_by(found, name):
    return next(match for match in matches_of(found) if person(name).pk in {seat.user_id for seat in match.sitting})


def matches_of(found):
    return list(Match.objects.seated().filter(agreed=found.page).order_by("pk"))


MORE = ("0", "3", "record.json", "record.txt", "proof.json", "result.png")


def test_players_have_the_result_of_their_own_table_and_no_more(client):
    found = a_deal()
    match = played_by(found, "ann")
    client.force_login(person("ann"))
    page = client.get(match.get_absolute_url())
    assert page.status_code == 200 and "Others play the same deal" in page.content.decode()
    assert f"/m/{match.key}/{match.ply}" not in page.content.decode()
    assert "Review this game" not in page.content.decode()
    assert bytes(match.secret).hex() not in page.content.decode()
    assert [client.get(f"/m/{match.key}/{what}").status_code for what in MORE] == [404] * len(MORE)
    assert client.post(f"/m/{match.key}/rematch", {"answer": "yes"}).status_code == 409
    assert not Match.objects.filter(rematch_of=match).exists()


def test_everything_is_open_afterwards(client):
    found = a_deal()
    due.work(instant(found.settings["until"]))
    found.refresh_from_db()
    match = played_by(found, "ann")
    assert [client.get(f"/m/{match.key}/{what}").status_code for what in ("0", "record.json", "record.txt")] == [
        200
    ] * 3
    page = client.get(found.get_absolute_url()).content.decode()
    assert page.count(f"/m/{match.key}/0") == 1 and "Percent" in page
    assert f"/m/{played_by(found, 'bob').key}/0?as=all" in client.get(f"/m/{match.key}/0").content.decode()
    assert ArchivedMatch.objects.filter(user=person("ann")).count() == 1
    assert match.key in some_lines(person("ann"), AnonymousUser(), "")[0]


def test_no_game_goes_on_whose_cards_the_others_show(client):
    found = a_deal()
    due.work(instant(found.settings["until"]))
    found.refresh_from_db()
    match = played_by(found, "hal")
    assert (match.status, match.result, match.mover, match.wake_at) == (Match.Status.ABORTED, None, None, None)
    assert match.log.latest("ply").move == "!closed" and access.may_see(match, None)
    audit.check(Tournament.objects.get(pk=found.pk))
    client.force_login(person("hal"))
    page = client.get(match.get_absolute_url()).content.decode()
    assert "Its event is over. It counts for no one." in page
    assert client.get(f"/m/{match.key}/{match.ply}").status_code == 200


def test_a_dump_of_the_records_has_no_hidden_games():
    a_deal()
    assert list(dump.matches_of(running=True)) == [] and Match.objects.count() == 3


def test_of_a_private_club_only_members_see_the_games_afterwards():
    found = duplicate_of("ste", "ann", "bob", "dan", private=True, now=NOW)
    duplicate.seat_everybody(found, person("ste"), NOW)
    due.work(NOW + events.FORGOTTEN)
    match = access.find(matches(found)[0].key)
    assert access.may_see(match, person("dan")) and not access.may_see(match, person("cho"))
