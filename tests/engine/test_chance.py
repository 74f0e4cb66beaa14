"""Shuffles can be recomputed by anybody, and every order is equally likely."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest

from games.engine import chance
from games.engine.biblios.cards import CARDS, KIND, TEXTS, texts_of
from games.engine.biblios.deal import seeded

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "shuffle.json").read_text())
GAMES = pytest.mark.parametrize("vector", VECTORS["games"], ids=lambda vector: f"{vector['seats']} seats")


def seeds(number):
    for index in range(number):
        yield index.to_bytes(32, "big")


@GAMES
def test_the_vectors_hold(vector):
    secret = bytes.fromhex(vector["secret"])
    seed = chance.mix(secret, [bytes.fromhex(part) for part in vector["players"]])
    deal = seeded(vector["seats"], seed)
    assert chance.commitment(secret) == vector["commitment"]
    assert seed.hex() == vector["seed"]
    assert deal.first == vector["first"]
    assert texts_of(deal.removed) == vector["removed"]
    assert texts_of(deal.deck) == vector["deck"]
    assert list(deal.auction_order((1 << CARDS) - 1)) == vector["auction"]
    for number, steal in enumerate(vector["steals"]):
        assert deal.steal(number, sum(1 << card for card in steal["hand"])) == steal["card"]


@GAMES
def test_the_vectors_follow_from_the_words_of_the_file_alone(vector):
    """As a page in another language would do it: with HMAC, and the file's own list of cards."""

    def stream(label):
        index = 0
        while True:
            yield from hmac.new(seed, f"{label}/{index}".encode("ascii"), hashlib.sha256).digest()
            index += 1

    def below(n, stream):
        return next(byte % n for byte in stream if byte < 256 - 256 % n)

    def shuffle(things, label):
        numbers = stream(label)
        for i in range(len(things) - 1, 0, -1):
            j = below(i + 1, numbers)
            things[i], things[j] = things[j], things[i]
        return things

    cards = VECTORS["cards"]
    assert cards == [TEXTS[kind] for kind in KIND]
    seats = vector["seats"]
    joined = b"".join(bytes.fromhex(part) for part in vector["players"])
    seed = hmac.new(bytes.fromhex(vector["secret"]), joined, hashlib.sha256).digest()
    fixed = [cards.index(gold) + copy for gold in ("G1", "G2", "G3") for copy in range(4 - seats)]
    order = shuffle([card for card in range(len(cards)) if card not in fixed], "deck")
    removed = {2: 21, 3: 12, 4: 7}[seats]
    assert [cards[card] for card in fixed + order[:removed]] == vector["removed"]
    assert [cards[card] for card in order[removed:]] == vector["deck"]
    assert below(seats, stream("first")) == vector["first"]
    assert shuffle(list(range(len(cards))), "auction") == vector["auction"]
    for number, steal in enumerate(vector["steals"]):
        names = stream(f"steal {number}")
        while (card := below(78, names)) not in steal["hand"]:
            pass
        assert card == steal["card"]


@GAMES
def test_the_site_has_bytes_for_each_seat_and_a_beacon_changes_the_seed(vector):
    secret, shares = bytes.fromhex(vector["secret"]), [bytes.fromhex(share) for share in vector["players"]]
    assert [chance.site_share(secret, seat).hex() for seat in range(vector["seats"])] == vector["site"]
    assert chance.mix(secret, shares, bytes.fromhex(vector["beacon"])).hex() == vector["seed_with_beacon"]


@pytest.mark.parametrize("vector", VECTORS["seals"], ids=lambda vector: f"seat {vector['seat']}")
def test_a_seal_is_of_one_match_one_seat_and_these_bytes(vector):
    match, seat, share = vector["match"], vector["seat"], bytes.fromhex(vector["share"])
    assert chance.seal(match, seat, share) == vector["seal"]
    others = {chance.seal(match + "x", seat, share), chance.seal(match, 2, share), chance.seal(match, seat, bytes(16))}
    assert vector["seal"] not in others and len(others) == 3


def test_each_player_and_the_server_change_the_shuffle():
    secret, players = bytes(32), [bytes(16), bytes(16)]
    seed = chance.mix(secret, players)
    assert chance.mix(bytes(31) + b"\1", players) != seed
    assert chance.mix(secret, [bytes(15) + b"\1", bytes(16)]) != seed
    assert chance.mix(secret, [bytes(16), bytes(15) + b"\1"]) != seed


