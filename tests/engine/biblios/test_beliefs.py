"""What players believe of hidden hands in the auctions, and what they expect the others to bid."""

import json
from random import Random

import pytest

from games.engine.biblios import rivals
from games.engine.biblios.beliefs import NOTHING, SAMPLES, beliefs
from games.engine.biblios.cards import DISCARD, GOLD, gold_in, totals_in
from games.engine.biblios.notation import BID
from games.engine.biblios.situation import situation
from games.engine.biblios.value import WEIGHTS, BadWeights, value_for
from games.engine.biblios.weigher import Outcomes, Weigher
from games.engine.registry import game_of
from tests.engine import promises

BIBLIOS = game_of("biblios", 1)


def at_auctions(seed, games):
    rng = Random(seed)
    for _ in range(games):
        for state in promises.random_game(BIBLIOS, rng).positions():
            if state.pile and not state.over and rng.random() < 0.05:
                yield state, rng


def test_what_a_seat_cannot_know_changes_no_belief():
    for state, rng in at_auctions(1, 6):
        view = state.view(rng.randrange(state.setup.seats))
        assert beliefs(BIBLIOS.sample(view, rng).view(view.me)) == beliefs(view)


def test_of_the_own_hand_nothing_is_believed_and_a_watcher_believes_something_of_each():
    for state, _ in at_auctions(2, 3):
        assert beliefs(state.view(0))[0] == NOTHING
        assert all(found != NOTHING for found, hand in zip(beliefs(state.view(None)), state.hands, strict=True) if hand)


def test_beliefs_are_the_same_until_the_next_card_is_turned_up():
    for state, _ in at_auctions(3, 6):
        if state.question == BID:
            before = beliefs(state.view(0))
            after = state.copy()
            after.play(state.legal()[-1])
            if after.question == BID and after.sold == state.sold:
                assert beliefs(after.view(0)) == before


def test_they_are_the_mean_of_hands_that_may_be_less_what_is_known():
    """Where all cards are known, the gold believed is the gold there."""
    for state, _ in at_auctions(4, 6):
        view = state.view(0)
        here = situation(view)
        for seat in range(1, state.setup.seats):
            hand = state.hands[seat]
            if not any(spread for spread in (here.believed[seat].gold_spread, *here.believed[seat].spreads)):
                found = here.believed[seat]
                assert here.gold[seat] + found.gold - here.owed[seat] == pytest.approx(gold_in(hand))
                for known, more, there in zip(here.totals[seat], found.totals, totals_in(hand), strict=True):
                    assert known + more == pytest.approx(there)
    assert SAMPLES > 1


def test_in_a_dealt_position_one_believes_what_one_believed_before():
    for state, rng in at_auctions(5, 3):
        view = state.view(0)
        dealt = BIBLIOS.sample(view, rng)
        dealt.play(dealt.legal()[0])
        if not dealt.over:
            assert situation(dealt.view(0), view).believed == situation(view).believed


def test_where_the_view_contradicts_itself_nothing_is_believed_and_players_answer_all_the_same():
    """As views of others may, in a game that was dealt again."""
    met = 0
    for state, rng in at_auctions(7, 4):
        view = state.view(state.seat)
        mine = [kind for kind in view.hand if kind < GOLD]
        rival = (state.seat + 1) % state.setup.seats
        if mine and state.question == BID:
            odd = view.with_(flow=(*view.flow, (rival, DISCARD, mine[0])))
            assert beliefs(odd) is None and situation(odd).believed is None
            assert BIBLIOS.bots["strong"](odd, rng) in view.legal
            met += 1
    assert met


def test_who_gets_a_lot_is_certain_all_together():
    for state, _ in at_auctions(6, 8):
        if state.question == BID:
            weigher = Weigher(state.view(state.seat), value_for(state.setup.seats))
            outcomes = Outcomes()
            bidder = (state.bidder - state.seat) % state.setup.seats if state.high else 0
            weigher.follow(outcomes, 1.0, state.high, bidder, weigher.staying, 0)
            assert sum(likely for likely, _ in outcomes.of.values()) == pytest.approx(1)
            assert all(prices >= likely * state.high for likely, prices in outcomes.of.values())


def test_expectations_of_other_columns_are_refused(monkeypatch, tmp_path):
    weights = json.loads((WEIGHTS / "rivals2.json").read_text()) | {"table": "0123456789abcdef"}
    (tmp_path / "rivals2.json").write_text(json.dumps(weights))
    monkeypatch.setattr(rivals, "WEIGHTS", tmp_path)
    with pytest.raises(BadWeights, match="learned from other columns"):
        rivals.rivals_net.__wrapped__(2)
