"""Rights in parts: what a member may do to whom the stewards have given some, and nothing else."""

import re

import pytest

from accounts.clubs import clubs
from accounts.models import Asking, Member, Right
from games.ladders import events
from tests.at_once import at_once
from tests.clubs.membership import LATER, NOW, club_of, refused, roles, told
from tests.people import person
from tests.reading import text

ALL = {*clubs.PARTS}


def given(club, name, *rights, seen=()):
    clubs.entitle(club, person("ann"), person(name), seen, rights, LATER)


def rights_of(club, name):
    return {*clubs.rights(club, person(name))}


@pytest.mark.django_db
def test_a_right_opens_what_it_names_and_nothing_else():
    club = club_of("ann", "bob", "dan", "eve")
    bob, dan = person("bob"), person("dan")
    acts = {
        Right.PEOPLE: lambda: clubs.invite(club, bob, "fay", LATER),
        Right.ANNOUNCEMENTS: lambda: clubs.announce(club, bob, "We meet on Monday.", LATER),
        Right.LADDER: lambda: events.set_rules(club.ladders.get(), bob, club.ladders.get().now_standing().rules, LATER),
        Right.CLUB: lambda: clubs.appoint(club, bob, dan, LATER),
    }
    person("fay")
    seen = set()
    for right in clubs.PARTS:
        given(club, "bob", right, seen=seen)
        seen = {right}
        assert rights_of(club, "bob") == {right}
        for other, act in acts.items():
            if other == right:
                act()
            else:
                refused("Only a steward", act)
    assert rights_of(club, "ann") == {*Right} and rights_of(club, "dan") == rights_of(club, "cho") == set()


@pytest.mark.django_db
def test_rights_are_given_and_taken_by_stewards_alone_and_those_concerned_are_told():
    club = club_of("ann", "bob", "dan")
    given(club, "bob", *ALL)
    assert rights_of(club, "bob") == ALL and told("bob") == [("entitled", "/c/scriptorium/desk")]
    refused("Only a steward of the club can", clubs.entitle, club, person("bob"), person("dan"), (), ALL, LATER)
    refused("Only a steward of the club can", clubs.entitle, club, person("bob"), person("bob"), ALL, (), LATER)
    refused("has all rights", clubs.entitle, club, person("ann"), person("ann"), (), ALL, LATER)
    refused("no longer a member", clubs.entitle, club, person("ann"), person("cho"), (), ALL, LATER)
    given(club, "bob", "all", Right.CLUB, seen=ALL)  # neither can be given
    assert rights_of(club, "bob") == set()
    assert told("bob")[1:] == [("unentitled", "/c/scriptorium")]


@pytest.mark.django_db
def test_whoever_has_rights_is_not_expelled_before_a_steward_has_taken_them():
    club = club_of("ann", "bob", "dan")
    given(club, "bob", Right.PEOPLE)
    given(club, "dan", Right.EVENTS)
    refused("dan has rights", clubs.expel, club, person("bob"), person("dan"), "Shouts.", LATER)
    refused("ann is a steward", clubs.expel, club, person("bob"), person("ann"), "Shouts.", LATER)
    given(club, "dan", seen=[Right.EVENTS])
    clubs.expel(club, person("bob"), person("dan"), "Shouts.", LATER)
    assert set(roles(club)) == {"ann", "bob"}


@pytest.mark.django_db
def test_whoever_was_a_steward_or_left_has_no_rights_afterwards():
    club = club_of("ann", "bob")
    given(club, "bob", *ALL)
    clubs.appoint(club, person("ann"), person("bob"), LATER)
    clubs.dismiss(club, person("ann"), person("bob"))
    assert rights_of(club, "bob") == set()
    given(club, "bob", *ALL)
    clubs.leave(club, person("bob"), LATER)
    clubs.join(club, person("bob"), LATER)
    assert rights_of(club, "bob") == set()


@pytest.mark.django_db
def test_rights_do_not_make_a_steward_dispensable():
    club = club_of("ann", "bob")
    given(club, "bob", *ALL)
    refused("only steward", clubs.leave, club, person("ann"), LATER)


