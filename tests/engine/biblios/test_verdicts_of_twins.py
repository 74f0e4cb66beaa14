"""What a seat cannot tell apart changes no verdict on its decisions, and nothing of the course that it is shown."""

from random import Random

import pytest

from games.engine.biblios.expert import expert_for
from games.engine.verdicts import own_band, public_bands, verdict
from tests.engine.biblios.sitting import GAME
from tests.engine.biblios.twins import twins


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_twins_have_the_same_verdicts(seats):
    rng, compared = Random(f"verdicts {seats}"), 0
    expert = expert_for(seats)
    for pair in twins(rng, 2, seats=seats):
        for number, (state, other) in enumerate(zip(pair.states, pair.others, strict=True)):
            if number % 11 or state.key() == other.key() or state.over:
                continue
            views = [it.view(pair.me) for it in (state, other)]
            if pair.me is None:
                assert len({tuple(public_bands(GAME, expert, view, "twin", number)) for view in views}) == 1
                continue
            assert own_band(expert, views[0]) == own_band(expert, views[1])
            if state.seat == pair.me and len(state.legal()) > 1:
                made = rng.choice(state.legal())
                first, second = [verdict(GAME, expert, view, made, "twin", number, samples=8) for view in views]
                assert first == second
                compared += 1
    assert compared > 5
