"""Entering the site: the browser of somebody who signs in, signs up or plays as a guest."""

from django.contrib import auth
from django.http import HttpRequest

from accounts import services
from accounts.models import User
from accounts.people import browsers, guesses
from accounts.people.look import remembered
from accounts.web import throttle

BACKEND = "django.contrib.auth.backends.ModelBackend"


def enter(request: HttpRequest, user: User) -> None:
    """Sign this user in on this browser, which knows their name from now on, unless they are a guest."""
    guesses.right(request)
    auth.login(request, user, BACKEND)
    if not user.guest:
        browsers.remember(request, user)


def as_guest(request: HttpRequest) -> User:
    """The user who asks; a new guest if nobody is signed in. Raises throttle.TooMany, which the middleware answers."""
    if request.user.is_authenticated:
        return request.user
    throttle.count("newcomers", throttle.address(request))
    guest = services.guest()
    services.change_look(guest, **remembered(request))
    enter(request, guest)
    return guest
