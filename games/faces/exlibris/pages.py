"""Ex Libris on the pages beside the table: home, statistics, and a game seen from afar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.template.defaultfilters import floatformat
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from games.engine.exlibris.libraries import CODES
from games.faces.exlibris.art import own, pawn, picture
from games.faces.language import _

LINES = {
    "stability": gettext_lazy("Stability"),
    "prominent": gettext_lazy("Prominent"),
    "banned": gettext_lazy("Banned"),
    "variety": gettext_lazy("Variety"),
    "focus": gettext_lazy("Focus"),
}
"""The lines of the score, as `Game.feats` counts them."""
MOST = 30
"""The points that fill the bar of a line."""
SHOWN = (1, 22, 47, 81, 98)
"""The cards on the home page, as numbers: A2, C5, G1, M4, P4."""
SIGNS = (3, 0, 5)
"""The prominent and the banned category and the focus there."""


def home() -> dict[str, Any]:
    """The context of the home page: a street of houses with some assistants, and a row of cards in order."""
    street = ((1, pawn(0)), (5, ""), (16, pawn(0, CODES.index("WIT"))), (8, ""), (18, pawn(0, CODES.index("SNO"))))
    return {
        "cards": [mark_safe(picture(card, SIGNS)) for card in SHOWN],
        "houses": [(own(f"h-{tile}", "ex-art"), mark_safe(visitor)) for tile, visitor in street],
    }


def statistics(won: Mapping[str, int], feats: Mapping[str, int], games: int) -> dict[str, Any]:
    """What a game brought on average, of those that were played to their end: points by line of the score, and what
    was done for them (`feats`)."""
    whole = max(1, feats.get("whole", 0))
    lines = [(name, feats.get(code, 0) / whole, code == "banned") for code, name in LINES.items()]
    return {
        "lines": [
            (name, floatformat(-points if lost else points, 1), min(100, round(100 * points / MOST)))
            for name, points, lost in lines
        ],
        "feats": [
            (_("Cards shelved"), feats.get("shelved", 0) / games),
            (_("Face down at the end"), feats.get("down", 0) / whole),
            (_("Visits"), feats.get("visits", 0) / games),
        ],
    }


def far(options: Mapping[str, Any], moves: Iterable[str]) -> SafeString:
    """A game from afar: how many cards are shelved, as spines on a board."""
    shelved = sum(move.startswith("shelve ") for move in moves)
    return render_to_string("board/exlibris/picture.html", {"spines": range(min(24, shelved))})
