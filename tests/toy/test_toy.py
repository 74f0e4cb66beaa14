"""A second game on the site: nothing but its own folders knows anything of it."""

import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games import worker
from games.engine import record
from games.lobby import open_matches
from games.matches import access, clocks, history, play, reminders
from games.matches.clocks import USUAL
from games.matches.models import LogEntry, Match, Seat
from tests.clubs.clubs import agreed, club_of, order
from tests.lobby.test_lobby import FORM
from tests.matches.matches import played, seated
from tests.people import person
from tests.sockets import opening
from tests.toy.game import HIDDEN

pytestmark = [pytest.mark.usefixtures("toy"), pytest.mark.slow]
LIVE = {"clock": USUAL}


@pytest.fixture
def match(db, toy, static_files):
    """ann, bob and dan are about to make their first offers."""
    return seated("ann", "bob", "dan", game=toy)


def offers(match, *coins):
    """The match after these offers, from the seat that is asked on."""
    for number in coins:
        play.play(match, match.mover, match.ply, [f"offer {number}"])
        match = access.find(match.key)
    return match


def board(client, match, name=""):
    """The page of the table as somebody sees it."""
    if name:
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    else:
        client.logout()
    return client.get(f"/m/{match.key}").content.decode()


# The table


def test_an_offer_is_nobodys_to_see_before_all_are_in(client, match):
    match = offers(match, 120, 7)
    for name in ("", "bob", "dan"):
        page = board(client, match, name)
        assert not re.search(r"\b120\b", page.replace("/ 120", "")) and "ann</bdi> makes an offer" in page
    assert "ann</bdi> offers 120" in board(client, match, "ann")
    match = offers(match, 50)
    assert '<p id="opened">120, 7, 50</p>' in board(client, match)


def test_whoever_has_offered_least_is_asked_out_of_turn_and_may_object_once(client, match):
    match = offers(match, 120, 7, 50)
    assert match.mover == 1
    assert 'value="object"' in board(client, match, "bob")
    assert 'value="object"' not in board(client, match, "dan")
    play.play(match, 1, match.ply, ["object"])
    match = offers(access.find(match.key), 120, 7, 50)
    assert match.mover == 0, "bob has objected before: nobody is asked, and the next round begins"


def test_a_move_may_have_any_number(match):
    match = offers(match, 300)
    assert LogEntry.objects.get(match=match).move == "offer 300"
    assert history.replay(match).state(1).offers == (300, None, None)
    assert history.replay(match).view(1, 1).offers == (HIDDEN, None, None)


@pytest.mark.django_db(transaction=True)
async def test_it_is_played_by_sockets(toy, static_files):
    match = await sync_to_async(seated)("ann", "bob", game=toy)
    async with opening() as opener:
        mine, theirs = [await opener(f"/ws/m/{match.key}", name) for name in ("ann", "bob")]
        assert await mine.reaches(0) and await theirs.reaches(0)
        await mine.answers(0, "offer 299")
        assert await mine.reaches(1)
        assert "299" not in await theirs.until(lambda text: 'data-ply="1"' in text)
        await theirs.answers(1, "offer 1")
        assert "299" in await theirs.until(lambda text: 'data-ply="2"' in text)


def test_its_words_styles_and_scripts_are_on_its_pages_and_on_no_other_table(client, match):
    own = board(client, match)
    other = board(client, seated("ann", "bob"))
    for part in (
        "/rules/toy#notation",
        "toy/toy",
        "toy/table",
        "toy-offer",
        "The highest offer takes the prize",
        "Standard",
    ):
        assert part in own
    for part in ("toy/table", "toy-offer"):
        assert part not in other
    assert "biblios/questions" in other and "biblios/questions" not in own


def test_a_standing_order_answers(match):
    play.set_order(match, match.seats.all()[0], "nothing")
    assert worker.run_once(timezone.now() + timedelta(seconds=15)) == 1
    assert LogEntry.objects.get(match=match).move == "offer 0"


def test_it_can_be_called_off_in_its_first_round_and_no_later(match):
    match = offers(match, 3, 2, 1)
    play.play(match, 2, match.ply, ["agree"])
    with pytest.raises(play.Refused, match="The first round is over"):
        play.vote(access.find(match.key), 0, "abort")


def test_whoever_runs_out_of_time_comes_last_and_one_of_its_bots_plays_on(db, toy, static_files):
    match = offers(seated("ann", "bob", game=toy, **LIVE), 3, 2)
    late = match.mover
    worker.attend(match, clocks.instant(match.deadline + clocks.GRACE_MS + 1))
    assert match.seats.get(index=late).left == Seat.Left.TIME
    match = played(access.find(match.key))
    assert match.result["places"][late] == 2


# Alone


def alone(toy, **fields):
    """A game of ann against the house."""
    return seated("ann", game=toy, options={"rounds": 1}, **fields)


def test_a_player_alone_can_lose_to_the_house(client, db, toy, static_files):
    match = offers(alone(toy), 0)
    assert match.result["winners"] == ["house"]
    assert "The house wins." in board(client, match)
    assert "The house wins." in client.get(f"/m/{match.key}/record.txt").content.decode()


def test_a_player_alone_can_win(client, db, toy, static_files):
    match = offers(alone(toy), 300)
    assert match.result["winners"] == [0]
    assert "ann wins." in board(client, match)


# The lobby


