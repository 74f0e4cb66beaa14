"""What each special assistant does, as its text says; in the order of the page."""

import pytest

from games.engine.exlibris.cards import CARD, cards_of
from tests.engine.exlibris.sitting import Sitting
from tests.engine.exlibris.test_tiles import words

HAND = "T1 T2 T3"


def seated(*libraries, tile=18, **more):
    """A sitting with these libraries, a tile in play, and a hand of seat 0."""
    return Sitting(len(libraries), *libraries, tiles=[tile], deck="W1 W2 W3 W4 W5 V1 V2 V3", **more).set_hand(0, HAND)


def test_a_goblins_victim_without_the_category_shows_him_the_hand_and_all_learn_that_there_is_none():
    sitting = seated("GOB", "WIZ", "GOL", tile=7, first=1).set_hand(1, "B4 A5")
    sitting.play("1 send 7", "2 send home", "2 pass")
    sitting.play("0 special 7", "0 cat M")
    assert (sitting.answers(), sitting.forced()) == (["none"], None)
    sitting.play("1 none")
    state = sitting.state
    assert [state.view(me).hands[1] for me in (0, 2)] == [(CARD["A5"], CARD["B4"]), ()]
    assert [state.view(me).lacks[1][3] for me in (0, 2)] == [2, 2]


def test_a_goblin_may_pass_and_asks_only_opponents_there_with_a_card():
    sitting = seated("GOB", "WIZ", "GOL", tile=7, first=1).set_hand(1, "").play("1 send 7", "2 send 7", "0 special 7")
    sitting.play("0 pass")
    assert sitting.asked == 1 and "home" in sitting.answers()[0]


def test_the_automaton_does_a_home_action_for_each_other_assistant_there():
    sitting = seated("AUT", "WIZ", tile=7).play(
        "0 send 7", "1 send home", "1 pass", "0 send 7", "1 send home", "1 pass"
    )
    sitting.play("0 special 7", "0 draw", "0 draw")
    assert sitting.asked == 1
    home = seated("AUT", "WIZ").play("0 send home", "0 pass", "1 send home", "1 pass", "0 special home")
    home.play("0 pass", "0 draw")
    assert home.asked == 1


def test_the_mummy_entombs_only_herself():
    sitting = seated("MUM", "WIZ").set_shelf(0, {(0, 0): "A1"}).play("0 send home", "0 shelve T1")
    assert words(sitting) == {"at"}
    mummy = seated("MUM", "WIZ").set_shelf(0, {(0, 0): "A1 A2/A3"}).play("0 special home", "0 shelve T1")
    assert [answer for answer in mummy.answers() if not answer.startswith("at")] == ["over 0,0", "under 0,0"]
    face_down = seated("MUM", "WIZ").set_shelf(0, {(0, 0): "A1"})
    state = face_down.state
    state.shelves = ((state.shelves[0][0]._replace(up=False),), state.shelves[1])
    face_down.play("0 special home", "0 shelve T1")
    assert [answer for answer in face_down.answers() if not answer.startswith("at")] == ["over 0,0"]


def test_the_cube_takes_a_random_card_openly():
    sitting = seated("CUB", "WIZ", first=0).set_hand(1, "A1 A2").play("0 special 18", "0 pass", "1 send 18", "1 lose")
    (entry,) = sitting.state.chance_since(0)
    assert (entry["chance"], entry["from"], entry["to"]) == ("steal", 1, 0)
    assert sitting.state.view(None).hands[0] == (CARD[entry["card"]],)
    assert len(cards_of(sitting.state.hands[1])) == 1


def test_without_a_hand_card_the_cube_can_only_be_allowed():
    sitting = seated("CUB", "WIZ", first=0).set_hand(1, "").play("0 special 18", "0 pass", "1 send 18")
    assert (sitting.answers(), sitting.forced()) == (["allow"], "allow")


def test_the_sasquatch_visits_only_where_no_opponent_is_and_may_stay():
    sitting = seated("SAS", "WIZ", tile=7, first=1).play("1 send 7")
    assert "special 7" not in sitting.answers() and "send 7" in sitting.answers() and "special 1" in sitting.answers()
    stays = seated("SAS", "WIZ", tile=7).play("0 special 7", "1 send 7")
    assert stays.answers() == ["pass", "back"]
    stays.play("0 pass")
    assert stays.state.guests[7] == (1, 2) and "special home" not in stays.answers()


