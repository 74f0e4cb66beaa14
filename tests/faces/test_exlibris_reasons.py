"""Every reason of Ex Libris has a sentence."""

import pytest

from games.engine.core import Reason
from games.engine.exlibris.cards import CATEGORIES
from games.engine.exlibris.reasons import ALL, POINTS
from games.engine.exlibris.scoring import LINES
from games.faces.exlibris.reasons import FACTS, SENTENCES, say

EXAMPLE = {"books": CATEGORIES.index("M"), "tile": 18, "card": "A2", "other": "Z1", "points": 3, "bid": 2}
CODES = {
    *(point.code for point in POINTS),
    *(f"end {line}" for line in LINES),
    *("bid", "send special", "spare special", "keep", "take", "rivals", "public", ALL),
}


def test_there_is_a_sentence_for_each_code_and_no_other():
    assert set(SENTENCES) == CODES


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_sentence_names_its_facts(code):
    text = say(Reason(code, tuple(EXAMPLE[name] for name in FACTS.get(code, ()))))
    assert text.endswith(".")
    assert "%" not in text
    assert len(code) <= 24
    for name in FACTS.get(code, ()):
        shown = {"books": "Monster Manuals", "tile": "Reading Room"}.get(name, str(EXAMPLE[name]))
        assert shown in text


def test_a_code_that_there_is_no_more_says_nothing():
    assert say(Reason("no such code")) == ""
