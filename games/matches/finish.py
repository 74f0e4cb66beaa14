"""The end of a match: result, places, archive, ratings; inside the transaction of the last row of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from accounts.career.archive import Part, archive
from games.engine.core import State
from games.matches import history
from games.matches.clocks import instant
from games.matches.models import LogEntry, Match, Seat, StandingOrder
from games.matches.signals import ended


def finish(match: Match, state: State, at: int) -> None:
    """Close a match whose game has ended with `state`: players who left are placed last; then archive and ratings."""
    seats = list(match.seats.all())
    result = match.rules.result(state)
    result["places"] = final_places(result["places"], seats)
    done = feats(match, seats)
    close(match, Match.Status.FINISHED, at, result)
    parts = [
        Part(
            user=seat.user,
            seat=seat.index,
            name=seat.shown_name,
            place=result["places"][seat.index],
            won=match.rules.won(result, seat.index),
            points=result["points"][seat.index],
            categories=match.rules.categories_won(result, seat.index),
            left=seat.left,
            soon=left_soon(match, seat),
            feats=done[seat.index],
        )
        for seat in seats
    ]
    pool = match.rules.pool(match.places) if match.rated else ""
    archive(match.key, instant(at), parts, game=match.game, pool=pool)
    ended.send(Match, match=match)


def feats(match: Match, seats: Sequence[Seat]) -> list[Counter[str]]:
    """What the player of each seat did, counted by code; not what a bot did after they had left."""
    rules = match.rules
    log = list(LogEntry.objects.filter(match=match).order_by("ply").values_list("ply", "move"))
    moves = [(ply, move) for ply, move in log if not move.startswith("!")]
    start = rules.start(match.places, history.seed_of(match, seats), match.options)
    stayed = [len(log) if seat.left_ply is None else seat.left_ply for seat in seats]
    made = [sum(ply < until for ply, _move in moves) for until in stayed]
    return rules.feats(start, [rules.move(move) for _ply, move in moves], made)


def abort(match: Match, at: int) -> None:
    """Close a match without a result."""
    close(match, Match.Status.ABORTED, at, None)
    ended.send(Match, match=match)


def close(match: Match, status: str, at: int, result: dict[str, Any] | None) -> None:
    match.status, match.ended_at, match.result = status, instant(at), result
    match.mover = match.wake_at = None
    match.save(update_fields=["status", "ended_at", "result", "mover", "wake_at"])
    StandingOrder.objects.filter(seat__match=match).delete()


def left_soon(match: Match, seat: Seat) -> bool:
    """Whether somebody left while the game had hardly begun: then nobody's rating gains from it."""
    return seat.left_ply is not None and history.replay(match).state(seat.left_ply).early


def final_places(places: list[int], seats: list[Seat]) -> list[int]:
    """The places by seat: first the players who stayed, in the order of the game, then those who left, last first."""
    order = [(seat.left != "", -(seat.left_ply or 0), place) for seat, place in zip(seats, places, strict=True)]
    # Leaving alone decides the place: a bot's success with the hand is not its owner's merit.
    keys = [(left, when if left else place) for left, when, place in order]
    return [1 + sum(other < key for other in keys) for key in keys]
