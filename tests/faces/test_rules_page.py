"""The rules pages: of each title, and of what is the same in all."""

import re
from collections import Counter

import pytest
from django.contrib.staticfiles import finders

from games.engine.biblios.cards import KIND, TEXTS
from games.engine.exlibris.libraries import LIBRARIES
from games.engine.exlibris.tiles import TILES
from games.engine.registry import game_of
from tests.reading import text

pytestmark = pytest.mark.django_db
GAME = game_of("biblios", 1)


@pytest.fixture
def html(client):
    response = client.get("/rules/biblios")
    assert response.status_code == 200
    return response.content.decode()


def test_every_section_can_be_jumped_to(html):
    targets = re.findall(r'<section id="(\w+)"', html)
    assert targets == re.findall(r'class="button small" href="#(\w+)"', html)
    assert {"goal", "cards", "gifts", "auctions", "church", "end", "notation", "options", "clocks"} <= {*targets}


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


def sections(html):
    return re.findall(r'<section id="(\w+)"', html)


def jumps(html):
    return re.findall(r'class="button small" href="#(\w+)"', html)


def test_what_is_the_same_in_all_games_has_a_page_which_leads_to_the_rules_of_each(client):
    html = client.get("/rules").content.decode()
    assert sections(html) == jumps(html) == ["clocks", "fair", "ratings"]
    for slug, other in (("biblios", "exlibris"), ("exlibris", "biblios")):
        assert f'href="/rules/{slug}"' in html
        assert f'href="/rules/{other}"' in client.get(f"/rules/{slug}").content.decode()


@pytest.fixture
def librarians(client):
    return client.get("/rules/exlibris").content.decode()


def test_every_section_of_ex_libris_can_be_jumped_to(librarians):
    assert jumps(librarians) == sections(librarians)
    assert {"goal", "round", "shelving", "tiles", "assistants", "end", "solo"} <= {*sections(librarians)}


def test_every_tile_and_assistant_says_where_its_effect_comes_from(librarians):
    """Eleven tiles and two assistants are reconstructions, and are marked one by one."""
    tiles, assistants = librarians.split('<section id="tiles"')[1].split('<section id="assistants"')
    assert [tile.count("</abbr>") for tile in tiles.split("<li")[1:]] == [1] * 18
    assert tiles.count("</abbr> reconstructed") == sum(tile.source == "R" for tile in TILES.values()) == 11
    assistants = assistants.split("</section>")[0]
    assert [one.count("</abbr>") for one in assistants.split("<li")[1:]] == [2] * 12, "the library, and the ability"
    assert assistants.count("</abbr> reconstructed") == sum(it.source == "R" for it in LIBRARIES) == 2
    assert "11 tiles are reconstructions." in text(tiles) and "2 of them are reconstructions." in text(assistants)


def test_each_library_has_a_name_four_of_them_inferred(librarians):
    said = text(librarians)
    for assistant, library in (("Goblin Sneak", "Caves of Cognition"), ("Ghost", "Haunted Stacks")):
        assert f"{assistant} {library}" in said
    sources = [library.name_source for library in LIBRARIES]
    assert (sources.count("I"), sources.count("R")) == (4, 8)


def test_what_the_rules_leave_open_is_marked_and_what_they_say_otherwise_is_an_option(librarians):
    said = text(librarians)
    for sentence in (
        "The first player is drawn by lot.",
        "Tiles that stayed get new cards too.",
        "You must send one if you have one left.",
        "Going home is no visit.",
        "Round 15 is the last in any case.",
        "Cards face down have no books, but fill their cell.",
        "Who is still tied shares the place.",
    ):
        assert f"{sentence} ours" in said
    assert said.count("Option: ") == 3 and "discard come from hand or shelf: that is an option." in said
    assert "of Z1 A2 B3, Z1." in said and "you can still be second" in said


def test_the_numbers_of_ex_libris_are_those_of_the_engine(librarians):
    said = text(librarians)
    assert "152 cards in the order of the alphabet" in said
    assert "510 books, 85 of each category" in said
    assert "2 16 19 3 14 17 4 12 15" in said
    assert "16 Sealed Archive delayed · 1, 2, 3 spaces with 2, 3, 4 players · 4 cards face down" in said


def test_the_example_of_scoring_is_that_of_the_rules(librarians):
    said = text(librarians)
    assert "Stability 6" in said and "Prominent 15 2 books" in said and "Banned −3" in said
    assert "Variety 3" in said and "Focus 8" in said and "Sum 29" in said
