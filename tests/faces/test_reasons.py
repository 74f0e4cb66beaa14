"""The sentences for reasons of Biblios."""

import re

import pytest

from games.engine.biblios.reasons import CODES
from games.engine.core import Reason
from games.faces.biblios.reasons import SENTENCES
from games.faces.registry import face_of
from tests.engine.biblios.sitting import GAME

FACE = face_of(GAME)
EXAMPLES = {"card": "M4H", "other": "G2", "category": "F"}


def test_each_code_has_a_sentence_that_says_its_facts():
    assert set(SENTENCES) == set(CODES)
    for code, text in SENTENCES.items():
        assert set(re.findall(r"%\((\w+)\)s", text)) == set(CODES[code]), code


@pytest.mark.parametrize("code", CODES)
def test_a_reason_is_one_or_two_sentences_about_the_game(code):
    text = FACE.reason(Reason(code, tuple(EXAMPLES.get(name, 7) for name in CODES[code])))
    assert text[0].isupper() and text[-1] == "."
    assert "%" not in text and len(text) <= 160
    assert not re.search(r"\b(you|your)\b", text, re.I)


def test_cards_and_categories_have_their_names():
    text = FACE.reason(Reason("leads", ("M4H", "M", 6, 3)))
    assert text == "With Monks 4 H this hand comes to 6 in Monks, ahead of the 3 seen elsewhere."


def test_a_reason_of_an_older_review_that_is_no_longer_given_is_left_out():
    assert FACE.reason(Reason("of-old", ("M4H",))) == ""
    assert FACE.reason(Reason("leads", ("M4H",))) == ""
