"""Coming in: what a browser gets when somebody signs in, signs up or plays as a guest."""

from django.contrib import auth
from django.http import HttpRequest

from accounts import services, throttle
from accounts.look import remembered
from accounts.models import User

BACKEND = "django.contrib.auth.backends.ModelBackend"


def enter(request: HttpRequest, user: User) -> None:
    """From here on the browser is signed in as this user."""
    auth.login(request, user, BACKEND)


def as_guest(request: HttpRequest) -> User:
    """Who asks; a new guest if nobody is signed in. Raises throttle.TooMany, which needs no catching."""
    if request.user.is_authenticated:
        return request.user
    throttle.count("newcomers", throttle.address(request))
    guest = services.guest()
    services.change_look(guest, **remembered(request))
    enter(request, guest)
    return guest
