"""What may stand in a position that was read from a file: by zone, of which kind a thing is, and in which range."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.engine.chance import SECRET_BYTES
from games.engine.core import BadRecord

Fits = Callable[[Any], bool]
"""Whether a thing fits."""
MOST = 1000
"""The most things in a row, unless fewer are allowed."""


def check(zones: Mapping[str, Any], ranges: Mapping[str, Fits]) -> None:
    """Raise BadRecord unless each zone fits, and there is a range for each."""
    if zones.keys() != ranges.keys():
        raise BadRecord(f"expected these zones: {', '.join(ranges)}")
    for name, fits in ranges.items():
        if not fits(zones[name]):
            raise BadRecord(f"the position has something under {name} that cannot be there")


def number(low: int, high: int) -> Fits:
    """A whole number, both ends included."""
    return lambda thing: isinstance(thing, int) and low <= thing <= high


def subset(size: int) -> Fits:
    """A set, as a bit mask, of things below `size`."""
    return number(0, (1 << size) - 1)


def either(thing: Any, fits: Fits) -> Fits:
    """This thing, or what fits."""
    return lambda found: found is thing or fits(found)


def row(fits: Fits, length: int | None = None, kind: type[tuple[Any, ...] | list[Any]] = tuple) -> Fits:
    """Things that fit, so many, or any number."""

    def whole(things: Any) -> bool:
        return (
            type(things) is kind
            and (len(things) <= MOST if length is None else len(things) == length)
            and all(map(fits, things))
        )

    return whole


def different(fits: Fits) -> Fits:
    """Things that fit, each once."""
    several = row(fits)
    return lambda things: several(things) and len(set(things)) == len(things)


def fields(*each: Fits) -> Fits:
    """A tuple, field by field."""

    def whole(thing: Any) -> bool:
        return (
            isinstance(thing, tuple)
            and len(thing) == len(each)
            and all(fits(field) for fits, field in zip(each, thing, strict=True))
        )

    return whole


def history(link: Fits) -> Fits:
    """Tuples in each other as a history has them, each with the earlier one first; None at the start. `link`: the
    rest of each."""

    def whole(thing: Any) -> bool:
        while thing is not None:
            if type(thing) is not tuple or not thing or not link(thing[1:]):
                return False
            thing = thing[0]
        return True

    return whole


def seed(thing: Any) -> bool:
    """What chance follows from."""
    return type(thing) is bytes and len(thing) == SECRET_BYTES
