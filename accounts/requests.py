"""Who asks, as the type checker knows them."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from accounts.models import User

Visitor = User | AnonymousUser


class UserRequest(HttpRequest):
    """A request that a guard has let through: somebody is signed in."""

    user: User
