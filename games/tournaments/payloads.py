"""What the events of a tournament say: a class for each kind. Pure.

Players are ids of users, times milliseconds since 1970, UTC. Rounds, and the tables of a round, count from 0. Places,
points and the like are by seat, players before bots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, get_args

from accounts.journal.payload import Payload, read


class Opened(Payload, kind="open"):
    """It is open."""

    tournament: str
    """A `Tournament.Kind`."""
    seats: int
    settings: dict[str, Any]
    """Those of its kind."""


class Entered(Payload, kind="enter"):
    """A player is there, or is back."""

    player: int
    guest: bool
    """Whether they are no member of the club."""
    ticked: bool
    """Whether only a steward has said so yet, never they themselves."""


class EntrantLeft(Payload, kind="leave"):
    """A player is there no more; games that they have begun go on. Or they were not there, because a steward has taken
    them out, and agree no more."""

    player: int
    out: bool
    """Whether a steward says so, not they themselves."""
    agrees: bool
    """Whether they still agree to be let in again: they have neither gone by themselves nor left the club."""


class TeamMade(Payload, kind="team"):
    """There is a team, which nobody has chosen yet: the next number, from 0."""

    name: str


class TeamRemoved(Payload, kind="no-team"):
    """A team is there no more; its number stays."""

    team: int


class TeamChosen(Payload, kind="join-team"):
    """A player has chosen their team, and sits at its last board."""

    player: int
    team: int


class TeamOrdered(Payload, kind="boards"):
    """The order of the boards of a team."""

    team: int
    players: tuple[int, ...]


class EntrantPaused(Payload, kind="pause"):
    """A player of an arena gets no table until they are ready again."""

    player: int
    absent: bool
    """Whether that is because they did not come to their table."""


class EntrantReady(Payload, kind="ready"):
    """A player of an arena who had paused can get a table again."""

    player: int


class ByeAsked(Payload, kind="rest"):
    """A player of a Swiss tournament asks for a bye in the next round, which counts as a shared place."""

    player: int
    wants: bool
    """False: they take it back."""


class Begun(Payload, kind="begin"):
    """A tournament with a plan begins, or a turn of a box league."""

    groups: tuple[tuple[int, ...], ...]
    """The players, by their seeds."""
    seed: str
    """What chance was drawn from; empty without it."""


@dataclass(frozen=True)
class SeatedTable:
    """Who sits at a table of a round."""

    players: tuple[int, ...]
    bots: int
    match: str
    """The key of its match; empty if nothing is played."""


class RoundBegun(Payload, kind="round"):
    """A round begins."""

    tables: tuple[SeatedTable, ...]
    byes: tuple[int, ...]
    """The players without a seat."""
    how: str
    """The way of pairing."""
    seed: str
    """What chance was drawn from; empty without it."""
    until: int | None = None
    """When all games must be over, if there is a deadline."""
    deal: int | None = None
    """Which deal all its tables play, from 0, if others play the same."""
    halves: tuple[int, ...] = ()
    """Who has a bye because they asked for it."""


class TableFinished(Payload, kind="result"):
    """A game is over."""

    round: int
    table: int
    places: tuple[int, ...]
    points: tuple[int, ...]
    left: tuple[int, ...] = ()
    """The seats of those who left, where the deal is the same."""


class TableVoided(Payload, kind="void"):
    """A game ended without a result."""

    round: int
    table: int


class Forfeited(Payload, kind="forfeit"):
    """A game was not over in time, or not played because a player had left. If it is being played it goes on, but
    counts as this."""

    round: int
    table: int
    places: tuple[int, ...]
    late: tuple[int, ...]
    """The players at fault."""
    ply: int
    """How long its log was when that was found."""


class Unfinished(Payload, kind="unfinished"):
    """A game was still being played when the tournament closed: it does not count."""

    round: int
    table: int


class TableCorrected(Payload, kind="correct"):
    """The stewards have set the places of a table; without places it does not count."""

    round: int
    table: int
    places: tuple[int, ...]


class Last(Payload, kind="last"):
    """No other deal of the week follows this one."""


class TournamentClosed(Payload, kind="close"):
    """It is over."""


OfTable: TypeAlias = TableFinished | TableVoided | Forfeited | Unfinished | TableCorrected
OfTeam: TypeAlias = TeamMade | TeamRemoved | TeamChosen | TeamOrdered
AnyPayload: TypeAlias = (
    Opened
    | ByeAsked
    | Entered
    | EntrantLeft
    | OfTeam
    | EntrantPaused
    | EntrantReady
    | Begun
    | RoundBegun
    | OfTable
    | Last
    | TournamentClosed
)
"""What an event of a tournament says."""
CLASSES: dict[str, type[AnyPayload]] = {each.kind: each for each in get_args(AnyPayload)}
"""By kind, as rows name it."""


def payload_of(kind: str, data: Mapping[str, Any]) -> AnyPayload:
    """What the row of an event says. Raises LookupError for an unknown kind, and that or TypeError for wrong data."""
    return read(CLASSES[kind], data)


class PastEvent(NamedTuple):
    """An event as the standing takes it."""

    number: int
    at: int
    payload: AnyPayload
