"""Closing a club, and opening it again. Each service is one transaction."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.models import Club, Member, Right, User
from accounts.web.datetimes import day
from accounts.web.refused import Refused

WAY_BACK = timedelta(days=14)
"""How long a closed club can be opened again."""


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
    """Open a closed club again: a steward, or a member of a club without one, who becomes its steward."""
    club = clubs.locked(club)
    if club.closed_at is None:
        raise Refused(_("This club is open."))
    if not opens(club, user):
        raise Refused(_("Only a steward of the club can open it again."))
    if now >= (until := opens_until(club)):
        raise Refused(_("The club could be opened again until %(day)s.") % {"day": day(until)})
    club.closed_at = None
    club.save(update_fields=["closed_at"])
    if not clubs.is_steward(club, user):
        membership = clubs.member(club, user)
        assert membership, "only members open it"
        clubs.make_steward(membership)
    decisions.record(club, "reopened", user, now)
    _tell(club, "club-reopened", user, now)


def opens(club: Club, user: User) -> bool:
    """Whether somebody may open a closed club again."""
    stewards = club.members.filter(role=Member.Role.STEWARD).values_list("user", flat=True)
    return user.pk in stewards or (not stewards and clubs.member(club, user) is not None)


def opens_until(club: Club) -> datetime:
    """Until when a closed club can be opened again."""
    assert club.closed_at
    return club.closed_at + WAY_BACK


def _tell(club: Club, kind: str, by: User, now: datetime) -> None:
    others = User.objects.filter(memberships__club=club).exclude(pk=by.pk)
    clubs.notify(others, kind, club, now, by=by, name=by.username)
