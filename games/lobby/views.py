"""The home page, the rules, the lobby and the waiting room: each form leads on to a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any, Concatenate, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.career.archive import has_played
from accounts.models import Club, User
from accounts.people.entry import as_guest
from accounts.web import links, throttle
from accounts.web.guards import account_first, attempt
from accounts.web.refused import Refused
from accounts.web.requests import HtmxRequest, UserRequest, ViewFunction, Visitor
from games.engine.core import Game
from games.engine.registry import title, titles
from games.faces.registry import face_of, options_in_words
from games.lobby import filters, invite, open_matches, rematches, watching
from games.lobby import page as rooms
from games.lobby import quick as quick_matches
from games.lobby.forms import CLUB, MatchForm, read_game, read_level, read_places, read_seal, read_share, usual_places
from games.matches import access
from games.matches import chat as talks
from games.matches import rematches as offers
from games.matches import shuffle as shuffling
from games.matches.clocks import ms_of
from games.matches.limits import TooOften
from games.matches.models import Match
from games.table import views as table


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Each title with its picture and a few words, and the games being played now."""
    games = [shown_at_home(game) for game in titles()]
    return render(request, "home.html", {"games": games, "running": watching.running(3)})


def shown_at_home(game: Game) -> dict[str, Any]:
    face = face_of(game)
    return {
        "face": face,
        "places": usual_places(game),
        "picture": render_to_string(face.template("hero"), face.home()),
        "how": face.template("how"),
    }


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What is the same in all games, and the way to the rules of each title."""
    return render(request, "rules.html", {"faces": [face_of(game) for game in titles()]})


@require_safe
def rules_of(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of a title in short, with pictures."""
    found = read_game({"game": game})
    if found is None:
        raise Http404
    face = face_of(found)
    others = [face_of(other) for other in titles() if other.slug != found.slug]
    context = {"face": face, "others": others, **options_in_words(found), **face.rules()}
    return render(request, face.template("rules"), context)


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """The matches that can be watched now, and the latest games: all, or those that the address asks for."""
    fields = request.GET.dict()
    wanted = filters.wanted(fields)
    context = {
        "games": watching.running(30, wanted),
        "finished": watching.finished(20, wanted),
        "filters": filters.filters(fields),
        "filtered": wanted != watching.Wanted(),
    }
    return render(request, "lobby/watch.html", context)


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The visitor's own matches, quick matches, open matches, and a form for a new one."""
    wanted = {"access": f"{CLUB}{request.GET['club']}"} if "club" in request.GET else None
    return render_lobby(request, MatchForm(game=chosen_game(request), clubs=clubs_of(request.user), initial=wanted))


def clubs_of(user: Visitor) -> list[Club]:
    """The clubs for whose members somebody can open a table."""
    if not user.is_authenticated or user.guest:
        return []
    return list(Club.objects.filter(members__user=user).order_by("name", "pk"))


def game_or_404(request: HttpRequest) -> Game:
    """The title named in a form or its address; by default the first one."""
    game = read_game(request.POST if "game" in request.POST else request.GET)
    if game is None:
        raise Http404
    return game


GAME = "game"
"""The cookie that remembers which title somebody chose last."""
REMEMBERED_S = 365 * 24 * 3600


def chosen_game(request: HttpRequest) -> Game:
    """The title named in a form or an address; by default the one that this browser chose last."""
    if "game" in request.POST or "game" in request.GET:
        return game_or_404(request)
    return read_game({"game": request.COOKIES.get(GAME, "")}) or title()


def places_or_404(post: QueryDict, game: Game) -> int:
    """The requested number of players."""
    places = read_places(post, game)
    if places is None:
        raise Http404
    return places


