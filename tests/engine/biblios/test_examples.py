"""The examples that must come out, as the page tells them."""

from tests.engine.biblios.sitting import GAME, Sitting

BOB, STEVE = 0, 1


def test_steve_wins_monks_by_the_letter_b():
    hands = ("M2C M3F M4H", "M2B M3E M4I")
    result = GAME.result(Sitting.at_auction(*hands).state)
    assert [totals[0] for totals in result["totals"]] == [9, 9]
    assert result["category_winners"][0] == STEVE


def test_eight_points_each_and_steve_has_more_gold():
    hands = ("M2A P2A H1A G1 G2", "S1A F1A G2 G2")
    state = Sitting.at_auction(*hands, dice=(2, 2, 4, 5, 3)).state
    assert state.scores() == (8, 8)
    assert state.places() == (2, 1)
    assert GAME.result(state)["winners"] == [STEVE]


def test_a_gift_turn():
    bob, james, steve = 0, 1, 2
    sitting = Sitting(3, "M2A G1 P2B G2").play("0 keep", "0 public", "0 auction")
    assert (sitting.answers(), sitting.forced()) == (["public"], "public")
    sitting.play("0 public", "1 take G2")
    assert sitting.answers() == ["take G1"]
    sitting.play("2 take G1")
    assert [sitting.hand(seat) for seat in (bob, james, steve)] == ["M2A", "G2", "G1"]
    assert (sitting.active, sitting.asked) == (james, james)


def test_an_auction():
    bob, james, steve = 0, 1, 2
    sitting = Sitting.at_auction("G3", "G2 G3 P2A", "G1", pile="F2H M2A", first=bob)
    assert (sitting.active, sitting.asked, sitting.lot) == (bob, james, "F2H")
    sitting.play("1 bid 1", "2 pass", "0 bid 3", "1 bid 4", "0 pass")
    sitting.play("1 pay G3", "1 pay G2")
    assert sitting.hand(james) == "P2A F2H"
    assert sitting.discarded() == "G2 G3"
    assert (sitting.active, sitting.asked) == (james, steve)


def test_a_church_card_kept_as_the_first_card():
    sitting = Sitting(3, "C- M2A P2A G1 C-- G2", first=2)
    sitting.play("2 keep", "2 dice H-", "2 auction", "2 public", "2 public", "0 take P2A", "1 take G1")
    assert sitting.dice == (3, 3, 2, 3, 3)
    sitting.play("0 keep", "0 dice P-", "0 dice H-")
    assert sitting.dice == (3, 2, 1, 3, 3)
    assert (sitting.asked, sitting.answers()) == (BOB, ["public", "auction"])
