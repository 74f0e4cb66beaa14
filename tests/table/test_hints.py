"""Hints: what a strong player would answer from what one seat sees, for whoever plays alone with bots."""

import re
import threading
from dataclasses import replace
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.shown import PlayerShown
from accounts.web.waiting import gives_way
from games.engine import hints as engine
from games.engine.biblios.notation import DIE, PAY_GOLD
from games.engine.registry import titles
from games.faces.registry import face_of
from games.matches import access, history, thinking
from games.matches.models import Match
from games.matches.scene import Step
from games.table import hints
from tests.engine.promises import check_blind
from tests.faces.scenes import Tale, scene_of
from tests.matches.matches import answer, rushed, seated
from tests.people import person

pytestmark = [pytest.mark.once, pytest.mark.usefixtures("static_files")]
EACH = pytest.mark.parametrize("game", titles(), ids=lambda game: game.slug)
WATCHER = "Hints are for whoever plays at a table, while the game runs."


@pytest.fixture
def client():
    return signed_in("ann")


def signed_in(name):
    client = Client()
    client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return client


def chosen(state):
    return state.seat == 0 and len(state.legal()) > 1 and state.forced() is None


def alone(until=chosen, **table):
    """A match of ann with a bot, in which she is asked."""
    return rushed(seated("ann", bots=1, **table), until)


def ask(client, match, ply=None, htmx=True):
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post(f"/m/{match.key}/hint", {"ply": match.ply if ply is None else ply}, headers=headers)


def says(response):
    return re.search(r'<p[^>]*id="says"[^>]*>(.*?)</p>', response.content.decode(), re.S)[1].replace("’", "'")


def scene_with_bot(state, game, **more):
    """A position as the seat that is asked sees it, in a game against bots."""
    shown = scene_of([state], [], state.seat, game, counts=False, skips=True)
    sitters = [
        it if it.index == state.seat else replace(it, person=PlayerShown("Belle", bot="greedy")) for it in shown.sitters
    ]
    return replace(shown, sitters=sitters, **more)


def positions(game, number, seed=1):
    """Positions of games of two in which something is to be decided."""
    states = [state for state in Tale(seed, 2, game).states if not state.over and state.forced() is None]
    return Random(seed).sample(states, min(number, len(states)))


# What it says


@EACH
@pytest.mark.django_db
def test_whoever_plays_alone_with_a_bot_gets_an_answer_that_is_possible(client, game):
    match = alone(game=game)
    html = ask(client, match).content.decode()
    assert html.startswith(f'<div id="hint-said-{match.ply}" hx-swap-oob="innerHTML">') and "<b>You " in html
    view = history.replay(match).view(match.ply, 0)
    found = engine.hint(type(match.rules), view, 2, match.key, match.ply)
    assert game.move(found.moves[0].move) in view.legal
    assert found.instead != found.moves[0].move


@pytest.mark.django_db
def test_asked_twice_it_says_the_same_and_the_game_goes_on_as_before(client):
    match = alone()
    assert ask(client, match).content == ask(client, match).content
    after = access.find(match.key)
    assert (after.ply, after.revision, after.link, after.wake_at) == (
        match.ply,
        match.revision,
        match.link,
        match.wake_at,
    )


def test_it_comes_with_the_reason_of_whatever_judges_the_table():
    game, state = titles()[0], positions(titles()[0], 1)[0]
    view = state.view(state.seat)
    found = engine.hint(type(game), view, 2, "key", 3)
    expert, first = game.expert(2, state.options), game.move(found.moves[0].move)
    assert found.reason == expert.reason(view, first, game.move(found.instead))
    html = hints.draw_said(scene_with_bot(state, game), found)
    assert face_of(game).reason(found.reason) in html and "Rather than: You " in html


