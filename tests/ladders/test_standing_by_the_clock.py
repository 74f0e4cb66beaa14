"""Who sinks, is taken off, is on vacation; and what a season begins anew."""

import pytest

from games.ladders.payloads import (
    Back,
    Corrected,
    JoinedLadder,
    Ordered,
    Paused,
    Resumed,
    RulesSet,
    SeasonBegun,
    SeasonEnded,
    Sunk,
    TakenOff,
    Vacation,
)
from games.ladders.rules import DAY_MS, Rules
from tests.ladders.standings import ANN, BOB, DAN, EVE, FAY, GUS, SIX, Club, away, late_thrice

pytestmark = pytest.mark.once

# Idle players


def test_idle_for_21_days_one_sinks_by_one_place_and_by_one_more_each_week():
    club = Club(*SIX)
    club.result(FAY, GUS, day=10)
    assert [club.sinks_on(player) for player in (ANN, FAY)] == [21, 31]
    club.add(Sunk, 31, player=FAY)
    assert club.order == (ANN, BOB, DAN, EVE, FAY, GUS), "gus is idle too"
    assert club.sinks_on(FAY) == 38
    club.result(GUS, ANN, day=32)
    club.add(Sunk, 38, player=FAY)
    assert club.sinks_on(FAY) == 45


def test_the_leader_sinks_too():
    club = Club(ANN, BOB, DAN)
    club.add(Sunk, 21, player=ANN)
    assert club.order == (ANN, BOB, DAN), "bob is idle too"
    club.result(BOB, DAN, day=22)
    club.add(Sunk, 28, player=ANN)
    assert club.order == (BOB, ANN, DAN)


def test_two_who_become_idle_at_the_same_moment_keep_their_order():
    for one, other in ((BOB, DAN), (DAN, BOB)):
        club = Club(*SIX)
        club.result(ANN, EVE, FAY, GUS, day=5)
        club.add(Sunk, 21, player=one)
        club.add(Sunk, 21, player=other)
        assert club.order.index(BOB) < club.order.index(DAN)


def test_whoever_has_sunk_stays_idle_until_they_play():
    club = Club(*SIX)
    club.result(DAN, EVE, GUS, day=3)
    club.add(Sunk, 21, player=FAY)
    assert club.order[-2:] == (GUS, FAY)
    club.result(EVE, DAN, day=22)
    club.add(Sunk, 24, player=GUS)
    assert club.order[-2:] == (GUS, FAY), "fay sinks next on day 28, but is idle all the time"
    club.result(FAY, ANN, day=25)
    club.add(Corrected, player=FAY, position=6)
    club.add(Sunk, 31, player=GUS)
    assert club.order[-2:] == (FAY, GUS)


def test_a_game_ends_idleness_also_of_the_loser_but_not_of_whoever_was_late():
    club = Club(*SIX)
    club.add(Sunk, 21, player=GUS)
    club.result(ANN, GUS, day=22)
    assert club.sinks_on(GUS) == 43
    club.result(BOB, FAY, late=[FAY], day=22)
    assert (club.sinks_on(BOB), club.sinks_on(FAY)) == (43, 21)


def test_new_rules_let_nobody_sink_for_the_past():
    club = Club(ANN, BOB)
    club.result(ANN, BOB, day=2)
    club.add(JoinedLadder, 15, player=DAN)
    club.add(RulesSet, 20, rules=Rules(idle_days=10, sink_days=3).to_json())
    assert club.sinks_on(ANN) == 20, "ann would have sunk on days 12, 15 and 18"
    assert club.sinks_on(DAN) == 25


def test_new_rules_that_are_more_patient_count_what_has_been():
    club = Club(ANN, BOB)
    club.add(RulesSet, 20, rules=Rules(idle_days=30).to_json())
    assert club.sinks_on(ANN) == 30


# Out of time


def test_three_times_out_of_time_in_30_days_takes_one_off_the_ladder():
    club = Club(*SIX)
    late_thrice(club)
    assert club.order == (ANN, DAN, EVE, FAY, GUS)
    assert club.standing.taken_off() == [BOB]
    assert club.standing.position(BOB) is None


def test_two_times_or_three_in_more_than_30_days_do_not():
    club = Club(*SIX)
    club.result(ANN, BOB, late=[BOB], day=1)
    club.result(ANN, BOB, late=[BOB], day=5)
    assert not club.standing.too_late(BOB, 5 * DAY_MS)
    club.result(ANN, BOB, late=[BOB], day=31)
    assert not club.standing.too_late(BOB, 31 * DAY_MS)
    club.result(ANN, BOB, late=[BOB], day=34)
    assert club.standing.too_late(BOB, 34 * DAY_MS)


