"""The ladders of a club: the list, and a further one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, page
from accounts.clubs import clubs
from accounts.models import Club, Right
from accounts.web.requests import UserRequest
from games.ladders import opening
from games.ladders.forms.opening import OpeningForm
from games.ladders.pages import several
from games.ladders.views.access import club_or_404


@never_cache
@page(club_or_404)
def ladders(request: HttpRequest, club: Club) -> HttpResponse:
    """All ladders of a club, those that are closed at the end."""
    found = several.of_club(club, request.user)
    context = {
        "club": club,
        "open": [each for each in found if each.ladder.closed_at is None],
        "closed": [each for each in found if each.ladder.closed_at],
        "steward": clubs.may(club, request.user, Right.LADDER),
    }
    return render(request, "ladders/ladders.html", context)


def opening_form(request: UserRequest, data: QueryDict | None, club: Club) -> OpeningForm:
    return OpeningForm(data, ladders=opening.open_of(club))


def render_new(request: UserRequest, club: Club, form: OpeningForm) -> HttpResponse:
    return render(request, "ladders/new.html", {"club": club, "form": form})


@page(club_or_404, account_first, right=Right.LADDER, form=opening_form, show=render_new)
def new(request: UserRequest, club: Club, form: OpeningForm) -> HttpResponse:
    """Open a further ladder."""
    name, first = form.cleaned_data["name_"], form.cleaned_data.get("first", "")
    made = opening.open_further(club, request.user, name, form.slug, form.rules(), timezone.now(), first)
    messages.success(request, _("The ladder is open. Put members on it, look at its rules, and begin a season."))
    return redirect(made.address("ladder_desk"))
