"""People at tables of two, three and four, whoever comes."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.tournaments.pairing.groups import SIZES, at_random, by_rung, meetings, sitting_out, sizes, unmet

pytestmark = pytest.mark.once

ALLOWED = st.sets(st.sampled_from(SIZES), min_size=1)


@st.composite
def wanted(draw):
    """How many people, the size of tables that is wanted, and the sizes that are allowed."""
    allowed = draw(ALLOWED)
    return draw(st.integers(0, 64)), draw(st.sampled_from(sorted(allowed))), allowed


@pytest.mark.parametrize(
    ("people", "size", "tables"),
    [
        (0, 4, ()),
        (1, 4, ()),
        (2, 4, (2,)),
        (5, 4, (3, 2)),
        (6, 4, (3, 3)),
        (9, 4, (3, 3, 3)),
        (10, 4, (4, 3, 3)),
        (13, 4, (4, 3, 3, 3)),
        (4, 3, (4,)),
        (5, 3, (3, 2)),
        (7, 3, (4, 3)),
        (3, 2, (3,)),
        (7, 2, (3, 2, 2)),
    ],
)
def test_what_is_left_over_makes_tables_of_nearly_that_size(people, size, tables):
    assert sizes(people, size) == tables


@given(wanted())
def test_as_many_have_a_seat_as_the_sizes_allow(wanted):
    people, size, allowed = wanted
    tables = sizes(people, size, allowed)
    assert set(tables) <= allowed
    reachable = {0}
    for n in range(1, people + 1):
        reachable |= {n for each in allowed if n - each in reachable}
    assert sum(tables) == max(reachable)


def test_a_size_that_is_not_allowed_is_refused():
    with pytest.raises(ValueError, match="tables of 4 are not among the sizes that are allowed"):
        sizes(8, 4, {2, 3})


def test_nobody_is_seated_twice():
    with pytest.raises(ValueError, match="named twice"):
        by_rung([1, 2, 2, 3], 2, Random(1))


@given(wanted(), st.integers(), st.sampled_from(["rung", "random", "unmet"]))
def test_everybody_has_one_seat_or_a_bye(wanted, seed, way):
    people, size, allowed = wanted
    everybody = list(range(100, 100 + people))

    def seat():
        chance = Random(seed)
        if way == "unmet":
            return unmet(everybody, size, chance, met={(100, 101): 3}, allowed=allowed)
        return (by_rung if way == "rung" else at_random)(everybody, size, chance, allowed=allowed)

    tables, byes = seat()
    assert sorted([*byes, *(person for table in tables for person in table)]) == everybody
    assert tuple(len(table) for table in tables) == sizes(people, size, allowed)
    assert seat() == (tables, byes)  # the same chance, the same tables


def test_by_rung_neighbours_sit_together():
    assert by_rung([5, 3, 9, 1, 7], 3, Random(1)).tables == ((5, 3, 9), (1, 7))


@given(st.integers(1, 9), st.integers())
def test_nobody_sits_out_twice_before_everybody_has_once(people, seed):
    chance, byes = Random(seed), {}
    for _ in range(2 * people + 1):
        for person in sitting_out(range(people), 1, byes, chance):
            byes[person] = byes.get(person, 0) + 1
        counts = [byes.get(person, 0) for person in range(people)]
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(
    ("people", "size", "rounds"), [(64, 4, 7), (30, 4, 5), (16, 4, 3), (12, 3, 3), (9, 3, 3), (8, 2, 4)]
)
def test_those_meet_who_have_not_met(people, size, rounds):
    played = []
    for number in range(rounds):
        played.append(unmet(range(people), size, Random(number), met=meetings(played)).tables)
    assert max(meetings(played).values()) == 1


def test_when_all_have_met_the_repeats_are_spread():
    played = []
    for number in range(6):
        played.append(unmet(range(6), 3, Random(number), met=meetings(played)).tables)
    counts = meetings(played)
    assert sum(counts.values()) == 36  # 2.4 times each of the 15 pairs, on average
    assert max(counts.values()) <= 4
