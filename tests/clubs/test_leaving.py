"""Who leaves a club, is expelled from it or closes their account, and what is done then."""

import pytest
from django.db import transaction

from accounts.clubs import clubs
from accounts.models import Asking, Expulsion, Notice
from accounts.signals import club_left
from games.ladders import challenges
from games.ladders.models import Challenge, past
from games.ladders.payloads import Left, Voided
from games.ladders.standing import replay
from tests.clubs.clubs import DAILY, agreed, ended, order
from tests.clubs.membership import LATER, NOW, close, club_of, refused, roles, season, told, waiting
from tests.people import person

pytestmark = pytest.mark.django_db


# Leaving


def test_whoever_leaves_is_no_member_and_may_come_back():
    club = club_of("ann", "bob")
    clubs.leave(club, person("bob"), LATER)
    assert roles(club) == {"ann": "steward"}
    refused("aren’t a member", clubs.leave, club, person("bob"), LATER)
    clubs.join(club, person("bob"), LATER)
    assert roles(club)["bob"] == "member"


def test_the_last_steward_neither_leaves_nor_lays_it_down():
    club = club_of("ann", "bob")
    refused("only steward", clubs.leave, club, person("ann"), LATER)
    refused("this is the only one", clubs.dismiss, club, person("ann"), person("ann"))
    clubs.appoint(club, person("ann"), person("bob"), LATER)
    clubs.leave(club, person("ann"), LATER)
    assert roles(club) == {"bob": "steward"}


def test_when_the_last_member_leaves_the_club_is_gone():
    club = club_of("ann")
    clubs.leave(club, person("ann"), LATER)
    assert roles(club) == {}
    assert clubs.find(club.slug, person("ann")) is clubs.find(club.slug, person("cho")) is None


def test_whoever_leaves_a_club_leaves_its_ladder():
    club = club_of("ann", "bob", "dan")
    ladder = season(club, "ann", "bob", "dan")
    clubs.leave(club, person("bob"), LATER)
    assert order(ladder) == ["ann", "dan"]
    event = ladder.log.order_by("number").last()
    assert (event.kind, event.by, event.reason, event.at) == (Left.kind, None, "", LATER)
    assert replay(past(ladder.log.all())) == ladder.now_standing()


def test_running_games_of_whoever_is_expelled_are_played_on_and_do_not_count():
    club = club_of("ann", "bob", "dan")
    ladder = season(club, "ann", "bob", "dan")
    made = agreed(ladder, "bob", "ann", now=NOW)
    open_one = challenges.challenge(ladder, person("dan"), [person("bob")], DAILY, NOW)
    clubs.expel(club, person("ann"), person("bob"), "Shouts at people.", LATER)
    made.refresh_from_db()
    open_one.refresh_from_db()
    assert made.status == open_one.status == Challenge.Status.VOID
    assert made.match.status == "running"
    kinds = list(ladder.log.order_by("number").values_list("kind", "reason", "by__username"))
    assert kinds[-2:] == [(Voided.kind, "", None), (Left.kind, "", "ann")]
    ended(made, 1, 2, now=LATER)
    assert order(ladder) == ["ann", "dan"]
    assert replay(past(ladder.log.all())) == ladder.now_standing()


# Expelling


def test_whoever_is_expelled_is_told_why():
    club = club_of("ann", "bob")
    expulsion = clubs.expel(club, person("ann"), person("bob"), "  Shouts at people. ", LATER)
    assert (expulsion.reason, expulsion.by, expulsion.at) == ("Shouts at people.", person("ann"), LATER)
    assert roles(club) == {"ann": "steward"}
    assert told("bob") == [("expelled", "/c/scriptorium")]
    assert Notice.objects.get(user=person("bob")).values == {"club": "The Scriptorium", "reason": "Shouts at people."}
    refused("no longer a member", clubs.expel, club, person("ann"), person("bob"), "Again.", LATER)


def test_whoever_is_expelled_from_a_private_club_is_led_to_no_page_of_it():
    club = club_of("ann", "bob", private=True)
    clubs.expel(club, person("ann"), person("bob"), "Shouts at people.", LATER)
    assert told("bob") == [("expelled", "/clubs")]
    assert not clubs.find(club.slug, person("bob"))


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 501])
def test_nobody_is_expelled_without_a_reason_of_some_words(reason):
    club = club_of("ann", "bob")
    refused("500 characters or fewer", clubs.expel, club, person("ann"), person("bob"), reason, LATER)
    assert "bob" in roles(club)


def test_only_stewards_expel_and_neither_stewards_nor_themselves():
    club = club_of("ann", "bob", "dan")
    for name in ("dan", "bob", "cho"):
        refused("Only a steward", clubs.expel, club, person(name), person("bob"), "Shouts at people.", LATER)
    refused("can’t expel yourself", clubs.expel, club, person("ann"), person("ann"), "I shout.", LATER)
    clubs.appoint(club, person("ann"), person("bob"), LATER)
    refused("bob is a steward", clubs.expel, club, person("ann"), person("bob"), "Shouts at people.", LATER)
    refused("cho is no longer a member", clubs.expel, club, person("ann"), person("cho"), "Shouts at people.", LATER)
    assert not Expulsion.objects.exists() and set(roles(club)) == {"ann", "bob", "dan"}


