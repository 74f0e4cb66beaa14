"""How often a password may be guessed. Every one that is checked counts until it turns out to be right.

A browser that knows the name (`accounts.browsers`), or in which its owner is signed in, counts by itself: whatever
others do, in the same network too, its owner can sign in there. Everywhere else a name, a network and a name in a
network each have a count: many networks together guess slowly at one name, and one network at many names.
"""

from typing import Any

from django.http import HttpRequest

from accounts import browsers, throttle
from accounts.names import folded

COUNTED = "biblios.guesses"
"""Where a request keeps what was counted for it."""


class Guard:
    """The first backend: it counts, and leaves users and their passwords to the next one."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **_: Any
    ) -> None:
        """Raises throttle.TooMany if nobody may try this name from here for now."""
        if request is None or username is None:
            return
        name = folded(username)[:150]
        counted = request.META[COUNTED] = []
        for what, who in counts(request, name):
            try:
                throttle.count(what, who)
            except throttle.TooMany:
                # No password is looked at: whoever may try nothing uses up nothing of a name or a network either.
                give_back(request)
                raise
            counted.append((what, who))


def counts(request: HttpRequest, name: str) -> list[tuple[str, object]]:
    """What a guess at this folded name from this browser counts in, the narrowest first."""
    user = request.user
    here = user.is_authenticated and user.folded == name and request.session.session_key
    if number := here or browsers.number(request, name):
        return [("guesses", f"{name} {number}")]
    address = throttle.address(request)
    return [
        ("guesses", address.beside(name)),
        ("guesses elsewhere", name),
        ("sign-ins", address),
    ]


def give_back(request: HttpRequest) -> None:
    """Give back what was counted for this request: the password was right, or not looked at."""
    for what, who in request.META.pop(COUNTED, ()):
        throttle.give_back(what, who)
