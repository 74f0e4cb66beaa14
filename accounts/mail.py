"""Mail is sent beside the request: the time an answer takes does not reveal whether anybody was written to."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)
post = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


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
