"""Results from the real table: the form for a new one, its page, and what people say to it."""

from __future__ import annotations

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.actions import account_first, action, page
from accounts.clubs import clubs
from accounts.models import Right, User
from accounts.web.requests import UserRequest
from games.ladders import at_table
from games.ladders.challenging import tables_of
from games.ladders.forms.table_result import AskForm, DecideForm, DisputeForm, TableResultForm
from games.ladders.models import Ladder, TableResult
from games.ladders.pages import table_results
from games.ladders.pages.results import names_of
from games.ladders.rules import DECIDE_DAYS
from games.ladders.views.access import ladder_or_404
from games.matches.real_table import CONFIRM_HOURS


def why_not(user: User, of: Ladder) -> str:
    """Why somebody cannot enter a result; empty if they can."""
    standing = of.now_standing()
    if of.closed_at is not None:
        return _("This ladder is closed.")
    if not standing.rules.at_table:
        return _("On this ladder, only games played here count.")
    if user.pk not in standing.order and not clubs.may(of.club, user, Right.LADDER):
        return _("Only players of the ladder, and stewards, can enter results.")
    return ""


def result_form(request: UserRequest, data: QueryDict | None, of: Ladder) -> TableResultForm | None:
    if why_not(request.user, of):
        return None
    standing = of.now_standing()
    names = names_of(standing.order)
    people = sorted(((player, names[player]) for player in standing.order), key=lambda one: one[1].casefold())
    me = request.user.pk if request.user.pk in standing.order else None
    return TableResultForm(
        data, people=people, sizes=tables_of(of.game_rules, standing.rules), now=timezone.now(), me=me
    )


def render_new(request: UserRequest, of: Ladder, form: TableResultForm | None) -> HttpResponse:
    why = why_not(request.user, of)
    context = {"club": of.club, "ladder": of, "form": form, "why": why, "hours": CONFIRM_HOURS, "days": DECIDE_DAYS}
    return render(request, "ladders/table_result_new.html", context)


@page(ladder_or_404, account_first, limit="table results", form=result_form, show=render_new)
def new(request: UserRequest, of: Ladder, form: TableResultForm) -> TableResult:
    """Enter the result of a game at a real table."""
    users = User.objects.in_bulk([player for player, _place, _points in form.finished()])
    finished = [at_table.Finished(users[player], place, points) for player, place, points in form.finished()]
    return at_table.enter(of, request.user, finished, form.cleaned_data["played_on"], timezone.now())


def entry_or_404(request: UserRequest, slug: str, number: int, pk: int) -> TableResult | HttpResponse:
    """A result of this ladder that concerns the visitor; visitors without an account must sign up first."""
    of = ladder_or_404(request, slug, number)
    here = request.get_full_path() if request.method == "GET" else of.get_absolute_url()
    if elsewhere := account_first(request, here, here):
        return elsewhere
    entry = table_results.find(of, pk, request.user)
    if entry is None:
        raise Http404
    return entry


def render_entry(
    request: UserRequest, entry: TableResult, form: DisputeForm | AskForm | DecideForm | None = None
) -> HttpResponse:
    """One result: what was entered, who has confirmed it, and what the visitor can do."""
    shown = table_results.sheet(entry, request.user, timezone.now())
    context = {"sheet": shown, "entry": entry, "ladder": entry.ladder, "club": entry.ladder.club}
    context |= {"dispute": DisputeForm(), "ask": AskForm(), "decide": DecideForm()}
    return render(request, "ladders/table_result.html", context | ({form.name: form} if form else {}))


show = page(entry_or_404, account_first)(render_entry)


@action(entry_or_404, account_first, limit="ladder")
def confirm(request: UserRequest, entry: TableResult) -> None:
    """Say that it is right."""
    at_table.confirm(entry, request.user, timezone.now())


@action(entry_or_404, account_first, limit="ladder", form=DisputeForm, show=render_entry)
def dispute(request: UserRequest, entry: TableResult, form: DisputeForm) -> None:
    """Say what is wrong."""
    at_table.dispute(entry, request.user, form.cleaned_data["word"], timezone.now())


@action(entry_or_404, account_first, limit="ladder", form=AskForm, show=render_entry)
def ask(request: UserRequest, entry: TableResult, form: AskForm) -> None:
    """Ask a steward to decide."""
    at_table.ask(entry, request.user, form.cleaned_data["word"], timezone.now())


@action(entry_or_404, account_first, limit="ladder")
def withdraw(request: UserRequest, entry: TableResult) -> None:
    """Take back what one has entered."""
    at_table.withdraw(entry, request.user, timezone.now())


def decide_form(request: UserRequest, data: QueryDict, entry: TableResult) -> DecideForm:
    if data.get("do") not in ("count", "reject") or not clubs.may(entry.ladder.club, request.user, Right.LADDER):
        raise Http404
    return DecideForm(data)


@action(entry_or_404, account_first, limit="ladder", form=decide_form, show=render_entry)
def decide(request: UserRequest, entry: TableResult, form: DecideForm) -> None:
    """Let it count, or reject it, as a steward."""
    at_table.decide(entry, request.user, request.POST["do"] == "count", form.cleaned_data["reason"], timezone.now())