def test_a_payment_is_said_whole():
    game = titles()[0]
    for seed in range(40):
        for state in Tale(seed, 2, game).states:
            if not state.over and state.question == PAY_GOLD and len(state.legal()) > 2 and state.due > 3:
                found = engine.hint(type(game), state.view(state.seat), 2, "key", 3)
                moves = [game.move(it.move) for it in found.moves]
                state = state.copy()
                state.answer(moves, state.seat)
                assert not state.same_answer
                if len(moves) > 1:
                    return
    raise AssertionError("nobody paid with several cards")


@EACH
def test_it_is_the_same_whatever_cards_the_seat_does_not_know_of(game):
    rng, compared = Random(5), 0

    def said(state, me):
        view = state.view(me)
        return hints.draw_said(scene_with_bot(state, game), engine.hint(type(game), view, 2, "key", 3))

    for state in positions(game, 12):
        check_blind(game, state, state.seat, rng, said)
        compared += 1
    assert compared > 8


@EACH
def test_an_answer_that_is_spoken_of_says_nothing_of_what_would_follow(game):
    for state in positions(game, 60):
        shown = scene_with_bot(state, game)
        for move in state.legal():
            text = hints.in_words(shown, shown.view, game.text(move))
            assert text and not re.search(r"Turned up|the pot\.|unsold|at random|hand of|[Dd]raws? \d+ card", text)


def test_a_die_is_spoken_of_as_it_is_told_later():
    game, found = titles()[0], 0
    for seed in range(5):
        for state in Tale(seed, 2, game).states:
            if not state.over and state.question == DIE:
                shown = scene_with_bot(state, game)
                for move in state.legal():
                    after = state.after(move).view(state.seat)
                    step = Step(0, state.seat, game.text(move), False, False, 0, shown.view, after)
                    told = face_of(game).answer(step, shown.names, shown.me)
                    assert hints.in_words(shown, shown.view, game.text(move)) == told
                    found += 1
    assert found > 10


# Who gets one


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"counts": True}, "hangs on its result"),
        ({"hidden": True}, "others play the same deal"),
        ({"guided": True}, "guided game"),
        ({"playing": False}, "whoever plays"),
        ({"sitters": None}, "all others are bots"),
    ],
    ids=lambda it: next(iter(it)) if isinstance(it, dict) else "",
)
def test_where_something_hangs_on_it_there_are_none(change, why):
    state = positions(titles()[0], 1)[0]
    shown = scene_with_bot(state, titles()[0])
    assert hints.refusal(shown) == "" and "ask-hint" in hints.draw_hint(*hints.hint_of(shown)[1:])
    if "sitters" in change:
        change = {"sitters": [replace(it, person=PlayerShown("Bob", "bob")) for it in shown.sitters]}
    refused = replace(shown, **change)
    assert why in hints.refusal(refused)
    assert hints.draw_hint(*hints.hint_of(refused)[1:]) == '<div id="hint" hidden></div>'


def test_there_are_none_with_numbers_of_players_at_which_no_bot_is_strong():
    game = titles()[0]
    assert [seats for seats in game.seats if engine.able(game, seats)] == [2, 3]
    state = next(state for state in Tale(4, 4, game).states if state.forced() is None)
    assert "so many players" in hints.refusal(scene_with_bot(state, game))


@pytest.mark.django_db
def test_others_are_told_why_there_is_none_for_them(client):
    match = alone()
    assert says(ask(signed_in("bob"), match)) == WATCHER
    assert ask(Client(), match, htmx=False)["Location"] == f"/sign-in?next=/m/{match.key}"
    people = rushed(seated("ann", "bob"), chosen)
    assert says(ask(client, people)) == "Hints are for games in which all others are bots."
    rated = rushed(seated("ann", "bob", rated=True, pace="live", bank_ms=600_000), chosen)
    assert "something hangs on its result" in says(ask(client, rated))
    ended = rushed(seated("ann", bots=1))
    assert says(ask(client, ended)) == WATCHER
    assert {ask(client, match).status_code for match in (people, rated, ended)} == {409}
    assert not Match.objects.filter(hinted=True).exists()