def test_the_sasquatch_is_placed_again_though_nothing_was_left():
    sitting = seated("SAS", "WIZ", tile=7).play("0 send home", "0 pass", "1 send home", "1 pass")
    sitting.play("0 send home", "0 pass", "1 send home", "1 pass", "0 special 7", "1 special 7", "0 back")
    assert (sitting.asked, words(sitting)) == (0, {"special"})


def test_the_bookworm_does_both_and_once_more_for_a_card():
    sitting = seated("WRM", "WIZ").play("0 special home", "0 draw", "0 shelve T1", "0 at 0,0")
    assert words(sitting) == {"pass", "discard"}
    sitting.play("0 discard T2", "0 shelve T3", "0 at 0,1")
    assert sitting.asked == 1
    plain = seated("WRM", "WIZ").play("0 send home", "0 draw")
    assert plain.asked == 1


def test_the_snowman_keeps_his_own_out_too_but_not_of_a_delayed_tile():
    sitting = seated("SNO", "WIZ").play("0 special 18", "0 pass", "1 send home", "1 pass")
    assert "send 18" not in sitting.answers()
    assert "send 7" in seated("SNO", "WIZ", tile=7).play("0 special 7").answers()


def test_the_fire_imp_burns_cards_by_place_where_they_lie_face_down():
    sitting = seated("IMP", "WIZ", tile=17).play("0 special 17")
    assert sitting.answers() == ["pass", "discard #1", "discard #2", "discard #3"]
    sitting.play("0 discard #2", "0 discard #1")
    assert sitting.discarded() == "W2 W1" and len(cards_of(sitting.state.hands[0])) == 4
    assert sitting.answers() == ["shelve W3", "discard W3"]
    up = seated("IMP", "WIZ", tile=2).play("0 special 2")
    assert up.answers() == ["pass", "discard W1", "discard W2", "discard W3"]
    up.play("0 pass")
    assert len(cards_of(up.state.hands[0])) == 3 and "take W1" in up.answers()


def test_the_ghost_needs_an_opponent_where_there_is_no_space_and_never_visits_the_hut():
    sitting = seated("GHO", "WIZ", tile=9).play("0 send 9", "1 send home", "1 pass")
    assert "special 9" not in sitting.answers() and "special 1" not in sitting.answers()
    other = seated("GHO", "WIZ", tile=9, first=1).play("1 send 9")
    assert "special 9" in other.answers() and "send 9" not in other.answers()


def test_the_ghost_bids_higher_like_anybody():
    sitting = seated("GHO", "WIZ", tile=3, first=1).play("1 send 3:3")
    assert [answer for answer in sitting.answers() if "special 3" in answer] == ["special 3:4"]
    full = seated("GHO", "WIZ", tile=3, first=1).play("1 send 3:4")
    assert not [answer for answer in full.answers() if "3:" in answer]


def test_the_golem_digs_in_the_three_newest():
    sitting = seated("GOL", "WIZ").set_discard("A1 A2 A3 A4").play("0 special 18", "0 pass")
    assert sitting.answers() == ["pass", "take A2", "take A3", "take A4"]
    sitting.play("0 take A3")
    assert sitting.answers() == ["discard A3", "discard T1", "discard T2", "discard T3"]
    sitting.play("0 discard T1")
    assert sitting.discarded() == "A1 A2 A4 T1"


def test_the_wizard_moves_a_card_after_any_visit():
    sitting = seated("WIZ", "GOL", tile=7).set_shelf(0, {(0, 0): "A1 A2"}).play("0 special 7", "0 move A2", "0 at 1,0")
    assert sitting.asked == 1
    assert seated("WIZ", "GOL", tile=7).play("0 special 7").asked == 1


@pytest.mark.parametrize(("deck", "asked", "hand"), [("W1 W2", 0, 5), ("W1", 0, 4), ("", 1, 3)])
def test_the_witch_draws_one_more_and_discards_if_any_came(deck, asked, hand):
    sitting = seated("WIT", "WIZ", tile=15).set_deck(deck, rest=False)
    if deck:
        sitting.play("0 special home", "0 draw")
        assert len(cards_of(sitting.state.hands[0])) == hand and words(sitting) == {"discard"}
    else:
        sitting.play("0 special home", "0 pass")
    assert sitting.asked == asked
