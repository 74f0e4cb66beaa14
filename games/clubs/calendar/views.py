"""The pages of a club's dates."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page
from accounts.clubs import clubs
from accounts.models import Club
from accounts.web.requests import UserRequest, Visitor
from games.calendar import services
from games.calendar.models import CalendarEvent
from games.clubs.calendar import page as date_page
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
