"""How long bots wait: long enough to follow them, and never long in an auction."""

from itertools import pairwise
from random import Random

import pytest

from games.engine.biblios.bot_delay import bot_delay
from games.engine.biblios.notation import BID, PASS
from games.engine.registry import game_of

BIBLIOS = game_of("biblios", 1)
LONGEST_DELAY_S = 0.9


def passing(view, rng):
    """A person who stays out of all auctions."""
    return PASS if view.question == BID else BIBLIOS.bots["greedy"](view, rng)


def auctions(rng, people, bots):
    """For each lot of a game, how long the bots take, in units of delay, since its card came or a person passed."""
    seats = people + bots
    state = BIBLIOS.start(seats, rng.randbytes(32))
    lots, moves, same_answer = {}, [], False
    while not state.over:
        seat, lot, forced = state.seat, state.sold, state.forced()
        if state.pile and not same_answer and forced is None and seat >= people:
            lots[lot] = lots.get(lot, 0) + bot_delay(moves, seats)
        if not same_answer and forced is None and seat < people:
            moves = []
            lots.pop(lot, None)
        choose = passing if seat < people else BIBLIOS.bots["greedy"]
        move = choose(state.view(seat), rng) if forced is None else forced
        moves.append(state.shown(move))
        state.play(move)
        same_answer = state.same_answer
    return lots


@pytest.mark.slow
@pytest.mark.parametrize(("people", "bots"), [(0, 2), (1, 2), (2, 2), (1, 3), (0, 4)])
def test_no_auction_of_bots_takes_longer_than_three_seconds_at_normal_pace(people, bots):
    for seed in range(12):
        lots = auctions(Random(seed), people, bots)
        assert len(lots) >= 10
        assert max(lots.values()) * LONGEST_DELAY_S <= 3


def test_however_long_bots_bid_it_takes_three_seconds():
    """The pauses of a lot grow smaller so fast that their sum has a bound."""
    moves = ["pay G1", *(f"bid {bid}" for bid in range(1, 67)), "pass"]
    assert sum(bot_delay(moves[:made], 4) for made in range(1, len(moves) + 1)) * LONGEST_DELAY_S <= 3


def test_a_lot_that_nobody_wants_does_not_hurry_the_next():
    lots = ["pay G1", *["pass"] * 9]
    waits = [bot_delay(lots[:made], 3) for made in range(1, 11)]
    assert waits[1:4] == waits[4:7] == waits[7:10]
    assert bot_delay([*lots, "bid 1"], 3) == bot_delay(["bid 1"], 3)


def test_gifts_are_shown_longer_than_what_lies_face_down():
    shown = [bot_delay([move], 4) for move in ("public", "take M2A", "dice M+")]
    hidden = [bot_delay([move], 4) for move in ("keep", "auction")]
    assert min(shown) > max(hidden)


def test_each_bid_of_a_lot_is_answered_sooner():
    moves = ["bid 1", "bid 2", "pass", "bid 4"]
    waits = [bot_delay(moves[: made + 1], 3) for made in range(4)]
    assert all(former > later for former, later in pairwise(waits))
