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
    """A request that the middleware of htmx has seen: `htmx` is true if a script asks for a part of a page."""

    htmx: HtmxDetails


class UserRequest(HttpRequest):
    """A request that a guard has let through: somebody is signed in."""

    user: User