def test_whoever_says_that_they_are_back_stands_at_most_5_places_lower():
    players = tuple(range(1, 11))
    club = Club(*players)
    late_thrice(club)
    club.add(Back, 20, player=BOB)
    assert club.standing.position(BOB) == 2 + 5
    assert sorted(club.order) == sorted(players)
    assert club.sinks_on(BOB) == 41
    assert not club.standing.too_late(BOB, 20 * DAY_MS), "bob starts afresh"


def test_whoever_is_taken_off_does_not_sink_and_is_not_corrected():
    club = Club(*SIX)
    late_thrice(club)
    before = club.standing
    club.add(Sunk, 30, player=BOB)
    club.add(Corrected, player=BOB, position=1)
    club.add(TakenOff, player=BOB)
    assert club.standing == before


def test_whoever_is_taken_off_finishes_a_game_that_moves_nobody_but_counts_for_the_ratings():
    club = Club(*SIX)
    late_thrice(club)
    rating = club.standing.players[BOB].rating
    club.result(BOB, ANN, day=10)
    assert club.order == (ANN, DAN, EVE, FAY, GUS)
    assert club.standing.players[BOB].rating > rating


def test_off_and_on_vacation_one_is_back_from_both():
    club = Club(*SIX)
    club.add(Vacation, 1, player=BOB, begins=8 * DAY_MS, ends=20 * DAY_MS)
    late_thrice(club)
    club.add(Back, 10, player=BOB)
    assert BOB in club.order and not club.standing.players[BOB].away(10 * DAY_MS)
    assert club.standing.players[BOB].vacation_ms == 2 * DAY_MS
    assert club.sinks_on(BOB) == 31


def test_a_vacation_to_come_stays_when_who_was_off_is_back():
    club = Club(*SIX)
    late_thrice(club)
    club.add(Vacation, 10, player=BOB, begins=15 * DAY_MS, ends=20 * DAY_MS)
    club.add(Back, 12, player=BOB)
    assert club.standing.players[BOB].away(15 * DAY_MS)


# Vacation


def test_on_vacation_the_place_is_held_from_its_beginning_until_before_its_end():
    club = Club(*SIX)
    away(club, BOB, 5, 12, day=3)
    known = club.standing.players[BOB]
    assert [known.away(day * DAY_MS) for day in (3, 5, 11, 12)] == [False, True, True, False]
    assert club.order == SIX


@pytest.mark.parametrize(
    ("begins", "ends", "sinks"),
    [
        (5, 15, 31),
        (0, 10, 31),
        (20.5, 30.5, 31),
        (21, 31, 31),
        (22, 32, 21),
    ],
)
def test_a_vacation_is_no_idle_time(begins, ends, sinks):
    club = Club(*SIX)
    away(club, BOB, begins, ends, day=0)
    assert club.sinks_on(BOB) == sinks


def test_whoever_finishes_a_game_on_vacation_is_idle_from_its_end():
    club = Club(*SIX)
    away(club, BOB, 5, 15)
    club.result(BOB, DAN, day=10)
    assert club.sinks_on(BOB) == 36


def test_several_vacations_all_stop_idle_time():
    club = Club(*SIX)
    away(club, BOB, 5, 10)
    away(club, BOB, 12, 16)
    away(club, BOB, 18, 19)
    assert club.sinks_on(BOB) == 31
    assert club.standing.players[BOB].vacation_ms == 10 * DAY_MS


def test_whoever_is_back_early_has_the_rest_of_their_vacation_left():
    club = Club(*SIX)
    away(club, BOB, 5, 15)
    club.add(Back, 8, player=BOB)
    known = club.standing.players[BOB]
    assert known.vacation_ms == 3 * DAY_MS
    assert not known.away(8 * DAY_MS)
    assert club.sinks_on(BOB) == 24


def test_a_vacation_that_is_called_off_before_it_begins_has_not_been():
    club = Club(*SIX)
    away(club, BOB, 10, 20, day=2)
    club.add(Back, 6, player=BOB)
    assert club.standing.players[BOB].vacation_ms == 0
    assert not any(club.standing.players[BOB].away(day * DAY_MS) for day in range(30))
    assert club.sinks_on(BOB) == 21
    club.add(SeasonEnded, 8, number=1, final=[])
    club.add(SeasonBegun, 8, number=2, ends=0)
    assert club.standing.players[BOB].vacation_ms == 0


