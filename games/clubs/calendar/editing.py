"""The pages on which stewards set, change and cancel the events of a club."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.actions import Outcome, action, page, sign_in_first
from accounts.models import Club, Right, User
from accounts.web import throttle
from accounts.web.requests import UserRequest
from games.calendar import services
from games.calendar.models import CalendarEvent
from games.clubs.calendar.forms import EventForm
from games.clubs.calendar.kinds import KINDS, EventKind
from games.clubs.calendar.summary import summary
from games.clubs.calendar.views import event_or_404
from games.engine.core import Game
from games.engine.registry import titles
from games.faces.registry import face_of
from games.ladders import opening
from games.ladders.models import Ladder
from games.ladders.views.access import club_or_404
from games.tournaments import duplicate, scheduled
from games.tournaments.models import Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Chosen(NamedTuple):
    """What the address of the form or what it sends asks for, and what it could ask for instead."""

    slug: str
    """`kind=SLUG`."""
    kind: EventKind
    game: Game
    """`game=SLUG`, or that of the first ladder."""
    ladders: list[Ladder]
    """The open ladders of the club, those of the game first."""
    games: list[tuple[str, StrOrPromise]]
    """The slugs and names of all titles."""


def chosen(request: HttpRequest, club: Club) -> Chosen | None:
    """The kind and the game of a new event; None before a kind is chosen. Raises Http404 if there is none so called."""
    asked = request.POST or request.GET
    slug = asked.get("kind", "")
    if not slug:
        return None
    ladders, games = opening.open_of(club), titles()
    wanted = asked.get("game", "") or ladders[0].game
    game = next((each for each in games if each.slug == wanted), None)
    if slug not in KINDS or game is None:
        raise Http404
    ladders.sort(key=lambda ladder: ladder.game != game.slug)
    return Chosen(slug, KINDS[slug], game, ladders, [(each.slug, face_of(each).name) for each in games])


def new_form(request: UserRequest, data: QueryDict | None, club: Club) -> EventForm | None:
    found = chosen(request, club)
    if found is None:
        return None
    return EventForm(data, club=club, kind=found.kind, game=found.game, ladders=found.ladders)


def render_new(request: UserRequest, club: Club, form: EventForm | None) -> HttpResponse:
    if form is None:
        return render(request, "calendar/kinds.html", {"club": club, "kinds": KINDS.items()})
    context = {"club": club, "form": form, "chosen": chosen(request, club), "summary": summary(form)}
    return render(request, "calendar/event_form.html", context)


@page(club_or_404, sign_in_first, right=Right.EVENTS, form=new_form, show=render_new)
def new(request: UserRequest, club: Club, form: EventForm) -> Outcome:
    """Set an event: first its kind is chosen, then what that kind asks for; `look` is how a browser without scripts
    reads again what it comes to."""
    if "look" in request.POST:
        return render_new(request, club, form)
    throttle.count("openings", request.user.pk)
    now = timezone.now()
    if form.kind.event is None:
        return _open_deal(request.user, club, form, now)
    weeks = 1 if form.at_once else form.cleaned_data["weeks"]
    with transaction.atomic():  # what cannot be opened is not set either
        made = services.make(club, request.user, form.told(now), now, weeks=weeks)
        if form.at_once:
            return scheduled.open_now(made[0], request.user, now)
    messages.success(request, _("All members have been told."))
    return made[0]


def _open_deal(steward: User, club: Club, form: EventForm, now: datetime) -> Tournament:
    name, weekly = form.cleaned_data["name_"], form.cleaned_data["weekly"]
    return duplicate.create(club, steward, Tournament.Kind.DEAL, name, form.terms(), now, game=form.game, weekly=weekly)


@never_cache
@page(club_or_404, sign_in_first, right=Right.EVENTS)
def comes_to(request: UserRequest, club: Club) -> HttpResponse:
    """What a new event comes to as its form stands: a part of its page."""
    found = chosen(request, club)
    if found is None:
        raise Http404
    form = EventForm(request.GET, club=club, kind=found.kind, game=found.game, ladders=found.ladders)
    return render(request, "calendar/summary.html", {"summary": summary(form), "swapped": True})


def change_form(request: UserRequest, data: QueryDict | None, event: CalendarEvent) -> EventForm:
    opens, ladders = event.opens, opening.open_of(event.club)
    kind = next(
        each for each in KINDS.values() if each.event == event.kind and (each.tournament or "") == opens.get("kind", "")
    )
    slug = opens.get("game", ladders[0].game)
    game = next(each for each in titles() if each.slug == slug)
    return EventForm(data, club=event.club, kind=kind, game=game, ladders=ladders, event=event)


def render_change(request: UserRequest, event: CalendarEvent, form: EventForm) -> HttpResponse:
    context = {"club": event.club, "form": form, "event": event, "overtaken": form.overtaken}
    return render(request, "calendar/event_form.html", context)


@page(event_or_404, sign_in_first, right=Right.EVENTS, limit="invitations", form=change_form, show=render_change)
def change(request: UserRequest, event: CalendarEvent, form: EventForm) -> CalendarEvent:
    """Change an event, or all from it on. Who was slower than another steward keeps what they typed, and sees what the
    other has made."""
    now, data = timezone.now(), form.cleaned_data
    following = bool(data.get("following"))
    return services.change(event, request.user, form.told(now), data["seen"] or 0, now, following=following)


@action(event_or_404, sign_in_first, right=Right.EVENTS, limit="invitations")
def cancel(request: UserRequest, event: CalendarEvent) -> str:
    """Cancel an event, or all from it on (`following`)."""
    services.cancel(event, request.user, timezone.now(), following="following" in request.POST)
    return _("The event is cancelled. The members have been told.")
