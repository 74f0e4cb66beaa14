"""The decisions of a match that has ended: asking for their review, and the panel that shows it."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page
from accounts.web import throttle
from accounts.web.requests import HtmxRequest, UserRequest, whole
from games.analysis import services
from games.analysis.page import DecisionsPanel
from games.matches import history
from games.matches.models import Match
from games.table.views import ended_or_404


def panel(request: HttpRequest, match: Match, says: str = "") -> DecisionsPanel:
    """The panel that an address asks for: `seat`, whose decisions, and `decisions=all`."""
    wanted = request.GET.get("decisions", "")
    return DecisionsPanel(match, request.user, whole(request.GET.get("seat", "")), wanted == "all", says)


def drawn(request: HttpRequest, match: Match, says: str = "") -> HttpResponse:
    """The panel: for htmx by itself, else on a page of its own."""
    name = "decisions" if cast(HtmxRequest, request).htmx else "page"
    return render(request, f"analysis/{name}.html", {"panel": panel(request, match, says)})


@never_cache
@page(ended_or_404)
def show(request: HttpRequest, match: Match) -> HttpResponse:
    """The panel."""
    if not history.known(match):
        throttle.count("reviews", throttle.visitor(request))
    return drawn(request, match)


def answered(request: HttpRequest, match: Match, says: str) -> HttpResponse:
    """The panel after it was asked for."""
    if says or cast(HtmxRequest, request).htmx:
        return drawn(request, match, says)
    return redirect(f"{match.get_absolute_url()}/{match.ply}#decisions")


@action(ended_or_404, account_first, limit="analyses", after=answered)
def ask(request: UserRequest, match: Match) -> None:
    """Have the decisions of the match looked at."""
    services.ask(match, request.user)
