"""Letters by mail. Apart from their reader's own name nothing in them was chosen by anybody: no names, no texts; but
members of a club get what its stewards announce, and an invitation by mail names who invites to which club.

They are sent beside the request: the time an answer takes does not reveal whether anybody was written to.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.core.mail import EmailMessage
from django.template.loader import render_to_string

logger = logging.getLogger(__name__)
post = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def letter(
    to: str, subject: str, template: str, headers: dict[str, str] | None = None, **values: str | list[str]
) -> EmailMessage:
    """A mail in the active language, made of a template in `accounts/mail`.

    `unsubscribe` among the values: a link that ends such mails, for mail programs too (RFC 2369, RFC 8058).
    """
    text = render_to_string(f"accounts/mail/{template}.txt", values)
    told = {"Auto-Submitted": "auto-generated", **(headers or {})}
    if "unsubscribe" in values:
        told |= {
            "List-Unsubscribe": f"<{values['unsubscribe']}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    return EmailMessage(subject, text, to=[to], headers=told)


def send(write: Callable[[], list[EmailMessage]]) -> None:
    """Send what `write` makes, soon. It runs beside the request too, and may make nothing."""
    post.submit(deliver, write)


def deliver(write: Callable[[], list[EmailMessage]]) -> None:
    """Send what `write` makes, now; a failure is logged."""
    try:
        for message in write():
            message.send()
    except OSError:
        logger.exception("A mail could not be sent")


def wait() -> None:
    """Return when all mail so far has been sent."""
    post.submit(lambda: None).result()
