"""The pictures of the 45 cards: one for each, plainer from A to I, and none on a card that is hidden."""

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.contrib.staticfiles import finders

from games.engine.biblios.cards import HIDDEN, LETTERS, TEXTS
from games.faces.biblios.art import BACK, CARDS, code_of, picture
from games.faces.biblios.illuminations import ILLUMINATIONS
from games.faces.biblios.poster import poster
from games.faces.poster import parts, symbols
from tests.faces.scenes import Tale
from tests.reading import text

pytestmark = pytest.mark.usefixtures("static_files")
CODES = [code for code in TEXTS if len(code) == 3 and code[0] != "C"]


def shown(drawn):
    """The pictures of the sheet of cards that a card shows."""
    return re.findall(r'cards\.\w+\.svg#([^"]+)"', str(drawn))


def test_every_card_has_a_picture_of_its_own_and_a_name():
    assert len(CODES) == 45
    assert [shown(picture(code)) for code in CODES] == [[code] for code in CODES]
    assert len({symbols(CARDS)[code] for code in CODES}) == 45
    assert list(ILLUMINATIONS) == CODES
    assert len({str(name) for name in ILLUMINATIONS.values()}) == 45


def test_all_that_is_on_cards_is_in_the_sheet():
    for code in (*TEXTS, "C±", BACK):
        (name,) = shown(picture(code))
        assert name in symbols(CARDS)


def test_the_style_sheet_knows_all_parts_of_a_card_and_no_others():
    """They are told apart by their tags."""
    css = Path(finders.find("biblios/pieces.css")).read_text()
    styled = {*re.findall(r"\.card[^ >{,]*>([a-z]+)", css), *re.findall(r"\.card\)>([a-z]+)", css)}
    drawn = {tag for code in (*TEXTS, "C±") for tag in re.findall(r"<([a-z]+)", str(picture(code)))}
    assert styled == drawn - {"span", "svg", "use"}


def test_whatever_a_picture_is_made_of_exists():
    for drawn in (parts(CARDS), *[inside for _frame, inside in symbols(CARDS).values()]):
        known = {*re.findall(r' id="([^"]+)"', parts(CARDS) + drawn), *symbols(CARDS)}
        assert {*re.findall(r'href="#([^"]+)"', drawn)} <= known


def test_the_letter_is_in_the_border_and_borders_get_plainer():
    for code in CODES:
        _frame, inside = symbols(CARDS)[code]
        assert re.findall(r'"#b-(\w)"/>', inside) == [code[2]]
    borders = {part.get("id"): part for part in ElementTree.fromstring(parts(CARDS))}
    strokes = []
    for letter in LETTERS:
        drawn = " ".join([part.get("d", "") for part in borders[f"b-{letter}"].iter()])
        strokes.append(len(re.findall("[a-z]", drawn, re.IGNORECASE)))
    assert strokes == sorted({*strokes}, reverse=True)
    assert strokes[0] > 2 * strokes[3] > 4 * strokes[8] > 0


def test_all_hidden_cards_look_alike():
    back = picture(code_of(HIDDEN))
    assert shown(back) == [BACK]
    assert not any(unescape(str(name)) in back for name in ILLUMINATIONS.values())
    assert "data-cat" not in back


def test_the_picture_of_a_result_has_the_cards_of_the_winner_and_all_they_are_made_of():
    tale = Tale("verdicts", seats=4)
    drawn = poster(tale.scene(len(tale.moves), None), "today", "example.org")
    assert sum(symbols(CARDS)[code][1] in drawn for code in CODES) == 3
    assert {*re.findall(r'href="#([^"]+)"', drawn)} <= {*re.findall(r' id="([^"]+)"', drawn)}
    assert "var(" not in drawn


@pytest.mark.django_db
def test_all_cards_can_be_looked_at_and_the_rules_lead_there(client):
    assert 'href="/rules/biblios/cards"' in client.get("/rules/biblios").content.decode()
    html = client.get("/rules/biblios/cards").content.decode()
    assert [name for name in shown(html) if name in CODES] == CODES
    assert html.count('data-cat="C"') > 5 and "11 in the deck" in text(html)
    assert re.findall(r'<section id="(\w+)"', html) == re.findall(r'class="button small" href="#(\w+)"', html)
    for missing in ("exlibris", "none"):
        assert client.get(f"/rules/{missing}/cards").status_code == 404
