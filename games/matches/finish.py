"""The end of a match: when it ends early, result, places, archive, ratings; in the transaction of its last row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from accounts.career.archive import Part, archive
from games.engine.core import Game, State
from games.matches import history
from games.matches.clocks import DAY_MS, instant
from games.matches.models import LogEntry, Match, Seat, StandingOrder
from games.matches.places import final_places, how_ended, stopped_places
from games.matches.signals import ended, opened

CLOSED = "!closed"
"""The event with which a match ends whose deal becomes known: its event has closed."""
ABSENT = "!absent"
"""The event with which a match ends because somebody has not come: who was seated without being asked, or whose time
ran out before their first answer."""
WITHOUT_RESULT = "!abort", "!deserted", ABSENT, CLOSED
"""The events with which a match ends without a result."""
MISSED_A_DAY = 2
"""So many matches to which one person has not come are called off within 24 hours; whoever misses more loses them."""


def verdict(match: Match, state: State) -> list[str]:
    """The event with which a running match ends now that somebody has left or voted; none if it goes on.

    A game of two ends when one of them leaves. At larger tables bots play on for those who left, until all people who
    stayed agree to stop. A game alone that is given up is lost. Whoever was seated without being asked, and has never
    answered, loses nothing: the game is cancelled. Nothing here depends on what is hidden.
    """
    seats = match.sitting
    people = [seat for seat in seats if not seat.plays_itself]
    votes, left = {seat.vote for seat in people}, any(seat.left for seat in seats)
    if any(seat.left and not seat.confirmed for seat in seats):
        return [ABSENT]
    if votes == {Seat.Vote.ABORT} and state.early:
        return ["!abort"]
    if left and (len(seats) == 2 or votes == {Seat.Vote.END}):
        return [history.END]
    if not people:
        return [history.END] if match.counts or len(seats) == 1 else ["!deserted"]
    return []


def never_came(match: Match, seat: Seat, at: int) -> bool:
    """Whether a match is called off because a player's time has run out at `at` before they have answered once.

    They have decided nothing that a loss could be dodged of. Where one has agreed to come, at a ladder or an event, it
    is lost all the same, and so is what one misses too often. A table of more plays on if others have answered or left.
    """
    if seat.left != Seat.Left.TIME or match.agreed or seat.user is None:
        return False
    rows = history.replay(match).rows[: match.ply]
    came = {row.seat for row in rows if row.by == LogEntry.By.PLAYER}
    others = came | {other.index for other in match.sitting if other.left} - {seat.index}
    if seat.index in came or (match.places > 2 and others):
        return False
    missed = Match.objects.filter(
        status=Match.Status.ABORTED,
        ended_at__gt=instant(at - DAY_MS),
        seats__in=Seat.objects.filter(user=seat.user, left=Seat.Left.TIME),
    )
    return missed.count() < MISSED_A_DAY


def finish(match: Match, state: State, at: int, stopped: bool = False) -> None:
    """Close a match whose game has ended with `state`, or was `stopped` there; then archive and ratings."""
    result = outcome(match.rules, state, list(match.seats.all()), stopped)
    close(match, Match.Status.FINISHED, at, result)
    if not (match.hidden or match.beginning):
        keep(match)
    ended.send(Match, match=match)


def keep(match: Match) -> None:
    """Archive a finished match, and rate it."""
    assert match.result and match.ended_at
    seats, result = list(match.seats.all()), match.result
    done = feats(match, seats)
    parts = [
        Part(
            user=seat.user,
            seat=seat.index,
            name=seat.user.username if seat.user else seat.name,
            place=result["places"][seat.index],
            won=match.rules.won(result, seat.index),
            points=result["points"][seat.index],
            level=match.rules.level(match.places, match.options),
            categories=categories_won(match.rules, result, seat.index),
            left=seat.left,
            soon=left_soon(match, seat),
            feats=done[seat.index],
            ended=result.get("ended", ""),
        )
        for seat in seats
    ]
    pool = match.rules.pool(match.places) if match.rated else ""
    archive(match.key, match.ended_at, parts, game=match.game, pool=pool)
    opened.send(Match, match=match)


def feats(match: Match, seats: Sequence[Seat]) -> list[Counter[str]]:
    """What the player of each seat did, counted by code; not what a bot did after they had left."""
    rules = match.rules
    log = list(LogEntry.objects.filter(match=match).order_by("ply").values_list("ply", "move"))
    moves = [(ply, move) for ply, move in log if not move.startswith("!")]
    start = history.start_of(match, history.seed_of(match, seats))
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


def outcome(rules: Game, state: State, seats: Sequence[Seat], stopped: bool) -> dict[str, Any]:
    """The result of a match whose game has ended with `state`: what the rules say, but players who left come last.

    If it was `stopped` there, `ended` says how; the numbers are those of the moment, but decide nothing.
    """
    result, left = rules.result(state), [(seat.left, seat.left_ply or 0) if seat.left else None for seat in seats]
    if not stopped:
        return result | {"places": final_places(result["places"], left)}
    bots = [seat.bot for seat in seats]
    places = stopped_places(bots, left)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    return result | {"places": places, "winners": winners, "ended": how_ended(bots, left)}


def categories_won(rules: Game, result: dict[str, Any], seat: int) -> str:
    """The categories that a seat has won, by the result of a match: none if it ended early."""
    return "" if "ended" in result else rules.categories_won(result, seat)
