"""The seasons of a ladder: their list, their tables, their games."""

import pytest

from games.ladders import events, leaving
from games.ladders.pages import seasons, tallies
from games.ladders.payloads import GameResult
from games.ladders.rules import Rules
from tests.clubs.clubs import DAY, START, agreed, club_of, ended, met, until
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db


def test_the_seasons_are_listed_with_who_was_first(client):
    ladder = club_of("ann", "bob", rules=Rules(season_weeks=1))
    met(ladder, "bob", "ann")
    until(ladder, START + 8 * DAY)
    words = text(client.get("/c/st-gall/ladders/1/seasons").content.decode())
    assert "Season 2 since 9 Mar 2026, ends on 16 Mar 2026 running" in words
    assert "Season 1 2 Mar 2026 to 9 Mar 2026 First: bob" in words
    club_of("ann", slug="new", season=False)
    assert "No season has begun yet." in client.get("/c/new/ladders/1/seasons").content.decode()


def test_a_season_has_its_final_table_and_its_games(client):
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1))
    met(ladder, "bob", "ann")
    until(ladder, START + 8 * DAY)
    met(ladder, "dan", "ann", now=START + 9 * DAY)
    leaving.leave(ladder, person("bob"), START + 10 * DAY)
    response = client.get("/c/st-gall/ladders/1/seasons/1")
    words = text(response.content.decode())
    assert "Final standings" in words
    table = [row.person.name for row in seasons.ranking(ladder, seasons.season(ladder, 1))]
    assert table == ["bob", "ann", "dan"], "also who has left"
    assert "bob beat ann." in words and "dan beat ann." not in words
    words = text(client.get("/c/st-gall/ladders/1/seasons/2").content.decode())
    assert "So far" in words and "dan beat ann." in words and "bob beat ann." not in words
    assert client.get("/c/st-gall/ladders/1/seasons/3").status_code == 404


def test_the_table_of_a_season_and_the_page_of_a_player_say_who_won_and_lost(client):
    ladder = club_of("ann", "bob", "dan", "eve", rules=Rules(rest_days=0))
    met(ladder, "bob", "ann", now=START)
    met(ladder, "ann", "bob", places=(1, 1), now=START + DAY)
    met(ladder, "eve", "dan", "ann", now=START + 2 * DAY, places=(1, 2, 3))
    met(ladder, "dan", "bob", now=START + 3 * DAY)
    events.undo(ladder, person("ann"), ladder.log.filter(kind=GameResult.kind).last().number, "No.", START + 4 * DAY)
    ladder.club.members.create(user=person("fay"), joined_at=START)
    events.join(ladder, person("fay"), START + 5 * DAY)
    ladder.refresh_from_db()
    found = seasons.season(ladder, 1)
    counted, _awards = tallies.of_season(ladder, found, (player for player, *_ in seasons.ranks(ladder, found)))
    told = {name: counted[person(name).pk] for name in ("ann", "bob", "dan", "eve", "fay")}
    assert [(one.won, one.shared, one.lost) for one in told.values()] == [
        (0, 1, 2),
        (1, 1, 0),
        (0, 0, 1),
        (1, 0, 0),
        (0, 0, 0),
    ]
    assert [one.best for one in told.values()] == [1, 1, 3, 2, 5]
    assert [one.change for one in told.values()] == [-3, 1, 0, 2, None]
    words = text(client.get("/c/st-gall/ladders/1/seasons/1"))
    assert "bob ▲ 1 1 rung up 1 1–0 1 shared 2" in words
    assert "fay new 5 – 0" in words
    assert "Won–lost 1–0 1 shared" in text(client.get("/c/st-gall/ladders/1/player/bob"))


def test_a_result_that_was_undone_is_marked_in_the_season(client):
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann")
    ended(challenge, 1, 2, now=START + DAY)
    number = ladder.log.get(kind=GameResult.kind).number
    events.undo(ladder, person("ann"), number, "A mistake.", START + 2 * DAY)
    html = client.get("/c/st-gall/ladders/1/seasons/1").content.decode()
    assert '<span class="tag bad">undone</span>' in html
