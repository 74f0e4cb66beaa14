"""The ways of a club: what its pages tell a secretary and the members to do next."""

import re

import pytest
from django.utils import timezone

from accounts.clubs import clubs
from accounts.notices import notices
from games.ladders import events, leaving
from games.ladders.terms import Terms
from games.lobby import open_matches
from games.matches.models import Match
from tests.clubs.clubs import agreed, club_of, met
from tests.ladders.ladder_pages import HOUR, challenge, club
from tests.people import person
from tests.reading import text

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
    events.start_season(ladder, person("ann"), timezone.now())
    assert "First steps" not in text(at(client, "ann").get(CLUB))


def test_the_first_steps_tell_which_are_done(client):
    ladder = club_of("ann", "bob", season=False)
    page = at(client, "ann").get(CLUB).content.decode()
    assert page.count('<li class="done">') == 2
    leaving.leave(ladder, person("bob"), timezone.now())
    page = at(client, "ann").get(CLUB).content.decode()
    assert page.count('<li class="done">') == 1
    assert "1 is on it." in page


def test_whoever_does_not_stand_on_the_ladder_is_told_so_in_the_club(client):
    ladder = club(timezone.now(), "ann", "bob", "dan")
    assert "Join the ladder" not in text(at(client, "dan").get(CLUB))
    leaving.leave(ladder, person("dan"), timezone.now())
    assert "Join the ladder" in text(at(client, "dan").get(CLUB))


def test_that_no_season_runs_is_told_in_the_club(client):
    ladder = club(timezone.now(), "ann", "bob")
    assert "No season is running" not in text(at(client, "bob").get(CLUB))
    events.end_season(ladder, person("ann"), timezone.now())
    assert "No season is running, so no one can be challenged." in text(at(client, "bob").get(CLUB))
    assert "Begin a season" not in text(client.get(CLUB))
    assert "Begin a season" in text(at(client, "ann").get(CLUB))


def test_a_season_without_players_is_advised_against(client):
    ladder = club_of("ann", "bob", season=False)
    advice = "put members on the ladder first"
    assert advice not in text(at(client, "ann").get(f"{CLUB}/ladders/1/desk"))
    leaving.leave(ladder, person("bob"), timezone.now())
    assert advice in text(client.get(f"{CLUB}/ladders/1/desk"))


# Long descriptions


def test_a_long_description_is_folded(client):
    ladder = club_of("ann", "bob")
    ladder.club.description = "We meet on Tuesdays. " * 90
    ladder.club.save()
    assert '<details class="panel-body long">' in client.get(CLUB).content.decode()
    ladder.club.description = "We meet on Tuesdays."
    ladder.club.save()
    assert "<details" not in client.get(CLUB).content.decode().partition("<main")[2].partition("</section>")[0]


# The first rung


def test_whoever_stands_on_the_first_rung_is_not_told_to_challenge_somebody_above(client):
    club(timezone.now(), "ann", "bob")
    assert "No one is above you. The others can challenge you." in text(at(client, "ann").get(f"{CLUB}/ladders/1"))
    assert "You can challenge" not in text(client.get(f"{CLUB}/ladders/1"))
    assert "Challenge someone above you, and climb." in text(at(client, "bob").get(f"{CLUB}/ladders/1"))


# A game tells for which ladder it is played


def live(now, private=False):
    """A live game of bob with ann, agreed on: its room is open."""
    ladder = club(now, "ann", "bob", "dan", private=private)
    return agreed(ladder, "bob", "ann", now=now, terms=Terms())


def test_the_room_of_a_ladder_game_says_so_and_invites_nobody_else(client):
    played = live(timezone.now())
    page = text(at(client, "bob").get(f"/m/{played.match.key}"))
    assert "A game on the ladder of St Gall" in page
    assert "The players who agreed" in page
    for wrong in ("Anyone with this link", "Remove", "Host"):
        assert wrong not in page


def test_other_rooms_are_as_they_were(client):
    match = open_matches.open_match(person("ann"), places=2, options={})
    page = text(at(client, "ann").get(f"/m/{match.key}"))
    assert "Anyone with this link can take a seat" in page and "ladder of" not in page


