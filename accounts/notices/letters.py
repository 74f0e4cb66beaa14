"""Notices by mail: one letter for each, in the language of its reader.

Any number of workers may send. A letter is claimed before it is sent, by moving the time at which it is due: if it
could not be sent, or its worker has died, it is tried again then.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from textwrap import indent

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, Q
from django.urls import reverse
from django.utils import translation

from accounts import addresses, links, mail, moments, throttle
from accounts.models import Notice
from accounts.notices import book as notices
from accounts.notices import unsubscribing

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
    Notice.objects.filter(needless, mail_at__lte=now).update(mail_at=None)
    due = list(Notice.objects.filter(mail_at__lte=now).select_related("user").order_by("mail_at", "id")[:AT_ONCE])
    if not due:
        return 0
    with get_connection() as line:
        return sum(_send(notice, line, now) for notice in due)


def _send(notice: Notice, line: BaseEmailBackend, now: datetime) -> bool:
    """Send one letter, unless another worker does or nobody wants it any more. Returns whether it was sent."""
    if not Notice.objects.filter(pk=notice.pk, mail_at=notice.mail_at).update(mail_at=now + AGAIN):
        return False
    sent = notices.by_mail(notice.user, notice.kind)
    if sent:
        try:
            # Otherwise it stands at the bell only.
            sent = allowed(notice)
            if sent:
                line.send_messages([letter(notice)])
        except (SMTPRecipientsRefused, SMTPResponseException, ValueError) as fault:
            # The server is there but rejects the mail.
            log.warning("The mail of notice %s was refused (%s).", notice.pk, type(fault).__name__)
            sent = False
    Notice.objects.filter(pk=notice.pk, mail_at=now + AGAIN).update(mail_at=None)
    return sent


def allowed(notice: Notice) -> bool:
    """Whether one more mail may go, by whoever caused it, and to this address."""
    by, to = notice.by_id, notice.user.email
    return (by is None or throttle.within("letters", by)) and throttle.within("letters to", addresses.mailbox(to))


def letter(notice: Notice) -> EmailMessage:
    """The mail of a notice. What people wrote is on the page that it leads to; only members of a club get its text."""
    user, about = notice.user, notices.KINDS[notice.kind]
    quoted = {"club": notice.values["club"], "text": indent(notice.values["text"], "> ", bool)} if about.quotes else {}
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), moments.as_read_by(lambda: moments.habits_of(user, "", language)):
        sentence, unsubscribe = notices.in_mail(notice), unsubscribing.link(user, about.topic)
        return mail.letter(
            user.email,
            sentence,
            "notice",
            headers={
                "List-Unsubscribe": f"<{unsubscribe}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                **(NO_REPLY if quoted else {}),
            },
            name=user.username,
            sentence=sentence,
            page=links.full(reverse("notice", args=[notice.pk])),
            unsubscribe=unsubscribe,
            **quoted,
        )
