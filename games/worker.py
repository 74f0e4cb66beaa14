"""Does what is due without anybody asking: bots, standing orders, clocks, idle and quick matches, ladders, tournaments.

Any number of workers may run: each piece of work is claimed by the same conditional update as a move. What somebody
waits for goes before the rest, and no person's matches hold up those of others (`in_turn`).
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import NamedTuple

from django.conf import settings
from django.db import OperationalError, close_old_connections, connection, connections
from django.utils import timezone

import accounts.people.browsers
import accounts.services
from accounts import enquiries
from accounts.clubs import mail_invitations
from accounts.database.planner import learn_sizes
from accounts.notices import mails, notices
from games import vitals
from games.analysis.working import Analyst
from games.board import services as board
from games.calendar import services as dates
from games.deck import deck, gathering, puzzles
from games.engine.bots import choose
from games.engine.core import State
from games.feeds import sending as webhooks
from games.hands import hands
from games.hub import metrics, nudges
from games.ladders import due as ladders_due
from games.lobby import house, open_matches, quick
from games.lobby import rematches as offers
from games.matches import clocks, history, outage, play, reminders, shuffle, thinking
from games.matches.clocks import ms_of
from games.matches.models import LogEntry, Match, Seat
from games.matches.turn import Stale, standing_answer
from games.tournaments import differing, scheduled
from games.tournaments import due as tournaments_due
from games.transparency import intake
from games.transparency.kept import OtherPast
from games.transparency.keys import BadKey

log = logging.getLogger(__name__)

MOST = 20
"""The number of matches attended to in one round of answers ..."""
LOOKED_AT = 1000
"""... chosen among this many that have been due for longest."""
UNREACHED = timedelta(milliseconds=500)
"""When to look again at a clock that has run out, while the site may have been away."""
BROKEN = timedelta(minutes=1)
"""When a match that cannot proceed is tried again."""
AHEAD = timedelta(seconds=1)
"""So long before its answer is due a bot may think about it, while nothing is due ..."""
MOST_AHEAD = 1000
"""... and so many answers are kept until then."""
LONGEST_NAP_S = 0.5
"""Work may come from another process, which does not wake this one."""
FAST_JOBS_EVERY_S = 0.5
"""Seconds between looks at outages, quick matches, ladders and tournaments."""
BEACON_EVERY_S = 0.5
"""Seconds between looks for shuffles that wait for a beacon."""
CHORES_EVERY_S = 60
DECKS_EVERY_S = 10
VITALS_EVERY_S = 10
WEBHOOKS_EVERY_S = 2
ANALYSES_EVERY_S = 1
"""Seconds between looks for reviews that wait, while there are none."""
POST_EVERY_S = 5
"""Seconds between searches for mails to send ..."""
POST_AWAY_S = 60
"""... and between attempts while the mail server is away."""


@contextmanager
def working() -> Iterator[None]:
    """Runs a worker: one thread for answers, and one for each other kind of work, so that none waits for another.

    At the end each finishes its work in hand.
    """
    stopped = threading.Event()
    threads = [
        threading.Thread(target=run, args=[stopped], name=vitals.ANSWERS),
        threading.Thread(target=repeat, args=[stopped, FAST_JOBS_EVERY_S, FAST_JOBS], name="fast jobs"),
        threading.Thread(target=repeat, args=[stopped, CHORES_EVERY_S, CHORES], name="chores"),
        threading.Thread(target=repeat, args=[stopped, DECKS_EVERY_S, DECK_JOBS], name="decks"),
        threading.Thread(target=run_post, args=[stopped], name="post"),
        threading.Thread(target=run_analyses, args=[stopped], name="analyses"),
        threading.Thread(target=repeat, args=[stopped, WEBHOOKS_EVERY_S, [webhooks.send_due]], name="webhooks"),
        threading.Thread(target=repeat, args=[stopped, VITALS_EVERY_S, [vitals.tell]], name="vitals"),
    ]
    if settings.BEACON:
        asking = [stopped, BEACON_EVERY_S, [shuffle.ask_beacon]]
        threads.append(threading.Thread(target=repeat, args=asking, name="beacon"))
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        gathering.stopping.set()
        nudges.wake()
        for thread in threads:
            thread.join()
        gathering.stopping.clear()
        thinking.bots.close()


def run(stopped: threading.Event) -> None:
    """Answer for bots, standing orders and expired clocks until the event `stopped` is set."""
    while not stopped.is_set():
        nudges.awake.clear()
        nap = LONGEST_NAP_S
        try:
            # This may have to wait for a connection; answers due meanwhile are late as well.
            connection.ensure_connection()
            nap = nap_s()
            if not nap:
                run_once(timezone.now())
            elif think_ahead(timezone.now()):
                nap = 0
            vitals.through()
        except Exception:
            # Keep the loop alive: nothing restarts it.
            log.exception("Some work could not be done; it is tried again.")
            close_old_connections()
        if nap and not stopped.is_set():
            nudges.awake.wait(nap)
    connections.close_all()


def repeat(stopped: threading.Event, every_s: float, works: Sequence[Callable[[datetime], object]]) -> None:
    """Do these works again and again until the event `stopped` is set. None keeps the others from being done."""
    while True:
        for work in works:
            try:
                work(timezone.now())
            except Exception:
                log.exception("Some work (%s) could not be done; it is tried again.", work.__name__)
                close_old_connections()
        vitals.through()
        if connection.vendor != "sqlite":
            connections.close_all()  # it goes back to the pool; one of SQLite costs more than what is asked of it
        if stopped.wait(every_s):
            break
    connections.close_all()


def run_post(stopped: threading.Event) -> None:
    """Send the mails that are due until the event `stopped` is set."""
    while not stopped.wait(POST_EVERY_S):
        for send in (mails.send_due, enquiries.send_due):
            try:
                send(timezone.now())
            except OSError as fault:
                log.warning("The mail server is away (%s); mails wait.", type(fault).__name__)
                stopped.wait(POST_AWAY_S)
            except Exception:
                log.exception("Some mails could not be sent; this is tried again.")
            finally:
                connections.close_all()
        vitals.through()


def run_analyses(stopped: threading.Event) -> None:
    """Look at the decisions of matches until the event `stopped` is set."""
    analyst, nap_s = Analyst(), 0.0
    while not stopped.wait(nap_s):
        nap_s = ANALYSES_EVERY_S
        try:
            if analyst.step(timezone.now()):
                nap_s = 0
        except Exception:
            log.exception("Some decisions could not be looked at; this is tried again.")
            close_old_connections()
        vitals.through()
        if nap_s and connection.vendor != "sqlite":
            connections.close_all()
    analyst.thinker.close()
    connections.close_all()


# Answers


class Due(NamedTuple):
    """A match for which something is to be done."""

    pk: int
    host: int
    """Who opened it."""
    wake_at: datetime
    """Since when."""
    bot: bool
    """Whether a bot answers; otherwise it is a clock or a standing order."""


def in_turn(due: Iterable[Due], most: int) -> list[int]:
    """The ids of the matches of one round, at most this many, in order.

    Clocks and orders alternate with bots, so that neither waits behind all of the other. In both, nobody's second match
    comes before everybody's first, and what has been due for longest comes first.
    """
    mine: Counter[tuple[bool, int]] = Counter()
    lines: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
    for match in sorted(due, key=lambda match: (match.wake_at, match.pk)):
        mine[match.bot, match.host] += 1
        lines[match.bot].append((mine[match.bot, match.host], match.pk))
    # Stable: within a rank they stay in the order of time.
    people, bots = ([pk for _rank, pk in sorted(line, key=lambda one: one[0])] for line in lines)
    return [pk for pair in zip_longest(people, bots) for pk in pair if pk is not None][:most]


def due_at(now: datetime) -> list[Due]:
    """The matches that have been due for longest."""
    found = Match.objects.filter(wake_at__lte=now).order_by("wake_at")
    return [Due(*row) for row in found.values_list("pk", "host_id", "wake_at", vitals.BY_BOT)[:LOOKED_AT]]


def run_once(now: datetime) -> int:
    """A round: attend to some of the matches that are due at `now`. Returns their number."""
    chosen = in_turn(due_at(now), MOST)
    attend_all(chosen, now)
    return len(chosen)


def attend_all(chosen: Sequence[int], now: datetime) -> None:
    """Attend to these matches in this order. One that is broken does not hold up the others."""
    matches = Match.objects.playing().in_bulk(chosen) if chosen else {}
    for match in (matches[pk] for pk in chosen if pk in matches):
        if match.wake_at is None or match.wake_at > now:
            continue  # somebody else was first
        metrics.worker_lag.observe(max(0.0, (timezone.now() - match.wake_at).total_seconds()))
        try:
            # Each at its own moment: a time that two matches share would tell whom the worker has answered for.
            attend(match, max(now, timezone.now()))
        except Stale:
            pass  # somebody else was first
        except OperationalError:
            raise  # not the match's fault: the database is away, or gave way to another transaction
        except Exception:
            log.exception("Match %s cannot proceed; it is tried again in a minute.", match.key)
            Match.objects.filter(pk=match.pk, ply=match.ply, revision=match.revision).update(wake_at=now + BROKEN)


def nap_s() -> float:
    """Seconds until the next match is due, at most LONGEST_NAP_S; 0 if one is."""
    waiting = Match.objects.filter(wake_at__isnull=False)
    next_at = waiting.order_by("wake_at").values_list("wake_at", flat=True).first()
    if next_at is None:
        return LONGEST_NAP_S
    return min(LONGEST_NAP_S, max(0.0, (next_at - timezone.now()).total_seconds()))


thought: dict[tuple[int, int, int], list[str]] = {}
"""What bots will answer, by match, ply and revision."""


def think_ahead(now: datetime) -> bool:
    """Let the bot think whose answer is due next, unless it has: how long that takes must not show. Returns whether one
    has thought."""
    soon = Match.objects.filter(vitals.BY_BOT, status=Match.Status.RUNNING, wake_at__gt=now, wake_at__lt=now + AHEAD)
    for known in soon.order_by("wake_at").values_list("pk", "ply", "revision")[:LOOKED_AT]:
        if known not in thought:
            match = Match.objects.playing().get(pk=known[0])
            if (match.pk, match.ply, match.revision) == known and match.mover is not None:
                if len(thought) >= MOST_AHEAD:
                    thought.clear()
                thought[known] = []  # it is asked once ahead, whatever comes of it
                thought[known] = bot_answer(match, match.sitting[match.mover], history.replay(match).state(match.ply))
                return True
    return False


def attend(match: Match, now: datetime) -> None:
    """Answer for the seat whose turn it is, or declare its time up; go on with a shuffle."""
    at = ms_of(now)
    if match.status == Match.Status.SHUFFLING:
        shuffle.look(match, at)
        return
    if match.called:
        open_matches.begin_called(match, at)
        return
    if match.status == Match.Status.OPEN:
        offers.expire(match)
        return
    assert match.mover is not None
    seat = match.sitting[match.mover]
    late = None if match.deadline is None else match.deadline + clocks.GRACE_MS
    state = history.replay(match).state(match.ply)
    if seat.plays_itself:
        asked = match.pk, match.ply, match.revision
        # If the bot is stuck, this stays: it is tried again, but not ahead, for others wait meanwhile.
        answer = thought.setdefault(asked, []) or bot_answer(match, seat, state)
        thought.pop(asked, None)
        play.play(match, seat.index, match.ply, answer, LogEntry.By.BOT, at)
    elif order := standing_answer(match, state):
        # The order was there in time, however late the worker comes.
        play.play(match, seat.index, match.ply, order, at=at if match.deadline is None else min(at, match.deadline))
    elif late is not None and at >= late and outage.reached(late):
        play.leave(match, seat.index, Seat.Left.TIME, at)
    else:
        until = None if late is None else clocks.instant(late) if at < late else now + UNREACHED
        Match.objects.filter(pk=match.pk, ply=match.ply, revision=match.revision).update(wake_at=until)


def bot_answer(match: Match, seat: Seat, state: State) -> list[str]:
    """The answer of a seat's bot, from what the seat may know: all its moves, such as the cards of one payment."""
    kind, name = type(match.rules), seat.bot or match.rules.bot
    texts: list[str] = []
    state = state.copy()
    while not texts or (state.same_answer and state.forced() is None):
        move = thinking.bots.call(choose, kind, name, state.view(seat.index), secrets.randbits(64))
        texts.append(match.rules.text(move))
        state.play(move)
    return texts


