"""The ladders of a club: the list, and a further one."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.clubs import clubs
from accounts.models import Right
from accounts.web import throttle
from accounts.web.guards import account_first
from accounts.web.refused import Refused
from games.ladders import opening
from games.ladders.forms.opening import OpeningForm
from games.ladders.pages import several
from games.ladders.views.access import club_or_404


@never_cache
@require_safe
def ladders(request: HttpRequest, slug: str) -> HttpResponse:
    """All ladders of a club, those that are closed at the end."""
    club = club_or_404(request, slug)
    found = several.of_club(club, request.user)
    context = {
        "club": club,
        "open": [each for each in found if each.ladder.closed_at is None],
        "closed": [each for each in found if each.ladder.closed_at],
        "steward": clubs.may(club, request.user, Right.LADDER),
    }
    return render(request, "ladders/ladders.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a further ladder."""
    club = club_or_404(request, slug)
    if elsewhere := account_first(request, f"{club.get_absolute_url()}/ladders"):
        return elsewhere
    assert request.user.is_authenticated
    if not clubs.may(club, request.user, Right.LADDER):
        raise Http404
    form = OpeningForm(request.POST or None, ladders=opening.open_of(club))
    if request.method == "POST":
        throttle.count("desk", request.user.pk)
    if form.is_valid():
        name, first = form.cleaned_data["name_"], form.cleaned_data.get("first", "")
        try:
            made = opening.open_further(club, request.user, name, form.slug, form.rules(), timezone.now(), first)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(
                request, _("The ladder is open. Put members on it, look at its rules, and begin a season.")
            )
            return redirect(f"{made.get_absolute_url()}/desk")
    status = 422 if form.is_bound else 200
    return render(request, "ladders/new.html", {"club": club, "form": form}, status=status)
