"""No seat is shown what it may not know, and whoever leaks is caught.

Twin games (see `twins`) know nothing of how views are built or sampled; `check_blind` uses samples.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from games.engine.exlibris.cards import cards_of
from tests.engine.exlibris.sitting import GAME
from tests.engine.exlibris.twins import WAYS, Told, shown, twins
from tests.engine.promises import check_acceptance, check_blind, random_game, viewers

pytestmark = [pytest.mark.slow, pytest.mark.once]

SEATS = pytest.mark.parametrize("seats", GAME.seats)


def games(rng, number, seats=None, **options):
    """Random games of a number of seats."""
    while number:
        played = random_game(GAME, rng, **options)
        if seats in (None, len(played.start.hands)):
            number -= 1
            yield played


@SEATS
def test_what_a_seat_has_not_seen_changes_nothing_that_it_is_shown(seats):
    rng = Random(seats)
    for pair in twins(games(rng, 4, seats), rng):
        pair.check()


@SEATS
def test_what_a_seat_has_not_seen_changes_no_acceptance_of_its_answers(seats):
    rng = Random(10 + seats)
    for pair in rng.sample(list(twins(games(rng, 3, seats), rng)), 10):
        if pair.me is not None:
            check_acceptance(GAME, pair.states[-1], pair.me, rng, pair.others[-1])


def test_twins_are_found_in_every_way_for_seats_and_watchers():
    rng = Random(1)
    found = Counter((pair.kind, pair.me is None) for pair in twins(games(rng, 20, libraries="special"), rng))
    assert all(found[way.__name__, watcher] >= 5 for way in WAYS for watcher in (True, False)), found


# Leaks, planted


def top_of_the_deck(state, me):
    return state.deck[state.drawn : state.drawn + 1]


def cards_of_another_hand(state, me):
    return [hand for seat, hand in enumerate(state.hands) if seat != me]


def cards_face_down_on_tiles(state, me):
    return state.cards


def focus_of_others(state, me):
    return state.deal.categories


def libraries_not_kept(state, me):
    return state.deal.libraries


def tiles_to_come(state, me):
    return state.tiles_to_come


def cards_turned_down(state, me):
    return state.turned


LEAKS = [
    top_of_the_deck,
    cards_of_another_hand,
    cards_face_down_on_tiles,
    focus_of_others,
    libraries_not_kept,
    tiles_to_come,
    cards_turned_down,
]


def beside(leak):
    """What the game shows, with a leak beside it."""
    return lambda state, me: (shown(state, me), leak(state, me))


@pytest.fixture(scope="module")
def pairs():
    rng = Random(3)
    return [*twins(games(rng, 14, libraries="special"), rng)]


@pytest.mark.parametrize("who", ["seat", "watcher"])
@pytest.mark.parametrize("leak", LEAKS)
def test_twin_games_catch_a_leak(leak, who, pairs):
    with pytest.raises(AssertionError, match=r"sees at ply"):
        for pair in pairs:
            if (pair.me is None) == (who == "watcher"):
                pair.check(beside(leak))


@pytest.mark.parametrize("leak", [leak for leak in LEAKS if leak is not cards_turned_down])
def test_check_blind_catches_a_leak(leak):
    rng = Random(4)
    states = [state for played in games(rng, 6) for state in played.positions() if not state.over]
    with pytest.raises(AssertionError, match=r"is shown what it may not know"):
        for state in rng.sample(states, 400):
            check_blind(GAME, state, rng.choice(viewers(state)[1:]), rng, beside(leak))


# Leaks in the view itself, which `check_blind` cannot find: it samples from that view.


def hands_for_everybody(state, me):
    return replace(state.view(me), hands=tuple(tuple(cards_of(hand)) for hand in state.hands))


def unsealed_card_for_everybody(state, me):
    return replace(state.view(me), stack=state.stack)


def peeked_cards_for_everybody(state, me):
    knows = 0
    for known in state.knows:
        knows |= known
    return [[card if card >= 0 and knows >> card & 1 else None for card in cards] for cards in state.cards]


def turned_for_everybody(state, me):
    return replace(state.view(me), turned=state.turned)


@pytest.mark.parametrize(
    ("leak", "way"),
    [
        (hands_for_everybody, Told.two_cards),
        (unsealed_card_for_everybody, Told.two_cards),
        (peeked_cards_for_everybody, Told.two_cards),
        (turned_for_everybody, Told.other_turning),
    ],
)
def test_twin_games_catch_a_leak_in_the_view_itself(leak, way):
    rng = Random(5)
    with pytest.raises(AssertionError, match=r"sees at ply"):
        for pair in twins(games(rng, 200, length="long"), rng, (way,)):
            pair.check(leak)
