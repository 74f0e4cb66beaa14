"""Time controls as values: their codes, and whether there is any time to be up."""

import pytest

from games.lobby.times import ClockField, length, time_a_move, time_with_pace
from games.matches.clocks import DAILY, LIVE, NO_CLOCK, USUAL, Clock
from games.matches.models import Match


@pytest.mark.parametrize("clock", [*LIVE, *DAILY, NO_CLOCK, Clock.live(1, 0)])
def test_a_code_is_read_as_the_clock_that_wrote_it(clock):
    assert Clock.parse(clock.code) == clock


@pytest.mark.parametrize("code", ["", "own", "5", "d", "5+", "5+1+1"])
def test_nothing_else_is_a_code(code):
    with pytest.raises(ValueError):
        Clock.parse(code)


@pytest.mark.parametrize("clock", [NO_CLOCK, Clock.live(0, 15), Clock.daily(0)])
def test_without_time_no_clock_runs(clock):
    assert not clock.runs and USUAL.runs and DAILY[0].runs


def test_what_is_played_takes_a_clock_and_gives_it_back():
    match = Match(clock=Clock.live(3, 5))
    assert (match.pace, match.bank_ms, match.increment_ms, match.days) == ("live", 180_000, 5_000, 0)
    assert match.clock == Clock.live(3, 5)


def test_a_field_offers_clocks_in_words():
    field = ClockField(LIVE, own="Custom", required=False)
    assert field.choices[0] == ("5+10", "5 min + 10 s a move") and field.choices[-1] == ("own", "Custom")
    assert [field.clean(code) for code in ("15+20", "own", "")] == [LIVE[2], None, USUAL]
    assert [time_a_move(DAILY[1]), time_with_pace(DAILY[0]), time_with_pace(LIVE[0])] == [
        "3 days a move",
        "By correspondence: 1 day a move",
        "Live: 5 min + 10 s a move",
    ]


def test_terms_say_about_how_long_a_live_game_takes():
    assert [length(clock, 2) for clock in LIVE] == ["about 10 min", "about 20 min", "about 25 min"]
    assert (length(USUAL, 3), length(Clock.live(1, 0), 2), length(DAILY[0], 2)) == ("about 30 min", "about 5 min", "")
