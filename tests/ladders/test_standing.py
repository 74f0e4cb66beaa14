"""How a ladder stands after its events, and that replaying these gives it again."""

import json

import pytest

from games.ladders.payloads import (
    Back,
    Corrected,
    Declined,
    JoinedLadder,
    Left,
    Ordered,
    Overdue,
    SeasonBegun,
    SeasonEnded,
    Sunk,
    TakenOff,
    Unanswered,
    Vacation,
    Voided,
    Withdrawn,
)
from games.ladders.rules import DAY_MS, Rules
from games.ladders.standing import FORM, Player, Standing, outcome
from tests.ladders.standings import ANN, BOB, DAN, EVE, FAY, GUS, SIX, Club, away, late_thrice

pytestmark = pytest.mark.once

# Players come and go


def test_whoever_joins_stands_at_the_bottom():
    club = Club(ANN, BOB)
    club.add(JoinedLadder, 3, player=DAN)
    assert club.order == (ANN, BOB, DAN)
    assert club.standing.players[DAN].joined == 3 * DAY_MS


def test_whoever_joins_twice_stands_there_once():
    club = Club(ANN, BOB)
    club.add(JoinedLadder, player=ANN)
    assert club.order == (ANN, BOB)


def test_whoever_leaves_is_forgotten_but_for_whom_they_met_and_the_others_close_up():
    club = Club(*SIX)
    club.result(EVE, BOB)
    club.add(Left, player=EVE)
    assert club.order == (ANN, BOB, DAN, FAY, GUS)
    assert EVE not in club.standing.players
    assert club.standing.met == {(BOB, EVE): 0}


def test_whoever_met_so_long_ago_that_no_rules_could_care_is_forgotten():
    club = Club(*SIX)
    club.result(EVE, BOB, day=1)
    club.result(DAN, ANN, day=91)
    assert club.standing.met == {(ANN, DAN): 91 * DAY_MS}


def test_whoever_comes_again_begins_at_the_bottom_and_anew():
    club = Club(ANN, BOB, DAN)
    club.result(ANN, BOB)
    club.add(Left, player=ANN)
    club.add(JoinedLadder, 5, player=ANN)
    assert club.order == (BOB, DAN, ANN)
    assert club.standing.players[ANN] == Player(joined=5 * DAY_MS, idle_from=5 * DAY_MS)


def test_a_result_against_somebody_who_left_changes_nothing():
    club = Club(*SIX)
    club.add(Left, player=BOB)
    before = club.standing
    late = club.result(EVE, BOB, day=2)
    assert club.standing == before
    club.undo(late)
    assert club.order == before.order


def test_no_event_of_somebody_who_left_changes_anything():
    club = Club(*SIX)
    club.add(Left, player=FAY)
    before = club.standing
    club.unanswered(FAY, ANN)
    club.unanswered(EVE, FAY)
    club.unanswered(EVE, FAY, kind=Declined)
    club.add(Sunk, player=FAY)
    club.add(TakenOff, player=FAY)
    club.add(Back, player=FAY)
    club.add(Vacation, player=FAY, begins=0, ends=DAY_MS)
    club.add(Corrected, player=FAY, position=1)
    club.add(Left, player=FAY)
    club.add(Ordered, order=[FAY, ANN])
    assert club.standing == before


# Results


def test_a_result_moves_the_winner_and_counts_for_both():
    club = Club(*SIX)
    club.result(EVE, BOB, day=2)
    standing = club.standing
    assert standing.order == (ANN, EVE, BOB, DAN, FAY, GUS)
    assert [standing.players[player].games for player in SIX] == [0, 1, 0, 1, 0, 0]
    assert [standing.players[player].form for player in (EVE, BOB)] == ["w", "l"]
    assert standing.met == {(BOB, EVE): 2 * DAY_MS}


def test_the_club_has_its_own_ratings_from_its_own_games():
    club = Club(*SIX)
    club.result(EVE, BOB)
    assert (club.standing.players[EVE].rating, club.standing.players[BOB].rating) == (1530, 1470)
    club.result(ANN, BOB, DAN)
    ratings = {player: known.rating for player, known in club.standing.players.items()}
    assert ratings[ANN] > 1530 and ratings[BOB] < 1530 and ratings[DAN] < 1470
    assert sum(ratings.values()) == pytest.approx(6 * 1500)


def test_all_pairs_of_a_table_have_met():
    club = Club(*SIX)
    club.result(FAY, ANN, DAN, day=1)
    assert club.standing.met.keys() == {(ANN, DAN), (ANN, FAY), (DAN, FAY)}


