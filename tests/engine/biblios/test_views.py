"""What is known to whom, row by row."""

from random import Random

import pytest

from games.engine.biblios.cards import BURIED, DISCARD, FORFEIT
from games.engine.biblios.notation import PUBLIC
from tests.engine.biblios.sitting import GAME, Sitting, kinds, lively_game, texts

ANN, BOB, DAN, WATCHER = 0, 1, 2, None
EVERYBODY = pytest.mark.parametrize("me", [ANN, BOB, DAN, WATCHER], ids=["ann", "bob", "dan", "watcher"])
OTHERS = pytest.mark.parametrize("me", [BOB, DAN, WATCHER], ids=["bob", "dan", "watcher"])


def gift_turn():
    """Ann has placed three cards and looks at the fourth."""
    return Sitting(3, "M2A G1 P2B G2").play("0 keep", "0 public", "0 auction")


def auction(pile="M2A P2A G3 C+", **options):
    return Sitting.at_auction("G1 G2 M3E", "G1 G2 G3 P3E", "G3 F1A", pile=pile, **options)


def gold_bought():
    """Bob has paid two cards for gold, face down."""
    sitting = auction("G3 M2A").play("1 bid 2", "2 pass", "0 pass")
    return sitting.play("1 pay P3E", "1 pay G2")


def punished(**options):
    """Bob has been punished; Cho drew P3E from Bob's hand, Ann G1."""
    sitting = auction("M2A P2A", draws="P3E G1", **options)
    return sitting.play("1 bid 50", "2 pass", "0 pass", "1 refuse")


# Everybody


@EVERYBODY
def test_everybody_knows_whose_decision_it_is_and_only_that_seat_the_answers(me):
    sitting = gift_turn()
    view = sitting.state.view(me)
    assert (view.seat, view.active, view.first) == (ANN, ANN, ANN)
    assert view.legal == (sitting.state.legal() if me == ANN else ())


@EVERYBODY
def test_everybody_knows_the_public_space_and_what_each_took_from_it(me):
    sitting = gift_turn()
    assert texts(sitting.state.view(me).space) == "G1"
    sitting.play("0 public", "1 take G2")
    view = sitting.state.view(me)
    assert texts(view.space) == "G1"
    assert [texts(cards) for cards in view.seen] == ["", "G2", ""]


@EVERYBODY
def test_everybody_knows_the_number_of_cards_in_each_hand_and_pile(me):
    view = gift_turn().play("0 public", "1 take G2", "2 take G1", "1 auction").state.view(me)
    assert view.counts == (1, 1, 1)
    assert view.deck == 72 - 5
    assert view.piled == 2
    assert auction().state.view(me).piled == 3


@EVERYBODY
def test_everybody_knows_the_dice_and_the_church_cards_used_or_declined(me):
    sitting = Sitting(3, "C+ M2A C- G1").play("0 keep")
    assert texts([sitting.state.view(me).card]) == "C+"
    sitting.play("0 dice H+")
    view = sitting.state.view(me)
    assert view.dice == (3, 3, 4, 3, 3)
    assert (view.card, texts(view.discard)) == (None, "C+")
    sitting.play("0 auction", "0 public", "0 public", "1 take C-", "1 dice none")
    assert texts(sitting.state.view(me).discard) == "C+ C-"


@EVERYBODY
def test_everybody_knows_the_first_die_of_two(me):
    sitting = Sitting(3, "C++").play("0 keep", "0 dice P+")
    assert (sitting.state.view(me).die, sitting.state.view(me).dice) == (1, (3, 4, 3, 3, 3))


@EVERYBODY
def test_everybody_knows_the_card_up_for_auction_the_bids_and_who_passed(me):
    view = auction().play("1 bid 2", "2 pass").state.view(me)
    assert (texts([view.card]), texts(view.lots)) == ("M2A", "M2A")
    assert (view.high, view.bidder, view.out) == (2, BOB, 1 << DAN)


@EVERYBODY
def test_everybody_knows_all_that_was_answered_in_the_auctions(me):
    view = punished().play("2 bid 1", "0 pass", "2 pay G3", "2 bid 2").state.view(me)
    said = [(lot, seat, GAME.text(move)) for lot, seat, move in view.bids]
    first = [(0, BOB, "bid 50"), (0, DAN, "pass"), (0, ANN, "pass"), (0, BOB, "refuse")]
    assert said == [*first, (0, DAN, "bid 1"), (0, ANN, "pass"), (1, DAN, "bid 2")]


