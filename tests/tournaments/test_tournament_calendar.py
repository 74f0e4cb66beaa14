"""Evenings and tournaments in the calendars of those who play, and in the feeds of the club."""

import pytest

from games.feeds import news
from games.matches.clocks import instant
from games.tournaments import calendar, events, services
from games.tournaments.models import Tournament
from tests.clubs.clubs import START
from tests.people import person
from tests.tournaments.evenings import evening_of
from tests.tournaments.test_contests import DAILY, begun

pytestmark = pytest.mark.django_db


def entries(name):
    return calendar.entries(person(name), START)


def test_the_games_of_a_round_have_a_day_by_which_they_must_be_over():
    contest = begun(Tournament.Kind.ROUND_ROBIN, "ann", "bob", "dan", terms=DAILY)
    until = events.standing(contest).until
    [deadline] = {each.starts: each for each in entries("bob")}.values()
    assert deadline.starts == instant(until) and deadline.ends is None
    assert deadline.summary.startswith("Finish your games of ")


def test_the_feeds_tell_that_it_is_open_and_over_once_each():
    evening = evening_of("ann", "bob")
    services.close(evening, person("ann"), START)
    told = [item.title for item in news.of(evening.club) if item.topic == "tournament"]
    assert sorted(told) == ["Candlemas is open.", "Candlemas is over."]
