"""Random players reach every rule."""

from collections import Counter
from random import Random

import pytest

from games.engine.registry import game_of
from tests.engine import promises

pytestmark = pytest.mark.slow

CATEGORIES = "MPHSF"


def test_random_games_reach_every_move_penalty_and_tie_break():
    game = game_of("biblios", 1)
    rng = Random(1)
    happened: Counter[str] = Counter()
    for _ in range(2000):
        played = promises.random_game(game, rng)
        happened += game.tally(played.start, played.moves)
    expected = {
        *(f"move {move}" for move in ("keep", "public", "auction", "bid", "pass", "refuse")),
        *(f"move take {kind}" for kind in ("category", "gold", "church")),
        *(f"move pay {kind}" for kind in ("category", "gold")),
        *(f"move dice {kind}" for kind in ("+", "-", "none")),
        *(f"church {card}" for card in ("C+", "C-", "C++", "C--", "C+-")),
        *(f"penalty {kind}" for kind in ("transfer", "discard")),
        *(f"die {name} {way}" for name in CATEGORIES for way in ("by total", "by letter", "to nobody")),
        *(f"places by {step}" for step in ("points", "gold", "total M", "letter M", "won M", "won P", "shared")),
        "lot unsold",
        "move, forced",
    }
    assert expected <= set(happened), expected - set(happened)
    assert not happened["penalty honest"], "nobody defaults under “honest”"
