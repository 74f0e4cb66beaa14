"""Of two things that happen to the members of a club at once, both are right or one is refused."""

import pytest

from accounts import services
from accounts.clubs import closing, clubs, handing
from accounts.models import Club, Expulsion, Handover, Member, StewardDecision, User
from games.ladders.models import Ladder
from games.ladders.payloads import Left
from tests.at_once import at_once
from tests.clubs.clubs import order
from tests.clubs.membership import LATER, NOW, SAYS, club_of, roles, season, told, waiting
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_stewards_who_dismiss_each_other_at_once_one_stays():
    club = club_of("ann", "bob")
    ann, bob = person("ann"), person("bob")
    clubs.appoint(club, ann, bob, NOW)
    came = at_once(lambda: clubs.dismiss(club, ann, bob), lambda: clubs.dismiss(club, bob, ann))
    assert came.count(None) == 1 and "Only a steward of the club can do that." in came
    assert sorted(roles(club).values()) == ["member", "steward"]


def test_of_two_last_stewards_who_leave_at_once_one_stays():
    club = club_of("ann", "bob", "dan")
    ann, bob = person("ann"), person("bob")
    clubs.appoint(club, ann, bob, NOW)
    assert at_once(lambda: clubs.leave(club, ann, LATER), lambda: clubs.leave(club, bob, LATER)).count(None) == 1
    assert sorted(roles(club).values()) == ["member", "steward"]


def test_whoever_is_expelled_while_they_leave_is_off_the_ladder_once():
    club = club_of("ann", "bob")
    ladder = season(club, "ann", "bob")
    ann, bob = person("ann"), person("bob")
    came = at_once(
        lambda: clubs.expel(club, ann, bob, "Shouts at people.", LATER), lambda: clubs.leave(club, bob, LATER)
    )
    assert came.count(None) == 1
    assert roles(club) == {"ann": "steward"} and order(ladder) == ["ann"]
    assert ladder.log.filter(kind=Left.kind).count() == 1
    assert Expulsion.objects.count() == (came[0] is None)


def test_whoever_is_approved_twice_at_once_is_a_member_once():
    club = club_of("ann", joining="ask")
    ann, dan = person("ann"), person("dan")
    clubs.join(club, dan, NOW)
    came = at_once(*[lambda: clubs.approve(club, ann, dan, LATER)] * 3)
    assert came.count(None) == 1
    assert roles(club) == {"ann": "steward", "dan": "member"}
    assert told("dan") == [("approved", "/c/scriptorium")]


def test_whoever_joins_twice_at_once_is_a_member_once():
    club = club_of("ann")
    dan = person("dan")
    assert at_once(*[lambda: clubs.join(club, dan, LATER)] * 3).count(None) == 1
    assert roles(club) == {"ann": "steward", "dan": "member"}


def test_the_last_place_is_taken_once(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 2)
    club = club_of("ann")
    people = [person(name) for name in ("bob", "dan", "eve")]
    came = at_once(*[lambda who=who: clubs.join(club, who, LATER) for who in people])
    assert came.count(None) == 1 and club.members.count() == 2


def test_whoever_joins_two_clubs_at_once_does_not_get_past_the_limit(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_CLUBS", 1)
    first, second = club_of("ann"), club_of("bob", slug="bindery")
    dan = person("dan")
    came = at_once(lambda: clubs.join(first, dan, LATER), lambda: clubs.join(second, dan, LATER))
    assert came.count(None) == 1 and dan.memberships.count() == 1


def test_an_address_goes_to_one_of_two_who_found_a_club_at_once():
    people = [person(name) for name in ("ann", "bob")]
    came = at_once(*[lambda who=who: clubs.found(who, **SAYS, now=NOW) for who in people])
    assert came.count(None) == 1 and Club.objects.count() == Ladder.objects.count() == Member.objects.count() == 1


def test_whoever_joins_while_their_account_is_closed_is_in_no_club_afterwards():
    club = club_of("ann")
    dan = person("dan")
    User.objects.filter(pk=dan.pk).update(closing_at=NOW)
    at_once(lambda: clubs.join(club, dan, LATER), lambda: services.pseudonymise(dan.pk, LATER))
    assert roles(club) == {"ann": "steward"}


def test_two_stewards_who_invite_and_approve_the_same_people_at_once_do_not_get_in_each_other_s_way():
    club = club_of("ann", "bob", joining="ask")
    ann, bob = person("ann"), person("bob")
    clubs.appoint(club, ann, bob, NOW)
    names = [f"p{number}" for number in range(6)]
    for name in names[:3]:
        clubs.join(club, person(name), NOW)
    for name in names[3:]:
        person(name)
    came = at_once(
        lambda: clubs.invite(club, ann, names, LATER),
        lambda: clubs.invite(club, bob, names[::-1], LATER),
        lambda: [clubs.approve(club, bob, person(name), LATER) for name in names[:1]],
    )
    assert came[:2] == [None, None]
    assert set(roles(club)) == {"ann", "bob", *names[:3]} and set(waiting(club)) == set(names[3:])


@pytest.fixture
def led():
    """A club that ann and bob lead; dan and eve are members."""
    club = club_of("ann", "bob", "dan", "eve")
    clubs.appoint(club, person("ann"), person("bob"), NOW)
    return club


def test_a_club_that_two_stewards_close_at_once_is_closed_once(led):
    names = ("ann", "bob")
    came = at_once(*[lambda who=who: closing.close(led, person(who), led.slug, LATER) for who in names])
    assert sorted(came, key=str) == [None, "This club is closed."]
    assert StewardDecision.objects.filter(kind="closed").count() == 1
    assert [kind for kind, _page in told("dan")].count("club-closed") == 1


def test_a_club_that_two_stewards_offer_at_once_is_offered_to_one(led):
    pairs = [(person("ann"), person("dan")), (person("bob"), person("eve"))]
    came = at_once(*[lambda by=by, to=to: handing.offer(led, by, to, False, LATER) for by, to in pairs])
    assert came.count(None) == 1 and any("already been offered to somebody" in str(each) for each in came)
    assert Handover.objects.get(club=led).to == pairs[came.index(None)][1]


def test_a_club_is_taken_over_or_the_offer_is_taken_back_or_it_is_closed(led):
    ann, dan = person("ann"), person("dan")
    handing.offer(led, ann, dan, False, NOW)
    taken, back, closed = at_once(
        lambda: handing.accept(led, dan, LATER),
        lambda: handing.take_back(led, ann),
        lambda: closing.close(led, person("bob"), led.slug, LATER),
    )
    assert closed is None and not (taken is None and back is None) and not Handover.objects.exists()
    assert roles(led)["dan"] == ("steward" if taken is None else "member")
    assert roles(led)["ann"] == ("member" if taken is None else "steward")
