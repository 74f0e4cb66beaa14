"""Who has beaten whom on a ladder: two players face to face, and the cross table of all."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode

from accounts.actions import page
from accounts.models import User
from accounts.text.names import folded
from games.ladders.models import Ladder
from games.ladders.pages import player, rivals, seasons, story
from games.ladders.views import events
from games.ladders.views.access import ladder_or_404

MOST_OF_NAME = 40
"""The most characters of a name that is looked up."""


@page(ladder_or_404)
def head_to_head(request: HttpRequest, ladder: Ladder) -> HttpResponse:
    """Two players face to face, and a form to choose them."""
    players = ladder.now_standing().players
    written = [request.GET.get(name, "").replace("\0", "").strip()[:MOST_OF_NAME] for name in ("one", "two")]
    people = [User.objects.filter(folded=folded(name)).first() if name else None for name in written]
    on = [one is not None and (one.pk in players or player.moves(ladder, one).exists()) for one in people]
    first, second = people
    duel, games, shown = None, [], None
    if first is not None and second is not None and all(on) and first != second:
        duel = rivals.duel(ladder, first, second)
        shown = events.turned(request, duel.games)
        games = story.narrate(ladder, shown.rows)
    here = {"one": written[0], "two": written[1]}
    return render(
        request,
        "ladders/head_to_head.html",
        {
            "club": ladder.club,
            "ladder": ladder,
            "one": written[0],
            "two": written[1],
            "names": sorted(story.PlayerLinks(ladder, players).plain.values(), key=folded),
            "strangers": [name for name, known in zip(written, on, strict=True) if name and not known],
            "same": first is not None and first == second,
            "duel": duel,
            "games": games,
            "newer": shown and shown.newer and urlencode({**here, "newer": shown.newer}),
            "older": shown and shown.older and urlencode({**here, "older": shown.older}),
        },
    )


@page(ladder_or_404)
def cross_table(request: HttpRequest, ladder: Ladder) -> HttpResponse:
    """Who has beaten whom, of all players."""
    sort, of_season = request.GET.get("sort", rivals.SORTS[0]), request.GET.get("season", "")
    all_seasons = seasons.seasons(ladder)
    season = next((each for each in all_seasons if str(each.number) == of_season), None)
    if sort not in rivals.SORTS or (of_season and season is None):
        raise Http404
    return render(
        request,
        "ladders/cross_table.html",
        {
            "club": ladder.club,
            "ladder": ladder,
            "table": rivals.cross_table(ladder, season, sort),
            "sort": sort,
            "season": season,
            "seasons": all_seasons,
        },
    )
