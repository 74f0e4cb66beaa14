"""Playing on from a position of a match that has ended."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from accounts.actions import action
from accounts.people.entry import as_guest
from accounts.web.requests import whole
from games.deck import playing_on
from games.lobby.page import running_game
from games.lobby.starting import count_game
from games.matches.models import Match
from games.review.exports import ended_or_404


@action(ended_or_404)
def play_on(request: HttpRequest, match: Match) -> Match:
    """Play on from `ply` in `seat`, with the same `cards` or dealt `again`; as a guest if need be."""
    ply, seat = whole(request.POST.get("ply", "")), whole(request.POST.get("seat", ""))
    cards = request.POST.get("cards")
    if ply is None or ply > match.ply or seat is None or seat >= match.places or cards not in ("same", "again"):
        raise Http404
    user = as_guest(request)
    if user.guest and (running := running_game(user)):
        messages.info(request, _("Guests play one game at a time: here is yours."))
        return running
    count_game(request, user)
    return playing_on.play_on(match, ply, seat, cards == "again", user)
