"""A ladder as a file, on paper, and in a frame of another site."""

import csv
import io
import json
import re
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from biblios_site import middleware
from games.ladders import events as ladders
from games.ladders import leaving
from games.ladders.pages import export
from games.ladders.payloads import GameResult, SeasonEnded
from games.ladders.rules import Rules
from tests.clubs.clubs import DAY, START, club_of, met, until
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once]
HOUR = timedelta(hours=1)
CLUB = "/c/st-gall/ladders/1"
FILES = [
    *(f"{CLUB}.csv", f"{CLUB}.json", f"{CLUB}/results.csv", f"{CLUB}/results.json"),
    *(f"{CLUB}/seasons/1.csv", f"{CLUB}/seasons/1.json"),
]


@pytest.fixture
def ladder():
    """A ladder in its second season."""
    ladder = club_of("ann", "bob", "dan", "eve", "fay", rules=Rules(season_weeks=1, most_late=1))
    met(ladder, "bob", "ann", now=START)
    met(ladder, "fay", "eve", "dan", places=(2, 1, 2), now=START + 2 * HOUR)
    met(ladder, "dan", "ann", places=(2, 1), late=("dan",), now=START + 4 * HOUR)
    ladders.undo(ladder, person("ann"), ladder.log.filter(kind=GameResult.kind).first().number, "No.", START + DAY)
    until(ladder, START + 8 * DAY)
    met(ladder, "eve", "ann", now=START + 9 * DAY)
    leaving.leave(ladder, person("bob"), START + 10 * DAY)
    ladder.refresh_from_db()
    return ladder


def table(client, address) -> list[dict]:
    """The rows of a CSV file, as a spreadsheet reads them."""
    response = client.get(address)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response.content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))


def document(client, address) -> dict:
    response = client.get(address)
    assert response["Content-Type"] == "application/json"
    return json.loads(response.content)


def flat(rows, columns) -> list[dict]:
    """Rows as a CSV file has them."""

    def cell(value):
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "" if value is None else str(value)

    return [{name: cell(row[name]) for name in columns} for row in rows]


def test_the_files_of_the_ladder_are_the_ladder(client, ladder):
    standing = ladder.now_standing()
    found = document(client, f"{CLUB}.json")
    assert (found["club"], found["slug"], found["game"]) == ("St Gall", "st-gall", "biblios")
    rows = found["ladder"]
    names = {person(name).pk: name for name in ("ann", "bob", "dan", "eve", "fay")}
    assert [row["player"] for row in rows] == [names[one] for one in (*standing.order, *standing.taken_off())]
    assert [row["position"] for row in rows] == [1, 2, 3, None], "dan is taken off"
    for row in rows:
        known = standing.players[person(row["player"]).pk]
        assert (row["rating"], row["games"], row["form"]) == (round(known.rating), known.games, known.form)
        assert datetime.fromisoformat(row["joined"]) == START
    assert table(client, f"{CLUB}.csv") == flat(rows, export.LADDER)


def test_a_vacation_is_in_the_file_of_the_ladder(client):
    now = timezone.now()
    ladder = club_of("ann", "bob", now=now - DAY)
    ladders.vacation(ladder, person("bob"), now - HOUR, now + 5 * DAY, now - HOUR)
    assert [bool(row["away_until"]) for row in document(client, f"{CLUB}.json")["ladder"]] == [False, True]


def test_the_files_of_the_results_are_the_results(client, ladder):
    rows = document(client, f"{CLUB}/results.json")["results"]
    events = list(ladder.log.filter(kind=GameResult.kind).order_by("number"))
    assert [row["event"] for row in rows] == [event.number for event in events]
    assert [row["undone"] for row in rows] == [True, False, False, False]
    assert [datetime.fromisoformat(row["time"]) for row in rows] == [event.at for event in events]
    assert rows[0]["game"] == f"{settings.SITE_URL}/m/{events[0].data['match']}"
    assert rows[0]["players"] == [
        {"player": "bob", "place": 1, "points": 9, "from": 2, "to": 1, "late": False},
        {"player": "ann", "place": 2, "points": 8, "from": 1, "to": 2, "late": False},
    ]
    assert [row["challenger"] for row in rows] == ["bob", "fay", "dan", "eve"]
    assert [(one["player"], one["place"]) for one in rows[1]["players"]] == [("eve", 1), ("fay", 2), ("dan", 2)]
    assert [one["late"] for one in rows[2]["players"]] == [False, True]
    assert table(client, f"{CLUB}/results.csv") == flat(export.flat(rows), export.RESULTS)


