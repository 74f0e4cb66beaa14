"""Rematches: asked for, taken, declined, taken back, given up. Each function is one transaction."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Club, User
from accounts.notices import notices
from accounts.web import throttle
from accounts.web.refused import Refused
from games.lobby import open_matches
from games.matches import rematches
from games.matches.creation import create
from games.matches.models import Match, Seat

ENDED = Match.Status.FINISHED, Match.Status.ABORTED
SAME = "places", "options", "rated", "watch", "clock"
"""What a rematch takes over."""


@transaction.atomic
def accept(match: Match, user: User, same_seats: bool = False) -> Match:
    """Play an ended match again: take the offer that there is, or make one. Returns the rematch as it is then.

    `same_seats`: whoever makes the offer keeps the order of the seats; otherwise it is drawn anew. It begins when all
    who sit there have said yes. Whoever has declined may think better of it; nobody asks them again.
    """
    open_matches.hold(user)
    match = Match.objects.select_for_update().get(pk=match.pk)
    before = list(match.seats.select_related("user").order_by("index"))
    if match.status not in ENDED or user.pk not in {seat.user_id for seat in before}:
        raise Refused(_("Only the players of a game that’s over can play it again."))
    if match.hidden:
        raise Refused(_("You can play this again once its event is over."))
    club = None if match.agreed else match.club
    if club and not club.members.filter(user=user).exists():
        raise Refused(_("A rematch isn’t possible at this table."))
    again = Match.objects.filter(rematch_of=match).first()
    if again and again.status == Match.Status.OPEN and again.wake_at and again.wake_at <= timezone.now():
        again = expire(again)
    if again and again.status == Match.Status.CLOSED:
        sat = {seat.user_id for seat in before if seat.user and seat.user.is_active} - {user.pk}
        if sat - set(again.seats.values_list("user", flat=True)):
            raise Refused(_("Not everyone wants a rematch. Open a new table to play again."))
        again.rematch_of = None
        again.save(update_fields=["rematch_of"])
        again = None
    notices.seen(user, timezone.now(), match.get_absolute_url())
    if again is None:
        return _offer(match, before, user, same_seats, club)
    if again.status == Match.Status.OPEN:
        if not again.seats.filter(user=user).exists():
            again = open_matches.join(again, user)
        if again.status == Match.Status.OPEN:
            again = open_matches.ready(again, user)
        _all_answered(again)
    return again


@transaction.atomic
def decline(again: Match, user: User) -> Match:
    """Say no to a rematch, or take one's own yes back. Without another person to play with, it is given up."""
    again = open_matches.leave(again, user)
    if again.status == Match.Status.OPEN and again.seats.exclude(user=None).count() < 2:
        again = open_matches.close(again)
    _all_answered(again)
    before = again.rematch_of
    if before:
        notices.seen(user, timezone.now(), before.get_absolute_url())
        if again.status == Match.Status.CLOSED:
            _unask(before)
    return again


@transaction.atomic
def withdraw(user: User) -> None:
    """Take back every yes of a person to a rematch that others have not answered yet."""
    asked = Match.objects.filter(status=Match.Status.OPEN, rematch_of__isnull=False)
    for again in asked.filter(seats__user=user, seats__ready=True).order_by("pk"):
        decline(again, user)


def make_room(user: User) -> None:
    """See to it that somebody, whose row is locked, may begin a game alone with bots: guests play one game at a time,
    so theirs that wait for others are given up. Raises Refused if there is no room."""
    if user.guest:
        withdraw(user)
    open_matches.give_up_waiting(user)
    open_matches.check_room_for(user, guest=True)


@transaction.atomic
def expire(again: Match) -> Match:
    """End the time for answers: whoever has not answered is not waited for."""
    again = rematches.locked(again)
    if again.status != Match.Status.OPEN or again.rematch_of is None or again.wake_at is None:
        return again
    _unask(again.rematch_of)
    if again.seats.filter(ready=True).exclude(user=None).count() < 2:
        return open_matches.close(again)
    for seat in again.seats.exclude(user=None).filter(ready=False):
        open_matches.vacate(seat)
    host = again.seats.filter(user=again.host_id).first() or again.seats.exclude(user=None).first()
    assert host is not None and host.user is not None
    again.host, again.wake_at = host.user, None
    again.save(update_fields=["host", "wake_at"])
    return open_matches.begin_if_ready(again)


def _offer(match: Match, before: Sequence[Seat], user: User, same_seats: bool, club: Club | None = None) -> Match:
    """`club`: the one for whose members the table is."""
    if match.ended_at and match.ended_at < timezone.now() - open_matches.REMATCH_WITHIN:
        raise Refused(_("This game ended more than a week ago. Open a new table to play again."))
    others = [seat.user for seat in before if seat.user and seat.user != user and seat.user.is_active]
    if club:
        members = set(club.members.filter(user__in=others).values_list("user", flat=True))
        others = [other for other in others if other.pk in members]
    if open_matches.blocks(user, others):
        raise Refused(_("A rematch isn’t possible at this table."))
    open_matches.check_room_for(user, guest=True)
    if others:
        throttle.count("challenges", user.pk)
    fields = {name: getattr(match, name) for name in SAME}
    now = timezone.now()
    until = now + (rematches.LIVE if match.pace == Match.Pace.LIVE else rematches.LATER)
    fields |= {"club": club, "listed": False, "wake_at": until if others else None}
    again = create(match.rules, host=user, rematch_of=match, **fields)
    order = list(before)
    if not same_seats:
        secrets.SystemRandom().shuffle(order)
    seats = []
    for index, seat in enumerate(order):
        fresh = Seat(match=again, index=index)
        if seat.bot:
            fresh.bot, fresh.name, fresh.ready = seat.bot, seat.name, True
        elif seat.user_id == user.pk:
            fresh.user, fresh.ready = user, True
        elif seat.user in others:
            fresh.user = seat.user
        seats.append(fresh)
    Seat.objects.bulk_create(seats)
    kind = "rematch now" if match.pace == Match.Pace.LIVE else "rematch"
    notices.notify(others, kind, match.get_absolute_url(), now, by=user, name=user.username, game=match.game_name)
    return open_matches.begin_if_ready(again)


def _all_answered(again: Match) -> None:
    """Nobody is waited for any more: what is left is an open match like any other."""
    if again.wake_at and again.status == Match.Status.OPEN and not again.seats.filter(ready=False).exclude(user=None):
        again.wake_at = None
        again.save(update_fields=["wake_at"])


def _unask(before: Match) -> None:
    """The offer is gone: nobody need be told of it."""
    for seat in before.seats.exclude(user=None).select_related("user"):
        assert seat.user is not None
        notices.seen(seat.user, timezone.now(), before.get_absolute_url())
