"""Set-up, rounds, the end, and the solo game."""

import pytest

from games.engine.core import BadOption
from games.engine.exlibris.cards import books_in, cards_of, mask_of
from games.engine.exlibris.frames import TURN
from tests.engine.exlibris.sitting import GAME, Sitting


def test_libraries_are_chosen_in_reverse_turn_order_before_anything_else_is_seen():
    sitting = Sitting(3, "MUM", "WIT", "WIZ", first=1, keep=False)
    assert sitting.asked == 0 and len(sitting.answers()) == 2
    for me in (None, 0, 1, 2):
        view = sitting.state.view(me)
        assert (view.prominent, view.banned, set(view.focus)) == (None, None, {None})
        assert view.hands == ((), (), ()) and view.deck == 152
    sitting.play("0 keep MUM")
    assert sitting.state.view(1).libraries == (2, -1, -1)
    sitting.play("2 keep WIZ", "1 keep WIT")
    assert (sitting.asked, sitting.state.round, sitting.state.view(2).counts) == (1, 1, (6, 6, 6))
    assert sitting.state.view(2).prominent == 0 and sitting.state.view(2).focus == (None, None, 4)


def test_the_beginners_game_has_three_standard_assistants_and_no_libraries():
    sitting = Sitting(2, libraries="basic")
    assert (sitting.state.ready, sitting.state.round) == ((3, 3), 1)
    assert not [answer for answer in sitting.answers() if answer.startswith("special")]
    assert set(sitting.state.setup.tiles).isdisjoint({3, 4, 6, 10, 12, 13})


def test_the_peaceful_game_has_no_conflict():
    of = Sitting(4, conflict=False).state.setup
    assert set(of.tiles).isdisjoint({3, 4, 10, 11}) and len(of.libraries) == 8


def test_one_tile_fewer_comes_in_round_1_and_the_lowest_that_came_stays():
    sitting = Sitting(3, tiles=[9, 5, 14, 7, 8])
    assert sitting.state.tiles == (1, 5, 9)
    sitting.first_answers(lambda sitting: sitting.state.round == 2)
    assert (sitting.state.tiles, sitting.state.tiles_gone) == ((1, 7, 8, 14), (5, 9))
    sitting.first_answers(lambda sitting: sitting.state.round == 3)
    assert {1, 7} < set(sitting.state.tiles) and sitting.state.tiles_gone == (5, 9, 8, 14)


def test_discarded_tiles_come_again_when_the_stack_is_empty():
    sitting = Sitting(2).first_answers(lambda sitting: sitting.state.round == 15)
    assert [entry["chance"] for entry in sitting.state.chance_since(0)].count("tiles") >= 1
    assert len(sitting.state.tiles) == 16


def test_round_15_is_the_last():
    sitting = Sitting(2).to_the_turning()
    assert (sitting.state.round, sitting.state.last, sitting.state.over) == (15, True, True)


@pytest.mark.parametrize(
    ("seats", "length", "cells"),
    [(2, "normal", 16), (3, "normal", 14), (4, "normal", 12), (2, "long", 19), (3, "long", 17), (4, "long", 15)],
)
def test_a_full_shelf_makes_the_next_round_the_last(seats, length, cells):
    labels = [f"A{n}" for n in range(1, 8)] + [f"B{n}" for n in range(1, 12)] + ["C1"]
    for filled, last in ((cells - 1, False), (cells, True)):
        sitting = Sitting(seats, length=length).set_shelf(0, {(0, 0): " ".join(labels[:filled])})
        sitting.first_answers(lambda sitting: sitting.state.round == 2)
        assert sitting.state.last is last
    sitting.to_the_turning()
    assert (sitting.state.round, sitting.state.question) == (2, TURN)


def test_the_first_player_of_a_round_has_the_marker():
    sitting = Sitting(3, tiles=[18, 15]).play("0 send home", "0 pass", "1 send 1", "2 send home", "2 pass")
    sitting.first_answers(lambda sitting: sitting.state.round == 2)
    assert sitting.asked == 1


