"""The examples that must come out, as the page tells them."""

import pytest

from games.engine.exlibris.cards import books_in, cards_of, mask_of
from games.engine.exlibris.scoring import lines_of, shares
from games.engine.exlibris.shelf import filled, stability
from tests.engine.exlibris.sitting import GAME, Sitting, cards, cell, shelf

ORDER = {(0, 0): "A2 C5 P4", (1, 0): "G1 M4 L1", (2, 0): "T1"}


@pytest.mark.parametrize(
    ("down", "lying", "points"), [("P4", ["P4", "L1"], 29), ("", ["G1", "M4", "L1"], None)], ids=["down", "up"]
)
def test_1_order_check_and_score(down, lying, points):
    sitting = Sitting(2, libraries="basic", categories="CFHMRS").set_hand(0, "").set_hand(1, "")
    sitting.set_shelf(0, ORDER)
    sitting.state.last = True
    sitting.to_the_turning().turn(0, down)
    result = GAME.result(sitting.state)
    assert result["down"] == [lying, []]
    if points:
        assert result["books"][0] == [2, 3, 4, 1, 3, 5]
        assert result["lines"][0] == [6, 15, -3, 3, 8]
        assert result["points"][0] == points
    assert sitting.state.over


@pytest.mark.parametrize(
    ("runs", "points"),
    [
        ({0: range(5), 1: range(1, 6), 2: range(1, 4)}, 9),
        ({0: range(9)}, 0),
        ({0: range(1), 1: range(1)}, 2),
    ],
)
def test_2_rectangle(runs, points):
    assert stability(sum(1 << cell(row, column) for row, columns in runs.items() for column in columns)) == points


@pytest.mark.parametrize(
    ("books", "points"),
    [
        ((12, 12, 7), (12, 12, 4)),
        ((14, 9, 9), (15, 7, 7)),
        ((10, 8, 8, 8), (15, 5, 5, 5)),
        ((3, 3, 3, 3), (7, 7, 7, 7)),
        ((6, 0), (15, 0)),
    ],
)
def test_3_prominent(books, points):
    assert shares(books) == points


def test_4_mummy():
    sitting = Sitting(2, "MUM", "WIZ", tiles=[18]).set_hand(0, "A2 T1")
    sitting.set_shelf(0, {(0, 0): "C5 G1"})
    sitting.play("0 special 18", "0 shelve A2", "0 under 0,1", "0 shelve T1", "0 over 0,0")
    assert sitting.shelved(0) == "T1/C5 G1/A2"
    assert sitting.state.score()[0].lines[0] == 4
    last = sitting.state.copy()
    last.turned = (mask_of(cards("T1")), 0)
    books = books_in(mask_of(cards("G1")))
    assert (last.score()[0].books, last.score()[0].lines[0]) == (books, 4)
    # In reading order G1 follows T1 and has the lower rank: with T1 up the check turns it down.
    assert sitting.state.score()[0].books == books_in(mask_of(cards("T1")))

    masons = Sitting(2, "MUM", "WIZ", tiles=[9]).set_shelf(0, {(0, 0): "T1/C5 G1/A2"}).set_hand(0, "")
    masons.play("0 send 9", "0 discard G1", "0 pass")
    assert masons.shelved(0) == "T1/C5 (A2)"
    assert masons.state.score()[0].lines[0] == 2


def test_5_reactions():
    sitting = Sitting(3, "GOB", "CUB", "SAS", tiles=[7, 18], first=2)
    sitting.set_hand(0, "A1").set_hand(1, "H1 B3").set_hand(2, "A2")
    sitting.play("2 special 7", "0 send home", "0 pass", "1 special 7", "2 pass", "2 send home", "2 pass")
    sitting.set_deck("W1").play("0 special 7")
    assert (sitting.asked, sitting.answers()) == (0, ["lose", "allow"])
    sitting.play("0 allow", "1 draw", "1 shelve H1")
    assert (sitting.answers(), sitting.forced()) == (["at 0,0"], "at 0,0")
    sitting.play("1 at 0,0", "2 back")
    assert sitting.answers() == ["pass", *(f"cat {category}" for category in "CFHMRS")]
    sitting.play("0 cat M", "1 give B3", "0 shelve B3", "0 at 0,0")
    sitting.play("1 send home", "1 pass")
    assert "special 7" not in sitting.answers() and "special home" in sitting.answers()
    sitting.play("2 special home", "2 pass")


