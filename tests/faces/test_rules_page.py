import re
from collections import Counter

import pytest
from django.contrib.staticfiles import finders

from games.engine.biblios.cards import KIND, TEXTS
from games.engine.registry import game_of
from tests.reading import text

pytestmark = pytest.mark.django_db
GAME = game_of("biblios", 1)


@pytest.fixture
def html(client):
    response = client.get("/rules")
    assert response.status_code == 200
    return response.content.decode()


def test_every_section_can_be_jumped_to(html):
    targets = re.findall(r'<section id="(\w+)"', html)
    assert targets == re.findall(r'class="button small" href="#(\w+)"', html)
    assert {"goal", "cards", "gifts", "auctions", "church", "end", "notation", "options", "clocks", "fair"} <= {
        *targets
    }


def test_the_numbers_of_each_table_are_those_of_the_engine(html):
    for seats in GAME.seats:
        start = GAME.start(seats, bytes(32))
        cards = seats + 1
        removed = 87 - len(start.deal.deck)
        gold = {2: 6, 3: 3, 4: 0}[seats]
        out = f"{gold} gold, then {removed - gold} at random" if gold else f"{removed} at random"
        row = f"{seats} {cards} {len(start.deal.deck) // cards} {out}"
        assert row in text(html)


def test_the_numbers_of_the_cards_are_those_of_the_engine(html):
    kinds = Counter(TEXTS[kind] for kind in KIND)
    said = text(html)
    assert "87 cards: 45 in the five categories, 33 gold and 9 Church cards" in said
    assert sum(kinds.values()) == 87
    assert sum(n for code, n in kinds.items() if code[0] == "G") == 33
    assert [n for code, n in kinds.items() if code[0] == "C"] == [2, 2, 2, 2, 1]
    assert "four 2s (A to D), three 3s (E to G), two 4s (H and I)" in said
    assert "seven 1s (A to G), two 2s (H and I)" in said


def test_every_card_that_is_shown_exists(html):
    labels = re.findall(r'class="card"[^>]*aria-label="(\w[\w ]*) (\d), tie letter (\w)"', html)
    assert labels
    letters = {"Monks": "M", "Pigments": "P", "Holy Books": "H", "Manuscripts": "S", "Forbidden Tomes": "F"}
    assert all(f"{letters[name]}{value}{letter}" in TEXTS for name, value, letter in labels)
    assert "Monks 1" not in html


def test_the_church_cards_are_shown_with_their_dice(html):
    assert [html.count(f'aria-label="Church card: {what}"') for what in CHURCH] == [1] * 5


CHURCH = ("+1 on one die", "−1 on one die", "+1 on two dice", "−1 on two dice", "+1 or −1 on one die")


def test_all_presets_and_options_are_explained(html):
    said = text(html)
    for name in ("Rulebook", "Persian", "German", "Russian", "Custom", "Medieval Bluff"):
        assert name in said


def test_every_symbol_of_the_page_exists(html):
    for sheet in ("img/sprite", "biblios/pictures"):
        with open(finders.find(f"{sheet}.svg")) as file:
            symbols = set(re.findall(r'<symbol id="([^"]+)"', file.read()))
        assert set() < set(re.findall(rf'{sheet}\.\w+\.svg#([^"]+)"', html)) <= symbols
