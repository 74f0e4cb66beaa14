"""The limits of `accounts.web.throttle` on what players do, refused with a sentence like everything at a table."""

from __future__ import annotations

from accounts.web import throttle
from accounts.web.network import Network
from accounts.web.refused import Refused
from accounts.web.requests import Visitor


class TooOften(Refused):
    """A limit is reached; the player may try again after some seconds."""

    def __init__(self, often: throttle.TooMany) -> None:
        super().__init__(str(often))
        self.wait_s = often.wait_s


def count(what: str, user: Visitor) -> None:
    """Count one of these for a user. Raises TooOften beyond the limit.

    Moves are counted in this process, so that it may be called in an event loop; the rest asks the cache.
    """
    try:
        throttle.count(what, user.pk)
    except throttle.TooMany as often:
        raise TooOften(often) from None


def count_guest(user: Visitor, network: Network) -> None:
    """Count an answer of a guest, who may be many guests, for their network. Raises TooOften beyond the limit."""
    if user.is_authenticated and user.guest:
        try:
            throttle.count("answers", network)
        except throttle.TooMany as often:
            raise TooOften(often) from None
