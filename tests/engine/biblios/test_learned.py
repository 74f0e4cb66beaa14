"""The bots that learned: their columns, their weights, and what they may not depend on."""

import json
from random import Random

import pytest

from games.engine.biblios.features import columns, names
from games.engine.biblios.outlook import values
from games.engine.biblios.situation import situation
from games.engine.biblios.value import WEIGHTS, BadWeights, Value
from games.engine.registry import game_of
from tests.engine import promises

BIBLIOS = game_of("biblios", 1)


def positions(seed, games, **options):
    rng = Random(seed)
    for _ in range(games):
        for state in promises.random_game(BIBLIOS, rng, **options).positions():
            if rng.random() < 0.1:
                yield state, rng


def test_the_shares_of_all_seats_add_up_to_one_in_every_position():
    for state, _ in positions(1, 5):
        for seat in range(state.setup.seats):
            for shares in values(state.view(seat)):
                assert sum(shares) == pytest.approx(1)
                assert min(shares) >= 0


def test_at_the_end_the_shares_are_the_result():
    rng = Random(2)
    for _ in range(4):
        end = promises.random_game(BIBLIOS, rng).end
        places = end.places()
        result = tuple((place == 1) / places.count(1) for place in places)
        assert values(end.view(0)) == (result, result)


def test_what_the_seat_cannot_know_changes_no_share():
    for state, rng in positions(3, 4):
        seat = rng.randrange(state.setup.seats)
        if not state.over:
            view = state.view(seat)
            assert values(BIBLIOS.sample(view, rng).view(seat)) == values(view)


def test_each_column_has_a_name():
    for state, _ in positions(4, 3):
        row = columns(situation(state.view(0)))
        assert len(row) == len(names(state.setup.seats))
        assert all(type(number) is int for number in row)


def test_no_two_columns_have_the_same_name():
    for seats in BIBLIOS.seats:
        assert len(set(names(seats))) == len(names(seats))


def test_weights_of_other_columns_are_refused():
    weights = json.loads((WEIGHTS / "2.json").read_text()) | {"table": "0123456789abcdef"}
    with pytest.raises(BadWeights, match="learned from other columns"):
        Value(weights)


def test_a_die_that_i_win_is_worth_more_the_higher_it_is():
    """Whoever surely has a category wants its die up, and all others down."""
    for seats in BIBLIOS.seats:
        state = BIBLIOS.start(seats, bytes(32))
        here = situation(state.view(0))
        here.totals = [[14 * (seat == 0) if category == 0 else 0 for category in range(5)] for seat in range(seats)]
        here.dice = [6, 3, 3, 3, 3]
        high = Value(json.loads((WEIGHTS / f"{seats}.json").read_text())).shares(here)
        here.dice = [1, 3, 3, 3, 3]
        low = Value(json.loads((WEIGHTS / f"{seats}.json").read_text())).shares(here)
        assert all(more[0] > less[0] for more, less in zip(high, low, strict=True))