def test_its_tables_are_opened_listed_and_joined_in_the_lobby(client, db):
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    assert "Sealed offers" in client.get("/play").content.decode()
    form = client.get("/play?game=toy").content.decode()
    assert 'value="short"' in form and 'value="german"' not in form
    client.post("/play/new", FORM | {"game": "toy", "preset": "short"})
    match = Match.objects.get()
    assert (match.game, match.options) == ("toy", {"rounds": 1})
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    lobby = client.get("/play").content.decode()
    assert f'id="open-{match.key}"' in lobby and "Short" in lobby
    assert "One round is played." in client.get(f"/m/{match.key}").content.decode()
    open_matches.join(match, person("bob"))
    open_matches.ready(match, person("ann"))
    open_matches.ready(match, person("bob"))
    assert "Round 1" in client.get("/play").content.decode()


def test_options_of_another_game_are_refused(client, db):
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/play/new", FORM | {"game": "toy", "preset": "german"}).status_code == 422
    assert client.post("/play/new", FORM | {"game": "chess"}).status_code == 404


def test_one_plays_against_its_bots_as_a_guest(client, db):
    client.post("/play/bots", {"game": "toy", "places": 3})
    match = Match.objects.get()
    assert (match.game, [seat.bot for seat in match.seats.all()]) == ("toy", ["", "random", "random"])
    assert {seat.name for seat in match.seats.all()[1:]} < {"Hal", "Kit", "Max", "Zoe"}


def test_whoever_watches_from_afar_sees_its_picture(client, match):
    assert "toy-picture" in client.get("/watch").content.decode()


def test_its_guided_first_game_explains_the_first_offer(client, db):
    client.post("/play/guided", {"game": "toy"})
    assert "Nobody sees it before all are in." in client.get(Match.objects.get().get_absolute_url()).content.decode()


def test_its_rules_have_an_address(client, db):
    assert "Sealed offers" in client.get("/rules/toy").content.decode()
    assert client.get("/rules/chess").status_code == 404


# What remains


@pytest.fixture
def ended(match):
    """A whole game of ann, bob and dan."""
    return played(match, seed=4)


def test_it_is_looked_back_at_from_any_seat_and_with_all_offers_open(client, ended):
    page = client.get(f"/m/{ended.key}/1?as=all&list=1").content.decode()
    coins = LogEntry.objects.get(match=ended, ply=0).move
    assert coins in page and "toy/shuffle" in page and 'data-check="prizes"' in page
    assert coins not in client.get(f"/m/{ended.key}/1?as=1&list=1").content.decode().partition('id="moves"')[0]


def test_its_record_replays(client, ended):
    read = record.read(client.get(f"/m/{ended.key}/record.json").content)
    state, moves = read.replay()
    assert state.over and len(moves) == ended.ply


def test_it_can_be_read_as_text(client, ended):
    text = client.get(f"/m/{ended.key}/record.txt").content.decode()
    assert text.startswith("Sealed offers, match") and "offers" in text and "Three rounds are played." in text


# People


def test_it_has_ratings_and_figures_of_its_own(client, db, toy, static_files):
    for game in (toy, None):
        played(seated("ann", "bob", "dan", game=game, rated=True, **LIVE), seed=4)
    ratings = list(person("ann").ratings.values_list("game", "pool", "games"))
    assert sorted(ratings) == [("biblios", "3-4", 1), ("toy", "all", 1)]
    page = client.get("/@/ann?game=toy").content.decode()
    assert "toy-statistics" in page and "Monks" not in page
    assert "ann" in client.get("/leaders?game=toy&pool=all").content.decode()


def test_a_lost_game_alone_is_not_won_in_the_archive(client, db, toy, static_files):
    offers(alone(toy), 0)
    row = person("ann").archive.get()
    assert (row.place, row.won, row.pool) == (1, False, "")


def test_a_club_plays_it_for_its_ladder(client, db, toy, static_files):
    ladder = club_of("ann", "bob", "dan", now=timezone.now())
    ladder.game = "toy"
    ladder.save()
    client.force_login(person("dan"), backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(f"{ladder.get_absolute_url()}/challenge?to=ann").content.decode()
    assert "Three rounds." in page and re.findall(r'name="seats" value="(\d)"', page) == ["2", "3"]
    challenge = agreed(ladder, "dan", "bob", now=timezone.now())
    match = challenge.match
    assert (match.game, match.options) == ("toy", {"rounds": 3})
    match = offers(access.find(match.key), 300, 0)
    while match.status == "running":
        state = history.replay(match).state(match.ply)
        play.play(match, match.mover, match.ply, ["agree" if state.offers[state.seat] is not None else "offer 0"])
        match = access.find(match.key)
    assert match.result["winners"] == [match.seats.get(user=person("dan")).index]
    assert order(ladder) == ["ann", "dan", "bob"]


def test_its_players_are_told_when_they_are_awaited(db, toy, static_files):
    match = seated("ann", "bob", game=toy, pace="daily", days=1)
    reminders.remind(match.asked_at + timedelta(hours=1))
    assert person("ann").notices.filter(kind="turn").exists()


def test_a_quick_match_of_it_begins_when_enough_want_it(client, db):
    for name in ("ann", "bob"):
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        client.post("/play/quick?game=toy", {"places": 2})
    assert Match.objects.get().game == "toy"
    assert client.post("/play/quick?game=toy", {"places": 1}).status_code == 404
