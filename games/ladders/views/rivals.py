"""Who has beaten whom on a ladder: two players face to face, and the cross table of all."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.text.names import folded
from games.ladders.pages import player as player_page
from games.ladders.pages import rivals, seasons, story
from games.ladders.views import events
from games.ladders.views.access import ladder_or_404

MOST_OF_NAME = 40
"""The most characters of a name that is looked up."""


@require_safe
def head_to_head(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Two players face to face, and a form to choose them."""
    club, ladder = ladder_or_404(request, slug, number)
    players = ladder.now_standing().players
    written = [request.GET.get(name, "").replace("\0", "").strip()[:MOST_OF_NAME] for name in ("one", "two")]
    people = [User.objects.filter(folded=folded(name)).first() if name else None for name in written]
    on = [one is not None and (one.pk in players or player_page.moves(ladder, one).exists()) for one in people]
    first, second = people
    duel, games, page = None, [], None
    if first is not None and second is not None and all(on) and first != second:
        duel = rivals.duel(ladder, first, second)
        page = events.turned(request, duel.games)
        games = story.narrate(ladder, page.rows)
    here = {"one": written[0], "two": written[1]}
    return render(
        request,
        "ladders/head_to_head.html",
        {
            "club": club,
            "ladder": ladder,
            "one": written[0],
            "two": written[1],
            "names": sorted(story.PlayerLinks(ladder, players).plain.values(), key=folded),
            "strangers": [name for name, known in zip(written, on, strict=True) if name and not known],
            "same": first is not None and first == second,
            "duel": duel,
            "games": games,
            "newer": page and page.newer and urlencode({**here, "newer": page.newer}),
            "older": page and page.older and urlencode({**here, "older": page.older}),
        },
    )


@require_safe
def cross_table(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Who has beaten whom, of all players."""
    club, ladder = ladder_or_404(request, slug, number)
    sort, of_season = request.GET.get("sort", rivals.SORTS[0]), request.GET.get("season", "")
    all_seasons = seasons.seasons(ladder)
    season = next((each for each in all_seasons if str(each.number) == of_season), None)
    if sort not in rivals.SORTS or (of_season and season is None):
        raise Http404
    return render(
        request,
        "ladders/cross_table.html",
        {
            "club": club,
            "ladder": ladder,
            "table": rivals.cross_table(ladder, season, sort),
            "sort": sort,
            "season": season,
            "seasons": all_seasons,
        },
    )
