"""One's own decisions again, the daily puzzle, and playing on from a position of a match that has ended."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.actions import account_first, action, page
from accounts.people.entry import as_guest
from accounts.web.requests import UserRequest, whole
from games.deck import deck, playing_on, puzzles
from games.deck.models import DeckCard
from games.deck.page import AskedPage
from games.engine import position
from games.engine.core import RulesError
from games.lobby.page import running_game
from games.lobby.starting import count_game
from games.matches.models import Match
from games.table.views import ended_or_404

log = logging.getLogger(__name__)


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


def first_that_can_be_shown(cards: Iterable[DeckCard]) -> tuple[DeckCard, AskedPage] | tuple[None, None]:
    """The first card that can be drawn, drawn: one whose rules are gone keeps nobody from the others."""
    for found in cards:
        asked = AskedPage.of(found)
        try:
            if asked.position and asked.choices:
                return found, asked
        except (RulesError, *position.ODD):
            log.warning("The card %s cannot be shown.", found.pk)
    return None, None


@never_cache
@page(None, account_first)
def again(request: UserRequest) -> HttpResponse:
    """The next of one's decisions that are due, or that there is none today."""
    day = deck.today(timezone.now())
    waiting = deck.due(request.user, day)
    card, asked = first_that_can_be_shown(waiting)
    mine = DeckCard.objects.filter(user=request.user, taken_out=False)
    following = mine.filter(step__lt=len(deck.DAYS)).order_by("due_on").values_list("due_on", flat=True).first()
    context = {
        "card": card,
        "asked": asked,
        "number": len(waiting),
        "on": bool(waiting) or deck.is_on(request.user),
        "following": max(following, day + timedelta(days=1)) if following else None,
        "known": mine.filter(step=len(deck.DAYS)).count(),
    }
    return render(request, "deck/again.html", context)


def card_or_404(request: HttpRequest, number: int) -> DeckCard:
    """A card of one's own."""
    found = DeckCard.objects.filter(pk=number, user=request.user.pk).select_related("match").first()
    if found is None or found.match.hidden:
        raise Http404
    return found


def table_of_cards(*_: object) -> str:
    """The page of what is due."""
    return reverse("again")


@page(card_or_404, account_first)
def card(request: UserRequest, card: DeckCard) -> HttpResponse:
    """What is said after an answer: what one did then, what one chose now, what each is worth, and why."""
    day = deck.today(timezone.now())
    asked = card.due_on <= day and not card.taken_out and card.step < len(deck.DAYS)
    if card.answered_on is None or asked:
        raise Http404
    context = {
        "asked": AskedPage.of(card, card.answer),
        "card": card,
        "known": card.step >= len(deck.DAYS),
        "more": deck.due(request.user, day),
    }
    return render(request, "deck/answered.html", context)


@action(card_or_404, account_first, limit="room", to=table_of_cards)
def answer(request: UserRequest, card: DeckCard) -> HttpResponse:
    """Answer one's decision anew (`move`)."""
    if deck.answer(card, request.POST.get("move", ""), deck.today(timezone.now())) is None:
        raise Http404
    return redirect("deck_card", card.pk)


@action(card_or_404, account_first, limit="room", to=table_of_cards)
def later(request: UserRequest, card: DeckCard) -> None:
    """Ask it tomorrow (`days=1`), or in a week."""
    days = 1 if request.POST.get("days") == "1" else deck.LATER.days
    deck.postpone(card, deck.today(timezone.now()), timedelta(days=days))


@action(card_or_404, account_first, limit="room", to=table_of_cards)
def out(request: UserRequest, card: DeckCard) -> str:
    """Never be asked it again."""
    deck.take_out(card)
    return _("This decision won’t come back.")


def switched_at(request: HttpRequest) -> str:
    """The page on which the switch was pressed: that of what is due, or (`at`) that of the settings."""
    return f"{reverse('account')}#play" if request.POST.get("at") == "settings" else reverse("again")


@action(None, account_first, limit="room", to=switched_at)
def switch(request: UserRequest) -> str:
    """Let one's decisions come back, or no longer (`on=no`)."""
    on = request.POST.get("on") != "no"
    deck.switch(request.user, on)
    if on:
        return _("Decisions of your games will come back to you.")
    return _("No decisions will come back to you, and those that waited are gone.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest) -> HttpResponse:
    """The puzzle of the day, for everybody; after an answer (`move`), what each is worth. Nothing of it is kept.

    An answer to the puzzle of another `day` is none to this one: both may have the same moves."""
    found = puzzles.find(deck.today(timezone.now()))
    over = found is not None and request.POST.get("day", "") not in ("", found.day.isoformat())
    asked = AskedPage.of(found, "" if over else request.POST.get("move", "")) if found else None
    if asked and asked.chosen and asked.question.answer(asked.chosen) is None:
        raise Http404
    return render(request, "deck/puzzle.html", {"asked": asked, "puzzle": found, "over": over})
