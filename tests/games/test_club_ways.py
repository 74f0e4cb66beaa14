"""The ways of a club: what its pages tell a secretary and his members to do next."""

import pytest
from django.utils import timezone

from games.services import ladders
from tests.games.clubs import club_of
from tests.games.ladder_pages import club, text
from tests.games.matches import person

pytestmark = pytest.mark.django_db
CLUB = "/c/st-gall"


def at(client, name):
    client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return client


# What comes first


def test_a_steward_is_told_what_comes_before_the_first_season(client):
    ladder = club_of("ann", "bob", season=False)
    assert "First steps" in text(at(client, "ann").get(CLUB))
    assert "First steps" not in text(at(client, "bob").get(CLUB))
    ladders.start_season(ladder, person("ann"), timezone.now())
    assert "First steps" not in text(at(client, "ann").get(CLUB))


def test_the_first_steps_tell_which_are_done(client):
    ladder = club_of("ann", "bob", season=False)
    page = at(client, "ann").get(CLUB).content.decode()
    assert page.count('<li class="done">') == 2
    ladders.leave(ladder, person("bob"), timezone.now())
    page = at(client, "ann").get(CLUB).content.decode()
    assert page.count('<li class="done">') == 1
    assert "1 stands on it." in page


def test_who_does_not_stand_on_the_ladder_is_told_so_in_the_club(client):
    ladder = club(timezone.now(), "ann", "bob", "dan")
    assert "You do not stand on it." not in text(at(client, "dan").get(CLUB))
    ladders.leave(ladder, person("dan"), timezone.now())
    assert "You do not stand on it. Join the ladder" in text(at(client, "dan").get(CLUB))


def test_that_no_season_runs_is_told_in_the_club(client):
    ladder = club(timezone.now(), "ann", "bob")
    assert "No season runs" not in text(at(client, "bob").get(CLUB))
    ladders.end_season(ladder, person("ann"), timezone.now())
    assert "No season runs. Nobody can be challenged." in text(at(client, "bob").get(CLUB))
    assert "Begin a season" not in text(client.get(CLUB))
    assert "Begin a season" in text(at(client, "ann").get(CLUB))


def test_a_season_without_players_is_advised_against(client):
    ladder = club_of("ann", "bob", season=False)
    advice = "put members on the ladder first"
    assert advice not in text(at(client, "ann").get(f"{CLUB}/ladder/desk"))
    ladders.leave(ladder, person("bob"), timezone.now())
    assert advice in text(client.get(f"{CLUB}/ladder/desk"))


# Long descriptions


def test_a_long_description_is_folded(client):
    ladder = club_of("ann", "bob")
    ladder.club.description = "We meet on Tuesdays. " * 90
    ladder.club.save()
    assert '<details class="panel-b long">' in client.get(CLUB).content.decode()
    ladder.club.description = "We meet on Tuesdays."
    ladder.club.save()
    assert "<details" not in client.get(CLUB).content.decode().partition("<main")[2].partition("</section>")[0]
