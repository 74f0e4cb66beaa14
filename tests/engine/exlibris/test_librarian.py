"""The bot that keeps its shelf in order plays a decent game."""

from collections import Counter
from random import Random

import pytest

from games.engine.bots import play_out
from games.engine.exlibris.tiles import NUMBERS
from tests.engine.exlibris.sitting import GAME

pytestmark = [pytest.mark.slow, pytest.mark.once]

LIBRARIAN, RANDOM = GAME.bots["librarian"], GAME.bots["random"]


def played(number, *bots, **options):
    """The start, the moves and the end of a game of these bots."""
    rng = Random(number)
    start = GAME.start(len(bots), rng.randbytes(32), options)
    end = start.copy()
    return start, play_out(end, bots, rng), end


def test_it_beats_random_in_at_least_38_of_40_games_of_two():
    wins = 0.0
    for number in range(40):
        seat = number % 2
        bots = [RANDOM, RANDOM]
        bots[seat] = LIBRARIAN
        places = played(number, *bots)[2].places()
        wins += (places[seat] == 1) / places.count(1)
    assert wins >= 38


@pytest.mark.parametrize(("difficulty", "said"), [(1, 40), (2, 38), (3, 30), (4, 16), (5, 4), (6, 1), (7, 0)])
def test_it_wins_about_as_many_of_40_solo_games_as_the_lobby_says(difficulty, said):
    won = sum(played(number, LIBRARIAN, difficulty=difficulty)[2].places() == (1,) for number in range(40))
    assert abs(won - said) <= 8


def test_it_uses_every_tile_and_shelves_what_it_can():
    happened: Counter[str] = Counter()
    for number in range(16):
        start, moves, _ = played(number, *[LIBRARIAN] * (2 + number % 3))
        happened += GAME.tally(start, moves)
    visited = {tile for tile in NUMBERS if any(happened[f"visit {tile}{bid}"] for bid in ("", ":1", ":2", ":3", ":4"))}
    assert visited == set(NUMBERS)
    assert happened["move shelve"] > 5 * happened["move pass"]


def test_it_turns_down_by_itself_what_the_order_check_would():
    for number in range(6):
        end = played(number, LIBRARIAN, LIBRARIAN, libraries="basic")[2]
        assert [mask.bit_count() for mask in end.turned] == [
            sum(not pile.up for pile in shelf) for shelf in end.shelves
        ]
