"""Games that start with one press, as a guest if need be: with bots, alone, guided; and a table for a friend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from accounts.actions import action, page
from accounts.models import User
from accounts.people.entry import as_guest
from accounts.web import throttle
from games.engine.core import Game
from games.faces.registry import face_of
from games.lobby import friends, open_matches, rematches
from games.lobby import page as rooms
from games.lobby.chosen import bot_or_404, game_or_404, places_or_404, remembering
from games.lobby.forms import read_level
from games.matches import play
from games.matches.models import Match, Seat


@action(to="lobby")
def friend(request: HttpRequest) -> HttpResponse:
    """Open a table for two, for a friend with its link; as a guest if need be."""
    game = game_or_404(request)
    host = as_guest(request)
    count_game(request, host)
    return remembering(redirect(friends.table(host, game)), game)


@action(to="lobby")
def bots(request: HttpRequest) -> HttpResponse:
    """Play against bots at once, as a guest if need be."""
    game = game_or_404(request)
    bot = bot_or_404(request, game)
    begun = begin_at_once(request, game, places_or_404(request.POST, game), bot=bot)
    return remembering(redirect(begun) if isinstance(begun, Match) else begun, game, bot)


@action(to="lobby")
def alone(request: HttpRequest) -> Match | HttpResponse:
    """Play a game of one player at once, as a guest if need be."""
    game = game_or_404(request)
    level = read_level(request.POST, game)
    if level is None:
        raise Http404
    return begin_at_once(request, game, 1, {game.difficulty: level} if game.difficulty else {})


@action(to="lobby")
def guided(request: HttpRequest) -> Match | HttpResponse:
    """Play a guided game at once, by default the first one, as a guest if need be."""
    game = game_or_404(request)
    sizes = {str(guided.places): guided.places for guided in face_of(game).guided}
    places = sizes.get(request.POST.get("places", next(iter(sizes))))
    if places is None:
        raise Http404
    return begin_at_once(request, game, places, guided=True)


def count_game(request: HttpRequest, user: User) -> None:
    """Count a game that somebody begins; one of a guest, who may be somebody else the next time, for their network."""
    throttle.count("tables", user.pk)
    if user.guest:
        throttle.count("guest games", throttle.address(request))


def begin_at_once(
    request: HttpRequest,
    game: Game,
    places: int,
    options: Mapping[str, Any] | None = None,
    bot: str = "",
    guided: bool = False,
) -> Match | HttpResponse:
    """Begin a game of one person and bots. A guest who still plays another one is asked which it shall be."""
    user = as_guest(request)
    running = rooms.running_game(user) if user.guest else None
    if running and request.POST.get("resign") != running.key:
        chosen = {name: request.POST[name] for name in CHOSEN if name in request.POST}
        fields = {"begin": request.path, "game": game.slug, **chosen}
        return redirect(f"{reverse('another')}?{urlencode(fields)}")
    count_game(request, user)
    if user.guest:
        rematches.withdraw(user)
    if running:
        seat = next(seat for seat in running.sitting if seat.user_id == user.pk)
        play.leave(running, seat.index, Seat.Left.RESIGN)
    return open_matches.open_match(
        user, game=game, places=places, options=dict(options or {}), bots=places - 1, bot=bot, guided=guided
    )


CHOSEN = "places", "level", "bot"
"""What one chooses of a game that begins at once, besides its title."""
BEGINS = "bots", "alone", "guided"
"""The pages that begin a game at once."""


@page()
@never_cache
def another(request: HttpRequest) -> HttpResponse:
    """What a guest is asked who wants to begin a game while another one runs."""
    user = request.user
    running = rooms.running_game(user) if user.is_authenticated and user.guest else None
    begin = request.GET.get("begin", "")
    if running is None or begin not in map(reverse, BEGINS):
        return redirect("lobby")
    fields = [(name, request.GET[name]) for name in ("game", *CHOSEN) if name in request.GET]
    others = [seat.shown_name for seat in running.sitting if seat.user_id != user.pk]
    context = {"running": running, "others": others, "begin": begin, "fields": fields}
    return render(request, "lobby/another.html", context)