def test_a_void_game_changes_nothing():
    club = Club(*SIX)
    before = club.standing
    club.add(Voided, 4, challenge=1, match="m", players=[EVE, BOB], why="season")
    assert club.standing == before


def test_form_shows_the_last_five_games():
    club = Club(ANN, BOB)
    for number in range(FORM + 2):
        club.result(ANN, BOB, places=(1, 1) if number == FORM + 1 else (2, 1) if number == 0 else (1, 2))
    assert club.standing.players[ANN].form == "wwwwd"
    assert club.standing.players[BOB].form == "lllld"


def test_only_a_shared_first_place_is_a_draw():
    assert [outcome({ANN: 1, BOB: 1, DAN: 3}, player) for player in (ANN, BOB, DAN)] == ["d", "d", "l"]
    assert [outcome({ANN: 1, BOB: 2, DAN: 2}, player) for player in (ANN, BOB, DAN)] == ["w", "l", "l"]


# Challenges without an answer


def test_who_is_challenged_and_does_not_answer_goes_down():
    club = Club(*SIX)
    club.unanswered(EVE, ANN)
    assert club.order == (BOB, DAN, ANN, EVE, FAY, GUS)
    club.unanswered(FAY, EVE)
    assert club.order == (BOB, DAN, ANN, FAY, EVE, GUS), "but never below the challenger"


@pytest.mark.parametrize("yields", [True, False])
def test_declining_gives_way_if_the_club_has_set_that(yields):
    club = Club(*SIX, rules=Rules(decline_yields=yields))
    club.unanswered(EVE, DAN, kind=Declined)
    assert club.order == ((ANN, BOB, EVE, DAN, FAY, GUS) if yields else SIX)


def test_refusals_that_cost_one_rung_only_are_counted_within_thirty_days():
    club = Club(*SIX, rules=Rules(cheap_refusals=1))
    club.unanswered(EVE, ANN, day=1)
    assert club.order == (BOB, ANN, DAN, EVE, FAY, GUS)
    club.unanswered(FAY, ANN, day=2, kind=Declined)
    assert club.order == (BOB, DAN, EVE, ANN, FAY, GUS), "the second one is dear, whichever way they refuse"
    club.unanswered(GUS, ANN, day=33)
    assert club.order == (BOB, DAN, EVE, FAY, ANN, GUS), "after thirty days both are forgotten"


def test_a_refusal_that_was_undone_is_not_counted():
    club = Club(*SIX, rules=Rules(cheap_refusals=1))
    wrong = club.unanswered(EVE, ANN, day=1)
    club.undo(wrong)
    club.unanswered(FAY, ANN, day=2)
    assert club.order == (BOB, ANN, DAN, EVE, FAY, GUS)


def withdraws(club, challenger, *others, day=None):
    club.add(Withdrawn, day, challenge=1, player=challenger, others=[*others])


def test_who_has_withdrawn_once_this_season_rests_after_the_next_one():
    club = Club(*SIX)
    withdraws(club, EVE, ANN, BOB, day=1)
    assert (club.standing.met, club.standing.placed) == ({}, set()), "as if it had not been made"
    withdraws(club, EVE, DAN, ANN, day=2)
    assert club.standing.met.keys() == {(DAN, EVE), (ANN, EVE)}, "those who were asked do not rest from each other"
    # To leave and come back does not make it free again; a new season does.
    club.add(Left, player=EVE)
    club.add(JoinedLadder, player=EVE)
    withdraws(club, EVE, BOB, day=3)
    assert (BOB, EVE) in club.standing.met
    club.add(SeasonEnded, 4, number=1, final=[])
    club.add(SeasonBegun, 4, number=2, ends=90 * DAY_MS)
    withdraws(club, EVE, GUS, day=5)
    assert (EVE, GUS) not in club.standing.met


def test_a_game_that_was_called_off_lets_the_challenger_rest():
    club = Club(*SIX)
    club.add(Voided, 1, challenge=1, match="m", players=[EVE, ANN, BOB], why="aborted")
    assert club.standing.met.keys() == {(ANN, EVE), (BOB, EVE)}
    assert club.order == SIX


def test_to_leave_a_game_and_the_ladder_and_come_back_is_no_way_round_the_rest():
    club = Club(*SIX)
    club.add(Voided, 1, challenge=1, match="m", players=[GUS, FAY], why="left")
    for kind in (Left, JoinedLadder):
        club.add(kind, 1, player=GUS)
    assert (FAY, GUS) in club.standing.met
    assert not club.standing.placed, "a first challenge is not used up by who leaves"


