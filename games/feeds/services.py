"""The feeds and webhooks of clubs: their stewards open and close them, and each thing that happens is put in line.

Each service is one transaction under the lock of the club. `Refused` tells the person who asked why not.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Model
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts import clubs, decisions
from accounts.models import Club, Right, User
from accounts.refused import Refused
from games.feeds import news, outbound
from games.feeds.models import LONGEST_ADDRESS, Delivery, FeedToken, Webhook, new_token

MOST = 5
"""The most webhooks of a club."""
TEST = "test"
"""The topic of a test."""


def opens(club: Club, token: str) -> bool:
    """Whether a token opens the feeds of a club."""
    known = FeedToken.objects.filter(club=club).first()
    return known is not None and constant_time_compare(known.token, token)


@transaction.atomic
def renew(club: Club, steward: User) -> None:
    """Give the feeds of a private club a new address; the old one stops working."""
    club = clubs.at_desk(club, steward, Right.ANNOUNCEMENTS)
    FeedToken.objects.update_or_create(club=club, defaults={"token": new_token()})
    decisions.record(club, "opened", steward)


@transaction.atomic
def close(club: Club, steward: User) -> None:
    """Let the feeds of a private club have no address."""
    club = clubs.at_desk(club, steward, Right.ANNOUNCEMENTS)
    if FeedToken.objects.filter(club=club).delete()[0]:
        decisions.record(club, "shut", steward)


@transaction.atomic
def add(club: Club, steward: User, address: str, format: str, topics: Collection[str], now: datetime) -> Webhook:
    """Let an address be told what happens in a club."""
    club = clubs.at_desk(club, steward, Right.ANNOUNCEMENTS)
    hooks = Webhook.objects.filter(club=club)
    if len(address) > LONGEST_ADDRESS or outbound.wrong(address):
        raise Refused(_("Enter a whole address that begins with https:// and leads to a public server."))
    if hooks.count() >= MOST:
        raise Refused(_("A club can have at most %(most)d webhooks.") % {"most": MOST})
    if hooks.filter(address=address).exists():
        raise Refused(_("This address is a webhook of the club already."))
    decisions.record(club, "hooked", steward, now, site=outbound.host_of(address))
    chosen = [topic for topic in news.TOPICS if topic in topics]
    return Webhook.objects.create(
        club=club, by=steward, address=address, format=Webhook.Format(format), topics=chosen, made_at=now
    )


@transaction.atomic
def remove(club: Club, steward: User, number: int) -> None:
    """Remove a webhook, with all that waits for it."""
    hook = _at_desk(club, steward, number)
    hook.delete()
    decisions.record(club, "unhooked", steward, site=outbound.host_of(hook.address))


@transaction.atomic
def test(club: Club, steward: User, number: int, now: datetime) -> None:
    """Send a test to a webhook; one that was switched off is on again."""
    hook = _at_desk(club, steward, number)
    if not hook.deliveries.filter(topic=TEST).exists():
        Delivery.objects.create(webhook=hook, topic=TEST, about=hook.pk)
    hook.off_at, hook.failures, hook.wake_at = None, 0, now
    hook.save(update_fields=["off_at", "failures", "wake_at"])


def happened(club: int, row: Model, now: datetime) -> None:
    """Put a new or changed row in line for the webhooks of a club. In the transaction of the change."""
    topics = news.topics_of(row)
    if not topics:
        return
    # Locked, so that a worker who has just sent the last one sees this one, or lets us see that it is done.
    for hook in Webhook.objects.select_for_update().filter(club=club, off_at=None).order_by("pk"):
        for topic in topics:
            if topic in hook.topics:
                Delivery.objects.get_or_create(webhook=hook, topic=topic, about=row.pk)
                hook.wake_at = hook.wake_at or now
                hook.save(update_fields=["wake_at"])


def _at_desk(club: Club, steward: User, number: int) -> Webhook:
    club = clubs.at_desk(club, steward, Right.ANNOUNCEMENTS)
    hook = Webhook.objects.select_for_update().filter(club=club, pk=number).first()
    if hook is None:
        raise Refused(_("This webhook was removed."))
    return hook
