"""The kinds of events that a steward can set, what there is to choose for each, and how long it takes.

A new kind of tournament gets a line here, beside its `Format` and its settings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil, log2
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from games.calendar.models import CalendarEvent
from games.tournaments import plan
from games.tournaments.models import Tournament
from games.tournaments.settings import OF

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Kind = Tournament.Kind
Rounds = Callable[[int, Mapping[str, Any]], int]
"""How many rounds so many people play with these settings."""


class EventKind(NamedTuple):
    """A kind of event, as the form for a new one offers it."""

    means: StrPromise
    """What it is, in a sentence."""
    event: CalendarEvent.Kind | None
    """What it is in the calendar; None: it is opened at once and stands in no calendar."""
    tournament: Kind | None = None
    """What is opened for it; None: people just meet."""
    rounds: Rounds | None = None
    """None: nobody knows beforehand."""
    own: tuple[str, ...] = ()
    """Those of its settings that `games.tournaments.settings` does not know."""

    @property
    def label(self) -> StrPromise:
        """What it is called."""
        return self.tournament.label if self.tournament else CalendarEvent.Kind.MEET.label

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of its own settings."""
        return (*OF.get(self.tournament or "", ()), *self.own)

    @property
    def planned(self) -> bool:
        """Whether its rounds follow a plan."""
        return self.tournament in plan.FORMATS

    @property
    def for_two(self) -> bool:
        """Whether all its tables are of two."""
        return self.planned and plan.FORMATS[self.tournament or ""].for_two

    @property
    def live(self) -> bool:
        """Whether it can be played live."""
        return not self.planned or plan.FORMATS[self.tournament or ""].live

    @property
    def daily(self) -> bool:
        """Whether it can be played by correspondence."""
        return self.planned and plan.FORMATS[self.tournament or ""].daily

    @property
    def at_table(self) -> bool:
        """Whether it can be played with real cards."""
        return self.event is not None and self.tournament not in (None, Kind.DUPLICATE)

    @property
    def by_round(self) -> bool:
        """Whether there is a next round to begin."""
        return self.live and self.tournament not in (None, Kind.DEAL, Kind.ARENA)


def _robin(people: int, settings: Mapping[str, Any]) -> int:
    return people - 1 + people % 2


def _chosen(people: int, settings: Mapping[str, Any]) -> int:
    return int(settings["rounds"])


def _knockout(people: int, settings: Mapping[str, Any]) -> int:
    return ceil(log2(people))


def _double(people: int, settings: Mapping[str, Any]) -> int:
    return 2 * _knockout(people, settings)


def _teams(people: int, settings: Mapping[str, Any]) -> int:
    return _robin(max(2, people // settings["boards"]), settings)


def _groups(people: int, settings: Mapping[str, Any]) -> int:
    size, through = settings["group"], settings["through"]
    return _robin(min(size, people), settings) + _knockout(through * ceil(people / size), settings)


TOURNAMENT = CalendarEvent.Kind.TOURNAMENT
KINDS: dict[str, EventKind] = {
    "meet": EventKind(_("A meeting: members say whether they’ll come."), CalendarEvent.Kind.MEET),
    "night": EventKind(
        _("Whoever is there is seated, round after round, as often as you like."),
        CalendarEvent.Kind.NIGHT,
        Kind.EVENING,
    ),
    "swiss": EventKind(
        _("A fixed number of rounds, in each against somebody with as many points. Nobody drops out."),
        TOURNAMENT,
        Kind.SWISS,
        _chosen,
    ),
    "round_robin": EventKind(
        _("Everyone plays everyone once: for up to 16 players."), TOURNAMENT, Kind.ROUND_ROBIN, _robin
    ),
    "knockout": EventKind(_("Whoever loses is out, until one is left."), TOURNAMENT, Kind.KNOCKOUT, _knockout),
    "double": EventKind(
        _("Whoever loses twice is out. After a first loss you play on against others who have lost once."),
        TOURNAMENT,
        Kind.DOUBLE,
        _double,
    ),
    "groups": EventKind(
        _("First groups, in which everyone plays everyone; the best of each then meet in a knock-out."),
        TOURNAMENT,
        Kind.GROUPS,
        _groups,
    ),
    "boxes": EventKind(
        _("Groups of equals play for weeks by correspondence; the best move up, the last move down."),
        TOURNAMENT,
        Kind.BOXES,
    ),
    "arena": EventKind(_("For a fixed time, everyone plays as many games as they can."), TOURNAMENT, Kind.ARENA),
    "teams": EventKind(
        _("Teams meet each other at several boards, and the points of all boards count."),
        TOURNAMENT,
        Kind.TEAMS,
        _teams,
    ),
    "duplicate": EventKind(
        _("All tables play the same deal, and you are compared with those in your seat elsewhere."),
        TOURNAMENT,
        Kind.DUPLICATE,
        _chosen,
        ("rounds",),
    ),
    "deal": EventKind(
        _("One deal that each member plays once against bots, when they like, until Monday."),
        None,
        Kind.DEAL,
        own=("weekly",),
    ),
}
"""By what the address of the form calls them."""
