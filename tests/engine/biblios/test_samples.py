"""Samples of positions in which much was hidden, and some of it shown again."""

from random import Random

import pytest

from games.engine.biblios.notation import PAY_GOLD
from tests.engine import promises
from tests.engine.biblios.sitting import GAME, lively_game

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("penalty", ["transfer", "discard", "honest"])
def test_a_rival_who_is_paying_can_pay_the_rest_in_every_sample(penalty):
    """After long chains of penalties the only card of a hand that may be gold is one that was lost and found."""
    for number in range(40):
        rng = Random(number)
        for state in lively_game(rng, 3, penalty=penalty).positions():
            if state.question == PAY_GOLD and state.due < state.high:
                for me in promises.viewers(state):
                    view = state.view(me)
                    for _ in range(5):
                        assert GAME.sample(view, rng).view(me) == view
