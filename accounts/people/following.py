"""Whom people follow, and who of them is online.

That somebody is online is told to those who follow them, and on their profile and the ladders of their clubs to people
with an account: not to anybody where one blocks the other, and to nobody if they do not want it. It says nothing about
where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Set
from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import Follow, User
from accounts.people import blocks
from accounts.shown import PlayerShown
from accounts.web.refused import Refused
from accounts.web.requests import Visitor

MOST = 200
"""The most people whom one can follow."""

_connected: Callable[[], Set[int]] = frozenset


class Followed(NamedTuple):
    """A person whom one follows."""

    person: PlayerShown
    online: bool


def register(connected: Callable[[], Set[int]]) -> None:
    """Let `connected` tell the ids of the users who have a page of the site open."""
    global _connected
    _connected = connected


def follow(user: User, person: User) -> None:
    """Let `user` follow `person`. Raises Refused."""
    if blocks.apart(user, person):
        raise Refused(_("You can’t follow this player."))
    if user.follows.count() >= MOST:
        raise Refused(_("You follow %(most)d players already. Unfollow one of them first.") % {"most": MOST})
    Follow.objects.get_or_create(user=user, followed=person)


def unfollow(user: User, person: User) -> None:
    """Let `user` no longer follow `person`."""
    Follow.objects.filter(user=user, followed=person).delete()


def followed(user: User) -> list[Followed]:
    """Whom a person follows: those online first, then by name."""
    rows = list(
        User.objects.filter(followers__user=user, closed=False, is_active=True)
        .order_by("folded")
        .only("username", "avatar", "guest", "unseen")[:MOST]
    )
    here = online(user, rows)
    shown = [Followed(PlayerShown.of(row), row.pk in here) for row in rows]
    return sorted(shown, key=lambda each: not each.online)


def online(viewer: User, people: Collection[User]) -> set[int]:
    """Those of these people, by id, who are online, as far as the viewer may know."""
    connected = _connected() if people else frozenset()
    here = {person.pk for person in people if person.pk in connected and not person.unseen}
    return here - blocks.away_from(viewer, here) if here else here


def here(viewer: Visitor, people: Collection[int]) -> set[int]:
    """Those of these people, by id, who are online, without the viewer; nobody for viewers without an account."""
    if not viewer.is_authenticated or viewer.guest:
        return set()
    connected = (_connected() & {*people}) - {viewer.pk}
    return online(viewer, list(User.objects.filter(pk__in=connected).only("unseen"))) if connected else set()
