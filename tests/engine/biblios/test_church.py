"""Church cards: who resolves them, when, and what they do to the dice."""

import pytest

from tests.engine.biblios.sitting import Sitting

EITHER_OR_BOTH = pytest.mark.parametrize("dual_church", ["either", "both"])
UPS = ["dice M+", "dice P+", "dice H+", "dice S+", "dice F+"]
DOWNS = ["dice M-", "dice P-", "dice H-", "dice S-", "dice F-"]


def bought(church, dice=(3, 3, 3, 3, 3), **options):
    """Seat 1 has just bought a Church card."""
    sitting = Sitting.at_auction("G1", "G1", pile=f"{church} M2A", dice=dice, **options)
    return sitting.play("1 bid 1", "0 pass", "1 pay G1")


@pytest.mark.parametrize(
    ("church", "answers"),
    [
        ("C+", ["dice none", *UPS]),
        ("C-", ["dice none", *DOWNS]),
        ("C+-", ["dice none", *UPS, *DOWNS]),
        ("C++", ["dice none", *UPS[:4]]),
        ("C--", ["dice none", *DOWNS[:4]]),
    ],
)
def test_each_kind_offers_the_dice_it_can_move(church, answers):
    assert bought(church).answers() == answers


@pytest.mark.parametrize("church", ["C+", "C-", "C++", "C--", "C+-"])
@EITHER_OR_BOTH
def test_the_owner_may_decline(church, dual_church):
    sitting = bought(church, dual_church=dual_church).play("1 dice none")
    assert sitting.dice == (3, 3, 3, 3, 3)
    assert church in sitting.discarded().split()
    assert sitting.lot == "M2A"


@pytest.mark.parametrize(
    ("church", "move", "dice"),
    [
        ("C+", "dice H+", (3, 3, 4, 3, 3)),
        ("C-", "dice F-", (3, 3, 3, 3, 2)),
        ("C+-", "dice M+", (4, 3, 3, 3, 3)),
        ("C+-", "dice S-", (3, 3, 3, 2, 3)),
    ],
)
def test_a_one_die_card_moves_one_die_by_one_and_is_over(church, move, dice):
    sitting = bought(church).play(f"1 {move}")
    assert sitting.dice == dice
    assert sitting.lot == "M2A"


@pytest.mark.parametrize(("church", "sign", "value"), [("C++", "+", 4), ("C--", "-", 2)])
def test_a_two_dice_card_moves_two_different_dice_in_its_direction(church, sign, value):
    sitting = bought(church).play(f"1 dice P{sign}", f"1 dice S{sign}")
    assert sitting.dice == (3, value, 3, value, 3)
    assert sitting.lot == "M2A"


@pytest.mark.parametrize(("church", "sign"), [("C++", "+"), ("C--", "-")])
def test_a_two_dice_card_never_moves_one_die_by_two(church, sign):
    for first, later in (("M", "PHSF"), ("P", "HSF"), ("H", "SF"), ("S", "F")):
        sitting = bought(church).play(f"1 dice {first}{sign}")
        assert sitting.answers() == [f"dice {category}{sign}" for category in later]


@pytest.mark.parametrize(("church", "sign"), [("C++", "+"), ("C--", "-")])
def test_a_two_dice_card_never_moves_only_one_die(church, sign):
    sitting = bought(church).play(f"1 dice M{sign}")
    assert "dice none" not in sitting.answers()


@pytest.mark.parametrize(
    ("church", "answers"),
    [
        ("C+", ["dice none", "dice P+", "dice H+", "dice S+"]),
        ("C-", ["dice none", "dice M-", "dice H-", "dice F-"]),
        ("C+-", ["dice none", "dice P+", "dice H+", "dice S+", "dice M-", "dice H-", "dice F-"]),
        ("C++", ["dice none", "dice P+", "dice H+"]),
        ("C--", ["dice none", "dice M-", "dice H-"]),
    ],
)
def test_a_die_at_6_cannot_go_up_nor_one_at_1_down(church, answers):
    assert bought(church, dice=(6, 1, 4, 1, 6)).answers() == answers


@pytest.mark.parametrize(
    ("church", "dice"),
    [
        ("C+", (6, 6, 6, 6, 6)),
        ("C-", (1, 1, 1, 1, 1)),
        ("C++", (6, 6, 5, 6, 6)),
        ("C++", (6, 6, 6, 6, 6)),
        ("C--", (1, 1, 1, 1, 2)),
        ("C--", (1, 1, 1, 1, 1)),
    ],
)
def test_a_card_with_too_few_dice_that_can_move_can_only_be_declined(church, dice):
    sitting = bought(church, dice=dice)
    assert sitting.answers() == ["dice none"]
    assert sitting.play("1 dice none").dice == dice


def test_the_first_die_is_offered_only_if_a_second_can_follow():
    sitting = bought("C++", dice=(6, 5, 6, 1, 6))
    assert sitting.answers() == ["dice none", "dice P+"]
    sitting.play("1 dice P+")
    assert sitting.answers() == ["dice S+"]
    assert sitting.forced() == "dice S+"


def test_either_moves_one_die_only():
    sitting = bought("C+-", dual_church="either").play("1 dice M+")
    assert sitting.dice == (4, 3, 3, 3, 3)
    assert sitting.lot == "M2A"


