"""What of a match is decided before its first move: the seats and the options, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Self


class MatchSetup:
    """The number of seats and the options of a match, with everything that depends on them. Shared and immutable."""

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        self.seats = seats
        self.options = MappingProxyType(dict(options))
        self.after = tuple(tuple((seat + i) % seats for i in range(1, seats)) for seat in range(seats))
        """The other seats, clockwise from a seat's left."""

    @classmethod
    def of(cls, seats: int, options: Mapping[str, Any]) -> Self:
        """The one setup for these seats and options (all of them)."""
        kind: Any = cls
        made: Self = _made(kind, seats, tuple(options.items()))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return self.of, (self.seats, dict(self.options))


@cache
def _made(kind: Callable[..., Any], seats: int, options: tuple[tuple[str, Any], ...]) -> Any:
    return kind(seats, dict(options))
