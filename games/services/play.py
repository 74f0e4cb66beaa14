"""What happens to a running match: its beginning, moves, those who leave, its end. Each service is one transaction."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from games import chain, clocks, history, live
from games.clocks import instant, ms_of, now_ms
from games.engine.chance import PLAYER_BYTES
from games.engine.core import State
from games.history import Row
from games.models import LogEntry, Match, Seat, StandingOrder
from games.services import finish

By = LogEntry.By


class Refused(Exception):
    """What was asked for is not possible; the text says why, to a person."""


class Stale(Refused):
    """The match has moved on since the page was drawn."""

    def __init__(self):
        super().__init__(_("The table has moved on. Here is how it stands now."))


# Begin


def start(match: Match, at: int | None = None) -> None:
    """Begin a match whose seats are all taken, inside the caller's transaction."""
    at = at or now_ms()
    seats = list(match.seats.order_by("index"))
    for seat in seats:
        if len(seat.share) != PLAYER_BYTES:
            seat.share = random.SystemRandom().randbytes(PLAYER_BYTES)
        seat.bank_ms = match.bank_ms
        seat.save(update_fields=["share", "bank_ms"])
    match.status = Match.Status.RUNNING
    match.started_at = instant(at)
    match.link = chain.first_link(header(match))
    seed = history.seed_of(match, seats)
    put_question(match, match.rules.start(match.places, seed, match.options), seats, at)
    match.save()
    live.changed(match, lobby=True)


def header(match: Match) -> dict:
    """What is fixed when a match begins: the first link of its log holds it."""
    names = ("key", "game", "version", "options", "places", "commitment")
    return {name: getattr(match, name) for name in names}


# One answer


def play(match: Match, seat: int, ply: int, texts: Sequence[str], by: By = By.PLAYER, at: int | None = None) -> None:
    """Make the moves of one answer (all or none) at `ply`, and the forced ones that follow.

    Raises Stale if the match is elsewhere, RulesError if a move is none or not possible, Refused if time is up.
    """
    at = at or now_ms()
    if match.status != Match.Status.RUNNING or match.ply != ply:
        raise Stale
    state = history.replay(match).state(ply)
    if by == By.PLAYER and state.seat == seat and is_late(match, at):
        raise Refused(_("Your time was up before the answer arrived."))
    if not texts:
        raise Refused(_("No answer arrived; choose one and send it again."))
    rules = match.rules
    rows, shown = [], []
    for text in texts:
        move = rules.move(text)
        state.check(move, seat)
        rows.append(Row(seat, text, by, at))
        shown.append(state.shown(move))
        state = state.after(move)
    while (forced := state.forced()) is not None:
        rows.append(Row(state.seat, rules.text(forced), By.SERVER, at))
        shown.append(rows[-1].move)
        state = state.after(forced)
    append(match, rows, shown, state, at, answered=seat)


def is_late(match: Match, at: int) -> bool:
    """Whether what arrives at `at` comes after the time of who is asked, grace included."""
    return match.deadline is not None and at > match.deadline + clocks.GRACE_MS


def append(
    match: Match,
    rows: Sequence[Row],
    shown: Sequence[str],
    state: State,
    at: int,
    *,
    answered: int | None = None,
    aborted: bool = False,
) -> None:
    """Append rows to the log, one transaction with all that follows from them: clocks, next question, the end.

    `shown` is what everybody reads of each row, `state` the position after them, `answered` the seat whose clock ran.
    Raises Stale if somebody else was first.
    """
    ply, asked_at = match.ply, ms_of(match.asked_at)
    seats = list(match.seats.all())
    entries, link = linked(match, ply, rows, shown)
    with transaction.atomic():
        match.ply += len(rows)
        match.link = link
        changed = ["ply", "link"]
        if answered is not None:
            seats[answered].bank_ms = clocks.bank_after(match.control, asked_at, seats[answered].bank_ms, at)
        if answered is not None or seats[state.seat].left:
            put_question(match, state, seats, at)
            changed += ["mover", "asked_at", "wake_at"]
        changes = {name: getattr(match, name) for name in changed}
        if not Match.objects.filter(pk=match.pk, ply=ply, status=Match.Status.RUNNING).update(**changes):
            raise Stale
        LogEntry.objects.bulk_create(entries)
        if answered is not None and match.bank_ms:
            seats[answered].save(update_fields=["bank_ms"])
        if aborted:
            finish.abort(match, at)
        elif state.over:
            finish.finish(match, state, at)
        transaction.on_commit(lambda: history.added(match, ply, rows))
        live.changed(match, lobby=match.status != Match.Status.RUNNING)


