"""The results of tables: corrected by stewards, entered where people play with real cards, printed, and as files."""

from __future__ import annotations

from itertools import zip_longest

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, or_guest, page
from accounts.models import Right
from accounts.web import links
from accounts.web.requests import UserRequest
from games.ladders.pages import export
from games.tournaments import events, services, shown, trf, typed
from games.tournaments.contest import TournamentPage
from games.tournaments.forms import ResultForm, TypedForm
from games.tournaments.models import Tournament
from games.tournaments.views import managing, taking_part, tournament_or_404


def result_form(
    request: UserRequest, data: QueryDict | None, tournament: Tournament, round_number: int, table: int
) -> ResultForm:
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
    return ResultForm(data and data.copy(), names=names, places=found.places)


def render_correct(
    request: UserRequest, tournament: Tournament, form: ResultForm, round_number: int, table: int
) -> HttpResponse:
    if form.refusal:
        form.look_again(events.standing(tournament).rounds[round_number - 1].tables[table - 1].places)
    evening = shown.shown(tournament, request.user, timezone.now())
    context = {"evening": evening, "club": tournament.club, "form": form, "round": round_number, "table": table}
    context["match"] = evening.matches.get(evening.standing.rounds[round_number - 1].tables[table - 1].match)
    return render(request, "tournaments/correct.html", context)


@page(tournament_or_404, account_first, right=Right.EVENTS, form=result_form, show=render_correct)
def correct(request: UserRequest, tournament: Tournament, form: ResultForm, round_number: int, table: int) -> None:
    """Correct the result of a table."""
    at, reason = (round_number - 1, table - 1), form.cleaned_data["reason"]
    services.correct(tournament, request.user, *at, form.places(), reason, timezone.now(), form.seen())


# At the real table


def typed_form(
    request: UserRequest, data: QueryDict | None, tournament: Tournament, round_number: int, table: int
) -> TypedForm:
    evening = shown.shown(tournament, request.user, timezone.now())
    try:
        found = evening.standing.rounds[round_number - 1].tables[table - 1] if round_number and table else None
    except IndexError:
        found = None
    if found is None or not tournament.at_table:
        raise Http404
    waiting = evening.typed.get((round_number - 1, table - 1))
    told = {"places": waiting.places, "points": waiting.points} if waiting else {}
    names = [evening.shown[player].name for player in found.players]
    return TypedForm(data, names=names, decides=evening.may and evening.me not in found.players, **told)


def render_typed(
    request: UserRequest, tournament: Tournament, form: TypedForm, round_number: int, table: int
) -> HttpResponse:
    evening = shown.shown(tournament, request.user, timezone.now())
    found = evening.standing.rounds[round_number - 1].tables[table - 1]
    plays = evening.me in found.players
    if not (plays or evening.may):
        raise Http404
    waiting = evening.typed.get((round_number - 1, table - 1))
    names = [evening.shown[player].name for player in found.players]
    context = {
        "evening": evening,
        "club": tournament.club,
        "form": form,
        "round": round_number,
        "table": table,
        "plays": plays,
        "withdraws": waiting is not None and typed.withdraws(tournament, waiting, request.user),
        "result": waiting,
        "told": list(zip_longest(names, waiting.places, waiting.points)) if waiting else [],
        "answer": tournament.address("answer_tournament_result", round_number, table),
    }
    return render(request, "tournaments/typed.html", context)


@page(tournament_or_404, or_guest(account_first), form=typed_form, show=render_typed)
def enter_result(request: UserRequest, tournament: Tournament, form: TypedForm, round_number: int, table: int) -> None:
    """Enter the result of a table with real cards."""
    at, reason, now = (round_number - 1, table - 1), form.cleaned_data.get("reason", ""), timezone.now()
    typed.enter(tournament, request.user, *at, form.places(), form.points(), reason, now)


@taking_part()
def answer_result(request: UserRequest, tournament: Tournament, round_number: int, table: int) -> None:
    """Confirm the result of a table, dispute it, or withdraw one's own."""
    at, now = (round_number - 1, table - 1), timezone.now()
    match request.POST.get("answer"):
        case "confirm":
            typed.confirm(tournament, request.user, *at, request.POST.get("seen", ""), now)
        case "withdraw":
            typed.withdraw(tournament, request.user, *at, now)
        case _:
            typed.dispute(tournament, request.user, *at, request.POST.get("word", ""), now)


@managing()
def count_results(request: UserRequest, tournament: Tournament) -> None:
    """Let all results count that wait to be confirmed."""
    typed.count_all(tournament, request.user, timezone.now())


# On paper, and as files


@never_cache
@page(tournament_or_404)
def results_csv(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All results that count and that the visitor may see, as a table for a spreadsheet."""
    evening = shown.shown(tournament, request.user, timezone.now())
    if evening.sealed or tournament.same_deal:
        raise Http404
    rows = [
        {"round": number, "table": index, "player": name, "place": place, "points": points}
        for number, each in enumerate(evening.standing.rounds, 1)
        for index, table in enumerate(each.tables, 1)
        if table.places
        for name, place, points in zip(
            [evening.shown[player].name for player in table.players],
            table.places,
            table.points or (None,) * table.size,
            strict=False,
        )
    ]
    text = export.written(rows, ("round", "table", "player", "place", "points"))
    return HttpResponse(text, content_type="text/csv; charset=utf-8")


@never_cache
@page(tournament_or_404)
def results_trf(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A tournament of games of two as a report in the format of FIDE."""
    found = shown.shown(tournament, request.user, timezone.now())
    if not isinstance(found, TournamentPage) or not found.fide:
        raise Http404
    return HttpResponse(trf.written(found), content_type="text/plain; charset=utf-8")


@never_cache
@page(tournament_or_404)
def printed(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The pairings of this round with lines for the results, and the standing, for a printer."""
    found = shown.shown(tournament, request.user, timezone.now())
    if tournament.same_deal:
        raise Http404
    address = links.full(tournament.get_absolute_url()).partition("://")[2]
    context = {"evening": found, "plan": isinstance(found, TournamentPage), "now": timezone.now(), "address": address}
    return render(request, "tournaments/print.html", context)
