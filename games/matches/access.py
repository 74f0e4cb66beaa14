"""Who may know of a match, and what: its address, its seats, the club for which it is played."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import QuerySet

from accounts import clubs
from accounts.models import Member
from accounts.requests import Visitor
from games.matches.models import Match, Seat


class Origin(NamedTuple):
    """The club for which a match is played, as far as one viewer may know.

    Everything is empty for a player who no longer belongs to the private club.
    """

    club: str = ""
    """The name of the club."""
    ladder: str = ""
    """The address of its ladder."""
    challenge: str = ""
    """The address of the page where the match was agreed."""


def find(key: str) -> Match | None:
    """The match at an address, with its seats, their users, ratings and orders."""
    if not key.isalnum():  # PostgreSQL refuses to look up a text with a NUL
        return None
    return Match.objects.playing().filter(key=key).first()


def seat_of(match: Match, user: Visitor | None) -> Seat | None:
    """The seat of a user; None for watchers, and for players who left the match."""
    if user is None or not user.is_authenticated:
        return None
    return next((seat for seat in match.sitting if seat.user_id == user.pk and not seat.left), None)


def may_see(match: Match, user: Visitor | None) -> bool:
    """Whether a user may see the table at all: its players may, and everybody who may watch; once it is over, anybody.

    The ladder games of a private club are always for its members only, which takes a query.
    """
    if sat(match, user) or match.watch == Match.Watch.ANYBODY:
        return True
    if match.watch == Match.Watch.CLUB:
        if user is None or not user.is_authenticated:
            return False
        return Member.objects.filter(club=match.club_id, user=user).exists()
    return match.status not in (Match.Status.SHUFFLING, Match.Status.RUNNING, Match.Status.ABORTED)


def sat(match: Match, user: Visitor | None) -> bool:
    """Whether a user sat down in a match, even if they have left since."""
    return user is not None and any(seat.user_id == user.pk for seat in match.sitting if seat.user_id)


def closed_to(user: Visitor) -> QuerySet[Match]:
    """The matches of private clubs to which a user does not belong, except those that they played."""
    theirs = Match.objects.filter(watch=Match.Watch.CLUB)
    if not user.is_authenticated:
        return theirs
    return theirs.exclude(club__members__user=user).exclude(seats__user=user)


def closed_keys(keys: Collection[str], user: Visitor) -> set[str]:
    """The keys, among these, of matches that are closed to a user."""
    return set(closed_to(user).filter(key__in=keys).values_list("key", flat=True))


def origin(match: Match, user: Visitor) -> Origin | None:
    """The club for which a match is played, if the user may know of it."""
    if match.club is None:
        return None
    if not match.club.private or clubs.find(match.club.slug, user):
        address = match.club.get_absolute_url()
        return Origin(match.club.name, f"{address}/ladder", f"{address}/{match.agreed}")
    return Origin() if sat(match, user) else None
