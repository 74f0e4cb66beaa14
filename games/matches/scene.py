"""A match as a page shows it to one viewer: nothing but what `View`s allow, and what everybody may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Self, TypeVar

from accounts.shown import PlayerShown
from games.engine.core import Game, Order, View

V = TypeVar("V", bound=View, covariant=True)
"""The views of one game."""


@dataclass(frozen=True, eq=False)
class Step(Generic[V]):
    """One row of the log as one viewer saw it.

    Compared by identity: a step of a match is the same object at every draw, so anything made of it may be cached
    (weakly). `before` and `after` may be computed again at each access.
    """

    ply: int
    seat: int
    move: str
    """As the log writes it, but without what this viewer may not see (`State.shown`).

    Begins with `!` if it is an event and no move: `!time`, `!resign`, `!leave`, `!end`, `!abort`, `!deserted`,
    `!absent`, `!closed`, `!outage 45`.
    """
    forced: bool
    bot: bool
    at: int
    """Milliseconds since 1970."""
    before: V
    after: V
    """What the viewer knew before and after it."""
    quiet: bool = False
    """Whether it gives back so little time that nobody at the table is told; the review shows it."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """A seat at the table: its player, and the state of their clock."""

    index: int
    person: PlayerShown
    left: str
    """`time`, `resign`, `leave` if a bot has taken over since; else empty."""
    here: bool | None
    """Whether the player has a connected page (bots always have); None in correspondence, where nobody is told."""
    left_ms: int | None
    """The time on the clock when the present question was put; None without a clock. The mover's clock is running."""
    vote: str = ""
    """How the player agrees to stop the game: `abort`, without a result, or `end`; else empty."""


class Reply(NamedTuple):
    """What somebody who sat in the match has said."""

    person: PlayerShown
    said: str
    """`yes`, `asked` (not yet), `no`."""


class Offer(NamedTuple):
    """The rematch of a match, as one viewer may know it."""

    state: str = "none"
    """`none`, `open`, `begun`, `closed`."""
    key: str = ""
    """The key of the new match, for those who may see it."""
    host: str = ""
    """Who asks; the others may then take the offer."""
    replies: tuple[tuple[int, Reply], ...] = ()
    """By seat in the match that is over, for those who sat there."""
    until: int | None = None
    """When the offer ends, in milliseconds since 1970; None if everybody has answered."""

    def said(self, seat: int | None) -> str:
        """What the player of a seat has said; empty for everybody else."""
        return next((reply.said for at, reply in self.replies if at == seat), "")

    @property
    def watched(self) -> Offer:
        """The same for those who did not play: nothing before the new match has begun."""
        return Offer(self.state, self.key) if self.state == "begun" and self.key else Offer()


NO_OFFER = Offer()


@dataclass(frozen=True)
class Scene(Generic[V]):
    """Everything that `board` needs to draw one match for one viewer at one ply."""

    key: str
    """The match's key, in its address."""
    game: Game
    options: dict[str, Any]
    rated: bool
    pace: str
    """`live`, `daily` or `none`."""
    control: tuple[int, int, int]
    """The time control: bank in ms, increment in ms, days."""
    status: str
    """`running`, `finished` or `aborted`."""
    sitters: Sequence[Sitter]
    me: int | None
    """The viewer's seat, None for a watcher."""
    playing: bool
    """Whether the viewer may answer here: a seat, whose player has not left, of a running match."""
    ply: int
    view: V
    steps: Sequence[Step[V]]
    """The log so far."""
    since: int
    """Plies from here on are news to this viewer: everything after their own last answer."""
    now: int
    """Milliseconds since 1970."""
    deadline: int | None = None
    """When the mover's time is up, in milliseconds since 1970."""
    orders: Sequence[Order] = ()
    """The viewer's own standing orders. Never anybody else's."""
    can_abort: bool = False
    """Whether so little has been played that the match may be aborted, if all remaining players agree."""
    counts: bool = True
    """Whether something hangs on the result: ratings, or a place on a ladder."""
    tempo: str = ""
    """The pace of the bots, if the viewer may set it; else empty."""
    skips: bool = False
    """Whether the viewer is alone with bots, and so may skip to their own next question."""
    guided: bool = False
    watchers: int = 0
    """How many people have the table open who never sat down at it."""
    ladder: str = ""
    """After the end: the address of what the match moved on a ladder, if the viewer may see that."""
    shared: bool = False
    """After the end: whether anybody may see the match."""
    hidden: bool = False
    """Whether others play the same deal, so that there is no review before their event closes."""
    result: dict[str, Any] | None = None
    """After the end: the `result` of the record."""
    offer: Offer = NO_OFFER
    """After the end: the rematch."""
    ratings: Sequence[tuple[float, float] | None] = ()
    """After the end of a rated match: the rating before and after, by seat."""
    link: str = ""
    """The last link of the log's chain, in hexadecimal."""
    lines: Sequence[str] = ()
    """The rows as the chain has them, the same for everybody; perhaps more than `ply`."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple([sitter.person.name for sitter in self.sitters])

    def clock(self, seat: int) -> int | None:
        """The time of a seat as everybody sees it; in correspondence only of the mover."""
        return self.sitters[seat].left_ms if self.pace == "live" or seat == self.view.seat else None

    @property
    def state(self) -> str:
        """What is going on for the viewer: `over`, `aborted`, `asked` or `wait`."""
        if self.view.over or self.status == "finished":
            return "over"
        if self.status == "aborted":
            return "aborted"
        return "asked" if self.playing and self.view.seat == self.me else "wait"

    @property
    def others(self) -> list[Sitter]:
        """The people who are still at the table, but for the viewer."""
        return [it for it in self.sitters if it.index != self.me and not it.person.bot and not it.left]

    @property
    def leaving(self) -> str:
        """What becomes of the game if the viewer leaves: `alone`, it is given up; `off`, there is no result; `lost`;
        `over`, with a result; or `bot` plays on."""
        if len(self.sitters) == 1:
            return "alone"
        if len(self.sitters) == 2:
            return "lost"
        return "bot" if self.others else "over" if self.counts else "off"

    @property
    def can_end(self) -> bool:
        """Whether those who stayed may end the game: somebody has left it."""
        return self.status == "running" and any(sitter.left for sitter in self.sitters)

    @property
    def ended(self) -> str:
        """How the game ended before its last move: `resignation`, `time`, `abandoned`, `agreement`; else empty."""
        return str((self.result or {}).get("ended", ""))

    def with_(self, **fields: Any) -> Self:
        """The same scene with other fields: `dataclasses.replace` takes ten times as long."""
        new = object.__new__(type(self))
        object.__setattr__(new, "__dict__", self.__dict__ | fields)
        return new

    @property
    def news(self) -> list[Step[V]]:
        """What happened since the viewer's last answer."""
        return [step for step in self.steps if step.ply >= self.since]
