"""Finds out when the whole site was away, and gives clocks their time back.

Every process that serves the site beats: about once a second one of them notes the time in `Heartbeat`. While none of
them is up, or the database is away, nobody can answer, and nobody beats either: a longer gap is an outage. The first
beat after it writes it down, and the worker gives their time back to the players whose turn it was. Their logs say so:
`!outage 45`, in whole seconds, rounded up; less than one second does not count. A pause of workers, of Redis or of one
process among several is not an outage.

Instants are milliseconds since 1970, by the clocks of the machines, which have to agree within a second or so.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterator, Sequence

from django.db import DatabaseError, close_old_connections, connection, connections, transaction

from games.matches import history, play
from games.matches.clocks import instant, now_ms
from games.matches.history import Row
from games.matches.models import Heartbeat, Match, Outage

log = logging.getLogger(__name__)

SECOND_MS = 1000
BEAT_MS = 1000
LONGEST_GAP_MS = 5000
"""A longer gap between two beats is an outage; shorter ones are the players' own risk, like their networks."""


class Heart(threading.Thread):
    """Beats from the moment when this process answers until it ends."""

    def __init__(self) -> None:
        super().__init__(name="heart", daemon=True)
        self.stopped = threading.Event()

    def run(self) -> None:
        lost = False
        while not self.stopped.is_set():
            try:
                # This may have to wait for a connection, and only then can the site be reached.
                connection.ensure_connection()
                beat(now_ms())
                lost = False
            except Exception:
                # Keep the loop alive: nothing restarts it. The next beat shows what was missed.
                log.log(logging.DEBUG if lost else logging.ERROR, "The heartbeat could not be noted.", exc_info=True)
                lost = True
                close_old_connections()
            self.stopped.wait(BEAT_MS / 1000)
        connections.close_all()

    def stop(self) -> None:
        """Stop beating. Does not wait for a beat that is waiting for the database."""
        self.stopped.set()
        if self.is_alive():
            self.join(timeout=1)


def beat(now: int) -> None:
    """Note that the site can be reached at `now`, and the outage before, if there was one."""
    if Heartbeat.objects.filter(at__range=(now - LONGEST_GAP_MS, now - BEAT_MS)).update(at=now):
        return
    heartbeat = Heartbeat.objects.first()
    if heartbeat is None:
        Heartbeat.objects.get_or_create(pk=1, defaults={"at": now})
    elif heartbeat.at < now - LONGEST_GAP_MS:
        claim(now)


def claim(now: int) -> None:
    """Write down the outage that ends with a beat at `now`, unless another process has done so."""
    with transaction.atomic():
        heartbeat = Heartbeat.objects.select_for_update().first()
        if heartbeat is None or heartbeat.at >= now - LONGEST_GAP_MS:
            return
        Outage.objects.create(began=heartbeat.at, ended=now)
        Heartbeat.objects.filter(pk=heartbeat.pk).update(at=now)
    log.warning("Nobody could answer for %.1f s.", (now - heartbeat.at) / 1000)


def reached(at: int) -> bool:
    """Whether the site could be reached at `at`, as far as is known now, and no clock is still owed time.

    Until then nobody's time is up."""
    heartbeat = Heartbeat.objects.first()
    return heartbeat is None or (heartbeat.at >= at and not Outage.objects.filter(settled=False).exists())


def credit_all() -> None:
    """Give clocks back the time that outages cost them: once for each, wherever an earlier attempt broke off.

    A match in which this fails for a reason other than the database is logged and gets nothing: it would hold up all
    expiries of the site.
    """
    for outage in Outage.objects.filter(settled=False).order_by("ended"):
        running = Match.objects.filter(status=Match.Status.RUNNING, started_at__lt=instant(outage.ended))
        for pk in running.exclude(pace=Match.Pace.NONE).values_list("pk", flat=True):
            try:
                while not credit(pk, outage):
                    pass  # somebody has answered at this very moment
            except DatabaseError:
                raise
            except Exception:
                log.exception("The clocks of match %s could not be given their time back.", pk)
        Outage.objects.filter(pk=outage.pk).update(settled=True)


def credit(pk: int, outage: Outage) -> bool:
    """Give one match back the time that its clocks have lost, unless its log has it already. False if it moved on."""
    match = Match.objects.playing().get(pk=pk)
    if match.status != Match.Status.RUNNING:
        return True
    rows = history.replay(match).rows[: match.ply]
    if any(row.move.startswith("!outage") and row.at == outage.ended for row in rows):
        return True
    seats = match.sitting
    given = {
        seat: -(-ms // SECOND_MS)
        for seat, ms in lost(match, rows, outage).items()
        if ms >= SECOND_MS and not seats[seat].plays_itself
    }
    return not given or play.credit_clocks(match, given, outage.ended)


def lost(match: Match, rows: Sequence[Row], outage: Outage) -> Counter[int]:
    """The milliseconds of the outage in which each seat was asked; for daily matches, the open question only."""
    assert match.mover is not None
    open_one = match.mover, match.asked_ms, outage.ended
    lost: Counter[int] = Counter()
    for seat, since, until in asked(match, rows, outage.ended) if match.bank_ms else [open_one]:
        lost[seat] += max(0, min(until, outage.ended) - max(since, outage.began))
    return +lost


def asked(match: Match, rows: Sequence[Row], now: int) -> Iterator[tuple[int, int, int]]:
    """The questions so far: seat, from when, until when, up to `now`; the open one comes last."""
    since = match.began_ms
    for row in rows:
        if not row.is_event:
            yield row.seat, since, row.at
            since = row.at
    assert match.mover is not None
    yield match.mover, since, now
