"""The expert: answers worth comparing, looking on to the end of a turn or a lot, what each seat may expect."""

from collections import Counter
from itertools import islice
from random import Random

import pytest

from games.engine.biblios import haste
from games.engine.biblios.expert import BibliosExpert, expert_for
from games.engine.biblios.greedy import choose_greedy
from games.engine.biblios.notation import BID, DIE, PASS, PAY_CARDS, PAY_GOLD, PLACE, SECOND_DIE, TAKE_GIFT
from games.engine.biblios.reasons import CODES
from tests.engine.biblios.sitting import GAME, Sitting, lively_game
from tests.engine.biblios.twins import twins
from tests.engine.promises import random_options

SEATS = pytest.mark.parametrize("seats", GAME.seats)
MOST_MOVES = 150
"""More than the quick players need to the end of any lot."""


def expert(seats):
    found = expert_for(seats)
    assert isinstance(found, BibliosExpert)
    return found


def played(seats, games, seed, step=7):
    """Positions of games of greedy and of random games with random options, in which there is a choice."""
    rng = Random(seed)
    for number in range(games):
        options = random_options(GAME, rng) if number else {}
        state = GAME.start(seats, rng.randbytes(32), options)
        while not state.over:
            legal = state.legal()
            if len(legal) > 1 and rng.randrange(step) == 0:
                yield state.copy()
            greedy = number % 2 == 0 and len(legal) > 1
            few = legal[:4] if state.question == BID else legal
            state.play(choose_greedy(state.view(state.seat), rng) if greedy else rng.choice(few))


@SEATS
def test_there_are_answers_to_compare_for_every_question(seats):
    asked = Counter()
    for state in played(seats, 6, "answers", step=2):
        view = state.view(state.seat)
        found = expert(seats).candidates(view)
        assert 1 <= len(found) <= 6 and len(set(found)) == len(found)
        assert set(found) <= set(view.legal)
        assert found[0] == choose_greedy(view, Random(0))
        asked[state.question] += len(found) > 1
    questions = {PLACE, DIE, SECOND_DIE, BID, PAY_GOLD, PAY_CARDS} | ({TAKE_GIFT} if seats > 2 else set())
    assert {question for question, times in asked.items() if times} == questions


def test_a_bid_is_compared_with_passing_and_with_what_can_be_paid():
    sitting = Sitting.at_auction("G3 M2A P4I", "G3 G3 G2 G1 M3E H2H", pile="M4H C+ M3F", dice=(6, 3, 3, 3, 3))
    found = expert(2).candidates(sitting.state.view(1))
    assert PASS in found and PASS + 1 in found
    assert max(found) > PASS + 1 and max(found) <= PASS + 9
    sitting.play("1 bid 4")
    assert expert(2).candidates(sitting.state.view(0)) == (PASS,)


@SEATS
def test_looking_on_ends_with_the_turn_or_with_the_lot(seats, monkeypatch):
    made = []
    play = haste.Position.play
    monkeypatch.setattr(haste.Position, "play", lambda state, move: (made.append(move), play(state, move)))
    for state in played(seats, 6, "settle", step=4):
        seat, lot, placed = state.seat, state.sold, state.placed
        for answer in (*expert(seats).candidates(state.view(seat)), *state.legal()[-2:]):
            after = state.copy()
            after.play(answer)
            made.clear()
            expert(seats).settle(after, seat, Random(1))
            assert len(made) <= MOST_MOVES
            if after.over:
                assert after.sold == len(after.pile)
            elif after.question == PLACE:
                assert placed < after.placed or answer >= 3
                assert after.room == after.setup.places and not after.space and not after.kept
            else:
                assert after.question == BID and not after.high and not after.out
                assert after.sold == (lot + 1 if state.pile else 0)


def test_looking_on_makes_only_moves_that_are_legal(monkeypatch):
    play = haste.Position.play

    def checked(state, move):
        assert move in state.legal()
        play(state, move)

    for state in played(3, 6, "legal"):
        with monkeypatch.context() as patched:
            patched.setattr(haste.Position, "play", checked)
            haste.play_on(state, Random(2))


def test_the_same_comes_after_all_answers():
    """Two answers differ by themselves only: what others want to pay does not depend on what is asked."""
    sitting = Sitting.at_auction("G3 G3 M2A", "G3 G2 P3E H2H", "G3 G2 M3E H2I", pile="M4H C+ P4I S1A")
    others = []
    for answer in ("1 pass", "1 bid 1"):
        state = sitting.state.after(GAME.move(answer[2:]), 1)
        rng = Random(5)
        expert(3).settle(state, 1, rng)
        others.append(rng.getstate())
    assert others[0] == others[1]


@SEATS
def test_what_the_seats_may_expect_adds_up_to_1(seats):
    for state in islice(played(seats, 4, "shares"), 40):
        both = expert(seats).shares(state.view(state.seat))
        assert len(both) == 2
        for shares in both:
            assert len(shares) == seats and all(0 <= share <= 1 for share in shares)
            assert sum(shares) == pytest.approx(1)


@SEATS
def test_at_the_end_both_values_are_the_result(seats):
    rng = Random("end")
    for _ in range(5):
        end = lively_game(rng, seats).end
        winners = end.places().count(1)
        result = tuple(1 / winners if place == 1 else 0 for place in end.places())
        for seat in range(seats):
            assert expert(seats).shares(end.view(seat)) == (result, result)


@SEATS
@pytest.mark.slow
def test_what_a_seat_cannot_tell_apart_is_judged_alike(seats):
    rng = Random(f"twins {seats}")
    compared = 0
    for pair in twins(rng, 4, seats=seats):
        for state, other in zip(pair.states[::3], pair.others[::3], strict=True):
            if pair.me is None or state.seat != pair.me or len(state.legal()) < 2:
                continue
            view, twin = state.view(pair.me), other.view(pair.me)
            judge = expert(seats)
            found = judge.candidates(view)
            assert judge.candidates(twin) == found
            assert judge.shares(twin) == judge.shares(view)
            made = rng.choice(view.legal)
            assert judge.reason(twin, found[0], made) == judge.reason(view, found[0], made)
            compared += state.key() != other.key()
    assert compared > 10


@SEATS
def test_every_answer_can_be_given_a_reason(seats):
    rng = Random("why")
    for state in played(seats, 4, "reasons", step=3):
        view = state.view(state.seat)
        better, made = rng.sample(view.legal, 2)
        reason = expert(seats).reason(view, better, made)
        assert len(reason.facts) == len(CODES[reason.code])
        assert len(reason.code) <= 24


def test_the_version_names_the_weights():
    assert 0 < len(expert(2).version) <= 40
    assert [seats for seats in GAME.seats if GAME.expert(seats, GAME.options())] == [2]
    assert expert_for(5) is None
