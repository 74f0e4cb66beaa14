"""The services of a running match: its beginning, moves, departures, its end. Each is one transaction."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.career.titles import TITLES
from accounts.web.refused import Refused
from games.engine.core import BadOrder, State, quoted
from games.hub import nudges
from games.matches import announce, chain, finish, history, writing
from games.matches.clocks import instant, now_ms
from games.matches.history import Row
from games.matches.models import LogEntry, Match, Seat
from games.matches.signals import began
from games.matches.turn import Stale, Turn, header, is_late, prepare, question, turn_of

By = LogEntry.By
TRIES = 8
"""How often an answer is tried while changes beside the log come first: nobody is refused because of an order."""


# Begin


def start(match: Match, at: int | None = None) -> None:
    """Begin a match that has been shuffled, inside the caller's transaction."""
    at = at or now_ms()
    seats = list(match.seats.select_related("user").order_by("index"))
    for seat in seats:
        seat.bank_ms = match.bank_ms
        if seat.user:
            seat.name, seat.salt = seat.user.username, secrets.token_bytes(chain.SALT_BYTES)
        seat.save(update_fields=["bank_ms", "name", "salt"])
    match.status = Match.Status.RUNNING
    match.started_at = instant(at)
    match.header = header(match, seats)
    match.link = chain.first_link(match.header)
    seed = history.seed_of(match, seats)
    asked = question(match, history.start_of(match, seed), seats, {}, at, at)
    for name, value in asked.items():
        setattr(match, name, value)
    if match.guided:
        match.wake_at = None  # bots wait until the person has read what it is about: `resume`
    match.save()
    began.send(Match, match=match)
    nudges.changed(match.key, lobby=True)


def resume(match: Match) -> None:
    """Let the bots of a guided game begin, if they have not."""
    waiting = Match.objects.filter(pk=match.pk, ply=0, wake_at=None, status=Match.Status.RUNNING, guided=True)
    if match.mover is not None and match.sitting[match.mover].plays_itself and waiting.update(wake_at=timezone.now()):
        nudges.changed(match.key)


# One answer


def play(match: Match, seat: int, ply: int, texts: Sequence[str], by: By = By.PLAYER, at: int | None = None) -> None:
    """Make the moves of one answer (all or none) at `ply`, and the forced ones that follow.

    Raises Stale if the match is elsewhere, RulesError if a move is none or not possible, Refused if time is up.
    """
    for _tried in range(TRIES):
        if commit([prepare(match, seat, ply, texts, by, at)]):
            return
        match = Match.objects.playing().get(pk=match.pk)
    raise Stale


def commit(turns: Sequence[Turn]) -> list[Turn]:
    """Append these turns of different matches to their logs, in one transaction.

    Returns those that are in the log now; the others have lost a race."""
    # What else follows from a turn, as from the end of a match, is in the same transaction as its rows.
    with transaction.atomic() if any(turn.ends or turn.confirms for turn in turns) else nullcontext():
        taken = writing.write(turns)
        for turn in taken:
            if seat := turn.confirms:
                Seat.objects.filter(pk=seat.pk).update(confirmed=True)
            if turn.ends:
                match = Match.objects.seated().get(pk=turn.match.pk)
                if turn.aborted:
                    finish.abort(match, turn.at)
                else:
                    finish.finish(match, turn.state, turn.at, stopped=turn.rows[-1].move == history.END)
        if taken:
            # Robust: what is in the log stays there, whatever happens to the announcement.
            transaction.on_commit(lambda: announce.turned(taken), robust=True)
    return taken


def commit_again(turn: Turn) -> list[Turn]:
    """Commit a turn of which a fault has hidden whether it was committed: it may be in the log already."""
    taken = commit([turn])
    if not taken:
        row = turn.rows[0]
        same = LogEntry.objects.filter(match=turn.match, ply=turn.ply, at=row.at, seat=row.seat, move=row.move)
        if same.exists():
            taken = [turn]
            announce.turned(taken)
    return taken


def append(
    match: Match,
    rows: Sequence[Row],
    shown: Sequence[str],
    state: State,
    at: int,
    *,
    answered: int | None = None,
    same_answer: bool = False,
    aborted: bool = False,
) -> None:
    """Append rows to the log, and what follows from them (`turn_of`). Raises Stale if the match has moved on."""
    turn = turn_of(match, rows, shown, state, at, answered=answered, same_answer=same_answer, aborted=aborted)
    if not commit([turn]):
        raise Stale


# Standing orders


def set_order(match: Match, seat: Seat, kind: str, value: str | None = "") -> None:
    """Set a standing order of a player in place of the one of its kind; a `value` of None withdraws that one.

    Raises BadOrder if the game does not know it, Refused if it is too late.
    """
    at = now_ms()
    if kind not in match.rules.order_kinds:
        raise BadOrder(f"{quoted(kind)} is no kind of order")
    order = None if value is None else match.rules.order(kind, value)
    with transaction.atomic():
        match = locked(match)
        seat = match.sitting[seat.index]
        if match.status != Match.Status.RUNNING or seat.plays_itself:
            raise Refused(_("Only players at this table can give standing orders."))
        if match.mover == seat.index and is_late(match, at):
            raise Refused(_("Your time ran out before the order arrived."))
        if order is None:
            seat.orders.filter(kind=kind).delete()
        else:
            seat.orders.update_or_create(kind=order.kind, defaults={"value": order.value})
        edited(match)
        match = locked(match)  # with the orders that stand now
        if match.mover == seat.index:
            state = history.replay(match).state(match.ply)
            match.wake_at = question(match, state, match.sitting, {}, match.asked_ms, at)["wake_at"]
            match.save(update_fields=["wake_at"])
        nudges.changed(match.key)