def test_what_is_turned_down_is_seen_when_all_have_answered():
    sitting = Sitting(2).set_shelf(0, {(0, 0): "A1 A2"}).set_shelf(1, {(0, 0): "B1 B2"})
    sitting.state.last = True
    sitting.to_the_turning()
    assert (sitting.asked, sitting.forced(), sitting.state.same_answer) == (0, None, False)
    assert sitting.state.shown(GAME.move("down")) == "turn"
    sitting.play("0 down")
    assert sitting.state.same_answer
    assert [sitting.state.view(me).turned[0] for me in (0, 1, None)] == [1, 0, 0]
    sitting.play("0 up")
    assert (sitting.asked, sitting.state.same_answer) == (1, False)
    sitting.play("1 up", "1 down")
    assert [pile.up for shelf in sitting.state.view(1).shelves for pile in shelf] == [False, True, True, False]
    assert sitting.state.view(None).turned == (1, 1 << 8)


def test_a_new_deck_is_forgotten_by_place_not_by_name():
    sitting = Sitting(2, tiles=[18]).set_discard("A1 A2 A3").set_deck("W1", rest=False)
    sitting.play("0 send home", "0 draw", "1 send home", "1 draw")
    state = sitting.state
    assert [entry["chance"] for entry in state.chance_since(0)] == ["deck"]
    view = state.view(0)
    assert (view.deck, view.discard, cards_of(view.fresh)) == (2, (), [0, 1, 2])
    assert view.stale[1] == view.counts[1] - 1 and view.stale[0] == view.counts[0]
    (drawn,) = [card for card in cards_of(state.hands[1]) if card < 3]
    assert not state.knows[0] >> drawn & 1 and not state.knows[-1] >> drawn & 1


# Solo


def test_the_solo_game():
    sitting = Sitting(1, difficulty=3, tiles=[1, 2, 5, 9, 12, 13, 14, 15, 17, 18])
    state = sitting.state
    assert (state.ready, state.tiles, len(state.discard)) == ((3,), (1, 2, 5, 9, 12, 13), 3)
    sitting.play("0 send 9")
    assert "send 9" not in sitting.answers()
    sitting.first_answers(lambda sitting: sitting.answers()[0].startswith("drop"))
    assert sitting.answers() == [f"drop {tile}" for tile in (1, 2, 5, 9, 12, 13)]
    sitting.play("0 drop 2")
    assert sitting.state.same_answer
    sitting.play("0 drop 13")
    assert (sitting.state.round, sitting.state.tiles) == (2, (1, 5, 9, 12, 14))
    assert sitting.state.view(0).spare == (4,) and sitting.state.view(0).focus == (2, None)
    counts = []
    while not sitting.state.last:
        counts.append(len(sitting.state.tiles))
        sitting.first_answers(lambda sitting, round_=sitting.state.round: sitting.state.round > round_)
    assert (counts, sitting.state.round, sitting.state.view(0).spare) == ([5, 4, 3], 5, (4, 5))
    sitting.to_the_turning()
    assert sitting.state.over and sitting.state.hands == (0,)
    result = GAME.result(sitting.state)
    assert result["public"]["books"] == list(books_in(mask_of(sitting.state.discard)))
    assert (result["rounds"], result["hand"]) == (5, [0])


def test_in_the_solo_game_the_deck_is_never_shuffled_again():
    sitting = Sitting(1).set_discard("A1 A2").set_deck("", rest=False)
    assert not sitting.state.card_can_come
    sitting.play("0 send home")
    assert "draw" not in sitting.answers()


def test_in_the_solo_game_libraries_conflict_and_length_have_no_effect():
    of = Sitting(1, libraries="basic", conflict=False, length="long").state.setup
    plain = Sitting(1).state.setup
    assert (of.tiles, of.libraries, of.assistants, of.special) == (
        plain.tiles,
        plain.libraries,
        plain.assistants,
        plain.special,
    )


@pytest.mark.parametrize("seats", [0, 5, True, "2", None])
def test_other_numbers_of_players_are_refused(seats):
    with pytest.raises(BadOption, match="expected 1 to 4"):
        GAME.start(seats, bytes(32))


def test_what_is_soon_seen_is_soon_gone_on_with():
    assert GAME.bot_delay(["turn"], 2) < GAME.bot_delay(["draw"], 2) < GAME.bot_delay(["send 5", "take A1"], 2) == 1
    assert GAME.bot_delay(["at 0,0", "send 5"], 2) > 1 == GAME.bot_delay([], 2)
