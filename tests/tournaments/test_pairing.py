"""Who meets whom: Berger tables, Swiss rounds, knock-outs, boxes."""

from itertools import combinations
from random import Random

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from games.tournaments.pairing import berger, boxes, groups, knockout, swiss
from games.tournaments.pairing.groups import Seating
from tools.pairing_promises import BrokenPromise, check_round

pytestmark = pytest.mark.once

# FIDE Handbook, C.05, Annex 1.
FIDE = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4, "
        "4-8 5-3 6-2 7-1"
    ),
}


@pytest.mark.parametrize("people", FIDE)
def test_the_tables_are_those_of_the_handbook(people):
    told = ", ".join(" ".join(f"{a + 1}-{b + 1}" for a, b in pairs) for pairs in berger.rounds(people))
    assert told == FIDE[people]


@given(st.integers(0, 40))
def test_everybody_meets_everybody_once(people):
    rounds = berger.rounds(people)
    assert len(rounds) == (people - 1 + people % 2 if people else 0)
    assert sorted(tuple(sorted(pair)) for pairs in rounds for pair in pairs) == [*combinations(range(people), 2)]
    for pairs in rounds:
        assert len({person for pair in pairs for person in pair}) == people - people % 2


def test_swiss_pairings_of_random_tournaments_hold_their_promises(capsys):
    call_command("checkpairings", tournaments=60, seed="test")
    assert "All promises held in 60 tournaments" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("seating", "met", "byes", "told"),
    [
        (Seating(((1, 2),), ()), {}, {}, "not everybody has one seat"),
        (Seating(((1, 2), (3, 4)), ()), {(1, 2): 1}, {}, "could be"),
        (Seating(((1, 3), (2, 4)), ()), {}, {}, "could be"),  # 2 has as many points as 1
    ],
)
def test_a_broken_promise_is_found(seating, met, byes, told):
    with pytest.raises(BrokenPromise, match=told):
        check_round([1, 2, 3, 4], {1: 2, 2: 2, 3: 0, 4: 0}, met, byes, seating)


def test_a_bye_before_ones_turn_is_a_broken_promise():
    with pytest.raises(BrokenPromise, match="a bye more"):
        check_round([1, 2, 3], {1: 0, 2: 0, 3: 0}, {}, {3: 1}, Seating(((1, 2),), (3,)))


def test_in_a_score_group_the_upper_half_meets_the_lower_half():
    assert swiss.pair(range(8), dict.fromkeys(range(8), 0)).tables == ((0, 4), (1, 5), (2, 6), (3, 7))


def test_the_bye_goes_to_the_last_who_has_had_none():
    order, points = [1, 2, 3, 4, 5], {1: 4, 2: 2, 3: 2, 4: 0, 5: 0}
    assert swiss.pair(order, points).byes == (5,)
    assert swiss.pair(order, points, byes={5: 1}).byes == (4,)
    assert swiss.pair(order, points, byes={5: 1, 4: 1, 3: 1, 2: 1}).byes == (1,)


def test_a_pair_meets_again_only_when_they_must():
    met = {(1, 2): 1, (1, 3): 1}
    assert swiss.pair([1, 2, 3, 4], {1: 6, 2: 4, 3: 2, 4: 0}, met).tables == ((1, 4), (2, 3))
    assert swiss.pair([1, 2], {1: 2, 2: 0}, met).tables == ((1, 2),)


def test_sixty_four_are_paired_and_nobody_and_one_too():
    assert len(swiss.pair(range(64), {person: person % 7 for person in range(64)}).tables) == 32
    assert swiss.pair([], {}) == Seating((), ())
    assert swiss.pair([7], {7: 3}) == Seating((), (7,))


@pytest.mark.parametrize(("number", "size"), [(36, 3), (32, 4)])
def test_at_larger_tables_people_with_about_the_same_points_meet_who_have_not(number, size):
    chance, people = Random(5), range(number)
    points, played = dict.fromkeys(people, 0), []
    for _ in range(4):
        order = sorted(people, key=lambda person: -points[person])
        seating = swiss.tables(order, size, points, chance, met=groups.meetings(played))
        assert sorted(person for table in seating.tables for person in table) == [*people]
        played.append(seating.tables)
        if len(played) == 2:  # winners sit with winners, and the last with the last
            assert all(len({points[person] for person in table}) == 1 for table in seating.tables)
        for table in seating.tables:
            for place, person in enumerate(sorted(table)):
                points[person] += len(table) - 1 - place
    assert max(groups.meetings(played).values()) == 1


def test_at_larger_tables_the_byes_go_to_the_last_who_have_had_the_fewest():
    found = swiss.tables([1, 2, 3, 4, 5], 4, {n: 9 - n for n in range(6)}, Random(1), allowed={4}, byes={5: 1})
    assert found == Seating(((1, 2, 3, 5),), (4,))


@given(st.integers(1, 40), st.integers())
def test_a_knock_out_has_one_winner_and_byes_for_the_best(people, seed):
    chance, seeds, out, rounds = Random(seed), [100 + n for n in range(people)], set(), 0
    while (seating := knockout.pair(seeds, out)).tables:
        rounds += 1
        assert sorted([*seating.byes, *(p for table in seating.tables for p in table)]) == sorted(set(seeds) - out)
        if rounds == 1:
            full = 1 << (people - 1).bit_length()
            assert list(seating.byes) == sorted(seating.byes) == sorted(seeds[: full - people])
        out |= {chance.choice(table) for table in seating.tables}
    assert len(seating.byes) == 1 and len(out) == people - 1
    assert rounds == (people - 1).bit_length()


def test_the_best_meet_late():
    assert knockout.bracket(8) == (0, 7, 3, 4, 1, 6, 2, 5)
    seeds, out, met = list(range(16)), set(), []
    while (seating := knockout.pair(seeds, out)).tables:
        met.append(seating.tables)
        out |= {max(table) for table in seating.tables}
    assert met[-1] == ((0, 1),) and set(met[-2]) == {(0, 3), (1, 2)}


def test_whoever_withdraws_lets_their_rival_go_on():
    assert knockout.pair([1, 2, 3, 4], {4}) == Seating(((2, 3),), (1,))
    assert knockout.pair([1, 2, 3, 4], {4, 3}) == Seating(((1, 2),), ())
    assert knockout.pair([1, 2], {1, 2}) == Seating((), ())


@given(st.integers(0, 200), st.integers(4, 6))
def test_boxes_are_of_four_to_six(people, size):
    found = boxes.divide(range(people), size)
    assert [person for box in found for person in box] == [*range(people)]
    lengths = [len(box) for box in found]
    assert lengths == sorted(lengths, reverse=True)
    if people >= 4 and people != 7:
        assert set(lengths) <= {4, 5, 6}


def test_two_go_up_and_two_go_down():
    assert boxes.move(((1, 2, 3, 4, 5), (6, 7, 8, 9, 10), (11, 12, 13, 14))) == (
        (1, 2, 3, 6, 7),
        (4, 5, 8, 11, 12),
        (9, 10, 13, 14),
    )
    assert boxes.move(((1, 2, 3),)) == ((1, 2, 3),)


@given(st.integers(0, 60))
def test_who_moves_between_boxes_is_in_one_of_them(people):
    before = boxes.divide(range(people))
    after = boxes.move(before)
    assert sorted(person for box in after for person in box) == [*range(people)]
    assert [len(box) for box in after] == [len(box) for box in before]
