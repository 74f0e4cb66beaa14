"""Scoring: who wins which die, and every step of every tie-break."""

import pytest

from tests.engine.biblios.sitting import GAME, Sitting

RULEBOOK, TOTALS, FIRST_WON, MONKS = GAME.choices["final_tie"]
EVERY_TIE = pytest.mark.parametrize("final_tie", GAME.choices["final_tie"])


def table(*hands, dice=(3, 3, 3, 3, 3), **options):
    """A game that has ended with these hands."""
    sitting = Sitting.at_auction(*hands, dice=dice, **options)
    while not sitting.over:
        sitting.play(f"{sitting.asked} pass")
    return sitting.state


def winner(category, *hands):
    return GAME.result(table(*hands))["category_winners"]["MPHSF".index(category)]


@pytest.mark.parametrize(
    ("category", "hands", "seat"),
    [
        ("M", ("M2A M2B", "M2C M3E"), 1),
        ("P", ("P4H", "P2A P3E", "P2B"), 1),
        ("H", ("H1A H1B", "H2H H1C", "H1D"), 1),
        ("S", ("S1A", "S1B", "S1C S1D"), 2),
        ("F", ("F2I", "F1A"), 0),
    ],
)
def test_the_highest_sum_wins_the_die(category, hands, seat):
    assert winner(category, *hands) == seat


@pytest.mark.parametrize(
    ("category", "hands", "seat"),
    [
        ("M", ("M2B M2C", "M4H"), 0),
        ("M", ("M4H", "M2D M2B"), 1),
        ("H", ("H2I", "H2H"), 1),
        ("H", ("H2H", "H1F H1G"), 1),
        ("F", ("F1C F1D", "F1B F1E"), 1),
        ("P", ("P2A P2D", "P2B P2C", "P4H"), 0),
    ],
)
def test_tied_sums_go_to_the_letter_nearest_to_a(category, hands, seat):
    assert winner(category, *hands) == seat


def test_the_letter_counts_only_among_the_tied():
    assert winner("M", "M2A", "M4H", "M2B M2C") == 2


def test_a_category_in_which_nobody_holds_a_card_goes_to_nobody():
    state = table("M2A G1", "M2B G2", dice=(3, 6, 6, 6, 6))
    assert GAME.result(state)["category_winners"] == [0, None, None, None, None]
    assert state.scores() == (3, 0)


def test_the_winner_of_a_die_scores_the_number_it_shows():
    state = table("M4I H1A", "P2A S1B", "F1C", dice=(1, 2, 3, 5, 6))
    assert state.scores() == (4, 7, 6)


@EVERY_TIE
def test_the_most_points_win(final_tie):
    state = table("M2A", "G3 G3 P2A", "G3 G2", dice=(6, 2, 1, 1, 1), final_tie=final_tie)
    assert state.places() == (1, 2, 3)


@EVERY_TIE
def test_tied_points_go_to_the_most_gold_by_value(final_tie):
    state = table("M2A G1 G1", "P2A G3", final_tie=final_tie)
    assert state.scores() == (3, 3)
    assert state.places() == (2, 1)


# The tied are seats 0 and 1, unless a line says otherwise.
@pytest.mark.parametrize(
    ("hands", "places"),
    [
        # The sum of Monks decides.
        (("M3E", "P2A"), {RULEBOOK: (1, 2), TOTALS: (1, 2), FIRST_WON: (1, 2), MONKS: (1, 2)}),
        # Equal sums of Monks: the letter, or the sum of Pigments, or who won Monks.
        (("M2B", "M2C P2A"), {RULEBOOK: (1, 2), TOTALS: (2, 1), FIRST_WON: (1, 2), MONKS: (1, 2)}),
        # Nobody holds Monks: passed over.
        (("H1A", "P2A"), {RULEBOOK: (2, 1), TOTALS: (2, 1), FIRST_WON: (2, 1), MONKS: (1, 1)}),
        (("F1A", "S1A"), {RULEBOOK: (2, 1), TOTALS: (2, 1), FIRST_WON: (2, 1), MONKS: (1, 1)}),
        # All sums are equal; only letters differ.
        (("M2A P2B", "M2B P2A"), {RULEBOOK: (1, 2), TOTALS: (1, 1), FIRST_WON: (1, 2), MONKS: (1, 2)}),
        (("H1B S1A", "H1A S1B"), {RULEBOOK: (2, 1), TOTALS: (1, 1), FIRST_WON: (2, 1), MONKS: (1, 1)}),
        # Seat 2 wins Monks: the letters, and the sums, of the tied players still count.
        (
            ("M2C P2A", "M2B H1A", "M4H M4I S1A F1A"),
            {RULEBOOK: (3, 2, 1), TOTALS: (2, 3, 1), FIRST_WON: (2, 3, 1), MONKS: (2, 2, 1)},
        ),
        (
            ("M3E H1A", "M2A P2A", "M4H M4I S1A F1A"),
            {RULEBOOK: (2, 3, 1), TOTALS: (2, 3, 1), FIRST_WON: (3, 2, 1), MONKS: (2, 2, 1)},
        ),
        # Three are tied; each step only among those who are still tied.
        (("M2A", "P2A", "H1A"), {RULEBOOK: (1, 2, 3), TOTALS: (1, 2, 3), FIRST_WON: (1, 2, 3), MONKS: (1, 2, 2)}),
        (
            ("H1A M2C", "M2B P2A", "M3E"),
            {RULEBOOK: (3, 2, 1), TOTALS: (3, 2, 1), FIRST_WON: (3, 2, 1), MONKS: (2, 2, 1)},
        ),
        # Nobody holds a category card.
        (("G1", "G1", "M2A"), {tie: (2, 2, 1) for tie in GAME.choices["final_tie"]}),
        (("", "", ""), {tie: (1, 1, 1) for tie in GAME.choices["final_tie"]}),
        (("G2", "G1 G1"), {tie: (1, 1) for tie in GAME.choices["final_tie"]}),
    ],
    ids=str,
)
@EVERY_TIE
def test_ties_after_gold(hands, places, final_tie):
    assert table(*hands, final_tie=final_tie).places() == places[final_tie]


