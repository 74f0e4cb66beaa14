"""What happens to ladders by the clock. Any number of workers may do it: each piece is done under the ladder's lock.

After an outage what was missed is made up for in the order in which it was due, and holds from when it was due; only
games whose time has come begin now.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction

from games.ladders import challenges, events, results
from games.ladders.agenda import Item, Work, agenda
from games.ladders.models import Challenge, Ladder
from games.ladders.standing import Kind

log = logging.getLogger(__name__)

MOST = 50
"""So many pieces of work are done at once on a ladder: bots and clocks wait meanwhile."""
AGAIN = timedelta(minutes=1)
"""When a ladder is looked at again whose work could not be done."""


def work(now: datetime) -> int:
    """Do what is due at `now` on all ladders, or the first of it. How many pieces of work there were."""
    done = 0
    for ladder in Ladder.objects.filter(wake_at__lte=now).order_by("wake_at").only("pk"):
        try:
            for _ in range(MOST):
                if not do_next(ladder, now):
                    break
                done += 1
        except OperationalError:
            raise  # no fault of this ladder: the database is away, or has given way to somebody else
        except Exception:
            log.exception("The ladder %s cannot go on by itself; it is looked at again soon.", ladder.pk)
            Ladder.objects.filter(pk=ladder.pk).update(wake_at=now + AGAIN)
    return done


@transaction.atomic
def do_next(ladder: Ladder, now: datetime) -> bool:
    """Do what is due first on a ladder; False if nothing is."""
    ladder = events.locked(ladder)
    item = next(iter(agenda(ladder)), None)
    if due := item is not None and item.at <= now:
        do(ladder, item, now)
    events.settle(ladder)
    return due


def do(ladder: Ladder, item: Item, now: datetime) -> None:
    """One piece of work on a locked ladder."""
    if item.work == Work.SEASON_END:
        events.close_season(ladder, item.at)
        return
    if item.work == Work.SINK:
        event = events.write(ladder, Kind.SINK, item.at, player=item.about)
        if after := event.steps.get(str(item.about)):
            events.tell(ladder, [item.about], "sunk", item.at, position=after[1])
        return
    challenge = Challenge.objects.select_related("challenger", "proposed_by", "match").get(pk=item.about)
    challenge.ladder = ladder
    match item.work:
        case Work.UNANSWERED:
            challenges.unanswered(ladder, challenge, item.at)
        case Work.UNFINISHED:
            challenges.unfinished(ladder, challenge, item.at)
        case Work.REMIND:
            challenges.remind(challenge, max(now, item.at))
        case Work.START:
            challenges.start(ladder, challenge, max(now, item.at))
        case Work.OVER:
            over = challenge.match
            if over and over.result:
                results.count(challenge, list(over.seats.all()), over.result["places"], item.at)
            else:
                results.drop(challenge, item.at)
