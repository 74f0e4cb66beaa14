"""Challenges: a match that somebody opens for a certain person, who accepts or declines it in place."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.notices import notices
from accounts.people import blocks
from accounts.web.refused import Refused
from accounts.web.requests import Visitor
from games.hub import nudges
from games.lobby import open_matches
from games.matches import chat
from games.matches.models import Invitation, Match

NO_SEAT = gettext_lazy("One of the seats is yours and one is for the player you challenge: choose fewer bots.")
TOPICS = {"game": notices.Topic(gettext_lazy("Someone challenges you outside a ladder"), "i-swords")}
KINDS = {
    "game": notices.NoticeKind(
        "game",
        gettext_lazy("%(name)s challenges you to a game of %(game)s."),
        gettext_lazy("Someone challenges you to a game of %(game)s."),
    ),
    "game declined": notices.NoticeKind(
        "game",
        gettext_lazy("%(name)s has declined your challenge to a game of %(game)s."),
        gettext_lazy("Your challenge to a game of %(game)s was declined."),
    ),
}


@transaction.atomic
def challenge(host: User, person: User, **chosen: Any) -> Match:
    """Open an unlisted match and challenge `person` to it; `chosen` as `open_matches.open_match` takes it.

    A challenge to the same person that is still open is found instead. Raises Refused.
    """
    if person.guest or person.closed or not person.is_active or blocks.apart(host, person):
        raise Refused(_("You can’t challenge this player."))
    standing = Match.objects.filter(host=host, status=Match.Status.OPEN, invitations__user=person).first()
    if standing:
        return standing
    match = open_matches.open_match(host, **{**chosen, "listed": False})
    Invitation.objects.create(match=match, user=person)
    address, now = match.get_absolute_url(), timezone.now()
    notices.notify([person], "game", address, now, by=host, name=host.username, game=match.game_name)
    nudges.changed(match.key, lobby=True)
    return match


@transaction.atomic
def accept(match: Match, user: User) -> Match:
    """Let `user` sit down, ready, at a match to which they were challenged. Raises Refused."""
    open_matches.hold(user)  # before the challenge, as in `open_matches.join`
    _answered(match, user)
    match = open_matches.join(match, user)
    return open_matches.ready(match, user) if match.status == Match.Status.OPEN else match


@transaction.atomic
def decline(match: Match, user: User) -> None:
    """Decline a challenge; its host is told. Raises Refused."""
    _answered(match, user)
    host = match.host
    chat.note(match, user, "declined")
    address, now = match.get_absolute_url(), timezone.now()
    notices.notify([host], "game declined", address, now, by=user, name=user.username, game=match.game_name)
    nudges.changed(match.key, lobby=True)


def _answered(match: Match, user: User) -> None:
    if not Invitation.objects.filter(match=match, user=user).delete()[0]:
        raise Refused(_("This challenge is no longer open."))
    notices.seen(user, timezone.now(), match.get_absolute_url())


def of(user: Visitor) -> list[Match]:
    """The open matches to which a person is challenged, the latest first, without those of people who are blocked."""
    if not user.is_authenticated:
        return []
    found = Match.objects.filter(status=Match.Status.OPEN, invitations__user=user).exclude(seats__user=user)
    found = found.exclude(host__blocks__blocked=user).exclude(host__blocked_by__user=user)
    return list(found.select_related("host").defer("secret", "link").order_by("-pk"))
