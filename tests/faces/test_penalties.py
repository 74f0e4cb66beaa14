import pytest

from games.faces.biblios.penalty import penalties
from games.faces.biblios.story import Fine
from games.faces.biblios.words import LogItem
from games.faces.language import drawing
from games.faces.slots import SlotGroup, SlotRenderer

NAMES = "Ann", "Bob"


def fined(ply, code):
    """Bob did not pay, and Ann drew this card."""
    return Fine(ply, 1, "M2A", LogItem(1, "refuse", draws=((1, 0, code),)), ((code[0], 5),))


def of(*fines):
    return SlotGroup((penalties(fines, 0, NAMES, ended=False),))


@pytest.mark.parametrize("before", [(), (fined(70, "P3A"), fined(80, "F2B"))])
def test_of_many_penalties_only_the_new_one_is_sent(before):
    older, now = of(*before), of(*before, fined(90, "H1C"))
    with drawing("en"):
        (html,) = SlotRenderer().changes(older, now, now, older).values()
    assert html.startswith('<ol hx-swap-oob="beforeend:#penalty"><li id="penalty-90"')
    assert html.count("<h2 ") == 1