@EVERYBODY
def test_everybody_knows_the_gold_shown_as_payment(me):
    sitting = auction().play("1 bid 5", "2 pass", "0 pass", "1 pay G3")
    view = sitting.state.view(me)
    assert (BOB, DISCARD, *kinds("G3")) in view.flow
    assert (view.due, texts([view.bound])) == (2, "G3")
    view = sitting.play("1 pay G2").state.view(me)
    assert [step for step in view.flow if step[1] == DISCARD] == [(BOB, DISCARD, kind) for kind in kinds("G3 G2")]
    assert [texts(cards) for cards in view.seen] == ["", "M2A", ""]


@EVERYBODY
def test_everybody_knows_the_cards_discarded_unsold(me):
    sitting = auction()
    before = sitting.state.view(me).discard
    view = sitting.play("1 pass", "2 pass", "0 pass").state.view(me)
    assert sorted(view.discard) == sorted((*before, *kinds("M2A")))
    assert texts(view.lots) == "M2A P2A"


@EVERYBODY
def test_everybody_knows_who_was_punished_and_how_many_cards_they_lost(me):
    view = punished().state.view(me)
    assert (view.banned, view.counts) == (1 << BOB, (4, 2, 3))
    assert [step[:2] for step in view.penalties] == [(BOB, DAN), (BOB, ANN)]


@EVERYBODY
def test_everybody_sees_what_a_player_bought_until_they_pay_with_it(me):
    sitting = auction("G3 M2A").play("1 bid 1", "2 pass", "0 pass", "1 pay P3E")
    assert texts(sitting.state.view(me).seen[BOB]) == "G3"
    sitting.play("2 pass", "0 pass", "1 bid 1", "1 pay G3")
    assert texts(sitting.state.view(me).seen[BOB]) == "M2A"


@EVERYBODY
def test_everybody_sees_the_card_that_medieval_bluff_discards(me):
    view = punished(penalty="discard").state.view(me)
    assert view.penalties == ((BOB, FORFEIT, *kinds("P3E")),)
    assert kinds("P3E")[0] in view.discard


@EVERYBODY
def test_a_card_bought_and_then_discarded_by_medieval_bluff_is_no_longer_among_those_seen(me):
    sitting = auction("M2A P2A", penalty="discard", draws="M2A").play("1 bid 1", "2 pass", "0 pass", "1 pay G1")
    assert texts(sitting.state.view(me).seen[BOB]) == "M2A"
    sitting.play("2 pass", "0 pass", "1 bid 50", "1 refuse")
    assert texts(sitting.state.view(me).seen[BOB]) == ""


# One player


@EVERYBODY
def test_the_card_just_drawn_and_the_card_kept_are_known_to_the_active_player_only(me):
    view = gift_turn().state.view(me)
    assert texts([view.drawn]) == ("G2" if me == ANN else "?")
    assert texts([view.kept]) == ("M2A" if me == ANN else "?")


@EVERYBODY
def test_a_hand_is_known_to_its_owner_only(me):
    view = gift_turn().play("0 public", "1 take G2", "2 take G1").state.view(me)
    hands = ["M2A", "G2", "G1"]
    assert [hand and texts(hand) for hand in view.hands] == [hands[seat] if seat == me else None for seat in range(3)]
    assert texts(view.hand) == ("" if me is WATCHER else hands[me])


@EVERYBODY
def test_the_cards_that_one_put_in_the_auction_pile_are_known_to_oneself_only(me):
    sitting = gift_turn().play("0 public", "1 take G2", "2 take G1")
    drawn = texts([sitting.state.view(BOB).drawn])
    sitting.play("1 auction")
    given = {ANN: "P2B", BOB: drawn}
    assert texts(sitting.state.view(me).given) == given.get(me, "")


@EVERYBODY
def test_the_cards_paid_face_down_are_known_to_the_payer_only(me):
    sitting = gold_bought()
    view = sitting.state.view(me)
    assert [texts(cards) for cards in view.buried] == ["", "P3E G2" if me == BOB else "? ?", ""]
    assert view.counts == (3, 3, 2)


@EVERYBODY
def test_while_cards_are_paid_face_down_only_their_number_is_known(me):
    sitting = auction("G3 M2A").play("1 bid 2", "2 pass", "0 pass", "1 pay P3E")
    view = sitting.state.view(me)
    assert (view.due, view.counts[BOB]) == (1, 3)
    assert texts([view.bound]) == ("P3E" if me == BOB else "?")
    assert texts(view.buried[BOB]) == ("P3E" if me == BOB else "?")


