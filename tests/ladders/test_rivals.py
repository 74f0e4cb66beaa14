"""Who has beaten whom: two players face to face, and the cross table."""

import re

import pytest

from games.ladders import events, leaving
from games.ladders.pages import rivals
from games.ladders.payloads import GameResult
from games.ladders.rules import Rules
from tests.clubs.clubs import DAY, START, club_of, met, until
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LADDER = "/c/st-gall/ladders/1"


@pytest.fixture
def ladder():
    """In season 1 dan beat ann, then eve beat dan and bob; in season 2 dan and ann shared, and a game was undone."""
    ladder = club_of("ann", "bob", "dan", "eve", rules=Rules(season_weeks=1, rest_days=0, reach=9))
    met(ladder, "dan", "ann")
    met(ladder, "eve", "bob", "dan", now=START + DAY, places=(1, 2, 3))
    until(ladder, START + 8 * DAY)
    met(ladder, "ann", "dan", places=(1, 1), now=START + 9 * DAY)
    met(ladder, "ann", "bob", places=(2, 1), now=START + 10 * DAY)
    events.undo(ladder, person("ann"), ladder.log.filter(kind=GameResult.kind).last().number, "No.", START + 11 * DAY)
    ladder.refresh_from_db()
    return ladder


def rows(client, query=""):
    """The cross table: the names of the columns, and by row what one reads in it."""
    html = client.get(f"{LADDER}/cross-table{query}").content.decode().partition('class="cross"')[2]
    head, *body = [re.findall(r"<t[dh].*?</t[dh]>", row, re.S) for row in re.findall(r"<tr.*?</tr>", html, re.S)]
    return [text(cell) for cell in head[1:-1]], {text(row[0]): [text(cell) for cell in row[1:]] for row in body}


def test_the_cross_table_has_everybody_against_everybody_by_rung(client, ladder):
    assert rows(client) == (
        ["eve", "bob", "dan", "ann"],
        {
            "1eve": ["", "1–0", "1–0", "", "2–0"],
            "2bob": ["0–1", "", "1–0", "", "1–1"],
            "3dan": ["0–1", "0–1", "", "1–0=1", "1–2"],
            "4ann": ["", "", "0–1=1", "", "0–1"],
        },
    )


def test_the_cross_table_is_of_one_season_and_in_another_order_too(client, ladder):
    columns, found = rows(client, "?season=2&sort=name")
    assert columns == ["ann", "dan"]
    assert found == {"4ann": ["", "0–0=1", "0–0"], "3dan": ["0–0=1", "", "0–0"]}
    assert rows(client, "?season=1&sort=games")[0] == ["dan", "bob", "eve", "ann"]
    assert "dan against ann: 1 won, 0 lost, 1 shared" in client.get(f"{LADDER}/cross-table").content.decode()
    for query in ("?sort=age", "?season=9", "?season=x"):
        assert client.get(f"{LADDER}/cross-table{query}").status_code == 404


def test_a_cross_table_of_very_many_says_how_many_it_leaves_out(client, ladder, monkeypatch):
    monkeypatch.setattr(rivals, "MOST", 2)
    page = client.get(f"{LADDER}/cross-table")
    assert "2 more players aren’t shown." in text(page)
    assert rows(client)[0] == ["eve", "bob"]


def test_two_players_face_to_face(client, ladder):
    page = client.get(f"{LADDER}/head-to-head?one=DAN&two=ann")
    words = text(page)
    assert "dan won 1, ann won 0." in words and "1 shared" in words
    assert "dan beat ann." in words and "eve" not in words.partition("Their games")[2]
    assert "ann won 0, dan won 1." in text(client.get(f"{LADDER}/head-to-head?one=ann&two=dan"))
    words = text(client.get(f"{LADDER}/head-to-head?one=bob&two=ann"))
    assert "bob won 0, ann won 0." in words and "undone" in words, "it is shown, and does not count"
    assert "None yet." in text(client.get(f"{LADDER}/head-to-head?one=eve&two=ann"))


def test_the_page_of_a_player_has_those_they_met(client, ladder):
    words = text(client.get(f"{LADDER}/player/dan"))
    assert "Head to head Cross table ann1–0 1 shared bob0–1 eve0–1" in words
    assert "head-to-head?one=dan&amp;two=ann" in client.get(f"{LADDER}/player/dan").content.decode()


def test_who_is_not_on_the_ladder_is_not_told_apart_from_who_does_not_exist(client, ladder):
    person("cho")
    for name in ("cho", "nobody", "a\0b", "x" * 300):
        page = client.get(f"{LADDER}/head-to-head", {"one": "ann", "two": name})
        assert page.status_code == 200
        assert "There’s no player" in text(page)
    assert "Choose two different players." in text(client.get(f"{LADDER}/head-to-head?one=ann&two=Ann"))
    assert "Choose two players" in text(client.get(f"{LADDER}/head-to-head"))
    assert client.get(f"{LADDER}/head-to-head?one=ann&two=dan&older=x").status_code == 404


def test_who_has_left_is_still_in_the_tables(client, ladder):
    leaving.leave(ladder, person("eve"), START + 12 * DAY)
    columns, found = rows(client)
    assert columns[-1] == "eve" and found["–eve"] == ["1–0", "1–0", "", "", "2–0"]
    assert "No longer on this ladder" in text(client.get(f"{LADDER}/head-to-head?one=eve&two=dan"))


def test_of_a_private_club_outsiders_see_no_rivals(client):
    club_of("ann", "bob", private=True)
    for name, status in ((None, 404), ("cho", 404), ("bob", 200)):
        if name:
            client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        for page in ("cross-table", "head-to-head", "head-to-head?one=ann&two=bob"):
            assert client.get(f"{LADDER}/{page}").status_code == status
