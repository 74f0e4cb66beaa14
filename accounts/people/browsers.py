"""The browsers that know a name: somebody has signed in there with it, or chosen a new password by mail.

What is tried elsewhere does not lock these out. They carry device cookies, as OWASP describes them in "Slow Down Online
Guessing Attacks with Device Cookies": for each name a random number with a proof that the site has given it out.

For a while it is kept, for the stewards of the site, that one browser has signed in with several accounts (`Browser`).
People who share a computer do so too: it proves nothing. The database holds keyed hashes of the numbers.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac

from accounts.models import Browser, User

KEPT_S = 365 * 24 * 3600
SHARED = timedelta(days=90)
"""How long it is kept that an account was signed in to with a browser."""
NAMES = 5
"""One browser knows so many names, the latest ones."""
NEW = "biblios.browser"
"""Where a request keeps the cookie that its answer will set."""


def number(request: HttpRequest, name: str) -> str:
    """The number of this browser for a folded name; empty if it does not know the name."""
    return next((number for number, proof in carried(request) if constant_time_compare(proof, prove(number, name))), "")


def remember(request: HttpRequest, user: User) -> None:
    """Let the browser of this request know the user's name, by a new number."""
    others = [each for each in carried(request) if not constant_time_compare(each[1], prove(each[0], user.folded))]
    fresh = get_random_string(22)
    _enter(user, [number for number, _proof in carried(request)], fresh)
    kept = [(fresh, prove(fresh, user.folded)), *others][:NAMES]
    request.META[NEW] = ".".join(part for each in kept for part in each)


def _enter(user: User, numbers: list[str], fresh: str) -> None:
    """Keep that a user has signed in with the browser that carried these numbers."""
    known = Browser.objects.filter(mark__in=[mark(number) for number in numbers]).order_by("pk")
    browser = known.values_list("browser", flat=True).first() or get_random_string(22)
    Browser.objects.update_or_create(
        user=user, browser=browser, defaults={"mark": mark(fresh), "seen_at": timezone.now()}
    )


def forget(now: datetime) -> int:
    """Delete what was kept of browsers for long enough. Returns how many rows there were."""
    return Browser.objects.filter(seen_at__lt=now - SHARED).delete()[0]


def mark(number: str) -> str:
    """How the database knows a number."""
    return salted_hmac("accounts.people.browsers.mark", number, algorithm="sha256").hexdigest()[:32]


def carry(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookie, if this request has changed it."""
    if NEW in request.META:
        response.set_cookie(
            settings.BROWSER_COOKIE_NAME,
            request.META[NEW],
            max_age=KEPT_S,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def carried(request: HttpRequest) -> list[tuple[str, str]]:
    """The numbers in the cookie, each with its proof."""
    parts = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "").split(".")[: 2 * NAMES]
    return list(zip(parts[::2], parts[1::2], strict=False))


def prove(number: str, name: str) -> str:
    """What proves that the site itself has given a browser this number for a folded name."""
    return salted_hmac("accounts.people.browsers", f"{number} {name}", algorithm="sha256").hexdigest()[:32]
