"""The page of the bell: a person's notices."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.database import keyset
from accounts.models import Notice
from accounts.notices import notices as told
from accounts.web.guards import sign_in_first
from accounts.web.requests import UserRequest, ViewFunction

A_PAGE = 30


def own_notices(view: Callable[[UserRequest], HttpResponse]) -> ViewFunction:
    """Admits registered users; guests and visitors are sent to sign in or up."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        return sign_in_first(request, "/notices") or view(cast(UserRequest, request))

    return guarded


@require_safe
@own_notices
def notices(request: UserRequest) -> HttpResponse:
    rows = Notice.objects.filter(user=request.user).exclude(kind__in=told.hidden_kinds(request.user))
    rows = rows.filter(kind__in=told.KINDS)
    older, newer = request.GET.get("older", ""), request.GET.get("newer", "")
    try:
        page = keyset.page(rows, A_PAGE, "at", "id", older=older, newer=newer)
    except keyset.BadCursor:
        raise Http404 from None
    context = {
        "lines": [line(row) for row in page.rows],
        "page": page,
        "turned": older or newer,
    }
    return render(request, "accounts/notices/notices.html", context)


@require_safe
@never_cache
def follow(request: HttpRequest, number: int) -> HttpResponse:
    """Where a mail leads: to the page of a notice, or to the notice itself if there is more to read in it."""
    if elsewhere := sign_in_first(request, request.path):
        return elsewhere
    notice = Notice.objects.filter(pk=number, user=cast(UserRequest, request).user, kind__in=told.KINDS).first()
    if notice is None:
        raise Http404
    if "reason" not in notice.values:
        return redirect(notice.address)
    return render(request, "accounts/notices/notices.html", {"lines": [line(notice)]})


def line(notice: Notice) -> tuple[Notice, SafeString, str]:
    """A notice with its sentence and its symbol, as the page shows it."""
    return notice, told.in_page(notice), told.TOPICS[told.KINDS[notice.kind].topic].symbol


@require_POST
@own_notices
def seen(request: UserRequest) -> HttpResponse:
    """Mark all notices as read."""
    if told.seen(request.user, timezone.now()):
        messages.success(request, _("All notices marked as read."))
    return redirect("notices")
