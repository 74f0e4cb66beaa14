"""The weights of Ex Libris are learned from games, and come out the same from the same seed."""

from random import Random

import pytest

from games.engine.exlibris.model import TABLE, expected, read
from games.engine.exlibris.worth import NAMES
from tools.training.exlibris import Half, rows_of_a_game


@pytest.mark.parametrize("players", [1, 2])
def test_a_game_gives_the_same_rows_again(players):
    examples = list(rows_of_a_game(players, Random(5)))
    assert examples
    assert list(rows_of_a_game(players, Random(5))) == examples
    for found, points, won in examples:
        assert [part for part, _ in found] == (["own", "public"] if players == 1 else [part for part, _ in found])
        assert all(len(values) == len(NAMES[part]) for part, values in found)
        assert len(found) == len(points) == len(won) == max(2, players)
        assert sum(won) == 1


def test_weights_that_made_the_points_are_found_again():
    rng = Random(1)
    true = {part: [rng.uniform(-3, 3) for _ in NAMES[part]] for part in ("own", "other")}
    half = Half(2)
    for _ in range(400):
        found = [(part, [1.0, *(rng.random() for _ in NAMES[part][1:])]) for part in ("own", "other")]
        half.add([(found, expected(true, found), (1.0, 0.0))])
    document = {"columns": TABLE, "seats": {"2": [half.fit(), half.fit()]}}
    first, second = read(document, 2)
    assert first.parts == second.parts
    assert half.loss(document["seats"]["2"][0])[0] < 0.5