def test_first_won_is_the_first_category_that_one_of_the_tied_has_won():
    """Seat 2 won Monks and Pigments; of the tied, seat 1 won Holy Books, which comes before Manuscripts."""
    hands = ("P2A S1A", "P2B H1A", "M4H P4H F1A")
    assert table(*hands, final_tie=FIRST_WON).places() == (3, 2, 1)
    assert table(*hands, final_tie=RULEBOOK).places() == (2, 3, 1)


def test_monks_counts_who_won_the_die_not_who_has_more_than_another():
    hands = ("M2C P2A", "M2B H1A", "M4H S1A F1A")
    state = table(*hands, dice=(1, 3, 3, 3, 3), final_tie=MONKS)
    assert state.scores() == (3, 3, 7)
    assert state.places() == (2, 2, 1)


@pytest.mark.parametrize(
    ("hands", "places"),
    [
        (("", "", "M2A", ""), (2, 2, 1, 2)),
        (("G1", "", "M2A", ""), (2, 3, 1, 3)),
        (("G1", "G1", "", ""), (1, 1, 3, 3)),
        (("G1", "G1", "G1", ""), (1, 1, 1, 4)),
        (("", "G2", "G1 G1", "G3"), (4, 2, 2, 1)),
    ],
)
def test_shared_places_share_the_number_and_the_next_is_counted_on(hands, places):
    assert table(*hands).places() == places


def test_the_final_places_rank_all_players_by_the_same_chain():
    """Two ties at once: seats 0 and 1 for the first place, seats 2 and 3 for the third."""
    state = table("M2A G1", "P2A G2", "M2B G3", "M2C G3")
    assert state.scores() == (3, 3, 0, 0)
    assert state.places() == (2, 1, 3, 4)


def test_shared_winners_are_all_named():
    assert GAME.result(table("G1", "G1", ""))["winners"] == [0, 1]


def test_the_result_tells_points_gold_places_dice_and_totals():
    state = table("M2A M3E G2 G3", "P4I H1A H2H G1", dice=(2, 4, 6, 1, 3))
    assert GAME.result(state) == {
        "points": [2, 10],
        "gold": [5, 1],
        "places": [2, 1],
        "winners": [1],
        "dice": [2, 4, 6, 1, 3],
        "category_winners": [0, 1, 1, None, None],
        "totals": [[5, 0, 0, 0, 0], [0, 4, 3, 0, 0]],
    }


@pytest.mark.parametrize(
    ("hands", "final_tie", "step"),
    [
        (("M2A", "G1"), RULEBOOK, "points"),
        (("M2A G1", "P2A"), RULEBOOK, "gold"),
        (("M2A", "P2A"), RULEBOOK, "total M"),
        (("M2A P2B", "M2B P2A"), RULEBOOK, "letter M"),
        (("H1A", "P2A"), TOTALS, "total P"),
        (("F1A", "S1A"), FIRST_WON, "won S"),
        (("M2A", "S1A"), MONKS, "won M"),
        (("F1A", "S1A"), MONKS, "shared"),
        (("", ""), RULEBOOK, "shared"),
    ],
)
def test_the_step_that_decided_is_named(hands, final_tie, step):
    decisions = table(*hands, final_tie=final_tie).standing().decisions
    assert [(decision.step, decision.seats) for decision in decisions] == [(step, (0, 1))]


def test_scores_and_places_are_told_as_if_the_game_ended_now():
    state = Sitting.at_auction("M2A", "P2A G1").state
    assert not state.over
    assert (state.scores(), state.places()) == ((3, 3), (2, 1))
