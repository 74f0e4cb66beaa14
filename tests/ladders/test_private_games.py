"""What a private club plays for its ladder is its members' business."""

import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async

from accounts.models import Club, Member, Rating
from games.ladders import challenges
from games.lobby import watching
from games.matches import access, play
from games.matches.models import Match
from games.table.room import Table
from games.table.socket import TableConsumer
from tests.clubs.clubs import START, agreed, club_of
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder():
    return club_of("ann", "bob", "eva", private=True)


def running(ladder):
    return access.find(agreed(ladder, "bob", "ann").match.key)


def ended(ladder):
    match = running(ladder)
    play.leave(match, 0, "resign")
    return access.find(match.key)


def seen_by(client, name, address):
    client.logout()
    if name:
        client.force_login(person(name))
    return client.get(address).status_code


@pytest.mark.parametrize("begin", [running, ended])
def test_a_waiting_page_does_not_tell_others_that_there_is_a_game(client, ladder, begin):
    match = begin(ladder)
    assert seen_by(client, "eva", f"/play/news?room={match.key}") == 200
    assert seen_by(client, "cho", f"/play/news?room={match.key}") == 404


@pytest.mark.parametrize("begin", [running, ended])
def test_players_and_members_see_a_game_and_nobody_else(client, ladder, begin):
    match = begin(ladder)
    seen = {name: seen_by(client, name, f"/m/{match.key}") for name in ("ann", "bob", "eva", "cho", "")}
    assert seen == {"ann": 200, "bob": 200, "eva": 200, "cho": 404, "": 404}


def test_nobody_else_gets_its_records(client, ladder):
    match = ended(ladder)
    for what in ("record.json", "record.txt", "1"):
        assert seen_by(client, "eva", f"/m/{match.key}/{what}") == 200
        assert seen_by(client, "cho", f"/m/{match.key}/{what}") == 404


async def lines(client, name):
    response = await client.get(f"/@/{name}/games.jsonl")
    return b"".join([part async for part in response.streaming_content])


@pytest.mark.django_db(transaction=True)
async def test_the_games_of_a_person_are_exported_without_those_of_their_private_clubs(async_client):
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


def test_whoever_has_left_a_private_club_sees_what_they_played_themselves(client, ladder):
    match = ended(ladder)
    Member.objects.filter(user__in=[person("eva"), person("bob")]).delete()
    assert seen_by(client, "eva", f"/m/{match.key}") == 404
    assert seen_by(client, "bob", f"/m/{match.key}") == 200


def links(client, name, address):
    """What a page of a game says of its ladder, and where it leads."""
    client.force_login(person(name))
    html = client.get(address).content.decode()
    says = re.search(r'<p class="small on-ladder">(.*?)</p>', html, flags=re.S)
    return says and text(says[1]), set(re.findall(r'href="(/c/[^"]+)"', html))


def test_whoever_has_left_a_private_club_is_led_nowhere_from_their_games(client, ladder):
    match = ended(ladder)
    pages = f"/m/{match.key}", f"/m/{match.key}/1"
    there = {ladder.get_absolute_url(), match.challenge.get_absolute_url()}
    for address in pages:
        assert links(client, "bob", address) == ("A game on the ladder of St Gall. What it moved", there)
    Member.objects.filter(user=person("bob")).delete()
    for address in pages:
        assert links(client, "bob", address) == ("A game of a private club.", set())
        assert links(client, "ann", address) == ("A game on the ladder of St Gall. What it moved", there)
        assert links(client, "eva", address) == ("A game on the ladder of St Gall. What it moved", there)


def test_whoever_has_left_a_private_club_is_led_nowhere_from_a_waiting_room(client, ladder):
    match = agreed(ladder, "bob", "ann", terms=challenges.Terms()).match
    Member.objects.filter(user=person("bob")).delete()
    assert links(client, "bob", f"/m/{match.key}") == ("A game of a private club.", set())
    there = client.post(f"/m/{match.key}/stand")
    assert there.url == "/play"


def test_a_club_that_has_become_private_is_named_to_those_who_played_there_only(client):
    ladder = club_of("ann", "bob")
    match = ended(ladder)
    Club.objects.update(private=True)
    assert links(client, "cho", f"/m/{match.key}") == (None, set())
    Member.objects.filter(user=person("bob")).delete()
    assert links(client, "bob", f"/m/{match.key}") == ("A game of a private club.", set())


def test_of_pages_that_watch_one_game_each_leads_where_its_user_may_go(ladder):
    match = ended(ladder)
    Member.objects.filter(user=person("bob")).delete()
    table = Table(match.key)
    for name in ("bob", "ann", "eva"):
        page = TableConsumer()
        page.user, page.language, page.drawn = person(name), "en", None
        table.pages.add(page)
    drawn = {page.user.username: html for page, _, _, html in table.draw(match)}
    link = f'href="{match.challenge.get_absolute_url()}"'
    assert {name: link in html for name, html in drawn.items()} == {"bob": False, "ann": True, "eva": True}


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
    terms = challenges.Terms()
    match = agreed(ladder, "bob", "ann", terms=terms).match
    assert match.status == "open"
    assert seen_by(client, "eva", f"/m/{match.key}") == 200
    assert seen_by(client, "eva", f"/play/news?room={match.key}") == 200
    assert seen_by(client, name, f"/m/{match.key}") == 404
    assert seen_by(client, name, f"/play/news?room={match.key}") == 404


@pytest.mark.parametrize("private", [True, False])
def test_the_games_of_a_private_club_move_no_rating_of_the_site(private):
    ladder = club_of("ann", "bob", "eva", private=private)
    match = rushed(running(ladder))
    assert match.status == Match.Status.FINISHED
    assert match.rated is not private
    assert Rating.objects.exists() is not private
