"""What waits of nights and tournaments: whatever members can enter, until it begins, or they say no."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Member
from accounts.web.refused import Refused
from games.calendar.models import CalendarEvent
from games.engine.registry import title
from games.matches.clocks import Clock
from games.tournaments import contests, pending, services
from games.tournaments.contests import Plan
from games.tournaments.models import EventInvitation, Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import club_of
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NOW = timezone.now()
Kind = Tournament.Kind
CONTESTS = Kind.ROUND_ROBIN, Kind.SWISS, Kind.KNOCKOUT, Kind.BOXES, Kind.GROUPS


@pytest.fixture
def club():
    return club_of("ann", "bob", "dan", "eve", season=False, now=NOW).club


def opened(club, kind, by="ann", name="Autumn"):
    terms = GameTerms(2, Clock.daily(1)) if kind == Kind.BOXES else GameTerms(2)
    return contests.create(club, person(by), kind, name, terms, Plan(days=7), NOW, game=title())


def waits(name):
    return pending.actions(person(name), NOW)


@pytest.mark.parametrize("kind", CONTESTS)
def test_a_tournament_of_any_kind_waits_for_members_until_it_begins(club, kind):
    found = opened(club, kind)
    person("cho")
    [action] = waits("bob")
    assert "A tournament in the club St Gall: Autumn." in text(action.sentence)
    assert [(act.label, act.address) for act in action.acts] == [
        ("No", f"{found.get_absolute_url()}/decline"),
        ("Enter", f"{found.get_absolute_url()}/enter"),
    ]
    assert waits("cho") == []
    services.enter(found, person("bob"), NOW)
    services.enter(found, person("dan"), NOW)
    services.enter(found, person("ann"), NOW)
    assert waits("bob") == [] and "3 have entered" in waits("eve")[0].details
    contests.begin(found, person("ann"), NOW)
    assert waits("eve") == []


def test_it_says_when_it_begins_and_until_when_one_can_enter(club):
    found = opened(club, Kind.SWISS)
    assert waits("bob")[0].until is None
    begins, until = NOW + timedelta(days=3), NOW + timedelta(days=2)
    found.calendar = CalendarEvent.objects.create(club=club, title="Autumn", starts_at=begins, changed_at=NOW)
    found.save()
    assert waits("bob")[0].until == begins
    assert any(detail.startswith("begins ") for detail in map(text, waits("bob")[0].details))
    CalendarEvent.objects.update(entry_until=until)
    assert waits("bob")[0].until == until
    CalendarEvent.objects.update(entry_until=NOW)
    assert waits("bob") == [], "too late"
    CalendarEvent.objects.update(entry_until=None, most=1)
    assert len(waits("bob")) == 1
    services.enter(found, person("dan"), NOW)
    assert waits("bob") == [], "it is full"
    asked = {"game": "biblios", "seats": 2}
    CalendarEvent.objects.update(most=None, least_rating=1400, opens=asked)
    assert waits("bob") == [], "their rating is too low, or they have none"
    CalendarEvent.objects.update(least_rating=None, most_rating=1600)
    assert len(waits("bob")) == 1


def test_who_says_no_is_not_asked_again_and_can_still_come(at, club):
    found = opened(club, Kind.SWISS)
    at("bob").post(f"{found.get_absolute_url()}/decline")
    assert waits("bob") == [] and len(waits("dan")) == 1
    with pytest.raises(Refused, match="bob has said no"):
        services.tick(found, person("ann"), [person("bob")], NOW)
    services.enter(found, person("bob"), NOW)
    assert len(found.invitations.filter(user=person("bob"))) <= 1


def test_the_no_to_a_steward_who_asked_names_the_steward(club):
    found = opened(club, Kind.SWISS)
    services.tick(found, person("ann"), [person("bob")], NOW)
    services.decline(found, person("bob"), NOW)
    assert EventInvitation.objects.get(user=person("bob")).by == person("ann")


def test_a_stranger_has_nothing_to_decline(club):
    found = opened(club, Kind.SWISS)
    with pytest.raises(Refused, match="Nobody asks you"):
        services.decline(found, person("cho"), NOW)


def test_who_has_withdrawn_is_not_asked_again(club):
    found = opened(club, Kind.SWISS)
    services.enter(found, person("bob"), NOW)
    services.leave(found, person("bob"), NOW)
    assert waits("bob") == []


def test_what_can_be_entered_costs_no_more_to_find_however_much_it_is(club, django_assert_num_queries):
    opened(club, Kind.SWISS)
    bob = person("bob")
    with django_assert_num_queries(2):
        pending.actions(bob, NOW)
    for kind in CONTESTS:
        opened(club, kind)
    other = club_of("hal", "bob", slug="abbey", season=False, now=NOW).club
    assert Member.objects.filter(club=other, user=bob).exists()
    opened(other, Kind.SWISS, "hal", "Abbey")
    with django_assert_num_queries(2):
        found = pending.actions(bob, NOW)
    assert len(found) == 7 and len({action.club for action in found}) == 2
    assert re.search("Abbey", "".join(action.sentence for action in found))