def render_lobby(request: HttpRequest, form: MatchForm, status: int = 200) -> HttpResponse:
    now = timezone.now()
    seeks = request.user.is_authenticated and quick_matches.touch(request.user)
    shown = rooms.regions(request.user, now, form.game)
    regions = {name.replace("-", "_"): html for name, html in shown.items()}
    faces = [face_of(game) for game in titles()]
    context = {"form": form, "since": ms_of(now), "seeks": seeks, "regions": regions, "faces": faces}
    context["newcomer"] = not (request.user.is_authenticated and has_played(request.user))
    response = render(request, "lobby/lobby.html", context, status=status)
    if "game" in request.GET:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(GAME, form.game.slug, REMEMBERED_S, secure=secure, httponly=True, samesite="Lax")
    return response


@never_cache
@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """The answer to a page without a socket, which asks every few seconds."""
    if request.user.is_authenticated:
        quick_matches.touch(request.user)
    return told(*rooms.news(request.user, rooms.asked(request.GET.dict())))


def told(go: str | None, regions: dict[str, str]) -> HttpResponse:
    """News for a script: where its page should go, or else its regions."""
    if go is None:
        raise Http404
    return JsonResponse({"go": go}) if go else HttpResponse("".join(regions.values()))


def signed_in(view: Callable[Concatenate[UserRequest, ...], HttpResponse]) -> ViewFunction:
    """A view for registered users, not for guests: others are asked to sign up and come back."""

    @require_POST
    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: str) -> HttpResponse:
        back = f"/m/{kwargs['key']}" if "key" in kwargs else "/play"
        return account_first(request, back) or view(cast(UserRequest, request), **kwargs)

    return wrapped


@never_cache
@signed_in
def new(request: UserRequest) -> HttpResponse:
    """Open a match."""
    form = MatchForm(request.POST, game=game_or_404(request), clubs=clubs_of(request.user))
    if form.is_valid():
        try:
            throttle.count("tables", request.user.pk)
            return redirect(open_matches.open_match(request.user, **form.chosen()))
        except Refused as refusal:
            form.add_error(None, str(refusal))
    return render_lobby(request, form, status=422)


@signed_in
def quick(request: UserRequest) -> HttpResponse:
    """Search for a quick match."""
    game = game_or_404(request)
    places = places_or_404(request.POST, game)
    if not game.pool(places):
        raise Http404
    throttle.count("quick", request.user.pk)
    return attempt(request, lambda: quick_matches.seek(request.user, game, places), "/play")


@signed_in
def stop_waiting(request: UserRequest) -> HttpResponse:
    """End the search for a quick match."""
    throttle.count("quick", request.user.pk)
    quick_matches.cancel(request.user)
    return redirect("/play")


@require_POST
def bots(request: HttpRequest) -> HttpResponse:
    """Play against bots at once, as a guest if need be."""
    game = game_or_404(request)
    return at_once(request, game, places_or_404(request.POST, game))


@require_POST
def alone(request: HttpRequest) -> HttpResponse:
    """Play a game of one player at once, as a guest if need be."""
    game = game_or_404(request)
    level = read_level(request.POST, game)
    if level is None:
        raise Http404
    return at_once(request, game, 1, {game.difficulty: level} if game.difficulty else {})


@require_POST
def guided(request: HttpRequest) -> HttpResponse:
    """Play the guided first game at once, as a guest if need be."""
    game = game_or_404(request)
    return at_once(request, game, face_of(game).guided_places, guided=True)


def count_game(request: HttpRequest, user: User) -> None:
    """Count a game that somebody begins; one of a guest, who may be somebody else the next time, for their network."""
    throttle.count("tables", user.pk)
    if user.guest:
        throttle.count("guest games", throttle.address(request))


def at_once(
    request: HttpRequest, game: Game, places: int, options: Mapping[str, Any] | None = None, guided: bool = False
) -> HttpResponse:
    """Begin a game of one person and bots."""
    user = as_guest(request)
    if user.guest and (running := rooms.running_game(user)):
        messages.info(request, _("Guests play one game at a time: here is yours. Sign up to play several."))
        return redirect(running)
    count_game(request, user)
    return attempt(
        request,
        lambda: open_matches.open_match(
            user, game=game, places=places, options=dict(options or {}), bots=places - 1, guided=guided
        ),
        "/play",
    )