def test_both_moves_one_die_up_then_a_different_one_down():
    sitting = bought("C+-", dual_church="both")
    assert sitting.answers() == ["dice none", *UPS]
    sitting.play("1 dice H+")
    assert sitting.answers() == ["dice M-", "dice P-", "dice S-", "dice F-"]
    assert sitting.play("1 dice M-").dice == (2, 3, 4, 3, 3)
    assert sitting.lot == "M2A"


@pytest.mark.parametrize(
    ("dice", "answers"),
    [
        ((6, 6, 6, 6, 6), ["dice none"]),
        ((1, 1, 1, 1, 1), ["dice none"]),
        ((1, 1, 3, 1, 1), ["dice none", "dice M+", "dice P+", "dice S+", "dice F+"]),
        ((6, 6, 3, 6, 6), ["dice none", "dice H+"]),
        ((6, 1, 1, 1, 1), ["dice none", "dice P+", "dice H+", "dice S+", "dice F+"]),
    ],
)
def test_both_needs_one_die_that_can_go_up_and_another_that_can_go_down(dice, answers):
    assert bought("C+-", dice=dice, dual_church="both").answers() == answers


def test_both_never_moves_a_die_down_that_stands_at_1():
    sitting = bought("C+-", dice=(3, 1, 2, 1, 1), dual_church="both").play("1 dice P+")
    assert sitting.answers() == ["dice M-", "dice H-"]


@pytest.mark.parametrize("church", ["C++", "C--"])
def test_both_leaves_the_two_dice_cards_as_they_are(church):
    assert bought(church, dual_church="both").answers() == bought(church, dual_church="either").answers()


def test_whoever_keeps_one_resolves_it_at_once_and_the_allocation_goes_on_afterwards():
    sitting = Sitting(3, "C+ M2A P2B G1").play("0 keep")
    assert (sitting.asked, sitting.lot) == (0, "C+")
    sitting.play("0 dice F+")
    assert sitting.dice == (3, 3, 3, 3, 4)
    assert sitting.discarded() == "C+"
    assert sitting.answers() == ["public", "auction"]


def test_one_kept_as_the_last_card_is_resolved_before_the_others_take():
    sitting = Sitting(2, "M2A P2B C-").play("0 auction", "0 public", "0 keep")
    assert (sitting.asked, sitting.lot) == (0, "C-")
    sitting.play("0 dice M-")
    assert sitting.answers() == ["take P2B"]
    assert sitting.asked == 1


def test_whoever_keeps_one_gets_no_card_in_hand_in_this_turn():
    sitting = Sitting(2, "C+ M2A P2B").play("0 keep", "0 dice none", "0 auction", "0 public", "1 take P2B")
    assert (sitting.hand(0), sitting.hand(1)) == ("", "P2B")


def test_whoever_takes_one_from_the_public_space_resolves_it_before_the_next_player_takes():
    sitting = Sitting(3, "M2A C- P2B G1").play("0 keep", "0 public", "0 auction", "0 public")
    sitting.play("1 take C-")
    assert (sitting.asked, sitting.lot) == (1, "C-")
    sitting.play("1 dice P-")
    assert (sitting.asked, sitting.answers()) == (2, ["take G1"])
    assert (sitting.hand(1), sitting.discarded()) == ("", "C-")


def test_the_last_to_take_resolves_theirs_before_the_turn_passes():
    sitting = Sitting(2, "M2A C++ P2B").play("0 keep", "0 public", "0 auction", "1 take C++", "1 dice M+")
    assert (sitting.asked, sitting.active) == (1, 0)
    sitting.play("1 dice P+")
    assert (sitting.asked, sitting.active) == (1, 1)
    assert sitting.answers() == ["keep", "public", "auction"]


def test_the_winner_of_an_auction_resolves_it_after_paying():
    sitting = Sitting.at_auction("G1 G2", "G3", pile="C+ M2A").play("1 bid 3", "0 pass")
    assert sitting.answers() == ["refuse", "pay G3"]
    sitting.play("1 pay G3")
    assert sitting.answers()[0] == "dice none"
    assert sitting.active == 0
    sitting.play("1 dice M+")
    assert (sitting.hand(1), sitting.discarded()) == ("", "G3 C+")
    assert (sitting.active, sitting.lot) == (1, "M2A")


@pytest.mark.parametrize("place", ["public", "auction"])
def test_drawing_one_or_putting_it_elsewhere_resolves_nothing(place):
    sitting = Sitting(3, "C++ M2A").play(f"0 {place}")
    assert sitting.dice == (3, 3, 3, 3, 3)
    assert "keep" in sitting.answers()
    assert sitting.discarded() == ""


def test_one_in_the_auction_pile_is_resolved_only_when_it_is_won():
    sitting = Sitting(2, "C+ M2A P2B").play("0 auction", "0 keep", "0 public", "1 take P2B")
    sitting.play_on(lambda sitting: bool(sitting.state.pile))
    assert sitting.dice == (3, 3, 3, 3, 3)


def test_one_that_nobody_buys_is_discarded_without_being_resolved():
    sitting = Sitting.at_auction("G1", "G1", pile="C+ M2A").play("1 pass", "0 pass")
    assert sitting.dice == (3, 3, 3, 3, 3)
    assert (sitting.discarded(), sitting.lot) == ("C+", "M2A")
