"""Who stands before whom with the same points."""

import pytest

from games.tournaments.tiebreaks import CountedGame, Scores, TieBreak, buchholz, ranked, sonneborn_berger

pytestmark = pytest.mark.once

A, B, C, D = 1, 2, 3, 4


def won(winner, loser, *points):
    return CountedGame((winner, loser), (1, 2), points)


def shared(one, other):
    return CountedGame((one, other), (1, 1))


# Everybody met everybody: A beat D, B beat A, C beat B, D beat C, A and C shared, D beat B.
ROBIN = [won(A, D, 9, 2), won(B, A, 5, 4), won(C, B), won(D, C), shared(A, C), won(D, B)]
POINTS = {A: 3, B: 2, C: 3, D: 4}


def test_buchholz_is_the_sum_of_the_rivals_points():
    field = Scores(POINTS, ROBIN)
    assert [buchholz(field, player) for player in (A, B, C, D)] == [9, 10, 9, 8]


def test_a_round_without_a_game_is_one_against_a_rival_like_oneself():
    assert buchholz(Scores(POINTS, [won(A, B)], {A: 2}), A) == 2 + 3 + 3


def test_sonneborn_berger_counts_those_whom_one_has_beaten():
    field = Scores(POINTS, ROBIN)
    assert [sonneborn_berger(field, player) for player in (A, B, C, D)] == [5.5, 3, 3.5, 5]


def test_a_large_table_weighs_as_much_as_one_of_two():
    field = Scores({A: 3, B: 6, C: 0, D: 3}, [CountedGame((A, B, C, D), (2, 1, 4, 2))])
    assert buchholz(field, A) == (6 + 0 + 3) / 3
    assert sonneborn_berger(field, A) == (0 + 0 + 1.5) / 3


def test_the_direct_encounter_decides_if_all_who_are_level_have_met():
    level = {A: 4, B: 4, C: 4}
    rows = ranked(Scores(level, [won(B, A), won(B, C), won(A, C)]), [A, B, C], [TieBreak.DIRECT])
    assert [(row.place, row.player, row.ties[TieBreak.DIRECT]) for row in rows] == [(1, B, 2), (2, A, 1), (3, C, 0)]
    rows = ranked(Scores(level, [won(B, A), won(B, C)]), [A, B, C], [TieBreak.DIRECT])
    assert [(row.place, row.ties[TieBreak.DIRECT]) for row in rows] == [(1, None)] * 3


def test_tie_breaks_come_one_after_the_other_and_the_rest_share_a_place():
    field = Scores({A: 2, B: 2, C: 2, D: 6}, [won(A, B, 9, 5), won(B, A, 7, 6), shared(C, D)])
    rows = ranked(field, [A, B, C, D], [TieBreak.DIRECT, TieBreak.WINS, TieBreak.GAME])
    # The three have not all met; C and D have each a shared first place; A has 15 points in its games, B 12.
    assert [(row.place, row.player) for row in rows] == [(1, D), (2, A), (3, B), (4, C)]
    rows = ranked(field, [A, B, C, D], [TieBreak.WINS])
    assert [row.place for row in rows] == [1, 2, 2, 2]
