"""A position as plain data: written and read back, it is the same, and goes on in the same way."""

import json
from random import Random

import pytest

from games.engine import position, record
from games.engine.core import BadRecord
from tests.engine import promises
from tests.engine.games import EVERY, PLAYABLE

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


ODD = (
    *(None, True, -1, 99, 1.5, 1 << 60, "x", [], [[]], [0] * 50),
    *({"int": "f" * 40}, {"int": "f" * 5000}, {"list": []}, {"list": [-1, -1]}, {"list": [1 << 50] * 2}),
    *({"bytes": ""}, {"chain": [None] + [[1]] * 400}, {"chain": [None] + [[1]] * 200_000}, {"Pile": [1, 2, 3]}),
)
"""What may stand in the zones of a record from elsewhere."""


@pytest.mark.parametrize("game", PLAYABLE.values(), ids=lambda game: f"{game.slug}-{game.version}")
def test_a_record_with_odd_zones_is_refused_or_goes_on_by_the_rules_and_nothing_else(game):
    played = promises.random_game(game, Random(8))
    positions = list(played.positions())
    start, moves = positions[len(positions) // 2], played.moves[len(positions) // 2 :]
    names = [str(seat) for seat in range(len(start.scores()))]
    whole = json.loads(json.dumps(record.export(game, start, moves, names, beginning=position.written(game, start))))
    assert record.record_of(whole).replay()[1] == list(moves)
    refused = 0
    for part in ("zones", "deal"):
        for name in whole["position"][part]:
            for odd in ODD:
                changed = {**whole["position"], part: {**whole["position"][part], name: odd}}
                try:
                    record.record_of({**whole, "position": changed}).replay()
                except BadRecord:
                    refused += 1
    assert refused > 300


def test_no_position_has_more_than_can_be_compared():
    game = EVERY["biblios", 1]
    start = game.start(2, b"s" * 32)
    whole = position.written(game, start)
    for name, odd in (
        ("flow", {"chain": [None] + [[1]] * 501}),
        ("hands", {"list": [{"int": "f" * 49}, 0]}),
        ("pile", [1 << 53]),
    ):
        with pytest.raises(BadRecord, match="cannot be read: ValueError"):
            position.read(game, 2, start.options, {**whole, "zones": {**whole["zones"], name: odd}})
