"""What judges decisions of Ex Libris: answers worth comparing, shares, and reasons that hold."""

from random import Random

import pytest

from games.engine.core import Reason
from games.engine.exlibris.cards import CATEGORIES
from games.engine.exlibris.expert import ExLibrisExpert
from games.engine.exlibris.frames import PLACE
from games.engine.exlibris.outcome import Brought
from games.engine.exlibris.reasons import POINTS, reason_of
from games.engine.exlibris.worth import OWN
from tests.engine.exlibris.sitting import GAME, Sitting
from tests.engine.exlibris.test_planner import positions

ZERO = dict.fromkeys(OWN, 0.0)
NOTHING = Brought(ZERO, {}, (30.0, 30.0), ZERO, ())
"""What an answer brings that brings nothing."""
MORE = {
    "stability": {"stability": 4},
    "close": {"pairs": 2},
    "order": {"stray": -1},
    "room": {"room": 1},
    "open": {"open": 0.2},
    "variety": {"variety": 3},
    "scarce": {"even": 0.5},
    "banned": {"banned": 1},
    "prominent": {"prominent": 6},
    "lead": {"wide lead": 0.1},
    "focus": {"focus": 2},
    "books": {"books": 3},
    "cells": {"cells": 1},
    "tombs": {"tombs": 1},
    "hand": {"hand": 1},
    "fits": {"fit 1": 2, "fit 2": 1},
    "hand focus": {"hand focus": 1},
    "special": {"special": 1},
    "time": {"visits": 0.2},
}
"""By code what the better answer brings more of."""


def sitting():
    """Seat 0 is to send an assistant; prominent C, banned F, its focus H."""
    return Sitting(2, "WIZ", "WIT", tiles=(3, 18), libraries="special").set_hand(0, "A2 F4 Z1")


def reason(better, made, one=NOTHING, two=NOTHING, view=None):
    view = view or sitting().state.view(0)
    return reason_of(view, GAME.move(better), GAME.move(made), (one, two))


def better_by(more, worth=3.0):
    return NOTHING._replace(own=ZERO | more, parts=ZERO | dict.fromkeys(more, worth))


def test_every_point_has_a_difference_that_makes_it():
    assert set(MORE) == {point.code for point in POINTS}


@pytest.mark.parametrize("code", MORE)
def test_a_reason_is_given_where_it_holds_and_not_where_the_other_answer_brings_as_much(code):
    better = better_by(MORE[code])
    assert reason("send home", "send 18", better).code == code
    assert reason("send home", "send 18", better, better).code == "all"
    assert reason("send home", "send 18", NOTHING, better).code == "all"


def test_of_several_it_is_that_which_promises_most():
    one = NOTHING._replace(own=ZERO | {"cells": 1, "hand": 2}, parts=ZERO | {"cells": 1.0, "hand": 2.0})
    assert reason("send home", "send 18", one) == Reason("hand")


def test_a_category_and_points_are_facts():
    assert reason("send home", "send 18", better_by({"focus": 2})) == Reason("focus", (CATEGORIES.index("H"),))
    assert reason("send home", "send 18", better_by({"banned": 1})) == Reason("banned", (CATEGORIES.index("F"),))
    assert reason("send home", "send 18", better_by({"wide lead": 1})) == Reason("lead", (CATEGORIES.index("C"),))
    assert reason("send home", "send 18", better_by({"stability": 4})) == Reason("stability", (4,))


def test_rivals_are_named_where_they_lose_more_than_the_seat_wins():
    assert reason("send home", "send 18", NOTHING._replace(points=(30.0, 28.0))).code == "rivals"
    assert reason("send home", "send 18", better_by({"hand": 2})._replace(points=(30.0, 28.0))).code == "hand"


def test_alone_it_is_the_public_library_that_loses():
    view = Sitting(1, "WIT").state.view(0)
    assert reason("send home", "send 18", NOTHING._replace(points=(30.0, 28.0)), view=view).code == "public"


def test_the_same_place_with_another_assistant_or_bid():
    assert reason("send 3:1", "send 3:3") == Reason("bid", (1,))
    assert reason("special 18", "send 18") == Reason("send special", (18,))
    assert reason("send 18", "special 18") == Reason("spare special", (18,))


def test_of_two_cards_the_books_decide_which_to_keep_and_which_to_take():
    """A2 has a book of the focus, L1 one of the banned category."""
    assert reason("discard L1", "discard A2") == Reason("keep", ("L1", "A2"))
    assert reason("take A2", "take L1") == Reason("take", ("A2", "L1"))
    assert reason("discard A2", "discard L1").code == reason("take L1", "take A2").code == "all"


def test_at_the_end_it_is_the_line_of_the_score():
    lines = NOTHING._replace(own={}, parts={}, lines=(6.0, 15.0, -3.0, 3.0, 8.0))
    for index, code in enumerate(("stability", "prominent", "banned", "variety", "focus")):
        better = list(lines.lines)
        better[index] += 2
        found = reason("up", "down", lines._replace(lines=tuple(better)), lines)
        assert found == Reason(f"end {code}", (2,))


@pytest.mark.parametrize("seats", GAME.seats)
def test_what_cannot_be_told_apart_is_judged_alike(seats):
    expert = ExLibrisExpert(seats)
    rng = Random(seats)
    for state in positions(8, seats, 60):
        view = state.view(state.seat)
        twin = GAME.sample(view, rng).view(state.seat)
        candidates = expert.candidates(view)
        assert 1 <= len(candidates) <= 6
        assert set(candidates) <= set(view.legal)
        assert len(set(candidates)) == len(candidates)
        assert expert.candidates(twin) == candidates
        assert expert.shares(twin) == expert.shares(view)
        better, made = candidates[0], view.legal[-1]
        assert expert.reason(twin, better, made) == expert.reason(view, better, made)


def test_where_to_send_is_judged_by_itself_in_the_last_round_only():
    expert = ExLibrisExpert(2)
    numbers = {False: set(), True: set()}
    for state in positions(4, 2, 3):
        if state.question == PLACE:
            numbers[state.last].add(len(expert.candidates(state.view(state.seat))))
    assert numbers[False] == {1}
    assert max(numbers[True]) > 1


def test_the_version_names_the_weights_of_a_number_of_players():
    versions = {ExLibrisExpert(seats).version for seats in GAME.seats}
    assert len(versions) == len(GAME.seats)
    assert all(len(version) <= 40 for version in versions)


def test_only_where_the_values_were_compared_with_games_do_they_judge():
    assert [seats for seats in GAME.seats if GAME.expert(seats, GAME.options())] == [1, 2]
