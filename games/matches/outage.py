"""When the whole site was away, and the time that clocks are given back for it.

Every process that serves the site beats: about once a second one of them notes the time in `Pulse`. While none of them
is up, or the database is away, nobody can answer, and nobody beats either: a longer gap is an outage. Who beats first
after it writes it down, the worker gives their time back to those who were asked meanwhile. Their logs say so:
`!outage 45`, in whole seconds, rounded up; what is less than one is not counted. A pause of workers, of Redis or of one
process among several is no outage.

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
from games.matches.models import Match, Outage, Pulse

log = logging.getLogger(__name__)

SECOND_MS = 1000
BEAT_MS = 1000
LONGEST_GAP_MS = 5000
"""A longer gap between two beats is an outage; a shorter one is at everybody's own risk, as his network is."""


class Heart(threading.Thread):
    """Beats, from when this process answers until it ends."""

    def __init__(self) -> None:
        super().__init__(name="heart", daemon=True)
        self.stopped = threading.Event()

    def run(self) -> None:
        lost = False
        while not self.stopped.is_set():
            try:
                # It may have to wait for one, and the site is there only then.
                connection.ensure_connection()
                beat(now_ms())
                lost = False
            except Exception:
                # Nobody else would go on with it; what it means is seen by the next beat.
                log.log(logging.DEBUG if lost else logging.ERROR, "The pulse could not be noted.", exc_info=True)
                lost = True
                close_old_connections()
            self.stopped.wait(BEAT_MS / 1000)
        connections.close_all()

    def stop(self) -> None:
        """The process answers no more. A beat that waits for the database is not waited for."""
        self.stopped.set()
        if self.is_alive():
            self.join(timeout=1)


def beat(now: int) -> None:
    """Note that the site can be reached at `now`; the outage too, if it could not for long."""
    if Pulse.objects.filter(at__range=(now - LONGEST_GAP_MS, now - BEAT_MS)).update(at=now):
        return
    pulse = Pulse.objects.first()
    if pulse is None:
        Pulse.objects.get_or_create(pk=1, defaults={"at": now})
    elif pulse.at < now - LONGEST_GAP_MS:
        claim(now)


def claim(now: int) -> None:
    """Write down the outage that ends with a beat at `now`, unless another process has done so."""
    with transaction.atomic():
        pulse = Pulse.objects.select_for_update().first()
        if pulse is None or pulse.at >= now - LONGEST_GAP_MS:
            return
        Outage.objects.create(began=pulse.at, ended=now)
        Pulse.objects.filter(pk=pulse.pk).update(at=now)
    log.warning("Nobody could answer for %.1f s.", (now - pulse.at) / 1000)


def reached(at: int) -> bool:
    """Whether the site could be reached at `at`, as far as is known now, and no clock waits for its time back.

    Nobody's time is up before that is so.
    """
    pulse = Pulse.objects.first()
    return pulse is None or (pulse.at >= at and not Outage.objects.filter(settled=False).exists())


def settle() -> None:
    """Give back what clocks have lost in outages. At most once for each, wherever an earlier attempt was ended.

    A match in which that is not possible for another reason than the database is logged and gets nothing: it would
    hold up all expiries of the site.
    """
    for outage in Outage.objects.filter(settled=False).order_by("ended"):
        running = Match.objects.filter(status=Match.Status.RUNNING, started_at__lt=instant(outage.ended))
        for pk in running.exclude(pace=Match.Pace.NONE).values_list("pk", flat=True):
            try:
                while not credit(pk, outage):
                    pass  # somebody has answered in this moment
            except DatabaseError:
                raise
            except Exception:
                log.exception("The clocks of match %s could not be given their time back.", pk)
        Outage.objects.filter(pk=outage.pk).update(settled=True)


def credit(pk: int, outage: Outage) -> bool:
    """Give back what the clocks of one match have lost, if that is not in its log yet. False if it has moved on."""
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
    return not given or play.give_back(match, given, outage.ended)


def lost(match: Match, rows: Sequence[Row], outage: Outage) -> Counter[int]:
    """How many milliseconds of the outage each seat was asked, by seat; for days only the question that is open."""
    questions = list(asked(match, rows, outage.ended))
    lost: Counter[int] = Counter()
    for seat, since, until in questions if match.bank_ms else questions[-1:]:
        lost[seat] += max(0, min(until, outage.ended) - max(since, outage.began))
    return +lost


def asked(match: Match, rows: Sequence[Row], now: int) -> Iterator[tuple[int, int, int]]:
    """Who was asked, from when to when, as far as `now`; the question that is open comes last."""
    since = match.began_ms
    for row in rows:
        if not row.is_event:
            yield row.seat, since, row.at
            since = row.at
    assert match.mover is not None
    yield match.mover, since, now
