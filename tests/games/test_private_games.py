"""What a private club plays for its ladder is its members' business."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async

from accounts.models import Member
from games import present, watching
from games.models import Match
from games.services import challenges, play
from tests.games.clubs import START, agreed, club_of
from tests.games.matches import person, rushed, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder():
    return club_of("ann", "bob", "eva", private=True)


def running(ladder):
    return present.find(agreed(ladder, "bob", "ann").match.key)


def ended(ladder):
    match = running(ladder)
    play.leave(match, 0, "resign")
    return rushed(present.find(match.key))


def seen_by(client, name, address):
    client.logout()
    if name:
        client.force_login(person(name))
    return client.get(address).status_code


@pytest.mark.parametrize("begin", [running, ended])
def test_players_and_members_see_a_game_and_nobody_else(client, ladder, begin):
    match = begin(ladder)
    seen = {name: seen_by(client, name, f"/m/{match.key}") for name in ("ann", "bob", "eva", "cho", "")}
    assert seen == {"ann": 200, "bob": 200, "eva": 200, "cho": 404, "": 404}


def test_nobody_else_gets_its_records(client, ladder):
    match = ended(ladder)
    for what in ("record.json", "record.txt", "12"):
        assert seen_by(client, "eva", f"/m/{match.key}/{what}") == 200
        assert seen_by(client, "cho", f"/m/{match.key}/{what}") == 404


async def lines(client, name):
    response = await client.get(f"/@/{name}/games.jsonl")
    return b"".join([part async for part in response.streaming_content])


@pytest.mark.django_db(transaction=True)
async def test_the_games_of_a_person_are_exported_without_those_of_his_private_clubs(async_client):
    def arrange():
        return ended(club_of("ann", "bob", "eva", private=True)).key.encode()

    key = await sync_to_async(arrange)()
    assert key not in await lines(async_client, "ann")
    await async_client.aforce_login(await sync_to_async(person)("cho"))
    assert key not in await lines(async_client, "ann")
    for name in ("eva", "bob"):
        await async_client.aforce_login(await sync_to_async(person)(name))
        assert key in await lines(async_client, "ann")


def test_they_stand_in_no_list_of_games(ladder):
    ended(ladder)
    assert watching.finished(9) == []
    agreed(ladder, "eva", "ann", now=START + timedelta(hours=1))
    assert watching.running(9) == []


def test_who_has_left_a_private_club_sees_what_he_played_himself(client, ladder):
    match = ended(ladder)
    Member.objects.filter(user__in=[person("eva"), person("bob")]).delete()
    assert seen_by(client, "eva", f"/m/{match.key}") == 404
    assert seen_by(client, "bob", f"/m/{match.key}") == 200


def test_games_that_a_host_did_not_want_watched_are_open_to_all_when_they_have_ended(client):
    match = rushed(seated("ann", "bob", watch=Match.Watch.NOBODY))
    assert seen_by(client, "cho", f"/m/{match.key}") == 200


def test_archives_keep_the_line_but_lead_only_those_there_who_may_see_it(client, ladder):
    match = ended(ladder)
    for name, link in {"ann": True, "bob": True, "eva": True, "cho": False, "": False}.items():
        for address in ("/@/bob", "/@/bob/games"):
            seen_by(client, name, address)
            html = client.get(address).content.decode()
            assert (f'href="/m/{match.key}"' in html) is link, (name, address)
            assert '<a href="/@/ann"><bdi>ann</bdi></a>' in html
            assert ("St Gall" in html) is (link and address == "/@/bob")


@pytest.mark.parametrize("name", ["cho", ""])
def test_a_waiting_room_is_shown_to_nobody_else(client, ladder, name):
    terms = challenges.Terms(pace="live", bank_ms=600_000)
    match = agreed(ladder, "bob", "ann", terms=terms).match
    assert match.status == "open"
    assert seen_by(client, "eva", f"/m/{match.key}") == 200
    assert seen_by(client, "eva", f"/play/news?room={match.key}") == 200
    assert seen_by(client, name, f"/m/{match.key}") == 404
    assert seen_by(client, name, f"/play/news?room={match.key}") == 404
