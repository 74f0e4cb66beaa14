"""What the worker does for decks: the second look at decisions that cost much, in a process beside it."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction

from games.analysis.models import Analysis, JudgedDecision
from games.deck import deck
from games.deck.models import DeckCard, DeckGathering, DeckRefusal
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


def gather(now: datetime) -> None:
    """Make cards of the decisions of the next review that is done, if there is one: whoever ends the site need not wait
    for more."""
    new = Analysis.objects.filter(status=Analysis.Status.DONE, gathering=None).select_related("match")
    for analysis in new.order_by("pk")[:1]:
        try:
            gather_from(analysis, now)
        except (thinking.Failed, thinking.Lost):
            log.exception("The decisions of match %s cannot be looked at again.", analysis.match.key)
            DeckGathering.objects.get_or_create(analysis=analysis)
    thinker.close()


def gather_from(analysis: Analysis, now: datetime) -> None:
    """Make cards of the decisions of one review."""
    match, found = analysis.match, list[tuple[Seat, JudgedDecision, AskedAgain]]()
    people = Seat.objects.filter(match=match, user__closed=False, user__guest=False).select_related("user")
    for seat in people if not access.is_open_elsewhere(match) else ():
        if seat.user and deck.is_on(seat.user):
            found += [(seat, row, again) for row, again in held(analysis, seat.index, MOST)]
    with transaction.atomic():
        day = deck.today(now) + timedelta(days=deck.DAYS[0])
        open_ = set(Seat.objects.filter(match=match, user__closed=False).values_list("user", flat=True))
        open_ -= set(DeckRefusal.objects.filter(user__in=open_).values_list("user", flat=True))
        cards = [
            DeckCard(user=seat.user, match=match, ply=row.ply, seat=seat.index, question=again.plain, due_on=day)
            for seat, row, again in found
            if seat.user_id in open_
        ]
        DeckCard.objects.bulk_create(cards, ignore_conflicts=True)  # an older review may have found it too
        DeckGathering.objects.get_or_create(analysis=analysis)


def held(analysis: Analysis, seat: int, most: int) -> list[tuple[JudgedDecision, AskedAgain]]:
    """The decisions of a seat that cost most, as far as they hold on a second look."""
    rows = analysis.decisions.filter(seat=seat, clear=True).order_by("-loss", "ply")[:LOOKED_AT]
    found: list[tuple[JudgedDecision, AskedAgain]] = []
    for row in rows:
        if len(found) == most:
            break
        if again := second_look(analysis.match, row.ply, analysis.version):
            found.append((row, again))
    return found


def second_look(match: Match, ply: int, version: str) -> AskedAgain | None:
    """What `look_again` says of the answer at a ply."""
    rows = LogEntry.objects.filter(match=match).exclude(move__startswith="!").order_by("ply")
    moves = list(rows.values_list("ply", "move"))
    number = [at for at, _move in moves].index(ply)
    start = history.start_of(match, history.seed_of(match, match.sitting))
    asked = PlainGame(match.rules, start, [move for _at, move in moves], match.key, version)
    return thinker.call(look_again, asked, number)
