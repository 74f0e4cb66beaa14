"""Ratings under which results are likeliest."""

from itertools import pairwise

import pytest

from accounts.career.fitting import Meeting, fitted
from accounts.career.ratings import expected

pytestmark = pytest.mark.once


def test_who_gets_what_a_difference_promises_has_that_rating():
    pairings = [Meeting("bot", rating, expected(1700, rating), 500) for rating in (1400.0, 1600.0, 1900.0)]
    assert fitted(pairings, "other")["bot"].value == pytest.approx(1700, abs=1)


def test_among_themselves_they_stand_round_where_everybody_begins():
    found = fitted([Meeting("good", "fair", expected(200, 0), 1000)], "fair")
    assert found["fair"].value == pytest.approx(1500, abs=1)
    assert found["good"].value - found["fair"].value == pytest.approx(200, abs=2)


def test_people_of_known_ratings_move_all_who_are_tied_to_one_another():
    among = Meeting("good", "fair", expected(200, 0), 5000)
    found = fitted([among, Meeting("fair", 1500.0, expected(1300, 1500), 5000)], "fair")
    assert found["fair"].value == pytest.approx(1300, abs=5)
    assert found["good"].value == pytest.approx(1500, abs=5)


def test_the_anchor_stays_however_many_better_ones_are_tied_to_it():
    better = [Meeting(f"bot {number}", "usual", expected(150, 0), 2000) for number in range(5)]
    assert fitted(better, "usual")["usual"].value == pytest.approx(1500, abs=1)
    met = fitted([*better, Meeting("bot 3", 1500.0, expected(1400, 1500), 2000)], "usual")
    assert met["usual"].value == pytest.approx(1250, abs=5) and met["bot 0"].value == pytest.approx(1400, abs=5)


def test_more_games_say_it_more_surely_and_no_number_of_wins_is_beyond_all_bounds():
    widths = [fitted([Meeting("bot", 1500.0, 0.6, games)], "bot")["bot"].either_side for games in (10, 100, 1000)]
    assert all(more > less for more, less in pairwise(widths))
    assert 2000 < fitted([Meeting("bot", 1500.0, 1, 100)], "other")["bot"].value < 2600


def test_nobody_has_a_rating_without_a_game():
    assert fitted([], "bot") == {}