@pytest.mark.django_db
def test_there_is_none_for_a_bot_s_turn_nor_for_an_older_question(client):
    waits = alone(lambda state: state.seat == 1 and state.forced() is None)
    assert says(ask(client, waits)) == "You can ask for a hint when it's your turn."
    match = alone()
    later = answer(match, Random(1))
    while later.mover != 0:
        later = answer(later, Random(1))
    for ply in (match.ply, "", "-1", "x"):
        assert "The table has moved on" in says(ask(client, later, ply))


@pytest.mark.django_db
def test_where_it_cannot_be_computed_there_is_a_sentence(client, monkeypatch):
    class Gone:
        def call(self, *arguments):
            raise thinking.Lost("gone")

    monkeypatch.setattr(hints, "thinker", Gone())
    match = alone()
    assert says(ask(client, match)) == "There's no hint for this question right now."
    assert not access.find(match.key).hinted


@pytest.mark.django_db
def test_whoever_waits_for_one_has_no_turn_meanwhile(client, monkeypatch):
    waits, ended = threading.Event(), []

    class Waiting:
        def call(self, *arguments):
            ended.append(waits.is_set())
            raise thinking.Lost("gone")

    monkeypatch.setattr(hints, "thinker", Waiting())
    before = gives_way.set(waits.set)
    try:
        ask(client, alone())
    finally:
        gives_way.reset(before)
    assert ended == [True]


@pytest.mark.django_db
def test_a_hint_that_comes_too_late_is_not_shown_beside_the_next_question(client, monkeypatch):
    match, find = alone(), access.find

    class Slow:
        """Somebody answers meanwhile, until they are asked the next question."""

        def call(self, function, *arguments):
            played = answer(find(match.key), Random(1))
            while played.mover != 0:
                played = answer(played, Random(1))
            return function(*arguments)

    monkeypatch.setattr(hints, "thinker", Slow())
    said = ask(client, match).content.decode()
    place = re.match(r'<div id="([\w-]+)" hx-swap-oob', said)[1]
    page = client.get(f"/m/{match.key}").content.decode()
    assert 'id="hint-said-' in page and f'id="{place}"' not in page
    match = find(match.key)
    page = ask(client, match, htmx=False).content.decode()
    assert 'id="hint-said-' in page and '<details class="leaf" open>' not in page


@pytest.mark.django_db
def test_while_many_wait_the_next_one_is_told_so(client, monkeypatch):
    match = alone()
    monkeypatch.setattr(hints, "_places", threading.BoundedSemaphore(1))
    with hints._places:
        assert says(ask(client, match)).startswith("Many are asking for hints right now.")
    assert ask(client, match).status_code == 200 and hints._places.acquire(blocking=False)


# The page


@pytest.mark.django_db
def test_the_button_stands_there_while_one_is_asked_and_without_scripts_the_page_has_the_hint(client):
    match = alone()
    page = client.get(f"/m/{match.key}").content.decode()
    assert f'action="/m/{match.key}/hint"' in page and '<button form="ask-hint">' in page
    assert "/hint" not in signed_in("bob").get(f"/m/{match.key}").content.decode()
    page = ask(client, match, htmx=False).content.decode()
    assert '<details class="leaf" open>' in page and "<main" in page
    people = rushed(seated("ann", "bob"), chosen)
    assert "ask-hint" not in client.get(f"/m/{people.key}").content.decode()


@pytest.mark.django_db
def test_the_review_says_that_there_were_hints(client):
    match = alone()
    ask(client, match)
    assert access.find(match.key).hinted
    ended = rushed(match)
    assert "With hints" in client.get(f"/m/{ended.key}/0").content.decode()
    other = rushed(seated("ann", bots=1))
    assert "With hints" not in client.get(f"/m/{other.key}/0").content.decode()


@pytest.mark.django_db
def test_a_hint_costs_few_queries(client):
    match = alone()
    ask(client, match)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        ask(client, match)
    assert len(asked) == 4