def test_a_room_of_a_ladder_that_closes_leads_back_to_its_challenge(client):
    played = live(timezone.now())
    response = at(client, "bob").post(f"/m/{played.match.key}/stand")
    assert response["Location"] == played.get_absolute_url()
    assert "To the challenge" in text(client.get(f"/m/{played.match.key}"))
    assert "Open the table" in text(client.get(played.get_absolute_url()))


def test_the_table_and_the_result_of_a_ladder_game_lead_back(client):
    now = timezone.now()
    ladder = club(now, "ann", "bob", "dan")
    played = agreed(ladder, "bob", "ann", now=now)
    address = played.get_absolute_url()
    assert f'href="{address}"' in at(client, "bob").get(f"/m/{played.match.key}").content.decode()
    assert f'href="{address}"' in client.get(f"/m/{played.match.key}/0").content.decode()


def test_a_private_ladder_is_not_told_to_whoever_has_left_the_club(client):
    played = live(timezone.now(), private=True)
    clubs.leave(played.ladder.club, person("bob"), timezone.now())
    page = at(client, "bob").get(f"/m/{played.match.key}").content.decode()
    assert played.get_absolute_url() not in page


def test_what_a_challenge_asks_can_be_looked_at_from_the_ladder(client):
    now = timezone.now()
    made = challenge(club(now, "ann", "bob"), "bob", "ann", now=now)
    page = at(client, "ann").get(f"{CLUB}/ladders/1").content.decode()
    assert f'href="{made.get_absolute_url()}"' in page


def test_points_that_bots_made_for_whoever_had_left_are_not_told_as_the_result(client, rewriting):
    now = timezone.now()
    ladder = club(now, "ann", "bob")
    played = met(ladder, "bob", "ann", now=now - 2 * HOUR)
    assert text(client.get(f"{CLUB}/ladders/1")).count("9–8") == 1
    Match.objects.filter(pk=played.match.pk).update(result={"places": [1, 2], "points": [5, 11], "winners": [0]})
    assert "5–11" not in text(client.get(f"{CLUB}/ladders/1"))


def test_a_challenge_that_is_over_leads_back_to_the_ladder(client):
    now = timezone.now()
    played = met(club(now, "ann", "bob"), "bob", "ann", now=now - 2 * HOUR)
    assert "To the ladder" in text(client.get(played.get_absolute_url()))


# After the season, and at the desk


def test_a_game_that_runs_on_without_a_season_says_that_it_may_not_count(client):
    now = timezone.now()
    ladder = club(now, "ann", "bob")
    played = agreed(ladder, "bob", "ann", now=now)
    says = "No season is running. If the game ends"
    assert says not in text(at(client, "bob").get(played.get_absolute_url()))
    events.end_season(ladder, person("ann"), now)
    assert says in text(client.get(played.get_absolute_url()))


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("approve", "eve is now a member."),
        ("reject", "eve is no longer waiting to join."),
        ("appoint", "bob is now a steward."),
        ("dismiss", "dan is no longer a steward."),
        ("readmit", "fay can join again."),
    ],
)
def test_the_desk_tells_what_it_has_done(client, way, says):
    now = timezone.now()
    found = club(now, "ann", "bob", "dan", "fay").club
    ann = person("ann")
    found.joining = "ask"
    found.save()
    clubs.join(found, person("eve"), now)
    clubs.appoint(found, ann, person("dan"), now)
    clubs.expel(found, ann, person("fay"), "Ink.", now)
    response = at(client, "ann").post(f"{CLUB}/desk/{way}/{says.split()[0]}", follow=True)
    assert says in text(response)


# Words


def test_what_was_told_within_a_minute_was_told_just_now(client):
    now = timezone.now()
    notices.notify([person("ann")], "turn", "/m/1", now, by=person("bob"), names="bob", game="Biblios")
    assert "just now" in text(at(client, "ann").get("/notices"))
    notices.notify([person("dan")], "turn", "/m/1", now - 2 * HOUR, by=person("bob"), names="bob", game="Biblios")
    page = text(at(client, "dan").get("/notices"))
    assert re.search(r"(today|yesterday) \d\d:\d\d UTC", page) and "just now" not in page
