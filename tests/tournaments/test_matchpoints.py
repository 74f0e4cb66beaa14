"""Matchpoints of those in the same seat, for any scores."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.tournaments.matchpoints import AVERAGE, matchpoints, percent, top

SCORES = st.lists(st.none() | st.integers(-20, 60), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ([620, 620, 600, -100], [5, 5, 2, 0]),
        ([9, 7, 5], [4, 2, 0]),
        ([4, None, None, 0], [6, 1, 1, 4]),
        ([3], [0]),
        ([], []),
    ],
)
def test_two_for_each_lower_score_and_one_for_each_equal(scores, points):
    assert matchpoints(scores) == points


@given(SCORES)
def test_the_sum_does_not_depend_on_who_scored_what(scores):
    points = matchpoints(scores)
    assert sum(points) == len(scores) * top(len(scores)) / 2
    assert all(0 <= each <= top(len(scores)) for each in points)
    assert sum(percent(each, top(len(scores))) for each in points) == AVERAGE * len(scores)


@given(SCORES, st.randoms())
def test_each_score_is_worth_the_same_wherever_it_stands(scores, chance):
    order = chance.sample(range(len(scores)), len(scores))
    points = matchpoints(scores)
    assert matchpoints([scores[at] for at in order]) == [points[at] for at in order]


@given(SCORES, st.data())
def test_a_better_score_is_never_worth_less_nor_helps_anybody_else(scores, data):
    at = data.draw(st.integers(0, len(scores) - 1))
    better = [*scores]
    better[at] = (scores[at] or 0) + data.draw(st.integers(0, 30))
    before, after = matchpoints(scores), matchpoints(better)
    assert after[at] >= before[at]
    assert all(after[other] <= before[other] for other in range(len(scores)) if other != at)


def test_who_left_is_below_the_worst_who_finished_and_one_alone_has_the_average():
    assert matchpoints([None, -50]) == [0, 2]
    assert percent(0, top(1)) == AVERAGE == Fraction(50)
