"""A position as plain data that JSON can hold, and back: where a match begins that does not begin with a deal.

Numbers, texts and lists stand for themselves (a list for a tuple); anything else is an object with one key: `list`,
`int` (too large for a browser, in hexadecimal), `bytes` (in hexadecimal), `chain` (a tuple in a tuple in a tuple, as a
history is), or the name of one of `Game.parts` with its fields.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.chance import SECRET_BYTES
from games.engine.core import BadRecord, Game, State, quoted

LARGEST = 1 << 53
DEEP = 8
"""From so many tuples on, each the first thing of the next, they are written as a `chain`."""
LONGEST_CHAIN = 500
"""Deeper tuples can neither be compared nor hashed."""
DIGITS = 48
"""The most hexadecimal digits of a number: for a set of cards."""
ODD = (
    *(LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError),
    *(RuntimeError, StopIteration),
)
"""What can come of going on from a position that is none."""


def written(game: Game, state: State) -> dict[str, Any]:
    """A position as plain data. What chance decides later follows from its seed, as in every match."""
    zones = {name: _plain(getattr(state, name)) for name in _zones(state)}
    fields = {name: getattr(state.deal, name) for name in game.deal_fields}
    if (seed := fields.get("seed")) is not None and len(seed) != SECRET_BYTES:
        fields["seed"] = hashlib.sha256(seed).digest()  # a determinization has a shorter one
    return {"deal": {name: _plain(value) for name, value in fields.items()}, "zones": zones}


def read(game: Game, seats: int, options: Mapping[str, Any], document: Mapping[str, Any]) -> State:
    """The position that `written` wrote. Raises BadRecord."""
    whole = game.options(options)
    game.check_seats(seats)
    try:
        deal, zones = document["deal"], document["zones"]
        if deal.keys() != set(game.deal_fields):
            raise BadRecord(f"the deal of the position has {quoted(list(deal))}; expected {game.deal_fields}")
        state = game.begin(seats, whole, game.deal_of(**{name: _read(game, value) for name, value in deal.items()}))
        if zones.keys() != set(_zones(state)):
            raise BadRecord("the position has other zones than those of its game")
        for name, value in zones.items():
            setattr(state, name, _read(game, value))
        game.check_position(state)
    except ODD as error:
        raise BadRecord(f"the position cannot be read: {type(error).__name__} {str(error)[:200]}") from error
    return state


def _zones(state: State) -> list[str]:
    """The names of all that is written of a position beside its deal."""
    slots = [name for kind in type(state).__mro__ for name in getattr(kind, "__slots__", ())]
    return sorted({*slots} - {"deal", "setup"})


def _plain(value: Any) -> Any:
    if isinstance(value, int) and abs(value) >= LARGEST:
        return {"int": f"{value:x}"}
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if type(value) is list:
        return {"list": [_plain(each) for each in value]}
    if type(value) is not tuple:
        return {type(value).__name__: [_plain(each) for each in value]}
    return _chain(value) or [_plain(each) for each in value]


def _chain(value: tuple[Any, ...]) -> dict[str, Any] | None:
    """A tuple as a chain, its innermost link first, if it is deep."""
    links: list[Any] = []
    inner: Any = value
    while type(inner) is tuple and inner:
        links.append([_plain(each) for each in inner[1:]])
        inner = inner[0]
    return {"chain": [_plain(inner), *reversed(links)]} if len(links) > DEEP else None


def _read(game: Game, value: Any) -> Any:
    if isinstance(value, list):
        return tuple([_read(game, each) for each in value])
    if not isinstance(value, dict):
        if isinstance(value, float) or (isinstance(value, int) and abs(value) >= LARGEST):
            raise ValueError("a number is too large, or no whole one")
        return value
    [(kind, inner)] = value.items()
    if kind == "int":
        if len(inner) > DIGITS:
            raise ValueError("a number is too large")
        return int(inner, 16)
    if kind == "bytes":
        return bytes.fromhex(inner)
    if kind == "chain":
        return _linked(game, inner)
    things = [_read(game, each) for each in inner]
    return things if kind == "list" else game.parts[kind](*things)


def _linked(game: Game, links: Sequence[Any]) -> Any:
    if len(links) > LONGEST_CHAIN:
        raise ValueError("a chain is too long")
    found = _read(game, links[0])
    for link in links[1:]:
        found = (found, *[_read(game, each) for each in link])
    return found
