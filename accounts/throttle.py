"""Limits on what one address may do in an hour, counted in the cache."""

from django.conf import settings
from django.core.cache import cache

from accounts.names import folded

HOUR_S = 3600


class TooMany(Exception):
    """This address has done that often enough for now. The middleware answers with status 429."""


def address(request) -> str | None:
    """Who asks: behind a proxy that speaks HTTPS the last address it has noted, otherwise the peer's."""
    noted = request.headers.get("X-Forwarded-For", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return noted.split(",")[-1].strip() or request.META.get("REMOTE_ADDR")


def count(request, what: str, limit: int, by: object = None) -> None:
    """Count one more of these for the address of the request, or for `by`. Raises TooMany beyond an hour's limit."""
    if counted(f"throttle:{what}:{by or address(request)}", HOUR_S) > limit:
        raise TooMany


def counted(key: str, seconds: int) -> int:
    """Count one more under `key`. How many there have been since the first of them, at most so many seconds ago."""
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # the time ended just now
        return 1


def name_tried(request, credentials: dict | None) -> str:
    """The name for which a password was tried, so that another case is no other name."""
    return folded((credentials or request.POST).get("username") or "")[:150]
