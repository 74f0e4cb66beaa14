"""The games whose results are kept here, in words. The site's wiring registers them, because accounts know no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def nothing(won: Mapping[str, int], feats: Mapping[str, int], games: int) -> SafeString:
    """What is drawn for a game without statistics of its own."""
    return SafeString()


@dataclass(frozen=True)
class Title:
    """A game, as the pages about people speak of it."""

    slug: str
    """Its name in the rows of the archive."""
    name: StrOrPromise
    seats: Sequence[int]
    """The numbers of players."""
    too_late: StrOrPromise = ""
    """Why a game that has gone on for long is no longer aborted."""
    pools: Mapping[str, StrOrPromise] = field(default_factory=dict)
    """The names of its rating pools, by code."""
    levels: Sequence[int] = ()
    """How hard it can be to play alone, rising; empty if nobody can."""
    usual_level: int = 1
    """The one of them of which pages show the records first."""
    levels_in_words: Mapping[int, StrOrPromise] = field(default_factory=dict)
    """What each of them means, in a sentence; empty if there is one at most."""
    statistics: Callable[[Mapping[str, int], Mapping[str, int], int], SafeString] = nothing
    """Draws how often each category was won, by code, and what else was done (`ArchivedMatch.feats`), in this many
    games."""

    @property
    def first_pool(self) -> str:
        """The pool shown by default; empty if the game is not rated."""
        return next(iter(self.pools), "")


TITLES: dict[str, Title] = {}
"""By slug; the most popular one comes first."""


def register(title: Title) -> None:
    """Register a game, so that the pages about people can show it."""
    TITLES[title.slug] = title
