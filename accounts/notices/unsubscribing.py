"""The links in mails with which one ends mails of their kind, without signing in (RFC 2369, RFC 8058)."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.mails import addresses
from accounts.models import User
from accounts.web import links


def link(user: User, topics: Sequence[str]) -> str:
    """The whole address where mails about these topics end. It works for as long as the user has this mail address."""
    named = ".".join(topics)
    return links.full(reverse("unsubscribe", args=[addresses.named(user), named, signature(user, named)]))


def signature(user: User, topic: str) -> str:
    """What shows that a link comes from a mail to the user."""
    return salted_hmac("accounts.unsubscribe", f"{user.pk} {topic} {user.email}", algorithm="sha256").hexdigest()[:32]


def signed(user: User, topic: str, given: str) -> bool:
    """Whether this is the signature of a link."""
    return bool(user.email) and constant_time_compare(given, signature(user, topic))
