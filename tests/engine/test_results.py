"""Results of games that say only who is first and who has won."""

import pytest

from tests.toy.game import Toy


@pytest.mark.parametrize(
    ("places", "winners", "won"),
    [
        ([2, 1, 3], [1], [False, True, False]),
        ([1, 1, 3], [0, 1], [True, True, False]),
        ([1], [0], [True]),
        ([1], [], [False]),
        ([1], ["house"], [False]),
        ([1, 2], ["house"], [False, False]),
    ],
)
def test_the_first_place_has_won_unless_no_seat_has(places, winners, won):
    result = {"places": places, "winners": winners}
    assert [Toy().won(result, seat) for seat in range(len(places))] == won


def test_the_player_who_stayed_wins_even_if_the_leavers_bot_was_ahead():
    result = {"places": [2, 1], "winners": [0]}
    assert [Toy().won(result, seat) for seat in (0, 1)] == [False, True]
