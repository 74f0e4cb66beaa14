"""Looks at the decisions of matches: what the worker does, and the process in which it is computed.

That child process has the lowest priority, no database, and nothing of the site: it is told a game and returns
verdicts. One is enough for everybody who asks, for nobody waits at a table for it. Whoever works on a review has it on
a lease, which each few decisions that are written prolong: if they are gone, another goes on from there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from django.db import OperationalError, transaction
from django.db.models import F, Max, Min
from django.utils import timezone

from games.analysis.models import Analysis, JudgedDecision
from games.engine import judging, luck
from games.engine.core import RulesError
from games.engine.judging import OtherExpert, PlainGame
from games.engine.verdicts import DecisionVerdict
from games.matches import history, thinking
from games.matches.models import LogEntry, Match, Seat
from games.matches.thinking import Thinker

log = logging.getLogger(__name__)

AT_ONCE = 8
"""So many decisions are computed and written in one go."""
NICENESS = 19
"""Everything else on the machine goes first, ..."""
STUCK_S = 100
"""... and these are a hundred times as many seconds as that takes."""
LEASE = timedelta(minutes=4)
"""How long nobody else takes a review: the thinker tries twice."""
DEATHS = 3
"""Whoever works on a review may be gone so often, with nothing done since, before it is given up."""

T = TypeVar("T")


class Job(NamedTuple):
    """A review that this worker has on a lease."""

    analysis: Analysis
    asked: PlainGame
    plies: Sequence[int]
    """By the number of moves before it, the row of the log of each move."""
    left: Sequence[int]
    """The decisions, by the number of moves before, that are not judged yet."""


class Analyst:
    """Works off the reviews that wait, one after the other."""

    def __init__(self) -> None:
        self.thinker = Thinker(NICENESS, STUCK_S)
        self.job: Job | None = None

    def ask(self, work: Callable[..., T], *arguments: Any) -> T:
        """What a function of `judging` returns there. Raises RulesError, OtherExpert, and as the thinker."""
        answer: T | RulesError | OtherExpert = self.thinker.call(judging.tried, work, *arguments)
        if isinstance(answer, (RulesError, OtherExpert)):
            raise answer
        return answer

    def step(self, now: datetime) -> bool:
        """Do a little of what there is to do. Returns whether there was anything."""
        analysis = self.job.analysis if self.job else claim(now)
        if analysis is None:
            self.thinker.close()
            return False
        job, self.job = self.job, None
        try:
            if job is None:
                self.job = self.begin(analysis)
            elif job.left:
                self.job = self.go_on(job)
            else:
                self.end(job)
        except OtherExpert:
            fail(analysis, Analysis.Failure.EXPERT)
        except RulesError as error:
            log.warning("The record of match %s is odd: %s", analysis.match.key, error)
            fail(analysis, Analysis.Failure.RECORD)
        except thinking.Lost as error:
            log.error("The process that judges match %s is gone: %s", analysis.match.key, error)
            died(analysis)
        except Gone:
            pass  # somebody else has it
        except OperationalError:
            raise  # not the match's fault: the database is away; the lease ends, and it is taken again
        except Exception:
            log.exception("The decisions of match %s cannot be judged.", analysis.match.key)
            fail(analysis, Analysis.Failure.BROKEN)
        return True

    def begin(self, analysis: Analysis) -> Job | None:
        """Find out what is to be judged."""
        match = analysis.match
        try:
            rules = match.rules
        except RulesError:
            fail(analysis, Analysis.Failure.RULES)
            return None
        rows = list(LogEntry.objects.filter(match=match).order_by("ply").values_list("ply", "seat", "move", "by"))
        moves = [row for row in rows if not row[2].startswith("!")]
        start = history.start_of(match, history.seed_of(match, match.sitting))
        texts = [move for _ply, _seat, move, _by in moves]
        asked = PlainGame(rules, start, texts, match.key, analysis.version)
        people = seats_of(match)
        found = [
            number
            for number in self.ask(judging.decisions, asked)
            if moves[number][3] == LogEntry.By.PLAYER and moves[number][1] in people
        ]
        plies = [ply for ply, *_row in moves]
        known = set(analysis.decisions.values_list("ply", flat=True))
        left = [number for number in found if plies[number] not in known]
        prolong(analysis, total=len(found), done=len(found) - len(left))
        return Job(analysis, asked, plies, left)

    def go_on(self, job: Job) -> Job:
        """Judge the next few decisions."""
        numbers = job.left[:AT_ONCE]
        found = self.ask(judging.judged, job.asked, numbers)
        with transaction.atomic():
            prolong(job.analysis, done=F("done") + len(numbers), deaths=0)
            people = seats_of(job.analysis.match)
            rows = [row_of(job, verdict) for verdict in found if verdict.seat in people]
            JudgedDecision.objects.bulk_create(rows)
        job.analysis.deaths = 0
        return job._replace(left=job.left[AT_ONCE:])

    def end(self, job: Job) -> None:
        """Look at the course of the whole game, and at what chance did; then the review is done."""
        analysis = job.analysis
        seats = sorted(seats_of(analysis.match))
        found, fortune = self.ask(judging.courses, job.asked, seats), self.ask(luck.luck, job.asked)
        with transaction.atomic():
            prolong(analysis, status=Analysis.Status.DONE)
            people = seats_of(analysis.match)
            closed = Seat.objects.filter(match=analysis.match, user__closed=True).exists()
            plies = [*job.plies, analysis.match.ply]
            analysis.courses = {
                "plies": [plies[number] for number in found.numbers],
                "public": [[it if seat in people else None for seat, it in enumerate(bands)] for bands in found.public],
                **{str(seat): bands for seat, bands in found.own.items() if seat in people},
                "luck": [] if closed else fortune,
            }
            analysis.save(update_fields=["courses"])


def row_of(job: Job, verdict: DecisionVerdict) -> JudgedDecision:
    """What is stored of a verdict."""
    return JudgedDecision(
        analysis=job.analysis,
        ply=job.plies[verdict.number],
        seat=verdict.seat,
        loss=verdict.loss,
        clear=verdict.clear,
        figures=verdict.plain,
    )


def seats_of(match: Match) -> set[int]:
    """The seats of people whose accounts are not closed."""
    return set(Seat.objects.filter(match=match, user__closed=False).values_list("index", flat=True))


class Gone(Exception):
    """The review is on a lease to somebody else by now."""


def claim(now: datetime) -> Analysis | None:
    """Take a review on a lease; None if none waits.

    Those whose worker is gone come first. Of the others, those of whoever has waited longest since a review of theirs
    was begun: so many of one person's do not hold up another's.
    """
    gone = Analysis.objects.filter(status=Analysis.Status.RUNNING, leased_until__lt=now).order_by("asked_at").first()
    if gone is not None:
        if gone.deaths + 1 >= DEATHS:
            fail(gone, Analysis.Failure.BROKEN)
            return None
        return take(gone, now, deaths=F("deaths") + 1)
    waiting = Analysis.objects.filter(status=Analysis.Status.WAITING)
    first = dict(waiting.order_by().values_list("asked_by").annotate(Min("pk")))
    if not first:
        return None
    served = dict(Analysis.objects.filter(asked_by__in=first).values_list("asked_by").annotate(Max("begun_at")))
    who = min(first, key=lambda user: ((at := served.get(user)) is not None, at or now, first[user]))
    return take(waiting.get(pk=first[who]), now, begun_at=now)


def take(analysis: Analysis, now: datetime, **changed: Any) -> Analysis | None:
    """Take this review, unless another has been faster."""
    as_seen = Analysis.objects.filter(
        pk=analysis.pk, status=analysis.status, leased_until=analysis.leased_until, asked_at=analysis.asked_at
    )
    until = now + LEASE
    if not as_seen.update(status=Analysis.Status.RUNNING, leased_until=until, **changed):
        return None
    return Analysis.objects.select_related("match").get(pk=analysis.pk)


def prolong(analysis: Analysis, **changed: Any) -> None:
    """Write something of a review, and have it for longer. Raises Gone if somebody else has it."""
    until = timezone.now() + LEASE
    mine = Analysis.objects.filter(pk=analysis.pk, status=Analysis.Status.RUNNING, leased_until=analysis.leased_until)
    if not mine.update(leased_until=until, **changed):
        raise Gone
    analysis.leased_until = until


def fail(analysis: Analysis, why: Analysis.Failure) -> None:
    """A review is not possible: nothing of it stays but the reason."""
    with transaction.atomic():
        mine = Analysis.objects.filter(pk=analysis.pk, leased_until=analysis.leased_until)
        if mine.update(status=Analysis.Status.FAILED, failure=why, leased_until=None, done=0, total=0, courses={}):
            analysis.decisions.all().delete()


def died(analysis: Analysis) -> None:
    """The child process is gone: somebody tries again, but not for ever."""
    if analysis.deaths + 1 >= DEATHS:
        fail(analysis, Analysis.Failure.BROKEN)
        return
    mine = Analysis.objects.filter(pk=analysis.pk, leased_until=analysis.leased_until)
    mine.update(status=Analysis.Status.WAITING, leased_until=None, deaths=F("deaths") + 1)
