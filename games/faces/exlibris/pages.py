"""Ex Libris on the pages beside the table: rules, home, statistics, and a game seen from afar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.engine.exlibris.libraries import LIBRARIES
from games.engine.exlibris.options import CELLS, setup
from games.engine.exlibris.tiles import TILES
from games.faces.exlibris import terms, words
from games.faces.exlibris.art import CATEGORIES, book, own, pawn, picture, source_tag
from games.faces.face import CUSTOM

SHOWN = (22, 47, 81, 98)
"""The cards on the home page: C5, G1, M4, P4."""
SIGNS = (3, 0, 5)


def rules() -> dict[str, Any]:
    """The context of the rules page: every tile and assistant with its effect and its source, options in words."""
    game = terms.GAME
    of = setup(4, game.options())
    return {
        "categories": [(mark_safe(book(number)), name) for number, name in enumerate(CATEGORIES)],
        "cards": [mark_safe(picture(card, SIGNS)) for card in SHOWN],
        "tiles": [
            {
                "number": tile.number,
                "name": words.TILE_NAMES[tile.number],
                "effect": words.TILE_EFFECTS[tile.number],
                "when": _("instant") if tile.instant else _("delayed"),
                "spaces": of.spaces[tile.number],
                "source": mark_safe(source_tag(tile.source)),
                "picture": own(f"h-{tile.number}", "ex-art"),
            }
            for tile in TILES.values()
        ],
        "assistants": [
            {
                "name": words.ASSISTANTS[library.code],
                "ability": words.ABILITIES[library.code],
                "source": mark_safe(source_tag(library.source)),
                "picture": mark_safe(pawn(0, number)),
            }
            for number, library in enumerate(LIBRARIES)
        ],
        "limits": [(seats, cells, CELLS["long"][seats]) for seats, cells in CELLS["normal"].items()],
        "presets": [{"name": it.label, "text": it.explanation} for it in (*terms.PRESETS.values(), CUSTOM)],
        "options": [
            {
                "name": option.label,
                "values": [(name, option.explanation[value]) for value, name in option.values.items()],
            }
            for name, option in terms.CHOICES.items()
            if name != "difficulty"
        ],
        "reconstructed": sum(tile.source == "R" for tile in TILES.values()),
    }


def home() -> dict[str, Any]:
    """The context of the home page: some cards, some houses."""
    return {
        "cards": [mark_safe(picture(card, SIGNS)) for card in SHOWN],
        "houses": [own(f"h-{tile}", "ex-art") for tile in (1, 5, 16, 18)],
    }


def statistics(won: Mapping[str, int], feats: Mapping[str, int], games: int) -> dict[str, Any]:
    """Ex Libris keeps no figures of its own yet."""
    return {"games": games}


def far(options: Mapping[str, Any], moves: Iterable[str]) -> SafeString:
    """A game from afar: how many cards are shelved, as spines on a board."""
    shelved = sum(move.startswith("shelve ") for move in moves)
    return render_to_string("board/exlibris/picture.html", {"spines": range(min(24, shelved))})
