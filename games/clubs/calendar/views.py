"""The pages of a club's dates."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page, sign_in_first
from accounts.clubs import clubs
from accounts.models import Club, Right
from accounts.web.requests import UserRequest, Visitor
from games.calendar import services
from games.calendar.models import CalendarEvent
from games.clubs.calendar import page as date_page
from games.clubs.calendar.forms import DateForm
from games.ladders.views.access import club_or_404


def date_or_404(request: HttpRequest, slug: str, number: int) -> CalendarEvent:
    """The date with this number of the club at this address, if the visitor may know of it."""
    return date_of(club_or_404(request, slug), request.user, number)


def date_of(club: Club, user: Visitor, number: int) -> CalendarEvent:
    """The date of a club with this number, if the user may know of it."""
    date = date_page.visible(club, clubs.member(club, user) is not None).filter(pk=number).first()
    if date is None:
        raise Http404
    date.club = club
    return date


@never_cache
@page(club_or_404)
def dates(request: HttpRequest, club: Club) -> HttpResponse:
    """The dates of a club, to come and past."""
    now = timezone.now()
    member = clubs.member(club, request.user)
    belongs = member is not None
    context = {
        "club": club,
        "may": member.may if member else (),
        "coming": date_page.coming(club, request.user, belongs, now, services.MOST),
        "past": date_page.past(club, request.user, belongs, now),
    }
    return render(request, "clubs/dates.html", context)


@never_cache
@page(date_or_404)
def show(request: HttpRequest, date: CalendarEvent) -> HttpResponse:
    """One date, and who comes."""
    now, member = timezone.now(), clubs.member(date.club, request.user)
    [shown] = date_page.shown([date], date.club, request.user, member is not None, now)
    context = {"club": date.club, "may": member.may if member else (), "shown": shown, "now": now}
    return render(request, "clubs/date.html", context)


def address(request: HttpRequest, club: Club, number: int) -> str:
    return club.address("calendar_event", number)


@action(club_or_404, account_first, limit="clubs", to=address)
def say(request: UserRequest, club: Club, number: int) -> None:
    """Say whether one comes."""
    date = date_of(club, request.user, number)
    services.answer(date, request.user, request.POST.get("answer", ""), timezone.now())


def new_form(request: UserRequest, data: QueryDict | None, club: Club) -> DateForm:
    return DateForm(data, club=club)


def render_new(request: UserRequest, club: Club, form: DateForm) -> HttpResponse:
    return render(request, "clubs/date_form.html", {"club": club, "form": form})


@page(club_or_404, sign_in_first, right=Right.EVENTS, limit="invitations", form=new_form, show=render_new)
def new(request: UserRequest, club: Club, form: DateForm) -> CalendarEvent:
    """Set a date."""
    [date] = services.make(club, request.user, form.told(), timezone.now())
    messages.success(request, _("All members have been told."))
    return date


def change_form(request: UserRequest, data: QueryDict | None, club: Club, number: int) -> DateForm:
    return DateForm(data, club=club, date=date_of(club, request.user, number))


def render_change(request: UserRequest, club: Club, form: DateForm, number: int) -> HttpResponse:
    context = {"club": club, "form": form, "date": form.date, "overtaken": form.overtaken}
    return render(request, "clubs/date_form.html", context)


@page(club_or_404, sign_in_first, right=Right.EVENTS, limit="invitations", form=change_form, show=render_change)
def change(request: UserRequest, club: Club, form: DateForm, number: int) -> CalendarEvent:
    """Change a date. Who was slower than another steward keeps what they typed, and sees what the other has made."""
    assert form.date
    return services.change(form.date, request.user, form.told(), form.cleaned_data["seen"] or 0, timezone.now())


@action(club_or_404, sign_in_first, right=Right.EVENTS, limit="invitations", to=address)
def cancel(request: UserRequest, club: Club, number: int) -> str:
    """Cancel a date."""
    services.cancel(date_of(club, request.user, number), request.user, timezone.now())
    return _("The date is cancelled. All members have been told.")
