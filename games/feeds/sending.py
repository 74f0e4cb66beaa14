"""Sends what waits for webhooks, each in order, signed as Standard Webhooks has it (standardwebhooks.com).

Any number of workers may: each claims a webhook by a conditional update before it sends. What fails is tried again
later and later; if it fails the last time, the webhook is switched off, and the stewards are told.
"""

from __future__ import annotations

import hmac
import logging
from base64 import b64encode
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.clubs.clubs import with_right
from accounts.models import Right, User
from accounts.notices import notices
from games.feeds import documents, news, outbound, services
from games.feeds.models import Delivery, Webhook
from games.feeds.news import NewsItem

log = logging.getLogger(__name__)

AGAIN = [timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60, 12 * 60, 24 * 60)]
"""How long after each failure it is tried again."""
CLAIMED = timedelta(minutes=2)
"""Another worker takes over after this long, should one have died while it sent."""
AT_ONCE = 20
"""The most webhooks that are looked at before others are."""
GONE = 410
"""The status by which a server says that an address is not one any more."""


def send_due(now: datetime) -> None:
    """Send one message to each webhook for which one is due at `now`."""
    for hook in Webhook.objects.filter(wake_at__lte=now).order_by("wake_at", "pk")[:AT_ONCE]:
        claimed = Webhook.objects.filter(pk=hook.pk, wake_at=hook.wake_at).update(wake_at=now + CLAIMED)
        if claimed:
            hook.wake_at = now + CLAIMED
            send_next(hook)


def send_next(hook: Webhook) -> None:
    """Send the first message that waits for a claimed webhook, and note what came of it."""
    waiting = hook.deliveries.order_by("pk").first()
    try:
        item = _item(hook, waiting) if waiting else None
        body = documents.message(hook, item) if item else b""
    except OperationalError:
        raise  # not the message's fault: the database is away, or gave way to another transaction
    except Exception:
        log.exception("What waits for the webhook %s cannot be written.", hook.pk)
        _note(hook, waiting, "not written", failed=True)
        return
    if waiting is None or item is None:
        _note(hook, waiting, "")  # what it told of is gone
        return
    try:
        status = outbound.post(hook.address, body, signed(hook, waiting.key, body, timezone.now()))
    except outbound.Unreachable as fault:
        _note(hook, waiting, str(fault), failed=True)
    else:
        _note(hook, waiting, str(status), failed=not 200 <= status < 300, gone=status == GONE)


def signed(hook: Webhook, key: str, body: bytes, now: datetime) -> dict[str, str]:
    """The headers of a message: its name, when it is sent, and HMAC-SHA256 of both and the body."""
    moment = str(int(now.timestamp()))
    code = hmac.digest(bytes.fromhex(hook.secret), b".".join((key.encode(), moment.encode(), body)), "sha256")
    return {
        "Content-Type": "application/json",
        "User-Agent": "club-webhooks/1",
        "webhook-id": key,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{b64encode(code).decode()}",
    }


def shown_secret(hook: Webhook) -> str:
    """The secret of a webhook as the libraries of Standard Webhooks take it."""
    return f"whsec_{b64encode(bytes.fromhex(hook.secret)).decode()}"


def _item(hook: Webhook, waiting: Delivery) -> NewsItem | None:
    if waiting.topic != services.TEST:
        return news.item(hook.club, waiting.topic, waiting.about)
    with news.speaking(hook.club):
        title = _("This is a test. The webhook works.")
    return NewsItem(services.TEST, hook.pk, timezone.now(), title, hook.club.get_absolute_url())


@transaction.atomic
def _note(hook: Webhook, sent: Delivery | None, outcome: str, *, failed: bool = False, gone: bool = False) -> None:
    """Store what came of a message, and when the next goes."""
    now = timezone.now()
    # The club itself is not locked: whoever writes for webhooks has locked it before them.
    found = Webhook.objects.select_for_update(of=("self",)).filter(pk=hook.pk).select_related("club").first()
    if found is None:
        return  # removed meanwhile
    if sent and not failed:
        sent.delete()
    if outcome:
        found.tried_at, found.outcome = now, outcome
    found.failures = found.failures + 1 if failed else 0
    if failed and (gone or found.failures > len(AGAIN)):
        _switch_off(found, now)
    elif failed:
        found.wake_at = now + AGAIN[found.failures - 1]
    else:
        found.wake_at = now if found.deliveries.exists() else None
    found.save(update_fields=["tried_at", "outcome", "failures", "wake_at", "off_at"])


def _switch_off(hook: Webhook, now: datetime) -> None:
    hook.off_at, hook.wake_at = now, None
    hook.deliveries.all().delete()
    log.warning("The webhook %s failed too often and is off.", hook.pk)
    stewards = User.objects.filter(pk__in=hook.club.members.filter(with_right(Right.ANNOUNCEMENTS)).values("user"))
    host = outbound.host_of(hook.address)
    page = hook.club.address("club_webhooks")
    notices.notify(stewards, "webhook-off", page, now, by=hook.club, own=None, club=hook.club.name, host=host)
