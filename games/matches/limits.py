"""The limits of `accounts.throttle` on what players do, refused as everything at a table is: with a sentence."""

from __future__ import annotations

from accounts import throttle
from accounts.refused import Refused
from accounts.requests import Visitor


class TooOften(Refused):
    """That was often enough for now; one may try again after so many seconds."""

    def __init__(self, often: throttle.TooMany) -> None:
        super().__init__(str(often))
        self.wait_s = often.wait_s


def count(what: str, user: Visitor) -> None:
    """Count one more of these for a user. Raises TooOften beyond the limit.

    Moves are counted in this process, so that it may be called in an event loop; the rest asks the cache.
    """
    try:
        throttle.count(what, user.pk)
    except throttle.TooMany as often:
        raise TooOften(often) from None
