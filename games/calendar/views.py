"""The calendar of a club for other programs, which come without a session."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.clubs import clubs
from accounts.web import documents, throttle
from games.calendar import entries

FRESH_S = 300
"""How long a program need not ask again."""


@require_safe
def ics(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The public events of a club that is not private."""
    club = clubs.find(slug, AnonymousUser())
    if club is None or club.private:
        raise Http404
    throttle.count("feeds", throttle.address(request))
    body = entries.document(club, timezone.now())
    response = documents.answer(request, body, "text/calendar; charset=utf-8", fresh_s=FRESH_S)
    response["Access-Control-Allow-Origin"] = "*"
    return response
