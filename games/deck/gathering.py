"""What the worker does for decks: the second look at decisions that cost much, in a process beside it."""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta

from django.db import OperationalError, transaction

from games.analysis import services
from games.analysis.models import Analysis, JudgedDecision
from games.deck import deck
from games.deck.models import DeckCard, DeckGathering, DeckRefusal
from games.engine.core import RulesError
from games.engine.judging import PlainGame
from games.engine.second_look import AskedAgain, look_again
from games.matches import access, history, thinking
from games.matches.models import LogEntry, Match, Seat
from games.matches.thinking import Thinker

log = logging.getLogger(__name__)

MOST = 3
"""So many decisions of one player of a game come back."""
LOOKED_AT = 6
"""So many, those that cost most, are looked at for that."""
thinker = Thinker(19, 120)
"""Where it is computed: everything else goes first."""
stopping = threading.Event()
"""Set when the worker ends: it waits for one decision at most."""


class Stopped(Exception):
    """The worker ends: nothing more is looked at."""


def gather(now: datetime) -> None:
    """Make cards of the decisions of the newest review that is done and was not gathered yet."""
    new = Analysis.objects.filter(status=Analysis.Status.DONE, gathering=None).select_related("match")
    try:
        for analysis in new.order_by("-pk")[:1]:
            gather_or_mark(analysis, now)
    finally:
        thinker.close()


def gather_or_mark(analysis: Analysis, now: datetime) -> None:
    """The same of one review; one that is odd is not tried again, and so does not hold up the others."""
    try:
        gather_from(analysis, now)
    except Stopped:
        pass  # it is taken again
    except OperationalError:
        raise  # not the match's fault: the database is away
    except Exception:
        log.exception("The decisions of match %s cannot be looked at again.", analysis.match.key)
        DeckGathering.objects.get_or_create(analysis=analysis)


def gather_from(analysis: Analysis, now: datetime) -> None:
    """Make cards of the decisions of one review."""
    match, found = analysis.match, list[tuple[Seat, JudgedDecision, AskedAgain]]()
    people = Seat.objects.filter(match=match, user__closed=False, user__guest=False).select_related("user")
    asked = is_up_to_date(analysis) and not match.guided and not access.is_open_elsewhere(match)
    for seat in people if asked else ():
        if seat.user and deck.is_on(seat.user):
            most = min(MOST, deck.room(seat.user))
            found += [(seat, row, again) for row, again in held(analysis, seat.index, most)]
    with transaction.atomic():
        day = deck.today(now) + timedelta(days=deck.DAYS[0])
        open_ = {user.pk for user in deck.locked(match) if not user.closed}
        open_ -= set(DeckRefusal.objects.filter(user__in=open_).values_list("user", flat=True))
        cards = [
            DeckCard(user=seat.user, match=match, ply=row.ply, seat=seat.index, question=again.plain, due_on=day)
            for seat, row, again in found
            if seat.user_id in open_
        ]
        DeckCard.objects.bulk_create(cards, ignore_conflicts=True)  # an older review may have found it too
        DeckGathering.objects.get_or_create(analysis=analysis)


def is_up_to_date(analysis: Analysis) -> bool:
    """Whether what has judged a match would judge it now, too: only then there is a second look."""
    return judged_by(analysis.match) == analysis.version


def judged_by(match: Match) -> str:
    """The version of what would judge a match now; empty if nothing would."""
    try:
        return services.version_of(match)
    except RulesError:
        return ""


def forget_unjudged(now: datetime) -> None:
    """Take the cards that wait out of decks if nothing judges their games any more, once an hour."""
    if now.minute == 0:
        for match in Match.objects.filter(pk__in=DeckCard.objects.filter(deck.WAITS).values("match")).iterator():
            if not judged_by(match):
                DeckCard.objects.filter(deck.WAITS, match=match).delete()


def held(analysis: Analysis, seat: int, most: int) -> list[tuple[JudgedDecision, AskedAgain]]:
    """The decisions of a seat that cost most, as far as they hold on a second look."""
    rows = analysis.decisions.filter(seat=seat, clear=True).order_by("-loss", "ply")[:LOOKED_AT]
    found: list[tuple[JudgedDecision, AskedAgain]] = []
    for row in rows:
        if len(found) == most:
            break
        try:
            again = second_look(analysis.match, row.ply, analysis.version)
        except (thinking.Failed, thinking.Lost):
            log.exception("The decision at %s of match %s cannot be looked at again.", row.ply, analysis.match.key)
            continue
        if again:
            found.append((row, again))
    return found


def second_look(match: Match, ply: int, version: str) -> AskedAgain | None:
    """What `look_again` says of the answer at a ply. Raises Stopped when the worker ends."""
    if stopping.is_set():
        raise Stopped
    rows = LogEntry.objects.filter(match=match).exclude(move__startswith="!").order_by("ply")
    moves = list(rows.values_list("ply", "move"))
    number = [at for at, _move in moves].index(ply)
    start = history.start_of(match, history.seed_of(match, match.sitting))
    asked = PlainGame(match.rules, start, [move for _at, move in moves], match.key, version)
    return thinker.call(look_again, asked, number)
