"""The home page, the rules, the lobby and the waiting room: each form leads on to a page."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from accounts.actions import account_first, action, page
from accounts.career.archive import has_played
from accounts.models import Club, User
from accounts.people.entry import as_guest
from accounts.web import links, throttle
from accounts.web.requests import HtmxRequest, UserRequest, Visitor, whole
from accounts.web.swaps import refusal
from games.engine.core import Game
from games.engine.registry import title, titles
from games.faces.registry import face_of, options_in_words
from games.hub.page import update
from games.lobby import filters, invite, open_matches, rematches, watching
from games.lobby import page as rooms
from games.lobby import quick as quick_matches
from games.lobby.chosen import bot_or_404, chosen_bot, chosen_game, game_or_404, places_or_404, remembering
from games.lobby.forms import CLUB, MatchForm, read_game, read_seal, read_share, usual_places
from games.lobby.starting import count_game
from games.matches import access
from games.matches import chat as talks
from games.matches import rematches as offers
from games.matches import shuffle as shuffling
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.table import views as table


@page()
def home(request: HttpRequest) -> HttpResponse:
    """What is to be had here, each title with its picture and a few words, and the games being played now."""
    first = face_of(title())
    context = {
        "chosen": face_of(chosen_game(request)),
        "demo": render_to_string(first.template("demo"), first.demo()),
        "games": [shown_at_home(game) for game in titles()],
        "running": watching.running(3),
    }
    return render(request, "home.html", context)


def shown_at_home(game: Game) -> dict[str, Any]:
    face = face_of(game)
    return {
        "face": face,
        "places": usual_places(game),
        "picture": render_to_string(face.template("hero"), face.home()),
        "how": face.template("how"),
    }


@page()
def rules(request: HttpRequest) -> HttpResponse:
    """What is the same in all games, and the way to the rules of each title."""
    return render(request, "rules.html", {"faces": [face_of(game) for game in titles()]})


@page()
def rules_of(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of a title in short, with pictures."""
    found = read_game({"game": game})
    if found is None:
        raise Http404
    face = face_of(found)
    others = [face_of(other) for other in titles() if other.slug != found.slug]
    context = {"face": face, "others": others, **options_in_words(found), **face.rules()}
    return render(request, face.template("rules"), context)


FINISHED = 12
"""The number of games that have ended in the list to watch."""


@page()
def cards_of(request: HttpRequest, game: str) -> HttpResponse:
    """All cards of a title, to look at."""
    found = read_game({"game": game})
    shown = face_of(found).gallery() if found else {}
    if not found or not shown:
        raise Http404
    face = face_of(found)
    return render(request, face.template("cards"), {"face": face, **shown})


@page()
def watch(request: HttpRequest) -> HttpResponse:
    """The matches that can be watched now, and the latest games: all, or those that the address asks for."""
    fields = request.GET.dict()
    wanted = filters.wanted(fields)
    context = {
        "games": watching.running(30, wanted),
        "finished": watching.finished(FINISHED, wanted),
        "faces": [face_of(game) for game in titles()],
        "filters": filters.filters(fields),
        "filtered": wanted != watching.Wanted(),
    }
    return render(request, "lobby/watch.html", context)


@never_cache
@page()
def lobby(request: HttpRequest) -> HttpResponse:
    """The visitor's own matches, quick matches, open matches, and a form for a new one."""
    wanted = {"access": f"{CLUB}{request.GET['club']}"} if "club" in request.GET else None
    return render_lobby(request, match_form(request, None, initial=wanted))


def match_form(request: HttpRequest, data: QueryDict | None, **more: Any) -> MatchForm:
    """The form for a new match, of the title that is chosen."""
    game = chosen_game(request)
    return MatchForm(data, game=game, clubs=clubs_of(request.user), bot=chosen_bot(request, game), **more)


def clubs_of(user: Visitor) -> list[Club]:
    """The clubs for whose members somebody can open a table."""
    if not user.is_authenticated or user.guest:
        return []
    return list(Club.objects.filter(members__user=user, closed_at=None).order_by("name", "pk"))


def render_lobby(request: HttpRequest, form: MatchForm) -> HttpResponse:
    now = timezone.now()
    seeks = request.user.is_authenticated and quick_matches.touch(request.user)
    bot = chosen_bot(request, form.game)
    shown = rooms.regions(request.user, now, form.game, bot)
    regions = {name.replace("-", "_"): html for name, html in shown.items()}
    faces = [face_of(game) for game in titles()]
    context = {"form": form, "since": ms_of(now), "seeks": seeks, "regions": regions, "faces": faces, "bot": bot}
    context["last"] = rooms.last_games(request.user)
    context["newcomer"] = not (request.user.is_authenticated and has_played(request.user))
    response = render(request, "lobby/lobby.html", context)
    return remembering(response, form.game) if "game" in request.GET else response


@never_cache
@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """The answer to a page without a socket, which asks every few seconds."""
    if request.user.is_authenticated:
        quick_matches.touch(request.user)
    return told(*rooms.news(request.user, rooms.asked(request.GET.dict())))


