"""Challenges for positions on a ladder: the form for a new one, its page, and the players' answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.career.views import person_or_404
from accounts.models import Club, User
from accounts.web import throttle
from accounts.web.guards import attempt
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest, ViewFunction
from games.ladders import challenges, events
from games.ladders.challenging import refusal, tables_of
from games.ladders.forms import challenge as challenge_forms
from games.ladders.forms.challenge import ChallengeForm, TermsForm
from games.ladders.models import Challenge, Ladder
from games.ladders.pages import challenge as challenge_page
from games.ladders.pages.results import names_of
from games.ladders.views.access import ladder_or_404
from games.ladders.views.ladder import signed_in
from games.ladders.words import reasons


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new(request: UserRequest, club: Club, of: Ladder) -> HttpResponse:
    """Challenge the player named in the address, and perhaps others to the same table."""
    now = timezone.now()
    situation = events.situation(of, now)
    first = person_or_404(request.GET.get("to", ""))
    if first.closed:
        raise Http404
    people = names_of(situation.standing.players) | {first.pk: first.username}
    found = challenge_forms.guests(situation, of.title, request.user.pk, first.pk, people)
    rules = situation.standing.rules
    sent = request.POST if request.method == "POST" else None
    form = ChallengeForm(sent, game=of.title, now=now, rules=rules, guests=found)
    if sent is not None and form.is_valid():
        throttle.count("challenges", request.user.pk)
        wanted = form.others(first.pk)
        known = User.objects.in_bulk(wanted)
        try:
            others = [known[player] for player in wanted]
            seats = form.cleaned_data["seats"]
            return redirect(challenges.challenge(of, request.user, others, form.terms(), now, seats))
        except Refused as refused:
            form.add_error(None, str(refused))
    # If there is no table with somebody at all, the reason is that of the largest.
    largest = tables_of(of.title, rules)[-1]
    why = refusal(situation, request.user.pk, first.pk, largest)
    context = {
        "club": club,
        "ladder": of,
        "form": form,
        "guests": found,
        "first": first,
        "position": situation.standing.position(first.pk),
        "mine": situation.standing.position(request.user.pk),
        "why": why and reasons.sentence(why, situation, request.user.pk, first.pk, first.username, largest),
        "rules": situation.standing.rules,
    }
    return render(request, "ladders/challenge_new.html", context, status=200 if sent is None else 422)


def challenge_or_404(of: Ladder, pk: int) -> Challenge:
    """A challenge of this ladder."""
    # A number larger than any of our addresses holds, or a database can look up.
    challenge = challenge_page.challenges_of(of).filter(pk=pk).first() if pk < 2**63 else None
    if challenge is None:
        raise Http404
    challenge.ladder = of
    return challenge


@never_cache
@require_safe
def show(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """One challenge: its terms, the answers so far, and the outcome."""
    club, of = ladder_or_404(request, slug, number)
    return render_challenge(request, club, of, challenge_or_404(of, pk))


def render_challenge(
    request: HttpRequest, club: Club, of: Ladder, challenge: Challenge, form: TermsForm | None = None, status: int = 200
) -> HttpResponse:
    now = timezone.now()
    sheet = challenge_page.sheet(challenge, request.user, now)
    context = challenge_page.context(sheet, request.user, now, form)
    return render(request, "ladders/challenge.html", context, status=status)


def challenge_action(
    view: Callable[[UserRequest, Club, Ladder, Challenge, datetime], HttpResponse | None],
) -> ViewFunction:
    """A view that changes a challenge: a refusal is shown on its page."""

    @require_POST
    @signed_in
    @wraps(view)
    def wrapped(request: UserRequest, club: Club, of: Ladder, pk: int) -> HttpResponse:
        challenge = challenge_or_404(of, pk)
        throttle.count("ladder", request.user.pk)
        return attempt(request, lambda: view(request, club, of, challenge, timezone.now()), challenge)

    return wrapped


@challenge_action
def accept(request: UserRequest, club: Club, of: Ladder, challenge: Challenge, now: datetime) -> HttpResponse | None:
    """Agree to the terms that one was shown, and to one of the suggested times. Leads to the table if it is open."""
    text = request.POST.get("time", "")
    time_ms = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None
    after = challenges.accept(challenge, request.user, now, time_ms, request.POST.get("revision", ""))
    after.refresh_from_db()
    return redirect(after.match) if after.match else None


@challenge_action
def decline(request: UserRequest, club: Club, of: Ladder, challenge: Challenge, now: datetime) -> None:
    """Decline a challenge."""
    challenges.decline(challenge, request.user, now)


@challenge_action
def withdraw(request: UserRequest, club: Club, of: Ladder, challenge: Challenge, now: datetime) -> None:
    """Withdraw one's own challenge."""
    challenges.withdraw(challenge, request.user, now)


@challenge_action
def counter(request: UserRequest, club: Club, of: Ladder, challenge: Challenge, now: datetime) -> HttpResponse | None:
    """Propose other terms."""
    form = challenge_forms.terms_form(of.now_standing().rules, challenge, now, request.POST)
    try:
        if form.is_valid():
            challenges.counter(challenge, request.user, form.terms(), now)
            return None
    except Refused as refused:
        form.add_error(None, str(refused))
    return render_challenge(request, club, of, challenge, form, status=422)


@challenge_action
def open_room(request: UserRequest, club: Club, of: Ladder, challenge: Challenge, now: datetime) -> HttpResponse:
    """Open the waiting room of an agreed game again, and go there."""
    return redirect(challenges.open_room(challenge, request.user, now))
