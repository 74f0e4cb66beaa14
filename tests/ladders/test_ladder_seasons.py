"""The seasons of a ladder: their list, their tables, their games."""

import pytest

from games.ladders import events
from games.ladders.pages import seasons
from games.ladders.rules import Rules
from games.ladders.standing import Kind
from tests.clubs.clubs import DAY, START, agreed, club_of, ended, met, until
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db


def test_the_seasons_are_listed_with_who_was_first(client):
    ladder = club_of("ann", "bob", rules=Rules(season_weeks=1))
    met(ladder, "bob", "ann")
    until(ladder, START + 8 * DAY)
    words = text(client.get("/c/st-gall/ladder/seasons").content.decode())
    assert "Season 2 since 9 Mar 2026, ends on 16 Mar 2026 running" in words
    assert "Season 1 2 Mar 2026 to 9 Mar 2026 First: bob" in words
    club_of("ann", slug="new", season=False)
    assert "No season has begun yet." in client.get("/c/new/ladder/seasons").content.decode()


def test_a_season_has_its_final_table_and_its_games(client):
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1))
    met(ladder, "bob", "ann")
    until(ladder, START + 8 * DAY)
    met(ladder, "dan", "ann", now=START + 9 * DAY)
    events.leave(ladder, person("bob"), START + 10 * DAY)
    response = client.get("/c/st-gall/ladder/seasons/1")
    words = text(response.content.decode())
    assert "Final table" in words
    table = [row.name for row in seasons.ranking(ladder, seasons.season(ladder, 1))]
    assert table == ["bob", "ann", "dan"], "also who has left"
    assert "bob beat ann." in words and "dan beat ann." not in words
    words = text(client.get("/c/st-gall/ladder/seasons/2").content.decode())
    assert "So far" in words and "dan beat ann." in words and "bob beat ann." not in words
    assert client.get("/c/st-gall/ladder/seasons/3").status_code == 404


def test_a_result_that_was_undone_is_marked_in_the_season(client):
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann")
    ended(challenge, 1, 2, now=START + DAY)
    number = ladder.log.get(kind=Kind.RESULT).number
    events.undo(ladder, person("ann"), number, "A mistake.", START + 2 * DAY)
    html = client.get("/c/st-gall/ladder/seasons/1").content.decode()
    assert '<span class="tag bad">undone</span>' in html
