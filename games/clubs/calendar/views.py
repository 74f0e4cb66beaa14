"""The pages of a club's calendar."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page, sign_in_first
from accounts.clubs import clubs
from accounts.models import Club, Right
from accounts.views.next import next_page
from accounts.web.requests import UserRequest, Visitor
from games.board import shown as board
from games.calendar import services
from games.calendar import shown as shown_event
from games.calendar.models import CalendarEvent
from games.clubs.calendar import page as calendar_page
from games.ladders.views.access import club_or_404
from games.lobby import pending
from games.tournaments import scheduled

A_PAGE = 30
"""The number of events to come on the page, unless all are asked for."""


def event_or_404(request: HttpRequest, slug: str, number: int) -> CalendarEvent:
    """The event with this number of the club at this address, if the visitor may know of it."""
    return event_of(club_or_404(request, slug), request.user, number)


def event_of(club: Club, user: Visitor, number: int) -> CalendarEvent:
    """The event of a club with this number, if the user may know of it."""
    event = calendar_page.visible(club, clubs.member(club, user) is not None).filter(pk=number).first()
    if event is None:
        raise Http404
    event.club = club
    return event


@never_cache
@page(club_or_404)
def calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """The calendar of a club: to come by month, and past."""
    now = timezone.now()
    member = clubs.member(club, request.user)
    belongs = member is not None
    coming = calendar_page.coming(club, request.user, belongs, now, services.MOST)
    shown = coming if request.GET.get("all") else coming[:A_PAGE]
    context = {
        "club": club,
        "may": member.may if member else (),
        "waits": pending.line(request.user, now),
        "coming": calendar_page.by_month(shown),
        "more": len(coming) - len(shown),
        "past": calendar_page.past(club, request.user, belongs, now),
    }
    return render(request, "calendar/calendar.html", context)


@never_cache
@page(event_or_404)
def show(request: HttpRequest, event: CalendarEvent) -> HttpResponse:
    """One event, and who comes. What was opened for it has a page of its own."""
    now, member = timezone.now(), clubs.member(event.club, request.user)
    [shown] = calendar_page.shown([event], event.club, request.user, member is not None, now)
    if shown.tournament:
        return redirect(shown.tournament)
    context = {
        "club": event.club,
        "may": member.may if member else (),
        "shown": shown,
        "open": event.cancelled_at is None and event.starts_at > now,
        "comments": board.comments(event.club, member, f"calendar/{event.pk}"),
        "conditions": shown_event.conditions(event),
        "waits": pending.line(request.user, now, event.get_absolute_url()),
    }
    return render(request, "calendar/event.html", context)


def address(request: HttpRequest, club: Club, number: int) -> str:
    return club.address("calendar_event", number)


def back(request: HttpRequest, club: Club, number: int) -> str:
    """To the page on which somebody has answered, if that says so."""
    return next_page(request, address(request, club, number))


@action(club_or_404, account_first, limit="clubs", to=back)
def say(request: UserRequest, club: Club, number: int) -> None:
    """Say whether one comes."""
    event = event_of(club, request.user, number)
    services.answer(event, request.user, request.POST.get("answer", ""), timezone.now())


@action(club_or_404, sign_in_first, right=Right.EVENTS, limit="invitations", to=address)
def open_now(request: UserRequest, club: Club, number: int) -> None:
    """Open a night or a tournament before the clock does; its page in the calendar leads on to it."""
    scheduled.open_now(event_of(club, request.user, number), request.user, timezone.now())
