"""Does what is due in tournaments by the clock. Any number of workers may: it is done under the tournament's lock."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction

from accounts.models import Club
from accounts.web.throttle import TooMany
from games.matches.models import Match
from games.tournaments import arenas, computing, contests, duplicate, events, plan, playing, services, typed
from games.tournaments.models import Tournament
from games.tournaments.payloads import TournamentClosed

log = logging.getLogger(__name__)

AGAIN = timedelta(minutes=1)
"""When a tournament whose work failed, or must wait for that of another one, is tried again."""


def work(now: datetime) -> None:
    """Do what is due at `now` in all tournaments."""
    for tournament in Tournament.objects.filter(wake_at__lte=now).order_by("wake_at").select_related("club"):
        try:
            do(tournament, now)
        except TooMany as full:
            Tournament.objects.filter(pk=tournament.pk).update(wake_at=now + timedelta(seconds=full.wait_s))
        except computing.Busy:
            Tournament.objects.filter(pk=tournament.pk).update(wake_at=now + AGAIN)
        except OperationalError:
            raise  # not the tournament's fault: the database is away, or gave way to another transaction
        except Exception:
            log.exception("The tournament %s cannot proceed; it is tried again soon.", tournament.pk)
            Tournament.objects.filter(pk=tournament.pk).update(wake_at=now + AGAIN)


def do(tournament: Tournament, now: datetime) -> None:
    """Lay the tables that a tournament has yet to get, do what is due in it, and go on with one that has a plan, whose
    next round is computed while nobody waits."""
    playing.create_more(tournament, now)
    _look(tournament, now)
    if tournament.kind == Tournament.Kind.ARENA:
        arenas.work(tournament, now)
    elif tournament.kind in plan.FORMATS:
        contests.resume(tournament, now)


@transaction.atomic
def _look(tournament: Tournament, now: datetime) -> None:
    """Record the games whose end could not be recorded when they ended, close what was forgotten, decide the
    games of a tournament with a plan that were not over in time, and close one in which the deal was the same for
    all."""
    hidden = services.hidden_matches(tournament)
    if tournament.kind == Tournament.Kind.DEAL:
        Club.objects.select_for_update(no_key=True).get(pk=tournament.club_id)  # in which the next one is created
    tournament = events.locked(tournament)
    if tournament.wake_at is None or tournament.wake_at > now:
        return
    tables = (table for each in events.standing(tournament).rounds for table in each.tables)
    keys = [table.match for table in tables if table.match and not table.over]
    over = Match.objects.filter(key__in=keys, ended_at__isnull=False)
    playing.record(tournament, over.order_by("ended_at"))
    typed.work(tournament, now)
    standing = events.standing(tournament)
    evening = tournament.kind == Tournament.Kind.EVENING and tournament.closed_at is None
    if evening and events.forgotten(tournament, standing) <= now and not standing.busy:
        events.write(tournament, TournamentClosed(), events.forgotten(tournament, standing))
    if tournament.same_deal:
        duplicate.work(tournament, hidden, now)
    elif tournament.kind != Tournament.Kind.EVENING:
        lapses = events.lapses(tournament)
        if not standing.groups and lapses and lapses <= now:
            events.write(tournament, TournamentClosed(), lapses)
        contests.work(tournament, now)
    events.schedule_wakeup(tournament, now)
