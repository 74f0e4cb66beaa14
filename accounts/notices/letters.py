"""Notices by mail: one letter for each, in the language of its reader.

Any number of workers may send. A letter is claimed before it is sent, by moving the time at which it is due: if it
could not be sent, or its worker has died, it is tried again then.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import iri_to_uri
from django.utils.text import Truncator

from accounts import throttle
from accounts.models import Notice
from accounts.notices import book as notices

log = logging.getLogger(__name__)

AT_ONCE = 50
"""The number of letters sent over one connection."""
AGAIN = timedelta(minutes=10)
"""When a letter that was not sent is tried again."""
GIVEN_UP = timedelta(days=2)
"""Older notices are not mailed any more."""
LONGEST_SUBJECT = 120


def send_due(now: datetime) -> int:
    """Send the letters that are due. Returns how many were sent. Raises OSError if the mail server is away."""
    needless = Q(at__lt=now - GIVEN_UP) | Q(seen_at__gt=F("at")) | Q(user__email="") | Q(user__is_active=False)
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
            throttle.count("letters", notice.user.email.casefold())
            line.send_messages([letter(notice)])
        except throttle.TooMany:
            sent = False  # it stays at the bell
        except (SMTPRecipientsRefused, SMTPResponseException, ValueError) as fault:
            # The server is there but rejects the mail.
            log.warning("The mail of notice %s was refused (%s).", notice.pk, type(fault).__name__)
            sent = False
    Notice.objects.filter(pk=notice.pk, mail_at=now + AGAIN).update(mail_at=None)
    return sent


def letter(notice: Notice) -> EmailMessage:
    """The mail of a notice."""
    user, settings_page = notice.user, f"{settings.SITE_URL}{reverse('account')}#told"
    with translation.override(user.language or settings.LANGUAGE_CODE):
        sentence = notices.in_text(notice)
        context = {
            "user": user,
            "sentence": sentence,
            "page": settings.SITE_URL + iri_to_uri(notice.address),
            "settings_page": settings_page,
        }
        return EmailMessage(
            Truncator(sentence).chars(LONGEST_SUBJECT),
            render_to_string("accounts/notices/mail.txt", context),
            to=[user.email],
            headers={"List-Unsubscribe": f"<{settings_page}>", "Auto-Submitted": "auto-generated"},
        )
