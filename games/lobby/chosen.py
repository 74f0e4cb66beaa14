"""Which title a form or an address asks for, and for how many; browsers remember the title."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict

from games.engine.core import Game
from games.engine.registry import title
from games.lobby.forms import read_bot, read_game, read_places, usual_places


def game_or_404(request: HttpRequest) -> Game:
    """The title named in a form or its address; by default the first one."""
    game = read_game(request.POST if "game" in request.POST else request.GET)
    if game is None:
        raise Http404
    return game


GAME = "game"
"""The cookie that remembers which title somebody chose last."""
BOT = "bot"
"""The one that remembers which bot."""
REMEMBERED_S = 365 * 24 * 3600


def chosen_game(request: HttpRequest) -> Game:
    """The title named in a form or an address; by default the one that this browser chose last."""
    if "game" in request.POST or "game" in request.GET:
        return game_or_404(request)
    return read_game({"game": request.COOKIES.get(GAME, "")}) or title()


def chosen_bot(request: HttpRequest, game: Game) -> str:
    """The bot that this browser chose last, if the title offers it; else the usual one."""
    return read_bot({"bot": request.COOKIES.get(BOT, "")}, game) or game.bot


def remembering(response: HttpResponse, game: Game, bot: str = "") -> HttpResponse:
    """The response, with which the browser remembers that somebody chose this title, and this bot."""
    for name, value in {GAME: game.slug, BOT: bot}.items():
        if value:
            secure = settings.SESSION_COOKIE_SECURE
            response.set_cookie(name, value, REMEMBERED_S, secure=secure, httponly=True, samesite="Lax")
    return response


def bot_or_404(request: HttpRequest, game: Game) -> str:
    """The requested bot; the one that this browser chose last if none is named."""
    bot = read_bot(request.POST, game) if "bot" in request.POST else chosen_bot(request, game)
    if bot is None:
        raise Http404
    return bot


def places_or_404(post: QueryDict, game: Game) -> int:
    """The requested number of players; the usual one if none is named."""
    places = read_places(post, game) if "places" in post else usual_places(game)
    if places is None:
        raise Http404
    return places
