"""Coming in: what a browser gets when somebody signs in, signs up or plays as a guest."""

from django.contrib import auth

from accounts import services, throttle
from accounts.look import remembered
from accounts.models import User

BACKEND = "django.contrib.auth.backends.ModelBackend"


def enter(request, user: User) -> None:
    """From here on the browser is signed in as this user."""
    auth.login(request, user, BACKEND)


def as_guest(request) -> User:
    """Who asks; a new guest if nobody is signed in. Raises throttle.TooMany, which needs no catching."""
    if not request.user.is_authenticated:
        throttle.count("newcomers", throttle.address(request))
        guest = services.guest()
        services.change_look(guest, **remembered(request))
        enter(request, guest)
    return request.user
