"""What a page shows of a match to one viewer: nothing but what `View`s allow, and what everybody may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from games.engine.core import Game, Order, View

V = TypeVar("V", bound=View, covariant=True)
"""The views of one game."""


@dataclass(frozen=True, eq=False)
class Step(Generic[V]):
    """One row of the log as one viewer saw it.

    Compared by identity: a step of a match is the same object at every draw, so what is made of it may be kept (weakly)
    instead of being made again. `before` and `after` may be computed anew each time they are asked for.
    """

    ply: int
    seat: int
    move: str
    """As the log writes it, but without what this viewer may not see (`State.shown`).

    Begins with `!` if it is an event of the seat and no move: `!time`, `!resign`, `!leave`, `!abort`, `!outage 45`.
    """
    forced: bool
    bot: bool
    at: int
    """Milliseconds since 1970."""
    before: V
    after: V
    """What the viewer knew before and after it."""
    quiet: bool = False
    """Gives back so little time that nobody at the table is told of it; the review has it."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at a seat, and how his clock stands."""

    index: int
    name: str
    username: str
    """For the link to the profile; empty for a bot."""
    rating: str
    """As shown beside the name, such as `1588` or `1500?`; empty if there is none."""
    bot: bool
    left: str
    """`time`, `resign`, `leave` if a bot has taken over since; else empty."""
    here: bool
    """Whether a page of his is connected (bots always are)."""
    left_ms: int | None
    """What was left on his clock when the present question was put; None without a clock. The mover's is running."""
    abort: bool = False
    """Agrees to abort the game."""


@dataclass(frozen=True)
class Scene(Generic[V]):
    """All that `board` needs to draw one match for one viewer at one ply."""

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
    """The viewer may answer here: a seat, whose player has not left, of a running match."""
    ply: int
    view: V
    steps: Sequence[Step[V]]
    """The log so far."""
    since: int
    """Plies from here on are news to this viewer: what happened after his own last answer."""
    now: int
    """Milliseconds since 1970."""
    deadline: int | None = None
    """When the mover's time is up, in milliseconds since 1970."""
    orders: Sequence[Order] = ()
    """The viewer's own standing orders. Never anybody else's."""
    can_abort: bool = False
    """So little is played that the match may be aborted, if all who remain agree."""
    guided: bool = False
    ladder: str = ""
    """When it is over and was played for a ladder that the viewer may see: the address of what it moved there."""
    result: dict[str, Any] | None = None
    """When it is over: what a record says under `result`."""
    ratings: Sequence[tuple[float, float] | None] = ()
    """When it is over and was rated: before and after, by seat."""

    @cached_property
    def news(self) -> list[Step[V]]:
        """What happened since the viewer's last answer."""
        return [step for step in self.steps if step.ply >= self.since]
