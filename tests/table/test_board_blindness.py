"""What one may not know is not in a single byte of the page (see `tests/engine/biblios/twins.py`)."""

import re
from dataclasses import replace
from random import Random

import pytest

from games.engine.biblios.cards import KIND
from games.engine.biblios.notation import PLACE
from games.engine.testing import check_blind, viewers
from games.matches import chain
from games.table import board
from tests.engine.biblios.sitting import GAME, lively_game
from tests.engine.biblios.twins import twins
from tests.faces.scenes import NOW, moves_between, scene_of

pytestmark = [pytest.mark.usefixtures("static_files"), pytest.mark.once, pytest.mark.slow]


def page(state, me):
    """The page of a position, its log aside."""
    return board.draw(scene_of([state], [], me))


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_page_is_the_same_for_positions_that_its_viewer_cannot_tell_apart(seats):
    rng = Random(seats)
    for _ in range(3):
        states = [state for state in lively_game(rng, seats).positions() if not state.over]
        for state in rng.sample(states, 30):
            for me in viewers(state):
                check_blind(state, me, rng, page)


@pytest.mark.parametrize("penalty", GAME.choices["penalty"])
def test_a_page_with_its_log_and_news_is_the_same_for_games_that_its_viewer_cannot_tell_apart(penalty):
    compared = 0
    for pair in twins(Random(penalty), 4, penalty=penalty):
        pages = []
        for states in (pair.states, pair.others):
            scene = scene_of(states, moves_between(states), pair.me, since=0)
            pages.append(board.draw(replace(scene, playing=pair.me is not None)))
        assert pages[0] == pages[1], f"seat {pair.me} is shown what it may not know ({pair.kind})"
        compared += 1
    assert compared > 30


@pytest.mark.parametrize("penalty", GAME.choices["penalty"])
def test_the_chain_of_games_that_its_viewer_cannot_tell_apart_differs_in_hashes_alone(penalty):
    compared = 0
    for pair in twins(Random(penalty), 4, penalty=penalty):
        messages = []
        for states in (pair.states, pair.others):
            moves = moves_between(states)
            lines = [
                chain.line(bytes(32), ply, state.seat, 0, NOW + ply, GAME.text(move), state.shown(move))
                for ply, (state, move) in enumerate(zip(states, moves, strict=False))
            ]
            scenes = [scene_of(states[: ply + 1], moves[:ply], pair.me, lines=lines) for ply in (0, len(moves))]
            sent = board.update(*map(board.draw, scenes))
            assert sent.endswith(board.rows(lines))
            messages.append(re.sub("#[0-9a-f]{64}", "#", board.rows(lines)))
        assert messages[0] == messages[1], f"seat {pair.me} is told by a row what it may not know ({pair.kind})"
        compared += 1
    assert compared > 30


# Leaks, planted


def drawn_card_for_everybody(state, me):
    view = state.view(me)
    return replace(view, drawn=KIND[state.deal.deck[state.placed]]) if state.question == PLACE else view


def hands_for_everybody(state, me):
    return replace(state.view(me), hands=tuple(state.view(seat).hand for seat in range(len(state.hands))))


def kept_card_for_everybody(state, me):
    return replace(state.view(me), kept=state.view(state.active).kept)


def true_history_for_everybody(state, me):
    views = [state.view(seat) for seat in range(len(state.hands))]
    return replace(state.view(me), flow=tuple(max(moves) for moves in zip(*(v.flow for v in views), strict=True)))


@pytest.mark.parametrize("leak", [hands_for_everybody, true_history_for_everybody])
def test_the_check_finds_what_leaks_into_the_page(leak):
    def leaking(state, me):
        return board.draw(replace(scene_of([state], [], me), view=leak(state, me)))

    rng = Random(1)
    with pytest.raises(AssertionError, match="is shown what it may not know"):
        for state in lively_game(rng, 3).positions():
            if not state.over:
                check_blind(state, rng.choice(viewers(state)), rng, leaking)


@pytest.mark.parametrize("leak", [drawn_card_for_everybody, true_history_for_everybody])
def test_the_check_finds_what_leaks_into_the_log(leak):
    def leaking(states, me):
        moves = moves_between(states)
        views = [leak(state, me) for state in states]
        scene = scene_of(states, moves, me, since=0)
        steps = [replace(s, before=views[s.ply], after=views[s.ply + 1]) for s in scene.steps]
        return board.draw(replace(scene, steps=steps))

    assert any(
        leaking(pair.states, pair.me) != leaking(pair.others, pair.me)
        for pair in twins(Random(7), 4, penalty="transfer")
    )