@never_cache
@require_safe
def match(request: HttpRequest, key: str) -> HttpResponse:
    """The table of a match, or the waiting room before it begins."""
    match = table.match_or_404(request, key)
    return room(request, match) if match.started_at is None else table.table(request, match)


def room(request: HttpRequest, match: Match) -> HttpResponse:
    """The waiting room of a match that has not begun, or never did.

    Whoever wanted a seat there, and has signed up or in for it since, takes it.
    """
    user = request.user
    if match.status == Match.Status.OPEN and user.is_authenticated and not user.guest and wished(request) == match.key:
        response = attempt(request, lambda: open_matches.join(match, user), match)
        response.delete_cookie(WISH)
        return response
    regions = rooms.room_regions(match, request.user) if match.status in Match.WAITING else {}
    link = links.full(match.get_absolute_url())
    origin = access.origin(match, request.user)
    context = {"match": match, "regions": regions, "link": link, "qr": invite.qr_code(link), "origin": origin}
    return render(request, "lobby/waiting_room.html", context)


WISH = "seat"
"""The cookie of a browser that has asked for a seat without an account: the key of the match, signed ..."""
WISH_S = 1800
"""... and how long it stands."""


def wished(request: HttpRequest) -> str:
    """The key of the match at which this browser has asked for a seat, before somebody signed up or in for it."""
    return str(request.get_signed_cookie(WISH, default="", max_age=WISH_S) or "")


def at_table(view: Callable[[UserRequest, Match], Match | str | None]) -> ViewFunction:
    """A view that changes an open match: it gets the match, and may return a message.

    It is for registered users, and for guests who sit there."""

    @require_POST
    @wraps(view)
    def wrapped(request: HttpRequest, key: str) -> HttpResponse:
        match, user = access.find(key), request.user
        if match is None or access.seat_of(match, user) is None:
            first = account_first(request, f"/m/{key}")
            if first:
                return first
        if match is None or not user.is_authenticated or not access.may_see(match, user):
            raise Http404
        throttle.count("room", user.pk)
        return attempt(request, lambda: view(cast(UserRequest, request), match) or "/play", match)

    return wrapped


@require_POST
def join(request: HttpRequest, key: str) -> HttpResponse:
    """Take a free seat. Without an account: as a guest (`by=guest`) in a casual match, or after signing up (by default)
    or in (`by=sign-in`)."""
    match, user, by = access.find(key), request.user, request.POST.get("by", "")
    known = user.is_authenticated and not user.guest
    if not known and (match is None or match.rated or by != "guest"):
        return account_for_seat(request, key, f"/sign-{'in' if by == 'sign-in' else 'up'}")
    if match is None or not access.may_see(match, user):
        raise Http404
    guest = as_guest(request)
    throttle.count("room", guest.pk)
    if guest.guest:
        throttle.count("guest games", throttle.address(request))
    return attempt(request, lambda: open_matches.join(match, guest), match)


def account_for_seat(request: HttpRequest, key: str, page: str) -> HttpResponse:
    """Send somebody to sign up or in, and then to the seat."""
    response = redirect(f"{page}?{urlencode({'next': f'/m/{key}'})}")
    secure = settings.SESSION_COOKIE_SECURE
    response.set_signed_cookie(WISH, key, max_age=WISH_S, secure=secure, httponly=True, samesite="Lax")
    return response


@at_table
def ready(request: UserRequest, match: Match) -> Match:
    """Say that one is ready to begin, or not yet."""
    return open_matches.ready(match, request.user, yes=request.POST.get("ready") != "no")


@at_table
def stand(request: UserRequest, match: Match) -> str | None:
    """Leave an open match, or decline a rematch."""
    (rematches.decline if match.rematch_of_id else open_matches.leave)(match, request.user)
    origin = access.origin(match, request.user)
    return origin.challenge if origin else None


@at_table
def kick(request: UserRequest, match: Match) -> Match:
    """Free a seat of one's own match."""
    index = request.POST.get("seat", "")
    return open_matches.kick(match, request.user, int(index) if index.isdecimal() and len(index) < 3 else -1)


