"""The pages of a club's dates."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.clubs import clubs
from accounts.models import Club, Right
from accounts.web import throttle
from accounts.web.guards import account_first, attempt
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest
from games.clubs.dates import page, services
from games.clubs.dates.forms import DateForm
from games.clubs.dates.models import ClubDate
from games.clubs.views import add_refusal, answer, at_desk
from games.ladders.views.access import club_or_404


def date_or_404(request: HttpRequest, club: Club, number: int) -> ClubDate:
    """The date with this number, if the visitor may know of it."""
    date = page.visible(club, clubs.member(club, request.user) is not None).filter(pk=number).first()
    if date is None:
        raise Http404
    date.club = club
    return date


@never_cache
@require_safe
def dates(request: HttpRequest, slug: str) -> HttpResponse:
    """The dates of a club, to come and past."""
    club, now = club_or_404(request, slug), timezone.now()
    member = clubs.member(club, request.user)
    belongs = member is not None
    context = {
        "club": club,
        "may": member.may if member else (),
        "coming": page.coming(club, request.user, belongs, now, services.MOST),
        "past": page.past(club, request.user, belongs, now),
    }
    return render(request, "clubs/dates.html", context)


@never_cache
@require_safe
def show(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One date, and who comes."""
    club, now = club_or_404(request, slug), timezone.now()
    date, member = date_or_404(request, club, number), clubs.member(club, request.user)
    [shown] = page.shown([date], club, request.user, member is not None, now)
    context = {"club": club, "may": member.may if member else (), "shown": shown, "now": now}
    return render(request, "clubs/date.html", context)


@require_POST
def say(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Say whether one comes."""
    club = club_or_404(request, slug)
    if elsewhere := account_first(request, club.get_absolute_url()):
        return elsewhere
    user = request.user
    assert user.is_authenticated
    throttle.count("clubs", user.pk)
    date = date_or_404(request, club, number)
    return attempt(request, lambda: services.answer(date, user, request.POST.get("answer", ""), timezone.now()), date)


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk(Right.EVENTS)
def new(request: UserRequest, club: Club) -> HttpResponse:
    """Set a date."""
    form, wait_s = DateForm(request.POST or None, club=club), 0
    if form.is_valid():
        try:
            throttle.count("invitations", request.user.pk)
            date = services.make(club, request.user, form.told(), timezone.now())
            messages.success(request, _("All members have been told."))
            return redirect(date)
        except (Refused, throttle.TooMany) as refusal:
            wait_s = add_refusal(form, None, refusal)
    return answer(render(request, "clubs/date_form.html", {"club": club, "form": form}), form, wait_s)


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk(Right.EVENTS)
def edit(request: UserRequest, club: Club, number: int) -> HttpResponse:
    """Change a date. Who was slower than another steward keeps what they typed, and sees what the other has made."""
    date = date_or_404(request, club, number)
    form, wait_s = DateForm(request.POST or None, club=club, date=date), 0
    if form.is_valid():
        try:
            throttle.count("invitations", request.user.pk)
            seen = form.cleaned_data["seen"] or 0
            return redirect(services.change(date, request.user, form.told(), seen, timezone.now()))
        except (Refused, throttle.TooMany) as refusal:
            wait_s = add_refusal(form, None, refusal)
            form.data = request.POST.dict() | {"seen": str(services.revision(date))}
    overtaken = form.is_bound and form.cleaned_data.get("seen") != services.revision(date)
    context = {"club": club, "form": form, "date": date, "overtaken": overtaken}
    return answer(render(request, "clubs/date_form.html", context), form, wait_s)


@require_POST
@at_desk(Right.EVENTS)
def cancel(request: UserRequest, club: Club, number: int) -> HttpResponse:
    """Cancel a date."""
    date = date_or_404(request, club, number)

    def act() -> None:
        throttle.count("invitations", request.user.pk)
        services.cancel(date, request.user, timezone.now())
        messages.success(request, _("The date is cancelled. All members have been told."))

    return attempt(request, act, date)