# Leaving


def leave(match: Match, index: int, why: str, at: int | None = None) -> None:
    """Let a player go who resigns, leaves or has run out of time. Raises Stale or Refused.

    A bot takes over, unless the match ends with that (`finish.never_came`, `finish.verdict`).
    """
    at, ply = at or now_ms(), match.ply
    with transaction.atomic():
        match = locked(match)
        seat = match.sitting[index]
        if why == Seat.Left.TIME and match.ply != ply:
            raise Stale
        if match.status != Match.Status.RUNNING or seat.plays_itself:
            raise Refused(_("You can no longer leave this game."))
        seat.left, seat.left_ply = why, match.ply
        seat.save(update_fields=["left", "left_ply"])
        edited(match)
        state = history.replay(match).state(match.ply)
        ends = [finish.ABSENT] if finish.never_came(match, seat, at) else finish.verdict(match, state)
        note(match, state, index, [f"!{why}", *ends], at)
        if seat.user and sum(other.user_id is not None for other in match.sitting) > 1:
            match.chat.create(user=seat.user, phrase=why)
            nudges.said(match.key)


def credit_clocks(match: Match, seconds: dict[int, int], at: int) -> bool:
    """Give clocks back the seconds, by seat, that the site was away until `at`. False if somebody was first."""
    state = history.replay(match).state(match.ply)
    rows = [Row(seat, f"!outage {given}", By.SERVER, at) for seat, given in seconds.items()]
    back = turn_of(match, rows, [row.move for row in rows], state, at)
    seats = match.sitting
    for seat, given in seconds.items():
        if seat == match.mover:
            back.header.update(question(match, state, seats, {}, match.asked_ms + 1000 * given, at))
        else:
            back.banks[seat] = seats[seat].bank_ms + 1000 * given
    return bool(commit([back]))


def vote(match: Match, index: int, choice: str, at: int | None = None) -> None:
    """Let a player agree to stop the match as a `Seat.Vote` says, or no longer (empty); it stops once all who are still
    there agree.

    Raises Refused if it cannot be stopped so any more, or not yet, Stale.
    """
    at = at or now_ms()
    with transaction.atomic():
        match = locked(match)
        seat = match.sitting[index]
        if match.status != Match.Status.RUNNING or seat.plays_itself:
            raise Refused(_("You no longer play in this game."))
        state = history.replay(match).state(match.ply)
        if choice == Seat.Vote.ABORT and len(match.sitting) == 1:
            raise Refused(_("A game alone can be given up, but not cancelled."))
        if choice == Seat.Vote.ABORT and not state.early:
            raise Refused(str(TITLES[match.game].too_late))
        if choice == Seat.Vote.END and not any(other.left for other in match.sitting):
            raise Refused(_("A game can be ended early only after someone has left it."))
        if choice == Seat.Vote.END and match.mover == index and is_late(match, at):
            raise Refused(_("Your time ran out before that arrived."))
        seat.vote = choice
        seat.save(update_fields=["vote"])
        edited(match)
        if events := finish.verdict(match, state):
            note(match, state, index, events, at)
        else:
            nudges.changed(match.key)


def cancel(match: Match, at: int) -> None:
    """End a running match without a result because its event has closed; in the caller's transaction."""
    match = locked(match)
    state = history.replay(match).state(match.ply)
    note(match, state, match.mover or 0, [finish.CLOSED], at)


def locked(match: Match) -> Match:
    """The match as it is now, locked until the end of the transaction: of two simultaneous changes, the second sees
    the first.

    Locked before its seats and ratings, as by an answer: otherwise the two could wait for each other.
    """
    Match.objects.select_for_update().get(pk=match.pk)
    return Match.objects.playing().get(pk=match.pk)


def edited(match: Match, **changes: Any) -> None:
    """Count a change beside the log of a locked match, so that no process goes on from an outdated memory.

    `changes`: columns that change with it.
    """
    match.revision += 1
    Match.objects.filter(pk=match.pk).update(revision=match.revision, **changes)


def note(match: Match, state: State, index: int, events: Sequence[str], at: int) -> None:
    """Append events, which concern a seat and are not moves; the last one may end the match.

    They are never earlier than the row before them, for which they may have waited.
    """
    at = max([at, *(row.at for row in history.replay(match).rows[: match.ply][-1:])])
    if events[-1] == history.END:
        state = state.copy()
        state.stop()
    rows = [Row(index, text, By.SERVER, at) for text in events]
    append(match, rows, events, state, at, aborted=events[-1] in finish.WITHOUT_RESULT)
