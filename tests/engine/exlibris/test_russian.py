"""The options of the Russian rules: what their text says plainly and the defaults do otherwise."""

import pytest

from games.engine.core import BadOption
from games.engine.exlibris.libraries import MUM
from games.engine.exlibris.scoring import shares
from games.engine.exlibris.shelf import turned_down
from tests.engine.exlibris.sitting import GAME, Sitting, cards, shelf

DEFAULTS = {"libraries": "special", "conflict": True, "length": "normal", "difficulty": 1}
RUSSIAN = {"discards": "either", "order_check": "ascending", "end_count": "cards", "no_books": "place"}
ROW = {(0, 0): "A1 A2 A3"}


def at(tile, *libraries, hand="T1 T2", shelf=ROW, deck="W1 W2 W3 W4 W5 W6 V1 V2 V3", **options):
    """A sitting of two with a tile in play, where cards are discarded from hand or shelf; seat 0 has some of both."""
    sitting = Sitting(2, *(libraries or ("WIZ", "GOL")), tiles=[tile], deck=deck, **{"discards": "either"} | options)
    return sitting.set_shelf(0, shelf).set_hand(0, hand)


def test_the_preset_sets_them_all():
    assert GAME.preset("russian") == DEFAULTS | RUSSIAN
    assert GAME.later == set(RUSSIAN)


def test_they_are_written_only_where_they_differ_from_the_default():
    assert GAME.options() == GAME.options({name: GAME.choices[name][0] for name in RUSSIAN}) == DEFAULTS
    for name, value in RUSSIAN.items():
        assert GAME.start(2, bytes(32), {name: value}).options == DEFAULTS | {name: value}
        with pytest.raises(BadOption, match=f"{name} cannot be"):
            GAME.options({name: "none"})


# The order check


@pytest.mark.parametrize(
    ("labels", "reading", "ascending"),
    [
        ("Z1 A2 B3", "Z1", "A2 B3"),
        ("B3 C1 A2", "B3 C1", "A2"),
        ("A2 C1 B3 Z1", "A2 C1 Z1", "A2 B3 Z1"),
        ("A2 B3 Z1", "A2 B3 Z1", "A2 B3 Z1"),
    ],
)
@pytest.mark.parametrize("columns", [4, 2], ids=["in one row", "in two rows"])
def test_ascending_cards_stay_up_unless_one_with_a_lower_rank_lies_behind(labels, reading, ascending, columns):
    of = labels.split()
    piles = shelf({(row, 0): " ".join(of[row * columns : (row + 1) * columns]) for row in range(2)})
    assert [pile.card for pile in turned_down(piles) if pile.up] == cards(reading)
    assert [pile.card for pile in turned_down(piles, ascending=True) if pile.up] == cards(ascending)


def test_what_its_player_turns_down_is_no_hindrance():
    piles = shelf({(0, 0): "Z1 B3 A2"})
    assert [pile.up for pile in turned_down(piles, cards("A2"), True)] == [False, True, False]


@pytest.mark.parametrize(("order", "down"), [("reading", ["A2", "B3"]), ("ascending", ["Z1"])])
def test_the_check_at_the_end(order, down):
    sitting = Sitting(2, libraries="basic", order_check=order).set_hand(0, "").set_hand(1, "")
    sitting.set_shelf(0, {(0, 0): "Z1 A2 B3"})
    sitting.state.last = True
    sitting.to_the_turning().turn(0, "")
    assert GAME.result(sitting.state)["down"] == [down, []]


# The prominent category


@pytest.mark.parametrize(
    ("books", "points"),
    [
        ((6, 0), (15, 9)),
        ((6, 0, 0), (15, 7, 7)),
        ((9, 6, 3, 0), (15, 9, 4, 0)),
        ((0, 0, 0), (10, 10, 10)),
        ((5, 5, 0), (12, 12, 4)),
    ],
)
def test_without_a_book_one_takes_a_place(books, points):
    assert shares(books, place_without_books=True) == points


@pytest.mark.parametrize(("no_books", "points"), [("nothing", [15, 0]), ("place", [15, 9])])
def test_the_second_place_at_the_end(no_books, points):
    sitting = Sitting(2, libraries="basic", categories="HCFMRS", no_books=no_books).set_hand(0, "").set_hand(1, "")
    sitting.set_shelf(0, {(0, 0): "A2"})
    sitting.state.last = True
    sitting.to_the_turning().turn(0, "")
    assert [lines[1] for lines in GAME.result(sitting.state)["lines"]] == points


# The end


@pytest.mark.parametrize(("end_count", "last"), [("cells", False), ("cards", True)])
def test_entombed_cards_bring_the_end_nearer(end_count, last):
    sitting = Sitting(2, "MUM", "WIZ", end_count=end_count)
    assert sitting.state.libraries[0] == MUM
    sitting.set_shelf(0, {(0, 0): "A1/B1 A2/B2 A3 A4 A5 A6 A7", (1, 0): "C1 C2 C3 C4 C5 C6 C7"})
    sitting.first_answers(lambda sitting: sitting.state.round == 2)
    assert sitting.state.last is last


