"""Results from the real table: the form for a new one, its page, and what people say to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.clubs import clubs
from accounts.models import Club, Right, User
from accounts.web import throttle
from accounts.web.guards import attempt
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest, ViewFunction
from games.ladders import at_table
from games.ladders.challenging import tables_of
from games.ladders.forms.table_result import DecideForm, DisputeForm, TableResultForm
from games.ladders.models import Ladder, TableResult
from games.ladders.pages import table_results
from games.ladders.pages.results import names_of
from games.ladders.rules import CONFIRM_HOURS, DECIDE_DAYS
from games.ladders.views.ladder import signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new(request: UserRequest, club: Club, of: Ladder) -> HttpResponse:
    """Enter the result of a game at a real table."""
    now, standing = timezone.now(), of.now_standing()
    why, form = "", None
    if of.closed_at is not None:
        why = _("This ladder is closed.")
    elif not standing.rules.at_table:
        why = _("On this ladder, only games played here count.")
    elif request.user.pk not in standing.order and not clubs.may(club, request.user, Right.LADDER):
        why = _("Only players of the ladder, and stewards, can enter results.")
    else:
        names = names_of(standing.order)
        people = sorted(((player, names[player]) for player in standing.order), key=lambda one: one[1].casefold())
        me = request.user.pk if request.user.pk in standing.order else None
        sent, sizes = (request.POST if request.method == "POST" else None), tables_of(of.title, standing.rules)
        form = TableResultForm(sent, people=people, sizes=sizes, now=now, me=me)
        if form.is_valid():
            throttle.count("table results", request.user.pk)
            users = User.objects.in_bulk([player for player, _place, _points in form.finished()])
            finished = [at_table.Finished(users[player], place, points) for player, place, points in form.finished()]
            try:
                return redirect(at_table.enter(of, request.user, finished, form.cleaned_data["played_on"], now))
            except Refused as refused:
                form.add_error(None, str(refused))
    context = {"club": club, "ladder": of, "form": form, "why": why, "hours": CONFIRM_HOURS, "days": DECIDE_DAYS}
    return render(request, "ladders/table_result_new.html", context, status=422 if request.method == "POST" else 200)


def entry_or_404(request: UserRequest, of: Ladder, pk: int) -> TableResult:
    """A result of this ladder that concerns the visitor."""
    entry = table_results.find(of, pk, request.user)
    if entry is None:
        raise Http404
    return entry


@never_cache
@require_safe
@signed_in
def show(request: UserRequest, club: Club, of: Ladder, pk: int) -> HttpResponse:
    """One result: what was entered, who has confirmed it, and what the visitor can do."""
    return render_entry(request, entry_or_404(request, of, pk))


def render_entry(request: UserRequest, entry: TableResult, status: int = 200, **forms: object) -> HttpResponse:
    shown = table_results.sheet(entry, request.user, timezone.now())
    optional = entry.status == TableResult.Status.WAITING
    context = {"sheet": shown, "entry": entry, "ladder": entry.ladder, "club": entry.ladder.club}
    context |= {"dispute": DisputeForm(), "decide": DecideForm(optional=optional), **forms}
    return render(request, "ladders/table_result.html", context, status=status)


def entry_action(view: Callable[[UserRequest, TableResult, datetime], HttpResponse | None]) -> ViewFunction:
    """A view by which somebody answers a result: a refusal is shown on its page."""

    @require_POST
    @signed_in
    @wraps(view)
    def wrapped(request: UserRequest, club: Club, of: Ladder, pk: int) -> HttpResponse:
        entry = entry_or_404(request, of, pk)
        throttle.count("ladder", request.user.pk)
        return attempt(request, lambda: view(request, entry, timezone.now()), entry)

    return wrapped


@entry_action
def confirm(request: UserRequest, entry: TableResult, now: datetime) -> None:
    """Say that it is right."""
    at_table.confirm(entry, request.user, now)


@entry_action
def dispute(request: UserRequest, entry: TableResult, now: datetime) -> HttpResponse | None:
    """Say what is wrong."""
    form = DisputeForm(request.POST)
    if not form.is_valid():
        return render_entry(request, entry, 422, dispute=form)
    at_table.dispute(entry, request.user, form.cleaned_data["word"], now)
    return None


@entry_action
def withdraw(request: UserRequest, entry: TableResult, now: datetime) -> None:
    """Take back what one has entered."""
    at_table.withdraw(entry, request.user, now)


@entry_action
def decide(request: UserRequest, entry: TableResult, now: datetime) -> HttpResponse | None:
    """Let it count, or reject it, as a steward."""
    do = request.POST.get("do")
    if do not in ("count", "reject") or not clubs.may(entry.ladder.club, request.user, Right.LADDER):
        raise Http404
    counts = do == "count"
    form = DecideForm(request.POST, optional=counts and entry.status == TableResult.Status.WAITING)
    if not form.is_valid():
        return render_entry(request, entry, 422, decide=form)
    at_table.decide(entry, request.user, counts, form.cleaned_data["reason"], now)
    return None
