"""Results from the real table on the pages: entered, confirmed, disputed, decided."""

import re
from html import unescape

import pytest
from django.utils import timezone

from games.ladders import at_table, events
from games.ladders.models import TableResult
from games.ladders.rules import Rules
from tests.ladders.ladder_pages import club
from tests.ladders.logs import last
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TABLE = "/c/st-gall/ladders/1/table"


def sent(*names, **more):
    """The form as a browser sends it."""
    fields = {f"place_{number}": str(number) for number in range(1, 5)}
    fields |= {f"player_{number}": person(name).pk for number, name in enumerate(names, 1)}
    return {**fields, "played_on": timezone.now().date().isoformat(), **more}


def words(response):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


@pytest.fixture
def ladder():
    return club(timezone.now(), rules=Rules(at_table=True))


def entered(ladder, *names):
    finished = [at_table.Finished(person(name), place) for place, name in enumerate(names, 1)]
    return at_table.enter(ladder, person(names[0]), finished, timezone.now().date(), timezone.now())


def test_a_result_goes_from_the_form_to_the_ladder(client, ladder):
    client.force_login(person("eve"))
    assert "Enter a result" in client.get("/c/st-gall/ladders/1").content.decode()
    page = client.get(TABLE).content.decode()
    assert f'<option value="{person("eve").pk}" selected>eve</option>' in page
    answer = client.post(TABLE, sent("eve", "bob", points_1="31", points_2="29"))
    entry = TableResult.objects.get()
    assert answer.url == entry.get_absolute_url()
    client.force_login(person("bob"))
    for strip in ("/play", "/c/st-gall"):
        assert "eve has entered a result from the real table" in words(client.get(strip)), strip
    shown = words(client.get("/c/st-gall/ladders/1"))
    assert "not confirmed by bob" in shown and "has entered a result" not in shown
    assert "Is it right?" in words(client.get(entry.get_absolute_url()))
    assert client.post(f"{entry.get_absolute_url()}/confirm").url == entry.get_absolute_url()
    assert "It counts, and has moved the ladder." in words(client.get(entry.get_absolute_url()))
    told = words(client.get("/c/st-gall/ladders/1"))
    assert "eve beat bob 31 –29" in told and "at the table" in told
    assert "eve beat bob" in words(client.get("/c/st-gall/ladders/1/history?kind=at-table"))
    assert "eve beat bob" in words(client.get("/c/st-gall/ladders/1/player/eve"))
    assert "eve beat bob" in words(client.get("/c/st-gall/ladders/1/history?player=bob"))
    assert "Won–lost 1–0" in words(client.get("/c/st-gall/ladders/1/player/eve"))


def test_what_was_typed_is_kept_when_it_is_refused(client, ladder):
    client.force_login(person("eve"))
    answer = client.post(TABLE, sent("eve", "bob", points_1="many", points_2="29"))
    page = answer.content.decode()
    assert answer.status_code == 422 and "Points are a whole number" in page
    assert 'value="many"' in page and f'<option value="{person("bob").pk}" selected>bob</option>' in page
    answer = client.post(TABLE, sent("eve", "bob", points_1="3", points_2="29"))
    assert "more points than a player with a better place" in words(answer)
    assert not TableResult.objects.exists()


def test_a_dispute_has_a_word_that_only_those_concerned_and_the_stewards_read(client, ladder):
    entry = entered(ladder, "eve", "bob")
    client.force_login(person("bob"))
    assert client.post(f"{entry.get_absolute_url()}/dispute", {"word": ""}).status_code == 422
    client.post(f"{entry.get_absolute_url()}/dispute", {"word": "It was <b>29</b> to 31."})
    client.force_login(person("ann"))
    assert "A result from the real table is disputed" in words(client.get("/play"))
    page = client.get(entry.get_absolute_url()).content.decode()
    assert "It was &lt;b&gt;29&lt;/b&gt; to 31." in page
    answer = client.post(f"{entry.get_absolute_url()}/decide", {"do": "count", "reason": ""})
    assert answer.status_code == 422 and "Please give a reason" in words(answer)
    client.post(f"{entry.get_absolute_url()}/decide", {"do": "count", "reason": "I saw it."})
    client.force_login(person("hal"))
    assert client.get(entry.get_absolute_url()).status_code == 404
    told = words(client.get("/c/st-gall/ladders/1/history"))
    assert "Confirmed by ann" in told and "I saw it." in told and "to 31" not in told


def test_it_is_exported_as_played_at_the_table(client, ladder):
    at_table.confirm(entered(ladder, "eve", "bob"), person("bob"), timezone.now())
    [row] = client.get("/c/st-gall/ladders/1/results.json").json()["results"]
    assert (row["game"], row["challenger"], row["at_table"]) == (None, None, timezone.now().date().isoformat())
    assert [(one["player"], one["points"], one["from"], one["to"]) for one in row["players"]] == [
        ("eve", None, 4, 2),
        ("bob", None, 2, 3),
    ]


def test_the_rules_of_the_ladder_say_how_and_only_if_it_is_allowed(client, ladder):
    told = words(client.get("/c/st-gall/ladders/1/rules"))
    assert "If not all of them have confirmed it after 48 hours, it lapses" in told
    assert "They don’t count for the site’s rating." in told
    events.set_rules(ladder, person("ann"), Rules(), timezone.now())
    assert "48 hours" not in words(client.get("/c/st-gall/ladders/1/rules"))
    client.force_login(person("eve"))
    assert "From the real table" not in words(client.get("/c/st-gall/ladders/1"))
    assert "only games played here count" in words(client.get(TABLE))
    assert client.post(TABLE, sent("eve", "bob")).status_code == 422


def test_the_undo_page_knows_it(client, ladder):
    at_table.confirm(entered(ladder, "eve", "bob"), person("bob"), timezone.now())
    client.force_login(person("ann"))
    number = last(ladder).number
    assert "eve beat bob" in words(client.get(f"/c/st-gall/ladders/1/desk/undo/{number}"))
    client.post(f"/c/st-gall/ladders/1/desk/undo/{number}", {"reason": "A joke."})
    assert last(ladder).kind == "undo"
    assert "undone by a steward" in words(client.get("/c/st-gall/ladders/1"))
