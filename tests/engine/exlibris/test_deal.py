"""Whoever knows the seed can recompute what chance decides; what one table does changes nothing at another."""

import hashlib
import hmac
import json
from pathlib import Path

import pytest

from games.engine.exlibris.cards import CARD, LABELS, labels_of, mask_of
from games.engine.exlibris.deal import seeded
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.options import Setup
from tests.engine.exlibris.sitting import GAME

SEEDS = [bytes([number]) * 32 for number in range(20)]


def by_hand(seed, label, things):
    """A shuffle as a page in another language would do it."""

    def stream():
        index = 0
        while True:
            yield from hmac.new(seed, f"{label}/{index}".encode(), hashlib.sha256).digest()
            index += 1

    numbers, order = stream(), list(things)
    for i in range(len(order) - 1, 0, -1):
        j = next(byte % (i + 1) for byte in numbers if byte < 256 - 256 % (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("seed", SEEDS[:3], ids=lambda seed: str(seed[0]))
def test_the_deal_follows_from_the_words_of_the_module(seats, seed):
    start = GAME.start(seats, seed)
    document = GAME.deal_to_json(start, start)
    libraries = [CODES[number] for number in start.setup.libraries]
    dealt = [code for pair in document["libraries"] for code in pair]
    assert dealt == by_hand(seed, "libraries", libraries)[: 2 * seats]
    assert document["categories"] == by_hand(seed, "categories", "CFHMRS")
    assert document["tiles"] == by_hand(seed, "tiles", start.setup.tiles)
    assert document["deck"] == by_hand(seed, "deck", LABELS)
    assert document["first"] in range(seats)


def test_a_new_deck_keeps_the_order_of_the_cards_that_two_tables_share():
    for seed in SEEDS:
        deal = seeded(Setup.of(2, GAME.options()), seed)
        fewer, more = 0b1010_1010, 0b1111_1110
        assert [card for card in deal.new_deck(0, more) if fewer >> card & 1] == list(deal.new_deck(0, fewer))
        assert sorted(deal.new_deck(1, more)) == sorted(deal.new_deck(0, more))
        assert [tile for tile in deal.new_tiles(0, (2, 5, 9, 18)) if tile != 9] == list(deal.new_tiles(0, (18, 5, 2)))


def test_what_the_cube_takes_does_not_hang_on_the_rest_of_the_hand():
    taken = set()
    for seed in SEEDS:
        deal = seeded(Setup.of(2, GAME.options()), seed)
        card = deal.steal(3, 0b1111)
        taken.add(card)
        assert card < 4 and deal.steal(3, 1 << card | 1 << 100) in (card, 100) and deal.steal(3, 1 << card) == card
    assert taken == {0, 1, 2, 3}


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_length_deals_nothing(seed):
    with pytest.raises(ValueError, match="expected 32"):
        GAME.start(2, seed)


VECTORS = json.loads((Path(__file__).parent.parent.parent / "vectors" / "exlibris.json").read_text())


@pytest.mark.parametrize("vector", VECTORS["games"], ids=lambda vector: f"{vector['seats']} seats")
def test_the_vectors_hold(vector):
    assert VECTORS["labels"] == list(LABELS)
    start = GAME.start(vector["seats"], bytes.fromhex(vector["seed"]), vector["options"])
    told = GAME.deal_to_json(start, start)
    assert told == {key: vector[key] for key in told}
    for each in vector["anew"]:
        number, things = each["number"], each["things"]
        if each["kind"] == "deck":
            assert labels_of(start.deal.new_deck(number, mask_of(map(CARD.get, things)))) == each["order"]
        else:
            assert list(start.deal.new_tiles(number, things)) == each["order"]
    for each in vector["steals"]:
        assert LABELS[start.deal.steal(each["number"], mask_of(map(CARD.get, each["hand"])))] == each["card"]
