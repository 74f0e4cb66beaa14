"""Does what is due on ladders by the clock. Any number of workers may: each piece is done under the ladder's lock.

After an outage, missed work is done in the order in which it was due, and takes effect as of then; only games whose
time has come begin now.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction

from games.ladders import at_table, challenges, events, results
from games.ladders.agenda import Item, Work, agenda
from games.ladders.models import Challenge, Ladder, TableResult
from games.ladders.payloads import Sunk
from games.matches.clocks import ms_of

log = logging.getLogger(__name__)

MOST = 50
"""The pieces of work done in one go on a ladder, while bots and clocks wait."""
AGAIN = timedelta(minutes=1)
"""When a ladder whose work failed is tried again."""


def work(now: datetime) -> int:
    """Do what is due at `now` on all ladders, or the first part of it. Returns the number of pieces of work."""
    done = 0
    for ladder in Ladder.objects.filter(wake_at__lte=now).order_by("wake_at").only("pk"):
        try:
            for _ in range(MOST):
                if not do_next(ladder, now):
                    break
                done += 1
        except OperationalError:
            raise  # not the ladder's fault: the database is away, or gave way to another transaction
        except Exception:
            log.exception("The ladder %s cannot proceed; it is tried again soon.", ladder.pk)
            Ladder.objects.filter(pk=ladder.pk).update(wake_at=now + AGAIN)
    return done


@transaction.atomic
def do_next(ladder: Ladder, now: datetime) -> bool:
    """Do the first piece of work that is due on a ladder; False if there is none."""
    ladder = events.locked(ladder)
    item = next(iter(agenda(ladder)), None)
    if due := item is not None and item.at <= now:
        do(ladder, item, now)
    events.schedule_wakeup(ladder)
    return due


def do(ladder: Ladder, item: Item, now: datetime) -> None:
    """Do one piece of work on a locked ladder."""
    if item.work == Work.SEASON_END:
        events.close_season(ladder, item.at)
        return
    if item.work == Work.WARN:
        warn(ladder, item.about, item.at, now)
        return
    if item.work == Work.RESUME:
        events.go_on(ladder, item.at)
        return
    if item.work == Work.SINK:
        event = events.write(ladder, Sunk(item.about), item.at)
        if after := event.steps.get(str(item.about)):
            events.notify(ladder, [item.about], "sunk", item.at, position=after[1])
        return
    if item.work in (Work.LAPSE, Work.REMIND_TABLE):
        entry = TableResult.objects.select_related("entered_by").get(pk=item.about)
        entry.ladder = ladder
        if item.work == Work.LAPSE:
            events.lapse(entry, item.at)
        else:
            at_table.remind(entry, item.at, now)
        return
    challenge = Challenge.objects.select_related("challenger", "proposed_by", "match").get(pk=item.about)
    challenge.ladder = ladder
    match item.work:
        case Work.UNANSWERED:
            challenges.unanswered(ladder, challenge, item.at)
        case Work.UNFINISHED:
            challenges.unfinished(ladder, challenge, item.at)
        case Work.REMIND:
            challenges.remind(challenge, item.at, now)
        case Work.START:
            challenges.start(ladder, challenge, max(now, item.at))
        case Work.OVER:
            over = challenge.match
            if over and over.result:
                results.count(challenge, list(over.seats.all()), over.result["places"], item.at)
            else:
                results.drop(challenge, item.at)


def warn(ladder: Ladder, player: int, due: datetime, now: datetime) -> None:
    """Tell a player of a locked ladder when they are going to sink, by a warning that was `due` by now.

    Nobody is told who has sunk meanwhile, or who would stay where they are.
    """
    standing = ladder.now_standing()
    ladder.warned = {each: at for each, at in ladder.warned.items() if int(each) in standing.players}
    ladder.warned[str(player)] = ms_of(due)
    ladder.save(update_fields=["warned"])
    sinks = standing.players[player].sinks_at(standing.rules)
    if ms_of(now) < sinks and standing.sinks_to(player, sinks) != standing.position(player):
        events.notify(ladder, [player], "sinks-soon", now, until=sinks)
