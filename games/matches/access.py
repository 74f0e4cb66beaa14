"""Who may know of a match, and what: its address, its seats, the club for which it is played."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple
from urllib.parse import quote

from django.db.models import Q, QuerySet

from accounts.clubs import clubs
from accounts.database.joined import Joined
from accounts.models import Member, Rating, User
from accounts.web.requests import Visitor
from games.matches.models import Match, Seat, StandingOrder


class MatchContext(NamedTuple):
    """For what a match is played, as far as one viewer may know: for a club, or as the hand of a day.

    Everything is empty for a player who no longer belongs to the private club.
    """

    club: str = ""
    """The name of the club."""
    ladder: str = ""
    """The address of its ladder, if the match is played for it."""
    challenge: str = ""
    """The address of the page where the match was agreed: that of a challenge, of an event of the club, or of the day
    whose hand is played."""
    address: str = ""
    """The address of the club."""


_with_seats = Joined(
    """
    FROM games_match m LEFT JOIN games_seat s ON s.match_id = m.id LEFT JOIN games_standingorder o ON o.seat_id = s.id
    LEFT JOIN accounts_user u ON u.id = s.user_id
    LEFT JOIN accounts_rating r ON r.user_id = s.user_id AND r.game = m.game
    WHERE m.key = %s ORDER BY s."index", o.id
    """,
    "EXISTS (SELECT 1 FROM games_chatline c WHERE c.match_id = m.id)",
    "EXISTS (SELECT 1 FROM games_watcherline w WHERE w.match_id = m.id)",
    m=Match,
    s=Seat,
    o=StandingOrder,
    u=User,
    r=Rating,
)


def find(key: str) -> Match | None:
    """The match at an address, by one query, with its seats, their users, orders, and ratings in this game."""
    rows = _with_seats(key) if key.isalnum() else []  # PostgreSQL refuses to look up a text with a NUL
    if not rows:
        return None
    match: Match = rows[0][0]
    match.sitting, match.talked, match.watchers_talked = [], bool(rows[0][-2]), bool(rows[0][-1])
    for _match, seat, order, user, rating, *_talked in rows:
        if seat and seat not in match.sitting:
            match.sitting.append(seat)
            seat.match, seat.user, seat.kept_orders, seat.ratings = match, user, [], []
        if order and order not in seat.kept_orders:
            seat.kept_orders.append(order)
        if rating and rating not in seat.ratings:
            seat.ratings.append(rating)
    return match


def seat_of(match: Match, user: Visitor | None) -> Seat | None:
    """The seat of a user; None for watchers, and for players who left the match, until it is over."""
    if user is None or not user.is_authenticated:
        return None
    pk, running = user.pk, match.status == Match.Status.RUNNING
    for seat in match.sitting:
        if seat.user_id == pk:
            return None if seat.left and running else seat
    return None


def may_see(match: Match, user: Visitor | None) -> bool:
    """Whether a user may see the table at all: its players may, and everybody who may watch; once it is over, anybody.
    A hidden one is for its players only.

    The ladder games of a private club are always for its members only, which takes a query.
    """
    if match.hidden:
        return sat(match, user)
    if as_member(match, user):
        return user is not None and Member.objects.filter(club=match.club_id, user=user.pk).exists()
    if sat(match, user) or match.watch in (Match.Watch.ANYBODY, Match.Watch.LINK):
        return True
    under_cover = (Match.Status.SHUFFLING, Match.Status.RUNNING, Match.Status.ABORTED)
    return match.watch == Match.Watch.NOBODY and match.status not in under_cover


def as_member(match: Match, user: Visitor | None) -> bool:
    """Whether a user may see the table only if they are a member of its club."""
    known = user is not None and user.is_authenticated
    return match.watch == Match.Watch.CLUB and known and not sat(match, user)


def sat(match: Match, user: Visitor | None) -> bool:
    """Whether a user sat down in a match, even if they have left since."""
    return user is not None and any(seat.user_id == user.pk for seat in match.sitting if seat.user_id)


def closed_to(user: Visitor) -> QuerySet[Match]:
    """The matches of private clubs to which a user does not belong, except those that they played, and all hidden
    ones."""
    theirs = Match.objects.filter(watch=Match.Watch.CLUB)
    if user.is_authenticated:
        theirs = theirs.exclude(club__members__user=user).exclude(seats__user=user)
    return Match.objects.filter(Q(hidden=True) | Q(pk__in=theirs))


def closed_keys(keys: Collection[str], user: Visitor) -> set[str]:
    """The keys, among these, of matches that are closed to a user."""
    return set(closed_to(user).filter(key__in=keys).values_list("key", flat=True))


def is_open_elsewhere(match: Match) -> bool:
    """Whether somebody may still play the deal of a match: its cards help them."""
    if match.hidden:
        return True
    if not match.agreed:
        return False
    same = Match.objects.filter(agreed=match.agreed, commitment=match.commitment)
    return same.filter(status__in=Match.ALIVE).exists()  # index games_match_lobby


_knows = list[Callable[[Match, Visitor], bool]]()


def register(knows: Callable[[Match, Visitor], bool]) -> None:
    """Let others say who may know of the event in which a match is played."""
    _knows.append(knows)


def context(match: Match, user: Visitor) -> MatchContext | None:
    """The club for which a match is played, or the hand of a day, if the user may know of it."""
    if match.club is None:
        return MatchContext(challenge=f"/{match.agreed}") if match.agreed else None
    address = match.club.get_absolute_url()
    agreed = f"{address}/{match.agreed}" if match.agreed else ""
    event = match.agreed.startswith("tournaments/")
    if not match.club.private or clubs.find(match.club.slug, user):
        ladder = agreed.partition("/challenges/")[0] if not event else ""
        return MatchContext(match.club.name, ladder, agreed, address)
    if not sat(match, user):
        return None
    # Guests of an evening of a private club find their way back to it, as long as they see it.
    return MatchContext(challenge=agreed if event and any(knows(match, user) for knows in _knows) else "")


def reports_of_guests(match: Match, user: Visitor) -> list[tuple[str, str]]:
    """The guests at a table whom `user` can report, because they have no profile: their names, and where."""
    if not user.is_authenticated or user.guest:
        return []
    guests = [seat.user for seat in match.sitting if seat.user and seat.user.guest]
    return [(guest.shown_name, f"/@/{quote(guest.username, safe='')}/report?match={match.key}") for guest in guests]
