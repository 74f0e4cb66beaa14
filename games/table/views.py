"""The live table: its page, answers that come without a socket, and the players' other actions."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.actions import action
from accounts.models import User
from accounts.web import throttle
from accounts.web.refused import Refused
from accounts.web.requests import HtmxRequest, UserRequest, Visitor, whole
from games.engine.core import BadOrder, RulesError
from games.faces.language import drawing
from games.faces.registry import face_of
from games.hub import metrics
from games.matches import access, history, play, reminders
from games.matches import chat as talks
from games.matches import tempo as tempos
from games.matches.clocks import now_ms
from games.matches.models import Match, Seat, Seek
from games.matches.turn import NotPossible, Stale
from games.table import board, hints, present
from games.table.preview import preview


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


def ended_or_404(request: HttpRequest, key: str) -> Match:
    """The match at this address, if it has ended and the user may see it."""
    match = open_match_or_404(request, key)
    if match.status not in (Match.Status.FINISHED, Match.Status.ABORTED):
        raise Http404
    return match


def table(request: HttpRequest, match: Match) -> HttpResponse:
    """The page of a match that has begun. Its player has now seen the question that it shows."""
    if request.method == "GET":
        reminders.shown(match, access.seat_of(match, request.user))
    return render_table(request, match)


def render_table(request: HttpRequest, match: Match, says: str = "", hint: str = "") -> HttpResponse:
    """The whole page of a table; `hint`: what was said to whoever asked for one."""
    seat = access.seat_of(match, request.user)
    came_from = access.context(match, request.user)
    if not access.sat(match, request.user):
        request.section = "/watch"  # type: ignore[attr-defined]
    snapshot = present.MatchSnapshot(match)
    scene = snapshot.scene(seat.index if seat else None, came_from)
    context: dict[str, Any] = {
        "match": match,
        "scene": scene,
        "seat": seat,
        "left": next((s.left for s in match.sitting if s.user_id and s.user_id == request.user.pk), ""),
        "talk": talks.talk(match, request.user),
        "reported": access.reports_of_guests(match, request.user),
        "seek": seek(match, request.user),
        "hints": not hints.table_refusal(scene),
        "leads": seat is not None and match.agreed.startswith("tournaments/"),
        "since": now_ms(),
        "says": says,
        "came_from": came_from,
        "preview": preview(snapshot.watched),
        **board.context(scene, board.common(snapshot.watched), translation.get_language()),
    }
    if hint:
        context["elements"]["hint"] = hints.draw_hint(match.key, match.ply, hint)
    return render(request, "table/table.html", context)


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


def fragment(request: HttpRequest, match: Match, says: str = "") -> str:
    """The whole board as one message for the page."""
    seat = access.seat_of(match, request.user)
    snapshot = present.MatchSnapshot(match)
    scene = snapshot.scene(seat.index if seat else None, present.context_at_end(match, request.user))
    return board.update(None, board.draw(scene, board.common(snapshot.watched)), translation.get_language(), says)


def own_seat(request: HttpRequest, key: str) -> Seat | HttpResponse:
    """The seat of the visitor in a match that has begun."""
    if not request.user.is_authenticated:
        return redirect_to_login(f"/m/{key}")
    match = match_or_404(request, key)
    seat = access.seat_of(match, request.user)
    if seat is None or match.started_at is None:
        raise Http404
    return seat


def board_now(request: HtmxRequest, at: Seat | Match, says: str) -> HttpResponse:
    """The board after something was done or refused: as a message for htmx, as a page for a browser without scripts."""
    match = match_or_404(request, (at if isinstance(at, Match) else at.match).key)
    if says:
        metrics.refused.inc()
    if request.htmx:
        return HttpResponse(fragment(request, match, says))
    return render_table(request, match, says) if says else redirect(match)


def asker(request: HttpRequest, key: str) -> Match | HttpResponse:
    """The match in which a visitor who is signed in asks for something that only players get."""
    if not request.user.is_authenticated:
        return redirect_to_login(f"/m/{key}")
    match = match_or_404(request, key)
    if match.started_at is None:
        raise Http404
    return match


@action(asker, after=board_now)
def hint(request: UserRequest, match: Match) -> HttpResponse:
    """What a strong player would answer to the question at `ply`, and why."""
    throttle.count("hints", throttle.visitor(request))
    seat = access.seat_of(match, request.user)
    scene = present.MatchSnapshot(match).scene(seat.index if seat else None)
    with drawing(translation.get_language()):
        said = hints.said(scene, whole(request.POST.get("ply", "")))
    hints.note(match)
    if cast(HtmxRequest, request).htmx:
        return HttpResponse(f'<div id="{hints.said_at(scene.ply)}" hx-swap-oob="innerHTML">{said}</div>')
    now = access.find(match.key) or match
    return render_table(request, now, hint=said if now.ply == scene.ply else "")


at_table = partial(action, limit="moves", after=board_now)
act = at_table(own_seat)


@act
def answer(request: UserRequest, seat: Seat) -> None:
    """Answer the question that the seat is asked."""
    if request.user.guest:
        throttle.count("answers", throttle.address(request))
    ply = request.POST.get("ply", "")
    if not ply.isdecimal() or len(ply) > 6:
        raise Stale
    try:
        play.play(seat.match, seat.index, int(ply), request.POST.getlist("move"))
    except RulesError as error:
        view = history.replay(seat.match).view(seat.match.ply, seat.index)
        raise NotPossible(face_of(seat.match.rules).refusal(view, request.POST.getlist("move"))) from error


@act
def resign(request: UserRequest, seat: Seat) -> None:
    """Give up the game."""
    play.leave(seat.match, seat.index, Seat.Left.RESIGN)


@act
def begin(request: UserRequest, seat: Seat) -> None:
    """Say that one has read what a guided game is about."""
    play.resume(seat.match)


@act
def vote(request: UserRequest, seat: Seat) -> None:
    """Agree to stop the match as a `Seat.Vote` says (`vote`), or no longer (empty)."""
    choice = request.POST.get("vote", "")
    play.vote(seat.match, seat.index, choice if choice in Seat.Vote.values else "")


@act
def tempo(request: UserRequest, seat: Seat) -> None:
    """Set the pace of the bots (`tempo`)."""
    tempos.choose(seat.match, seat, request.POST.get("tempo", ""))


@act
def skip(request: UserRequest, seat: Seat) -> None:
    """Let the bots answer at once until the player is asked."""
    tempos.skip(seat.match, seat)


@act
def order(request: UserRequest, seat: Seat) -> None:
    """Give a standing order (`order`: kind, `value`: the parts of its value), or withdraw one (`clear`: kind)."""
    try:
        if "clear" in request.POST:
            play.set_order(seat.match, seat, request.POST["clear"], None)
        else:
            play.set_order(seat.match, seat, request.POST.get("order", ""), " ".join(request.POST.getlist("value")))
    except BadOrder as error:
        raise Refused(str(face_of(seat.match.rules).bad_order)) from error


def written_in(request: UserRequest, match: Match) -> Match:
    """A match in whose chat the visitor may write."""
    if not talks.may_write(match, request.user):
        raise Http404
    return match


@at_table(written_in)
def chat(request: UserRequest, match: Match) -> None:
    """Say something (`text`), or a ready-made phrase (`phrase`), in the chat of one's own: players' or watchers'."""
    say(match, request.user, request.POST)


def say(match: Match, user: User, post: QueryDict) -> None:
    """Say what a form has: `text`, or a ready-made `phrase`. Raises Refused with the reason."""
    if "phrase" in post:
        talks.say_phrase(match, user, post.get("phrase", ""))
    else:
        talks.say(match, user, post.get("text", ""))


@act
def mute(request: UserRequest, seat: Seat) -> None:
    """Mute the chat, or unmute it."""
    talks.mute(seat.match, seat)
