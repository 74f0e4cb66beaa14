"""Mails to addresses that nobody has confirmed: whether one is somebody's, and invitations to clubs.

Anybody can ask for them, so an address gets few: what is asked for beyond its share waits. Nobody can keep the mail of
another from going, for the next mail to the same address holds all links that wait for it. Nobody is told that one
waits, which would say that others have asked.

Any number of workers may send. An enquiry is claimed before it is sent, by moving the time at which it is due.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPResponseException

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import QuerySet
from django.utils import translation

from accounts.clubs import mail_invitations
from accounts.mails import addresses
from accounts.models import Enquiry
from accounts.web import throttle

log = logging.getLogger(__name__)

AT_ONCE = 50
"""The number of mails sent over one connection."""
AGAIN = timedelta(minutes=10)
"""When a mail that was not sent is tried again."""
TOGETHER = 200
"""The most links in one mail; those that are due come first."""


def send_due(now: datetime) -> int:
    """Send the mails that are due. Returns how many were sent. Raises OSError if the mail server is away."""
    due = list(_enquiries().filter(mail_at__lte=now).order_by("mail_at", "id")[:AT_ONCE])
    if not due:
        return 0
    with get_connection() as line:
        return sum(_send(enquiry, line, now) for enquiry in due)


def _enquiries() -> QuerySet[Enquiry]:
    return Enquiry.objects.select_related("user", "invitation__by")


def _send(enquiry: Enquiry, line: BaseEmailBackend, now: datetime) -> bool:
    """Send a mail with this enquiry and all others of its kind to the same address, unless another worker does, nobody
    wants it any more, or there is no room. Returns whether it was sent."""
    if not _claimed(enquiry, now):
        return False
    # Whoever asks again meanwhile, perhaps for another address, takes theirs back: it is no longer among these.
    claimed = Enquiry.objects.filter(mail_at=now + AGAIN)
    mine = claimed.filter(pk=enquiry.pk)
    if not _wanted(enquiry):
        mine.delete()
        return False
    counted = "links to" if enquiry.user else "invitations to", addresses.share(enquiry.address)
    if wait_s := throttle.full_s(counted):
        mine.update(mail_at=now + timedelta(seconds=wait_s))
        return False
    others = _enquiries().filter(address__iexact=enquiry.address, user__isnull=not enquiry.user).exclude(pk=enquiry.pk)
    wanted = filter(_wanted, others.order_by("mail_at", "id")[: TOGETHER - 1])
    together = [enquiry, *(each for each in wanted if _claimed(each, now))]
    sent = True
    try:
        with translation.override(enquiry.language):
            line.send_messages([_letter(together)])
    except (SMTPRecipientsRefused, SMTPResponseException, ValueError) as fault:
        # The server is there but rejects the mail.
        log.warning("A mail to an unconfirmed address was refused (%s).", type(fault).__name__)
        sent = False
    except OSError:
        throttle.give_back(*counted)
        raise
    claimed.filter(pk__in=[each.pk for each in together]).delete()
    return sent


def _claimed(enquiry: Enquiry, now: datetime) -> bool:
    """Claim an enquiry, unless it is not as it was when it was read."""
    return bool(Enquiry.objects.filter(pk=enquiry.pk, mail_at=enquiry.mail_at).update(mail_at=now + AGAIN))


def _wanted(enquiry: Enquiry) -> bool:
    """Whether it is still to be sent."""
    if enquiry.user:
        return enquiry.user.is_active and enquiry.user.new_email == enquiry.address
    return enquiry.invitation is not None and mail_invitations.wanted(enquiry.invitation)


def _letter(together: list[Enquiry]) -> EmailMessage:
    users = [each.user for each in together if each.user]
    return (
        addresses.question(users)
        if users
        else mail_invitations.letter([each.invitation for each in together if each.invitation])
    )
