"""Every card is in exactly one place, always, and every die shows 1 to 6."""

from itertools import product
from random import Random

import pytest

from games.engine.biblios.cards import ALL
from games.engine.biblios.notation import DIE, SECOND_DIE
from tests.engine.biblios.sitting import GAME, Sitting, lively_game, mask
from tests.engine.promises import Played

pytestmark = pytest.mark.slow

OPTIONS = list(product(*GAME.choices.values()))


def careless_game(rng, seats, **options):
    """Any move, each equally likely: high bids, and many penalties."""
    start = GAME.start(seats, rng.randbytes(32), options)
    end = start.copy()
    moves = []
    while not end.over:
        moves.append(rng.choice(end.legal()))
        end.play(moves[-1])
    return Played(start, moves, end)


def zones(state):
    """The cards of each place, as sets."""
    zones = {
        "removed": mask(state.deal.removed),
        "deck": mask(state.deal.deck[state.placed :]),
        "space": state.space,
        "kept": state.kept,
        "pile": mask(state.pile[state.sold :]) if state.pile else state.given,
        "discard": state.discard,
        "buried": state.buried,
        **{f"hand {seat}": hand for seat, hand in enumerate(state.hands)},
    }
    if state.question in (DIE, SECOND_DIE) and not state.pile:
        zones["being resolved"] = 1 << state.card
    return zones


def check_zones(state):
    found = zones(state).values()
    assert sum(cards.bit_count() for cards in found) == ALL.bit_count()
    together = 0
    for cards in found:
        together |= cards
    assert together == ALL
    assert all(1 <= die <= 6 for die in state.dice)
    assert len(state.dice) == 5


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("play", [lively_game, careless_game], ids=["lively", "careless"])
def test_every_card_is_in_exactly_one_place_under_all_options(seats, play):
    for number, values in enumerate(OPTIONS):
        options = dict(zip(GAME.choices, values, strict=True))
        for state in play(Random(number), seats, **options).positions():
            check_zones(state)


def test_the_hands_never_hold_a_church_card():
    for number in range(30):
        for state in lively_game(Random(number)).positions():
            assert all(hand < 1 << 78 for hand in state.hands)


def test_a_set_up_position_holds_every_card_too():
    sitting = Sitting.at_auction("G1 M2A", "P2A", "", pile="G3 C+ H1A", draws="P2A")
    check_zones(sitting.state)
    while not sitting.over:
        sitting.play(f"{sitting.asked} {sitting.answers()[-1]}")
        check_zones(sitting.state)
