"""The page on which one challenges a person, and the answers."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import offer
from accounts.models import User
from accounts.views.reports import about_somebody_else
from accounts.web import throttle
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest
from games.engine.registry import titles
from games.faces.registry import face_of
from games.lobby import invitations
from games.lobby.forms import MatchForm, sizes
from games.lobby.views import at_table, chosen_game
from games.matches.models import Match


class InvitationForm(MatchForm):
    """The settings of a game to which somebody is challenged. Further seats are for people with the link, or bots."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["access"]
        self.fields["places"].initial = min(sizes(self.game))
        offer(self, "bots", [(number, str(number)) for number in range(max(sizes(self.game)) - 1)])

    def clean(self) -> dict[str, Any]:
        data = super().clean() | {"access": "link"}
        if data.get("bots", 0) > data.get("places", self.game.seats[-1]) - 2:
            self.add_error("bots", invitations.NO_SEAT)
        return data


@require_http_methods(["GET", "HEAD", "POST"])
@about_somebody_else
def new(request: UserRequest, person: User) -> HttpResponse:
    """Challenge somebody to a game."""
    form = InvitationForm(request.POST or None, game=chosen_game(request))
    if form.is_valid():
        throttle.count("tables", request.user.pk)
        throttle.count("challenges", request.user.pk)
        try:
            return redirect(invitations.challenge(request.user, person, **form.chosen()))
        except Refused as refusal:
            form.add_error(None, str(refusal))
    faces = [face_of(game) for game in titles()]
    context = {"form": form, "person": person, "faces": faces}
    return render(request, "lobby/challenge.html", context, status=422 if form.is_bound else 200)


@at_table
def answer(request: UserRequest, match: Match) -> Match | str | None:
    """Accept or decline a challenge."""
    if request.POST.get("answer") == "accept":
        return invitations.accept(match, request.user)
    invitations.decline(match, request.user)
    return None
