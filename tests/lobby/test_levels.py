"""Levels of bots: where people choose one, what is shown of it, and what a title without levels shows."""

import re

import pytest
from django.utils import timezone

from games.engine.registry import game_of
from games.faces import levels
from games.lobby import house, open_matches
from games.matches import access
from games.matches.models import Match
from games.review.records import documents
from tests.lobby.test_lobby import FORM
from tests.matches.matches import played, seated
from tests.people import person
from tests.reading import source

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("static_files", "toy")]

TOY_FORM = FORM | {"game": "toy", "places": "2", "preset": "standard", "kind": "casual"}


def bots_at(match):
    return [seat.bot for seat in access.find(match.key).sitting if seat.bot]


def choice_in(page):
    """The levels between which a page lets choose, and the one that is chosen."""
    found = re.findall(r'<input type="radio" name="bot" value="(\w+)"\s*form="act"( checked)?>\s*(\w+)', page)
    return [(name, label) for name, _checked, label in found], [name for name, checked, _label in found if checked]


@pytest.fixture
def ann(client):
    ann = person("ann")
    client.force_login(ann)
    return ann


def test_bots_of_the_chosen_level_sit_down_and_the_browser_remembers_it(client):
    client.post("/play/bots", {"game": "toy", "places": "3", "bot": "strong"})
    assert bots_at(Match.objects.get()) == ["strong", "strong"]
    found, chosen = choice_in(source(client.get("/play?game=toy")))
    assert found == [("random", "Usual"), ("fair", "Fair"), ("strong", "Strong")]
    assert chosen == ["strong"]


def test_one_press_on_the_home_page_means_the_level_chosen_last(client, ann):
    client.post("/play/bots", {"game": "toy", "places": "2"})
    client.post("/play/bots", {"game": "toy", "places": "2", "bot": "fair"})
    client.post("/play/bots", {"game": "toy"})
    assert [bots_at(match)[0] for match in Match.objects.order_by("pk")] == ["random", "fair", "fair"]


def test_a_level_that_another_title_lacks_is_not_remembered_there(client, ann):
    client.cookies["bot"] = "nobody"
    client.post("/play/bots", {"game": "toy", "places": "2"})
    assert bots_at(Match.objects.get()) == ["random"]


@pytest.mark.parametrize("bot", ["", "greedy", "good", "x" * 50])
def test_what_no_title_offers_is_not_found(client, ann, bot):
    assert client.post("/play/bots", {"game": "toy", "places": "2", "bot": bot}).status_code == 404
    assert not Match.objects.exists()


def test_the_bot_that_answers_at_random_is_offered_only_where_it_is_the_usual_one(client, ann):
    assert client.post("/play/bots", {"game": "biblios", "places": "2", "bot": "random"}).status_code == 404


def test_news_of_the_lobby_propose_what_its_page_does(client, ann):
    news = client.get("/play/news?since=0&game=toy&bot=strong").content.decode()
    assert choice_in(news)[1] == ["strong"]


def test_a_guest_who_is_asked_whether_to_give_up_a_game_keeps_the_level(client):
    first = client.post("/play/bots", {"game": "toy", "places": "2"}).url
    asked = client.post("/play/bots", {"game": "toy", "places": "3", "bot": "fair"}).url
    assert '<input type="hidden" name="bot" value="fair">' in source(client.get(asked))
    again = {"game": "toy", "places": "3", "bot": "fair", "resign": first.removeprefix("/m/")}
    assert bots_at(Match.objects.get(key=client.post("/play/bots", again).url.removeprefix("/m/"))) == ["fair", "fair"]


def test_a_table_can_be_opened_with_bots_of_a_level(client, ann):
    client.post("/play/new", TOY_FORM | {"places": "3", "bots": "1", "bot": "strong"})
    assert bots_at(Match.objects.get()) == ["strong"]
    assert client.post("/play/new", TOY_FORM | {"bots": "1", "bot": "best"}).status_code == 422
    client.post("/play/new", TOY_FORM | {"places": "3", "bots": "1"})
    assert bots_at(Match.objects.latest("pk")) == ["random"]


