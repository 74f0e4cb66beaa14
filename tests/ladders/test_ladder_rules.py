"""The rules of a ladder: who moves where."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.journal.payload import read
from games.ladders import rules as ladder
from games.ladders.rules import RANGES, Rules

pytestmark = pytest.mark.once

ANN, BOB, DAN, EVE, FAY, GIL = range(1, 7)
SIX = (ANN, BOB, DAN, EVE, FAY, GIL)
QUICK = settings(max_examples=60, deadline=None, derandomize=True, database=None)

ORDERS = st.permutations(range(1, 13)).map(tuple)


@st.composite
def games(draw, least=2):
    """An order, and a game of some of its players with their places, shared ones among them."""
    order = draw(ORDERS)
    players = draw(st.lists(st.sampled_from(order), min_size=least, max_size=4, unique=True))
    points = draw(st.lists(st.integers(0, 3), min_size=len(players), max_size=len(players)))
    return order, {
        player: 1 + sum(other > mine for other in points) for player, mine in zip(players, points, strict=True)
    }


def above(order, one, other):
    return order.index(one) < order.index(other)


# What may be set


def test_the_defaults_are_those_of_the_house():
    assert Rules().to_json() == {
        "reach": 4,
        "reach_a_seat": 2,
        "sizes": [2, 3, 4],
        "drawn": True,
        "clocks": ["5+10", "10+15", "15+20", "own", "1d", "3d", "7d"],
        "usual_clock": "10+15",
        "presets": [],
        "usual_preset": "",
        "accept_days": 3,
        "finish_days": 10,
        "most_out": 2,
        "most_in": 2,
        "placement": True,
        "rest_days": 7,
        "forfeit": 2,
        "decline_yields": True,
        "cheap_refusals": 0,
        "time_costs_place": True,
        "most_late": 3,
        "idle_days": 21,
        "sink_days": 7,
        "vacation_days": 21,
        "season_weeks": 12,
        "season_follows": True,
        "soft_reset": False,
        "members_join": False,
        "stewards_add": False,
        "at_table": False,
    }


def test_every_number_has_bounds_and_its_default_lies_within():
    rules = Rules().to_json()
    numbers = {name for name, value in rules.items() if type(value) is int}
    assert numbers == RANGES.keys()
    assert all(least <= rules[name] <= most for name, (least, most) in RANGES.items())


def test_rules_come_back_from_json_and_none_that_nobody_knows():
    rules = Rules(reach=7, soft_reset=True)
    assert read(Rules, json.loads(json.dumps(rules.to_json()))) == rules
    assert read(Rules, {"reach": 7, "soft_reset": True}) == rules, "the others are as usual"
    with pytest.raises(TypeError):
        read(Rules, rules.to_json() | {"of_tomorrow": 1})


@pytest.mark.parametrize(("seats", "places"), [(2, 4), (3, 6), (4, 8)])
def test_one_reaches_4_places_upward_and_2_a_seat_at_tables_of_3_and_4(seats, places):
    assert ladder.reach(Rules(), seats) == places


# Leapfrog


def test_leapfrog_the_winner_who_stood_below_moves_just_above_the_loser():
    assert ladder.leapfrog(SIX, winner=FAY, loser=BOB) == (ANN, FAY, BOB, DAN, EVE, GIL)


def test_leapfrog_a_winner_who_stood_above_stays():
    assert ladder.leapfrog(SIX, winner=BOB, loser=FAY) == SIX


# Lift


def test_lift_whoever_beat_somebody_above_them_moves_just_above_the_highest_of_these():
    assert ladder.lift(SIX, {GIL: 1, BOB: 2, EVE: 3}) == (ANN, GIL, BOB, DAN, EVE, FAY)


def test_lift_goes_from_the_last_to_the_first():
    # The second moves above the third before the winner moves above both.
    assert ladder.lift(SIX, {GIL: 1, EVE: 2, BOB: 3}) == (ANN, GIL, EVE, BOB, DAN, FAY)
    assert ladder.lift(SIX, {GIL: 1, FAY: 2, EVE: 3, DAN: 4}) == (ANN, BOB, GIL, FAY, EVE, DAN)


def test_lift_moves_nobody_at_a_table_that_ended_as_it_stands():
    assert ladder.lift(SIX, {ANN: 1, DAN: 2, FAY: 3, GIL: 4}) == SIX


def test_lift_the_last_falls_below_all_who_beat_them_and_no_further():
    assert ladder.lift(SIX, {ANN: 3, BOB: 2, DAN: 1}) == (DAN, BOB, ANN, EVE, FAY, GIL)


def test_lift_who_share_a_place_keep_their_order():
    assert ladder.lift(SIX, {BOB: 3, EVE: 1, GIL: 1}) == (ANN, EVE, GIL, BOB, DAN, FAY)
    assert ladder.lift(SIX, {BOB: 1, EVE: 1, GIL: 1}) == SIX


def test_lift_a_shared_place_lets_the_lower_pass_only_whom_they_beat():
    assert ladder.lift(SIX, {BOB: 1, EVE: 3, GIL: 1}) == (ANN, BOB, DAN, GIL, EVE, FAY)


@QUICK
@given(games())
def test_lift_promises_that_everybody_stands_above_all_they_beat(game):
    order, places = game
    after = ladder.lift(order, places)
    assert all(above(after, one, other) for one in places for other in places if places[one] < places[other])


@QUICK
@given(games())
def test_lift_promises_that_who_share_a_place_and_who_did_not_play_keep_their_order(game):
    order, places = game
    after = ladder.lift(order, places)
    for alike in [[p for p in order if places.get(p) == place] for place in {*places.values(), None}]:
        assert [player for player in after if player in alike] == alike


@QUICK
@given(games())
def test_lift_lets_nobody_rise_above_the_highest_whom_they_beat(game):
    order, places = game
    after = ladder.lift(order, places)
    for player in places:
        beaten = [other for other in places if places[other] > places[player]]
        if after.index(player) < order.index(player):
            others = [other for other in order if other not in places]
            highest = min(map(order.index, beaten))
            passed = [other for other in others if above(order, other, player) and above(after, player, other)]
            assert all(order.index(other) > highest for other in passed)


@QUICK
@given(games())
def test_lift_the_first_of_all_stays_unless_somebody_beat_them(game):
    order, places = game
    if places.get(order[0], 1) == 1:
        assert ladder.lift(order, places)[0] == order[0]


@QUICK
@given(ORDERS, st.booleans())
def test_lift_of_two_players_is_leapfrog(order, upper_wins):
    winner, loser = (order[2], order[7]) if upper_wins else (order[7], order[2])
    assert ladder.lift(order, {winner: 1, loser: 2}) == ladder.leapfrog(order, winner, loser)


# Results


def test_a_result_of_two_leapfrogs_and_of_three_lifts():
    assert ladder.result(SIX, {EVE: 1, BOB: 2}, (), Rules()) == (ANN, EVE, BOB, DAN, FAY, GIL)
    assert ladder.result(SIX, {EVE: 1, BOB: 2, GIL: 3}, (), Rules()) == (ANN, EVE, BOB, DAN, FAY, GIL)


def test_a_shared_place_changes_nothing():
    assert ladder.result(SIX, {EVE: 1, BOB: 1}, (), Rules()) == SIX


def test_running_out_of_time_loses_the_place_unless_the_club_lets_them_keep_it():
    keeps = Rules(time_costs_place=False)
    assert ladder.result(SIX, {EVE: 1, BOB: 2}, {BOB}, Rules())[1] == EVE
    assert ladder.result(SIX, {EVE: 1, BOB: 2}, {BOB}, keeps) == SIX
    # At a table of three the others move as if that player had not played.
    assert ladder.result(SIX, {EVE: 1, ANN: 3, DAN: 2}, {ANN}, keeps) == (ANN, BOB, EVE, DAN, FAY, GIL)


def test_whoever_does_not_stand_on_the_ladder_moves_nobody():
    gone = 99
    assert ladder.result(SIX, {gone: 1, BOB: 2}, (), Rules()) == SIX
    assert ladder.result(SIX, {gone: 2, BOB: 1}, (), Rules()) == SIX
    assert ladder.result(SIX, {gone: 2, EVE: 1, BOB: 3}, (), Rules()) == (ANN, EVE, BOB, DAN, FAY, GIL)


@QUICK
@given(games(), st.booleans(), st.data())
def test_nobody_passes_for_having_beaten_who_was_late(game, keeps, data):
    order, places = game
    late = data.draw(st.sets(st.sampled_from(sorted(places))))
    after = ladder.result(order, places, late, Rules(time_costs_place=not keeps))
    finishers = {player: place for player, place in places.items() if not (keeps and player in late)}
    assert after == ladder.lift(order, finishers)
    if len(places) == 2 and keeps and late:
        assert after == order


# Challenges that nobody answers


def test_who_does_not_answer_goes_down_but_never_below_the_challenger():
    assert ladder.give_way(SIX, FAY, {ANN: 2}) == (BOB, DAN, ANN, EVE, FAY, GIL)
    assert ladder.give_way(SIX, FAY, {EVE: 2}) == (ANN, BOB, DAN, FAY, EVE, GIL)
    assert ladder.give_way(SIX, DAN, {ANN: 9}) == (BOB, DAN, ANN, EVE, FAY, GIL)


def test_of_several_each_goes_down_and_they_keep_their_order():
    assert ladder.give_way(SIX, FAY, {BOB: 1, DAN: 1}) == (ANN, EVE, BOB, DAN, FAY, GIL)
    assert ladder.give_way(SIX, FAY, {ANN: 1, DAN: 1, EVE: 1}) == (BOB, ANN, FAY, DAN, EVE, GIL)
    assert ladder.give_way(SIX, DAN, {ANN: 5, BOB: 5}) == (DAN, ANN, BOB, EVE, FAY, GIL)


def test_who_is_silent_below_the_challenger_stays():
    assert ladder.give_way(SIX, DAN, {EVE: 2}) == SIX
    assert ladder.give_way(SIX, EVE, {BOB: 1, GIL: 1}) == (ANN, DAN, BOB, EVE, FAY, GIL)


def test_nobody_gives_way_who_does_not_stand_on_the_ladder_nor_to_whoever_does_not():
    assert ladder.give_way(SIX, EVE, {99: 1}) == SIX
    assert ladder.give_way(SIX, EVE, {}) == SIX
    assert ladder.give_way(SIX, 99, {ANN: 1}) == SIX


@QUICK
@given(ORDERS, st.data())
def test_without_a_game_nobody_goes_down_who_did_nothing_and_few_rungs_are_won(order, data):
    challenger, *silent = data.draw(st.lists(st.sampled_from(order), min_size=1, max_size=4, unique=True))
    rungs = {player: data.draw(st.integers(1, 5)) for player in silent}
    after = ladder.give_way(order, challenger, rungs)
    assert [one for one in after if one not in silent] == [one for one in order if one not in silent]
    upper = [player for player in silent if above(order, player, challenger)]
    fall = {player: after.index(player) - order.index(player) for player in order}
    assert all(fall[player] <= (rungs[player] if player in upper else 0) for player in order)
    assert all(rise <= len(upper) for rise in (-fall[player] for player in order))
    if len(upper) == 1:
        assert fall[upper[0]] == min(rungs[upper[0]], order.index(challenger) - order.index(upper[0]))


def test_who_left_a_larger_game_at_its_beginning_lifts_nobody_past_others():
    """EVE beat only ANN, who did not come: BOB and DAN, who did not play, stay above her."""
    rules = Rules()
    assert ladder.result(SIX, {FAY: 1, EVE: 2, ANN: 3}, [ANN], rules, [ANN]) == (BOB, DAN, ANN, FAY, EVE, GIL)
    assert ladder.result(SIX, {ANN: 1, FAY: 2, EVE: 3}, (), rules, [EVE]) == (ANN, BOB, DAN, FAY, EVE, GIL)
    keeps = Rules(time_costs_place=False)
    assert ladder.result(SIX, {FAY: 1, EVE: 2, ANN: 3}, [ANN], keeps, [ANN]) == (BOB, DAN, ANN, FAY, EVE, GIL)
    # A game of two is theirs who came.
    assert ladder.result(SIX, {EVE: 1, BOB: 2}, [BOB], rules, [BOB]) == (ANN, EVE, BOB, DAN, FAY, GIL)


@QUICK
@given(games(least=3), st.data())
def test_nobody_who_did_not_play_is_passed_but_by_who_beat_somebody_above_them(game, data):
    """And who was beaten is so by players who stayed: whoever left at once has lifted nobody."""
    order, places = game
    soon = data.draw(st.sets(st.sampled_from(sorted(places))))
    after = ladder.result(order, places, data.draw(st.sets(st.sampled_from(sorted(places)))), Rules(), soon)
    beat = {
        one: [other for other in places if places[one] < places[other] and other not in soon]
        for one in places
        if one not in soon
    }
    for other in order:
        for one in order:
            if other not in soon and above(order, other, one) and above(after, one, other):
                assert one in beat
                assert any(each == other or above(order, each, other) for each in beat[one])
    for one in soon:
        stayed = sum(above(order, one, other) for other in beat)
        assert after.index(one) - order.index(one) <= stayed + sum(above(order, one, other) for other in soon)


# Idle players


def test_whoever_is_idle_sinks_by_one_place():
    assert ladder.sink(SIX, BOB, {BOB}) == (ANN, DAN, BOB, EVE, FAY, GIL)


def test_the_leader_sinks_too():
    assert ladder.sink(SIX, ANN, {ANN}) == (BOB, ANN, DAN, EVE, FAY, GIL)


def test_the_last_one_stays_the_last():
    assert ladder.sink(SIX, GIL, {GIL}) == SIX
    assert ladder.sink((ANN,), ANN, {ANN}) == (ANN,)


def test_nobody_sinks_below_another_one_who_is_idle():
    assert ladder.sink(SIX, BOB, {BOB, DAN}) == SIX


@QUICK
@given(ORDERS, st.data())
def test_sinking_never_swaps_two_idle_players(order, data):
    idle = data.draw(st.lists(st.sampled_from(order), min_size=1, max_size=8))
    after = order
    for player in idle:
        after = ladder.sink(after, player, set(idle))
    assert [player for player in after if player in idle] == [player for player in order if player in idle]
    assert [player for player in after if player not in idle] == [player for player in order if player not in idle]
    assert all(after.index(player) >= order.index(player) for player in idle)


# Taken off and back


def test_whoever_is_back_stands_at_most_5_places_lower():
    order = tuple(range(1, 11))
    assert ladder.back(order, 99, held=2).index(99) + 1 == 7
    assert ladder.back(order, 99, held=9)[-1] == 99
    assert ladder.back((), 99, held=3) == (99,)


# Seasons


def test_the_optional_soft_reset_puts_everybody_half_way_between_order_and_ratings():
    ratings, games = {ANN: 1400.0, BOB: 1500.0, DAN: 1600.0, EVE: 1700.0}, dict.fromkeys(SIX, 5)
    # Positions 1 to 4, ranks 4 to 1: all means are equal, and so all stay.
    assert ladder.soft_reset((ANN, BOB, DAN, EVE), ratings, games) == (ANN, BOB, DAN, EVE)
    ratings[EVE] = 1450.0
    # Means: ann 2.5, bob 2, dan 2, eve 3.5.
    assert ladder.soft_reset((ANN, BOB, DAN, EVE), ratings, games) == (BOB, DAN, ANN, EVE)


def test_a_soft_reset_neither_lifts_nor_lowers_who_has_hardly_played():
    # Like a club after a season: whoever has played loses ground to the 1500 of those who have not.
    ratings = {ANN: 1500.0, BOB: 1300.0, DAN: 1450.0, EVE: 1500.0, FAY: 1500.0, GIL: 1400.0}
    games = {ANN: 0, BOB: 29, DAN: 12, EVE: 4, FAY: 0, GIL: 5}
    assert ladder.soft_reset(SIX, ratings, games) == (ANN, DAN, BOB, EVE, FAY, GIL)


def test_a_soft_reset_among_equal_ratings_changes_nothing():
    assert ladder.soft_reset(SIX, dict.fromkeys(SIX, 1500.0), dict.fromkeys(SIX, 9)) == SIX


def test_an_order_is_kept_as_short_as_it_can_be():
    assert ladder.shortest(SIX, [EVE, ANN, BOB, DAN, FAY, GIL]) == (EVE,)
    assert ladder.shortest(SIX, [ANN, DAN, BOB, EVE, FAY, GIL]) == (ANN, DAN)
    assert ladder.shortest(SIX, SIX) == ()


# Stewards


def test_a_player_is_put_at_a_position_and_the_others_keep_their_order():
    assert ladder.moved(SIX, FAY, 1) == (FAY, ANN, BOB, DAN, EVE, GIL)
    assert ladder.moved(SIX, ANN, 3) == (BOB, DAN, ANN, EVE, FAY, GIL)
    assert ladder.moved(SIX, ANN, 50) == (BOB, DAN, EVE, FAY, GIL, ANN)


def test_ordering_puts_some_on_top_and_the_others_below_as_they_stood():
    assert ladder.ordered(SIX, [EVE, BOB]) == (EVE, BOB, ANN, DAN, FAY, GIL)


def test_ordering_passes_over_who_is_named_twice_or_does_not_stand_there():
    assert ladder.ordered(SIX, [EVE, 99, EVE, ANN]) == (EVE, ANN, BOB, DAN, FAY, GIL)


@QUICK
@given(ORDERS, st.data())
def test_every_rule_gives_the_same_players_in_some_order(order, data):
    players = data.draw(st.lists(st.sampled_from(order), min_size=2, max_size=4, unique=True))
    places = {player: data.draw(st.integers(1, 4)) for player in players}
    one, other = players[:2]
    for after in (
        ladder.leapfrog(order, one, other),
        ladder.lift(order, places),
        ladder.result(order, places, players[:1], Rules()),
        ladder.give_way(order, one, dict.fromkeys(players[1:], 2)),
        ladder.sink(order, one, players),
        ladder.moved(order, one, data.draw(st.integers(1, 20))),
        ladder.soft_reset(order, {player: float(player % 5) for player in order}, {each: each for each in order}),
        ladder.ordered(order, data.draw(st.lists(st.integers(0, 15)))),
    ):
        assert sorted(after) == sorted(order)
    others = tuple(player for player in order if player != one)
    assert sorted(ladder.back(others, one, data.draw(st.integers(1, 12)))) == sorted(order)
