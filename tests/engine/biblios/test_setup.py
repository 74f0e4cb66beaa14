"""Components and set-up."""

from collections import Counter
from random import Random

import pytest

from games.engine.biblios.cards import CARDS, CATEGORIES, KIND, TEXTS, cards_of, texts_of
from games.engine.biblios.notation import AUCTION, KEEP
from tests.engine.biblios.sitting import GAME, Sitting, lively_game

CARD_TEXTS = texts_of(range(CARDS))
TABLES = pytest.mark.parametrize(
    ("seats", "fixed", "at_random", "turns"), [(2, 6, 21, 20), (3, 3, 12, 18), (4, 0, 7, 16)]
)


def test_there_are_87_cards():
    assert CARDS == len(KIND) == 87


@pytest.mark.parametrize(
    ("category", "cards", "total"),
    [
        ("M", "M2A M2B M2C M2D M3E M3F M3G M4H M4I", 25),
        ("P", "P2A P2B P2C P2D P3E P3F P3G P4H P4I", 25),
        ("H", "H1A H1B H1C H1D H1E H1F H1G H2H H2I", 11),
        ("S", "S1A S1B S1C S1D S1E S1F S1G S2H S2I", 11),
        ("F", "F1A F1B F1C F1D F1E F1F F1G F2H F2I", 11),
    ],
)
def test_low_values_carry_the_early_letters_and_each_letter_stands_once(category, cards, total):
    found = [text for text in CARD_TEXTS if text[0] == category]
    assert found == cards.split()
    assert sum(int(text[1]) for text in found) == total


def test_there_is_no_monk_1():
    assert not any(text.startswith("M1") for text in TEXTS)


def test_gold_is_eleven_each_of_1_2_and_3():
    assert Counter(text for text in CARD_TEXTS if text[0] == "G") == {"G1": 11, "G2": 11, "G3": 11}


def test_there_are_nine_church_cards_of_five_kinds():
    church = Counter(text for text in CARD_TEXTS if text[0] == "C")
    assert church == {"C+": 2, "C-": 2, "C++": 2, "C--": 2, "C+-": 1}


def test_the_scriptorium_lists_monks_pigments_holy_books_manuscripts_forbidden_tomes():
    assert CATEGORIES == "MPHSF"
    for index, category in enumerate(CATEGORIES):
        sitting = Sitting.at_auction("G1", "G1", pile="C+").play("1 bid 1", "0 pass", "1 pay G1")
        sitting.play(f"1 dice {category}+")
        assert sitting.dice == tuple(4 if i == index else 3 for i in range(5))


@pytest.mark.parametrize("start", [3, 2, 1])
def test_every_die_starts_at_the_number_of_the_option(start):
    assert GAME.start(2, bytes(32), {"start_die": start}).dice == (start,) * 5
    assert GAME.start(2, bytes(32)).dice == (3,) * 5


@TABLES
def test_gold_is_removed_first_then_cards_at_random_then_the_rest_is_the_draw_pile(seats, fixed, at_random, turns):
    for number in range(20):
        deal = GAME.start(seats, Random(number).randbytes(32)).deal
        gold = texts_of(deal.removed[:fixed])
        assert gold == [text for text in ("G1", "G2", "G3") for _ in range(fixed // 3)]
        assert len(deal.removed) == fixed + at_random
        assert len(deal.deck) == turns * (seats + 1)
        assert sorted((*deal.removed, *deal.deck)) == list(range(CARDS))


@TABLES
def test_any_other_card_can_be_removed_or_drawn_first(seats, fixed, at_random, turns):
    deals = [GAME.start(seats, Random(number).randbytes(32)).deal for number in range(900)]
    everything = set(TEXTS)
    assert {text for deal in deals for text in texts_of(deal.removed[fixed:])} == everything
    assert {texts_of(deal.deck)[0] for deal in deals} == everything


@TABLES
def test_the_draw_pile_is_exactly_the_turns_and_each_puts_one_card_in_the_auction_pile(seats, fixed, at_random, turns):
    for number in range(5):
        played = lively_game(Random(number), seats)
        assert played.moves.count(KEEP) == played.moves.count(AUCTION) == turns
        assert len(played.end.pile) == turns
        assert played.end.placed == turns * (seats + 1)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_first_active_player_is_drawn_at_random(seats):
    starts = [GAME.start(seats, Random(number).randbytes(32)) for number in range(60)]
    assert {start.active for start in starts} == set(range(seats))
    assert all(start.seat == start.active == start.deal.first for start in starts)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_auction_pile_is_shuffled(seats):
    for number in range(5):
        played = lively_game(Random(number), seats)
        assert played.end.pile != tuple(cards_of(played.end.given))
        assert sorted(played.end.pile) == cards_of(played.end.given)


def test_the_same_seed_deals_the_same_and_another_seed_deals_otherwise():
    deals = [GAME.start(3, bytes([number]) * 32).deal for number in (1, 1, 2)]
    assert deals[0].deck == deals[1].deck != deals[2].deck


@pytest.mark.parametrize("seats", GAME.seats)
def test_hands_the_public_space_and_the_auction_pile_begin_empty(seats):
    view = GAME.start(seats, bytes(32)).view(None)
    assert view.counts == (0,) * seats
    assert (view.space, view.piled, view.discard) == ((), 0, ())
