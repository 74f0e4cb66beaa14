"""Requests and their users, as the type checker knows them."""

from collections.abc import Callable

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails

from accounts.models import User

Visitor = User | AnonymousUser
ViewFunction = Callable[..., HttpResponse]
"""A view: Django calls it with a request and the values in its address."""


class HtmxRequest(HttpRequest):
    """A request that the middleware of htmx has seen: `htmx` is true if htmx sends it."""

    htmx: HtmxDetails


class UserRequest(HttpRequest):
    """A request that a guard has let through: somebody is signed in."""

    user: User


def whole(text: str) -> int | None:
    """The number, from 0, that an address or a form gives as text, of at most 18 digits; None if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else None
