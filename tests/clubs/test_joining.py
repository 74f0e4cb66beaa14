"""Who joins a club: freely, by asking, by invitation, by the link; and who may know of it."""

import pytest

from accounts import services
from accounts.clubs import clubs
from accounts.models import Asking, Block, Club, Expulsion
from tests.clubs.membership import LATER, NOW, SAYS, change, club_of, refused, roles, told, waiting
from tests.people import person

pytestmark = pytest.mark.django_db


# Joining


def test_anybody_joins_a_club_that_is_free():
    club = club_of("ann")
    joined = clubs.join(club, person("bob"), LATER)
    assert (joined.role, joined.joined_at) == ("member", LATER)
    assert roles(club) == {"ann": "steward", "bob": "member"}
    refused("already a member", clubs.join, club, person("bob"), LATER)
    assert told("ann") == told("bob") == []


def test_where_stewards_approve_one_asks_and_they_are_told():
    club = club_of("ann", "bob", joining="ask")
    asking = clubs.join(club, person("dan"), LATER)
    assert isinstance(asking, Asking) and asking.by is None
    assert roles(club) == {"ann": "steward", "bob": "member"} and waiting(club) == {"dan": None}
    assert told("ann") == [("asked", "/c/scriptorium/desk")] and told("bob") == []
    refused("already asked", clubs.join, club, person("dan"), LATER)

    clubs.approve(club, person("ann"), person("dan"), LATER)
    assert "dan" in roles(club) and waiting(club) == {}
    assert told("dan") == [("approved", "/c/scriptorium")]
    refused("no longer wants to join", clubs.approve, club, person("ann"), person("dan"), LATER)


def test_whoever_was_turned_away_may_ask_again_after_a_while():
    club = club_of("ann", joining="ask")
    clubs.join(club, person("dan"), NOW)
    clubs.reject(club, person("ann"), person("dan"), NOW)
    assert "dan" not in roles(club) and waiting(club) == {}
    refused("no longer waiting to join", clubs.reject, club, person("ann"), person("dan"), NOW)
    refused("You can ask again after", clubs.join, club, person("dan"), LATER)
    clubs.join(club, person("dan"), NOW + clubs.ASK_AGAIN)
    assert waiting(club) == {"dan": None}


def test_what_one_has_asked_one_takes_back_and_an_invitation_one_declines():
    club = club_of("ann", joining="ask")
    clubs.join(club, person("dan"), NOW)
    clubs.decline(club, person("dan"))
    clubs.invite(club, person("ann"), ["dan"], NOW)
    clubs.decline(club, person("dan"))
    assert waiting(club) == {}
    refused("haven’t asked to join", clubs.decline, club, person("dan"))


def test_by_invitation_only_nobody_joins_who_is_not_invited():
    club = club_of("ann", joining="invite")
    refused("invitation-only", clubs.join, club, person("dan"), NOW)
    assert waiting(club) == {}
    clubs.invite(club, person("ann"), "dan", NOW)
    assert waiting(club) == {"dan": "ann"}
    assert told("dan") == [("invited", "/c/scriptorium")]
    clubs.join(club, person("dan"), LATER)
    assert "dan" in roles(club) and waiting(club) == {}


def test_an_invitation_that_was_taken_back_is_none():
    club = club_of("ann", joining="invite")
    person("dan")
    clubs.invite(club, person("ann"), "dan", NOW)
    clubs.reject(club, person("ann"), person("dan"), NOW)
    refused("invitation-only", clubs.join, club, person("dan"), NOW)


def test_an_invitation_is_not_approved_by_stewards():
    club = club_of("ann", joining="ask")
    person("dan")
    clubs.invite(club, person("ann"), "dan", NOW)
    assert waiting(club) == {"dan": "ann"}
    refused("no longer wants to join", clubs.approve, club, person("ann"), person("dan"), NOW)
    assert "dan" not in roles(club)


@pytest.mark.parametrize("joining", ["free", "ask", "invite"])
def test_with_a_link_one_joins_every_club(joining):
    club = club_of("ann", joining=joining)
    token = clubs.new_link(club, person("ann"))
    assert len(token) == 22
    clubs.join(club, person("dan"), LATER, token)
    assert "dan" in roles(club)


def test_a_link_takes_the_place_of_having_asked():
    club = club_of("ann", joining="ask")
    token = clubs.new_link(club, person("ann"))
    clubs.join(club, person("dan"), NOW)
    clubs.join(club, person("dan"), LATER, token)
    assert "dan" in roles(club) and waiting(club) == {}


def test_an_old_link_leads_nowhere_and_no_link_is_none():
    club = club_of("ann", joining="invite")
    refused("no longer valid", clubs.join, club, person("dan"), NOW, "x" * 22)
    old = clubs.new_link(club, person("ann"))
    new = clubs.new_link(club, person("ann"))
    assert old != new
    for wrong in (old, new[:-1], new.swapcase(), "é" * 22):
        refused("no longer valid", clubs.join, club, person("dan"), NOW, wrong)
    clubs.no_link(club, person("ann"))
    refused("no longer valid", clubs.join, club, person("dan"), NOW, new)
    refused("invitation-only", clubs.join, club, person("dan"), NOW)
    assert roles(club) == {"ann": "steward"}


def test_a_link_of_one_club_does_not_open_another():
    first, second = club_of("ann"), club_of("bob", slug="bindery", joining="invite")
    clubs.new_link(second, person("bob"))
    token = clubs.new_link(first, person("ann"))
    refused("no longer valid", clubs.join, second, person("dan"), NOW, token)


