"""A position as plain data: written and read back, it is the same, and goes on in the same way."""

import json
from random import Random

import pytest

from games.engine import position
from games.engine.core import BadRecord
from tests.engine import promises
from tests.engine.games import EVERY

EVERY_GAME = pytest.mark.parametrize("game", EVERY.values(), ids=lambda game: f"{game.slug}-{game.version}")


def again(game, state, seats):
    return position.read(game, seats, state.options, json.loads(json.dumps(position.written(game, state))))


def play_out(state, rng):
    while not state.over:
        state.play(rng.choice(state.legal()))
    return state.key()


@EVERY_GAME
def test_positions_read_back_and_go_on_as_they_would(game):
    rng = Random(5)
    for _ in range(4):
        played = promises.random_game(game, rng)
        positions = list(played.positions())
        seats = len(positions[0].scores())
        for state in rng.sample(positions, min(12, len(positions))):
            read = again(game, state, seats)
            assert read.key() == state.key() and read.options == state.options
            for seat in (None, *range(seats)):
                assert read.view(seat) == state.view(seat)
            assert play_out(read, Random(3)) == play_out(state.copy(), Random(3))


@EVERY_GAME
def test_a_determinization_is_written_with_a_seed_like_that_of_a_match(game):
    rng = Random(6)
    played = promises.random_game(game, rng)
    state = list(played.positions())[-3]
    seats = len(state.scores())
    sampled = game.sample(state.view(state.seat), rng)
    read = again(game, sampled, seats)
    assert read.view(state.seat) == state.view(state.seat)
    assert position.written(game, again(game, read, seats)) == position.written(game, read)
    assert play_out(again(game, read, seats), Random(3)) == play_out(read, Random(3))


@EVERY_GAME
def test_what_is_no_position_is_refused(game):
    state = next(iter(promises.random_game(game, Random(7)).positions()))
    seats, whole = len(state.scores()), position.written(game, state)
    for wrong in (
        {},
        {"deal": whole["deal"]},
        {**whole, "zones": {**whole["zones"], "__class__": 1}},
        {**whole, "deal": {}},
        {**whole, "zones": {**whole["zones"], "seat": {"os": []}}},
        {**whole, "zones": None},
    ):
        with pytest.raises(BadRecord):
            position.read(game, seats, state.options, wrong)
