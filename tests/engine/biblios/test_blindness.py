"""No seat is shown what it may not know, and whoever leaks is caught.

Twin games (see `twins`) know nothing of how views are built or sampled; `check_blind` uses samples.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from games.engine.biblios.cards import KIND, cards_of, gold_in
from games.engine.biblios.deal import RecordedDeal
from games.engine.biblios.notation import PLACE
from games.engine.biblios.rules import Position
from tests.engine.biblios.sitting import GAME, lively_game
from tests.engine.biblios.twins import WAYS, shown, told, twins
from tests.engine.promises import check_acceptance, check_blind, viewers

pytestmark = pytest.mark.slow

PENALTIES = pytest.mark.parametrize("penalty", GAME.choices["penalty"])


@PENALTIES
@pytest.mark.parametrize("seats", GAME.seats)
def test_what_a_seat_has_not_seen_changes_nothing_that_it_is_shown(penalty, seats):
    for pair in twins(Random(f"{penalty} {seats}"), 5, seats=seats, penalty=penalty):
        pair.check()


@pytest.fixture
def going_on(monkeypatch):
    """Twins of seats at plies from which the game can go on otherwise than their stories: (seat, state, other)."""

    def going_on(rng, games, **options):
        pairs = [pair for pair in twins(rng, games, **options) if pair.me is not None]
        monkeypatch.setattr(RecordedDeal, "auction_order", lambda deal, cards: tuple(cards_of(cards)))
        monkeypatch.setattr(RecordedDeal, "steal", lambda deal, number, hand: cards_of(hand)[0])
        for pair in pairs:
            both = list(zip(pair.states, pair.others, strict=True))
            for state, other in [both[-1], *rng.sample(both, min(3, len(both)))]:
                yield pair.me, state, other

    return going_on


@PENALTIES
@pytest.mark.parametrize("seats", GAME.seats)
def test_what_a_seat_has_not_seen_changes_no_acceptance_of_its_answers(penalty, seats, going_on):
    rng = Random(f"{seats} {penalty}")
    for me, state, other in going_on(rng, 3, seats=seats, penalty=penalty):
        check_acceptance(GAME, state, me, rng, other)


@PENALTIES
def test_twin_games_catch_an_answer_that_goes_on_to_the_next_question(penalty, going_on, monkeypatch):
    monkeypatch.setattr(Position, "same_answer", property(lambda state: True))
    rng = Random(7)
    with pytest.raises(AssertionError, match="learns from"):
        for me, state, other in going_on(rng, 40, penalty=penalty):
            check_acceptance(GAME, state, me, rng, other)


@PENALTIES
def test_twins_are_found_in_every_way_for_seats_and_watchers(penalty):
    found = Counter()
    for pair in twins(Random(1), 20, penalty=penalty):
        found[pair.kind, pair.me is None] += 1
    ways = {way.__name__ for way in WAYS}
    if penalty != "transfer":
        ways.remove("other_theft")
    assert {way for way, _ in found} == ways
    assert all(found[way, watcher] >= 5 for way in ways for watcher in (True, False))


def test_what_a_seat_was_shown_is_not_exchanged():
    tale = told(lively_game(Random(2), 3))
    last = len(tale.states) - 2
    for me in range(3):
        unseen = set(tale.unseen(me, last))
        assert not unseen & {card for card in range(87) if tale.states[last].hands[me] >> card & 1}
        assert not unseen & set(tale.states[last].pile[: tale.states[last].sold + 1])
        assert len(tale.unseen(None, last)) >= len(unseen) > 0


# Leaks, planted


def giver_of_a_card_to_come(state, me):
    """Who put each card in the auction pile that has not been turned up."""
    turned_up = Counter(KIND[card] for card in state.pile[: state.sold + 1])
    return [sorted((Counter(state.view(seat).given) - turned_up).elements()) for seat in range(len(state.hands))]


def gold_of_another_hand(state, me):
    return [gold_in(hand) for seat, hand in enumerate(state.hands) if seat != me]


def top_of_the_deck(state, me):
    return KIND[state.deal.deck[state.placed]] if state.placed < len(state.deal.deck) else None


def cards_paid_face_down(state, me):
    return [state.view(seat).buried[seat] for seat in range(len(state.hands))]


def order_of_the_pile_to_come(state, me):
    return [KIND[card] for card in state.pile[state.sold + 1 :]]


def cards_of_another_hand(state, me):
    return [state.view(seat).hand for seat in range(len(state.hands))]


LEAKS = pytest.mark.parametrize(
    "leak",
    [
        giver_of_a_card_to_come,
        gold_of_another_hand,
        top_of_the_deck,
        cards_paid_face_down,
        order_of_the_pile_to_come,
        cards_of_another_hand,
    ],
)


def beside(leak):
    """What the game shows, with a leak beside it."""
    return lambda state, me: (shown(state, me), leak(state, me))


@LEAKS
@pytest.mark.parametrize("who", ["seat", "watcher"])
def test_twin_games_catch_a_leak(leak, who):
    pairs = [pair for pair in twins(Random(3), 6) if (pair.me is None) == (who == "watcher")]
    with pytest.raises(AssertionError, match=r"sees at ply"):
        for pair in pairs:
            pair.check(beside(leak))


@LEAKS
@pytest.mark.parametrize("who", ["seat", "watcher"])
def test_check_blind_catches_a_leak(leak, who):
    rng = Random(4)
    states = [state for _ in range(3) for state in lively_game(rng).positions() if not state.over]
    with pytest.raises(AssertionError, match=r"is shown what it may not know"):
        for state in rng.sample(states, 150):
            me = None if who == "watcher" else rng.choice(viewers(state)[1:])
            check_blind(GAME, state, me, rng, beside(leak))


# Leaks in the view itself, which `check_blind` cannot find: it samples from that view.


def drawn_card_for_everybody(state, me):
    view = state.view(me)
    return replace(view, drawn=KIND[state.deal.deck[state.placed]]) if state.question == PLACE else view


def kept_card_for_everybody(state, me):
    view = state.view(me)
    return replace(view, kept=state.view(state.active).kept)


def thefts_for_everybody(state, me):
    view = state.view(me)
    if state.over or not view.penalties:
        return view
    flow = list(view.flow)
    for seat in range(len(state.hands)):
        for at, step in enumerate(state.view(seat).flow):
            if step[0] >= 0 and step[1] >= 0:
                flow[at] = max(flow[at], step)
    return replace(view, flow=tuple(flow))


def last_payment_for_everybody(state, me):
    view = state.view(me)
    return replace(view, bound=state.bound)


def all_hands_for_everybody(state, me):
    view = state.view(me)
    return replace(view, hands=tuple(state.view(seat).hand for seat in range(len(state.hands))))


@pytest.mark.parametrize(
    "leak",
    [
        drawn_card_for_everybody,
        kept_card_for_everybody,
        thefts_for_everybody,
        last_payment_for_everybody,
        all_hands_for_everybody,
    ],
)
def test_twin_games_catch_a_leak_in_the_view_itself(leak):
    with pytest.raises(AssertionError, match=r"sees at ply"):
        for pair in twins(Random(5), 40, penalty="transfer"):
            pair.check(leak)


def test_twin_games_catch_a_forced_move_that_tells_what_one_holds():
    """A payment made at once where there is one answer would tell the others."""

    def made_at_once(state, me):
        legal = state.legal()
        return legal[0] if len(legal) == 1 else None

    with pytest.raises(AssertionError, match=r"sees at ply"):
        for pair in twins(Random(6), 40):
            pair.check(made_at_once)
