"""What the events of a ladder say: a class for each kind. Pure.

Players are ids of users. Times are milliseconds since 1970, UTC; positions count from 1. An event whose player has left
changes nothing. `games.ladders.standing` has the effect of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from accounts.journal.payload import Payload, read
from games.ladders.rules import Rules


class Ranked(NamedTuple):
    """A player in a table of the ladder."""

    player: int
    rating: float
    games: int


class MovedHere(Payload, kind="moved"):
    """The club has come from another site, and goes on as the ladder stood there."""

    site: str
    head: str
    """The last link of its events there, in hexadecimal digits."""
    season: int
    """The number of the last season there."""
    rules: Rules
    rungs: tuple[Ranked, ...]
    names: tuple[str, ...]
    """The hashes of their names, in this order."""


class RulesSet(Payload, kind="rules"):
    """The stewards have set the rules."""

    rules: Rules


class SeasonBegun(Payload, kind="season"):
    """A season has begun."""

    number: int
    ends: int
    rules: Rules
    """Those it begins with, as nothing before has to have set any."""


class SeasonMoved(Payload, kind="season-moved"):
    """The stewards have moved the end of a season."""

    number: int
    ends: int


class SeasonEnded(Payload, kind="season-end"):
    """A season has ended."""

    number: int
    final: tuple[Ranked, ...]
    """Its table, the top first."""


class JoinedLadder(Payload, kind="join"):
    """A player joins at the bottom."""

    player: int
    name: str
    """The hash of their name: see `games.matches.chain.name_hash`."""


class Added(Payload, kind="add"):
    """The stewards put players on the ladder at the bottom, in this order."""

    players: tuple[int, ...]
    names: tuple[str, ...]
    """The hashes of their names."""


class Left(Payload, kind="leave"):
    """A player leaves the ladder."""

    player: int


class Ordered(Payload, kind="order"):
    """The stewards have ordered the ladder: these on top, the others below as they stood."""

    order: tuple[int, ...]


class Corrected(Payload, kind="correct"):
    """The stewards have put a player at a position."""

    player: int
    position: int


class Undone(Payload, kind="undo"):
    """The stewards have undone an event, as if it had not happened."""

    event: int
    """Its number."""


class GameResult(Payload, kind="result"):
    """A game is over. It counts among those who have not left the ladder, if there are two."""

    challenge: int
    match: str
    """Its key."""
    link: str
    """The last link of its log, in hexadecimal digits."""
    players: tuple[int, ...]
    """The challenger first."""
    places: tuple[int, ...]
    late: tuple[int, ...]
    """The players who ran out of time."""
    soon: tuple[int, ...]
    """The players who left when it had hardly begun."""
    gone: tuple[int, ...] = ()
    """The players who have left the ladder since it was agreed."""


class AtTable(Payload, kind="at-table"):
    """A game at a real table counts, as its players or a steward say."""

    result: int
    """The id of the entry."""
    players: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...] | None
    """None if nobody told them."""
    played: str
    """The day, as ISO 8601 has it."""
    entered: int
    """Who entered it."""


Why: TypeAlias = Literal["left", "aborted", "season", "alone"]
"""Why a game does not count. `alone`: it never began, for not enough of those asked to its table wanted to play."""


class Voided(Payload, kind="void"):
    """A game does not count."""

    challenge: int
    match: str
    players: tuple[int, ...]
    why: Why


class Overdue(Payload, kind="overdue"):
    """A game was not over in time."""

    challenge: int
    match: str
    """Its key; empty if it has not begun."""
    player: int
    """The challenger."""
    players: tuple[int, ...]
    late: tuple[int, ...]
    """Those at fault."""
    ply: int
    """How long the log of the match was when that was found."""


class Unanswered(Payload, kind="unanswered"):
    """A challenge was not answered by the challenged."""

    challenge: int
    player: int
    """The challenger."""
    other: int
    """The challenged."""


class Declined(Payload, kind="declined"):
    """A challenge was declined by the challenged."""

    challenge: int
    player: int
    """The challenger."""
    other: int
    """The challenged."""


class Withdrawn(Payload, kind="withdrawn"):
    """A challenge was withdrawn, or its challenger left or did not answer other terms."""

    challenge: int
    player: int
    """The challenger."""
    others: tuple[int, ...]


class Sunk(Payload, kind="sink"):
    """A player has been idle for too long."""

    player: int


class TakenOff(Payload, kind="off"):
    """A player was late too often, and is taken off until they are back."""

    player: int


class Vacation(Payload, kind="vacation"):
    """A player goes on vacation."""

    player: int
    begins: int
    ends: int


class Back(Payload, kind="back"):
    """A player is back, from vacation or after having been taken off."""

    player: int


class Paused(Payload, kind="pause"):
    """The stewards pause the ladder: nobody is challenged or sinks, and the season ends that much later."""

    ends: int


class Resumed(Payload, kind="resume"):
    """The ladder goes on."""


class Closed(Payload, kind="close"):
    """The stewards close the ladder for good."""


OfAll: TypeAlias = MovedHere | RulesSet | SeasonBegun | SeasonMoved | SeasonEnded | Paused | Resumed | Closed
OfSome: TypeAlias = JoinedLadder | Added | Left | Ordered | Corrected | Undone | Sunk | TakenOff | Vacation | Back
OfChallenge: TypeAlias = Voided | Overdue | Unanswered | Declined | Withdrawn
Game: TypeAlias = GameResult | AtTable
"""A game for positions."""
AnyPayload: TypeAlias = OfAll | OfSome | OfChallenge | Game
"""What an event of a ladder says."""
CLASSES: dict[str, type[AnyPayload]] = {each.kind: each for each in get_args(AnyPayload)}
"""By kind, as rows and addresses name it."""


def kinds(*of: type[AnyPayload]) -> frozenset[str]:
    """The kinds of these payloads, to filter rows by."""
    return frozenset(each.kind for each in of)


GAME_KINDS = kinds(*get_args(Game))
END_KINDS = kinds(GameResult, *get_args(OfChallenge))
"""The kinds of events with which challenges end."""
UNDOABLE = kinds(GameResult, AtTable, Overdue, Unanswered, Declined, Sunk, TakenOff, Ordered, Corrected)
"""The kinds of events that stewards may undo."""
OF_STEWARDS = kinds(
    *(RulesSet, SeasonBegun, SeasonMoved, SeasonEnded, Paused, Resumed, Added, Ordered, Corrected, Undone, Closed)
)
"""The kinds of events that are decisions of stewards, unless the clock did it."""


def payload_of(kind: str, data: Mapping[str, Any]) -> AnyPayload:
    """What the row of an event says. Raises LookupError for an unknown kind, and that or TypeError for wrong data."""
    return read(CLASSES[kind], data)


Steps = Mapping[str, list[int | None]]
"""By player's id (as text), the positions before and after, from 1; None for off the ladder."""


class Event(NamedTuple):
    """An event as the standing, tallies and awards take it."""

    number: int
    at: int
    payload: AnyPayload
    steps: Steps = {}
    """The players whom it moved."""

    @property
    def kind(self) -> str:
        return self.payload.kind
