"""The end of a game of Biblios: who won which die and why, and the result in words."""

from dataclasses import replace

import pytest

from games.faces.biblios.ending import box
from games.faces.biblios.result import Ending, headline, notes, outcome, reason, standing_after, verdicts
from tests.engine.biblios.sitting import GAME, Sitting
from tests.faces.scenes import Tale, scene_at, words

pytestmark = pytest.mark.usefixtures("static_files")


@pytest.fixture(scope="module")
def tale():
    return Tale("verdicts", seats=4)


def at_end(tale, me, **more):
    return Ending.of(tale.scene(len(tale.moves), me, **more))


def test_the_dice_are_judged_as_the_result_has_them(tale):
    end = at_end(tale, 0)
    result = GAME.result(tale.states[-1])
    found = verdicts(end)
    assert "".join(verdict.letter for verdict in found) == "MPHSF"
    assert [verdict.winner for verdict in found] == result["category_winners"]
    assert [verdict.die for verdict in found] == result["dice"]
    for at, verdict in enumerate(found):
        assert {seat: total for seat, total, _best in verdict.rows} == {
            seat: totals[at] for seat, totals in enumerate(result["totals"])
        }
        assert verdict.winner is None or verdict.rows[0][0] == verdict.winner
        assert sum(int(code[1]) for code in verdict.cards) == verdict.rows[0][1]
    assert [points[-1] for points in standing_after(end)] == result["points"]


def test_level_totals_are_decided_by_the_letter_nearest_to_a():
    sitting = Sitting.at_auction("M2C G1", "M2A G3", pile="C+", dice=(3, 3, 3, 3, 3)).play("1 pass", "0 pass")
    monks = verdicts(Ending.of(scene_at(sitting, 0)))[0]
    assert (monks.winner, monks.tied, monks.cards) == (1, (1, 0), ("M2A",))
    assert reason(monks) == "Level at 2: A comes before C"


@pytest.mark.parametrize(
    ("places", "me", "said"),
    [
        ([1, 2, 3, 4], 0, "You won with 5 points"),
        ([2, 1, 3, 4], 0, "You came second with 5 points"),
        ([1, 1, 3, 4], 0, "You share the win with 5 points"),
        ([4, 1, 2, 3], 0, "You came fourth with 5 points"),
        ([1, 2, 3, 4], None, "Ann won with 5 points"),
        ([1, 1, 3, 4], None, "Ann, Bob share the win with 5 points"),
    ],
)
def test_the_headline_is_ones_own_result_or_the_winners(tale, places, me, said):
    result = GAME.result(tale.states[-1]) | {"places": places, "points": [5, 5, 1, 0]}
    assert headline(at_end(tale, me, result=result)) == said


def test_of_two_nobody_is_second():
    scene = scene_at(
        Sitting.at_auction("M2C G1", "M2A G3", pile="C+", dice=(3, 3, 3, 3, 3)).play("1 pass", "0 pass"), 0
    )
    end = Ending.of(scene)._replace(places=(2, 1), points=(2, 11))
    drawn = box.paint("ending.jinja", end=end)
    assert headline(end) == "Bob won, 11 to 2" and outcome(end) == "Bob won, 11 to 2."
    assert "#closed-book" in drawn and "#wreath" not in drawn and "2nd" not in drawn
    assert words(drawn).count("Bob won") == 1
    assert "#wreath" in box.paint("ending.jinja", end=end._replace(me=1))
    sitting = Sitting.at_auction("M2C G1", "P2A G3", pile="C+", dice=(3, 3, 3, 3, 3)).play("1 pass", "0 pass")
    level = Ending.of(scene_at(sitting, 0))
    assert headline(level) == "Bob won by gold, 3 to 3"


def test_a_rating_that_stays_because_the_game_was_too_short_says_so_beside_it():
    sitting = Sitting(2)
    scene = scene_at(sitting, 0)
    result = {"places": [1, 2], "points": [0, 0], "category_winners": [None] * 5, "ended": "time"}
    sitters = [replace(sitter, left="time" if sitter.index else "") for sitter in scene.sitters]
    ratings = ((1500, 1500), (1500, 1470))
    end = Ending.of(replace(scene, status="finished", result=result, sitters=sitters, playing=False, ratings=ratings))
    assert "±0 Too short to count for you: your rating stays." in words(box.paint("ending.jinja", end=end))
    assert notes(end._replace(me=1))[-1] == "Too short to count for those who stayed: their rating stays."


def test_screen_readers_get_the_whole_result_in_one_sentence(tale):
    result = GAME.result(tale.states[-1]) | {"places": [2, 1, 3, 4], "points": [5, 6, 1, 0]}
    end = at_end(tale, 0, result=result)
    assert outcome(end) == "You came second with 5 points. 1st Bob, 6; 2nd you, 5; 3rd Dan, 1; 4th Eve, 0."


def test_a_game_that_ends_early_says_how_and_is_not_judged_die_by_die():
    sitting = Sitting(2)
    scene = scene_at(sitting, 0)
    result = {"places": [1, 2], "points": [3, 0], "category_winners": [0] * 5, "ended": "resignation"}
    sitters = [replace(sitter, left="resign" if sitter.index else "") for sitter in scene.sitters]
    end = Ending.of(replace(scene, status="finished", result=result, sitters=sitters, playing=False))
    assert headline(end) == "You won"
    assert headline(end._replace(me=1)) == "You resigned"
    assert headline(end._replace(me=None)) == "Ann won"
    assert outcome(end) == "Bob resigned. You won."
    assert notes(end) == ["The game ended before its last card, so no one won a die. This is how they stood."]
    end_level = end._replace(places=(1, 1), early="agreement")
    assert headline(end_level) == "You share the win" and "share first place" in notes(end_level)[1]
    drawn = box.paint("ending.jinja", end=end)
    assert "Bob resigned." in words(drawn)
    assert "data-judge" not in drawn and "point" not in words(drawn)


def test_whoever_left_sees_that_first_of_all(tale):
    scene = tale.scene(len(tale.moves), 2)
    sitters = [replace(sitter, left="time" if sitter.index == 2 else "") for sitter in scene.sitters]
    result = scene.result | {"places": [1, 2, 4, 3]}
    end = Ending.of(replace(scene, sitters=sitters, result=result))
    assert headline(end) == "Your time ran out"
    assert any("Players who left come after" in note for note in notes(end))


def test_the_picture_is_offered_where_anybody_may_see_the_match(tale):
    assert "result.png" in box.paint("ending.jinja", end=at_end(tale, 0, shared=True))
    assert "result.png" not in box.paint("ending.jinja", end=at_end(tale, 0))
