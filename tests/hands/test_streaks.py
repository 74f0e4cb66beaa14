from datetime import date, timedelta

import pytest

from games.hands.streaks import Streak, streak

pytestmark = pytest.mark.in_memory
TODAY = date(2026, 11, 26)


@pytest.mark.parametrize(
    ("ago", "present", "best"),
    [
        ((), 0, 0),
        ((0,), 1, 1),
        ((3, 2, 1), 3, 3),
        ((3, 2, 1, 0), 4, 4),
        ((4, 2, 0), 3, 3),  # a day of rest between each two
        ((2,), 1, 1),  # yesterday was the day of rest
        ((3,), 0, 1),
        ((9, 8, 7, 4, 1), 1, 3),
        ((9, 8, 7, 1, 0), 2, 3),
    ],
)
def test_a_streak_counts_days_and_one_day_of_rest_does_not_end_it(ago, present, best):
    assert streak([TODAY - timedelta(days=days) for days in ago], TODAY) == Streak(present, best)