def test_the_files_of_a_season_are_its_final_table_also_with_who_has_left(client, ladder):
    final = ladder.log.get(kind=SeasonEnded.kind).data["final"]
    found = document(client, f"{CLUB}/seasons/1.json")
    rows = found["table"]
    assert [[person(row["player"]).pk, row["rating"], row["games"]] for row in rows] == [
        [player, round(rating), games] for player, rating, games in final
    ]
    assert "bob" in [row["player"] for row in rows]
    tallies = {row["player"]: [row[name] for name in ("won", "shared", "lost", "best", "change")] for row in rows}
    assert tallies["ann"] == [1, 0, 0, 1, 0], "the game that was undone does not count"
    assert tallies["bob"] == [0, 0, 0, 2, 0] and tallies["eve"] == [1, 0, 0, 3, 1]
    assert [row["position"] for row in rows] == list(range(1, len(final) + 1))
    assert [datetime.fromisoformat(found[name]) for name in ("began", "ended")] == [START, START + 7 * DAY]
    assert len(found["results"]) == 3
    assert table(client, f"{CLUB}/seasons/1.csv") == flat(rows, export.SEASON)


def test_the_file_of_a_season_that_runs_is_how_it_stands(client, ladder):
    found = document(client, f"{CLUB}/seasons/2.json")
    assert found["ended"] is None and len(found["results"]) == 1
    assert [person(row["player"]).pk for row in found["table"]] == list(ladder.now_standing().order)
    for kind in ("csv", "json"):
        assert client.get(f"{CLUB}/seasons/3.{kind}").status_code == 404


@pytest.mark.parametrize("name", ["=1+1", "+SUM", "-bob", "@cho"])
def test_no_name_is_a_formula_in_a_spreadsheet(client, name):
    club_of("ann", name)
    (first, second) = table(client, f"{CLUB}.csv")
    assert first["player"] == "ann"
    assert second["player"] == f"'{name}"
    assert document(client, f"{CLUB}.json")["ladder"][1]["player"] == name


def test_no_text_of_a_file_begins_as_a_formula_does():
    text = export.written([{"a": "\t=1", "b": "\r=1"}, {"a": -3, "b": "x=1"}], ("a", "b"))
    assert list(csv.reader(io.StringIO(text[1:], newline=""))) == [["a", "b"], ["'\t=1", "'\r=1"], ["-3", "x=1"]]


def test_names_of_all_alphabets_are_in_the_files(client):
    club_of("Bára", "Æsa", "غزال")
    assert [row["player"] for row in table(client, f"{CLUB}.csv")] == ["Bára", "Æsa", "غزال"]
    assert "غزال" in client.get(f"{CLUB}.json").content.decode()


def test_on_the_page_for_a_printer_everything_has_its_landmark(client, ladder):
    body = client.get(f"{CLUB}/print").content.decode().partition("<body")[2].partition(">")[2]
    assert re.fullmatch(r"\s*<nav.*?</nav>\s*<main.*?</main>\s*</body>\s*</html>\s*", body, flags=re.S)


def test_an_empty_ladder_has_files_too(client):
    ladder = club_of("ann", "bob")
    for name in ("ann", "bob"):
        leaving.leave(ladder, person(name), START)
    for address in FILES:
        assert client.get(address).status_code == 200
    assert table(client, f"{CLUB}.csv") == []


