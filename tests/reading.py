"""What one reads on a page."""

import re
from html import unescape

from django.contrib.messages import get_messages

UNREAD = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
WITHIN_A_LINE = "a|abbr|b|bdi|button|code|em|i|q|small|span|strong|sup|svg|time|u|use"
ATTRIBUTES = r"""[^>"]*("[^"]*"[^>"]*)*"""
INLINE = re.compile(rf"</?({WITHIN_A_LINE})\b{ATTRIBUTES}>")
TAG = re.compile(rf"</?\w{ATTRIBUTES}>|<!{ATTRIBUTES}>")


def text(page) -> str:
    """The text of a response, or of some HTML, without tags. What is not of one line stands apart."""
    html = page.content.decode() if hasattr(page, "content") else str(page)
    for pattern, instead in ((UNREAD, ""), (INLINE, ""), (TAG, " ")):
        html = pattern.sub(instead, html)
    return " ".join(unescape(html).split())


def source(response) -> str:
    """The HTML of a response, however its lines are broken."""
    return " ".join(response.content.decode().split())


def messages(response) -> list[str]:
    """What a page that leads on has said, as the next one shows it."""
    return [str(message) for message in get_messages(response.wsgi_request)]
