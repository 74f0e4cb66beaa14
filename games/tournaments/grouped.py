"""The page of groups and the knock-out that follows them, as one person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.shown import PlayerShown
from games.tournaments.contest import BracketRound, Group, TournamentPage
from games.tournaments.formats.groups import group_phase, in_knockout
from games.tournaments.page import ShownPlace


class GroupsPage(TournamentPage):
    """Groups, then a knock-out: the tables of the groups stay when the bracket comes above them."""

    @property
    def knockout_begun(self) -> bool:
        return in_knockout(self.standing)

    @property
    def crossed(self) -> bool:
        """Not in the knock-out, whose games its tables don't tell."""
        return not self.knockout_begun and super().crossed

    @property
    def group_head(self) -> str:
        return _("Group") if len(self.standing.groups) > 1 else ""

    @cached_property
    def groups(self) -> list[Group]:
        if not self.knockout_begun:
            return super().groups
        before = replace(self, standing=group_phase(self.standing))
        before.shown = self.shown
        return before.groups

    @cached_property
    def bracket(self) -> list[BracketRound]:
        return self._bracket() if self.knockout_begun else []

    @cached_property
    def _knockout(self) -> Group:
        """The standings of the knock-out."""
        return self._group(1, self.standing.groups[0])

    @cached_property
    def rows(self) -> Sequence[tuple[ShownPlace, PlayerShown, str]]:
        if not self.knockout_begun:
            return super().rows
        return [(row, row.person, row.points) for row in self._knockout.rows]

    @property
    def winner(self) -> PlayerShown | None:
        if not self.knockout_begun:
            return super().winner if len(self.standing.groups) == 1 else None
        if self.standing.closed is None or self.standing.busy:
            return None
        first = [row.person for row in self._knockout.rows if row.place == 1]
        return first[0] if len(first) == 1 else None

    @property
    def rules(self) -> list[str]:
        through = self.tournament.settings["through"]
        told = ngettext(
            "Here the first %(n)d of each group goes on.", "Here the first %(n)d of each group go on.", through
        )
        means, *others = super().rules
        return [means, told % {"n": through}, *others]

    def _name(self, number: int) -> str:
        return _("Group %(number)d") % {"number": number}
