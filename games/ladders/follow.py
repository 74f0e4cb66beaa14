"""Replays the events of a ladder, and compares what they say with what follows from them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from games.ladders.payloads import (
    CLASSES,
    UNDOABLE,
    Added,
    Event,
    JoinedLadder,
    MovedHere,
    Ranked,
    SeasonEnded,
    Undone,
    payload_of,
)
from games.ladders.standing import Standing, replay, steps

EXACT = 6
"""Ratings are compared to so many decimals: machines round the last ones differently."""


class WrongLadder(Exception):
    """A disagreement between a ladder and its events."""

    def __init__(self, number: int | None, name: str, text: str) -> None:
        super().__init__(text if number is None else f"event {number}: {text}")
        self.number = number
        """The first event that disagrees; None if it is something beside the events."""
        self.name = name
        """The check that failed: one word."""


class Written(NamedTuple):
    """An event as its row has it, before anybody has looked at it."""

    number: int
    at: int
    kind: str
    data: Mapping[str, Any]
    steps: Mapping[str, Any]


def follow(rows: Iterable[Written]) -> tuple[Standing, list[Event]]:
    """The result of replaying these events, and the events themselves. Raises WrongLadder at the first that is
    impossible, has a wrong list of moves, or ends a season with a wrong table."""
    standing, events, undone = Standing(), list[Event](), set[int]()
    for number, row in enumerate(rows):
        if row.number != number:
            raise WrongLadder(number, "gap", f"it is missing: the next one is {row.number}")
        if row.kind not in CLASSES:
            raise WrongLadder(number, "kind", f"unknown kind: {row.kind}")
        before = Standing(order=standing.order)
        try:
            event = Event(number, row.at, payload_of(row.kind, row.data), row.steps)
            events.append(event)
            match event.payload:
                case SeasonEnded(final=final) if rounded(final) != (stood := rounded(table(standing))):
                    raise WrongLadder(number, "final", f"it says {final}, but the ladder stood {stood}")
                case Undone(event=about):
                    if not 0 <= about < number or events[about].kind not in UNDOABLE or about in undone:
                        raise WrongLadder(number, "undo", f"event {about} cannot be undone, or was undone before")
                    undone.add(about)
                    standing = replay(events)
                case _:
                    standing.apply(event)
        except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
            raise WrongLadder(number, "data", f"its data is impossible: {type(error).__name__} {error}") from error
        if row.steps != (moved := steps(before, standing)):
            raise WrongLadder(number, "steps", f"it says {row.steps}, but it has moved {moved}")
    return standing, events


def table(standing: Standing) -> tuple[Ranked, ...]:
    """Player, rating and games of all who stand on the ladder, the top first: as the end of a season has it."""
    known = standing.players
    return tuple(Ranked(player, known[player].rating, known[player].games) for player in standing.order)


def named(events: Iterable[Event]) -> dict[int, str]:
    """By player, the hash of the name under which these events put them on the ladder, the last time."""
    found: dict[int, str] = {}
    for event in events:
        match event.payload:
            case JoinedLadder(player, name):
                found[player] = name
            case Added(players, names):
                found |= zip(players, names, strict=True)
            case MovedHere(rungs=rungs, names=names):
                found |= zip((rung.player for rung in rungs), names, strict=True)
    return found


def rounded(final: Iterable[Iterable[Any]]) -> list[tuple[int, float, int]]:
    return [(player, round(rating, EXACT), games) for player, rating, games in final]
