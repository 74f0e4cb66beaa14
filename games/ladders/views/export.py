"""A ladder to download, to print, and to show on other sites."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.actions import page
from accounts.web import links, throttle
from games.ladders.bundle import contents
from games.ladders.models import Ladder
from games.ladders.pages import awards, export, seasons, tallies
from games.ladders.tally import LadderTally
from games.ladders.views.access import ladder_or_404

THEMES = ("light", "dark")
MANY = 26
"""So many rows fit on a sheet one below the other."""
Line = tuple[seasons.Rank, LadderTally]


def answer(
    rows: export.Rows, columns: Sequence[str], kind: str, name: str, about: dict[str, Any], key: str
) -> HttpResponse:
    """A file to download."""
    if kind == "csv":
        flat = export.flat(rows) if key == "results" else rows
        response = HttpResponse(export.written(flat, columns), content_type="text/csv; charset=utf-8")
    else:
        text = json.dumps({**about, key: rows}, ensure_ascii=False, indent=1) + "\n"
        response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


@page(ladder_or_404)
def ladder(request: HttpRequest, found: Ladder, kind: str) -> HttpResponse:
    """The standing of the ladder."""
    throttle.count("exports", throttle.visitor(request))
    now = timezone.now()
    rows = export.standings(found, now)
    about = export.about(found, now)
    return answer(rows, export.LADDER, kind, f"{found.file_name}-ladder", about, "ladder")


@page(ladder_or_404)
def results(request: HttpRequest, found: Ladder, kind: str) -> HttpResponse:
    """All results."""
    throttle.count("exports", throttle.visitor(request))
    rows = export.results(found)
    about = export.about(found, timezone.now())
    return answer(rows, export.RESULTS, kind, f"{found.file_name}-results", about, "results")


@page(ladder_or_404)
def season(request: HttpRequest, found: Ladder, season: int, kind: str) -> HttpResponse:
    """The final table of a season; as JSON with its results."""
    one = seasons.season(found, season)
    if one is None:
        raise Http404
    throttle.count("exports", throttle.visitor(request))
    rows = export.final(found, one)
    about = export.about(found, timezone.now()) | export.of_season(one)
    if kind == "json":
        about["results"] = export.results(found, one)
    return answer(rows, export.SEASON, kind, f"{found.file_name}-season-{season}", about, "table")


@cache_control(private=True)
@page(ladder_or_404)
def bundle(request: HttpRequest, found: Ladder, season: int) -> StreamingHttpResponse:
    """Everything of a season that the visitor may see, with a script that checks it without the site."""
    one = seasons.season(found, season)
    if one is None:
        raise Http404
    throttle.count("exports", throttle.visitor(request))
    response = StreamingHttpResponse(contents.streamed(found, one, request.user), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{found.file_name}-season-{season}.zip"'
    return response


def halves(rows: list[Line]) -> list[list[Line]]:
    """The rows of a table on paper: beside each other, if they are many."""
    middle = (len(rows) + 1) // 2
    return [rows[:middle], rows[middle:]] if len(rows) > MANY else [rows]


@page(ladder_or_404)
def season_paper(request: HttpRequest, found: Ladder, season: int) -> HttpResponse:
    """A season for a printer."""
    one = seasons.season(found, season)
    if one is None:
        raise Http404
    ranking = seasons.ranking(found, one)
    counted, won = tallies.of_season(found, one, (row.player for row in ranking))
    context = {
        "club": found.club,
        "ladder": found,
        "address": links.full(found.address("ladder_season", season)),
        "now": timezone.now(),
        "season": one,
        "halves": halves([(row, counted[row.player]) for row in ranking]),
        "podium": ranking[:3],
        "awards": awards.of_season(found, won),
        "games": seasons.results(found, one).count(),
        "played": sum(1 for tally in counted.values() if tally.games),
    }
    return render(request, "ladders/season_print.html", context)


@page(ladder_or_404)
def paper(request: HttpRequest, found: Ladder) -> HttpResponse:
    """The ladder for a printer."""
    standing = found.now_standing()
    context = {
        "club": found.club,
        "ladder": found,
        "address": links.full(found.get_absolute_url()),
        "now": timezone.now(),
        "season": seasons.season(found, standing.season) if standing.season else None,
        "ranking": seasons.ranking(found),
    }
    return render(request, "ladders/print.html", context)


@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The ladder of a public club, to be shown in a frame by any other site. It neither reads nor sets a cookie."""
    found = (
        Ladder.objects.select_related("club").filter(club__slug=slug, club__private=False, number=number).first()
        if "\0" not in slug
        else None
    )
    if found is None:
        raise Http404
    theme = request.GET.get("theme")
    context = {
        "club": found.club,
        "name": found.full_name,
        "address": links.full(found.get_absolute_url()),
        "ranking": seasons.ranking(found),
        "standing": found.now_standing(),
        "now": timezone.now(),
        "theme": theme if theme in THEMES else "auto",
        "source_url": settings.SOURCE_URL,
    }
    # Without the request, and so without anything that a page says to the person who asks for it.
    return HttpResponse(render_to_string("ladders/embed.html", context))
