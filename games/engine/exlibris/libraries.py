"""The 12 libraries and their special assistants as data (rules: Libraries and assistants); see `assistants`."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.exlibris.tiles import INFERRED, RECONSTRUCTED, SOURCED


class Library(NamedTuple):
    """A library, known by its special assistant."""

    code: str
    name: str
    """Of the assistant."""
    source: str
    """Where its ability comes from: see `tiles`."""
    peaceful: bool = True
    """Whether it is in the game with `conflict=false`."""
    solo: bool = False
    """Whether it is in the solo game."""

    @property
    def name_source(self) -> str:
        """Where the name of the library comes from: the Russian rules name four, without their assistants."""
        return RECONSTRUCTED if self.peaceful else INFERRED


LIBRARIES = (
    Library("GOB", "Goblin Sneak", SOURCED, peaceful=False),
    Library("AUT", "Automaton", SOURCED, solo=True),
    Library("MUM", "Mummy", SOURCED, solo=True),
    Library("CUB", "Gelatinous Cube", SOURCED, peaceful=False),
    Library("SAS", "Sasquatch", SOURCED),
    Library("WRM", "Bookworm", SOURCED, solo=True),
    Library("SNO", "Snowman", INFERRED, peaceful=False),
    Library("IMP", "Fire Imp", INFERRED, peaceful=False, solo=True),
    Library("GHO", "Ghost", INFERRED),
    Library("GOL", "Golem", INFERRED, solo=True),
    Library("WIZ", "Wizard", RECONSTRUCTED, solo=True),
    Library("WIT", "Witch", RECONSTRUCTED, solo=True),
)
CODES = tuple(library.code for library in LIBRARIES)
GOB, AUT, MUM, CUB, SAS, WRM, SNO, IMP, GHO, GOL, WIZ, WIT = range(len(LIBRARIES))
"""A library as a number: its place in the list."""
HOME_ACTION_SOURCE = INFERRED
"""Where it comes from that one draws or shelves in one's library: what assistants do there tells it."""
NO_LIBRARY = -1
"""Not chosen yet, or none in the game."""
