"""Does what is due without anybody asking: bots, standing orders, clocks, idle matches, quick matches, ladders.

Any number of workers may run: each piece of work is claimed by the same conditional update as a move.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import OperationalError, close_old_connections, connection, connections
from django.utils import timezone

import accounts.services
from accounts.database.planner import learn_sizes
from accounts.notices import book as notices
from accounts.notices import letters
from games.engine.core import State
from games.hub import metrics, nudges
from games.ladders import due
from games.lobby import open_matches, quick
from games.matches import clocks, history, outage, play, reminders
from games.matches.clocks import ms_of
from games.matches.models import LogEntry, Match, Seat
from games.matches.turn import Stale, standing_answer
from games.transparency import intake
from games.transparency.keys import BadKey

log = logging.getLogger(__name__)

CHORES = timedelta(minutes=1)
"""Seconds between searches for idle matches and closing accounts."""
UNREACHED = timedelta(milliseconds=500)
"""When to look again at a clock that has run out, while the site may have been away."""
SETTLING = timedelta(seconds=1)
"""Seconds between searches for outages."""
POST_EVERY_S = 5
"""Seconds between searches for mails to send ..."""
POST_AWAY_S = 60
"""... and between attempts while the mail server is away."""
LONGEST_NAP_S = 0.5
"""Work may come from another process, which does not wake this one."""


@contextmanager
def working() -> Iterator[None]:
    """Runs a worker in a thread, which at the end finishes its work in hand; another thread sends mail."""
    stopped = threading.Event()
    threads = [
        threading.Thread(target=run, args=[stopped], name="worker"),
        threading.Thread(target=run_post, args=[stopped], name="post"),
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        nudges.wake()
        for thread in threads:
            thread.join()


def run(stopped: threading.Event) -> None:
    """Work until the event `stopped` is set."""
    chores_at = settling_at = timezone.now()
    while not stopped.is_set():
        nudges.awake.clear()
        nap = LONGEST_NAP_S
        try:
            # This may have to wait for a connection; answers due meanwhile are late as well.
            connection.ensure_connection()
            if timezone.now() >= settling_at:
                settling_at = timezone.now() + SETTLING
                outage.settle()
            now = timezone.now()
            busy = run_once(now)
            if now >= chores_at:
                chores_at = now + CHORES
                chores(now)
            nap = 0 if busy else nap_s()
        except Exception:
            # Keep the loop alive: nothing restarts it.
            log.exception("Some work could not be done; it is tried again.")
            close_old_connections()
        if nap and not stopped.is_set():
            nudges.awake.wait(nap)
    connections.close_all()


def run_post(stopped: threading.Event) -> None:
    """Send the mails that are due until the event `stopped` is set."""
    while not stopped.wait(POST_EVERY_S):
        try:
            letters.send_due(timezone.now())
        except OSError as fault:
            log.warning("The mail server is away (%s); mails wait.", type(fault).__name__)
            stopped.wait(POST_AWAY_S)
        except Exception:
            log.exception("Some mails could not be sent; this is tried again.")
        finally:
            connections.close_all()


def nap_s() -> float:
    """Seconds until the next match is due, at most LONGEST_NAP_S."""
    next_at = Match.objects.filter(wake_at__isnull=False).order_by("wake_at").values_list("wake_at", flat=True).first()
    if next_at is None:
        return LONGEST_NAP_S
    return min(LONGEST_NAP_S, max(0.005, (next_at - timezone.now()).total_seconds()))


def run_once(now: datetime) -> int:
    """Do what is due at `now`: answers of bots and standing orders, expired clocks, quick matches, ladders.

    Returns the number of matches.
    """
    quick.pair(now)
    due.work(now)
    matches = Match.objects.playing().filter(wake_at__lte=now).order_by("wake_at")[:100]
    for match in matches:
        metrics.worker_lag.observe(max(0.0, (timezone.now() - (match.wake_at or now)).total_seconds()))
        try:
            attend(match, now)
        except Stale:
            pass  # somebody else was first
        except OperationalError:
            raise  # not the match's fault: the database is away, or gave way to another transaction
        except Exception:
            log.exception("Match %s cannot proceed; it is tried again in a minute.", match.key)
            Match.objects.filter(pk=match.pk, ply=match.ply, edits=match.edits).update(
                wake_at=now + timedelta(minutes=1)
            )
    return len(matches)


def attend(match: Match, now: datetime) -> None:
    """Answer for the seat whose turn it is, or declare its time up."""
    at = ms_of(now)
    assert match.mover is not None
    seat = match.sitting[match.mover]
    late = None if match.deadline is None else match.deadline + clocks.GRACE_MS
    state = history.replay(match).state(match.ply)
    if seat.plays_itself:
        play.play(match, seat.index, match.ply, [bot_move(match, seat, state)], LogEntry.By.BOT, at)
    elif answer := standing_answer(match, state):
        # The order was there in time, however late the worker comes.
        play.play(match, seat.index, match.ply, [answer], at=at if match.deadline is None else min(at, match.deadline))
    elif late is not None and at >= late and outage.reached(late):
        play.leave(match, seat.index, Seat.Left.TIME, at)
    else:
        until = None if late is None else clocks.instant(late) if at < late else now + UNREACHED
        Match.objects.filter(pk=match.pk, ply=match.ply, edits=match.edits).update(wake_at=until)


def bot_move(match: Match, seat: Seat, state: State) -> str:
    """The answer of a seat's bot, from what the seat may know."""
    choose = match.rules.bots[seat.bot or match.rules.bot]
    return match.rules.text(choose(state.view(seat.index), random.Random()))


def chores(now: datetime) -> None:
    """Do what is in no hurry."""
    open_matches.close_idle(now)
    accounts.services.close_due(now)
    open_matches.release_absent()
    accounts.services.forget_guests(now)
    accounts.services.forget_sessions(now)
    reminders.remind(now)
    notices.forget(now)
    if now.minute == 0:
        learn_sizes()
    try:
        intake.daily(now)
    except BadKey as error:
        log.error("The public log is not signed: %s", error)
