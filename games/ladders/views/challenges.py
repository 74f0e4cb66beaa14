"""Challenges for positions on a ladder: the form for a new one, its page, and the players' answers."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page
from accounts.career.views import person_or_404
from accounts.models import User
from accounts.web.requests import UserRequest, whole
from games.ladders import challenges, events
from games.ladders.challenging import refusal, tables_of
from games.ladders.forms import challenge as challenge_forms
from games.ladders.forms.challenge import ChallengeForm, TermsForm
from games.ladders.models import Challenge, Ladder
from games.ladders.pages import challenge as challenge_page
from games.ladders.pages.results import names_of
from games.ladders.views.access import ladder_or_404
from games.ladders.words import reasons
from games.matches.models import Match


def challenge_form(request: UserRequest, data: QueryDict | None, of: Ladder) -> ChallengeForm:
    """The form for a challenge of the player named in the address, and perhaps of others to the same table."""
    now = timezone.now()
    situation = events.situation(of, now)
    first = person_or_404(request.GET.get("to", ""))
    if first.closed:
        raise Http404
    people = names_of(situation.standing.players) | {first.pk: first.username}
    found = challenge_forms.guests(situation, of.game_rules, request.user.pk, first.pk, people)
    rules = situation.standing.rules
    return ChallengeForm(data, game=of.game_rules, now=now, rules=rules, guests=found, first=first)


def render_new(request: UserRequest, of: Ladder, form: ChallengeForm) -> HttpResponse:
    situation, first, me = events.situation(of, timezone.now()), form.first, request.user.pk
    # If there is no table with somebody at all, the reason is that of the largest.
    largest = tables_of(of.game_rules, situation.standing.rules)[-1]
    why = refusal(situation, me, first.pk, largest)
    context = {
        "club": of.club,
        "ladder": of,
        "form": form,
        "guests": form.guests,
        "first": first,
        "position": situation.standing.position(first.pk),
        "mine": situation.standing.position(me),
        "why": why and reasons.sentence(why, situation, me, first.pk, first.username, largest),
        "rules": situation.standing.rules,
    }
    return render(request, "ladders/challenge_new.html", context)


@page(ladder_or_404, account_first, limit="challenges", form=challenge_form, show=render_new)
def new(request: UserRequest, of: Ladder, form: ChallengeForm) -> Challenge:
    """Challenge the player named in the address, and perhaps others to the same table."""
    wanted = form.others()
    known = User.objects.in_bulk(wanted)
    others = [known[player] for player in wanted]
    return challenges.challenge(of, request.user, others, form.terms(), timezone.now(), form.cleaned_data["seats"])


def challenge_or_404(request: HttpRequest, slug: str, number: int, pk: int) -> Challenge:
    """A challenge of a ladder that the visitor may know of."""
    of = ladder_or_404(request, slug, number)
    challenge = challenge_page.challenges_of(of).filter(pk=pk).first()
    if challenge is None:
        raise Http404
    challenge.ladder = of
    return challenge


def render_challenge(request: HttpRequest, challenge: Challenge, form: TermsForm | None = None) -> HttpResponse:
    """One challenge: its terms, the answers so far, and the outcome."""
    now = timezone.now()
    sheet = challenge_page.sheet(challenge, request.user, now)
    return render(request, "ladders/challenge.html", challenge_page.context(sheet, request.user, now, form))


show = never_cache(page(challenge_or_404)(render_challenge))


@action(challenge_or_404, account_first, limit="ladder")
def accept(request: UserRequest, challenge: Challenge) -> Match | None:
    """Agree to the terms that one was shown, and to one of the suggested times. Leads to the table if it is open."""
    time_ms, seen = whole(request.POST.get("time", "")), request.POST.get("revision", "")
    after = challenges.accept(challenge, request.user, timezone.now(), time_ms, seen)
    after.refresh_from_db()
    return after.match


@action(challenge_or_404, account_first, limit="ladder")
def decline(request: UserRequest, challenge: Challenge) -> None:
    """Decline a challenge."""
    challenges.decline(challenge, request.user, timezone.now())


@action(challenge_or_404, account_first, limit="ladder")
def withdraw(request: UserRequest, challenge: Challenge) -> None:
    """Withdraw one's own challenge."""
    challenges.withdraw(challenge, request.user, timezone.now())


def counter_form(request: UserRequest, data: QueryDict, challenge: Challenge) -> TermsForm:
    return challenge_forms.terms_form(challenge.ladder.now_standing().rules, challenge, timezone.now(), data)


@action(challenge_or_404, account_first, limit="ladder", form=counter_form, show=render_challenge)
def counter(request: UserRequest, challenge: Challenge, form: TermsForm) -> None:
    """Propose other terms."""
    challenges.counter(challenge, request.user, form.terms(), timezone.now())


@action(challenge_or_404, account_first, limit="ladder")
def open_room(request: UserRequest, challenge: Challenge) -> Match:
    """Open the waiting room of an agreed game again, and go there."""
    return challenges.open_room(challenge, request.user, timezone.now())
