"""The table options (rules: Table options), and the numbers that depend on them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from games.engine.exlibris.libraries import LIBRARIES
from games.engine.exlibris.shelf import Shelf, entombed
from games.engine.exlibris.tiles import DIVINERS_HUT, TILES
from games.engine.setup import MatchSetup

SEATS = range(1, 5)

CHOICES: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "libraries": ("special", "basic"),
        "conflict": (True, False),
        "length": ("normal", "long"),
        "difficulty": (1, 2, 3, 4, 5, 6, 7),
        "discards": ("stated", "either"),
        "order_check": ("reading", "ascending"),
        "end_count": ("cells", "cards"),
        "no_books": ("nothing", "place"),
    }
)
"""The values of each option, the default first."""
LATER = frozenset(("discards", "order_check", "end_count", "no_books"))
"""The options that older records do not have."""

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "rulebook": {},
        "beginner": {"libraries": "basic"},
        "peaceful": {"conflict": False},
        "first_game": {"libraries": "basic", "conflict": False},
        "long": {"length": "long"},
        "russian": {"discards": "either", "order_check": "ascending", "end_count": "cards", "no_books": "place"},
    }
)

CELLS = {"normal": {2: 16, 3: 14, 4: 12}, "long": {2: 19, 3: 17, 4: 15}}
"""The number of filled cells, or cards, on a shelf after which the next round is the last (rules: Round, 4)."""
LAST_ROUND = 15
LAST_SOLO_ROUND = 5
SOLO_TILES_IN_PLAY = 6


class Setup(MatchSetup):
    """What depends on the number of seats and the options."""

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        super().__init__(seats, options)
        self.solo = seats == 1
        self.special: bool = self.solo or options["libraries"] == "special"
        """Whether there are special assistants."""
        self.assistants = 3 if self.solo or not self.special else 2
        """The number of standard assistants of each player."""
        self.cells: int = 1000 if self.solo else CELLS[options["length"]][seats]
        """The number of filled cells, or cards, on a shelf after which the next round is the last."""
        self.from_shelf: bool = options.get("discards") == "either"
        """Whether cards are discarded from the shelf too where an effect says “a hand card”."""
        self.ascending: bool = options.get("order_check") == "ascending"
        """Whether the order check goes by number, not by cells."""
        self.counts_cards: bool = options.get("end_count") == "cards"
        """Whether the end comes by cards, those entombed too, not by cells."""
        self.place_without_books: bool = options.get("no_books") == "place"
        """Whether a player without a prominent book takes a place."""
        self.last_round = LAST_SOLO_ROUND if self.solo else LAST_ROUND
        self.difficulty: int = options["difficulty"] if self.solo else 0
        """The number of cards discarded at the start of a round."""
        self.tiles = tuple(
            tile.number
            for tile in TILES.values()
            if (
                tile.solo
                if self.solo
                else tile.number != DIVINERS_HUT
                and (self.special or tile.basic)
                and (options["conflict"] or tile.peaceful)
            )
        )
        """The tiles that are shuffled: with more than one player, all in the game but the Hut."""
        self.libraries = tuple(
            number
            for number, library in enumerate(LIBRARIES)
            if self.special and (library.solo if self.solo else options["conflict"] or library.peaceful)
        )
        """The libraries from which two are dealt to each; none with basic libraries."""
        self.spaces = tuple(
            always + (seats >= 3) * more + (seats >= 4) * most
            for always, more, most in ((0, 0, 0), *(tile.spaces for tile in TILES.values()))
        )
        """By number of a tile, how many assistants have a space there."""

    def counted(self, shelf: Shelf) -> int:
        """How much of a shelf counts towards the end: its filled cells, or its cards."""
        return len(shelf) + (entombed(shelf) if self.counts_cards else 0)
