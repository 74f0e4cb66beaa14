"""Random players reach every tile, every assistant and every question (a hand without a category is too rare)."""

from collections import Counter
from random import Random

import pytest

from games.engine.exlibris.frames import QUESTIONS
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.tiles import NUMBERS
from tests.engine import promises
from tests.engine.exlibris.sitting import GAME

pytestmark = [pytest.mark.slow, pytest.mark.once]


def test_random_games_reach_every_question_tile_and_assistant():
    rng = Random(1)
    happened: Counter[str] = Counter()
    for _ in range(200):
        played = promises.random_game(GAME, rng, libraries="special", conflict=True)
        happened += GAME.tally(played.start, played.moves)
    words = "pass draw more stop lose allow back up down keep send special cat drop recall shelve discard take swap"
    expected = {
        *(f"move {word}" for word in (*words.split(), "lay", "move", "give", "at", "over", "under")),
        *(f"move {word} #" for word in ("peek", "take", "discard")),
        *(f"question {question}" for question in QUESTIONS),
        *(f"visit {tile}" for tile in ("home", *NUMBERS, "3:1", "3:2", "3:3", "3:4") if tile != 3),
        *(f"special {code}" for code in CODES),
        *(f"chance {kind}" for kind in ("deck", "tiles", "steal")),
        *("rounds 5", "places by points", "move, forced"),
    }
    assert expected <= set(happened), expected - set(happened)


@pytest.fixture(scope="module")
def asked():
    """Two positions of each question, from random games."""
    rng = Random(2)
    found = {question: [] for question in QUESTIONS}
    while any(len(states) < 2 for states in found.values()):
        for state in promises.random_game(GAME, rng, libraries="special", conflict=True).positions():
            if not state.over and len(found[state.question]) < 2:
                found[state.question].append(state)
    return found


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_question_takes_its_answers_alone_and_tells_nothing_by_it(question, asked):
    rng = Random(question)
    for state in asked[question]:
        promises.check_legal(GAME, state)
        for me in promises.viewers(state):
            promises.check_blind(GAME, state, me, rng)
            promises.check_sample(GAME, state, me, rng)
        for me in range(len(state.hands)):
            promises.check_acceptance(GAME, state, me, rng)
