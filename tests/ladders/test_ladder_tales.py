"""The pages of a ladder to which everything has happened: its events, and the players of whom they tell."""

import re
from itertools import pairwise

import pytest

from games.ladders import events as ladders
from games.ladders import leaving
from games.ladders.models import Ladder
from games.ladders.pages import player, story
from games.ladders.payloads import Declined, SeasonBegun
from tests.clubs.clubs import DAY, START, club_of
from tests.ladders.ladder_stories import everything, numbers
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def pk(kept_rows):
    return everything().pk


@pytest.fixture
def ladder(pk, db):
    return Ladder.objects.get(pk=pk)


def test_all_events_are_shown_the_newest_first_to_everybody(client, ladder):
    seen, address = [], "/c/st-gall/ladders/1/history"
    query = ""
    while query is not None:
        response = client.get(address + query)
        seen += numbers(response)
        older = re.search(r'rel="next" href="(\?older=\d+)"', response.content.decode())
        query = older and older[1]
    assert seen == list(range(ladder.events))[::-1]


def test_events_can_be_chosen_by_kind(client, ladder):
    response = client.get("/c/st-gall/ladders/1/history?kind=result")
    assert numbers(response) == [event.number for event in ladder.log.filter(kind="result").order_by("-number")]
    assert '<option value="result" selected>' in response.content.decode()
    assert client.get("/c/st-gall/ladders/1/history?kind=").status_code == 200
    club_of("ann", slug="empty", season=False)
    assert "Nothing of this kind yet." in client.get("/c/empty/ladders/1/history?kind=void").content.decode()


def test_events_can_be_chosen_by_player_and_season(client, ladder):
    ladder.club.members.create(user=person("kim"), joined_at=START)
    ladders.join(ladder, person("kim"), START + 40 * DAY)
    ladders.start_season(ladder, person("ann"), START + 41 * DAY)
    leaving.leave(ladder, person("kim"), START + 42 * DAY)
    address = "/c/st-gall/ladders/1/history"
    ladder.refresh_from_db()
    begins = ladder.log.filter(kind=SeasonBegun.kind).last().number
    assert numbers(client.get(f"{address}?season=2")) == [begins + 1, begins]
    assert numbers(client.get(f"{address}?player=KIM")) == [begins + 1, begins - 1]
    assert numbers(client.get(f"{address}?player=kim&season=2")) == [begins + 1]
    assert numbers(client.get(f"{address}?player=kim&season=2&kind=join")) == []
    dan = numbers(client.get(f"{address}?player=dan"))
    declined = ladder.log.get(kind=Declined.kind).number
    assert declined in dan and begins + 1 not in dan
    response = client.get(f"{address}?player=nobody%00")
    assert numbers(response) == [] and "There’s no player “nobody” on this ladder." in text(response)
    assert client.get(f"{address}?season=3").status_code == 404


def test_an_event_has_an_address_of_its_own(client, ladder):
    response = client.get("/c/st-gall/ladders/1/history?event=8")
    assert numbers(response)[0] == 8
    assert 'class="event gone asked" id="e8"' in response.content.decode()
    assert 'href="?newer=8"' in response.content.decode()


@pytest.mark.parametrize(
    "query", ["kind=nothing", "older=x", "newer=-1", "older=123456789012345678", "event=999", "event=x", "event=%C2%B2"]
)
def test_an_address_that_means_nothing_is_404(client, ladder, query):
    assert client.get(f"/c/st-gall/ladders/1/history?{query}").status_code == 404


def test_reasons_are_shown_as_text(client, ladder):
    html = client.get("/c/st-gall/ladders/1/history").content.decode()
    assert "Was here &lt;b&gt;first&lt;/b&gt;." in html
    assert "They were forgotten." in html
    assert "Shouted at people." not in html, "why somebody was expelled is private"
    assert "They had agreed to play again." in html


def test_only_stewards_are_offered_to_undo(client, ladder):
    for name, offered in (("bob", False), ("ann", True)):
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        html = client.get("/c/st-gall/ladders/1/history").content.decode()
        assert ("/ladders/1/desk/undo/" in html) is offered
        assert "/ladders/1/desk/undo/8" not in html, "is undone already"


def test_the_steps_of_the_list_lead_from_the_first_to_the_present_position(ladder):
    for name in ("ann", "bob", "dan", "eve", "gus"):
        user = person(name)
        events = list(player.moves(ladder, user).order_by("number"))
        steps = [each.mine for each in story.narrate(ladder, events, user.pk)]
        assert steps[0].before is None
        assert all(one.after == other.before for one, other in pairwise(steps))
        assert steps[-1].after == ladder.now_standing().position(user.pk)


def test_the_numbers_of_a_player(client, ladder):
    words = text(client.get("/c/st-gall/ladders/1/player/EVE").content.decode())
    standing = ladder.now_standing()
    known = standing.players[person("eve").pk]
    place = standing.position(person("eve").pk)
    assert f"Rung {place} Best rung" in words
    assert f"Club rating {known.rating:.0f}? Won–lost 1–1" in words
    assert "Last games Wwon Llost" in words
    assert "A game of 3 ended: 1. eve, 2. dan, 2. fay." in words


def test_whoever_has_left_still_has_their_page(client, ladder):
    words = text(client.get("/c/st-gall/ladders/1/player/gus").content.decode())
    assert "No longer on this ladder" in words
    assert "ann expelled gus from the club" in words


@pytest.mark.parametrize("name", ["cho", "nobody", "%00", "b%00b"])
def test_whoever_was_never_on_the_ladder_has_no_page(client, ladder, name):
    person("cho")
    assert client.get(f"/c/st-gall/ladders/1/player/{name}").status_code == 404


def test_an_old_page_of_moves_can_be_turned_to(client, ladder):
    assert client.get("/c/st-gall/ladders/1/player/bob?older=9").status_code == 200
    assert client.get("/c/st-gall/ladders/1/player/bob?older=x").status_code == 404


@pytest.mark.parametrize("span", ["season", "all", "nonsense"])
def test_the_graph_is_drawn_for_a_season_and_for_all(client, ladder, span):
    html = client.get(f"/c/st-gall/ladders/1/player/bob?span={span}").content.decode()
    assert html.count("<polyline") == 1 and "Rung from" in html
