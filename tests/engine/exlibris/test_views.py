"""What everybody knows, what one player knows, and what nobody knows until the end."""

from random import Random

import pytest

from games.engine.exlibris.cards import CARD, CATEGORIES, HIDDEN, OF_CATEGORY, STALE, cards_of
from games.engine.exlibris.frames import TURN
from tests.engine.exlibris.sitting import GAME, Sitting, whole
from tests.engine.promises import random_game


def test_everybody_knows_which_cards_went_openly_into_a_hand_and_only_its_player_those_drawn():
    sitting = Sitting(3, "WIZ", "GOL", "AUT", tiles=[5]).set_discard("A1 A2").play("0 send 5", "0 take A2", "0 pass")
    for me in (None, 1, 2):
        view = sitting.state.view(me)
        assert (view.hands[0], view.open[0], view.counts[0]) == ((CARD["A2"],), (CARD["A2"],), 7)
    own = sitting.state.view(0)
    assert len(own.hand) == 7 and own.open[0] == (CARD["A2"],)


def test_a_card_that_leaves_a_hand_is_known_no_longer_to_be_there():
    sitting = Sitting(2, "WIZ", "GOL", tiles=[5]).set_discard("A1 A2")
    sitting.play("0 send 5", "0 take A2", "0 shelve A2", "0 at 0,0")
    assert sitting.state.view(1).hands[0] == ()
    assert sitting.state.view(1).shelves[0][0].card == CARD["A2"]


def test_a_card_named_to_be_shelved_is_known_to_be_in_the_hand_until_it_lies():
    sitting = Sitting(2, "WIZ", "GOL", tiles=[18]).set_hand(0, "A2 T1").set_shelf(0, {(0, 0): "C5"})
    sitting.play("0 send 18", "0 shelve T1")
    rng = Random(1)
    for me in (None, 1):
        view = sitting.state.view(me)
        assert view.open[0] == (CARD["T1"],)
        sample = GAME.sample(view, rng)
        assert whole(sample.after(sample.legal()[0]))
    assert sitting.play("0 at 0,1").state.view(1).open[0] == ()


def test_own_focus_and_libraries_dealt_are_known_to_one():
    state = Sitting(2, "WIZ", "GOL").state
    assert [state.view(me).focus for me in (None, 0, 1)] == [(None, None), (2, None), (None, 3)]
    dealt = state.deal.libraries
    assert [state.view(me).dealt for me in (None, 0, 1)] == [(None, None), (dealt[0], None), (None, dealt[1])]


def test_only_the_seat_that_is_asked_sees_its_answers():
    state = Sitting(2, "WIZ", "GOL").state
    assert state.view(0).legal == state.legal() and state.view(1).legal == state.view(None).legal == ()


def test_a_card_face_down_since_before_the_deck_was_made_anew_is_marked():
    sitting = Sitting(2, "WIZ", "GOL", tiles=[16]).set_discard("M1 M2 M3").set_deck("", rest=False)
    assert sitting.state.view(0).cards[16] == (HIDDEN,) * 4
    sitting.play("0 send home", "0 draw")
    assert sitting.state.view(1).cards[16] == (STALE,) * 4
    assert sitting.state.view(1).stale == (6, 6)


def test_who_looked_at_which_place_of_the_archive_is_known_to_all():
    sitting = Sitting(2, "WIZ", "GOL", tiles=[16]).play("0 send 16", "0 peek #2", "0 peek #4")
    assert sitting.state.view(1).peeked == (0, 1, 0, 1)


def test_at_the_end_all_lies_open():
    state = random_game(GAME, Random(3), libraries="special").end
    view = state.view(None)
    assert view.hands == tuple(tuple(cards_of(hand)) for hand in state.hands)
    assert None not in view.focus and None not in view.dealt and view.turned == state.turned


@pytest.mark.parametrize("at", [0, 1, 40, -1])
def test_a_game_that_is_stopped_lies_open_and_can_be_scored(at):
    for number in range(4):
        state = list(random_game(GAME, Random(number)).positions())[at].copy()
        state.stop()
        assert (state.over, state.legal(), state.forced(), state.seat) == (True, (), None, None)
        for me in (None, 0):
            view = state.view(me)
            assert view.over and view.prominent is not None and None not in view.focus
            assert GAME.sample(view, Random(1)).view(me) == view
        result = GAME.result(state)
        assert result["points"] == list(state.scores())


def test_looking_back_all_hands_are_open_but_not_the_deck():
    state = next(s for s in random_game(GAME, Random(5), libraries="special").positions() if s.question == TURN)
    opened = state.opened()
    assert opened.me is None and opened.hands == tuple(tuple(cards_of(hand)) for hand in state.hands)
    assert len(set(opened.focus)) == len(opened.focus) and opened.legal == ()


def test_a_sample_keeps_a_hand_without_the_category_it_is_known_to_lack():
    sitting = Sitting(3, "GOB", "WIZ", "GOL", tiles=[7], first=1).set_hand(1, "B4 A5 B7")
    sitting.play("1 send 7", "2 send home", "2 pass", "0 special 7", "0 cat M", "1 none")
    view = sitting.state.view(2)
    rng = Random(1)
    for _ in range(50):
        hand = GAME.sample(view, rng).hands[1]
        assert hand.bit_count() == 3 and not hand & OF_CATEGORY[CATEGORIES.index("M")]
    sitting.play("1 send home", "1 shelve B4", "1 at 0,0")
    assert sitting.state.view(2).lacks[1][3] == 2
