"""A person's calendar for their own programs, which come without a session."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.people import calendar
from accounts.web import documents, throttle

FRESH_S = 300
"""How long a program need not ask again."""


@require_safe
def show(request: HttpRequest, token: str) -> HttpResponseBase:
    """The calendar at a secret address."""
    user = calendar.owner(token)
    if user is None:
        raise Http404
    throttle.count("calendars", user.pk)
    body = calendar.document(user, timezone.now())
    return documents.answer(request, body, "text/calendar; charset=utf-8", fresh_s=FRESH_S)
