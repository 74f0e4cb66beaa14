"""Verdicts on decisions: what is said, from what the player knew alone, and the same by everybody."""

import json
import pickle
from random import Random

import pytest

from games.engine import judging
from games.engine.core import Reason, RulesError
from games.engine.judging import Case, OtherExpert, PlainGame, courses_of, is_decision
from games.engine.registry import GAMES
from games.engine.verdicts import (
    Band,
    DecisionVerdict,
    Measured,
    WeighedAnswers,
    measured,
    own_band,
    verdict,
    version_of,
)
from tests.toy.expert import ToyExpert, twins
from tests.toy.game import Toy

TOY, EXPERT = Toy(), ToyExpert()


def case(seed=1, seats=2, **options):
    """A game of random moves."""
    rng = Random(seed)
    start = TOY.start(seats, rng.randbytes(32), options)
    state, moves = start.copy(), []
    while not state.over:
        moves.append(rng.choice(state.legal()))
        state.play(moves[-1])
    return Case(TOY, EXPERT, start, moves, "somewhere")


def judged(found):
    return [*found.verdicts([number for number, _ in decisions(found)])]


def decisions(found):
    return [(number, state.copy()) for number, state in found.positions(range(len(found.moves))) if is_decision(state)]


def test_a_game_is_judged_again_with_the_same_numbers_also_decision_by_decision():
    found = case()
    first = judged(found)
    assert len(first) > 3 and first == judged(found)
    assert [next(found.verdicts([it.number])) for it in first] == first
    assert judged(found._replace(key="elsewhere")) != first


class DealtForOne(Toy):
    """After the first prize no deal agrees with what anybody knew."""

    def sample(self, view, rng):
        if view.round:
            raise RulesError("no deal has this view")
        return super().sample(view, rng)


def test_where_no_deal_agrees_with_what_was_known_nothing_is_said_and_all_else_is():
    whole = case()
    part = whole._replace(game=DealtForOne())
    first = [it for it in judged(whole) if dict(decisions(whole))[it.number].view(None).round == 0]
    assert first == judged(part) != judged(whole)
    courses = courses_of(part, [0])
    assert courses.public[-1] == [Band(0, 10_000)] * 2 != courses.public[0]
    assert courses.own == courses_of(whole, [0]).own


def test_a_verdict_is_whole_numbers_that_survive_json():
    for it in judged(case(2)):
        assert DecisionVerdict.read(json.loads(json.dumps(it.plain))) == it
        assert all(type(number) is int for worth in it.worths for pair in worth for number in pair)


def test_an_offer_of_everything_for_a_single_point_was_worse_than_less():
    start = TOY.begin(2, {"rounds": 3}, TOY.start(2, bytes(32), {}).deal._replace(prizes=(1, 6, 6)))
    found = verdict(TOY, EXPERT, start.view(0), 300, "k", 0)
    assert found.clear and found.loss > 100 and found.better != found.made == "offer 300"
    assert found.reason == Reason("less", (TOY.move(found.better), 300))
    assert [worth.loss.mean > 0 for worth in found.worths] == [True, True]


def test_what_seemed_best_loses_nothing():
    start = TOY.start(2, bytes(32), {})
    better = verdict(TOY, EXPERT, start.view(0), 300, "k", 0).better
    found = verdict(TOY, EXPERT, start.view(0), TOY.move(better), "k", 0)
    assert (found.better, found.loss, found.clear, found.reason) == (better, 0, False, None)
    assert found.worths[0].made == found.worths[0].better and found.worths[0].loss == Measured(0, 0)


def worth(loss, error):
    return WeighedAnswers(Measured(4000, 9), Measured(4000 + loss, 9), Measured(loss, error))


@pytest.mark.parametrize(
    "first, second, loss, clear",
    [
        (worth(500, 100), worth(400, 100), 40, True),
        (worth(500, 100), worth(400, 200), 40, False),
        (worth(500, 100), worth(200, 10), 20, False),
        (worth(500, 100), worth(-300, 10), 0, False),
    ],
)
def test_only_what_both_values_say_beyond_their_noise_is_clear(first, second, loss, clear):
    found = DecisionVerdict(0, 0, "a", "b", (first, second), None)
    assert (found.loss, found.clear) == (loss, clear)


