"""How often passwords are checked. Each counts as wrong and as right until it turns out which.

A browser that knows the name (`accounts.people.browsers`), or in which its owner is signed in, counts by itself:
whatever others do, in the same network too, its owner can sign in there. Everywhere else a name, a network and a name
in a network each have a count: many networks together guess slowly at one name, and one network at many names.

Right ones count too, since each costs as much: by person and network, and at `/sign-in` as entries. Whoever signs in
with a browser that knows the name counts by person only, so that nobody else in their network can keep them out.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from accounts.people import browsers
from accounts.text.names import folded
from accounts.web import throttle

COUNTED = "biblios.guesses"
"""Where a request keeps what was counted for it."""
OF_RIGHT_ONES = {"passwords", "network passwords"}
"""The limits on right passwords; the others are on wrong ones."""


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
                # Whoever may try nothing uses up nothing of a name or a network either.
                not_looked_at(request)
                raise
            counted.append((what, who))


def counts(request: HttpRequest, name: str) -> list[tuple[str, object]]:
    """What a password for this folded name from this browser counts in, the narrowest first."""
    user, address = request.user, throttle.address(request)
    if user.is_authenticated and user.folded == name:
        guesses = ("guesses", f"{name} {request.session.session_key}")
        return [guesses, ("passwords", name), ("network passwords", address)]
    if number := browsers.number(request, name):
        return [("guesses", f"{name} {number}"), ("passwords", name)]
    return [
        ("guesses", address.beside(name)),
        ("guesses elsewhere", name),
        ("sign-ins", address),
        ("network passwords", address),
    ]


def right(request: HttpRequest) -> None:
    """The password of this request was right."""
    _settle(request, lambda what: what in OF_RIGHT_ONES)


def wrong(request: HttpRequest) -> None:
    """It was wrong."""
    _settle(request, lambda what: what not in OF_RIGHT_ONES)


def not_looked_at(request: HttpRequest) -> None:
    """It was neither."""
    _settle(request, lambda _what: False)


def _settle(request: HttpRequest, counts: Callable[[str], bool]) -> None:
    """Give back what was counted for this request, but for these limits."""
    for what, who in request.META.pop(COUNTED, ()):
        if not counts(what):
            throttle.give_back(what, who)
