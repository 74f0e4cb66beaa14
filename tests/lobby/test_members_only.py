"""Tables for the members of a club: nobody else sits down, and of a private club nobody else knows of them."""

import re

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Club, Member
from accounts.web.refused import Refused
from games.lobby import open_matches, rematches
from games.lobby.page import open_matches_for
from games.matches import access, play
from games.matches.clocks import Clock
from games.matches.models import Match
from games.review import exports
from tests.at_once import at_once, impatient
from tests.clubs.clubs import club_of
from tests.people import person

pytestmark = pytest.mark.django_db
FORM = {"places": "2", "pace": "none", "preset": "rulebook", "watch": "all", "kind": "casual"}


@pytest.fixture
def club():
    person("cho")
    return club_of("ann", "bob", season=False).club


@pytest.fixture
def private(club):
    Club.objects.filter(pk=club.pk).update(private=True)
    club.refresh_from_db()
    return club


def opened(club, **fields):
    return open_matches.open_match(person("ann"), places=2, options={}, club=club, **fields)


def listed(name):
    return len(open_matches_for(person(name)))


def seen(client, address):
    """The status of an address for bob, a member, for cho, and for whoever is not signed in."""
    statuses = []
    for name in ("bob", "cho", ""):
        client.logout()
        if name:
            client.force_login(person(name))
        statuses.append(client.get(address).status_code)
    return statuses


def test_the_form_offers_the_clubs_of_whoever_fills_it_in(client, club):
    client.force_login(person("ann"))
    [choice] = re.findall('<input[^>]*value="club-st-gall"[^>]*>', client.get("/play?club=st-gall").text)
    assert "checked" in choice
    client.post("/play/new", {**FORM, "access": "club-st-gall"})
    assert Match.objects.get().club == club
    client.force_login(person("cho"))
    assert "club-st-gall" not in client.get("/play?club=st-gall").text
    assert client.post("/play/new", {**FORM, "access": "club-st-gall"}).status_code == 422


def test_only_members_open_and_join_such_a_table(client, club):
    with pytest.raises(Refused, match="Only members"):
        open_matches.open_match(person("cho"), places=2, options={}, club=club)
    match = opened(club)
    assert (listed("bob"), listed("cho")) == (1, 0)
    client.force_login(person("cho"))
    assert "Only members of its club can sit" in client.get(f"/m/{match.key}").text
    assert "Only members of the club" in client.post(f"/m/{match.key}/join", follow=True).text
    client.logout()
    client.post(f"/m/{match.key}/join", {"by": "guest"})
    assert match.seats.filter(user=None).count() == 1
    assert open_matches.join(match, person("bob")).status == Match.Status.RUNNING


def test_members_find_it_on_the_page_of_the_club_and_others_do_not(client, club):
    match = opened(club)
    for name, found in (("bob", True), ("cho", False)):
        client.force_login(person(name))
        assert (match.key in client.get("/c/st-gall").text) == found


@pytest.mark.parametrize("begun", [False, True])
def test_nobody_else_knows_of_the_table_of_a_private_club(client, private, begun):
    match = opened(private)
    assert (match.watch, match.rated) == (Match.Watch.CLUB, False)
    if begun:
        open_matches.join(match, person("bob"))
    assert seen(client, f"/m/{match.key}") == [200, 404, 404]
    client.force_login(person("cho"))
    ours, unknown = (client.get(f"/play/news?room={key}") for key in (match.key, "AAAAAAAAAAAA"))
    assert (ours.content, dict(ours.headers)) == (unknown.content, dict(unknown.headers))
    for page in ("/play", "/watch", "/@/ann"):
        client.force_login(person("cho"))
        assert match.key not in client.get(page).text
    assert client.post(f"/m/{match.key}/join").status_code == 404


def test_when_it_is_over_only_members_find_it(client, private):
    match = open_matches.join(opened(private), person("bob"))
    play.leave(access.find(match.key), 0, "resign")
    assert seen(client, f"/m/{match.key}") == seen(client, f"/m/{match.key}/0") == [200, 404, 404]
    client.force_login(person("cho"))
    lines = {name: exports.some_lines(person("ann"), person(name), "")[0] for name in ("bob", "cho")}
    assert match.key in lines["bob"] and match.key not in lines["cho"]
    for page in ("/watch", "/@/ann", "/@/ann/games"):
        assert match.key not in client.get(page).text
    again = rematches.accept(access.find(match.key), person("ann"))
    assert (again.club, again.watch) == (private, Match.Watch.CLUB)


def test_who_leaves_the_club_leaves_its_open_tables(club):
    match = open_matches.open_match(person("ann"), places=3, options={}, club=club)
    open_matches.join(match, person("bob"))
    own = open_matches.open_match(person("bob"), places=2, options={}, club=club)
    clubs.leave(club, person("bob"), timezone.now())
    assert [seat.user for seat in match.seats.order_by("index")] == [person("ann"), None, None]
    assert access.find(own.key).status == Match.Status.CLOSED


def outside(match, name):
    """This person sits at the table, and is no member any more: as if they had come while they were expelled."""
    match = open_matches.join(match, person(name))
    Member.objects.filter(user=person(name)).delete()
    return match


def test_a_table_for_members_lets_go_of_who_is_none(private):
    match = outside(open_matches.open_match(person("ann"), places=3, options={}, club=private), "bob")
    assert open_matches.release_absent() == 1
    assert [seat.user for seat in match.seats.order_by("index")] == [person("ann"), None, None]
    assert open_matches.release_absent() == 0


def test_a_table_for_members_does_not_begin_with_anybody_else(private):
    match = outside(opened(private, clock=Clock("live", 60_000)), "bob")
    assert open_matches.ready(match, person("bob")).status == Match.Status.OPEN
    assert [seat.user for seat in match.seats.order_by("index")] == [person("ann"), None]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="on SQLite one writes at a time")
@pytest.mark.django_db(transaction=True)
def test_nobody_is_expelled_while_they_sit_down(private):
    match = opened(private)

    def expel():
        with impatient(), pytest.raises(OperationalError):  # it waits
            clubs.expel(private, person("ann"), person("bob"), "Shouts.", timezone.now())

    with transaction.atomic():
        open_matches.join(match, person("bob"))
        assert at_once(expel) == [None]


def test_a_rematch_is_among_those_who_are_still_members(private):
    match = open_matches.join(opened(private), person("bob"))
    play.leave(access.find(match.key), 0, "resign")
    clubs.leave(private, person("bob"), timezone.now())
    with pytest.raises(Refused, match="isn’t possible"):
        rematches.accept(access.find(match.key), person("bob"))
    again = rematches.accept(access.find(match.key), person("ann"))
    assert sorted(str(seat.user or "") for seat in again.seats.all()) == ["", "ann"]


def test_a_table_of_a_private_club_is_never_rated(client, private):
    client.force_login(person("ann"))
    client.post("/play/new", {**FORM, "pace": "daily", "days": "3", "kind": "rated", "access": "club-st-gall"})
    assert not Match.objects.get().rated
    with pytest.raises(Refused, match="Anyone can watch a rated game"):
        opened(private, rated=True, clock=Clock.daily(3))
