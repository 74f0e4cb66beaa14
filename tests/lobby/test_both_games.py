"""Two games in one lobby: each thing in it says of which game it is, and a browser remembers which was chosen last."""

import re

import pytest
from django.utils import timezone

from accounts.models import Notice
from games.engine.registry import title
from games.lobby import calendar, invitations, open_matches, quick, rematches
from games.lobby import page as lobby
from games.matches import play
from games.matches.models import Match, Seat
from games.review import records
from tests.lobby.test_lobby import FORM
from tests.matches.matches import seated
from tests.people import person
from tests.reading import source, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("static_files")]


@pytest.fixture
def other():
    """The game that is not the first."""
    return title("exlibris")


def test_the_game_chosen_last_is_the_one_offered_next(at):
    ann, offered = at("ann"), '<input type="hidden" name="game" value="{}">'
    person("bob")
    assert offered.format("biblios") in source(ann.get("/play")), "the first one"
    ann.get("/play?game=exlibris")
    for path in ("/play", "/@/bob/challenge"):
        assert offered.format("exlibris") in source(ann.get(path))
    ann.get("/play?game=biblios")
    assert offered.format("biblios") in source(ann.get("/play"))
    assert ann.get("/play?game=chess").status_code == 404
    assert ann.post("/play/quick?game=exlibris", {"places": "2"}).url == "/play"
    assert "Looking for a game of Ex Libris for 2" in source(ann.get("/play"))


def test_a_browser_that_remembers_nonsense_gets_the_first_game(client):
    client.cookies["game"] = "chess"
    assert "?game=biblios" in source(client.get("/play"))


def test_who_waits_for_the_other_game_is_counted_beside_its_name(other):
    quick.seek(person("bob"), other, 3)
    shown = lobby.quick(person("ann"), title())
    assert [(each.slug, each.waiting) for each in shown.titles] == [("biblios", 0), ("exlibris", 1)]
    assert shown.waiting == [(2, 0), (3, 0), (4, 0)], "nobody waits for the first"
    assert lobby.quick(person("ann"), other).waiting == [(2, 0), (3, 1), (4, 0)]


def test_everything_in_the_lobby_names_its_game(at, other):
    open_matches.open_match(person("bob"), places=2, options={}, game=other)
    invitations.challenge(person("dan"), person("ann"), places=2, options={}, game=other)
    match = seated("ann", "eve", game=other)
    seated("dan", "eve", game=other)
    regions = lobby.regions(person("ann"), timezone.now(), title())
    for name in ("waits", "own-matches", "open-matches", "watched-matches"):
        assert "Ex Libris" in regions[name] and "Biblios" not in regions[name], name
    assert "Ex Libris" in source(at("ann").get(match.get_absolute_url())).partition("</title>")[0]


def test_notices_and_calendar_name_the_game(other):
    match = seated("ann", "bob", game=other, pace="daily", days=1)
    (entry,) = [each for name in ("ann", "bob") for each in calendar.entries(person(name), timezone.now())]
    assert entry.summary.startswith("Ex Libris: your turn at the table with ")
    play.leave(match, 0, Seat.Left.RESIGN)
    rematches.accept(Match.objects.get(pk=match.pk), person("ann"))
    invitations.challenge(person("ann"), person("dan"), places=2, options={}, game=other)
    assert [notice.values["game"] for notice in Notice.objects.order_by("pk")] == ["Ex Libris", "Ex Libris"]


def test_the_list_of_games_to_watch_can_be_of_one_game(client, other):
    seated("ann", "bob", game=other)
    seated("dan", "eve")
    assert "ann" in text(client.get("/watch?game=exlibris")) and "dan" not in text(client.get("/watch?game=exlibris"))
    assert "dan" in text(client.get("/watch?game=biblios")) and "ann" not in text(client.get("/watch?game=biblios"))


# Alone


def test_a_game_alone_begins_at_once_without_a_clock_and_casual(at):
    response = at("ann").post("/play/alone?game=exlibris", {"level": "3"})
    match = Match.objects.get()
    assert response.url == match.get_absolute_url()
    assert (match.status, match.game, match.places, match.pace, match.rated) == (
        "running",
        "exlibris",
        1,
        "none",
        False,
    )
    assert match.options == title("exlibris").options({"difficulty": 3})
    page = source(at("ann").get(response.url))
    assert "Difficulty 3" in page and 'data-sheet="chat"' not in page, "there is nobody to talk to"
    assert "Ex Libris" in lobby.regions(person("ann"), timezone.now(), title())["own-matches"]


