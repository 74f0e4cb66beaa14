"""The page of a tournament in which the deal is the same for all, as one person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from typing import ClassVar, NamedTuple

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from accounts.shown import PlayerShown
from accounts.text import numbers
from games.matches.clocks import instant
from games.matches.models import Match
from games.tournaments import deals, differences, duplicate, newcomers, words
from games.tournaments.contest import Group, TournamentPage
from games.tournaments.differences import ShownQuestion
from games.tournaments.models import DealDifferences, Tournament
from games.tournaments.page import ShownTable
from games.tournaments.standing import RoundTable
from games.tournaments.tiebreaks import TieBreak


class DealSeat(NamedTuple):
    """Somebody in a seat of a deal, as the page compares them."""

    person: PlayerShown
    me: bool
    score: str
    points: int
    percent: str
    match: str


class ShownDeal(NamedTuple):
    """A deal, seat by seat."""

    number: int
    tables: int
    seats: list[tuple[int, int, list[DealSeat]]]
    """The number of the seat, the most matchpoints, and who sat there."""


class SameDealPage(TournamentPage):
    """A tournament in which the deal is the same for all. Until it closes nothing is told of its games but who sits
    where, and whether the game is over."""

    own: ClassVar[dict[str, str]] = dict.fromkeys(("me", "next", "places"), "same")

    @property
    def sealed(self) -> bool:
        return self.tournament.closed_at is None

    @property
    def alone(self) -> bool:
        """Whether it is a deal of the week, which everybody plays alone with bots."""
        return self.tournament.kind == Tournament.Kind.DEAL

    @property
    def begun(self) -> bool:
        return bool(self.standing.rounds)

    @property
    def several(self) -> bool:
        return self.alone

    @property
    def may_come(self) -> bool:
        if self.alone:
            open_ = not self.here and not self.was_here and not duplicate.over(self.tournament, self.now)
            return open_ and self.member is not None
        return super().may_come

    @cached_property
    def too_new(self) -> str:
        """Why the visitor, who could come otherwise, cannot yet; empty if they can."""
        if not self.user.is_authenticated or self.was_here or self.invited:
            return ""
        return newcomers.refusal(self.tournament, self.standing, self.user)

    @cached_property
    def newcomers(self) -> set[int]:
        """The players whom the table calls new."""
        return newcomers.of(self.tournament, self.standing)

    @property
    def deadline(self) -> datetime | None:
        until = self.tournament.settings.get("until")
        return instant(until) if until is not None and self.sealed else None

    @property
    def resting(self) -> list[PlayerShown]:
        return [self.shown[player] for player in self.standing.rounds[-1].byes] if self.begun else []

    @property
    def ready(self) -> bool:
        return not self.standing.busy and len(self.standing.rounds) < self.tournament.settings["rounds"]

    @property
    def follows(self) -> bool:
        """Whether another deal follows this one."""
        return duplicate.follows(self.tournament, self.standing)

    @property
    def breaks(self) -> tuple[TieBreak, ...]:
        return ()

    @property
    def points_said(self) -> str:
        return str(words.MATCHPOINTS)

    @property
    def rules(self) -> list[str]:
        said = [words.MEANS[self.tournament.kind], words.SEALED, words.MATCHPOINTS, words.WHO_LEFT, words.TWICE]
        return [str(each) for each in said]

    @property
    def commitments(self) -> list[str]:
        return list(self.tournament.settings["commitments"])

    @property
    def groups(self) -> list[Group]:
        return []

    @property
    def crossed(self) -> bool:
        return False

    @property
    def progress(self) -> dict[str, str]:
        return {}

    @cached_property
    def rows(self) -> Sequence[tuple[deals.DealRow, PlayerShown, str]]:
        """The table: row, player, percent. Empty before the close."""
        if self.sealed:
            return []
        return [(row, self.shown[row.player], percent(row.percent)) for row in deals.table(self.standing)]

    @property
    def winner(self) -> PlayerShown | None:
        first = [person for row, person, _percent in self.rows if row.place == 1]
        return first[0] if len(first) == 1 else None

    @cached_property
    def compared(self) -> list[ShownDeal]:
        """The deals, seat by seat. Empty before the close."""
        return [] if self.sealed else [self._deal(each) for each in deals.comparisons(self.standing)]

    @cached_property
    def _differences(self) -> DealDifferences | None:
        """What the worker found; None before, and before the close."""
        comparable = not self.sealed and deals.comparable(self.standing)
        return DealDifferences.objects.filter(tournament=self.tournament).first() if comparable else None

    @property
    def compares(self) -> bool:
        """Whether the worker has yet to look for the questions in which the tables differed."""
        return bool(self._told) and deals.comparable(self.standing) and self._differences is None

    @cached_property
    def _told(self) -> dict[str, Match]:
        """The games that count and that the visitor may see, by key: the others show nothing of what was played. Empty
        before the close."""
        keys = {key for each in deals.comparisons(self.standing) for key in deals.keys(each)}
        return {} if self.sealed else {key: self.matches[key] for key in keys & {*self.matches} if self._may_see(key)}

    @cached_property
    def differed(self) -> list[ShownQuestion]:
        """The questions in which the tables differed most. Empty before the close."""
        return differences.shown(self._differences.questions, self._told) if self._differences else []

    @property
    def judged_by(self) -> str:
        """What has judged the answers; empty if nothing has."""
        return self._differences.version if self._differences else ""

    def _deal(self, found: deals.Comparison) -> ShownDeal:
        seats = []
        for number, sat in enumerate(found.seats, 1):
            rows = [
                DealSeat(
                    self.shown[each.player],
                    each.player == self.me,
                    _score(each),
                    each.points,
                    percent(each.percent),
                    each.match if self._may_see(each.match) else "",
                )
                for each in sat
            ]
            seats.append((number, sat[0].top, rows))
        return ShownDeal(found.deal + 1, found.tables, seats)

    def _may_see(self, key: str) -> bool:
        match = self.matches[key]
        mine = any(seat.user_id == self.me for seat in match.sitting if seat.user_id)
        return mine or self.member is not None or match.watch == Match.Watch.ANYBODY

    def _table(self, number: int, index: int, table: RoundTable) -> ShownTable:
        if not self.sealed:
            found = super()._table(number, index, replace(table, places=()))
            return replace(found, status=_("Finished") if deals.counts(table) else _("Doesn’t count"))
        found = super()._table(number, index, replace(table, places=(), points=()))
        sitters = [replace(sitter, turn=False, reason="") for sitter in found.sitters]
        mine = any(sitter.me for sitter in sitters)
        status = _("Finished") if table.over else _("Being played")
        return replace(found, sitters=sitters, status=status, left="", watch=mine and found.match is not None)


def _score(each: deals.Compared) -> str:
    if each.stayed:
        return _("an opponent left")
    return _("left") if each.score is None else numbers.number(each.score)


def percent(value: Fraction) -> str:
    """Percent, as they are read."""
    return numbers.percent(float(value), 1)