@pytest.mark.parametrize(("secret", "players"), [(bytes(31), []), (bytes(33), []), (bytes(32), [bytes(15)])])
def test_too_few_or_too_many_bytes_are_refused(secret, players):
    with pytest.raises(ValueError, match=r"expected 32|share of 16"):
        chance.mix(secret, players)


# Is every order equally likely? Each statistic is compared with its chi-square distribution, in standard deviations.

DEALS = 15_000
THINGS = 87


def too_far(statistic, freedom):
    """By how many standard deviations a chi-square statistic exceeds its mean, or falls short of it."""
    return abs(statistic - freedom) / sqrt(2 * freedom)


def positions_and_pairs(shuffle):
    """How far the positions of single things, and the neighbours of things, are from chance."""
    positions, pairs = Counter(), Counter()
    for seed in seeds(DEALS):
        order = shuffle(seed)
        positions.update(enumerate(order))
        pairs.update(pairwise(order))
    mean = DEALS / THINGS
    cells = [(i, j) for i in range(THINGS) for j in range(THINGS)]
    at = sum((positions[cell] - mean) ** 2 for cell in cells) / mean
    by = sum((pairs[cell] - mean) ** 2 for cell in cells if cell[0] != cell[1]) / mean
    # The rows and columns of the table have fixed sums: n (n - 1) cells' worth of variance on (n - 1)^2 degrees.
    return too_far(at * (THINGS - 1) / THINGS, (THINGS - 1) ** 2), too_far(by, THINGS * (THINGS - 1))


def fair(seed):
    return chance.shuffled(seed, "deck", range(THINGS))


def without_rejection(seed):
    numbers = chance.stream(seed, "deck")
    order = list(range(THINGS))
    for i in range(THINGS - 1, 0, -1):
        j = next(numbers) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def swapped_with_any(seed):
    numbers = chance.stream(seed, "deck")
    order = list(range(THINGS))
    for i in range(THINGS):
        j = chance.below(THINGS, numbers)
        order[i], order[j] = order[j], order[i]
    return order


def with_a_sticky_pair(seed):
    order = list(fair(seed))
    if seed[31] % 20 == 0:
        order.remove(8)
        order.insert(order.index(7) + 1, 8)
    return order


def test_cards_and_neighbours_are_where_chance_puts_them():
    at, by = positions_and_pairs(fair)
    assert at < 4
    assert by < 4


@pytest.mark.slow
@pytest.mark.parametrize("biased", [without_rejection, swapped_with_any, with_a_sticky_pair])
def test_a_planted_bias_is_found(biased):
    assert max(positions_and_pairs(biased)) > 6


def test_a_penalty_takes_every_card_of_the_hand_equally_often():
    hand = [0, 5, 44, 45, 60, 77]
    mask = sum(1 << card for card in hand)
    taken = Counter(seeded(2, seed).steal(3, mask) for seed in seeds(3000))
    assert set(taken) == set(hand)
    assert too_far(sum((taken[card] - 500) ** 2 for card in hand) / 500, len(hand) - 1) < 4


def test_what_a_penalty_takes_does_not_hang_on_the_rest_of_the_hand():
    """Duplicate play: a hand that still holds the card loses the same one."""
    for seed in seeds(200):
        deal = seeded(3, seed)
        card = deal.steal(0, 0b1111_0000_1111)
        assert deal.steal(0, 1 << card | 0b11 << 2) in (card, 2, 3)
        assert deal.steal(0, 1 << card | (0b1111_0000_1111 & 0b1010_0000_1010)) == card


def test_what_is_put_in_the_auction_pile_does_not_change_the_order_of_the_rest():
    for seed in seeds(50):
        deal = seeded(4, seed)
        fewer, more = 0b1010_1010_1010, 0b1111_1010_1110
        assert [card for card in deal.auction_order(more) if fewer >> card & 1] == list(deal.auction_order(fewer))


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_length_deals_nothing(seed):
    """HMAC fills a short key with zeros: a forgotten seed would deal everybody the same known game."""
    with pytest.raises(ValueError, match="expected 32"):
        seeded(2, seed)


def test_more_than_256_things_are_refused_rather_than_shuffled_for_ever():
    with pytest.raises(ValueError, match="expected 1 to 256"):
        chance.shuffled(bytes(32), "deck", range(257))