def test_guests_and_closed_accounts_have_no_clubs():
    guest = services.guest()
    refused("Guests can’t", clubs.found, guest, **SAYS, now=NOW)
    club = club_of("ann")
    token = clubs.new_link(club, person("ann"))
    refused("Guests can’t", clubs.join, club, guest, NOW)
    refused("Guests can’t", clubs.join, club, guest, NOW, token)
    assert clubs.invite(club, person("ann"), [guest.username], NOW).unknown == [guest.username]
    gone = person("dan", closed=True)
    refused("closed", clubs.join, club, gone, NOW)
    assert clubs.invite(club, person("ann"), "dan", NOW).unknown == ["dan"]


def test_one_is_member_of_so_many_clubs_and_no_more(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_CLUBS", 2)
    for slug in ("one", "two"):
        club_of("ann", slug=slug)
    refused("already in 2 clubs", club_of, "ann", slug="three")
    club = club_of("bob", joining="ask")
    refused("already in 2 clubs", clubs.join, club, person("ann"), NOW)
    refused("already in 2 clubs", clubs.join, club, person("ann"), NOW, clubs.new_link(club, person("bob")))
    Asking.objects.create(club=club, user=person("ann"), at=NOW)
    refused("ann is already in too many clubs", clubs.approve, club, person("bob"), person("ann"), NOW)
    assert Club.objects.count() == 3 and "ann" not in roles(club)


def test_a_club_has_so_many_members_and_no_more(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 2)
    club = club_of("ann", "bob")
    refused("at most 2 members", clubs.join, club, person("dan"), NOW)
    refused("at most 2 members", clubs.invite, club, person("ann"), "dan", NOW)
    Asking.objects.create(club=club, user=person("dan"), at=NOW)
    refused("at most 2 members", clubs.approve, club, person("ann"), person("dan"), NOW)
    assert set(roles(club)) == {"ann", "bob"}


def test_whoever_is_invited_counts_as_if_they_had_come(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 3)
    club = club_of("ann")
    for name in ("bob", "dan", "eve"):
        person(name)
    refused("at most 3 members", clubs.invite, club, person("ann"), "bob, dan, eve", NOW)
    assert waiting(club) == {} and told("bob") == []
    clubs.invite(club, person("ann"), "bob, dan", NOW)
    refused("at most 3 members", clubs.invite, club, person("ann"), "eve", NOW)


# Inviting a pasted list


def test_of_a_pasted_list_each_name_is_told_what_became_of_it():
    club = club_of("ann", "bob", joining="ask")
    for name in ("dan", "eve", "fay", "Gus-Long"):
        person(name)
    clubs.invite(club, person("ann"), "eve", NOW)
    clubs.join(club, person("fay"), NOW)
    person("hal")
    Expulsion.objects.create(club=club, user=person("hal"), by=person("ann"), reason="Shouts at people.", at=NOW)
    pasted = "dan\r\n@DAN, bob; eve\n\n  fay \nhal,nobody\ngus-long, Dan\n"
    assert clubs.invite(club, person("ann"), pasted, LATER) == clubs.Invited(
        invited=["dan", "gus-long"],
        unknown=["nobody"],
        twice=["DAN", "Dan"],
        already=["bob"],
        waiting=["eve"],
        approved=["fay"],
        expelled=["hal"],
        addresses=[],
    )
    assert {"ann", "bob", "fay"} == set(roles(club))
    assert ("approved", "/c/scriptorium") in told("fay")
    assert told("hal") == [] and told("eve") == [("invited", "/c/scriptorium")]
    assert set(waiting(club).values()) == {"ann"}


def test_a_double_name_that_nobody_has_is_named_once_as_unknown():
    result = clubs.invite(club_of("ann"), person("ann"), "zed, zed", NOW)
    assert (result.unknown, result.twice) == (["zed"], ["zed"])


def test_one_does_not_invite_oneself():
    assert clubs.invite(club_of("ann"), person("ann"), "ann", NOW).already == ["ann"]


@pytest.mark.parametrize("names", ["", " \n,, ;\r\n", []])
def test_an_empty_list_invites_nobody(names):
    refused("no name", clubs.invite, club_of("ann"), person("ann"), names, NOW)


def test_a_list_has_so_many_names_and_no_more(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_NAMES", 3)
    club = club_of("ann")
    refused("at most 3 people", clubs.invite, club, person("ann"), "a\nb\nc\nd", NOW)
    assert len(clubs.invite(club, person("ann"), "aa\nbb\ncc", NOW).unknown) == 3


@pytest.mark.parametrize("names", ["\0", "d\0an", "x" * 5000, "' OR 1=1 --"])
def test_odd_names_are_unknown(names):
    person("dan")
    assert clubs.invite(club_of("ann"), person("ann"), names, NOW).unknown == [names]


def test_whoever_has_blocked_a_steward_is_invited_without_being_told():
    club = club_of("ann")
    Block.objects.create(user=person("dan"), blocked=person("ann"))
    assert clubs.invite(club, person("ann"), "dan", NOW).invited == ["dan"]
    assert waiting(club) == {"dan": "ann"} and told("dan") == []


# Who may know of a private club


def test_of_a_private_club_only_members_and_invited_people_know():
    club = club_of("ann", "bob", private=True)
    person("dan")
    clubs.invite(club, person("ann"), "dan", NOW)
    seen = {name: clubs.find("scriptorium", person(name)) is not None for name in ("ann", "bob", "dan", "cho")}
    assert seen == {"ann": True, "bob": True, "dan": True, "cho": False}
    clubs.decline(club, person("dan"))
    assert not clubs.find(club.slug, person("dan"))


def test_whoever_has_asked_before_a_club_became_private_does_not_see_it_any_more():
    club = club_of("ann", joining="ask")
    clubs.join(club, person("dan"), NOW)
    club = change(club, private=True)
    assert not clubs.find(club.slug, person("dan"))
