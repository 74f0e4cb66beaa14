"""The gift phase."""

import pytest

from tests.engine.biblios.sitting import GAME, Sitting


def test_the_drawn_card_goes_before_oneself_to_the_public_space_or_to_the_auction_pile():
    assert Sitting(3).answers() == ["keep", "public", "auction"]


@pytest.mark.parametrize(
    ("seats", "placed", "answers"),
    [
        (3, ["keep"], ["public", "auction"]),
        (3, ["auction"], ["keep", "public"]),
        (3, ["public"], ["keep", "public", "auction"]),
        (3, ["public", "public"], ["keep", "auction"]),
        (3, ["keep", "auction"], ["public"]),
        (3, ["keep", "public"], ["public", "auction"]),
        (3, ["keep", "auction", "public"], ["public"]),
        (2, ["public"], ["keep", "auction"]),
        (2, ["public", "auction"], ["keep"]),
        (2, ["keep", "auction"], ["public"]),
        (4, ["public", "public"], ["keep", "public", "auction"]),
        (4, ["public", "public", "public"], ["keep", "auction"]),
        (4, ["public", "public", "public", "keep"], ["auction"]),
        (4, ["auction", "keep"], ["public"]),
    ],
)
def test_a_place_that_is_full_is_no_longer_a_choice(seats, placed, answers):
    sitting = Sitting(seats).play(*(f"0 {place}" for place in placed))
    assert sitting.answers() == answers
    assert sitting.forced() == (answers[0] if len(answers) == 1 else None)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_active_player_allocates_one_card_more_than_there_are_players(seats):
    sitting = Sitting(seats).play("0 keep", "0 auction", *["0 public"] * (seats - 1))
    assert sitting.state.placed == seats + 1
    assert len(sitting.space().split()) == seats - 1
    assert sitting.asked == 1
    assert sitting.answers()[0].startswith("take ")


def test_the_kept_card_comes_into_hand_after_the_last_allocation():
    sitting = Sitting(3, "M2A G1 P2B G2").play("0 keep", "0 public", "0 auction")
    assert sitting.hand(0) == ""
    sitting.play("0 public")
    assert sitting.hand(0) == "M2A"


def test_the_kept_card_comes_into_hand_also_if_it_was_the_last_card():
    sitting = Sitting(2, "G1 P2B M2A").play("0 public", "0 auction", "0 keep")
    assert sitting.hand(0) == "M2A"
    assert sitting.answers() == ["take G1"]


@pytest.mark.parametrize(("first", "order"), [(0, [1, 2, 3]), (2, [3, 0, 1]), (3, [0, 1, 2])])
def test_beginning_on_the_left_every_other_player_takes_one_card(first, order):
    sitting = Sitting(4, "M2A P2A G1 G2 G3", first=first)
    sitting.play(*(f"{first} {place}" for place in ("keep", "auction", "public", "public", "public")))
    assert sitting.answers() == ["take G1", "take G2", "take G3"]
    sitting.play(f"{order[0]} take G2")
    assert sitting.answers() == ["take G1", "take G3"]
    sitting.play(f"{order[1]} take G3", f"{order[2]} take G1")
    assert [sitting.hand(seat) for seat in (first, *order)] == ["M2A", "G2", "G3", "G1"]


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("first", [0, 1])
def test_the_turn_passes_to_the_left(seats, first):
    sitting = Sitting(seats, first=first)
    actives = [sitting.active]
    while sitting.state.placed < 3 * (seats + 1):
        sitting.play(f"{sitting.asked} {sitting.answers()[0]}")
        if sitting.active != actives[-1]:
            actives.append(sitting.active)
    assert actives[:3] == [first, (first + 1) % seats, (first + 2) % seats]


def test_equal_cards_are_one_answer():
    sitting = Sitting(4, "M2A P2A G1 G2 G1").play("0 keep", "0 auction", *["0 public"] * 3)
    assert sitting.answers() == ["take G1", "take G2"]
    sitting.play("1 take G1")
    assert sitting.answers() == ["take G1", "take G2"]


def test_equal_church_cards_are_one_answer():
    sitting = Sitting(3, "M2A P2A C+ C+").play("0 keep", "0 auction", "0 public", "0 public")
    assert sitting.answers() == ["take C+"]


@pytest.mark.parametrize(("seats", "turns"), [(2, 20), (3, 18), (4, 16)])
@pytest.mark.parametrize("first", [0, 1])
def test_the_phase_ends_when_the_draw_pile_is_empty_and_the_first_player_is_active_again(seats, turns, first):
    sitting = Sitting(seats, first=first)
    kept = 0
    while not sitting.state.pile:
        answer = sitting.answers()[0]
        kept += answer == "keep"
        sitting.play(f"{sitting.asked} {answer}")
    assert kept == turns
    assert sitting.state.placed == len(sitting.state.deal.deck)
    assert sitting.active == first
    assert sitting.asked == (first + 1) % seats
    assert sitting.answers()[:2] == ["pass", "bid 1"]


@pytest.mark.parametrize(("seats", "turns"), [(2, 20), (3, 18), (4, 16)])
def test_everybody_gets_one_card_a_turn_unless_it_is_a_church_card(seats, turns):
    sitting = Sitting(seats).play_on(lambda sitting: bool(sitting.state.pile))
    church = sitting.discarded().split()
    assert all(card.startswith("C") for card in church)
    assert sum(sitting.state.view(None).counts) == turns * seats - len(church)


def test_the_auction_pile_is_turned_up_in_an_order_of_its_own():
    sitting = Sitting(3, "M2A G1 P2B G2", auction="P2B")
    sitting.play("0 keep", "0 public", "0 auction", "0 public", "1 take G2", "2 take G1")
    sitting.play_on(lambda sitting: bool(sitting.state.pile))
    assert sitting.lot == "P2B"
