"""Asking for the review of the decisions of a match that has ended, and what becomes of it when people leave.

Nothing is looked at of a game that runs, or whose deal others still play, and nothing is shown to whom the match is
closed. The worker does the work: `games.analysis.working`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.web import throttle
from accounts.web.refused import Refused
from games.analysis.models import Analysis
from games.engine import verdicts
from games.engine.core import Expert, RulesError
from games.matches import access
from games.matches.models import Match, Seat


def expert_of(match: Match) -> Expert | None:
    """What judges the decisions of a match; None if nothing does."""
    return match.rules.expert(match.places, match.options)


def version_of(match: Match) -> str:
    """By which version the decisions of a match would be judged now; empty if by none."""
    expert = expert_of(match)
    return verdicts.version_of(expert) if expert else ""


def refusal(match: Match) -> str:
    """Why nobody can have the decisions of a match looked at, in a sentence; empty if they can."""
    if match.status != Match.Status.FINISHED:
        return _("Decisions are looked at when a game is finished, not before.")
    if access.is_open_elsewhere(match):
        return _("Others still play this deal. Its decisions can be looked at when all have finished.")
    try:
        known = expert_of(match) is not None
    except RulesError:
        return str(Analysis.Failure.RULES.label)
    if not known:
        return _("For this game and its table options, there’s nothing yet that could judge decisions.")
    return ""


def ask(match: Match, user: User, now: datetime | None = None) -> Analysis:
    """Have the decisions of a match looked at, by the present judge: the review that there is, or a new one that waits.

    One that was not possible is tried again. Raises Refused.
    """
    if not access.may_see(match, user):
        raise Refused(_("There is no such game."))
    if why := refusal(match):
        raise Refused(why)
    version = version_of(match)
    found = Analysis.objects.filter(match=match, version=version).first()
    if found is not None and found.status != Analysis.Status.FAILED:
        return found
    return _put(match, version, user, now or timezone.now())


def _put(match: Match, version: str, user: User, now: datetime) -> Analysis:
    """A review that waits for the worker; of two who ask at once, the first has asked."""
    new = Analysis(match=match, version=version, asked_by=user, asked_at=now)
    Analysis.objects.bulk_create([new], ignore_conflicts=True)
    mine = Analysis.objects.filter(match=match, version=version)
    again = {"status": Analysis.Status.WAITING, "failure": "", "deaths": 0, "asked_by": user, "asked_at": now}
    mine.filter(status=Analysis.Status.FAILED).update(**again)
    return mine.get()


def opened(match: Match, now: datetime | None = None) -> None:
    """A match has ended and is open to those who may see it: look at it for whoever always wants that."""
    always = User.objects.filter(seats__match=match, reviewed=True, guest=False).order_by("pk")
    if not always or refusal(match):
        return
    # As many as they could ask for: else games that hardly begin would fill the queue.
    who = next((user for user in always if throttle.within("analyses", user.pk)), None)
    if who is not None:
        _put(match, version_of(match), who, now or timezone.now())


def newest(match: Match) -> list[Analysis]:
    """The newest reviews of a match, the last one first."""
    return list(Analysis.objects.filter(match=match).order_by("-pk")[:5])


def shown(reviews: Sequence[Analysis]) -> Analysis | None:
    """The one of these, newest first, that a page shows: the newest that is done, else the newest."""
    return next((one for one in reviews if one.status == Analysis.Status.DONE), next(iter(reviews), None))


def found(match: Match) -> Analysis | None:
    """The review of a match that its page shows."""
    return shown(newest(match))


def forget(user: User) -> None:
    """Take out all that was judged of somebody whose account is closed. In the caller's transaction."""
    for match, index in Seat.objects.filter(user=user, match__analyses__isnull=False).values_list("match", "index"):
        # Locked first: a worker that writes meanwhile has written before, or sees that the account is closed.
        for analysis in Analysis.objects.select_for_update().filter(match=match):
            analysis.decisions.filter(seat=index).delete()
            if analysis.courses:
                analysis.courses.pop(str(index), None)
                for bands in analysis.courses["public"]:
                    bands[index] = None
                analysis.courses["luck"] = []  # of two, either says what that of the other is
                analysis.save(update_fields=["courses"])
