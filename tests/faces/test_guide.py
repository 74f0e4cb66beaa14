import re
from dataclasses import replace
from random import Random

import pytest

from games.engine.registry import game_of
from games.engine.testing import check_blind, random_game
from games.faces.biblios.guide import LESSONS, decision, lesson
from games.faces.scene import Scene, Sitter, Step
from tests.faces.scenes import page_of
from tests.people import person

GAME = game_of("biblios", 1)
NAMES = ("Ann", "Bot Beda", "Bot Oda", "Bot Leoba")


def sitters(seats):
    return [
        Sitter(
            index=index,
            name=NAMES[index],
            username="ann" if index == 0 else "",
            rating="",
            bot=index > 0,
            left="",
            here=True,
            left_ms=None,
        )
        for index in range(seats)
    ]


def scene(view, steps, result=None, **changes):
    """The table as ann, at seat 0, sees it."""
    facts = {
        "key": "guided",
        "game": GAME,
        "options": GAME.options(),
        "rated": False,
        "pace": "none",
        "control": (0, 0, 0),
        "status": "finished" if view.over else "running",
        "sitters": sitters(view.setup.seats),
        "me": 0,
        "playing": not view.over,
        "ply": len(steps),
        "view": view,
        "steps": list(steps),
        "since": 0,
        "now": 0,
        "guided": True,
        "result": result,
    }
    return Scene(**facts | changes)


def played(seed, **options):
    """A game of random moves as ann sees it: every state that stands still, with the scene of it."""
    game = random_game(GAME, Random(seed), **options)
    states = list(game.positions())
    steps = []
    for ply, state in enumerate(states):
        view = state.view(0)
        if state.over:
            yield state, scene(view, steps, GAME.result(state))
            return
        if state.forced() is None:
            yield state, scene(view, steps)
        step = Step(
            ply=ply,
            seat=state.seat,
            move=GAME.text(game.moves[ply]),
            forced=state.forced() is not None,
            bot=state.seat != 0,
            at=0,
            before=view,
            after=states[ply + 1].view(0),
        )
        steps.append(step)


@pytest.mark.parametrize("seed", range(12))
def test_each_decision_is_explained_when_it_first_comes_up_and_never_again(seed):
    met, told = set(), []
    for state, shown in played(seed):
        found = lesson(shown)
        asked = decision(shown.view) if state.seat == 0 else None
        if asked and asked not in met:
            met.add(asked)
            assert found and found.name == asked
        elif found and found.name != "welcome":
            assert found.name in ("drew", "end")
        if found and found.name != "welcome":
            told.append(found.name)
    assert len(told) == len(set(told))
    assert told[-1] == "end"


def test_random_games_meet_every_lesson():
    told = {found.name for seed in range(12) for _, shown in played(seed) if (found := lesson(shown))}
    assert told == set(LESSONS)


@pytest.mark.parametrize("seed", range(4))
def test_a_lesson_says_nothing_that_its_reader_may_not_know(seed):
    rng = Random(seed)
    for state, shown in played(seed):
        if lesson(shown) and not state.over:

            def look(state, me, steps=shown.steps):
                return lesson(scene(state.view(me), steps))

            check_blind(state, 0, rng, look)


@pytest.mark.parametrize("seed", range(12))
def test_lessons_are_short_and_whole_sentences(seed):
    for _, shown in played(seed):
        if found := lesson(shown):
            assert found.title and "%" not in found.title + found.text
            assert found.text.endswith((".", "!"))
            assert len(found.text) < 420
            assert found.anchor in ("goal", "gifts", "auctions", "church", "end")


def test_a_watcher_an_aborted_game_and_somebody_who_left_get_no_lesson():
    state = GAME.start(3, bytes(32))
    view = state.view(state.seat)
    assert lesson(scene(view, [], me=state.seat)).name == "place"
    assert lesson(scene(state.view(None), [], me=None, playing=False)) is None
    assert lesson(scene(view, [], me=state.seat, status="aborted", playing=False)) is None
    asked_to_bid = next(shown for _, shown in played(1) if decision(shown.view) == "bid_gold" and shown.view.seat == 0)
    assert lesson(scene(asked_to_bid.view, asked_to_bid.steps)).name == "bid_gold"
    assert lesson(scene(asked_to_bid.view, asked_to_bid.steps, playing=False)) is None


def test_the_first_lesson_names_the_card_and_the_numbers_of_the_table():
    state = GAME.start(4, bytes(32))
    found = lesson(scene(state.view(state.seat), [], me=state.seat))
    assert "In your turn you place 5 cards: keep one, hide one for the auctions, and leave 3 in the open" in found.text


@pytest.mark.django_db
def test_the_lesson_stands_at_the_guided_table_and_nowhere_else(client):
    client.force_login(person("ann"))
    table = client.post("/play/guided")["Location"]
    html = client.get(table).content.decode()
    assert html.count('id="lesson"') == 1
    assert 'id="lesson-place"' in html or 'id="lesson-welcome"' in html
    assert re.search(r'href="/rules/biblios#(goal|gifts)"', html)
    other = client.post("/play/bots", {"places": 3})["Location"]
    assert 'id="lesson' not in client.get(other).content.decode()


def test_a_lesson_is_sent_again_only_when_it_changes():
    shown = [found for _, found in played(3)]
    lessons = [page_of(each)["lesson"] for each in shown if each.view.seat == 0][:12]
    assert 'id="lesson-' in lessons[0]
    assert any('id="lesson-' not in each for each in lessons)
    unguided = replace(shown[0], guided=False)
    assert "lesson" not in page_of(unguided)