def test_the_host_adds_bots_of_any_level_and_reads_which_is_which(client, ann, toy):
    match = open_matches.open_match(ann, game=toy, places=3, options={})
    page = source(client.get(f"/m/{match.key}"))
    assert re.findall(r'name="bot" value="(\w+)"', page) == ["random", "fair", "strong"], "it takes the next seat"
    client.post(f"/m/{match.key}/bot", {"bot": "strong"})
    assert "Bot, strong" in source(client.get(f"/m/{match.key}"))
    assert client.post(f"/m/{match.key}/bot", {"bot": "best"}).status_code == 404
    client.post(f"/m/{match.key}/bot", {"bot": "random"})
    assert bots_at(match) == ["strong", "random"]


def test_a_table_says_how_good_its_bots_are_unless_they_differ(client, ann, toy):
    match = seated("ann", bots=2, bot="strong", game=toy)
    assert "Bots: strong" in source(client.get(f"/m/{match.key}"))
    assert levels.bots_tag(["strong", "fair"]) == levels.bots_tag(["random"]) == levels.bots_tag([]) == []


def test_levels_that_hold_with_two_only_are_offered_there_only_and_that_is_said(client, ann, toy, monkeypatch):
    monkeypatch.setattr(type(toy), "level_seats", range(2, 3))
    says = "Levels are for games of 2; in others the usual bot plays."
    assert says in source(client.get("/play?game=toy")) and says in source(client.get("/bots?game=toy"))
    client.post("/play/bots", {"game": "toy", "places": "3", "bot": "strong"})
    assert bots_at(Match.objects.latest("pk")) == ["random", "random"]
    client.post("/play/bots", {"game": "toy", "places": "2", "bot": "strong"})
    assert bots_at(Match.objects.latest("pk")) == ["strong"]
    large, small = (open_matches.open_match(ann, game=toy, places=places, options={}) for places in (3, 2))
    assert 'name="bot"' not in source(client.get(f"/m/{large.key}"))
    assert 'name="bot"' in source(client.get(f"/m/{small.key}"))


def test_records_say_which_bot_sat_there(toy):
    match = played(seated("ann", bots=1, bot="strong", game=toy))
    assert next(documents([match.key]))["bots"] == ["", "strong"]


def test_a_title_without_levels_shows_no_choice(client, ann, monkeypatch, toy):
    monkeypatch.setattr(type(toy), "bots", {"random": toy.bots["random"]})
    page = source(client.get("/play?game=toy"))
    assert choice_in(page) == ([], [])
    assert "Level of the bots" not in page
    match = open_matches.open_match(ann, game=toy, places=2, options={})
    assert 'name="bot"' not in source(client.get(f"/m/{match.key}"))
    assert "Usual" in source(client.get("/bots?game=toy"))


def test_the_page_of_bots_says_how_each_plays_and_how_strong_it_is(client):
    assert "Rating with" not in source(client.get("/bots?game=toy"))
    house.rate(timezone.now())
    page = source(client.get("/bots?game=toy"))
    assert re.findall(r"<h2[^>]*>(\w+)<", page) == ["Usual", "Fair", "Strong"]
    assert "It offers the same for each prize." in page
    assert "Of 100 games with 2 players it wins <b>81</b> ± 3" in page
    assert re.search(r"Rating with 2 and 3 players:\s+<b>\d{4}</b> ± \d+", page)


@pytest.mark.parametrize("slug", ["biblios", "exlibris"])
def test_each_bot_that_is_offered_is_described(client, slug):
    page = source(client.get(f"/bots?game={slug}"))
    offered = re.findall(r"<h2[^>]*>\w+<.*?</section>", page, re.DOTALL)
    assert game_of(slug, 1).bot
    assert offered and all("<p>" in one for one in offered)


def test_a_temper_can_be_chosen_like_a_level(client, ann):
    client.post("/play/bots", {"game": "biblios", "places": "2", "bot": "miser"})
    match = Match.objects.get()
    assert bots_at(match) == ["miser"] and "Bots: misers" in source(client.get(f"/m/{match.key}"))
    page = source(client.get("/bots?game=biblios"))
    assert "Gambler" in page and "would rather keep its gold" in page
