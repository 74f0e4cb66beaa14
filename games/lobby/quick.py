"""Quick match: rated live games between people who wait, the nearest in rating first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.career.ratings import START
from accounts.models import Block, Rating, User
from accounts.web.refused import Refused
from games.engine.core import Game
from games.engine.registry import title
from games.hub import nudges
from games.lobby import open_matches
from games.matches.clocks import USUAL
from games.matches.creation import create
from games.matches.models import Match, Seat, Seek

GONE = timedelta(seconds=30)
"""A search ends when its page has been silent for this long."""
JUST = timedelta(seconds=10)
"""Whoever searches so soon after their last quick match was created has pressed twice, and is led there."""
WINDOW = 100
"""The largest difference between two ratings at first ..."""
WIDER = 10
"""... its growth with each second of waiting ..."""
ANYBODY = timedelta(seconds=90)
"""... and the time after which any rating will do."""
NEAREST = 8
"""A match is made up among this many of the nearest: enough to get around people who block each other."""


@dataclass(frozen=True)
class Waiting:
    """Somebody who waits, and their rating."""

    user: User
    rating: float
    since: datetime

    def window(self, now: datetime) -> float:
        """The difference in rating that they accept by now."""
        waited = now - self.since
        return float("inf") if waited >= ANYBODY else WINDOW + WIDER * waited.total_seconds()


def seek(user: User, game: Game, places: int) -> Match | None:
    """Let `user` search for a quick match with this many players; returns the match if there is one at once."""
    if user.guest:
        raise Refused(_("Guests play against bots. Sign up to sit down with people; your games come with you."))
    now = timezone.now()
    with transaction.atomic():
        open_matches.hold(user)
        open_matches.check_room_for(user)
        # Whoever pairs at this moment holds the search: afterwards it is gone, and its match is there.
        found = Seek.objects.select_for_update().filter(user=user).first()
        if found is None:
            if match := _begun(user).filter(rated=True, agreed="", created_at__gt=now - JUST).first():
                return match
            Seek.objects.create(user=user, game=game.slug, places=places)
        else:
            if (found.game, found.places) != (game.slug, places):
                found.game, found.places, found.since = game.slug, places, now
            found.save()
        nudges.nudge_lobby()
    pair(now)
    return None if Seek.objects.filter(user=user).exists() else _begun(user).first()


def _begun(user: User) -> QuerySet[Match]:
    """The live matches of `user` that are going on, the newest first."""
    mine = Seat.objects.filter(user=user, confirmed=True, left="")
    return Match.objects.filter(seats__in=mine, status__in=Match.UNDER_WAY, pace=Match.Pace.LIVE).order_by("-pk")


def cancel(user: User) -> None:
    """End the search of `user`."""
    Seek.objects.filter(user=user).delete()
    nudges.nudge_lobby()


def touch(user: User) -> bool:
    """Note that a page of `user` is still there. Returns whether they search for a match."""
    seek = Seek.objects.filter(user=user)
    # Most pages search for nothing; a query is cheaper than an update of nothing.
    return seek.exists() and seek.update(seen_at=timezone.now()) > 0


def pair(now: datetime) -> list[Match]:
    """Drop searches whose page is gone, and begin all matches that can be made up. Called about once a second."""
    if not Seek.objects.exists():
        return []
    with transaction.atomic():
        return _pair(now)


def _pair(now: datetime) -> list[Match]:
    seeks = list(Seek.objects.select_for_update(of=("self",)).select_related("user").order_by("since", "pk"))
    gone = [seek.pk for seek in seeks if seek.seen_at < now - GONE]
    if gone:
        Seek.objects.filter(pk__in=gone).delete()
        nudges.nudge_lobby()
    present = [seek for seek in seeks if seek.pk not in gone]
    if len(present) < 2:
        return []
    users = [seek.user_id for seek in present]
    ratings = {
        (rating.user_id, rating.game, rating.pool): rating.value for rating in Rating.objects.filter(user__in=users)
    }
    blocked = Block.objects.filter(user__in=users, blocked__in=users)
    apart = {frozenset(pair) for pair in blocked.values_list("user_id", "blocked_id")}
    matches = []
    for slug, places in sorted({(seek.game, seek.places) for seek in present}):
        game = title(slug)
        pool = game.pool(places)
        waiting = [
            Waiting(seek.user, ratings.get((seek.user_id, slug, pool), START), seek.since)
            for seek in present
            if (seek.game, seek.places) == (slug, places)
        ]
        for group in groups(waiting, places, now, apart):
            matches.append(begin(group, game))
    return matches


def groups(
    waiting: Sequence[Waiting], places: int, now: datetime, apart: set[frozenset[int]]
) -> list[tuple[Waiting, ...]]:
    """The groups that play together: whoever has waited longest chooses first, and gets the nearest in rating.

    No two whose ids are in `apart` share a table.
    """
    left, found = sorted(waiting, key=lambda one: one.since), []
    for first in list(left):
        if first not in left:
            continue
        near = sorted((other for other in left if other is not first), key=lambda other: gap(first, other))
        near = [other for other in near if gap(first, other) <= max(first.window(now), other.window(now))]
        for others in combinations(near[:NEAREST], places - 1):
            group = (first, *others)
            if not any(frozenset((a.user.pk, b.user.pk)) in apart for a, b in combinations(group, 2)):
                found.append(group)
                left = [one for one in left if one not in group]
                break
    return found


def gap(one: Waiting, other: Waiting) -> float:
    """The difference of two ratings."""
    return abs(one.rating - other.rating)


def begin(group: Sequence[Waiting], game: Game) -> Match:
    """Lay the match of a group, whose searches end: their pages meet there for the shuffle."""
    match = create(
        game,
        host=group[0].user,
        places=len(group),
        options=game.options(),
        rated=True,
        clock=USUAL,
    )
    Seat.objects.bulk_create(
        Seat(match=match, index=index, user=one.user, ready=True) for index, one in enumerate(group)
    )
    return open_matches.begin_if_ready(match)
