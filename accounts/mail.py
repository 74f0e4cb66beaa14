"""Mail goes out beside the request: how long an answer takes does not say whether there was somebody to write to."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)
post = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def send(write: Callable[[], list[EmailMessage]]) -> None:
    """Send soon what `write` makes; that too is done beside the request, and may be nothing."""
    post.submit(deliver, write)


def deliver(write: Callable[[], list[EmailMessage]]) -> None:
    """Send it now; a failure is written to the log."""
    try:
        for message in write():
            message.send()
    except OSError:
        logger.exception("A mail could not be sent")


def wait() -> None:
    """Return when all mail so far has been sent."""
    post.submit(lambda: None).result()
