"""Boards have the digits of their language everywhere, and one minus sign."""

import re

import pytest
from django.utils import translation
from django.utils.translation import trans_real

from accounts.text.numbers import Translation, digits
from games.engine.registry import game_of
from games.faces.exlibris.words import points_text
from games.faces.language import drawing
from games.faces.slots import paint
from games.table import board
from tests.faces.scenes import Tags, Tale, elsewhere
from tests.languages import forget

pytestmark = pytest.mark.usefixtures("static_files", "persian")
READ = {
    "aria-label",
    "title",
    "alt",
    "data-news",
    "data-says",
    "data-full",
    "data-label",
    "data-best",
    "data-where",
}
"""The attributes that people read or hear, some of them through a script."""


class Persian(Translation):
    """English words with the digits that a translator would write."""

    def gettext(self, message):
        return self._said(re.sub(r"(%\(\w+\)[sd])|([0-9]+)", lambda found: found[1] or digits(found[2], "fa"), message))

    def ngettext(self, singular, plural, number):
        return self.gettext(plural)


@pytest.fixture
def persian(monkeypatch):
    """Persian, with English words."""
    forget()
    monkeypatch.setitem(trans_real._translations, "fa", Persian("fa"))
    with translation.override("fa"):
        yield
    forget()


def drawn(game, seed):
    """What is drawn of some plies of a game for each viewer: the name of the painter, and the HTML."""
    tale = Tale(f"digits {seed}", game=game)
    last = len(tale.states) - 1
    for ply in sorted({0, *range(seed, last, 15), last}):
        for me in tale.viewers:
            scene = tale.scene(ply, me)
            found = board.draw(scene := elsewhere(scene, seed) if ply % 2 else scene, board.common(scene))
            lines = [found.log.line(line, found.log.setting) for line in found.log.lines]
            yield from ((slot[0].__qualname__, str(paint(slot))) for slot in (*found.slots.values(), *lines))
            yield "facts", f"<div{paint(found.facts)}></div>"
            yield "the title of the page", paint(found.title)


@pytest.mark.parametrize("title", ["biblios", "exlibris"])
def test_people_read_persian_digits_on_a_persian_board_and_programs_ascii_digits(title):
    with drawing("fa"):
        for painter, html in set(drawn(game_of(title, 1), seed=1)):
            tags = Tags(re.sub("\0[^\0]*\0", "", html))
            attributes = [each for _, found in tags.found for each in found.items()]
            for text in (*tags.words, *(value for name, value in attributes if name in READ)):
                assert not re.search("[0-9]", text), (painter, text)
            for name, value in attributes:
                assert name in READ or not re.search("[۰-۹]", value), (painter, name, value)


def test_points_have_the_one_minus_sign():
    with drawing("en"):
        assert points_text(-3) == "−3 points" and points_text(1) == "1 point"
    with drawing("fa"):
        assert points_text(-3) == "\u200e−۳ points"
