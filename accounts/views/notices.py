"""The page of the bell: a person's notices."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.actions import action, page, sign_in_first
from accounts.database import keyset
from accounts.models import Notice
from accounts.notices import notices as told
from accounts.web.requests import UserRequest

A_PAGE = 30


@page(None, sign_in_first)
def notices(request: UserRequest) -> HttpResponse:
    rows = Notice.objects.filter(user=request.user).exclude(kind__in=told.hidden_kinds(request.user))
    rows = rows.filter(kind__in=told.KINDS)
    older, newer = request.GET.get("older", ""), request.GET.get("newer", "")
    try:
        shown = keyset.page(rows, A_PAGE, "at", "id", older=older, newer=newer)
    except keyset.BadCursor:
        raise Http404 from None
    context = {
        "lines": [line(row) for row in shown.rows],
        "page": shown,
        "turned": older or newer,
    }
    return render(request, "accounts/notices/notices.html", context)


@page(None, sign_in_first)
def follow(request: UserRequest, number: int) -> HttpResponse:
    """Where a mail leads: to the page of a notice, or to the notice itself if there is more to read in it."""
    notice = Notice.objects.filter(pk=number, user=request.user, kind__in=told.KINDS).first()
    if notice is None:
        raise Http404
    if "reason" not in notice.values:
        return redirect(notice.address)
    return render(request, "accounts/notices/notices.html", {"lines": [line(notice)]})


def line(notice: Notice) -> tuple[Notice, SafeString, str]:
    """A notice with its sentence and its symbol, as the page shows it."""
    return notice, told.in_page(notice), told.TOPICS[told.KINDS[notice.kind].topic].symbol


@action(None, sign_in_first, to="notices")
def seen(request: UserRequest) -> str | None:
    """Mark all notices as read."""
    return _("All notices marked as read.") if told.seen(request.user, timezone.now()) else None