def test_6_auction():
    sitting = Sitting(2, tiles=[3], deck="W1 W2 W3 W4").set_hand(0, "A1 A2").set_hand(1, "B1")
    lots = sitting.on(3).split()
    sitting.play("0 send 3:1")
    assert [answer for answer in sitting.answers() if "3:" in answer][:3] == ["send 3:2", "send 3:3", "send 3:4"]
    sitting.play("1 send 3:2")
    sitting.to_the_resolution()
    assert (sitting.asked, sitting.answers()) == (0, ["pass", "discard A1", "discard A2"])
    sitting.play("0 discard A1")
    assert set(sitting.hand(0).split()) == {"A2", *lots}
    assert sitting.asked == 0 and sitting.answers()[:2] == ["pass", "shelve A2"]


def test_7_gambling():
    sitting = Sitting(3, "WIZ", "WIT", "GOL", tiles=[4, 18])
    sitting.play("0 send 4", "1 send home", "1 pass", "2 send 4").to_the_resolution()
    sitting.set_deck("B3 C5 L1 G1 M4")
    sitting.play("0 cat M", "0 more", "0 more", "0 more")
    assert (sitting.asked, sitting.on(4), sitting.discarded()) == (2, "B3 L1", "C5 G1")
    held = set(sitting.hand(2).split())
    sitting.play("2 cat S", "2 stop")
    assert set(sitting.hand(2).split()) - held >= {"B3", "L1", "M4"}


def test_8_witch_at_the_hut():
    sitting = Sitting(2, "WIT", "GOL", tiles=[18]).set_hand(0, "A1")
    sitting.play("0 send home", "0 pass", "1 send home", "1 pass", "0 send home", "0 pass", "1 send home", "1 pass")
    sitting.play("0 special 1")
    assert len(cards_of(sitting.state.hands[0])) == 5
    assert all(answer.startswith("discard") for answer in sitting.answers()) and len(sitting.answers()) == 5
    assert sitting.forced() is None
    sitting.play(f"0 {sitting.answers()[0]}")
    assert sitting.asked == 1


def test_9_snowman_and_ghost():
    sitting = Sitting(2, "SNO", "GHO", tiles=[18]).play("0 special 18", "0 pass")
    assert not [answer for answer in sitting.answers() if answer.endswith(" 18")]
    sitting = Sitting(2, "WIZ", "GHO", tiles=[18]).play("0 send 18", "0 pass", "1 send 18", "1 pass")
    assert not [answer for answer in sitting.answers() if answer.endswith(" 18")]
    sitting.play("0 send home", "0 pass")
    assert "special 18" in sitting.answers() and "send 18" not in sitting.answers()


PUBLIC, PLAYER = (11, 12, 10, 13, 11, 10), (11, 3, 14, 8, 9, 9)


def test_10_solo():
    prominent, banned, mine, library = 0, 1, 2, 3
    public = lines_of(PUBLIC, stability=0, prominent=15, banned=banned, focus=library)
    assert (public, sum(public)) == ((0, 15, -12, 30, 26), 59)
    player = lines_of(PLAYER, stability=15, prominent=0, banned=banned, focus=mine)
    assert (player, sum(player)) == ((15, 0, -3, 24, 28), 64)
    assert PLAYER[prominent] == PUBLIC[prominent]


@pytest.mark.parametrize(("shelved", "winners"), [("P1 P2 P3", [0]), ("", [])])
def test_10_solo_is_won_with_more_points_not_with_as_many(shelved, winners):
    sitting = Sitting(1).set_hand(0, "").set_discard("")
    state = sitting.state
    state.shelves = (shelf({(0, 0): shelved}) if shelved else (),)
    state.stop()
    points, public = state.score()
    assert (points.points > public.points) == bool(winners)
    assert GAME.result(state)["winners"] == winners
    assert GAME.result(state)["places"] == [1 if winners else 2]
    assert filled(state.shelves[0]).bit_count() == len(shelved.split())
