"""Ex Libris on the pages beside the table: home, statistics, and a game seen from afar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.engine.exlibris.libraries import CODES
from games.faces.exlibris.art import own, pawn, picture

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
    """Ex Libris keeps no figures of its own yet."""
    return {"games": games}


def far(options: Mapping[str, Any], moves: Iterable[str]) -> SafeString:
    """A game from afar: how many cards are shelved, as spines on a board."""
    shelved = sum(move.startswith("shelve ") for move in moves)
    return render_to_string("board/exlibris/picture.html", {"spines": range(min(24, shelved))})