# Chores


def learn(now: datetime) -> None:
    """Let the database learn the sizes of its tables, once an hour."""
    if now.minute == 0:
        learn_sizes()


def publish(now: datetime) -> None:
    """Sign the public log of the day, if it goes on from what was signed before."""
    try:
        intake.daily(now)
        metrics.log_refused.set(0)
    except BadKey as error:
        metrics.log_refused.set(1)
        log.error("The public log is not signed: %s", error)
    except OtherPast as error:
        metrics.log_refused.set(1)
        log.error("The public log is not signed, for the database has another past: %s", error)


def settle_outages(now: datetime) -> None:
    """Give clocks back what outages before `now` cost them."""
    outage.credit_all()


def release_absent(now: datetime) -> None:
    """Free the seats of accounts that are closed or banned at `now`."""
    open_matches.release_absent()


FAST_JOBS = settle_outages, quick.pair, ladders_due.work, scheduled.open_due, tournaments_due.work, scheduled.begin_due
"""What is done every moment beside the answers."""
DECK_JOBS = gathering.gather, puzzles.draw, deck.tell, differing.look
"""What takes its time."""
CHORES = (
    open_matches.close_idle,
    open_matches.forget_closed,
    accounts.services.close_due,
    release_absent,
    accounts.services.forget_guests,
    accounts.services.forget_sessions,
    accounts.people.browsers.forget,
    reminders.remind,
    hands.draw,
    hands.close_due,
    house.rate,
    dates.remind,
    notices.forget,
    mail_invitations.forget,
    gathering.forget_unjudged,
    board.forget_closed,
    learn,
    publish,
)
"""What is in no hurry."""
