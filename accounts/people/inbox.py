"""Private messages of two people. Nobody else reads them; the stewards see what somebody has shown them in a report."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import LONGEST_MESSAGE, Conversation, Message, Notice, User
from accounts.notices import notices
from accounts.people import blocks
from accounts.text import plaintext
from accounts.web import throttle
from accounts.web.refused import Refused

TOPICS = {"message": notices.Topic(gettext_lazy("Private messages"), "i-chat")}
KINDS = {
    "wrote": notices.NoticeKind(
        "message",
        gettext_lazy("%(name)s has written to you."),
        gettext_lazy("Someone has written to you."),
        stands=True,
    )
}
notices.register(TOPICS, KINDS)
PAGE = 50
"""The number of messages on a page."""
SHOWN = 30
"""The number of messages in a report."""


def address(name: str) -> str:
    """The page of the conversation with somebody."""
    return reverse("conversation", args=[name])


def send(user: User, to: User, text: str, now: datetime) -> Message:
    """Send a private message. Raises Refused with the reason, throttle.TooMany."""
    text = plaintext.lines(text)
    if not text:
        raise Refused(_("The message is empty."))
    if len(text) > LONGEST_MESSAGE:
        raise Refused(_("A message has at most %(longest)s characters.") % {"longest": LONGEST_MESSAGE})
    if to.closed or to.guest or not to.is_active or blocks.apart(user, to):
        raise Refused(_("You can’t write to this player."))
    throttle.count("messages", user.pk)
    if not Message.objects.filter(Q(by=user, to=to) | Q(by=to, to=user)).exists():
        throttle.count("new messages", user.pk)
    with transaction.atomic():
        sides = [Conversation(user=user, other=to), Conversation(user=to, other=user)]
        Conversation.objects.bulk_create(sides, ignore_conflicts=True)
        rows = both(user, to).select_for_update().order_by("pk")
        assert len(rows) == 2
        message = Message.objects.create(by=user, to=to, text=text, at=now)
        both(user, to).update(last=message)
        Conversation.objects.filter(user=to, other=user).update(unread=F("unread") + 1)
        notices.notify([to], "wrote", address(user.username), now, by=user, name=user.username)
    return message


def both(one: User, other: User) -> QuerySet[Conversation]:
    """The conversation of two people, as each of them has it."""
    return Conversation.objects.filter(Q(user=one, other=other) | Q(user=other, other=one))


def conversations(user: User) -> QuerySet[Conversation]:
    """The conversations of a person, the latest first, without those that they have deleted."""
    rows = Conversation.objects.filter(user=user, last__gt=F("deleted"))
    return rows.select_related("other", "last").order_by("-last")


def read(user: User, other: User, now: datetime, before: int | None = None) -> tuple[list[Message], bool]:
    """The latest messages of two people (or those before an id), oldest first, which the user has now seen; and
    whether there are earlier ones."""
    mine = Conversation.objects.filter(user=user, other=other).first()
    if mine is None:
        return [], False
    if mine.unread:
        Conversation.objects.filter(pk=mine.pk).update(unread=0)
        notices.seen(user, now, address(other.username))
    rows = messages(user, other).filter(pk__gt=mine.deleted)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: PAGE + 1])
    return found[:PAGE][::-1], len(found) > PAGE


def messages(one: User, other: User) -> QuerySet[Message]:
    """All messages of two people."""
    return Message.objects.filter(Q(by=one, to=other) | Q(by=other, to=one))


@transaction.atomic
def delete(user: User, other: User) -> None:
    """Let a person see nothing any more of what was said so far. What both have deleted is gone."""
    rows = list(both(user, other).select_for_update().order_by("pk"))
    for row in rows:
        if row.user_id == user.pk and row.last_id:
            row.deleted, row.unread = row.last_id, 0
            row.save(update_fields=["deleted", "unread"])
    notices.seen(user, timezone.now(), address(other.username))
    messages(user, other).filter(pk__lte=min((row.deleted for row in rows), default=0)).delete()


def transcript(user: User, other: User) -> str:
    """The last messages that a person has with another, as text for a report.

    Further lines of a message are indented: nobody can write what looks like a message of the other.
    """
    mine = Conversation.objects.filter(user=user, other=other).first()
    if mine is None:
        return ""
    rows = messages(user, other).filter(pk__gt=mine.deleted).select_related("by").order_by("-pk")[:SHOWN]
    said = [f"{row.at:%Y-%m-%d %H:%M} UTC, {row.by.username}: {row.text}" for row in reversed(rows)]
    return "\n".join([each.replace("\n", "\n    ") for each in said])


def forget(user: User) -> None:
    """Delete all conversations of a person, for both sides."""
    Message.objects.filter(Q(by=user) | Q(to=user)).delete()
    Conversation.objects.filter(Q(user=user) | Q(other=user)).delete()
    Notice.objects.filter(by=user, kind="wrote").delete()