def test_guests_play_alone_too_one_game_at_a_time(client):
    first = client.post("/play/alone?game=exlibris", {"level": "1"}, follow=True).redirect_chain[-1][0]
    asked = client.post("/play/alone?game=exlibris", {"level": "2"}).url
    assert Match.objects.get().host.guest
    page = client.get(asked).content.decode()
    assert f'href="{first}"' in page and 'name="level" value="2"' in page and 'name="game" value="exlibris"' in page


@pytest.mark.parametrize(
    ("query", "level"), [("exlibris", "8"), ("exlibris", "0"), ("exlibris", ""), ("exlibris", "²"), ("biblios", "1")]
)
def test_what_cannot_be_played_alone_is_not_found(at, query, level):
    assert at("ann").post(f"/play/alone?game={query}", {"level": level}).status_code == 404
    assert not Match.objects.exists()


def test_the_lobby_says_what_each_difficulty_means_and_which_is_usual(at):
    page = source(at("ann").get("/play?game=exlibris"))
    levels = re.findall(r'class="button( usual)?"[^>]*formaction="/play/alone[^>]*name="level" value="(\d)"', page)
    assert levels == [("", "1"), ("", "2"), ("", "3"), (" usual", "4"), ("", "5"), ("", "6"), ("", "7")]
    assert page.count("for the public library; our bot wins") == 7


def test_to_a_guest_who_plays_bots_and_games_alone_are_shut_before_they_press(client):
    open_ = source(client.get("/play?game=exlibris"))
    assert 'disabled aria-describedby="shut"' not in open_ and 'id="shut"' not in open_
    client.post("/play/alone?game=exlibris", {"level": "1"})
    match = Match.objects.get()
    page = source(client.get("/play?game=exlibris"))
    buttons = re.findall(r'formaction="/play/(?:alone|bots)[^>]*>', page)
    assert len(buttons) == 10 and all("disabled" in it for it in buttons)
    notice = page[page.index('id="shut"') :].partition("</p>")[0]
    assert "Without an account you play one at a time" in notice and f'href="/m/{match.key}"' in notice
    play.leave(match, 0, Seat.Left.RESIGN)
    assert 'id="shut"' not in source(client.get("/play?game=exlibris"))


@pytest.mark.parametrize("path", ["bots", "quick"])
def test_a_game_alone_is_no_game_with_bots_and_no_quick_match(at, path):
    assert at("ann").post(f"/play/{path}?game=exlibris", {"places": "1"}).status_code == 404
    assert not Match.objects.exists()


def test_what_means_nothing_for_one_player_is_not_said_of_a_game_alone(at):
    at("ann").post("/play/alone?game=exlibris", {"level": "3"})
    match = Match.objects.get()
    play.leave(match, 0, Seat.Left.RESIGN)
    said = records.text(Match.objects.playing().get())
    assert "Difficulty 3\n3 cards a round for the public library; our bot wins 3 of 4.\n\n" in said
    assert "brings the last round" not in said


def test_who_has_given_up_alone_may_play_again_as_before(at):
    at("ann").post("/play/alone?game=exlibris", {"level": "4"})
    match = Match.objects.get()
    play.leave(match, 0, Seat.Left.RESIGN)
    again = rematches.accept(match, person("ann"))
    assert (again.status, again.game, again.places, again.pace) == ("running", "exlibris", 1, "none")
    assert again.options == match.options
    assert again.rematch_of == match and not Notice.objects.exists()


def test_the_form_of_a_table_offers_neither_one_seat_nor_the_difficulty(at):
    page = source(at("ann").get("/play?game=exlibris"))
    assert 'type="radio" name="places" value="2"' in page and 'type="radio" name="places" value="1"' not in page
    assert "option_difficulty" not in page
    form = {**FORM, "game": "exlibris", "preset": "custom", "option_libraries": "basic", "option_difficulty": "5"}
    at("ann").post("/play/new", form)
    match = Match.objects.get()
    assert match.options == title("exlibris").options({"libraries": "basic"})