def told(go: str | None, regions: dict[str, str]) -> HttpResponse:
    """News for htmx: where its page should go (None: to itself, which says that there is nothing), or its regions."""
    if go is None:
        return HttpResponseClientRefresh()
    return HttpResponseClientRedirect(go) if go else HttpResponse(update({}, regions))


@action(None, account_first, limit="tables", form=match_form, show=render_lobby, to="lobby")
def new(request: UserRequest, form: MatchForm) -> Match:
    """Open a match."""
    return open_matches.open_match(request.user, **form.chosen())


@action(None, account_first, limit="quick", to="lobby")
def quick(request: UserRequest) -> Match | None:
    """Search for a quick match."""
    game = game_or_404(request)
    places = places_or_404(request.POST, game)
    if not game.pool(places):
        raise Http404
    return quick_matches.seek(request.user, game, places)


@action(None, account_first, limit="quick", to="lobby")
def stop_waiting(request: UserRequest) -> None:
    """End the search for a quick match."""
    quick_matches.cancel(request.user)


@never_cache
@require_safe
def match(request: HttpRequest, key: str) -> HttpResponse:
    """The table of a match, or the waiting room before it begins.

    Whoever was given the address of a game that is still sealed is led to the page of its hand of the day, or of its
    tournament if they may know of that.
    """
    match = access.find(key)
    if match is not None and match.hidden and not access.sat(match, request.user):
        known = access.context(match, request.user)
        if known is None:
            raise Http404
        told = (
            _("This table is sealed until the tournament is over: others still play the same cards.")
            if match.club_id
            else _("This game is sealed until its day is over. Then anyone can see how it was played.")
        )
        messages.info(request, told)
        return redirect(known.challenge)
    if match is None or not access.may_see(match, request.user):
        raise Http404
    return room(request, match) if match.started_at is None else table.table(request, match)


def room(request: HttpRequest, match: Match) -> HttpResponse:
    """The waiting room of a match that has not begun, or never did.

    Whoever wanted a seat there, and has signed up or in for it since, takes it.
    """
    user = request.user
    if match.status == Match.Status.OPEN and user.is_authenticated and not user.guest and wished(request) == match.key:
        response = take_wished_seat(request, key=match.key)
        response.delete_cookie(WISH)
        return response
    regions = rooms.room_regions(match, request.user) if match.status in Match.WAITING else {}
    link = links.full(match.get_absolute_url())
    came_from = access.context(match, request.user)
    context = {"match": match, "regions": regions, "link": link, "qr": invite.qr_code(link), "came_from": came_from}
    context |= {
        "invites": match.status == Match.Status.OPEN and not match.agreed,
        "seated": access.seat_of(match, user) is not None,
        "preview": invite.preview(match, link),
    }
    return render(request, "lobby/waiting_room.html", context)


@page(table.match_or_404)
def take_wished_seat(request: UserRequest, match: Match) -> None:
    open_matches.join(match, request.user)


WISH = "seat"
"""The cookie of a browser that has asked for a seat without an account: the key of the match, signed ..."""
WISH_S = 1800
"""... and how long it stands."""


def wished(request: HttpRequest) -> str:
    """The key of the match at which this browser has asked for a seat, before somebody signed up or in for it."""
    return str(request.get_signed_cookie(WISH, default="", max_age=WISH_S) or "")


def open_table(request: HttpRequest, key: str) -> Match | HttpResponse:
    """A match for registered users who may see it, and for guests who sit there. All others, who are to learn nothing
    of it, are sent to sign up."""
    match, user, here = access.find(key), request.user, table_address(key)
    if (match is None or access.seat_of(match, user) is None) and (elsewhere := account_first(request, here, here)):
        return elsewhere
    if match is None or not user.is_authenticated or not access.may_see(match, user):
        raise Http404
    return match


def table_address(key: str) -> str:
    return reverse("table", args=[key])


def seat_wanted(request: HttpRequest, key: str) -> Match | HttpResponse:
    """A match for people who may see it and want a seat there; those who need an account for it are sent to sign up (by
    default) or in (`by=sign-in`)."""
    match, user, by = access.find(key), request.user, request.POST.get("by", "")
    known = user.is_authenticated and not user.guest
    if not known and (match is None or match.rated or by != "guest"):
        return account_for_seat(request, key, reverse("sign_in" if by == "sign-in" else "sign_up"))
    if match is None or not access.may_see(match, user):
        raise Http404
    return match


@action(seat_wanted)
def join(request: HttpRequest, match: Match) -> None:
    """Take a free seat. Without an account: as a guest (`by=guest`) in a casual match, or after signing up or in."""
    guest = as_guest(request)
    throttle.count("room", guest.pk)
    if guest.guest:
        throttle.count("guest games", throttle.address(request))
    open_matches.join(match, guest)


