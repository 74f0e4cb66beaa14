"""The street of Ex Libris as HTML: what a house says, its doors, its windows, and the light of the day."""

import re

import pytest

from games.engine.exlibris.cards import HIDDEN, NONE
from games.engine.exlibris.tiles import AUCTION_HOUSE, GAMBLING_HOUSE, SEALED_ARCHIVE, TAX_COLLECTOR, TILES
from games.faces.exlibris.town import DUSK, MORNING, draw_seen, draw_tile, draw_town, light_of
from games.faces.exlibris.words import TILE_SIGNS, tile_effect
from tests.engine.exlibris.sitting import cards
from tests.faces.scenes import words

pytestmark = pytest.mark.usefixtures("static_files")
NAMES = ("Ann", "Bob")
NO_SIGNS = None, None, None


def house(tile, lies=(), guests=(), spaces=2, peeked=()):
    """The HTML of a tile with these cards and guests, all of them standard assistants."""
    libraries = (-1,) * len(guests)
    return draw_tile(tile, lies, guests, libraries, NAMES, False, spaces, NO_SIGNS, peeked, False)


@pytest.mark.parametrize("tile", TILES)
def test_a_house_says_in_short_and_in_full_what_it_does_and_when(tile):
    html = house(tile)
    kind, when = ("inst", "Instant") if TILES[tile].instant else ("del", "Delayed")
    assert words(re.findall(r'class="ex-short".*?</span>', html)[0].partition(">")[2]) == str(TILE_SIGNS[tile])
    assert len(str(TILE_SIGNS[tile])) < 60, "three lines of a sign"
    assert f'<b class="ex-word {kind}">{when}.</b>' in html
    assert str(tile_effect(tile, False)) in words(html)
    assert html.count('tabindex="0"') == 1, "the sign opens by the keyboard"


def test_who_came_stands_at_the_doors_in_order_before_the_free_ones_and_a_full_house_says_so():
    half, full = house(7, guests=(2, 0), spaces=3), house(7, guests=(2, 0), spaces=2)
    assert re.findall(r'title="(\w+): standard|"ex-door (ex-space)', half) == [
        ("Bob", ""),
        ("Ann", ""),
        ("", "ex-space"),
    ]
    assert 'class="ex-house"' in half and "ex-full" not in half
    assert 'class="ex-house full"' in full and '<span class="ex-full">full</span>' in full


@pytest.mark.parametrize(("bid", "full"), [(3, False), (4, True)])
def test_above_the_highest_bid_the_auction_house_is_full(bid, full):
    html = house(AUCTION_HOUSE, guests=(bid << 3,), spaces=4)
    assert ("ex-full" in html) is full
    assert html.count("ex-bid") == 4 and html.count("ex-space") == 3


def test_the_windows_of_the_archive_keep_their_places_and_the_pot_is_counted():
    (seen,) = cards("C5")
    archive = house(SEALED_ARCHIVE, (HIDDEN, NONE, HIDDEN, HIDDEN), peeked=(2, 0, 0, 0))
    order = re.findall(r"ex-gone|Card in place (\d), face down(; seen by Bob)?", archive)
    assert order == [("1", "; seen by Bob"), ("", ""), ("3", ""), ("4", "")]
    assert re.findall(r'data-place="(\d)".*?aria-label="(\w+):', draw_seen([(3, seen)], NO_SIGNS)) == [("3", "C5")]
    assert "Pot: 2 cards" in words(house(GAMBLING_HOUSE, tuple(cards("C5 A2"))))
    assert "Pot" not in words(house(GAMBLING_HOUSE))


def test_the_numbers_lead_to_the_houses_and_name_the_one_that_acts():
    html = draw_town((2, TAX_COLLECTOR), TAX_COLLECTOR, True, 3)
    links = re.findall(r'<a class="(\w+)" href="#(place-\d+)"( aria-current="step")?', html)
    assert links == [("inst", "place-2", ""), ("del", "place-11", ' aria-current="step"')]
    assert 'class="ex-town lights" data-light="3"' in html


def test_the_day_goes_from_morning_to_dusk_and_only_the_last_round_is_at_dusk():
    alone = [light_of(round_, round_ == 5, True) for round_ in range(1, 6)]
    assert alone == [*range(MORNING, DUSK + 1)]
    long = [light_of(round_, False, False) for round_ in range(15)]
    assert long == sorted(long) and long[0] == MORNING and long[-1] < DUSK
    assert light_of(4, True, False) == DUSK
