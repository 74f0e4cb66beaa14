"""What each tile does, as its text says; in the order of the page."""

from random import Random

import pytest

from games.engine.exlibris.cards import BOOKS, CARD, OF_CATEGORY, cards_of, labels_of
from games.engine.exlibris.effects import EFFECTS
from games.engine.exlibris.libraries import CODES, LIBRARIES
from games.engine.exlibris.tiles import NUMBERS, TILES
from tests.engine.exlibris.sitting import GAME, Sitting, whole
from tests.engine.promises import random_game

FAR = "T1 T2 T3"


def at(tile, seats=2, *libraries, deck="W1 W2 W3 W4 W5 W6 V1 V2 V3", hand=FAR, **options):
    """A sitting with a tile in play, whose cards begin the deck, and a hand of seat 0."""
    sitting = Sitting(seats, *(libraries or ("WIZ", "GOL", "AUT", "MUM")[:seats]), tiles=[tile], deck=deck, **options)
    return sitting.set_hand(0, hand)


def words(sitting):
    return {answer.split()[0] for answer in sitting.answers()}


def test_the_table_is_that_of_the_page():
    assert list(TILES) == list(EFFECTS) == list(NUMBERS)
    assert [tile.number for tile in TILES.values() if not tile.instant] == [3, 4, 6, 7, 8, 11, 13, 16]
    assert "".join(tile.source for tile in TILES.values()) == "SSSIIII" + "R" * 11
    assert [tile.number for tile in TILES.values() if not tile.basic] == [3, 4, 6, 10, 12, 13]
    assert [tile.number for tile in TILES.values() if not tile.peaceful] == [3, 4, 10, 11]
    assert [tile.number for tile in TILES.values() if tile.solo] == [1, 2, 5, 9, 12, 13, 14, 15, 17, 18]
    assert {tile.number: tile.cards for tile in TILES.values() if tile.cards} == {2: 3, 3: 4, 8: 5, 12: 1, 16: 4, 17: 3}
    assert "".join(library.source for library in LIBRARIES) == "SSSSSSIIIIRR"
    assert [library.code for library in LIBRARIES if not library.peaceful] == ["GOB", "CUB", "SNO", "IMP"]
    assert [library.code for library in LIBRARIES if library.solo] == ["AUT", "MUM", "WRM", "IMP", "GOL", "WIZ", "WIT"]
    assert len(CODES) == 12


@pytest.mark.parametrize(
    ("seats", "spaces"),
    [
        (2, [1, 1, 4, 2, 1, 1, 3, 2, 1, 1, 1, 1, 2, 1, 2, 1, 1, 2]),
        (3, [1, 2, 4, 3, 2, 1, 4, 3, 2, 1, 1, 2, 3, 2, 2, 2, 2, 3]),
        (4, [1, 3, 4, 4, 2, 2, 5, 4, 2, 1, 1, 2, 4, 2, 2, 3, 2, 3]),
    ],
)
def test_spaces(seats, spaces):
    assert list(Sitting(seats, keep=False).state.setup.spaces[1:]) == spaces


def test_every_card_is_in_one_zone_in_every_position():
    rng = Random(1)
    for _ in range(12):
        assert all(whole(state) for state in random_game(GAME, rng).positions())


def test_a_full_tile_cannot_be_visited():
    sitting = at(18).play("0 send 18", "0 pass", "1 send 18", "1 pass")
    assert "send 18" not in sitting.answers() and "send 1" in sitting.answers()


def test_diviners_hut_gives_the_marker_and_a_card_for_each_assistant_out():
    sitting = at(18).play("0 send home", "0 pass", "1 send home", "1 pass", "0 send 1")
    assert (sitting.state.marker, len(cards_of(sitting.state.hands[0]))) == (0, 5)
    sitting.play("1 send home", "1 pass")
    assert "send 1" not in sitting.answers()


def test_book_swap():
    sitting = at(2).play("0 send 2")
    assert sitting.answers() == ["pass", "take W1", "take W2", "take W3"]
    sitting.play("0 take W2")
    assert sitting.state.same_answer and sitting.forced() is None
    assert sitting.answers() == ["swap T1", "swap T2", "swap T3"]
    sitting.play("0 swap T3")
    assert (sitting.on(2), sitting.hand(0)) == ("W1 T3 W3", "T1 T2 W2")
    assert sitting.answers() == ["pass", "shelve W2"]


def test_book_swap_without_a_hand_card_asks_nothing():
    assert at(2, hand="").play("0 send 2").asked == 1


def test_an_auction_goes_to_the_next_bid_when_the_highest_declines():
    sitting = at(3).play("0 send 3:1", "1 send 3:4", "0 send home", "0 pass").to_the_resolution()
    assert sitting.asked == 1 and sitting.answers()[0] == "pass"
    sitting.play("1 pass", "0 discard T2")
    assert set(["W1", "W2", "W3", "W4"]) < set(sitting.hand(0).split())


