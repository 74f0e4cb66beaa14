"""Ex Libris where people look for a game: names of its options, and progress of a match."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy, ngettext

from games.faces.face import Option, Preset

PRESETS = {
    "rulebook": Preset(gettext_lazy("Rulebook"), gettext_lazy("All tiles, and a special assistant for each player.")),
    "beginner": Preset(
        gettext_lazy("Beginner"), gettext_lazy("Three standard assistants each, and only the simpler tiles.")
    ),
    "peaceful": Preset(
        gettext_lazy("Peaceful"), gettext_lazy("Without the tiles and assistants that take something from others.")
    ),
    "first_game": Preset(gettext_lazy("First game"), gettext_lazy("Both simple and peaceful: the fewest tiles.")),
    "long": Preset(gettext_lazy("Long"), gettext_lazy("The game ends three filled cells later.")),
    "russian": Preset(
        gettext_lazy("Russian"),
        gettext_lazy(
            "As the Russian rules say: discards from hand or shelf, an order check by number, an end by cards, and a "
            "second place without a prominent book."
        ),
    ),
}

LEVELS = tuple(range(1, 8))
CHOICES: Mapping[str, Option] = {
    "libraries": Option(
        gettext_lazy("Assistants"),
        {"special": gettext_lazy("One special, two standard"), "basic": gettext_lazy("Three standard")},
        {
            "special": gettext_lazy("Each player keeps one of two libraries, with its special assistant."),
            "basic": gettext_lazy("There are no special assistants, and six of the tiles are not in the game."),
        },
    ),
    "conflict": Option(
        gettext_lazy("Taking from others"),
        {True: gettext_lazy("Allowed"), False: gettext_lazy("Left out")},
        {
            True: gettext_lazy("Some tiles and assistants take something from other players."),
            False: gettext_lazy("Tiles and assistants that take something from others are not in the game."),
        },
    ),
    "length": Option(
        gettext_lazy("Length"),
        {"normal": gettext_lazy("Normal"), "long": gettext_lazy("Long")},
        {
            "normal": gettext_lazy("A shelf of 16, 14 or 12 cells (2, 3 or 4 players) brings the last round."),
            "long": gettext_lazy("A shelf of 19, 17 or 15 cells (2, 3 or 4 players) brings the last round."),
        },
    ),
    "difficulty": Option(
        gettext_lazy("Difficulty, playing alone"),
        {level: str(level) for level in LEVELS},
        {
            1: gettext_lazy("1 card a round for the public library; our bot wins nearly always."),
            2: gettext_lazy("2 cards a round for the public library; our bot wins 19 of 20."),
            3: gettext_lazy("3 cards a round for the public library; our bot wins 3 of 4."),
            4: gettext_lazy("4 cards a round for the public library; our bot wins 2 of 5."),
            5: gettext_lazy("5 cards a round for the public library; our bot wins 1 of 10."),
            6: gettext_lazy("6 cards a round for the public library; our bot wins 1 of 40."),
            7: gettext_lazy("7 cards a round for the public library; our bot wins 1 of 200."),
        },
    ),
    "discards": Option(
        gettext_lazy("Discards"),
        {"stated": gettext_lazy("As the effect says"), "either": gettext_lazy("From hand or shelf")},
        {
            "stated": gettext_lazy("Where an effect says “a hand card”, only hand cards are discarded."),
            "either": gettext_lazy(
                "Every discard may come from hand or shelf; the shelf must stay in one piece. What is given, sold or "
                "swapped comes from the hand."
            ),
        },
    ),
    "order_check": Option(
        gettext_lazy("Order check"),
        {"reading": gettext_lazy("Cell by cell"), "ascending": gettext_lazy("By ascending number")},
        {
            "reading": gettext_lazy(
                "Row by row, a card that comes before the last one that stayed up is turned down: of Z1 A2 B3, A2 and "
                "B3."
            ),
            "ascending": gettext_lazy(
                "From A1 to Z2, a card that lies before the last one that stayed up is turned down: of Z1 A2 B3, Z1."
            ),
        },
    ),
    "end_count": Option(
        gettext_lazy("What brings the end"),
        {"cells": gettext_lazy("Filled cells"), "cards": gettext_lazy("Cards")},
        {
            "cells": gettext_lazy("The cells of a shelf bring the last round; entombed cards don’t count."),
            "cards": gettext_lazy("The cards of a shelf bring the last round, entombed ones too."),
        },
    ),
    "no_books": Option(
        gettext_lazy("No prominent book"),
        {"nothing": gettext_lazy("No place"), "place": gettext_lazy("A place like any other")},
        {
            "nothing": gettext_lazy("Without a book of the prominent category you score nothing for it."),
            "place": gettext_lazy("Without a book of the prominent category you can still be second, or third, in it."),
        },
    ),
}
"""All table options, the weightiest first."""


def moot(options: Mapping[str, Any]) -> Collection[str]:
    """The options that mean nothing beside the others: without special assistants no card is entombed."""
    return ("end_count",) if options["libraries"] == "basic" else ()


def progress(places: int, options: Mapping[str, Any], moves: Iterable[str]) -> str:
    """The progress of a game: how many cards were shelved."""
    shelved = sum(move.startswith("shelve ") for move in moves)
    return ngettext("%(cards)d card shelved", "%(cards)d cards shelved", shelved) % {"cards": shelved}