@at_table
def bot(request: UserRequest, match: Match) -> Match:
    """Give a free seat of one's own match to a bot."""
    return open_matches.add_bot(match, request.user)


@never_cache
@require_POST
def shuffle(request: HtmxRequest, key: str) -> HttpResponse:
    """What the browser of a player gives to the shuffle (`games.matches.shuffle`): one of `ahead`, `seal`, `share`,
    each in hexadecimal, or `without`. A script is answered with the news of the room, as by `news`."""
    match, user = access.find(key), request.user
    if match is None or not user.is_authenticated or access.seat_of(match, user) is None:
        raise Http404
    throttle.count("room", user.pk)
    return in_room(request, match, lambda: give(match, user, request.POST))


def give(match: Match, user: User, post: QueryDict) -> None:
    if "ahead" in post:
        shuffling.give_ahead(match, user, read_share(post.get("ahead", "")))
    elif "seal" in post:
        shuffling.give_seal(match, user, read_seal(post.get("seal", "")))
    elif "share" in post:
        shuffling.open_seal(match, user, read_share(post.get("share", "")))
    else:
        shuffling.do_without(match, user)


@never_cache
@require_POST
def chat(request: HtmxRequest, key: str) -> HttpResponse:
    """Say something (`text`), or a ready-made phrase (`phrase`), at a table or in its waiting room."""
    user = request.user
    if not user.is_authenticated:
        return redirect_to_login(f"/m/{key}")
    match = table.match_or_404(request, key)
    if match.started_at is not None:
        return table.chat(request, match)
    if not talks.may_write(match, user):
        raise Http404
    return in_room(request, match, lambda: table.say(match, user, request.POST))


@never_cache
@require_POST
def mute(request: HtmxRequest, key: str) -> HttpResponse:
    """Mute the chat of a table or of its waiting room, or unmute it."""
    match = access.find(key)
    seat = access.seat_of(match, request.user) if match and match.started_at is None else None
    if match is None or seat is None:
        return table.mute(request, key=key)
    throttle.count("room", request.user.pk)
    return in_room(request, match, lambda: talks.mute(match, seat))


def in_room(request: HtmxRequest, match: Match, do: Callable[[], None]) -> HttpResponse:
    """Do something in a waiting room. A script is answered with the news of the room, as by `news`."""
    if not request.htmx:
        return attempt(request, do, match)
    try:
        do()
    except TooOften as often:
        return JsonResponse({"says": str(often)}, status=429, headers={"Retry-After": str(often.wait_s)})
    except Refused as refusal:
        return JsonResponse({"says": str(refusal)}, status=409)
    return told(*rooms.news(request.user, rooms.asked({"room": match.key})))


@never_cache
@require_POST
def rematch(request: HtmxRequest, key: str) -> HttpResponse:
    """Take part in another game of those who sat here, or not (`answer=no`); `seats=same` keeps their order.

    A script is answered with the board; other browsers go to the new game once it begins.
    """
    match = access.find(key)
    seats = () if match is None else match.sitting
    user = request.user
    if match is None or not user.is_authenticated or user.pk not in {seat.user_id for seat in seats}:
        raise Http404
    if request.POST.get("answer") == "no":
        throttle.count("room", user.pk)
        again = found(match)
        act = partial(rematches.decline, again, user)
    else:
        count_game(request, user)
        act = partial(rematches.accept, match, user, request.POST.get("seats") == "same")
    if not request.htmx:
        return attempt(request, lambda: begun(act()), match)
    says, status = "", 200
    try:
        act()
    except Refused as refusal:
        says, status = str(refusal), 409
    return HttpResponse(table.fragment(request, table.match_or_404(request, key), says), status=status)


def found(match: Match) -> Match:
    """The rematch of a match."""
    again = offers.find(match)
    if again is None:
        raise Http404
    return again


def begun(match: Match) -> Match | None:
    """The match, if it has begun."""
    return match if match.status in Match.UNDER_WAY else None