def test_the_cards_of_one_bid_go_on_and_the_first_may_be_refused():
    sitting = at(3).play("0 send 3:2").to_the_resolution()
    assert not sitting.state.same_answer
    sitting.play("0 discard T1")
    assert sitting.state.same_answer and words(sitting) == {"discard"}
    sitting.play("0 discard T3")
    assert sitting.on(3) == "" and words(sitting) == {"pass", "shelve"}


def test_gambling_forgives_one_miss_and_ends_at_five_hits():
    sitting = at(4).play("0 send 4").to_the_resolution()
    hits = labels_of(cards_of(OF_CATEGORY[3] & ~sitting.state.hands[0] & ~sitting.state.hands[1]))[:5]
    miss = next(card for card in range(152) if 3 not in BOOKS[card] and card > 20 and card < 100)
    sitting.set_deck(" ".join([labels_of([miss])[0], *hits]))
    sitting.play("0 cat M")
    assert (sitting.answers(), sitting.on(4)) == (["more", "stop"], hits[0])
    sitting.play("0 more", "0 more", "0 more", "0 more")
    assert set(hits) < set(sitting.hand(0).split()) and sitting.on(4) == ""


def test_nobody_gambles_while_no_card_can_come():
    sitting = at(4).play("0 send 4").set_deck("", rest=False)
    assert sitting.state.card_can_come is False
    sitting.to_the_resolution()
    assert "cat M" not in sitting.answers()


def test_garbage_dump_offers_the_seven_newest():
    sitting = at(5).set_discard("A1 A2 A3 A4 A5 B1 B2 B3").play("0 send 5")
    assert sitting.answers() == [f"take {card}" for card in ["A2", "A3", "A4", "A5", "B1", "B2", "B3"]]
    sitting.play("0 take A3")
    assert words(sitting) == {"pass", "shelve"} and "shelve T1" in sitting.answers()
    assert sitting.discarded() == "A1 A2 A4 A5 B1 B2 B3"


def test_an_empty_garbage_dump_draws():
    sitting = at(5).set_deck("A1").play("0 send 5")
    assert "shelve A1" in sitting.answers()


def test_garage_sale():
    sitting = at(6, seats=3).play("0 send 6").to_the_resolution()
    sitting.play("0 lay T1", "0 lay T2", "0 lay T3")
    assert sitting.state.same_answer
    sitting.play("0 pass")
    assert (sitting.asked, sitting.answers()) == (1, ["pass", "take T1", "take T2", "take T3"])
    sitting.play("1 take T2")
    count = len(cards_of(sitting.state.hands[0]))
    sitting.play("2 pass")
    assert len(cards_of(sitting.state.hands[0])) == count + 3 and sitting.state.laid == ()
    sitting.play("0 shelve T1", "0 at 0,0")
    assert sitting.asked != 0 or "shelve T3" not in sitting.answers()


def test_each_player_in_the_tavern_draws_once_as_many_as_assistants_are_there():
    sitting = at(7, 3, "WIZ", "GOL", "WIT").play("0 send 7", "1 send home", "1 pass", "2 special 7", "0 send 7")
    before = [hand.bit_count() for hand in sitting.state.hands]
    sitting.to_the_resolution()
    after = [hand.bit_count() for hand in sitting.state.hands]
    assert (after[0] - before[0], after[2] - before[2]) == (3, 4)
    assert sitting.asked == 2 and words(sitting) == {"discard"}


def test_the_first_at_the_bookseller_takes_two():
    sitting = at(8).play("0 send 8", "1 send 8").to_the_resolution()
    assert sitting.answers() == [f"take W{number}" for number in range(1, 6)]
    sitting.play("0 take W4", "0 take W1", "1 take W2")
    assert sitting.asked is not None and "W3" in sitting.discarded() and "W5" in sitting.discarded()


def test_shelfmasons_move_and_discard():
    sitting = at(9).set_shelf(0, {(0, 0): "A1 A2 A3"}).play("0 send 9")
    # The middle card holds the shelf together, and can only be moved to where it does so again.
    assert [answer for answer in sitting.answers() if answer.startswith("discard")] == ["discard A1", "discard A3"]
    sitting.play("0 move A3")
    assert "at 0,-1" in sitting.answers() and "at 0,2" not in sitting.answers() and sitting.state.same_answer
    sitting.play("0 at 0,-1", "0 discard A3")
    assert (sitting.shelved(0), sitting.discarded(), sitting.asked) == ("A1 A2", "A3", 1)


def test_an_only_card_is_not_moved_and_an_empty_shelf_asks_nothing():
    sitting = at(9).set_shelf(0, {(0, 0): "A1"}).play("0 send 9")
    assert sitting.answers() == ["pass", "discard A1"]
    assert at(9).play("0 send 9").asked == 1


