"""The table options (rules: Table options), and the numbers that depend on them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from games.engine.biblios.notation import PASS
from games.engine.core import Move
from games.engine.setup import MatchSetup

SEATS = range(2, 5)

CHOICES: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "start_die": (3, 2, 1),
        "dual_church": ("either", "both"),
        "default_on_purpose": (True, False),
        "penalty": ("transfer", "discard", "honest"),
        "final_tie": ("rulebook", "totals", "first_won", "monks"),
    }
)
"""The values of each option, the default first."""

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "rulebook": {},
        "persian": {"final_tie": "totals"},
        "german": {"dual_church": "both", "default_on_purpose": False, "final_tie": "first_won"},
        "russian": {"default_on_purpose": False, "final_tie": "monks"},
    }
)

REMOVED_OF_EACH_GOLD = {2: 2, 3: 1, 4: 0}
"""The number of gold cards of each value that are removed at set-up (rules: Set-up, 1)."""
REMOVED_AT_RANDOM = {2: 21, 3: 12, 4: 7}
"""The number of cards that are then removed at random (rules: Set-up, 2)."""
GOLD_OF_THE_TABLE = {2: 54, 3: 60, 4: 66}
"""The highest bid there is (rules: Bluff)."""


class Setup(MatchSetup):
    """What depends on the number of seats and the options."""

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        super().__init__(seats, options)
        self.start_die: int = options["start_die"]
        self.both_ways: bool = options["dual_church"] == "both"
        self.honest: bool = options["penalty"] == "honest"
        self.penalty_discards: bool = options["penalty"] == "discard"
        self.default_on_purpose: bool = options["default_on_purpose"] and not self.honest
        self.final_tie: str = options["final_tie"]
        self.highest_bid = GOLD_OF_THE_TABLE[seats]
        self.turns = {2: 20, 3: 18, 4: 16}[seats]
        self.places = 1 + 2 + 4 * (seats - 1)
        """The places of a turn still open at its beginning: see `rules.PLACES`."""
        self.bids: tuple[tuple[Move, ...], ...] = tuple(
            (PASS, *range(PASS + high + 1, PASS + self.highest_bid + 1))
            for high in range(self.highest_bid + 1)
            if not self.honest
        )
        """The answers to a bid, by the highest bid so far: pass, or anything higher. Empty under “honest”."""
        self.next_in = tuple(
            tuple(
                next((s % seats for s in range(seat + 1, seat + 1 + seats) if not out >> s % seats & 1), -1)
                for seat in range(seats)
            )
            for out in range(1 << seats)
        )
        """The next seat clockwise after a seat that is not in a set: `next_in[set][seat]`, -1 if there is none."""
