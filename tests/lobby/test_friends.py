"""With a friend: a table for two by its link, from one press of the host to one press of whoever opens it."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block, User
from accounts.web.refused import Refused
from games.engine.registry import title, titles
from games.lobby import friends, invitations, open_matches, rematches
from games.matches import access, play
from games.matches.clocks import Clock
from games.matches.models import Match
from tests.at_once import at_once
from tests.people import person
from tests.reading import messages, source

pytestmark = pytest.mark.django_db
LATE = "Someone else was faster, and the game has begun. You can watch."


def opened(name="ann", game=None):
    return friends.table(person(name), game or title())


def guest(name="guest-a"):
    return person(name, guest=True)


def sitting(match):
    return [seat.user.username for seat in match.seats.select_related("user") if seat.user]


def test_one_press_opens_a_casual_table_of_two_by_link_and_one_press_begins_the_game(client):
    address = client.post("/play/friend", {"game": "exlibris"}).url
    match = access.find(address.removeprefix("/m/"))
    assert (match.game, match.places, match.rated, match.listed, match.watch) == ("exlibris", 2, False, False, "link")
    host = User.objects.get(guest=True)
    assert match.host == host and match.seats.get(user=host).ready
    page = source(client.get(address))
    assert f'{address}" readonly' in page and "room-code" in page
    client.cookies.clear()
    page = source(client.get(address))
    assert f"{host.username} is waiting for you" in page
    assert client.post(f"{address}/join", {"by": "guest"}).url == address
    assert Match.objects.get().status in Match.UNDER_WAY
    assert User.objects.filter(guest=True).count() == 2


@pytest.mark.parametrize("name", ["ann", "guest-a"])
def test_pressing_again_finds_the_same_table(name):
    host = guest(name) if name.startswith("guest") else person(name)
    match = friends.table(host, title())
    assert friends.table(host, title()) == match
    assert Match.objects.count() == 1


def test_a_table_that_is_full_or_of_another_kind_is_not_found_again():
    daily = open_matches.open_match(
        person("ann"), game=title(), places=2, options={}, clock=Clock("daily", days=3), listed=False, watch="link"
    )
    match = opened()
    assert match != daily and opened() == match
    open_matches.ready(match, person("ann"), yes=False)
    open_matches.join(match, person("bob"))
    assert opened() not in (match, daily)


def test_a_guest_waits_at_one_table_and_gives_it_up_for_another_game():
    host = guest()
    first, second = friends.table(host, title()), friends.table(host, title("exlibris"))
    assert [Match.objects.get(pk=match.pk).status for match in (first, second)] == ["closed", "open"]
    open_matches.open_match(host, places=2, options={}, bots=1)
    assert Match.objects.get(pk=second.pk).status == "closed"
    with pytest.raises(Refused, match="one game at a time"):
        friends.table(host, title())


def test_a_guest_opens_no_table_that_others_find():
    with pytest.raises(Refused, match="needs an account"):
        open_matches.open_match(guest(), places=2, options={})
    with pytest.raises(Refused, match="casual"):
        open_matches.open_match(guest(), places=2, options={}, listed=False, rated=True)


def test_two_who_open_each_others_links_sit_at_one_table():
    one, other = guest("guest-a"), guest("guest-b")
    match, given_up = friends.table(one, title()), friends.table(other, title())
    assert open_matches.join(match, other).status in Match.UNDER_WAY
    assert Match.objects.get(pk=given_up.pk).status == "closed"


def test_the_host_at_their_own_link_stays_where_they_are(client):
    match = opened()
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(f"/m/{match.key}/join").url == f"/m/{match.key}"
    assert sitting(match) == ["ann"] and Match.objects.get().status == "open"


def test_a_second_press_of_the_friend_leads_to_the_game(client):
    match = opened()
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    for _ in range(2):
        response = client.post(f"/m/{match.key}/join")
        assert (response.url, messages(response)) == (f"/m/{match.key}", [])


def test_whoever_comes_late_is_told_and_watches(client):
    match = opened()
    open_matches.join(match, person("bob"))
    client.force_login(person("dan"), backend="django.contrib.auth.backends.ModelBackend")
    response = client.post(f"/m/{match.key}/join")
    assert (response.url, messages(response)) == (f"/m/{match.key}", [LATE])
    assert client.get(response.url).status_code == 200
    match = open_matches.open_match(person("ann"), places=2, options={}, listed=False, watch=Match.Watch.NOBODY)
    open_matches.join(match, person("bob"))
    response = client.post(f"/m/{match.key}/join")
    assert response.status_code == 404 and "the game may have begun" in source(response)


def test_a_closed_table_says_so_and_offers_another(client):
    match = opened()
    open_matches.leave(match, match.host)
    page = source(client.get(f"/m/{match.key}"))
    assert "This table has been closed." in page and 'action="/play/friend"' in page


def test_whoever_is_blocked_takes_no_seat():
    match = opened()
    Block.objects.create(user=match.host, blocked=person("bob"))
    with pytest.raises(Refused, match="You can’t sit down"):
        open_matches.join(match, person("bob"))
    assert sitting(match) == ["ann"]


def test_a_listed_table_still_asks_whether_one_is_ready():
    match = open_matches.open_match(person("ann"), places=2, options={}, clock=friends.USUAL)
    assert open_matches.join(match, person("bob")).status == "open"


def test_only_the_last_seat_of_a_table_by_link_means_ready():
    match = open_matches.open_match(person("ann"), places=3, options={}, clock=friends.USUAL, listed=False)
    open_matches.join(match, person("bob"))
    open_matches.join(match, person("dan"))
    assert [seat.ready for seat in match.seats.all()] == [True, False, True]


@pytest.mark.django_db(transaction=True)
def test_of_five_at_once_one_plays_and_no_seat_is_lost():
    match = opened()
    people = [person(name) for name in ("bob", "cho", "dan", "eve", "fay")]
    refusals = at_once(*[lambda user=user: open_matches.join(match, user) for user in people])
    assert sorted(refusals, key=bool) == [None, *4 * [LATE]]
    assert len(sitting(match)) == 2 and Match.objects.get().status in Match.UNDER_WAY


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_open_one_table():
    host = person("ann")
    found = set()
    at_once(*2 * [lambda: found.add(friends.table(host, title()).key)])
    assert len(found) == Match.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_guests_who_open_each_others_links_at_once_do_not_wait_for_ever():
    one, other = guest("guest-a"), guest("guest-b")
    mine, theirs = friends.table(one, title()), friends.table(other, title())
    refusals = at_once(lambda: open_matches.join(theirs, one), lambda: open_matches.join(mine, other))
    # Whoever is first sits with the other, whose own table closes; the second sits there already.
    assert None in refusals
    begun = [match for match in Match.objects.all() if match.status in Match.UNDER_WAY]
    assert len(begun) == 1 and set(sitting(begun[0])) == {one.username, other.username}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="on SQLite one writes at a time")
@pytest.mark.parametrize("act", ["find", "open", "join", "join again", "ready", "again"])
def test_whoever_sits_down_is_locked_before_the_tables(act):
    """Everybody locks in this order, so nobody waits for somebody who waits for them."""
    one, other = guest("guest-a"), guest("guest-b")
    before = open_matches.join(friends.table(other, title()), one)
    play.leave(access.find(before.key), 0, "resign")
    again = None if act == "again" else rematches.accept(before, other)
    if act != "ready":
        friends.table(one, title())
    theirs = opened()
    acts = {
        "find": lambda: friends.table(one, titles()[1]),
        "open": lambda: open_matches.open_match(one, places=2, options={}, bots=1),
        "join": lambda: open_matches.join(theirs, one),
        "join again": lambda: open_matches.join(again, one),
        "ready": lambda: open_matches.ready(again, one),
        "again": lambda: rematches.accept(before, other),
    }
    with CaptureQueriesContext(connection) as asked:
        acts[act]()
    sql = "\n".join(query["sql"] for query in asked if re.search(r"FOR (NO KEY )?UPDATE", query["sql"]))
    locked = re.findall(r'FROM "(accounts_user|games_match)".* = (\d+)', sql)
    assert locked[0][0] == "accounts_user" and locked == sorted(locked, key=lambda row: row[0])
    if act in ("join again", "ready"):
        assert [int(key) for table, key in locked if table == "games_match"][:2] == [before.pk, again.pk]


def test_an_unused_link_closes_by_itself_and_the_room_says_when(client):
    match = opened()
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    assert "the link stands for 20 minutes" in source(client.get(f"/m/{match.key}"))
    assert open_matches.close_idle(timezone.now() + timedelta(minutes=19)) == 0
    assert open_matches.close_idle(timezone.now() + timedelta(minutes=21)) == 1
    assert Match.objects.get().status == "closed"


def test_whoever_opens_the_link_after_the_start_is_told_that_they_watch(client):
    match = opened()
    open_matches.join(match, person("bob"))
    assert "You’re watching." in source(client.get(f"/m/{match.key}"))
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    assert "You’re watching." not in source(client.get(f"/m/{match.key}"))


def test_the_link_says_in_messengers_who_invites_to_what(client):
    page = source(client.get(f"/m/{opened().key}"))
    assert '<meta property="og:title" content="ann invites you to a game of Biblios">' in page


def test_a_game_by_link_is_in_no_list_neither_running_nor_over(client):
    match = opened()
    open_matches.join(match, person("bob"))
    assert match.key not in source(client.get("/watch")) + source(client.get("/")) + source(client.get("/play"))


def test_a_seat_that_is_kept_for_somebody_is_for_them_only(client):
    match = invitations.challenge(person("ann"), person("bob"), places=2, options={}, clock=friends.USUAL)
    page = source(client.get(f"/m/{match.key}"))
    assert "Only bob" in page and "People with the link" not in page
    # Whoever accepts, plays: the table asks nothing more.
    assert invitations.accept(match, person("bob")).status in Match.UNDER_WAY
