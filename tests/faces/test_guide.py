from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from accounts.shown import PlayerShown
from games.engine.exlibris.frames import TURN
from games.engine.exlibris.tiles import TILES
from games.engine.registry import game_of
from games.faces.biblios.guide import GUIDE, PLACES, SIGNS, decision
from games.faces.exlibris import guide
from games.faces.exlibris.words import ASKED_OF
from games.faces.guide import AIM
from games.matches import access
from games.matches.models import Match
from games.matches.scene import Scene, Sitter, Step
from tests.engine.promises import check_blind, random_game
from tests.faces.scenes import Tale, page_of
from tests.matches.matches import rushed
from tests.people import person

GAME = game_of("biblios", 1)
LIBRARIANS = game_of("exlibris", 1)
lessons = GUIDE.lessons
NAMES = ("Ann", "Bot Beda", "Bot Oda", "Bot Leoba")


def sitters(seats):
    return [
        Sitter(
            index=index,
            person=PlayerShown(NAMES[index], username="ann" if index == 0 else "", bot=index > 0),
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


def due(shown):
    """The names of the lessons that are due."""
    return [found.name for found in lessons(shown) if found.due]


@pytest.mark.parametrize("seed", range(4))
def test_each_question_brings_one_new_lesson_at_most_and_each_decision_its_own(seed):
    met, told = set(), [AIM]
    for state, shown in played(seed):
        found = [name for name in due(shown) if name != AIM]
        asked = decision(shown.view) if state.seat == 0 else None
        if asked and asked not in met:
            met.add(asked)
            assert found == [asked]
        elif found:
            assert found[0] in ("church", "drew", "end", *SIGNS)
        told += found
        assert [each.name for each in lessons(shown)] == told
    assert len(told) == len(set(told))
    assert told[-1] == "end"


def test_the_aim_comes_first_and_is_due_until_the_first_answer():
    for _state, shown in played(2):
        answered = any(step.seat == 0 and not step.forced for step in shown.steps)
        assert lessons(shown)[0].name == AIM
        assert (due(shown)[:1] == [AIM]) == (not answered)


def test_random_games_meet_every_lesson_and_each_is_short_and_of_whole_sentences():
    met = {each for seed in range(12) for _, shown in played(seed) for each in lessons(shown)}
    assert {found.name for found in met} == set(PLACES)
    for found in met:
        assert found.title and "%" not in found.title + found.text
        assert found.text.endswith((".", "!"))
        assert len(found.text) < 420
        assert found.anchor in ("goal", "gifts", "auctions", "church", "end", "notation")


@pytest.mark.parametrize("seed", range(4))
def test_a_lesson_says_nothing_that_its_reader_may_not_know(seed):
    rng = Random(seed)
    for state, shown in played(seed):
        if due(shown) and not state.over:

            def look(state, me, steps=shown.steps):
                return lessons(scene(state.view(me), steps))

            check_blind(GAME, state, 0, rng, look)


def test_a_lesson_that_is_called_back_says_what_it_said():
    said = {}
    for _, shown in played(5):
        for found in lessons(shown):
            assert said.setdefault(found.name, found.text) == found.text


def test_a_watcher_an_aborted_game_and_somebody_who_left_have_nothing_due():
    state = GAME.start(3, bytes(32))
    view = state.view(state.seat)
    assert due(scene(view, [], me=state.seat)) == [AIM, "place"]
    assert lessons(scene(state.view(None), [], me=None, playing=False)) == ()
    assert lessons(scene(view, [], me=state.seat, status="aborted", playing=False)) == ()
    asked_to_bid = next(shown for _, shown in played(1) if decision(shown.view) == "bid_gold" and shown.view.seat == 0)
    assert due(scene(asked_to_bid.view, asked_to_bid.steps)) == ["bid_gold"]
    assert due(scene(asked_to_bid.view, asked_to_bid.steps, playing=False)) == []


def test_the_lesson_on_placing_names_the_card_and_the_numbers_of_the_table():
    state = GAME.start(4, bytes(32))
    found = lessons(scene(state.view(state.seat), [], me=state.seat))[-1]
    assert "In your turn you place 5 cards: keep one, hide one for the auctions, and leave 3 in the open" in found.text


# Ex Libris, alone


@pytest.fixture(scope="module")
def tales():
    """Games of random moves against the public library, and what its player is told at each of their questions."""
    tales = [Tale(f"alone {seed}", 1, LIBRARIANS) for seed in range(4)]
    return [
        (
            tale,
            [
                tale.scene(ply, 0, guided=True)
                for ply, state in enumerate(tale.states)
                if state.over or state.forced() is None
            ],
        )
        for tale in tales
    ]


def test_alone_each_question_brings_one_new_lesson_at_most_and_each_decision_its_own(tales):
    for _tale, scenes in tales:
        told = [AIM]
        for shown in scenes:
            found = guide.GUIDE.lessons(shown)
            new = [lesson.name for lesson in found if lesson.due and lesson.name != AIM]
            asked = "" if shown.view.over else guide.decision(shown.view)
            if asked and asked not in told:
                assert new == [asked]
            assert len(new) <= 1 and not {*new} & {*told}
            told += new
            assert [lesson.name for lesson in found] == told
        assert told[-2:] == ["flip", "end"]


def test_games_alone_meet_every_lesson_and_every_tile_that_asks(tales):
    met = {lesson.name for _tale, scenes in tales for lesson in guide.GUIDE.lessons(scenes[-1])}
    tiles = {f"tile-{tile}" for tile in ASKED_OF.values() if TILES[tile].solo}
    assert met == {*guide.PLACES} - {"tile", "pay", "reaction", *guide.NEW_SIGNS} | tiles


def test_the_lessons_of_a_game_alone_are_short_whole_and_stay_as_they_were_told(tales):
    for _tale, scenes in tales:
        said = {}
        for shown in scenes[::7]:
            for found in guide.GUIDE.lessons(shown):
                assert said.setdefault(found.name, found) == replace(found, due=said[found.name].due)
                assert found.title and "%" not in found.title + found.text
                assert found.text.endswith((".", "!", ")")) and len(found.text) < 420
                assert found.anchor in SECTIONS


SECTIONS = {"goal", "cards", "start", "round", "shelving", "end", "tiles", "assistants", "solo", "notation"}


def test_a_lesson_of_a_reconstructed_tile_says_so(tales):
    found = [lesson for _tale, scenes in tales for lesson in guide.GUIDE.lessons(scenes[-1])]
    wells = [lesson.text for lesson in found if lesson.name == "tile-14"]
    assert wells and all("Reconstructed:" in text for text in wells)


def test_a_lesson_alone_says_nothing_that_its_reader_may_not_know(tales):
    tale, scenes = tales[0]
    rng = Random(1)
    for shown in [shown for shown in scenes[:-1] if any(lesson.due for lesson in guide.GUIDE.lessons(shown))]:

        def look(state, me, shown=shown):
            return guide.GUIDE.lessons(replace(shown, view=state.view(me)))

        check_blind(LIBRARIANS, tale.states[shown.ply], 0, rng, look)


# Ex Libris, against an opponent


@pytest.fixture(scope="module")
def duels():
    """The scenes of each of one's own questions in games of random moves against an opponent, and of their ends."""
    tales = [Tale(f"duel {seed}", 2, LIBRARIANS, libraries="special", conflict=True) for seed in range(6)]
    return [
        [
            tale.scene(ply, 0, guided=True)
            for ply, state in enumerate(tale.states)
            if state.over or (state.seat == 0 and state.forced() is None)
        ]
        for tale in tales
    ]


def test_against_an_opponent_only_what_is_new_is_told_once_and_at_most_one_lesson_a_question(duels):
    met = set()
    for scenes in duels:
        told = [AIM]
        for shown in scenes:
            found = guide.GUIDE.lessons(shown)
            new = [lesson.name for lesson in found if lesson.due and lesson.name != AIM]
            assert len(new) <= 1 and not {*new} & {*told}
            told += new
        assert [lesson.name for lesson in guide.GUIDE.lessons(scenes[-1])] == told
        met.update(told)
    others = {f"tile-{tile}" for tile in ASKED_OF.values() if not TILES[tile].solo} - {"tile-3"}
    assert {AIM, "end", "pay", "reaction", *guide.NEW_SIGNS} <= met
    assert met - {AIM, "end", "pay", "reaction", *guide.NEW_SIGNS} <= others


def test_the_lessons_against_an_opponent_are_short_whole_and_stay_as_they_were_told(duels):
    for scenes in duels[:2]:
        said = {}
        for shown in scenes[::5]:
            for found in guide.GUIDE.lessons(shown):
                assert said.setdefault(found.name, found) == replace(found, due=said[found.name].due)
                assert found.title and "%" not in found.title + found.text
                assert found.text.endswith((".", "!", ")")) and len(found.text) < 420, found.text
                assert found.anchor in SECTIONS


@pytest.mark.django_db(transaction=True)
def test_the_second_guided_game_is_offered_at_the_end_of_the_first_and_meets_one_bot(client):
    client.force_login(person("ann"))
    first = client.post("/play/guided", {"game": "exlibris"})["Location"]
    rushed(access.find(first.removeprefix("/m/")))
    html = client.get(first).content.decode()
    assert "Second lesson: an opponent" in html
    offer = html[html.index("Second lesson: an opponent") :].partition("</form>")[0]
    assert 'name="places" value="2"' in offer
    second = client.post("/play/guided", {"game": "exlibris", "places": "2"})["Location"]
    match = access.find(second.removeprefix("/m/"))
    assert (match.places, match.guided) == (2, True)
    assert "Now somebody wants the same tiles and the same books." in client.get(second).content.decode()
    assert "Second lesson: an opponent" in client.get("/rules").content.decode()
    assert client.post("/play/guided", {"game": "exlibris", "places": "3"}).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_guided_game_of_ex_libris_is_played_alone_and_ends(client):
    """By plain forms, as somebody without scripts would; after the end it says who has won, and what comes next."""
    client.force_login(person("ann"))
    address = client.post("/play/guided", {"game": "exlibris"})["Location"]
    match = Match.objects.get(key=address.removeprefix("/m/"))
    assert match.places == 1 and match.guided
    html = client.get(address).content.decode()
    assert 'id="lesson-welcome"' in html and 'id="lesson-library"' in html
    match = rushed(access.find(match.key), lambda state: state.question == TURN)
    assert 'data-lesson="flip" data-explains="#stage" data-due' in client.get(address).content.decode()
    match = rushed(match)
    assert match.status == "finished" and match.result["rounds"] == 5
    html = client.get(address).content.decode()
    assert 'data-lesson="end" data-explains="#stage" data-due' in html
    assert "The public library has" in html and "Another game alone, without lessons." in html


@pytest.mark.django_db
def test_the_lessons_stand_at_the_guided_table_and_nowhere_else(client):
    client.force_login(person("ann"))
    table = client.post("/play/guided")["Location"]
    html = client.get(table).content.decode()
    assert html.count('id="lessons"') == 1
    assert 'id="lesson-welcome"' in html
    assert 'href="/rules/biblios#goal"' in html
    other = client.post("/play/bots", {"places": 3})["Location"]
    assert 'id="lesson' not in client.get(other).content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_bots_wait_until_the_aim_was_read(client):
    """Until then nothing is due; a bot that begins answers afterwards, and a second press changes nothing."""
    client.force_login(person("ann"))
    while True:
        match = Match.objects.get(key=client.post("/play/guided")["Location"].removeprefix("/m/"))
        if match.mover:
            break
        client.post(f"/m/{match.key}/resign")
    assert match.wake_at is None
    assert client.post(f"/m/{match.key}/begin").status_code == 302
    match.refresh_from_db()
    since = match.wake_at
    assert since is not None
    client.post(f"/m/{match.key}/begin")
    match.refresh_from_db()
    assert match.wake_at == since


def test_the_lessons_are_sent_again_only_when_they_change():
    pages = [page_of(shown)["lessons"] for _, shown in played(3)]
    assert any(page == following for page, following in pairwise(pages))
    assert any(page != following for page, following in pairwise(pages))
    assert "lessons" not in page_of(replace(next(shown for _, shown in played(3)), guided=False))