def test_of_a_game_not_over_in_time_only_the_challenger_rests_from_the_others():
    """A third could keep two apart who have never sat together."""
    club = Club(*SIX)
    club.add(Overdue, 1, challenge=1, match="", player=EVE, players=[EVE, BOB, ANN], late=[EVE, ANN], ply=0)
    assert club.standing.met.keys() == {(ANN, EVE), (BOB, EVE)}


@pytest.mark.parametrize("kind", [Unanswered, Declined])
def test_a_first_challenge_has_been_made_once_it_has_ended_and_stays_so(kind):
    club = Club(*SIX)
    club.unanswered(EVE, ANN, kind=kind)
    club.result(GUS, BOB)
    assert club.standing.placed == {EVE, GUS}
    club.add(Left, player=EVE)
    club.add(JoinedLadder, player=EVE)
    assert EVE in club.standing.placed


# Stewards


def test_stewards_order_the_ladder_and_correct_a_position():
    club = Club(*SIX)
    club.add(Ordered, order=[GUS, DAN])
    assert club.order == (GUS, DAN, ANN, BOB, EVE, FAY)
    club.add(Corrected, player=GUS, position=4)
    assert club.order == (DAN, ANN, BOB, GUS, EVE, FAY)


def test_undoing_a_result_gives_the_ladder_as_if_it_had_not_been():
    club, without = Club(*SIX), Club(*SIX)
    wrong = club.result(GUS, ANN, day=1)
    for each in (club, without):
        each.result(GUS, FAY, day=2)
        each.result(GUS, EVE, BOB, day=3)
        each.unanswered(DAN, ANN, day=4)
    assert club.order != without.order
    club.undo(wrong, day=5)
    assert club.order == without.order
    assert club.standing.met == without.standing.met
    assert [known.rating for known in club.standing.players.values()] == [
        known.rating for known in without.standing.players.values()
    ]
    assert club.standing.players[ANN].form == ""


def test_whoever_has_played_a_game_that_was_undone_was_not_idle():
    club = Club(*SIX)
    wrong = club.result(GUS, ANN, day=10)
    slow = club.result(FAY, BOB, late=[BOB], day=11)
    club.undo(wrong, day=30)
    club.undo(slow, day=30)
    assert [club.sinks_on(player) for player in (ANN, GUS, FAY, BOB)] == [31, 31, 32, 21]


def test_whoever_was_made_to_sink_wrongly_does_not_sink_again_at_once():
    club = Club(*SIX)
    club.result(*SIX[1:5], day=20)
    sunk = club.add(Sunk, 21, player=ANN)
    assert club.order[0] == BOB
    club.undo(sunk, day=22)
    assert club.order == SIX
    assert club.sinks_on(ANN) == 28


def test_undoing_lets_who_was_late_stay_on_the_ladder():
    club = Club(*SIX)
    off = late_thrice(club)
    club.undo(off, day=10)
    assert club.order == SIX
    # They may have said before that they are back.
    club = Club(*SIX)
    off = late_thrice(club)
    club.add(Back, 20, player=BOB)
    club.undo(off, day=22)
    assert club.order == SIX
    assert club.sinks_on(BOB) == 41


def test_undoing_one_of_the_results_in_which_they_were_late_undoes_that_they_were_taken_off():
    club = Club(*SIX)
    late_thrice(club)
    club.undo(2 + len(SIX), day=10)
    assert club.order == SIX


def test_an_event_is_undone_whose_player_has_left_or_come_again():
    club = Club(*SIX)
    won = club.result(GUS, ANN, day=1)
    sunk = club.add(Sunk, 21, player=DAN)
    for player in (GUS, DAN):
        club.add(Left, 22, player=player)
    club.add(JoinedLadder, 23, player=GUS)
    after = club.add(Sunk, 23, player=DAN)
    for number in (won, sunk, after):
        club.undo(number, day=24)
    assert club.order == (ANN, BOB, EVE, FAY, GUS)
    assert club.standing.players[GUS].games == 0
    assert club.sinks_on(GUS) == 44


def test_several_undone_events_are_all_as_if_they_had_not_been():
    club = Club(*SIX)
    first = club.result(GUS, ANN)
    second = club.add(Corrected, player=BOB, position=1)
    club.undo(second)
    club.undo(first)
    assert club.order == SIX


# As JSON


def test_a_standing_comes_back_from_json_to_the_last_bit():
    club = Club(*SIX)
    late_thrice(club)
    club.result(GUS, DAN, ANN, day=11)
    away(club, DAN, 12, 15)
    standing = club.standing
    assert Standing.from_json(json.loads(json.dumps(standing.to_json()))) == standing
    assert Standing.from_json({}) == Standing()
