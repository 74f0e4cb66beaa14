"""The page of a ladder, its rules in words, and what players do there for themselves."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page
from accounts.web.requests import UserRequest
from games.ladders import events, leaving, opening
from games.ladders.forms.vacation import VacationForm
from games.ladders.models import Ladder
from games.ladders.pages import ladder as ladder_page
from games.ladders.views.access import ladder_or_404
from games.ladders.words import rules as rule_words


def render_ladder(request: HttpRequest, of: Ladder, vacation: VacationForm | None = None) -> HttpResponse:
    """The standing, the possible challenges, and recent results."""
    everything = bool(request.GET.get("all"))
    now = timezone.now()
    shown = ladder_page.context(of, request.user, now, everything)
    context = {"page": shown, "club": of.club, "ladder": of, "everything": everything}
    context["ladders"] = opening.open_of(of.club) if of.name else []
    context["vacation"] = vacation or VacationForm(now=now)
    regions = ladder_page.regions(shown, request.user)
    context["regions"] = {name.replace("-", "_"): html for name, html in regions.items()}
    return render(request, "ladders/ladder.html", context)


ladder = never_cache(page(ladder_or_404)(render_ladder))


@page(ladder_or_404)
def rules(request: HttpRequest, of: Ladder) -> HttpResponse:
    """All rules of the ladder in words, as its stewards have set them."""
    now = of.now_standing().rules
    context = {
        "club": of.club,
        "ladder": of,
        "rules": now,
        "chapters": rule_words.chapters(now),
        "told": rule_words.told(now, of.game_rules),
        "examples": rule_words.examples(),
    }
    return render(request, "ladders/rules.html", context)


@action(ladder_or_404, account_first, limit="ladder")
def join(request: UserRequest, of: Ladder) -> None:
    """Join the ladder, at the bottom."""
    events.join(of, request.user, timezone.now())


@action(ladder_or_404, account_first, limit="ladder")
def leave(request: UserRequest, of: Ladder) -> None:
    """Leave the ladder."""
    leaving.leave(of, request.user, timezone.now())


def vacation_form(request: UserRequest, data: QueryDict, of: Ladder) -> VacationForm:
    return VacationForm(data, now=timezone.now())


@action(ladder_or_404, account_first, limit="ladder", form=vacation_form, show=render_ladder)
def vacation(request: UserRequest, of: Ladder, form: VacationForm) -> str:
    """Announce a vacation, by its first and its last day."""
    events.vacation(of, request.user, form.begins(), form.ends(), timezone.now())
    return _("Vacation announced. We’ll hold your place.")


@action(ladder_or_404, account_first, limit="ladder")
def back(request: UserRequest, of: Ladder) -> None:
    """Come back from a vacation, or after being taken off."""
    events.back(of, request.user, timezone.now())
