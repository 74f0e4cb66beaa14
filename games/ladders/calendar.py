"""What is to come on ladders for a person's calendar: appointments, deadlines, ends of seasons."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Prefetch, Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people.calendar import CalendarEntry
from games.ladders import agenda
from games.ladders.models import Challenge, Ladder, Party
from games.matches.clocks import instant

LASTS = timedelta(hours=1)
"""What a live game is expected to take."""
SHOWN = timedelta(days=1)
"""An appointment stays for a while."""


def entries(user: User, now: datetime) -> list[CalendarEntry]:
    """What is to come for a person on the ladders of the clubs to which they belong."""
    return [*_challenges(user, now), *_seasons(user)]


def _challenges(user: User, now: datetime) -> list[CalendarEntry]:
    answers = Q(status=Challenge.Status.OPEN, answer_by__gt=now, parties__user=user, parties__agrees=False)
    agreed = Q(status__in=(Challenge.Status.AGREED, Challenge.Status.PLAYING), parties__user=user)
    found = Challenge.objects.filter(answers | agreed, ladder__club__in=user.memberships.values("club"))
    players = Prefetch("parties", Party.objects.select_related("user"))
    told = []
    for challenge in found.select_related("ladder__club", "proposed_by").prefetch_related(players).order_by("pk"):
        told += _of_challenge(challenge, user, now)
    return told


def _of_challenge(challenge: Challenge, user: User, now: datetime) -> list[CalendarEntry]:
    club, page = challenge.ladder.full_name, challenge.get_absolute_url()
    if challenge.status == Challenge.Status.OPEN:
        about = {"name": challenge.proposed_by.username, "club": club}
        summary = _("Answer %(name)s on the ladder of %(club)s") % about
        return [CalendarEntry(f"answer-{challenge.pk}", summary, challenge.answer_by, challenge.made_at, page)]
    names = [party.user.username for party in challenge.parties.all() if party.user_id != user.pk]
    about = {"names": ", ".join(names), "club": club}
    since = challenge.agreed_at or challenge.made_at
    told = []
    if challenge.starts_at and now < challenge.starts_at + SHOWN:
        summary = _("Game with %(names)s on the ladder of %(club)s") % about
        starts = challenge.starts_at
        told.append(CalendarEntry(f"game-{challenge.pk}", summary, starts, since, page, ends=starts + LASTS))
    if challenge.finish_by and not agenda.starts(challenge):
        summary = _("Finish the game with %(names)s on the ladder of %(club)s") % about
        told.append(CalendarEntry(f"finish-{challenge.pk}", summary, challenge.finish_by, since, page))
    return told


def _seasons(user: User) -> list[CalendarEntry]:
    """The ends of running seasons, and when the person sinks on each ladder unless they play."""
    told = []
    for ladder in Ladder.objects.filter(club__members__user=user, closed_at=None).select_related("club").order_by("pk"):
        standing = ladder.now_standing()
        # Of several ladders of a club, only one's own.
        if standing.ends is None or (ladder.name and user.pk not in standing.players):
            continue
        ends, began = instant(standing.ends), instant(standing.began)
        about = {"number": standing.season, "club": ladder.full_name}
        summary = _("Season %(number)d of %(club)s ends") % about
        told.append(
            CalendarEntry(f"season-{ladder.pk}-{standing.season}", summary, ends, began, ladder.get_absolute_url())
        )
        if user.pk in standing.order and standing.resumes is None:
            sinks = instant(standing.players[user.pk].sinks_at(standing.rules))
            if sinks < ends:
                summary = _("Finish a game on the ladder of %(club)s, or you sink a rung") % about
                told.append(CalendarEntry(f"sink-{ladder.pk}", summary, sinks, began, ladder.get_absolute_url()))
    return told