def test_whoever_comes_back_while_sinking_goes_on_sinking_where_they_were():
    club = Club(*SIX)
    club.result(*SIX[2:], day=20)
    club.add(Sunk, 21, player=BOB)
    away(club, BOB, 24, 34)
    assert club.sinks_on(BOB) == 38
    club.add(Back, 29, player=BOB)
    assert club.sinks_on(BOB) == 33


# Seasons


def test_each_season_has_its_own_days_of_vacation():
    club = Club(*SIX)
    away(club, BOB, 5, 15)
    away(club, DAN, 80, 90)
    club.add(SeasonEnded, 84, number=1, final=[])
    club.add(SeasonBegun, 84, number=2, ends=0)
    assert club.standing.players[BOB].vacation_ms == 0
    assert club.standing.players[DAN].vacation_ms == 6 * DAY_MS
    club.add(Back, 86, player=DAN)
    assert club.standing.players[DAN].vacation_ms == 2 * DAY_MS


def test_a_season_has_a_number_a_beginning_and_an_end():
    club = Club(*SIX, season=False)
    assert (club.standing.season, club.standing.ends) == (0, None)
    club.add(SeasonBegun, 2, number=1, ends=30 * DAY_MS)
    standing = club.standing
    assert (standing.season, standing.began, standing.ends) == (1, 2 * DAY_MS, 30 * DAY_MS)
    club.add(SeasonEnded, 30, number=1, final=[])
    assert (club.standing.season, club.standing.ends) == (1, None)
    assert club.order == SIX


def test_seasons_that_follow_at_once_change_nothing_about_who_is_idle():
    club = Club(*SIX)
    club.result(ANN, BOB, DAN, EVE, day=70)
    club.add(Sunk, 80, player=FAY)
    away(club, DAN, 75, 80)
    away(club, EVE, 82, 90)
    days = [club.sinks_on(player) for player in SIX]
    club.add(SeasonEnded, 84, number=1, final=[])
    club.add(SeasonBegun, 84, number=2, ends=0)
    assert [club.sinks_on(player) for player in SIX] == days


def test_the_time_before_and_between_seasons_is_no_idle_time():
    club = Club(ANN, BOB, DAN, EVE, season=False)
    club.add(SeasonBegun, 50, number=1, ends=100 * DAY_MS)
    assert club.sinks_on(ANN) == 71
    away(club, BOB, 55, 60)
    away(club, DAN, 58, 80)
    away(club, EVE, 62, 68, day=59)
    club.add(SeasonEnded, 60, number=1, final=[])
    club.add(JoinedLadder, 65, player=FAY)
    club.add(SeasonBegun, 70, number=2, ends=200 * DAY_MS)
    assert [club.sinks_on(player) for player in (ANN, BOB, DAN, EVE, FAY)] == [
        70 + 11,
        70 + 11 + 5,
        80 + 13,
        70 + 11,
        70 + 21,
    ]


@pytest.mark.parametrize("between", [Paused, SeasonEnded])
def test_new_rules_of_a_pause_or_between_seasons_forgive_no_idle_time(between):
    club = Club(ANN, BOB, DAN)
    club.result(DAN, BOB, day=8)
    paused = between == Paused
    club.add(between, 10, **({"ends": 40 * DAY_MS} if paused else {"number": 1, "final": []}))
    club.add(JoinedLadder, 15, player=EVE)
    for day in (20, 30):
        club.add(RulesSet, day, rules=Rules(most_late=day).to_json())
    if paused:
        club.add(Resumed, 40)
    else:
        club.add(SeasonBegun, 40, number=2, ends=200 * DAY_MS)
    assert [club.sinks_on(player) for player in (ANN, BOB, EVE)] == [40 + 11, 40 + 19, 40 + 21]


@pytest.mark.parametrize(
    ("soft", "order"),
    [
        # Positions ann 1, dan 2, eve 3, bob 4, fay 5, gus 6; ranks eve 1, ann 2, dan 3, fay 4, gus 5, bob 6.
        (True, (ANN, EVE, DAN, FAY, BOB, GUS)),
        (False, (ANN, DAN, EVE, BOB, FAY, GUS)),
    ],
)
def test_a_soft_reset_happens_where_the_club_wants_it_and_not_at_the_first_season(soft, order):
    club = Club(*SIX, rules=Rules(soft_reset=soft), season=False)
    club.add(SeasonBegun, number=1, ends=0)
    for _ in range(5):
        club.result(EVE, BOB)
        club.result(*SIX, places=[1] * 6)
    club.add(Ordered, order=[ANN, DAN, EVE, BOB, FAY])
    assert club.order == (ANN, DAN, EVE, BOB, FAY, GUS)
    club.add(SeasonEnded, number=1, final=[])
    club.add(SeasonBegun, number=2, ends=0)
    assert club.order == order