def test_whoever_is_expelled_comes_back_neither_freely_nor_by_link_nor_by_invitation_until_they_are_readmitted():
    club = club_of("ann", "bob")
    token = clubs.new_link(club, person("ann"))
    clubs.expel(club, person("ann"), person("bob"), "Shouts at people.", NOW)
    refused("(Shouts at people.)", clubs.join, club, person("bob"), LATER)
    refused("(Shouts at people.)", clubs.join, club, person("bob"), LATER, token)
    assert clubs.invite(club, person("ann"), "bob", LATER).expelled == ["bob"]
    assert waiting(club) == {}
    clubs.readmit(club, person("ann"), person("bob"))
    refused("no longer expelled", clubs.readmit, club, person("ann"), person("bob"))
    clubs.join(club, person("bob"), LATER)
    assert roles(club)["bob"] == "member"


def test_an_invitation_from_before_does_not_bring_back_who_is_expelled():
    club = club_of("ann", joining="ask")
    for by in (None, person("ann")):
        Asking.objects.filter(user=person("bob")).delete()
        Expulsion.objects.filter(user=person("bob")).delete()
        Asking.objects.create(club=club, user=person("bob"), by=by, at=NOW)
        Expulsion.objects.create(club=club, user=person("bob"), by=person("ann"), reason="Shouts at people.", at=NOW)
        refused("Shouts at people.", clubs.join, club, person("bob"), LATER)
    Asking.objects.filter(user=person("bob")).update(by=None)
    refused("Readmit them first", clubs.approve, club, person("ann"), person("bob"), LATER)


# Accounts that are closed


def test_a_closed_account_leaves_all_that_clubs_know_of_it():
    club = club_of("ann", "bob", "dan")
    ladder = season(club, "ann", "bob", "dan")
    second, third = club_of("eve", slug="bindery", joining="ask"), club_of("eve", slug="mill")
    clubs.join(second, person("bob"), NOW)
    Expulsion.objects.create(club=third, user=person("bob"), by=person("eve"), reason="Shouts at people.", at=NOW)
    close("bob")
    assert set(roles(club)) == {"ann", "dan"}
    assert order(ladder) == ["ann", "dan"]
    assert waiting(second) == {} and not Expulsion.objects.exists()


def test_where_the_last_steward_closes_their_account_the_longest_member_becomes_one():
    club = club_of("ann", "bob", "dan")
    close("ann")
    assert roles(club) == {"bob": "steward", "dan": "member"}
    assert told("bob") == [("appointed", "/c/scriptorium")] and told("dan") == []


def test_where_another_steward_stays_nobody_becomes_one():
    club = club_of("ann", "bob", "dan")
    clubs.appoint(club, person("ann"), person("dan"), NOW)
    close("ann")
    assert roles(club) == {"bob": "member", "dan": "steward"}


def test_a_club_in_which_nobody_is_left_disappears_from_view():
    club = club_of("ann", joining="ask")
    token = clubs.new_link(club, person("ann"))
    clubs.join(club, person("dan"), NOW)
    close("ann")
    club.refresh_from_db()
    assert (roles(club), waiting(club), club.private, club.invitation) == ({}, {}, True, "")
    refused("This club is closed", clubs.join, club, person("dan"), LATER, token)
    refused("This club is closed", clubs.join, club, person("dan"), LATER)
    assert clubs.find("scriptorium", person("dan")) is None


def test_what_a_steward_did_stays_when_their_account_is_closed():
    club = club_of("ann", "bob", joining="ask")
    clubs.appoint(club, person("ann"), person("bob"), NOW)
    clubs.announce(club, person("ann"), "We meet on Monday.", NOW)
    person("dan")
    clubs.invite(club, person("ann"), "dan", NOW)
    close("ann")
    assert club.announcements.get().text == "We meet on Monday."
    clubs.join(club, person("dan"), LATER)
    assert "dan" in roles(club)


# What else is done when somebody goes


@pytest.fixture
def listening():
    """Connects functions to the signal that a member has left; they hear of it during the test."""
    connected = []

    def listen(hear):
        club_left.connect(hear)
        connected.append(hear)

    yield listen
    for hear in connected:
        club_left.disconnect(hear)


def test_a_listener_hears_of_everybody_who_goes_in_the_transaction(listening):
    heard = []

    def hear(user, at, by, **_signal):
        heard.append((user, at, by))

    listening(hear)
    club = club_of("ann", "bob", "dan", "eve")
    clubs.leave(club, person("bob"), NOW)
    clubs.expel(club, person("ann"), person("dan"), "Shouts at people.", LATER)
    close("eve")
    assert [(user.pk, now, by) for user, now, by in heard] == [
        (person("bob").pk, NOW, None),
        (person("dan").pk, LATER, person("ann")),
        (heard[2][0].pk, LATER, None),
    ]


def test_if_a_listener_fails_nobody_has_left(listening):
    def fails(**_signal):
        raise ZeroDivisionError

    club = club_of("ann", "bob")
    listening(fails)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        clubs.leave(club, person("bob"), NOW)
    assert "bob" in roles(club)
