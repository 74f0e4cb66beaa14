"""The pages of tournaments: the list of a club, an evening, the wall, and what people do there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, cast

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.clubs import clubs
from accounts.models import Club, Right, User
from accounts.people.entry import as_guest
from accounts.text.names import folded
from accounts.web import links, throttle
from accounts.web.guards import account_first, attempt
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest, ViewFunction
from games.engine.core import Game
from games.engine.registry import titles
from games.faces.registry import face_of
from games.ladders import opening
from games.ladders.models import Ladder
from games.ladders.views.access import club_or_404
from games.lobby.invite import qr_code
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.tournaments import contests, duplicate, evenings, events, services, shown, words
from games.tournaments import page as pages
from games.tournaments.forms import LONGEST_NAMES, ContestForm, EveningForm, ResultForm, SeatForm
from games.tournaments.models import Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

A_LIST = 50
"""The number of tournaments in a list."""


def tournament_or_404(request: HttpRequest, slug: str, number: int) -> Tournament:
    """The tournament at this address, if the visitor may know of it."""
    found = pages.find(slug, number, request.user)
    if found is None:
        raise Http404
    return found


def manages(request: HttpRequest, club: Club, page: str) -> HttpResponse | None:
    """Send people on who have no account. Raises Http404 for all who may not manage the events of the club, and TooMany
    for those who may, beyond their limit."""
    if elsewhere := account_first(request, page):
        return elsewhere
    if not clubs.may(club, request.user, Right.EVENTS):
        raise Http404
    if request.method == "POST":
        throttle.count("desk", request.user.pk)
    return None


# Looking


@never_cache
@require_safe
def tournaments(request: HttpRequest, slug: str) -> HttpResponse:
    """The evenings and tournaments of a club, the last first."""
    club = club_or_404(request, slug)
    rows = list(club.tournaments.select_related("club").order_by("-number")[:A_LIST])
    context = {"club": club, "rows": rows, "may": clubs.may(club, request.user, Right.EVENTS)}
    return render(request, "tournaments/tournaments.html", context)


@never_cache
@require_safe
def show(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """An evening or another tournament."""
    found = tournament_or_404(request, slug, number)
    return render_evening(request, found) if found.kind == Tournament.Kind.EVENING else render_contest(request, found)


def render_contest(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    now = timezone.now()
    found = shown.shown(tournament, request.user, now)
    context = {
        "contest": found,
        "club": tournament.club,
        "regions": {name.replace("-", "_"): html for name, html in shown.regions(found).items()},
        "since": ms_of(now),
    }
    if found.may and tournament.closed_at is None and tournament.kind != Tournament.Kind.DEAL:
        context["absent"] = pages.absent(found)
        if tournament.token:
            link = links.full(f"{tournament.get_absolute_url()}/come/{tournament.token}")
            context |= {"link": link, "qr": qr_code(link)}
    return render(request, "tournaments/contest.html", context)


def render_evening(
    request: HttpRequest, tournament: Tournament, seating: SeatForm | None = None, status: int = 200
) -> HttpResponse:
    now = timezone.now()
    evening = pages.evening(tournament, request.user, now)
    drawn = pages.regions(evening)
    context = {
        "evening": evening,
        "club": tournament.club,
        "regions": {name.replace("-", "_"): html for name, html in drawn.items()},
        "since": ms_of(now),
    }
    if evening.may and tournament.closed_at is None:
        link = links.full(f"{tournament.get_absolute_url()}/come/{tournament.token}")
        context |= {
            "seating": seating or SeatForm(game=tournament.rules, seats=tournament.seats),
            "absent": pages.absent(evening),
            "link": link,
            "qr": qr_code(link),
        }
    return render(request, "tournaments/evening.html", context, status=status)


@never_cache
@require_safe
def wall(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """An evening for all to see: large, and live."""
    tournament = tournament_or_404(request, slug, number)
    evening = shown.shown(tournament, request.user, timezone.now())
    context = {
        "evening": evening,
        "regions": {name.replace("-", "_"): html for name, html in pages.wall(evening).items()},
        "link": links.full(tournament.get_absolute_url()),
    }
    return render(request, "tournaments/wall.html", context)


# Players


def taking_part(view: Callable[[UserRequest, Tournament, datetime], Match | str | None]) -> ViewFunction:
    """A view by which somebody comes or goes: a refusal is shown on the page of the evening."""

    @require_POST
    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, number: int) -> HttpResponse:
        found = tournament_or_404(request, slug, number)
        if not request.user.is_authenticated:
            return cast(HttpResponse, account_first(request, found.get_absolute_url()))
        throttle.count("ladder", request.user.pk)
        return attempt(request, lambda: view(cast(UserRequest, request), found, timezone.now()), found)

    return wrapped


@taking_part
def enter(request: UserRequest, tournament: Tournament, now: datetime) -> Match | None:
    """Say that one is there; begin to play a deal of the week."""
    if tournament.kind == Tournament.Kind.DEAL:
        return duplicate.play(tournament, request.user, now)
    services.enter(tournament, request.user, now)
    return None


@taking_part
def decline(request: UserRequest, tournament: Tournament, now: datetime) -> str | None:
    """Say no to a steward who asks."""
    services.decline(tournament, request.user, now)
    messages.success(request, _("You’ve said no. Nobody asks you again."))
    # Without the invitation somebody may know nothing of a private club.
    return None if pages.find(tournament.club.slug, tournament.number, request.user) else "/play"


@taking_part
def leave(request: UserRequest, tournament: Tournament, now: datetime) -> None:
    """Say that one is there no more."""
    services.leave(tournament, request.user, now)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def come(request: HttpRequest, slug: str, number: int, token: str) -> HttpResponse:
    """The page to which the link for guests leads. Who has no account comes as a guest of the site."""
    found = pages.at(slug, number)
    if found is None or not services.opens(found, token):
        raise Http404
    if found.closed_at and pages.find(slug, number, request.user) is None:
        raise Http404
    if request.method == "POST" and not found.closed_at:
        if found.pace == Match.Pace.DAILY and (elsewhere := account_first(request, request.path)):
            return elsewhere
        user = as_guest(request)
        throttle.count("ladder", user.pk)
        try:
            services.enter(found, user, timezone.now(), token)
        except Refused as refusal:
            messages.error(request, str(refusal))
            return redirect(request.path)
        return redirect(found)
    return render(request, "tournaments/come.html", {"tournament": found, "club": found.club})


# Stewards


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Open an evening."""
    club = club_or_404(request, slug)
    if elsewhere := manages(request, club, f"{club.get_absolute_url()}/tournaments"):
        return elsewhere
    assert request.user.is_authenticated
    chosen = chosen_by(request, club)
    form, wrong = EveningForm(request.POST or None, game=chosen.game), None
    if form.is_valid():
        try:
            throttle.count("openings", request.user.pk)
            evening = evenings.open_evening(
                club,
                request.user,
                form.cleaned_data["name_"],
                form.terms(),
                timezone.now(),
                game=chosen.game,
                ladder=chosen.ladder.number,
            )
            return redirect(evening)
        except (Refused, throttle.TooMany) as refusal:
            wrong = refusal
    return render_form(request, "new", wrong, {"club": club, "form": form, "chosen": chosen})


