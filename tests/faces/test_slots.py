"""Every slot of every game is decided by its key, in each language; what all viewers see alike is nobody's own."""

import re
from random import Random

import pytest

from accounts.shown import PlayerShown
from games.faces.language import drawing
from games.faces.paint import icon
from games.faces.slots import brief, paint
from games.table import board
from tests.faces.scenes import Tags, Tale, elsewhere, page_of
from tests.languages import LANGUAGES, forget

pytestmark = pytest.mark.usefixtures("static_files", "languages")


def places(game, tales, plies):
    """Games, some of their plies with the last, and a seed for the table at which they are played."""
    for number in range(tales):
        tale = Tale(f"slots {number}", game=game)
        last = len(tale.states) - 1
        for ply in (*Random(number).sample(range(last), min(plies, last)), last):
            yield tale, ply, f"{number} {ply}"


def painters_of(drawn):
    """All slots of a board and whatever else is painted from a key, by name."""
    log = drawn.log
    lines = {f"line {line.id}": log.line(line, log.setting) for line in log.lines}
    return drawn.slots | lines | {"facts": drawn.facts, "title of the page": drawn.title}


@pytest.mark.slow
def test_the_key_of_a_slot_decides_its_html(game):
    seen = {}
    for tale, ply, seed in places(game, 3, 5):
        forget()
        common = board.common(elsewhere(tale.scene(ply, None), seed))
        for me in tale.viewers:
            for language in LANGUAGES:
                with drawing(language):
                    drawn = board.draw(elsewhere(tale.scene(ply, me), seed), common)
                    for name, slot in painters_of(drawn).items():
                        html = str(paint(slot))
                        assert seen.setdefault((language, slot), html) == html, f"{name} is not decided by {slot}"
    # Once more in another order, with much drawn in between in other languages.
    again = list(seen.items())
    Random(1).shuffle(again)
    for (language, slot), html in again:
        with drawing(language):
            assert paint(slot) == html, f"{slot} is not what decides its HTML"
    words = {slot for (language, slot), html in again if seen.get(("en", slot), html) != html}
    assert len(words) > 50 and len(seen) > 3 * len(words)


def test_a_slot_is_the_element_with_its_name(game):
    for tale, ply, seed in places(game, 4, 5):
        for me in tale.viewers:
            scene = elsewhere(tale.scene(ply, me), seed)
            for name, slot in board.draw(scene, board.common(scene)).slots.items():
                assert f' id="{name}"' in str(paint(slot)).partition(">")[0]


def test_what_all_see_alike_says_nothing_of_a_viewer_and_speaks_no_language(game):
    for tale, ply, seed in places(game, 4, 6):
        watched = board.common(elsewhere(tale.scene(ply, None), seed)).group.slots
        for me, language in zip(tale.viewers, LANGUAGES * 2, strict=False):
            with drawing(language):
                assert board.common(elsewhere(tale.scene(ply, me), seed)).group.slots == watched


def test_a_message_names_the_sheet_of_a_picture_and_gives_no_address():
    """Portraits too, which are not pictures of a face."""
    portrait = str(PlayerShown("Notker", avatar="friar-woad-2", bot=True).square)
    for html in (portrait, str(icon("flag"))):
        assert ".svg#" in html and ".svg" not in brief(html)


def test_a_name_is_nothing_but_text(game):
    for tale, ply, seed in places(game, 3, 3):
        for me in tale.viewers:
            for html in page_of(elsewhere(tale.scene(ply, me), seed)).values():
                for tag, attributes in Tags(html):
                    assert tag != "u" and all(re.fullmatch("[a-z-]+", name) for name in attributes), html
