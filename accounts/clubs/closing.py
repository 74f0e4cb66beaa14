"""Closing a club, and opening it again. Each service is one transaction."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.models import Club, Right, User
from accounts.web.datetimes import day
from accounts.web.refused import Refused

WAY_BACK = timedelta(days=14)
"""How long who closed a club can open it again."""


@transaction.atomic
def close(club: Club, steward: User, slug: str, now: datetime) -> None:
    """Close a club, whose short name the steward must have typed, and tell its members. What was to come ends; what has
    been stays to be read."""
    club = clubs.at_desk(club, steward, Right.CLUB)
    if slug.strip() != club.slug:
        raise Refused(_("To close the club, type its short name: %(slug)s.") % {"slug": club.slug})
    clubs.shut(club, now, steward)
    decisions.record(club, "closed", steward, now)
    _tell(club, "club-closed", steward, now)


@transaction.atomic
def reopen(club: Club, user: User, now: datetime) -> None:
    """Open a club again that one has closed."""
    club = clubs.locked(club)
    if club.closed_at is None:
        raise Refused(_("This club is open."))
    if club.closed_by_id != user.pk or clubs.member(club, user) is None:
        raise Refused(_("Only the steward who closed the club can open it again."))
    if now >= (until := opens_until(club)):
        raise Refused(_("The club could be opened again until %(day)s.") % {"day": day(until)})
    club.closed_at = club.closed_by = None
    club.save(update_fields=["closed_at", "closed_by"])
    decisions.record(club, "reopened", user, now)
    _tell(club, "club-reopened", user, now)


def opens_until(club: Club) -> datetime:
    """Until when a closed club can be opened again."""
    assert club.closed_at
    return club.closed_at + WAY_BACK


def _tell(club: Club, kind: str, by: User, now: datetime) -> None:
    others = User.objects.filter(memberships__club=club).exclude(pk=by.pk)
    clubs.notify(others, kind, club, now, by=by, name=by.username)
