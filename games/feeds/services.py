"""The feeds and webhooks of clubs: who reads and who is told, and each thing that happens is put in line.

Each service is one transaction under the lock of the club. `Refused` tells the person who asked why not.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.models import Club, Right, User
from accounts.web.refused import Refused
from accounts.web.requests import Visitor
from games.feeds import news, outbound
from games.feeds.models import LONGEST_ADDRESS, Delivery, FeedToken, Webhook, new_token

MOST = 5
"""The most webhooks of a club."""
TEST = "test"
"""The topic of a test."""


def opened(slug: str, token: str) -> Club | None:
    """The club whose feeds a token opens. It is one query, so that the time it takes tells nothing."""
    found = FeedToken.objects.filter(token=token, member__club__slug=slug, member__user__is_active=True)
    known = found.select_related("member__club").first()
    return known.member.club if known else None


def token_of(club: Club, user: Visitor) -> str:
    """What opens the feeds of a club to somebody's programs; empty if they have no token."""
    known = FeedToken.objects.filter(member__club=club, member__user=user).first() if user.is_authenticated else None
    return known.token if known else ""


@transaction.atomic
def renew(club: Club, user: User) -> None:
    """Give a member a new token; the old one stops working."""
    club = Club.objects.select_for_update().get(pk=club.pk)
    member = clubs.member(club, user)
    if member is None:
        raise Refused(_("You aren’t a member of this club."))
    FeedToken.objects.update_or_create(member=member, defaults={"token": new_token()})


def close(club: Club, user: User) -> None:
    """Let a member have no token any more."""
    FeedToken.objects.filter(member__club=club, member__user=user).delete()


@transaction.atomic
def add(club: Club, steward: User, address: str, format: str, topics: Collection[str], now: datetime) -> Webhook:
    """Let an address be told what happens in a club."""
    club = clubs.at_desk(club, steward, Right.ANNOUNCEMENTS)
    hooks = Webhook.objects.filter(club=club)
    if len(address) > LONGEST_ADDRESS or outbound.wrong(address):
        raise Refused(_("The address must begin with https://, and not lead to a private network."))
    if hooks.count() >= MOST:
        raise Refused(_("A club can have at most %(most)d webhooks.") % {"most": MOST})
    if hooks.filter(address=address).exists():
        raise Refused(_("This address is a webhook of the club already."))
    decisions.record(club, "hooked", steward, now, says=decisions.OfSite(outbound.host_of(address)))
    chosen = [topic for topic in news.TOPICS if topic in topics]
    return Webhook.objects.create(
        club=club, by=steward, address=address, format=Webhook.Format(format), topics=chosen, made_at=now
    )


@transaction.atomic
def remove(club: Club, steward: User, number: int) -> None:
    """Remove a webhook, with all that waits for it."""
    hook = _at_desk(club, steward, number)
    hook.delete()
    decisions.record(club, "unhooked", steward, says=decisions.OfSite(outbound.host_of(hook.address)))


@transaction.atomic
def test(club: Club, steward: User, number: int, now: datetime) -> None:
    """Send a test to a webhook; one that was switched off is on again."""
    hook = _at_desk(club, steward, number)
    if not hook.deliveries.filter(topic=TEST).exists():
        Delivery.objects.create(webhook=hook, topic=TEST, about=hook.pk)
    hook.off_at, hook.failures, hook.wake_at = None, 0, now
    hook.save(update_fields=["off_at", "failures", "wake_at"])


def happened(row: Model, now: datetime) -> None:
    """Put a new or changed row in line for the webhooks of its club. In the transaction of the change."""
    if topics := news.topics_of(row):
        _put_in_line(news.club_of(row), row, topics, now)


@transaction.atomic
def _put_in_line(club: int, row: Model, topics: tuple[str, ...], now: datetime) -> None:
    # Locked, so that a worker who has just sent the last one sees this one, or lets us see that it is done.
    for hook in Webhook.objects.select_for_update().filter(club=club, off_at=None).order_by("pk"):
        for topic in topics:
            if topic in hook.topics:
                Delivery.objects.get_or_create(webhook=hook, topic=topic, about=row.pk)
                hook.wake_at = hook.wake_at or now
                hook.save(update_fields=["wake_at"])


def left(club: Club) -> None:
    """Somebody has left a club: once nobody is there any more, nobody is told of it."""
    if not club.members.exists():
        Webhook.objects.filter(club=club).delete()


def _at_desk(club: Club, steward: User, number: int) -> Webhook:
    club = clubs.at_desk(club, steward, Right.ANNOUNCEMENTS)
    hook = Webhook.objects.select_for_update().filter(club=club, pk=number).first()
    if hook is None:
        raise Refused(_("This webhook was removed."))
    return hook
