"""The page of a ladder, its rules in words, and what players do there for themselves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import wraps
from typing import Concatenate, NamedTuple, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import throttle
from accounts.guards import account_first, attempt
from accounts.models import Club
from accounts.refused import Refused
from accounts.requests import UserRequest, View
from games.ladders import events
from games.ladders.models import Ladder
from games.ladders.pages import ladder as ladder_page
from games.ladders.views.access import ladder_or_404
from games.ladders.words import rules as rule_words


class Vacation(NamedTuple):
    """The input to the form for a vacation, and what is wrong with it."""

    first: str = ""
    last: str = ""
    wrong: str = ""


def signed_in(view: Callable[Concatenate[UserRequest, Club, Ladder, ...], HttpResponse]) -> View:
    """A view for registered users: others are asked to sign up and come back. It gets club and ladder."""

    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, **kwargs: object) -> HttpResponse:
        club, of = ladder_or_404(request, slug)
        back = request.get_full_path() if request.method == "GET" else of.get_absolute_url()
        return account_first(request, back) or view(cast(UserRequest, request), club, of, **kwargs)

    return wrapped


def doing(view: Callable[[UserRequest, Club, Ladder, datetime], HttpResponse | None]) -> View:
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
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """The standing, the possible challenges, and recent results."""
    club, of = ladder_or_404(request, slug)
    return page(request, club, of)


def page(
    request: HttpRequest, club: Club, of: Ladder, vacation: Vacation | None = None, status: int = 200
) -> HttpResponse:
    everything = bool(request.GET.get("all"))
    shown = ladder_page.page(of, request.user, timezone.now(), everything)
    context = {"page": shown, "club": club, "ladder": of, "everything": everything, "vacation": vacation or Vacation()}
    regions = ladder_page.regions(shown, request.user)
    context["regions"] = {name.replace("-", "_"): html for name, html in regions.items()}
    return render(request, "ladders/ladder.html", context, status=status)


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """All rules of the ladder in words, as its stewards have set them."""
    club, of = ladder_or_404(request, slug)
    standing = of.now_standing()
    context = {
        "club": club,
        "ladder": of,
        "chapters": rule_words.chapters(standing.rules),
        "glance": rule_words.glance(standing.rules),
    }
    return render(request, "ladders/rules.html", context)


@doing
def join(request: UserRequest, club: Club, of: Ladder, now: datetime) -> None:
    """Join the ladder, at the bottom."""
    events.join(of, request.user, now)


@doing
def leave(request: UserRequest, club: Club, of: Ladder, now: datetime) -> None:
    """Leave the ladder."""
    events.leave(of, request.user, now)


@doing
def vacation(request: UserRequest, club: Club, of: Ladder, now: datetime) -> HttpResponse | None:
    """Announce a vacation, by its first and its last day."""
    typed = Vacation(request.POST.get("first", "")[:20], request.POST.get("last", "")[:20])
    first, last = read_day(typed.first), read_day(typed.last)
    try:
        if first is None or last is None:
            raise Refused(_("Please enter the first and the last day."))
        if first < now.date():
            raise Refused(_("The first day has passed."))
        begins, ends = midnight(first), midnight(last) + timedelta(days=1)
        events.vacation(of, request.user, begins, ends, now)
    except Refused as refusal:
        return page(request, club, of, typed._replace(wrong=str(refusal)), status=422)
    messages.success(request, _("Your vacation is announced. Your place is held."))
    return None


@doing
def back(request: UserRequest, club: Club, of: Ladder, now: datetime) -> None:
    """Come back from a vacation, or after being taken off."""
    events.back(of, request.user, now)


def read_day(text: str) -> date | None:
    """A day as a browser sends it; None if it is invalid, or far away."""
    try:
        day = parse_date(text)
    except ValueError:
        return None
    return day if day and 2000 <= day.year < 2200 else None


def midnight(day: date) -> datetime:
    """The start of a day, in UTC."""
    return timezone.make_aware(datetime.combine(day, datetime.min.time()), timezone.get_default_timezone())
