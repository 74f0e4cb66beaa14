"""What the reviews of all titles have in common: a match as read from one viewpoint, and the list of its moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from markupsafe import Markup

from games.engine.core import View
from games.faces.paint import plain
from games.matches.scene import Step

V = TypeVar("V", bound=View)


class Chronicle(Generic[V]):
    """A match as read from one viewpoint. Grows with the log."""

    def __init__(self) -> None:
        self.steps: list[Step[V]] = []

    def add(self, step: Step[V]) -> None:
        """Read the next step."""
        self.steps.append(step)

    @property
    def stops(self) -> list[int]:
        """The plies at which something new begins, ascending: places where a reader may want to stop."""
        return list(range(len(self.steps)))

    @property
    def phases(self) -> list[tuple[str, int]]:
        """The phases of the game by name, and the plies at which they begin."""
        return []


class ListedMove(NamedTuple):
    """A move in the list."""

    ply: int
    """The position after it."""
    words: str
    """A sentence, as HTML."""
    note: str
    """The same in notation, as the value of an attribute; empty for an event."""


class Links:
    """The links of a list of moves; each leads to an address with its ply for `{ply}`."""

    def __init__(self, address: str) -> None:
        self.before, self.after = plain(address).split("{ply}")

    def to(self, ply: int) -> str:
        """The attributes of a link to a position."""
        return f'href="{self.before}{ply}{self.after}" data-to="{ply}"'

    def rows(self, moves: Iterable[ListedMove]) -> str:
        """The items of a list of moves."""
        return "".join(
            [
                f'<li><a {self.to(ply)} data-ply="{ply}"{_noted(note)}><span>{words}</span></a></li>'
                for ply, words, note in moves
            ]
        )

    def listed(self, chapters: Sequence[str]) -> Markup:
        """The whole list."""
        return Markup(f'<ol class="move-list" id="moves-list">{"".join(chapters)}</ol>')


def _noted(note: str) -> str:
    return f' data-note="{note}"' if note else ""