# Discards


def test_a_bid_is_paid_from_hand_and_shelf_which_stays_in_one_piece():
    sitting = at(3, hand="T1").play("0 send 3:3").to_the_resolution()
    assert sitting.answers() == ["pass", "discard A1", "discard A3", "discard T1"]
    sitting.play("0 discard A3")
    assert sitting.state.same_answer
    assert sitting.answers() == ["discard A1", "discard A2", "discard T1"]
    sitting.play("0 discard T1", "0 discard A1")
    assert (sitting.shelved(0), sitting.discarded()) == ("A2", "A3 T1 A1")
    assert set(sitting.hand(0).split()) >= {"W1", "W2", "W3", "W4"}


@pytest.mark.parametrize(("row", "asked"), [("A1/B1", True), ("A1", False)])
def test_a_bid_beyond_hand_and_shelf_is_passed_over(row, asked):
    sitting = at(3, hand="T1", shelf={(0, 0): row}).play("0 send 3:3").to_the_resolution()
    assert ("discard T1" in sitting.answers()) is asked
    if asked:
        sitting.play("0 discard A1")
        assert sitting.answers() == ["discard B1", "discard T1"]
        sitting.play("0 discard B1", "0 discard T1")
        assert sitting.shelved(0) == ""


def test_a_tax_may_be_paid_from_the_shelf_by_the_hand_it_is_levied_on():
    sitting = at(11, hand="T1 T2 T3 T4 T5").set_hand(1, "S1 S2")
    sitting.play("0 send home", "0 pass", "1 send 11").to_the_resolution()
    assert sitting.asked == 0 and sitting.answers()[:2] == ["discard A1", "discard A3"]
    sitting.play("0 discard A1")
    assert (sitting.answers(), sitting.shelved(0)) == (["pass", "take A1"], "A2 A3")


def test_the_collector_takes_matching_cards_of_the_shelf_but_none_that_lies_face_down():
    # D4 MR; A1 CFHR, A2 HMS and C5 HRS match, A3 CFS does not.
    sitting = at(12, hand="", shelf={(0, 0): "A1 A2", (1, 0): "C5 A3"}, deck="D4 W1")
    sitting.state.shelves = (turned_down(sitting.state.shelves[0], cards("C5")), sitting.state.shelves[1])
    sitting.play("0 send 12")
    assert sitting.answers() == ["pass", "discard A1", "discard A2"]
    sitting.play("0 discard A1", "0 discard A2")
    assert (sitting.shelved(0), len(sitting.hand(0).split())) == ("(C5) A3", 2)


def test_the_collector_asks_nothing_where_all_see_that_no_card_matches():
    assert at(12, hand="", shelf={(0, 0): "A3"}, deck="D4").play("0 send 12").asked == 1
    assert at(12, hand="F6", shelf={(0, 0): "A3"}, deck="D4").play("0 send 12").answers() == ["pass", "discard F6"]


def test_the_well():
    sitting = at(14, hand="").play("0 send 14")
    assert sitting.answers() == ["pass", "discard A1", "discard A3"]
    sitting.play("0 discard A1")
    assert sitting.answers()[0] == "cat C" and sitting.discarded() == "A1"
    assert at(14, hand="", shelf={}).play("0 send 14").asked == 1


def test_the_golem():
    sitting = at(18, "GOL", "WIZ").set_discard("U1").play("0 special 18", "0 pass", "0 take U1")
    assert sitting.answers() == ["discard A1", "discard A3", "discard T1", "discard T2", "discard U1"]
    sitting.play("0 discard A3")
    assert (sitting.shelved(0), sitting.asked) == ("A1 A2", 1)


def test_the_bookworm():
    sitting = at(18, "WRM", "WIZ", hand="").play("0 special home", "0 pass")
    assert sitting.answers() == ["pass", "discard A1", "discard A3"]
    sitting.play("0 discard A1")
    assert "draw" in sitting.answers()


def test_the_witch():
    sitting = at(18, "WIT", "WIZ").play("0 special home", "0 draw")
    assert {"discard A1", "discard A3", "discard T1"} < set(sitting.answers())


@pytest.mark.parametrize("discards", ["stated", "either"])
def test_what_is_given_sold_or_swapped_comes_from_the_hand(discards):
    assert at(2, discards=discards).play("0 send 2", "0 take W1").answers() == ["swap T1", "swap T2"]
    sale = at(6, discards=discards).play("0 send 6").to_the_resolution()
    assert not {"lay A1", "lay A2", "lay A3"} & set(sale.answers())


def test_by_default_these_effects_take_hand_cards():
    sitting = at(14, discards="stated").play("0 send 14")
    assert sitting.answers() == ["pass", "discard T1", "discard T2"]
