"""Replays the events of a ladder, and compares what they say with what follows from them. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.ladders.standing import UNDOABLE, Event, Kind, Standing, replay, steps
from games.ladders.tally import Past

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


def follow(rows: Iterable[Past]) -> Standing:
    """The result of replaying these events. Raises WrongLadder at the first that is impossible, has a wrong list of
    moves, or ends a season with a wrong table."""
    standing, past, undone = Standing(), list[Event](), set[int]()
    for number, row in enumerate(rows):
        if row.number != number:
            raise WrongLadder(number, "gap", f"it is missing: the next one is {row.number}")
        if row.kind not in set(Kind):
            raise WrongLadder(number, "kind", f"unknown kind: {row.kind}")
        event = Event(number, row.kind, row.at, row.data)
        past.append(event)
        before = Standing(order=standing.order)
        try:
            if event.kind == Kind.SEASON_END and rounded(row.data["final"]) != (final := rounded(table(standing))):
                raise WrongLadder(number, "final", f"it says {row.data['final']}, but the ladder stood {final}")
            if event.kind == Kind.UNDO:
                check_undo(event, past, undone)
                undone.add(event.data["event"])
                standing = replay(past)
            else:
                standing.apply(event)
        except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
            raise WrongLadder(number, "data", f"its data is impossible: {type(error).__name__} {error}") from error
        if row.steps != (moved := steps(before, standing)):
            raise WrongLadder(number, "steps", f"it says {row.steps}, but it has moved {moved}")
    return standing


def table(standing: Standing) -> list[list[Any]]:
    """Player, rating and games of all who stand on the ladder, the top first: as the end of a season has it."""
    return [[player, standing.players[player].rating, standing.players[player].games] for player in standing.order]


def named(rows: Iterable[Past]) -> dict[int, str]:
    """By player, the hash of the name under which these events put them on the ladder, the last time."""
    found: dict[int, str] = {}
    for row in rows:
        match row.kind:
            case Kind.JOIN:
                found[row.data["player"]] = row.data["name"]
            case Kind.ADD:
                found |= zip(row.data["players"], row.data["names"], strict=True)
            case Kind.MOVED:
                found |= zip((player for player, *_ in row.data["rungs"]), row.data["names"], strict=True)
    return found


def rounded(final: Iterable[Iterable[Any]]) -> list[tuple[int, float, int]]:
    return [(player, round(rating, EXACT), games) for player, rating, games in final]


def check_undo(event: Event, past: list[Event], undone: set[int]) -> None:
    """Raises WrongLadder if an event undoes what could not be undone."""
    about = event.data["event"]
    if not 0 <= about < event.number or past[about].kind not in UNDOABLE or about in undone:
        raise WrongLadder(event.number, "undo", f"event {about} cannot be undone, or was undone before")