def render_form(
    request: HttpRequest, template: str, wrong: Refused | throttle.TooMany | None, context: dict[str, Any]
) -> HttpResponse:
    """The page of a form for a new event, with everything that was typed and why it was refused."""
    form = context["form"]
    if wrong is not None:
        form.add_error(None, str(wrong))
    answer = render(request, f"tournaments/{template}.html", context, status=422 if form.is_bound else 200)
    if isinstance(wrong, throttle.TooMany):
        answer.status_code, answer["Retry-After"] = 429, str(wrong.wait_s)
    return answer


class Chosen(NamedTuple):
    """What the address of a form for a new event asks for, and what it could ask for instead."""

    game: Game
    """`?game=SLUG`, or the game of the ladder."""
    ladder: Ladder
    """`?ladder=N`, or the first one of the game, or the first: by its rungs people can be seated."""
    games: list[tuple[str, StrOrPromise]]
    """The slugs and names of all titles."""
    ladders: list[Ladder]
    """The open ladders of the club."""


def chosen_by(request: HttpRequest, club: Club) -> Chosen:
    """The game and the ladder of a new event. Raises Http404 if there is none of this name or number."""
    ladders, games = opening.open_of(club), titles()
    slug, number = request.GET.get("game", ""), request.GET.get("ladder", "")
    if number:
        found = [each for each in ladders if str(each.number) == number]
    else:
        found = [each for each in ladders if each.game == slug] or ladders
    played = [game for game in games if game.slug == (slug or (found and found[0].game))]
    if not (found and played):
        raise Http404
    return Chosen(played[0], found[0], [(game.slug, face_of(game).name) for game in games], ladders)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_contest(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a tournament with a plan."""
    club = club_or_404(request, slug)
    if elsewhere := manages(request, club, f"{club.get_absolute_url()}/tournaments"):
        return elsewhere
    assert request.user.is_authenticated
    chosen = chosen_by(request, club)
    form, wrong = ContestForm(request.POST or None, game=chosen.game), None
    if form.is_valid():
        kind, name = Tournament.Kind(form.cleaned_data["kind"]), form.cleaned_data["name_"]
        now = timezone.now()
        try:
            throttle.count("openings", request.user.pk)
            if kind in Tournament.SAME_DEAL:
                same = {"rounds": form.cleaned_data["rounds"], "weekly": form.cleaned_data["weekly"]}
                terms = form.terms()
                return redirect(duplicate.create(club, request.user, kind, name, terms, now, game=chosen.game, **same))
            cup = contests.create(
                *(club, request.user, kind, name, form.terms(), form.plan(), now),
                game=chosen.game,
                ladder=chosen.ladder.number,
            )
            return redirect(cup)
        except (Refused, throttle.TooMany) as refusal:
            wrong = refusal
    kinds = [(choice, words.MEANS[choice.data["value"]]) for choice in form["kind"]]
    context = {"club": club, "form": form, "kinds": kinds, "chosen": chosen}
    return render_form(request, "new_contest", wrong, context)


def managing(view: Callable[Concatenate[UserRequest, Tournament, datetime, ...], HttpResponse | None]) -> ViewFunction:
    """A view by which a steward changes an evening: a refusal is shown on its page."""

    @require_POST
    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, number: int, **kwargs: object) -> HttpResponse:
        found = tournament_or_404(request, slug, number)
        if elsewhere := manages(request, found.club, found.get_absolute_url()):
            return elsewhere
        return attempt(request, lambda: view(cast(UserRequest, request), found, timezone.now(), **kwargs), found)

    return wrapped


@managing
def tick(request: UserRequest, tournament: Tournament, now: datetime) -> None:
    """Let members and others take part, by name: `member` from the list, `names` typed."""
    typed = request.POST.get("names", "")[:LONGEST_NAMES]
    wanted = [*request.POST.getlist("member"), *(name.strip() for name in typed.replace("\n", ",").split(","))]
    names = {folded(name): name for name in (name.replace("\0", "") for name in wanted) if name}
    came = Q(guest=False) | Q(pk__in=events.standing(tournament).entrants)
    people = list(User.objects.filter(came, folded__in=names, closed=False, is_active=True))
    ticked = services.tick(tournament, request.user, people, now)
    if unknown := [name for key, name in names.items() if key not in {each.folded for each in people}]:
        messages.error(request, _("No player is called %(names)s.") % {"names": ", ".join(unknown)})
    if ticked.here:
        text = ngettext("%(n)d person is here now.", "%(n)d people have come.", ticked.here)
        messages.success(request, text % {"n": ticked.here})
    if ticked.asked:
        text = ngettext(
            "%(n)d person has been asked, and comes by saying yes.",
            "%(n)d people have been asked, and come by saying yes.",
            ticked.asked,
        )
        messages.success(request, text % {"n": ticked.asked})


@managing
def untick(request: UserRequest, tournament: Tournament, now: datetime) -> None:
    """Let somebody go."""
    text = request.POST.get("player", "")
    person = (
        User.objects.filter(pk=int(text)).first() if text.isascii() and text.isdecimal() and len(text) < 10 else None
    )
    if person:
        services.untick(tournament, request.user, person, now)


@managing
def renew_link(request: UserRequest, tournament: Tournament, now: datetime) -> None:
    """Give guests a new link."""
    services.renew_link(tournament, request.user, now)
    messages.success(request, _("There’s a new link for guests. The old one no longer works."))


@managing
def seat(request: UserRequest, tournament: Tournament, now: datetime) -> HttpResponse | None:
    """Seat everybody: the next round of an evening."""
    if tournament.kind != Tournament.Kind.EVENING:
        raise Refused(_("The rounds of a tournament follow its plan."))
    form = SeatForm(request.POST, game=tournament.rules, seats=tournament.seats)
    if not form.is_valid():
        return render_evening(request, tournament, form, status=422)
    data = form.cleaned_data
    try:
        evenings.seat_everybody(
            tournament,
            request.user,
            now,
            how=data["how"],
            size=data["size"],
            fill=data["fill"],
            rounds=data["rounds"],
        )
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return render_evening(request, tournament, form, status=422)
    mine = pages.evening(tournament, request.user, now).mine
    return redirect(mine.match) if mine and mine.match else None


@managing
def begin(request: UserRequest, tournament: Tournament, now: datetime) -> None:
    """Begin a tournament with a plan."""
    contests.begin(tournament, request.user, now)


@managing
def next_round(request: UserRequest, tournament: Tournament, now: datetime) -> HttpResponse | None:
    """Begin its next round."""
    text = request.POST.get("rounds", "")
    rounds = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
    if tournament.kind != Tournament.Kind.DUPLICATE:
        contests.next_round(tournament, request.user, now, rounds)
        return None
    duplicate.seat_everybody(tournament, request.user, now, rounds)
    mine = shown.shown(tournament, request.user, now).mine
    return redirect(mine.match) if mine and mine.match else None


@managing
def make_last(request: UserRequest, tournament: Tournament, now: datetime) -> None:
    """Let no other deal of the week follow."""
    duplicate.make_last(tournament, request.user, now)


@managing
def close(request: UserRequest, tournament: Tournament, now: datetime) -> None:
    """End an evening."""
    services.close(tournament, request.user, now)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, slug: str, number: int, round_number: int, table: int) -> HttpResponse:
    """Correct the result of a table."""
    tournament = tournament_or_404(request, slug, number)
    if elsewhere := manages(request, tournament.club, tournament.get_absolute_url()):
        return elsewhere
    assert request.user.is_authenticated
    evening = shown.shown(tournament, request.user, timezone.now())
    try:
        found = evening.standing.rounds[round_number - 1].tables[table - 1] if round_number and table else None
    except IndexError:
        found = None
    if found is None or evening.sealed or (found.match and found.match not in evening.matches):
        raise Http404
    if tournament.same_deal:
        names = []
    elif found.match:
        names = [seat.shown_name for seat in evening.matches[found.match].sitting]
    else:
        names = [evening.shown[player].name for player in found.players]
    form = ResultForm(request.POST.copy() if request.method == "POST" else None, names=names, places=found.places)
    if form.is_valid():
        try:
            services.correct(
                tournament,
                request.user,
                round_number - 1,
                table - 1,
                form.places(),
                form.cleaned_data["reason"],
                timezone.now(),
                form.seen(),
            )
            return redirect(tournament)
        except Refused as refusal:
            form.add_error(None, str(refusal))
            form.look_again(events.standing(tournament).rounds[round_number - 1].tables[table - 1].places)
    context = {"evening": evening, "club": tournament.club, "form": form, "round": round_number, "table": table}
    return render(request, "tournaments/correct.html", context, status=422 if form.is_bound else 200)
