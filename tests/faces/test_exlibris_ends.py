"""How the end of a game of Ex Libris is told: who has won and why, with others and alone."""

from dataclasses import replace

import pytest

from games.engine.exlibris import frames
from games.engine.exlibris.game import ExLibris
from games.faces.exlibris.result import WENT, ending_of, headline, order_line
from tests.faces.scenes import Tale, page_of, words

pytestmark = pytest.mark.usefixtures("static_files")
GAME = ExLibris()


def stopped(seats, left, ended, places, ply=0, me=None):
    """The scene of a game that was stopped: why players left, by seat; how it ended; the places."""
    tale = Tale(f"stopped {seats}", seats, GAME)
    scene = tale.scene(ply, me)
    sitters = [replace(it, left=left.get(it.index, "")) for it in scene.sitters]
    winners = [seat for seat, place in enumerate(places) if place == 1]
    result = GAME.result(tale.states[ply]) | {"ended": ended, "places": places, "winners": winners}
    view = scene.view.with_(question=0, seat=None, legal=())
    return replace(scene, sitters=sitters, status="finished", playing=False, result=result, view=view)


@pytest.mark.parametrize("why", WENT)
@pytest.mark.parametrize(
    ("me", "says"),
    [
        (
            0,
            {
                "time": "Your time ran out. Bob wins.",
                "resign": "You resigned. Bob wins.",
                "leave": "You left. Bob wins.",
            },
        ),
        (
            1,
            {
                "time": "Ann’s time ran out. You win.",
                "resign": "Ann resigned. You win.",
                "leave": "Ann left. You win.",
            },
        ),
        (
            None,
            {
                "time": "Ann’s time ran out. Bob wins.",
                "resign": "Ann resigned. Bob wins.",
                "leave": "Ann left. Bob wins.",
            },
        ),
    ],
)
def test_a_game_of_two_that_one_has_left_says_so_to_each_and_shows_no_zeros(why, me, says):
    scene = stopped(2, {0: why}, why, [2, 1], me=me)
    assert headline(ending_of(scene)) == says[why]
    said = words(page_of(scene)["stage"])
    assert says[why] in said and "Stability" not in said and "0 rounds" not in said


@pytest.mark.parametrize(
    ("seats", "left", "ended", "places", "me", "says"),
    [
        (3, {0: "resign"}, "agreement", [3, 1, 1], None, "All agreed to end the game. Bob, Dan share first place."),
        (3, {0: "resign", 2: "leave"}, "abandoned", [3, 1, 2], None, "Everyone else has left. Bob wins."),
        (3, {0: "resign", 2: "leave"}, "abandoned", [3, 1, 2], 1, "Everyone else has left. You win."),
        (3, dict.fromkeys(range(3), "leave"), "abandoned", [3, 1, 2], 1, "Everyone has left, Bob last, who wins."),
        (1, {0: "resign"}, "resignation", [2], 0, "You gave up. The public library wins."),
        (1, {0: "resign"}, "resignation", [2], None, "Ann gave up. The public library wins."),
    ],
)
def test_an_early_end_of_other_games_says_why_too(seats, left, ended, places, me, says):
    assert headline(ending_of(stopped(seats, left, ended, places, me=me))) == says


def test_points_of_a_game_that_ended_early_are_shown_as_deciding_nothing():
    tale = Tale("stopped 2", 2, GAME)
    ply = next(ply for ply, state in enumerate(tale.states) if any(state.shelves))
    scene = stopped(2, {0: "time"}, "time", [2, 1], ply)
    said = words(page_of(scene)["stage"])
    assert "The game ended early, so the points decide nothing. This is how it stood." in said
    assert "Stability" in said and order_line(ending_of(scene)) == ""


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_the_score_sheet_says_what_the_prominent_books_bring_at_this_table(seats):
    tale = Tale("sheet", seats, GAME)
    said = words(page_of(tale.scene(len(tale.states) - 1, 0))["stage"])
    assert {1: "than the public library: 15", 2: ": 15, then 9", 3: ": 15, then 9 and 4"}[seats] in said
    assert ("and 4" in said) == (seats == 3)


def test_what_a_rated_game_did_to_the_ratings_stands_beside_all_names_the_own_too():
    tale = Tale("rated", 2, GAME)
    scene = tale.scene(len(tale.states) - 1, 0, rated=True, ratings=[(1500, 1512), (1500, 1488)])
    said = words(page_of(scene)["stage"])
    assert "1500 → 1512 +12" in said and "1500 → 1488 −12" in said


def test_alone_nothing_speaks_of_others():
    tale = Tale("alone", 1, GAME)
    asked = next(scene for scene in tale.asked(frames.TURN))
    said = words(page_of(asked)["stage"])
    assert "Your library is read when you press the button." in said and "others" not in said
    whole = words(" ".join(page_of(asked)[id] for id in ("facts", "low", "people", "info")))
    assert "Not the public library’s focus" in whole
    assert not any(word in whole for word in ("others", "Nobody’s"))


def test_that_a_focus_is_secret_is_said_only_while_it_is():
    tale = Tale("secret", 2, GAME)
    last = len(tale.states) - 1
    assert "Without their secret focus." in words(page_of(tale.scene(last - 1, 0))["people"])
    assert "secret focus" not in words(page_of(tale.scene(last, 0))["people"])


def test_a_shelf_that_has_outgrown_the_limit_is_told_by_its_cells_alone():
    rules = GAME.preset("rulebook")
    limit, tales = 16, [Tale(f"cells {seed}", 2, GAME, **rules) for seed in range(6)]
    tale, ply, seat = next(
        (tale, ply, seat)
        for tale in tales
        for ply, state in enumerate(tale.states)
        for seat in (0, 1)
        if len(state.shelves[seat]) > limit
    )
    said = words(page_of(tale.scene(ply, 1 - seat))["people"])
    assert f"{limit + 1} cells" in said and f"of {limit} cells" not in said
