"""Mail goes out beside the request: how long an answer takes does not say whether there was somebody to write to."""

import logging
from concurrent.futures import ThreadPoolExecutor

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)
post = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def send(message: EmailMessage) -> None:
    """Send the mail soon."""
    post.submit(deliver, message)


def deliver(message: EmailMessage) -> None:
    """Send the mail now; a failure is written to the log."""
    try:
        message.send()
    except OSError:
        logger.exception("A mail could not be sent")


def wait() -> None:
    """Return when all mail so far has been sent."""
    post.submit(lambda: None).result()