@EVERYBODY
def test_a_card_drawn_in_a_penalty_is_known_to_the_two_concerned_only(me):
    view = punished().state.view(me)
    seen = {ANN: "? G1", BOB: "P3E G1", DAN: "P3E ?", WATCHER: "? ?"}
    assert texts(step[2] for step in view.penalties) == seen[me]


@OTHERS
def test_what_another_can_pay_with_is_not_shown(me):
    """Bob's questions look the same whether Bob can pay or not."""
    poor = Sitting.at_auction("G1", "P3E P3F", "G3", pile="M2A P2A", first=ANN)
    rich = Sitting.at_auction("G1", "G2 G3", "G3", pile="M2A P2A", first=ANN)
    for sitting in (poor, rich):
        sitting.play("1 bid 4", "2 pass", "0 pass")
        view = sitting.state.view(me)
        if me != BOB:
            assert (view.legal, view.due, view.high, view.counts[BOB]) == ((), 4, 4, 2)
            assert sitting.state.forced() is None


# Nobody until the end


@EVERYBODY
def test_nobody_knows_the_cards_removed_nor_the_order_of_the_draw_pile(me):
    one = gift_turn()
    other = Sitting(3, "M2A G1 P2B G2 S1A S1B F2I C+ C++").play("0 keep", "0 public", "0 auction")
    assert one.state.deal.removed != other.state.deal.removed
    assert one.state.deal.deck != other.state.deal.deck
    assert one.state.view(me) == other.state.view(me)


@EVERYBODY
def test_nobody_knows_the_order_of_the_auction_pile(me):
    one, other = (Sitting(3, auction=f"M2D {order}") for order in ("M4H P2C", "P2C M4H"))
    for sitting in (one, other):
        sitting.play_on(lambda sitting: bool(sitting.state.pile))
    assert one.state.pile != other.state.pile
    assert one.state.view(me) == other.state.view(me)
    for sitting in (one, other):
        sitting.play("1 pass", "2 pass", "0 pass")
    assert [texts(sitting.state.view(me).lots) for sitting in (one, other)] == ["M2D M4H", "M2D P2C"]


# The end


def ended():
    sitting = auction("M2A G3 P2A", draws="P3E G1")
    sitting.play("1 bid 50", "2 pass", "0 pass", "1 refuse", "2 pass", "0 pass")
    sitting.play("2 bid 1", "0 pass", "1 pass", "2 pay P3E", "0 pass", "1 pass", "2 pass")
    assert sitting.over
    return sitting.state


@EVERYBODY
def test_at_the_end_all_hands_lie_open(me):
    view = ended().view(me)
    assert view.over and view.seat is None and view.legal == ()
    assert [texts(hand) for hand in view.hands] == ["M3E G1 G1 G2", "G2 G3", "F1A G3 G3"]


@EVERYBODY
def test_at_the_end_everybody_learns_what_was_paid_face_down_and_drawn_in_penalties(me):
    view = ended().view(me)
    assert [texts(cards) for cards in view.buried] == ["", "", "P3E"]
    assert [texts([step[2]]) for step in view.penalties] == ["P3E", "G1"]


@pytest.mark.parametrize("me", [ANN, BOB, DAN])
def test_at_the_end_the_cards_that_i_put_in_the_pile_are_still_mine_only(me):
    assert texts(ended().view(me).given) == ["M2A", "G3", "P2A"][me]


# Views as things


def test_views_are_frozen_and_hashable():
    view = gift_turn().state.view(BOB)
    assert hash(view) == hash(gift_turn().state.view(BOB))
    with pytest.raises(AttributeError):
        view.dice = (6, 6, 6, 6, 6)


def test_a_view_does_not_change_with_the_game():
    state = gift_turn().state
    view, before = state.view(ANN), repr(state.view(ANN))
    state.play(PUBLIC)
    assert repr(view) == before != repr(state.view(ANN))


def test_looking_changes_nothing():
    for state in lively_game(Random(3)).positions():
        before = state.key()
        for me in (None, *range(len(state.hands))):
            assert state.view(me) == state.view(me)
        assert state.key() == before


def test_a_watcher_never_sees_a_card_paid_face_down_before_the_end():
    for number in range(20):
        for state in lively_game(Random(number)).positions():
            if not state.over:
                hidden = [kind for source, target, kind in state.view(WATCHER).flow if target == BURIED]
                assert texts(hidden).replace(" ", "") == "?" * len(hidden)
