"""The review: any position of a match, from any viewpoint open to the visitor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers, patch_cache_control, patch_vary_headers
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import conditional_page, require_safe

from accounts.career import archive, ratings
from accounts.web.requests import whole
from games.analysis import views as decisions
from games.matches import access
from games.matches.history import replay
from games.matches.models import Match
from games.review import page, records
from games.table import present
from games.table.preview import preview
from games.table.views import open_match_or_404

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

KEPT_S = 600
"""How long a browser may reuse a position of a finished match without asking."""


def review_or_404(request: HttpRequest, key: str, ply: int) -> page.Review:
    """The review that the address asks for, if the user may see it; otherwise it does not seem to exist."""
    match = open_match_or_404(request, key)
    choices = page.viewpoints(match, request.user) if match.started_at else []
    viewpoint = request.GET.get("as") or next(iter(choices), "")
    if viewpoint not in choices or ply > match.ply:
        raise Http404
    own = next((seat.index for seat in match.sitting if seat.user_id and seat.user_id == request.user.pk), None)
    return page.Review(match, viewpoint, ply, own, choices, "list" in request.GET)


@require_safe
@conditional_page
def show(request: HttpRequest, key: str, ply: int) -> HttpResponse:
    """A position of a match: the page, with the list of moves if it is asked for (`list`); for its script, only the
    position (`part=position`) or the list and the phases (`part=moves`)."""
    shown = review_or_404(request, key, ply)
    wanted = whole(request.GET.get("ply", ""))
    if wanted is not None:
        return redirect(shown.address(min(wanted, shown.last)))
    page.count(request, shown.match, shown.viewpoint)
    part = request.GET.get("part")
    if part == "position":
        response = HttpResponse(shown.position)
    elif part == "moves":
        response = render(request, "review/review_moves.html", {"review": shown})
    else:
        response = render_review(request, shown)
    patch_vary_headers(response, ["Cookie"])
    if shown.match.status != Match.Status.FINISHED:
        add_never_cache_headers(response)
    else:
        patch_cache_control(response, private=True, max_age=KEPT_S if part in ("position", "moves") else 0)
    return response


def render_review(request: HttpRequest, shown: page.Review) -> HttpResponse:
    """The whole page."""
    match = shown.match
    if not access.sat(match, request.user):
        request.section = "/watch"  # type: ignore[attr-defined]
    context: dict[str, object] = {"match": match, "review": shown, "ways": ways(shown), "standing": standing(match)}
    context["came_from"] = access.context(match, request.user)
    context["preview"] = preview(shown.newest)
    context["beside"] = page.beside(match)
    if shown.ended:
        context["panel"] = decisions.panel(request, match)
    context["played_on"] = page.played_on(match, request.user) if shown.ended else []
    if shown.ended and not match.beginning:
        context["proof"] = proof = records.proof_of(match, replay(match))
        context["shares"] = list(zip(shown.names, match.sitting, proof["shares"], strict=True))
        context["checks"] = shown.face.template("checks")
    if shown.ended:
        context["pairs"] = pairs(match, shown.names)
    return render(request, "review/review.html", context)


def ways(shown: page.Review) -> dict[str, str]:
    """The links to this position and to others: first, previous, next, last."""
    ply, last = shown.ply, shown.last
    plies = {"here": ply, "first": 0, "prev": max(0, ply - 1), "next": min(last, ply + 1), "last": last}
    return {name: shown.address(to) for name, to in plies.items()}


def standing(match: Match) -> list[tuple[str, int | None]]:
    """The players, the winner first, with their points if the game was played to its end."""
    seats = match.sitting
    if not match.result:
        return [(seat.shown_name, None) for seat in seats]
    places, points = match.result["places"], match.result["points"]
    early = "ended" in match.result
    ranked = sorted(seats, key=lambda seat: places[seat.index])
    return [(seat.shown_name, None if early else points[seat.index]) for seat in ranked]


REPETITIONS = (
    "",
    _("It was their second rated game that day (UTC), so it counts half."),
    _("It was their third rated game that day (UTC), so it counts a quarter."),
)
"""Why a game of the same two counts less, by the number of games before it."""


def reasons(pair: ratings.Pair) -> list[StrOrPromise]:
    """Why a pair counts less than it would otherwise, in sentences."""
    found: list[StrOrPromise] = []
    if pair.soon:
        found.append(_("The opponent left when the game had barely started, so no one gains from it."))
    elif pair.repeated >= len(REPETITIONS):
        found.append(_("They had already played three rated games that day (UTC), so it doesn’t count."))
    elif pair.repeated:
        found.append(REPETITIONS[pair.repeated])
    if pair.weight and pair.newcomer:
        found.append(_("The opponent’s rating was based on fewer than ten games, so the game counts half."))
    return found


def pairs(match: Match, names: list[str]) -> list[dict[str, Any]]:
    """The changes of ratings: by seat, before and after, and each pair."""
    changes = {seat: change for seat, change in enumerate(present.rating_changes(match)) if change}
    if not changes:
        return []
    return [
        {
            "name": names[seat],
            "before": changes[seat][0],
            "after": changes[seat][1],
            "pairs": [
                {
                    "rival": names[pair.opponent],
                    "score": {1.0: "1", 0.5: "½", 0.0: "0"}[pair.score],
                    "expected": pair.expected,
                    "k": pair.k,
                    "weight": pair.weight,
                    "change": pair.change,
                    "reasons": reasons(pair),
                }
                for pair in found
            ],
        }
        for seat, found in enumerate(archive.explain(match.key))
    ]