@pytest.mark.django_db
def test_requests_are_told_to_whoever_answers_them():
    club = club_of("ann", "bob", "dan", joining="ask")
    given(club, "bob", Right.PEOPLE)
    given(club, "dan", Right.EVENTS, Right.ANNOUNCEMENTS)
    clubs.join(club, person("eve"), LATER)
    assert ("asked", "/c/scriptorium/desk") in told("ann") and ("asked", "/c/scriptorium/desk") in told("bob")
    assert "asked" not in dict(told("dan"))


@pytest.mark.django_db(transaction=True)
def test_of_two_stewards_who_change_the_same_rights_at_once_the_second_must_look_again():
    club = club_of("ann", "bob", "dan")
    ann, bob, dan = person("ann"), person("bob"), person("dan")
    clubs.appoint(club, ann, bob, NOW)
    came = at_once(
        lambda: clubs.entitle(club, ann, dan, (), [Right.PEOPLE], LATER),
        lambda: clubs.entitle(club, bob, dan, (), [Right.LADDER], LATER),
    )
    assert came.count(None) == 1 and any("in the meantime" in (why or "") for why in came)
    assert len(rights_of(club, "dan")) == 1


@pytest.mark.django_db(transaction=True)
def test_whoever_loses_a_right_while_they_use_it_has_used_it_or_not():
    club = club_of("ann", "bob", "dan")
    given(club, "bob", Right.PEOPLE)
    came = at_once(
        lambda: given(club, "bob", seen=[Right.PEOPLE]),
        lambda: clubs.expel(club, person("bob"), person("dan"), "Shouts.", LATER),
    )
    assert came[0] is None and (came[1] is None) == ("dan" not in roles(club))


# The pages


@pytest.mark.django_db
@pytest.mark.once
def test_the_desk_shows_what_one_may_do(at, club, now):
    Member.objects.create(club=club, user=person("eve"), joined_at=now)
    Asking.objects.create(club=club, user=person("dan"), at=now)
    parts = {
        Right.PEOPLE: ("Invite people", "Requests to join"),
        Right.ANNOUNCEMENTS: ("Tell all members",),
        Right.LADDER: ("Manage the ladder",),
        Right.CLUB: ("Who can join",),
    }
    for right in (*clubs.PARTS, None):
        Member.objects.filter(user=person("bob")).update(rights=right or "")
        response = at("bob").get("/c/st-gall/desk")
        assert response.status_code == (200 if right else 404)
        assert (">Manage</a>" in at("bob").get("/c/st-gall").content.decode()) == bool(right)
        shown = text(response)
        for other, sentences in parts.items():
            for sentence in sentences:
                assert (sentence in shown) == (other == right), (right, sentence)
        assert at("bob").get("/c/st-gall/ladders/1/desk").status_code == (200 if right == Right.LADDER else 404)
        assert at("bob").get("/c/st-gall/desk/rights/bob").status_code == 404
        buttons = text(at("bob").get("/c/st-gall/members"))
        assert ("Expel" in buttons) == (right == Right.PEOPLE) and "Make a steward" not in buttons


@pytest.mark.django_db
@pytest.mark.once
def test_a_steward_gives_rights_on_a_page(at, club):
    client, page = at("ann"), "/c/st-gall/desk/rights/bob"
    assert "Rights of bob" in text(client.get(page))
    response = client.post(page, {"given": ["people", "events"]})
    assert response.url == "/c/st-gall/members" and rights_of(club, "bob") == {Right.PEOPLE, Right.EVENTS}
    assert "rights: people, events" in text(client.get("/c/st-gall/members"))
    response = client.post(page, {"given": ["ladder"]})
    assert response.status_code == 422 and "in the meantime" in text(response)
    assert len(re.findall(r'value="(?:people|events)"[^>]* checked', response.content.decode())) == 2
    assert client.post(page, {"given": ["club"], "seen": ["people", "events"]}).status_code == 422
    assert rights_of(club, "bob") == {Right.PEOPLE, Right.EVENTS}
    assert client.get("/c/st-gall/desk/rights/ann").status_code == 404
