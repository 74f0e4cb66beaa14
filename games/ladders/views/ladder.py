"""The page of a ladder, its rules in words, and what players do there for themselves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Concatenate, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Club
from accounts.web import throttle
from accounts.web.guards import account_first, attempt
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest, ViewFunction
from games.ladders import events, opening
from games.ladders.forms.vacation import VacationForm
from games.ladders.models import Ladder
from games.ladders.pages import ladder as ladder_page
from games.ladders.views.access import ladder_or_404
from games.ladders.words import rules as rule_words


def signed_in(view: Callable[Concatenate[UserRequest, Club, Ladder, ...], HttpResponse]) -> ViewFunction:
    """A view for registered users: others are asked to sign up and come back. It gets club and ladder."""

    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, number: int, **kwargs: object) -> HttpResponse:
        club, of = ladder_or_404(request, slug, number)
        back = request.get_full_path() if request.method == "GET" else of.get_absolute_url()
        return account_first(request, back) or view(cast(UserRequest, request), club, of, **kwargs)

    return wrapped


def ladder_action(view: Callable[[UserRequest, Club, Ladder, datetime], HttpResponse | None]) -> ViewFunction:
    """A view that changes something: a refusal is shown on the page of the ladder."""

    @require_POST
    @signed_in
    @wraps(view)
    def wrapped(request: UserRequest, club: Club, of: Ladder) -> HttpResponse:
        throttle.count("ladder", request.user.pk)
        return attempt(request, lambda: view(request, club, of, timezone.now()), of)

    return wrapped


@never_cache
@require_safe
def ladder(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The standing, the possible challenges, and recent results."""
    club, of = ladder_or_404(request, slug, number)
    return render_ladder(request, club, of)


def render_ladder(
    request: HttpRequest, club: Club, of: Ladder, vacation: VacationForm | None = None, status: int = 200
) -> HttpResponse:
    everything = bool(request.GET.get("all"))
    now = timezone.now()
    shown = ladder_page.context(of, request.user, now, everything)
    context = {"page": shown, "club": club, "ladder": of, "everything": everything}
    context["ladders"] = opening.open_of(club) if of.name else []
    context["vacation"] = vacation or VacationForm(now=now)
    regions = ladder_page.regions(shown, request.user)
    context["regions"] = {name.replace("-", "_"): html for name, html in regions.items()}
    return render(request, "ladders/ladder.html", context, status=status)


@require_safe
def rules(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All rules of the ladder in words, as its stewards have set them."""
    club, of = ladder_or_404(request, slug, number)
    standing = of.now_standing()
    context = {
        "club": club,
        "ladder": of,
        "chapters": rule_words.chapters(standing.rules, of.title),
        "glance": rule_words.glance(standing.rules),
    }
    return render(request, "ladders/rules.html", context)


@ladder_action
def join(request: UserRequest, club: Club, of: Ladder, now: datetime) -> None:
    """Join the ladder, at the bottom."""
    events.join(of, request.user, now)


@ladder_action
def leave(request: UserRequest, club: Club, of: Ladder, now: datetime) -> None:
    """Leave the ladder."""
    events.leave(of, request.user, now)


@ladder_action
def vacation(request: UserRequest, club: Club, of: Ladder, now: datetime) -> HttpResponse | None:
    """Announce a vacation, by its first and its last day."""
    form = VacationForm(request.POST, now=now)
    if not form.is_valid():
        return render_ladder(request, club, of, form, status=422)
    try:
        events.vacation(of, request.user, form.begins(), form.ends(), now)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return render_ladder(request, club, of, form, status=422)
    messages.success(request, _("Vacation announced. We’ll hold your place."))
    return None


@ladder_action
def back(request: UserRequest, club: Club, of: Ladder, now: datetime) -> None:
    """Come back from a vacation, or after being taken off."""
    events.back(of, request.user, now)