def account_for_seat(request: HttpRequest, key: str, page: str) -> HttpResponse:
    """Send somebody to sign up or in, and then to the seat."""
    response = redirect(f"{page}?{urlencode({'next': table_address(key)})}")
    secure = settings.SESSION_COOKIE_SECURE
    response.set_signed_cookie(WISH, key, max_age=WISH_S, secure=secure, httponly=True, samesite="Lax")
    return response


at_table = partial(action, open_table, limit="room")


@at_table()
def ready(request: UserRequest, match: Match) -> None:
    """Say that one is ready to begin, or not yet."""
    open_matches.ready(match, request.user, yes=request.POST.get("ready") != "no")


@at_table()
def stand(request: UserRequest, match: Match) -> HttpResponse:
    """Leave an open match, or decline a rematch."""
    (rematches.decline if match.rematch_of_id else open_matches.leave)(match, request.user)
    came_from = access.context(match, request.user)
    return redirect(came_from.challenge if came_from and came_from.challenge else "lobby")


@at_table()
def kick(request: UserRequest, match: Match) -> None:
    """Free a seat of one's own match."""
    index = whole(request.POST.get("seat", ""))
    open_matches.kick(match, request.user, -1 if index is None else index)


@at_table()
def bot(request: UserRequest, match: Match) -> None:
    """Give a free seat of one's own match to a bot."""
    open_matches.add_bot(match, request.user, bot_or_404(request, match.rules))


def own_seat_or_404(request: HttpRequest, key: str) -> Match:
    """The match at this address, if the visitor sits there."""
    match = access.find(key)
    if match is None or not request.user.is_authenticated or access.seat_of(match, request.user) is None:
        raise Http404
    return match


@never_cache
@action(own_seat_or_404, limit="room")
def shuffle(request: HtmxRequest, match: Match) -> HttpResponse | None:
    """What the browser of a player gives to the shuffle (`games.matches.shuffle`): one of `ahead`, `seal`, `share`,
    each in hexadecimal, or `without`. htmx is answered with the news of the room, as by `news`."""
    give(match, cast(UserRequest, request).user, request.POST)
    return news_of_room(request, match)


def give(match: Match, user: User, post: QueryDict) -> None:
    if "ahead" in post:
        shuffling.give_ahead(match, user, read_share(post.get("ahead", "")))
    elif "seal" in post:
        shuffling.give_seal(match, user, read_seal(post.get("seal", "")))
    elif "share" in post:
        shuffling.open_seal(match, user, read_share(post.get("share", "")))
    else:
        shuffling.do_without(match, user)


def news_of_room(request: HtmxRequest, match: Match) -> HttpResponse | None:
    """The answer to htmx in a waiting room; None for a page."""
    if not request.htmx:
        return None
    go, regions = rooms.news(request.user, rooms.asked({"room": match.key}))
    return told(go, regions | {"says": refusal("")})


@never_cache
@require_POST
def chat(request: HtmxRequest, key: str) -> HttpResponse:
    """Say something (`text`), or a ready-made phrase (`phrase`), at a table or in its waiting room."""
    if not request.user.is_authenticated:
        return redirect_to_login(table_address(key))
    match = table.match_or_404(request, key)
    return (table.chat if match.started_at is not None else chat_in_room)(request, match=match)


@action(table.written_in)
def chat_in_room(request: HtmxRequest, match: Match) -> HttpResponse | None:
    table.say(match, cast(UserRequest, request).user, request.POST)
    return news_of_room(request, match)


@never_cache
@require_POST
def mute(request: HtmxRequest, key: str) -> HttpResponse:
    """Mute the chat of a table or of its waiting room, or unmute it."""
    match = access.find(key)
    waiting = match is not None and match.started_at is None and access.seat_of(match, request.user) is not None
    return mute_in_room(request, key=key) if waiting else table.mute(request, key=key)


@action(own_seat_or_404, limit="room")
def mute_in_room(request: HtmxRequest, match: Match) -> HttpResponse | None:
    seat = access.seat_of(match, request.user)
    assert seat
    talks.mute(match, seat)
    return news_of_room(request, match)


def played_or_404(request: HttpRequest, key: str) -> Match:
    """The match at this address, if it has begun and the visitor sat there, in whatever seat."""
    match = access.find(key)
    if match is None or match.started_at is None or not request.user.is_authenticated:
        raise Http404
    if request.user.pk not in {seat.user_id for seat in match.sitting}:
        raise Http404
    return match


@table.at_table(played_or_404)
def rematch(request: HtmxRequest, match: Match) -> Match | None:
    """Take part in another game of those who sat here, or not (`answer=no`); `seats=same` keeps their order.

    htmx is answered with the board; other browsers go to the new game once it begins.
    """
    user = cast(UserRequest, request).user
    if request.POST.get("answer") == "no":
        throttle.count("room", user.pk)
        again = rematches.decline(found(match), user)
    else:
        count_game(request, user)
        again = rematches.accept(match, user, request.POST.get("seats") == "same")
    return again if again.status in Match.UNDER_WAY and not request.htmx else None


def found(match: Match) -> Match:
    """The rematch of a match."""
    again = offers.find(match)
    if again is None:
        raise Http404
    return again
