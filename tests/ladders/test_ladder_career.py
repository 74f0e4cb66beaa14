"""One player of a ladder over time: how they got where they are, and the graph."""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from games.ladders import events
from games.ladders.pages import player, seasons
from games.ladders.pages.player import Stand
from games.ladders.rules import Rules
from tests.clubs.clubs import DAY, START, club_of, met, until
from tests.ladders.ladder_pages import HOUR
from tests.ladders.ladder_stories import numbers
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_a_player_is_told_what_moved_them_also_when_others_passed_them(client):
    ladder = club_of("ann", "bob", "dan", "eve")
    met(ladder, "eve", "ann")
    html = client.get("/c/st-gall/ladders/1/player/dan").content.decode()
    assert "Rung 4 of 4" in html and "Why rung 4" in html
    assert numbers(client.get("/c/st-gall/ladders/1/player/dan")) == [5, 2]
    words = text(html)
    assert "eve beat ann. ▼ 3 → 4from 3 to 4 others went past" in words
    assert "dan joined the ladder, at the bottom. now on the ladder, at 3" in words


def test_a_player_who_is_away_or_taken_off_is_said_to_be(client):
    now = timezone.now()
    ladder = club_of("ann", "bob", "dan", "eve", now=now - DAY, rules=Rules(most_late=1))
    events.vacation(ladder, person("bob"), now, now + 5 * DAY, now - HOUR)
    events.vacation(ladder, person("ann"), now + 2 * DAY, now + 5 * DAY, now - HOUR)
    met(ladder, "eve", "dan", late=("dan",), now=now - 2 * HOUR)
    assert "on vacation until" in client.get("/c/st-gall/ladders/1/player/bob").content.decode()
    assert "vacation from" in client.get("/c/st-gall/ladders/1/player/ann").content.decode()
    assert "Off the ladder until they say" in client.get("/c/st-gall/ladders/1/player/dan").content.decode()


# The graph


def at(days: float):
    return START + timedelta(days=days)


def test_the_graph_runs_level_and_steps():
    graph = player.chart([Stand(at(0), 3), Stand(at(4), 1), Stand(at(8), 2)], at(10))
    (line,) = graph.lines
    points = [tuple(map(float, point.split(","))) for point in line.split()]
    assert all(one[0] == other[0] or one[1] == other[1] for one, other in pairwise(points))
    assert points[0][1] > points[-1][1] > min(y for _, y in points), "position 1 is on top"
    assert (points[0][0], points[-1][0]) == (44, 626)
    assert (graph.top, graph.first, graph.final) == (1, 3, 2)


def test_the_line_of_the_graph_breaks_where_somebody_is_off_the_ladder():
    graph = player.chart([Stand(at(0), 3), Stand(at(4), None), Stand(at(8), 5)], at(10))
    assert len(graph.lines) == 2 and graph.last is not None
    graph = player.chart([Stand(at(0), 3), Stand(at(4), None)], at(10))
    assert len(graph.lines) == 1 and graph.last is None and graph.final is None


def test_the_graph_never_runs_backwards():
    graph = player.chart([Stand(at(3), 3), Stand(at(1), 2), Stand(at(4), 1)], at(5))
    xs = [float(point.split(",")[0]) for point in graph.lines[0].split()]
    assert xs == sorted(xs)


def test_a_graph_of_nothing_is_none():
    assert player.chart([], at(1)) is None
    assert player.chart([Stand(at(0), None)], at(1)) is None


def test_the_graph_of_a_season_begins_with_the_season():
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1))
    met(ladder, "bob", "ann")
    until(ladder, START + 7 * DAY)
    season = seasons.running_season(ladder, ladder.now_standing())
    assert season.data["number"] == 2
    assert player.stands(ladder, person("bob"), season) == [Stand(START + 7 * DAY, 1)]
    met(ladder, "dan", "ann", now=START + 8 * DAY)
    assert [stand.position for stand in player.stands(ladder, person("ann"), season)] == [2, 3]
    assert [stand.position for stand in player.stands(ladder, person("ann"))] == [1, 2, 3]
    assert player.best(ladder, person("ann")) == 1