def test_files_have_names_of_their_own_and_are_kept(client, ladder):
    found = [client.get(address)["Content-Disposition"] for address in FILES]
    assert found[0] == 'attachment; filename="st-gall-ladder.csv"'
    assert found[-1] == 'attachment; filename="st-gall-season-1.json"'
    assert len(set(found)) == len(FILES)


def test_whoever_takes_many_files_is_stopped(client, ladder, at_most):
    at_most("exports", 1)
    assert [client.get(address).status_code for address in FILES[:3]] == [200, 429, 429]


@pytest.mark.parametrize("address", [*FILES, f"{CLUB}/print"])
def test_of_a_private_club_outsiders_get_no_file(client, address):
    club_of("ann", "bob", private=True)
    for name, status in ((None, 404), ("cho", 404), ("bob", 200)):
        client.logout()
        if name:
            client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(address).status_code == status


# On paper


def test_the_page_to_print_has_the_ladder_the_season_and_the_date(client, ladder):
    html = client.get(f"{CLUB}/print").content.decode()
    assert "The ladder in season 2, which ends on 16 Mar 2026" in html
    assert "As of " in html and " UTC" in html
    positions = [html.index(f"<bdi>{row.username}</bdi>") for row in map(person, ("eve", "ann", "fay"))]
    assert positions == sorted(positions)
    assert "<script" not in html and "<header class=" not in html
    ladders.end_season(ladder, person("ann"), START + 12 * DAY)
    html = client.get(f"{CLUB}/print").content.decode()
    assert "The ladder after season 2, which ended on 14 Mar 2026" in html


def test_a_ladder_before_its_first_season_can_be_printed(client):
    club_of("ann", season=False)
    assert "The ladder</p>" in client.get(f"{CLUB}/print").content.decode()


# In a frame


def test_the_page_for_other_sites_may_be_framed_by_all_and_no_other_page_by_any(client, ladder):
    framed = client.get(f"{CLUB}/embed")
    policy = framed["Content-Security-Policy"]
    assert policy == middleware.POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
    assert "X-Frame-Options" not in framed
    assert framed["Cross-Origin-Resource-Policy"] == "cross-origin"
    for address in ("", "/history", "/player/ann", "/seasons", "/seasons/1", "/print", "/results.csv"):
        other = client.get(CLUB + address)
        assert other.status_code == 200
        assert other["Content-Security-Policy"] == middleware.POLICY
        assert other["X-Frame-Options"] == "DENY"
        assert other["Cross-Origin-Resource-Policy"] == "same-origin"


def test_the_page_for_other_sites_says_nothing_of_whoever_looks_and_keeps_nothing(client, ladder):
    nobody = client.get(f"{CLUB}/embed")
    assert not nobody.cookies
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    client.get(CLUB)
    assert client.get(f"{CLUB}/embed").content == nobody.content
    html = nobody.content.decode()
    assert "<form" not in html and "<script" not in html and "csrf" not in html
    positions = [html.index(f"<bdi>{name}</bdi>") for name in ("eve", "ann", "fay")]
    assert positions == sorted(positions)
    assert f'href="{settings.SITE_URL}/c/st-gall/ladders/1" target="_blank" rel="noopener"' in html


@pytest.mark.parametrize("theme, chosen", [("light", "light"), ("dark", "dark"), ("pink", "auto"), ("", "auto")])
def test_the_page_for_other_sites_can_be_light_or_dark(client, ladder, theme, chosen):
    assert f'data-theme="{chosen}"' in client.get(f"{CLUB}/embed?theme={theme}").content.decode()


def test_a_private_ladder_is_shown_on_no_other_site_not_even_to_members(client):
    club_of("ann", private=True)
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get(f"{CLUB}/embed")
    assert answer.status_code == 404
    assert answer["Content-Security-Policy"] == middleware.POLICY
    assert "/embed" not in client.get(f"{CLUB}/desk").content.decode()
    assert (
        client.get("/c/none/ladders/1/embed").status_code == client.get("/c/a%00b/ladders/1/embed").status_code == 404
    )
