"""Who can enter a tournament of the calendar, until when, and how many."""

import pytest

from accounts.clubs import clubs
from accounts.models import Rating
from accounts.web.refused import Refused
from games.tournaments import events, services
from tests.calendar.plans import BEGINS, HOUR, MINUTE, SWISS, make, opened
from tests.clubs.clubs import START, club_of
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return club_of("ann", "bob", "dan", "eve", season=False).club


def cup(club, **conditions):
    [event] = make(club, SWISS._replace(**conditions))
    return opened(event, START)


def rated(name, value, games=3, pool="2"):
    Rating.objects.create(user=person(name), game="biblios", pool=pool, value=value, games=games)


def refused(tournament, name, says, now=START):
    with pytest.raises(Refused, match=says):
        services.enter(tournament, person(name), now)
    assert person(name).pk not in events.standing(tournament).here


def test_after_the_end_of_entry_only_a_steward_lets_somebody_in_and_who_was_in_comes_back(club):
    found = cup(club, entry_until=BEGINS - HOUR)
    services.enter(found, person("bob"), START)
    services.enter(found, person("bob"), START)  # twice is once
    services.leave(found, person("bob"), START + MINUTE)
    refused(found, "dan", "Entry has ended", BEGINS - HOUR)
    services.enter(found, person("bob"), BEGINS - MINUTE)
    services.tick(found, person("ann"), [person("dan")], BEGINS - MINUTE)
    services.enter(found, person("dan"), BEGINS - MINUTE)
    assert events.standing(found).here == [person("bob").pk, person("dan").pk]


def test_there_is_room_for_so_many_and_not_for_one_more_by_a_steward_either(club):
    found = cup(club, most=2)
    for name in ("bob", "dan"):
        services.enter(found, person(name), START)
    refused(found, "eve", "at most 2")
    with pytest.raises(Refused, match="at most 2"):
        services.tick(found, person("ann"), [person("eve")], START)


def test_ratings_count_as_they_are_shown_and_by_the_size_of_its_tables(club):
    found = cup(club, least_rating=1500)
    rated("bob", 1499.6)
    rated("dan", 1499.4)
    rated("eve", 1800, pool="3")
    services.enter(found, person("bob"), START)
    refused(found, "dan", "ratings of 1500 or more")
    refused(found, "eve", "ratings of 1500 or more")


def test_who_has_no_rating_can_enter_where_only_the_highest_is_limited(club):
    found = cup(club, most_rating=1500)
    rated("dan", 1501)
    services.enter(found, person("bob"), START)
    refused(found, "dan", "ratings of 1500 or less")


def test_games_count_whatever_the_size_of_the_table(club):
    found = cup(club, least_games=5)
    rated("bob", 1400, games=3)
    rated("bob", 1400, games=2, pool="3")
    rated("dan", 1700, games=4)
    services.enter(found, person("bob"), START)
    refused(found, "dan", "at least 5 rated games")


def test_who_was_expelled_cannot_enter(club):
    found = cup(club)
    clubs.expel(club, person("ann"), person("dan"), "Rude", START)
    refused(found, "dan", "expelled")
