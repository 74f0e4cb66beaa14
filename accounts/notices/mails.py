"""Notices by mail: one letter for each, in the language of its reader.

Any number of workers may send. A letter is claimed before it is sent, by moving the time at which it is due: if it
could not be sent, or its worker has died, it is tried again then.

One address gets so many letters, and so many by each who causes them. What is urgent has bounds of its own, and where
there is no room it is held: the next letter to its reader says all of it. What is not stands at the bell only.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from textwrap import indent

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, Q
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from accounts.mails import addresses, mail
from accounts.models import Notice, User
from accounts.notices import notices, unsubscribing
from accounts.web import datetimes, links, throttle

log = logging.getLogger(__name__)

AT_ONCE = 50
"""The number of letters sent over one connection."""
AGAIN = timedelta(minutes=10)
"""When a letter that was not sent is tried again."""
NO_REPLY = {"Reply-To": "nobody:;"}
"""A group without addresses: an answer would go to the site, which did not write the text."""
GIVEN_UP = timedelta(days=2)
"""Older notices are not mailed any more."""


def send_due(now: datetime) -> int:
    """Send the letters that are due. Returns how many were sent. Raises OSError if the mail server is away."""
    needless = Q(at__lt=now - GIVEN_UP) | Q(seen_at__gt=F("at")) | Q(user__email="") | Q(user__is_active=False)
    needless |= Q(values__until__lte=now.timestamp() * 1000)
    waiting = Notice.objects.filter(Q(mail_at__lte=now) | Q(held=True), mail_at__isnull=False)
    waiting.filter(needless).update(mail_at=None, held=False)
    due = list(Notice.objects.filter(mail_at__lte=now).select_related("user").order_by("mail_at", "id")[:AT_ONCE])
    if not due:
        return 0
    with get_connection() as line:
        return sum(_send(notice, line, now) for notice in due)


def _send(notice: Notice, line: BaseEmailBackend, now: datetime) -> bool:
    """Send one letter, unless another worker does, nobody wants it any more, or there is no room. Returns whether it
    was sent."""
    if not Notice.objects.filter(pk=notice.pk, mail_at=notice.mail_at).update(mail_at=now + AGAIN, held=False):
        return False
    sent, told, urgent = notices.by_mail(notice.user, notice.kind), [notice], notices.KINDS[notice.kind].urgent
    if sent and (wait_s := throttle.full_s(*_bounds(notice))):
        sent = False
        if urgent:
            room_at = now + timedelta(seconds=wait_s)
            Notice.objects.filter(pk=notice.pk, mail_at=now + AGAIN).update(mail_at=room_at, held=True)
    if sent:
        told += _taken_along(notice.user, now) if urgent else []
        try:
            line.send_messages([letter(notice) if len(told) == 1 else letter_of_several(told)])
        except (SMTPRecipientsRefused, SMTPResponseException, ValueError) as fault:
            # The server is there but rejects the mail.
            log.warning("The mail of notice %s was refused (%s).", notice.pk, type(fault).__name__)
            if _for_now(fault):
                for bound in _bounds(notice):
                    throttle.give_back(*bound)
                return False
            sent = False
    Notice.objects.filter(pk__in=[each.pk for each in told], mail_at=now + AGAIN).update(mail_at=None)
    return sent


def _for_now(fault: Exception) -> bool:
    """Whether the server may take a mail later that it refuses now: its codes from 400 to 499 say so."""
    if isinstance(fault, SMTPRecipientsRefused):
        return any(400 <= code < 500 for code, _text in fault.recipients.values())
    return isinstance(fault, SMTPResponseException) and 400 <= fault.smtp_code < 500


def _bounds(notice: Notice) -> list[tuple[str, object]]:
    """What the mail of a notice counts in."""
    to = addresses.mailbox(notice.user.email)
    cause = f"person {notice.by_id}" if notice.by_id else f"club {notice.club_id}"
    if notices.KINDS[notice.kind].urgent:
        return [("urgent letters from", f"{cause} {to}"), ("urgent letters to", to)]
    everywhere: list[tuple[str, object]] = [("letters", notice.by_id)] if notice.by_id else []
    return [*everywhere, ("letters from", f"{cause} {to}"), ("letters to", to)]


def _taken_along(user: User, now: datetime) -> list[Notice]:
    """The user's notices that are held, claimed for one letter, in the order of their time."""
    held = Notice.objects.filter(user=user, held=True)
    wanted = [notice for notice in held.order_by("at", "id") if notices.by_mail(user, notice.kind)]
    return [each for each in wanted if held.filter(pk=each.pk).update(held=False, mail_at=now + AGAIN)]


def letter(notice: Notice) -> EmailMessage:
    """The mail of a notice. What people wrote is on the page that it leads to; only members of a club get its text."""
    user, about = notice.user, notices.KINDS[notice.kind]
    quoted = {"club": notice.values["club"], "text": indent(notice.values["text"], "> ", bool)} if about.quotes else {}
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), datetimes.as_read_by(lambda: datetimes.habits_of(user, "", language)):
        sentence, unsubscribe = notices.in_mail(notice), unsubscribing.link(user, [about.topic])
        return mail.letter(
            user.email,
            sentence,
            "notice",
            headers=NO_REPLY if quoted else {},
            name=user.username,
            sentence=sentence,
            page=links.full(reverse("notice", args=[notice.pk])),
            unsubscribe=unsubscribe,
            **quoted,
        )


def letter_of_several(told: Sequence[Notice]) -> EmailMessage:
    """The mail of several notices to one person, of kinds that quote nothing: each sentence once."""
    user = told[0].user
    topics = sorted({notices.KINDS[notice.kind].topic for notice in told})
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), datetimes.as_read_by(lambda: datetimes.habits_of(user, "", language)):
        unsubscribe = unsubscribing.link(user, topics)
        return mail.letter(
            user.email,
            gettext("Several things wait for you."),
            "notices",
            name=user.username,
            sentences=list(dict.fromkeys(map(notices.in_mail, told))),
            page=links.full(reverse("notices")),
            unsubscribe=unsubscribe,
        )
