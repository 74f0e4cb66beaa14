"""The hand of the day: its pages, the one try, and whether one is told of it."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page
from accounts.people.entry import as_guest
from accounts.web.requests import UserRequest
from games.hands import hands
from games.hands import page as pages
from games.hands.models import Hand
from games.lobby.forms import read_game
from games.lobby.page import running_game
from games.lobby.starting import count_game
from games.matches.models import Match


def hand_or_404(request: HttpRequest, game: str, day: str) -> Hand:
    """The hand at this address, if its day has come."""
    known = read_game({"game": game})
    try:
        at = date.fromisoformat(day)
    except ValueError as error:
        raise Http404 from error
    found = hands.find(known, at, timezone.now()) if known and day == at.isoformat() else None
    if found is None:
        raise Http404
    return found


@never_cache
@page()
def overview(request: HttpRequest) -> HttpResponse:
    """Today's hands, how they are played, and the visitor's streaks."""
    user = request.user
    told = hands.wants_to_know(user) if user.is_authenticated and not user.guest else None
    context = {"told": told}
    return render(request, "hands/overview.html", context)


@never_cache
@page(hand_or_404)
def show(request: HttpRequest, hand: Hand) -> HttpResponse:
    """A hand: the way to one's try, and the table."""
    return render(request, "hands/hand.html", {"page": pages.HandPage(hand, request.user, timezone.now())})


@action(hand_or_404)
def play(request: HttpRequest, hand: Hand) -> Match:
    """Begin one's try, as a guest if need be; whoever has begun it is led there."""
    now = timezone.now()
    if not request.user.is_authenticated:
        hands.check_open(hand, now)
    user = as_guest(request)
    if mine := hands.try_of(hand, user):
        messages.info(request, _("You’ve begun this hand already, and everyone has one try: here it is."))
        return mine.match
    hands.check_open(hand, now)
    if user.guest and (running := running_game(user)):
        messages.info(request, _("Guests play one game at a time: here is yours. Then comes the hand of the day."))
        return running
    count_game(request, user)
    return hands.play(hand, user, now)


@action(None, account_first, limit="room", to="hands")
def tell(request: UserRequest) -> str:
    """Be told of the hand of the day, or no longer (`told=no`)."""
    yes = request.POST.get("told") != "no"
    hands.tell(request.user, yes)
    return _("You’ll hear of it once a day.") if yes else _("You’ll hear no more of it.")
