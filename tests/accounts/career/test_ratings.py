import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.career.ratings import OPPONENTS, Level, Rated, after, changes, expected, k_of, shown

pytestmark = pytest.mark.once

SETTLED = 100


def moved(*players):
    return [value - player.rating for player, value in zip(players, after(players), strict=True)]


def equals(*places, games=SETTLED):
    return [Rated(1500, games, place) for place in places]


@pytest.mark.parametrize(
    ("places", "expect"),
    [
        ((1, 2), (10, -10)),
        ((1, 2, 3), (13.333, 0, -13.333)),
        ((1, 2, 3, 4), (15, 5, -5, -15)),
        ((4, 2, 1, 3), (-15, 5, 15, -5)),
        ((1, 1), (0, 0)),
        ((1, 1, 3), (6.667, 6.667, -13.333)),
        ((1, 2, 2, 4), (15, 0, 0, -15)),
    ],
)
def test_among_equals_the_places_alone_decide(places, expect):
    assert moved(*equals(*places)) == pytest.approx(expect, abs=0.001)


def test_a_difference_of_400_points_makes_ten_to_one():
    assert expected(1900, 1500) == pytest.approx(10 / 11)
    assert expected(1500, 1900) == pytest.approx(1 / 11)
    assert expected(1623, 1623) == 0.5


def test_whoever_wins_against_the_odds_wins_more():
    strong, weak = Rated(1900, SETTLED, 2), Rated(1500, SETTLED, 1)
    assert moved(strong, weak) == pytest.approx([-200 / 11, 200 / 11])


@pytest.mark.parametrize(("games", "k"), [(0, 60), (9, 60), (10, 40), (19, 40), (20, 20), (500, 20)])
def test_k_falls_after_ten_and_after_twenty_games(games, k):
    assert k_of(games) == k


def test_each_player_has_their_own_k():
    assert moved(Rated(1500, 0, 1), Rated(1500, 20, 2)) == [30, -5]
    assert moved(Rated(1500, 10, 2), Rated(1500, 20, 1)) == [-20, 10]


def test_with_the_same_k_nothing_is_gained_or_lost_together():
    chance = random.Random(7)
    for _ in range(200):
        seats = chance.randint(2, 4)
        players = [Rated(chance.uniform(900, 2300), SETTLED, chance.randint(1, seats)) for _ in range(seats)]
        assert sum(moved(*players)) == pytest.approx(0, abs=1e-9)


def test_the_pairs_explain_the_change():
    players = [Rated(1612.5, 14, 2), Rated(1500, 30, 1), Rated(1433.25, 24, 3)]
    table = changes(players)
    assert [[pair.opponent for pair in row] for row in table] == [[1, 2], [0, 2], [0, 1]]
    assert [[pair.score for pair in row] for row in table] == [[0, 1], [1, 1], [0, 0]]
    assert [row[0].k for row in table] == [40, 20, 20]
    assert {pair.weight for row in table for pair in row} == {2 / 3}
    for player, row, value in zip(players, table, after(players), strict=True):
        assert player.rating + sum(pair.change for pair in row) == value
    first = table[0][0]
    assert first.change == 40 * (2 / 3) * (0 - expected(1612.5, 1500))


def test_few_games_are_marked():
    assert shown(1500, 0) == "1500?"
    assert shown(1587.6, 9) == "1588?"
    assert shown(1587.6, 10) == "1588"


# A rating is earned


@st.composite
def tables(draw):
    """Everybody who may sit at a table, with whatever history."""
    seats = range(draw(st.integers(2, 4)))
    met = {two: draw(st.integers(0, 5)) for two in combinations(seats, 2)}
    return [
        Rated(
            draw(st.floats(500, 2500)),
            draw(st.integers(0, 40)),
            draw(st.integers(1, len(seats))),
            draw(st.booleans()),
            {other: met[min(seat, other), max(seat, other)] for other in seats if other != seat},
        )
        for seat in seats
    ]


@given(tables())
def test_nobody_gains_from_one_who_left_soon_and_leaving_soon_never_costs_less(players):
    for row in changes(players):
        for pair in row:
            if players[pair.opponent].soon and pair.score == 1:
                assert pair.change == 0
    stayed = [replace(player, soon=False) for player in players]
    for seat, player in enumerate(players):
        if player.soon:
            alone = [*stayed[:seat], player, *stayed[seat + 1 :]]
            assert changes(alone)[seat] == changes(stayed)[seat]


@given(tables(), st.integers(0, 3), st.integers(0, 3))
def test_each_meeting_of_a_day_counts_less_than_the_one_before_and_the_fourth_nothing(players, one, other):
    one, other = one % len(players), other % len(players)
    if one == other:
        return
    sizes = []
    for times in range(5):
        again = [
            replace(
                player, met={**player.met, **({other if seat == one else one: times} if seat in (one, other) else {})}
            )
            for seat, player in enumerate(players)
        ]
        pair = next(pair for pair in changes(again)[one] if pair.opponent == other)
        sizes.append(abs(pair.change))
    assert sizes[:3] == sorted(sizes[:3], reverse=True)
    assert sizes[3:] == [0, 0]


@given(tables())
def test_rises_and_falls_weigh_the_same_unless_somebody_left_soon(players):
    stayed = [replace(player, soon=False) for player in players]
    turned = [replace(player, place=len(players) + 1 - player.place) for player in stayed]
    assert [[pair.weight for pair in row] for row in changes(stayed)] == [
        [pair.weight for pair in row] for row in changes(turned)
    ]


@given(tables())
def test_a_match_that_moves_nothing_is_none_of_ones_games(players):
    for seat, (me, pairs) in enumerate(zip(players, changes(players), strict=True)):
        held = Level(me.rating, me.games)
        then = held.after(pairs, players, [7 + seat for seat in range(len(players))])
        counted = any(pair.weight for pair in pairs)
        assert then.games == me.games + counted
        assert then.value == after(players)[seat] if counted else then is held
        assert 7 + seat not in then.opponents
        assert len(then.opponents) <= OPPONENTS


def test_a_newcomer_moves_the_ratings_of_others_half_as_much():
    assert moved(Rated(1500, 9, 1), Rated(1500, 10, 2)) == [30, -10]
    assert moved(Rated(1500, 9, 2), Rated(1500, 10, 1)) == [-30, 10]
    assert moved(Rated(1500, 9, 2), Rated(1500, 9, 1)) == [-30, 30]
