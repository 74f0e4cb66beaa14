"""The live table: its page, answers that come without a socket, and the players' other actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.web import throttle
from accounts.web.refused import Refused
from accounts.web.requests import HtmxRequest, UserRequest, ViewFunction, Visitor
from games.engine.core import BadOrder, RulesError
from games.faces.registry import face_of
from games.matches import access, limits, play, reminders
from games.matches import chat as talks
from games.matches import receipt as receipts
from games.matches import tempo as tempos
from games.matches.clocks import now_ms
from games.matches.models import Match, Seat, Seek
from games.matches.turn import Stale
from games.table import board, present
from games.table.preview import preview
from games.table.socket import refused


def match_or_404(request: HttpRequest, key: str) -> Match:
    """The match at this address, if the user may see it."""
    match = access.find(key)
    if match is None or not access.may_see(match, request.user):
        raise Http404
    return match


def open_match_or_404(request: HttpRequest, key: str) -> Match:
    """The match at this address, if the user may see it from other places than their own at the table."""
    match = match_or_404(request, key)
    if match.hidden:
        raise Http404
    return match


def table(request: HttpRequest, match: Match) -> HttpResponse:
    """The page of a match that has begun. Its player has now seen the question that it shows."""
    if request.method == "GET":
        reminders.shown(match, access.seat_of(match, request.user))
    return render_table(request, match)


def render_table(request: HttpRequest, match: Match, says: str = "", status: int = 200) -> HttpResponse:
    """The whole page of a table."""
    seat = access.seat_of(match, request.user)
    came_from = access.context(match, request.user)
    if not access.sat(match, request.user):
        request.section = "/watch"  # type: ignore[attr-defined]
    snapshot = present.MatchSnapshot(match)
    scene = snapshot.scene(seat.index if seat else None, came_from)
    context = {
        "match": match,
        "scene": scene,
        "seat": seat,
        "left": next((s.left for s in match.sitting if s.user_id and s.user_id == request.user.pk), ""),
        "talk": talks.talk(match, request.user),
        "reported": access.reports_of_guests(match, request.user),
        "seek": seek(match, request.user),
        "leads": seat is not None and match.agreed.startswith("tournaments/"),
        "since": now_ms(),
        "says": says,
        "came_from": came_from,
        "preview": preview(snapshot.watched),
        **board.context(scene, board.common(snapshot.watched), translation.get_language()),
    }
    return render(request, "table/table.html", context, status=status)


def seek(match: Match, user: Visitor) -> Seek | None:
    """The search for a quick match that goes on while its user plays against bots."""
    alone = match.pace == Match.Pace.NONE and {seat.user_id for seat in match.sitting} <= {user.pk, None}
    known = user.is_authenticated and not user.guest
    return Seek.objects.filter(user=user.pk).first() if alone and known else None


@never_cache
@require_safe
def board_since(request: HttpRequest, key: str) -> HttpResponse:
    """What a page without a socket asks for every few seconds: 204 if it is at the newest ply, else the whole board."""
    match = match_or_404(request, key)
    if match.started_at is None:
        raise Http404
    if request.GET.get("ply") == str(match.ply):
        return HttpResponse(status=204)
    return HttpResponse(fragment(request, match))


@never_cache
@require_safe
def receipt(request: HttpRequest, key: str) -> HttpResponse:
    """What the site says of the match now, to be kept."""
    match = match_or_404(request, key)
    if match.started_at is None:
        raise Http404
    response = JsonResponse(receipts.document(match), json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{match.game}-{match.key}-{match.ply}-receipt.json"'
    return response


def fragment(request: HttpRequest, match: Match, says: str = "") -> str:
    """The whole board as one message for the page."""
    seat = access.seat_of(match, request.user)
    snapshot = present.MatchSnapshot(match)
    scene = snapshot.scene(seat.index if seat else None, present.context_at_end(match, request.user))
    return board.update(None, board.draw(scene, board.common(snapshot.watched)), translation.get_language(), says)


def act(view: Callable[[UserRequest, Match, Seat], None]) -> ViewFunction:
    """A view for the players of a match that has begun: it gets the match and the seat, and responds as `done`."""

    @never_cache
    @require_POST
    @wraps(view)
    def wrapped(request: HtmxRequest, key: str) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(f"/m/{key}")
        match = match_or_404(request, key)
        seat = access.seat_of(match, request.user)
        if seat is None or match.started_at is None:
            raise Http404
        return done(request, match, lambda: view(cast(UserRequest, request), match, seat))

    return wrapped


def done(request: HtmxRequest, match: Match, do: Callable[[], object]) -> HttpResponse:
    """Do something at the table.

    In any case the response is the board: as a message for htmx, as a page for a browser without scripts.
    """
    says, status, wait_s = "", 200, 0
    try:
        limits.count("moves", request.user)
        do()
    except limits.TooOften as often:
        says, status, wait_s = str(often), 429, often.wait_s
    except (Refused, RulesError) as refusal:
        says, status = refused(refusal), 409
    match = match_or_404(request, match.key)
    if request.htmx:
        response = HttpResponse(fragment(request, match, says), status=status)
    else:
        response = render_table(request, match, says, status) if says else redirect(match)
    if wait_s:
        response["Retry-After"] = str(wait_s)
    return response


@act
def answer(request: UserRequest, match: Match, seat: Seat) -> None:
    """Answer the question that the seat is asked."""
    limits.count_guest(request.user, throttle.address(request))
    ply = request.POST.get("ply", "")
    if not ply.isdecimal() or len(ply) > 6:
        raise Stale
    play.play(match, seat.index, int(ply), request.POST.getlist("move"))


@act
def resign(request: UserRequest, match: Match, seat: Seat) -> None:
    """Give up the game."""
    play.leave(match, seat.index, Seat.Left.RESIGN)


@act
def begin(request: UserRequest, match: Match, seat: Seat) -> None:
    """Say that one has read what a guided game is about."""
    play.resume(match)


@act
def vote(request: UserRequest, match: Match, seat: Seat) -> None:
    """Agree to stop the match as a `Seat.Vote` says (`vote`), or no longer (empty)."""
    choice = request.POST.get("vote", "")
    play.vote(match, seat.index, choice if choice in Seat.Vote.values else "")


@act
def tempo(request: UserRequest, match: Match, seat: Seat) -> None:
    """Set the pace of the bots (`tempo`)."""
    tempos.choose(match, seat, request.POST.get("tempo", ""))


@act
def skip(request: UserRequest, match: Match, seat: Seat) -> None:
    """Let the bots answer at once until the player is asked."""
    tempos.skip(match, seat)


@act
def order(request: UserRequest, match: Match, seat: Seat) -> None:
    """Give a standing order (`order`: kind, `value`: the parts of its value), or withdraw one (`clear`: kind)."""
    try:
        if "clear" in request.POST:
            play.set_order(match, seat, request.POST["clear"], None)
        else:
            play.set_order(match, seat, request.POST.get("order", ""), " ".join(request.POST.getlist("value")))
    except BadOrder as error:
        raise Refused(str(face_of(match.rules).bad_order)) from error


def chat(request: HtmxRequest, match: Match) -> HttpResponse:
    """Say something (`text`), or a ready-made phrase (`phrase`), in the chat of one's own: players' or watchers'."""
    user = cast(UserRequest, request).user
    if not talks.may_write(match, user):
        raise Http404
    return done(request, match, lambda: say(match, user, request.POST))


def say(match: Match, user: User, post: QueryDict) -> None:
    """Say what a form has: `text`, or a ready-made `phrase`. Raises Refused with the reason."""
    if "phrase" in post:
        talks.say_phrase(match, user, post.get("phrase", ""))
    else:
        talks.say(match, user, post.get("text", ""))


@act
def mute(request: UserRequest, match: Match, seat: Seat) -> None:
    """Mute the chat, or unmute it."""
    talks.mute(match, seat)