def test_the_error_of_a_mean():
    assert measured([0.5]) == Measured(5000, 0)
    assert measured([0.4, 0.6]) == Measured(5000, 1000)
    assert Band.of([Measured(5000, 100), Measured(4800, 0)]) == (4800, 5100)
    assert Band.of([Measured(20, 100), Measured(9990, 100)]) == (0, 10000)


def test_what_a_seat_cannot_tell_apart_changes_no_verdict_on_it():
    rng, told = Random(5), 0
    for seed in range(6):
        found = case(seed, seats=3)
        for number, state in decisions(found):
            other = twins(state, state.seat, rng)
            assert other.view(state.seat) == state.view(state.seat)
            told += other.deal != state.deal
            views = [it.view(state.seat) for it in (state, other)]
            assert len({verdict(TOY, EXPERT, view, found.moves[number], "k", number) for view in views}) == 1
            assert own_band(EXPERT, views[0]) == own_band(EXPERT, views[1])
    assert told > 20, "there was nothing to tell apart"


def test_the_answers_are_compared_in_the_same_futures():
    """Whoever plays the same in both has no difference, whatever comes."""

    class Same(ToyExpert):
        def settle(self, state, seat, rng):
            state.offers = (None,) * state.seats  # the answer is forgotten
            state.seat = seat
            state.coins = tuple(rng.randrange(300) for _ in state.coins)

    found = verdict(TOY, Same(), TOY.start(2, bytes(32), {}).view(0), 300, "k", 0)
    assert found.better == "offer 300" and found.loss == 0


def test_the_course_of_a_game_goes_from_beginning_to_result():
    found = case(3, seats=3)
    course = courses_of(found, [0, 2])
    assert course.numbers[0] == 0 and course.numbers[-1] == len(found.moves) <= judging.POINTS
    assert len(course.public) == len(course.own[0]) == len(course.numbers)
    end = TOY.replay(found.start, map(TOY.text, found.moves))
    for seat in (0, 2):
        low, high = course.own[seat][-1]
        assert low == high and (high > 0) == (end.places()[seat] == 1)
    assert all(low <= high for bands in course.public for low, high in bands)
    assert courses_of(found, [0, 2]) == course


def test_a_child_process_is_told_a_game_in_plain_words():
    found = case(4)
    asked = PlainGame(TOY, found.start, [*map(TOY.text, found.moves)], "somewhere", version_of(EXPERT))
    asked = pickle.loads(pickle.dumps(asked))
    numbers = judging.decisions(asked)
    assert numbers == [number for number, _ in decisions(found)]
    assert judging.judged(asked, numbers) == judged(found)
    assert judging.courses(asked, [1]) == courses_of(found, [1])
    with pytest.raises(OtherExpert):
        judging.decisions(asked._replace(version="older"))


JUDGED = [
    (game, seats) for game in [*GAMES.values(), TOY] for seats in game.seats if game.expert(seats, game.options())
]


@pytest.mark.parametrize("game, seats", JUDGED, ids=lambda it: it if isinstance(it, int) else it.slug)
def test_each_expert_keeps_its_promises(game, seats):
    expert = game.expert(seats, game.options())
    start = game.start(seats, bytes(32), game.options())
    state, moves, rng = start.copy(), [], Random(seats)
    while not state.over:
        moves.append(rng.choice(state.legal()))
        state.play(moves[-1])
    found = Case(game, expert, start, moves, "somewhere")
    assert len(version_of(expert)) <= 60
    asked = decisions(found)
    for number, before in asked[:: max(1, len(asked) // 6)]:
        view = before.view(before.seat)
        candidates = expert.candidates(view)
        assert set(candidates) <= set(view.legal) and 0 < len(candidates) <= 6
        assert all(sum(shares) == pytest.approx(1) or seats == 1 for shares in expert.shares(view))
        assert [*found.verdicts([number])] == [*found.verdicts([number])]
    assert expert.shares(state.view(0))[0] == expert.shares(state.view(0))[1]
    winners = [seat for seat in range(seats) if game.won(game.result(state), seat)]
    assert [seat for seat in range(seats) if expert.shares(state.view(0))[0][seat]] == winners