def linked(match: Match, ply: int, rows: Sequence[Row], shown: Sequence[str]) -> tuple[list[LogEntry], bytes]:
    """The rows as entries of the log from `ply` on, each linked to the one before, and the last link."""
    seed, link = history.seed_of(match, match.seats.all()), bytes(match.link)
    entries = []
    for row, public in zip(rows, shown, strict=True):
        private = "" if public == row.move else row.move
        link = chain.next_link(link, seed, ply, row.seat, public, private)
        entries.append(LogEntry(match=match, ply=ply, link=chain.seal(link, row.by, row.at), **row._asdict()))
        ply += 1
    return entries, link


def put_question(match: Match, state: State, seats: Sequence[Seat], at: int) -> None:
    """Note on the match who is asked now, since when, and when the worker has to look."""
    match.mover, match.asked_at, match.wake_at = state.seat, instant(at), None
    if state.seat is None:
        return
    seat = seats[state.seat]
    until = clocks.deadline(match.control, at, seat.bank_ms)
    if seat.plays_itself:
        somebody_waits = not all(other.plays_itself for other in seats)
        match.wake_at = instant(at) + (thinking() if somebody_waits else timedelta())
    elif standing_answer(match, state) is not None:
        match.wake_at = instant(at) + thinking()
    elif until is not None:
        match.wake_at = instant(until + clocks.GRACE_MS)


def standing_answer(match: Match, state: State) -> str | None:
    """What the standing orders of the seat that is asked answer for it; None if nothing."""
    orders = list(StandingOrder.objects.filter(seat__match=match, seat__index=state.seat).values_list("lot", "limit"))
    if not orders:
        return None
    move = match.rules.answer(state.view(state.seat), orders)
    return None if move is None else match.rules.text(move)


def thinking() -> timedelta:
    """How long a bot, or a standing order, takes for an answer; drawn without regard to the position."""
    shortest, longest = settings.THINKING_MS
    return timedelta(milliseconds=random.uniform(shortest, longest))


# Standing orders


def set_order(match: Match, seat: Seat, lot: int | None, limit: int | None) -> None:
    """Note a standing order of a player: see `StandingOrder`; `limit` None takes back what stands for `lot`."""
    if match.status != Match.Status.RUNNING or seat.plays_itself:
        raise Refused(_("Standing orders are for those who play here."))
    if match.mover == seat.index and is_late(match, now_ms()):
        raise Refused(_("Your time was up before the order arrived."))
    with transaction.atomic():
        if limit is None:
            seat.orders.filter(lot=lot).delete()
        else:
            seat.orders.update_or_create(lot=lot, defaults={"limit": limit})
        state = history.replay(match).state(match.ply)
        if state.seat == seat.index and standing_answer(match, state) is not None:
            Match.objects.filter(pk=match.pk, ply=match.ply).update(wake_at=instant(now_ms()) + thinking())
            live.wake()


# Leaving


def leave(match: Match, index: int, why: str, at: int | None = None) -> None:
    """A bot takes over for who resigns, leaves or has run out of time; the match goes on. Raises Stale or Refused."""
    at = at or now_ms()
    seat = match.seats.all()[index]
    if match.status != Match.Status.RUNNING or seat.plays_itself:
        raise Refused(_("There is nothing to leave here any more."))
    with transaction.atomic():
        # The match is locked before its seats, as an answer does it: else the two could wait for each other.
        Match.objects.select_for_update().get(pk=match.pk)
        seat.left, seat.left_ply = why, match.ply
        seat.save(update_fields=["left", "left_ply"])
        state = history.replay(match).state(match.ply)
        if all_agree(match) and state.early:
            note(match, state, index, [f"!{why}", "!abort"], at, aborted=True)
        else:
            note(match, state, index, [f"!{why}"], at)


def agree_to_abort(match: Match, index: int, yes: bool = True, at: int | None = None) -> None:
    """A player agrees to abort, or not after all; when all who are left agree, the match ends and counts for nothing.

    Raises Refused once half of the gift phase is played (rules page: Leaving), Stale.
    """
    at = at or now_ms()
    with transaction.atomic():
        # Locked and fresh: of two who agree at once, the second sees the first.
        match = Match.objects.seated().select_for_update().get(pk=match.pk)
        seat = match.seats.all()[index]
        if match.status != Match.Status.RUNNING or seat.plays_itself:
            raise Refused(_("There is nothing to abort here any more."))
        state = history.replay(match).state(match.ply)
        if not state.early:
            raise Refused(_("Too much is played: a game can be aborted only in the first half of the gifts."))
        seat.abort = yes
        seat.save(update_fields=["abort"])
        if all_agree(match):
            note(match, state, index, ["!abort"], at, aborted=True)
        else:
            live.changed(match)


def all_agree(match: Match) -> bool:
    """Whether all people who are left at the table agree to abort."""
    people = [seat for seat in match.seats.all() if not seat.plays_itself]
    return bool(people) and all(seat.abort for seat in people)


def note(match: Match, state: State, index: int, events: Sequence[str], at: int, aborted: bool = False) -> None:
    """Append events that concern a seat and are no moves."""
    append(match, [Row(index, text, By.SERVER, at) for text in events], events, state, at, aborted=aborted)