def test_assistants_guild_sends_a_standard_assistant_back():
    sitting = Sitting(3, "WIZ", "GOL", "WIT", tiles=[7, 10], first=1).set_hand(0, FAR)
    sitting.play("1 send 7", "2 send 7", "0 send 10")
    assert sitting.answers() == ["pass", "recall 1:7", "recall 2:7"]
    sitting.play("0 recall 2:7")
    assert words(sitting) == {"pass", "draw", "shelve"}
    assert (sitting.state.ready, sitting.state.guests[7]) == ((1, 1, 2), (2,))


def test_tax_collector():
    sitting = at(11, seats=3).set_hand(1, "A1 A2 A3 A4").set_hand(2, "B1 B2 B3 B4 B5").play("0 send 11")
    sitting.to_the_resolution()
    assert (sitting.asked, sitting.answers()) == (2, [f"discard B{number}" for number in range(1, 6)])
    sitting.play("2 discard B3")
    assert (sitting.asked, sitting.answers()) == (0, ["pass", "take B3"])
    sitting.play("0 take B3")
    assert "B3" in sitting.hand(0)


def test_book_collector_wants_a_category_of_its_card():
    hand = [label for label in ("A3", "B4", "C5", "G1", "P4") if BOOKS[CARD[label]] & BOOKS[CARD["W1"]]]
    sitting = at(12, hand="A3 B4 C5 G1 P4").play("0 send 12")
    assert sitting.on(12) == "W1"
    assert sitting.answers() == ["pass", *(f"discard {label}" for label in hand)]
    sitting.play(f"0 discard {hand[0]}", "0 pass")
    assert len(cards_of(sitting.state.hands[0])) == 5 and words(sitting) == {"pass", "shelve"}


def test_a_hand_without_a_matching_card_is_asked_all_the_same():
    other = next(card for card in range(100) if not BOOKS[card] & BOOKS[CARD["B4"]])
    sitting = at(12, deck="B4", hand=labels_of([other])[0]).play("0 send 12")
    assert (sitting.answers(), sitting.forced()) == (["pass"], None)


def test_library_lodge_turns_up_one_more_than_guests():
    sitting = at(13).play("0 send 13", "1 send 13").to_the_resolution()
    turned = sitting.on(13).split()
    assert len(turned) == 3
    sitting.play(f"0 take {turned[1]}")
    assert sitting.answers() == ["pass", f"shelve {turned[1]}"]
    sitting.play("0 pass", f"1 take {turned[0]}", "1 pass")
    assert turned[2] in sitting.discarded()


def test_wishing_well_turns_up_until_a_card_has_the_category():
    sitting = at(14).set_deck("B4 A2 A1 A3").play("0 send 14", "0 discard T2", "0 cat M")
    assert sitting.discarded() == "T2 B4"
    assert sitting.answers() == ["pass", "shelve A2"]
    missed = at(14).set_deck("B4 B5 A5 A3 B7 A1").play("0 send 14", "0 discard T2", "0 cat M")
    assert (missed.asked, missed.discarded()) == (1, "T2 B4 B5 A5 A3 B7")


def test_donations_come_from_hand_or_shelf():
    sitting = at(15).set_shelf(0, {(0, 0): "A1 A2 A3"}).play("0 send 15")
    assert sitting.answers() == ["pass", *(f"discard {label}" for label in ["A1", "A3", "T1", "T2", "T3"])]
    sitting.play("0 discard A3", "0 discard T1")
    assert (sitting.asked, len(cards_of(sitting.state.hands[0])), sitting.shelved(0)) == (1, 5, "A1 A2")


def test_sealed_archive():
    sitting = at(16).play("0 send 16")
    assert sitting.answers() == ["peek #1", "peek #2", "peek #3", "peek #4"]
    sitting.play("0 peek #3")
    assert sitting.answers() == ["peek #1", "peek #2", "peek #4"]
    assert [sitting.state.view(me).cards[16] for me in (0, 1)] == [(-2, -2, CARD["W3"], -2), (-2, -2, -2, -2)]
    sitting.play("0 peek #1").to_the_resolution()
    assert sitting.answers() == ["take #1", "take #2", "take #3", "take #4"]
    sitting.play("0 take #3")
    assert sitting.answers() == ["pass", "shelve W3"]
    assert sitting.state.view(1).stack[-1][2] == -2 and CARD["W3"] not in sitting.state.view(1).hands[0]
    sitting.play("0 pass")
    assert set(["W1", "W2", "W4"]) <= set(sitting.discarded().split())


def test_smugglers_cellar():
    sitting = at(17).play("0 send 17")
    assert (sitting.answers(), sitting.forced()) == (["shelve W1", "discard W1"], None)
    sitting.play("0 discard W1", "0 shelve W2", "0 at 0,0")
    assert (sitting.shelved(0), sitting.on(17), sitting.discarded(), sitting.asked) == ("W2", "W3", "W1", 1)


def test_reading_room_ends_with_the_first_pass():
    sitting = at(18).play("0 send 18", "0 shelve T1", "0 at 0,0", "0 shelve T3", "0 at 0,1")
    assert (sitting.shelved(0), sitting.asked) == ("T1 T3", 1)
    assert at(18).play("0 send 18", "0 pass").asked == 1
