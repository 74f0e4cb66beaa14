"""The page of an arena, as one person sees it."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.utils.functional import cached_property

from games.matches.clocks import instant, ms_of
from games.matches.models import Match
from games.tournaments.contest import TournamentPage
from games.tournaments.formats import arena
from games.tournaments.page import ShownTable

LATEST = 24
"""How many of the games that are over the page has."""


class ArenaPage(TournamentPage):
    """An arena. Of its games, of which there can be hundreds, the page has those being played and the latest."""

    own: ClassVar[dict[str, str]] = dict.fromkeys(("me", "next", "tables", "places"), "arena")

    @property
    def several(self) -> bool:
        return True

    @property
    def ends_at(self) -> datetime:
        """When its time is over; asked once it has begun."""
        return instant(arena.ends(self.standing))

    @property
    def time_over(self) -> bool:
        return self.begun and arena.ends(self.standing) <= ms_of(self.now)

    @property
    def paused(self) -> bool:
        """Whether the visitor gets no table."""
        return self.here and self.me is not None and self.standing.entrants[self.me].paused

    @property
    def resting_players(self) -> set[int]:
        """Who is there and has paused."""
        return {player for player in self.standing.here if self.standing.entrants[player].paused}

    @property
    def others_ready(self) -> int:
        """How many others can be paired."""
        return len({*self.standing.free} - {self.me})

    @cached_property
    def _shown(self) -> list[tuple[int, int]]:
        """By round and table: the games that the page has, those being played first, then the latest."""
        found = [
            (number, index, table.over)
            for number, each in enumerate(self.standing.rounds)
            for index, table in enumerate(each.tables)
        ]
        over = [(number, index) for number, index, over in reversed(found) if over]
        return [*((number, index) for number, index, over in found if not over), *over[:LATEST]]

    @cached_property
    def matches(self) -> dict[str, Match]:
        keys = [self.standing.rounds[number].tables[index].match for number, index in self._shown]
        found = Match.objects.filter(key__in=keys).defer("secret", "link").seated() if keys else ()
        return {match.key: match for match in found}

    @cached_property
    def rounds(self) -> list[list[ShownTable]]:
        """All the games that the page has, as one round; none before it begins."""
        tables = self.standing.rounds
        found = [self._table(number, index, tables[number].tables[index]) for number, index in self._shown]
        return [found] if self.begun else []

    @cached_property
    def tables(self) -> list[ShownTable]:
        """The games that are being played, that of the visitor first."""
        found = [table for each in self.rounds for table in each if not table.table.over]
        return sorted(found, key=lambda table: not table.mine)

    @property
    def past(self) -> list[list[ShownTable]]:
        """The latest games that are over, in one list."""
        return [[table for each in self.rounds for table in each if table.table.over]]

    @property
    def done(self) -> int:
        return sum(table.over for each in self.standing.rounds for table in each.tables)

    def _number(self, number: int, index: int) -> int:
        return sum(len(each.tables) for each in self.standing.rounds[:number]) + index + 1
