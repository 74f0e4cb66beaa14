import sqlite3
import sys
from datetime import timedelta

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.http import require_safe

from accounts import services
from accounts.clubs import clubs
from accounts.notices import notices
from accounts.people import browsers
from accounts.web import throttle
from games.lobby import open_matches

TRY_AGAIN_S = 5
"""Whoever waits for a row or a connection does so for this long at most."""
DISK_FULL = "53100"
"""As PostgreSQL says it."""


@require_safe
def licence(request: HttpRequest) -> HttpResponse:
    text = (settings.BASE_DIR / "LICENSE").read_text(encoding="utf-8")
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What the site keeps of people, why and for how long; the times are those by which it is deleted."""
    return render(request, "privacy.html", {"mail": settings.DEFAULT_FROM_EMAIL, "kept": kept_days()})


def kept_days() -> dict[str, int]:
    """For how many days the site keeps what it deletes by itself."""
    day = timedelta(days=1)
    return {
        "session": settings.SESSION_COOKIE_AGE // 86_400,
        "browser": browsers.SHARED // day,
        "guest": services.GUESTS_KEPT // day,
        "closing": services.CLOSING_DELAY // day,
        "seen": notices.KEPT // day,
        "unseen": notices.KEPT_UNSEEN // day,
        "invitation": clubs.MAIL_LASTS // day,
        "unplayed": open_matches.CLOSED_KEPT // day,
        "limit": 2
        * max(throttle.DAY_S if limit.a_day else limit.seconds for limit in throttle.LIMITS.values())
        // 86_400,
    }


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """What one agrees to by playing here."""
    return render(request, "terms.html", {"mail": settings.DEFAULT_FROM_EMAIL})


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """The icon that browsers request for pages that are plain text and name none."""
    return redirect(static("img/initial.svg"))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read: all but what is one person's own."""
    own = ("account", "admin", "following", "messages", "notices", "sign-in")
    lines = ["User-agent: *", *(f"Disallow: /{path}" for path in own), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a device needs to keep the site beside its apps."""
    sizes = (192, 512)
    kept = {
        "name": "Armarium",
        "start_url": "/play",
        "display": "standalone",
        "background_color": "#efe6d3",
        "theme_color": "#6b2459",
        "icons": [
            {"src": static(f"icons/{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in sizes
        ],
    }
    return JsonResponse(kept, content_type="application/manifest+json")


def failed(request: HttpRequest) -> HttpResponse:
    """The answer to a request that failed. If the database is away, or what it waited for was held by others for too
    long, or there is no room to write, one may try again (503). It asks the database nothing."""
    fault = sys.exc_info()[1]
    cause = fault and fault.__cause__
    # SQLite also calls it operational when there is no such table.
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_BUSY) & 0xFF
    full = code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR) or getattr(cause, "sqlstate", "") == DISK_FULL
    if not isinstance(fault, OperationalError) or not (full or code == sqlite3.SQLITE_BUSY):
        return defaults.server_error(request)
    if full:
        says = _("The site can’t save anything right now, and nothing was changed. Try again later.")
    else:
        says = _(
            "The site can’t do this right now, because too much is going on. Go back and try again in a few seconds."
        )
    html = render_to_string("accounts/too_busy.html", {"says": says})
    return HttpResponse(html, status=503, headers={"Retry-After": str(TRY_AGAIN_S)})
