"""The page on which one challenges a person, and the answers."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render

from accounts.actions import page, sign_in_first
from accounts.forms import offer
from accounts.models import User
from accounts.text.numbers import number
from accounts.views.people import somebody_else
from accounts.web import throttle
from accounts.web.requests import UserRequest
from games.engine.registry import titles
from games.faces.registry import face_of
from games.lobby import invitations
from games.lobby.chosen import chosen_bot, chosen_game
from games.lobby.forms import MatchForm, sizes
from games.lobby.views import at_table
from games.matches.models import Match


class InvitationForm(MatchForm):
    """The settings of a game to which somebody is challenged. Further seats are for people with the link, or bots."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["access"]
        self.fields["places"].initial = min(sizes(self.game))
        offer(self, "bots", [(bots, number(bots)) for bots in range(max(sizes(self.game)) - 1)])

    def clean(self) -> dict[str, Any]:
        data = super().clean() | {"access": "link"}
        if data.get("bots", 0) > data.get("places", self.game.seats[-1]) - 2:
            self.add_error("bots", invitations.NO_SEAT)
        return data


def invitation_form(request: UserRequest, data: QueryDict | None, person: User) -> InvitationForm:
    game = chosen_game(request)
    return InvitationForm(data, game=game, bot=chosen_bot(request, game))


def render_new(request: UserRequest, person: User, form: InvitationForm) -> HttpResponse:
    faces = [face_of(game) for game in titles()]
    return render(request, "lobby/challenge.html", {"form": form, "person": person, "faces": faces})


@page(somebody_else, sign_in_first, limit="challenges", form=invitation_form, show=render_new)
def new(request: UserRequest, person: User, form: InvitationForm) -> Match:
    """Challenge somebody to a game."""
    throttle.count("tables", request.user.pk)
    return invitations.challenge(request.user, person, **form.chosen())


@at_table()
def answer(request: UserRequest, match: Match) -> Match | HttpResponse:
    """Accept or decline a challenge."""
    if request.POST.get("answer") == "accept":
        return invitations.accept(match, request.user)
    invitations.decline(match, request.user)
    return redirect("lobby")
