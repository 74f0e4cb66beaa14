"""Again, knowing what you knew: one's own decisions come back until one knows them.

When the decisions of a game have been looked at, those of each player that cost most, and still do on a second look,
become cards of their deck. Three a day return, after 1, 3, 7 and 21 days; what is answered badly returns the next day.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from accounts.models import Notice, User
from accounts.notices import notices
from accounts.web.requests import Visitor
from games.deck.models import DailyPuzzle, DeckCard, DeckRefusal
from games.engine.second_look import AskedAgain, WeighedAnswer
from games.matches.models import Match

DAYS = (1, 3, 7, 21)
"""After so many days a card returns: at first, then each time that it was answered well. After the last it is known."""
A_DAY = 3
LATER = timedelta(days=7)
"""For so long a card is postponed."""
MOST_WAITING = 60
"""Whoever has so many cards that are not known yet gets no more."""
WAITS = Q(step__lt=len(DAYS), taken_out=False)
"""Cards that are asked, now or later."""


def today(now: datetime) -> date:
    """The day at a moment."""
    return now.astimezone(UTC).date()


def due(user: User, day: date) -> list[DeckCard]:
    """The cards that are asked of somebody on a day, the one that has waited longest first: three a day at most, those
    already answered counted."""
    answered = (
        DeckCard.objects.filter(user=user, answered_on=day).order_by().values("user").annotate(number=Count("pk"))
    )
    waiting = DeckCard.objects.filter(WAITS, user=user, due_on__lte=day)
    found = waiting.annotate(
        before=Coalesce(Subquery(answered.annotate(today=Count("pk")).values("today")), 0)
    ).select_related("match")
    # In one query: many pages ask for it.
    return [card for at, card in enumerate(found.order_by("due_on", "pk")[:A_DAY]) if at + card.before < A_DAY]


def number_due(user: Visitor, now: datetime) -> int:
    """How many cards are asked of a visitor today."""
    return len(due(user, today(now))) if user.is_authenticated and not user.guest else 0


def waiting_of(user: Visitor, match: Match) -> int:
    """How many decisions of a match come back to a visitor, now or later."""
    return DeckCard.objects.filter(WAITS, user=user.pk, match=match).count() if user.is_authenticated else 0


def tell(now: datetime) -> None:
    """Tell those whose cards are due today, once a day, at the bell."""
    day = today(now)
    waiting = DeckCard.objects.filter(WAITS, user=OuterRef("pk"), due_on__lte=day)
    begins = datetime.combine(day, time(), UTC)
    told = Notice.objects.filter(user=OuterRef("pk"), kind="deck", at__gte=begins)
    people = User.objects.filter(Exists(waiting), ~Exists(told), closed=False, is_active=True)
    # Whoever has looked today need not be told.
    people = people.exclude(deck__answered_on=day)
    # Those who have silenced it have no notice that says that they were told.
    if back := [user for user in people if "deck" not in user.silenced]:
        notices.notify(back, "deck", reverse("again"), now, by=None)


def answer(card: DeckCard, text: str, day: date) -> WeighedAnswer | None:
    """Note an answer, and when the card returns; None, and nothing is noted, if it is none of those that are asked."""
    given = AskedAgain.read(card.question).answer(text)
    if given is None:
        return None
    # Of two that come at once, the first counts.
    asked = DeckCard.objects.filter(WAITS, pk=card.pk, step=card.step, due_on=card.due_on).filter(due_on__lte=day)
    step = card.step + 1 if given.right else 0
    wait = DAYS[min(step, len(DAYS) - 1)]
    asked.update(step=step, due_on=day + timedelta(days=wait), answer=text, answered_on=day)
    card.refresh_from_db()
    return given


def postpone(card: DeckCard, day: date, wait: timedelta = LATER) -> None:
    """Ask it later, if it is asked now."""
    DeckCard.objects.filter(WAITS, pk=card.pk, due_on__lte=day).update(due_on=day + wait)


def take_out(card: DeckCard) -> None:
    """Never ask it again."""
    DeckCard.objects.filter(pk=card.pk).update(taken_out=True)


def is_on(user: Visitor) -> bool:
    """Whether somebody's decisions come back."""
    return user.is_authenticated and not user.guest and not DeckRefusal.objects.filter(user=user.pk).exists()


def room(user: User) -> int:
    """How many cards somebody's deck still has room for."""
    return max(0, MOST_WAITING - DeckCard.objects.filter(WAITS, user=user).count())


def locked(match: Match) -> list[User]:
    """The people of a match as they are now: whoever closes the account or switches the deck off meanwhile waits."""
    people = User.objects.select_for_update(no_key=True).filter(pk__in=match.seats.values("user"))
    return list(people.order_by("pk"))


@transaction.atomic
def switch(user: User, on: bool) -> None:
    """Let somebody's decisions come back, or no longer: then the deck is emptied."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # cards that are made meanwhile are there by then
    if on:
        DeckRefusal.objects.filter(user=user).delete()
    else:
        DeckRefusal.objects.get_or_create(user=user)
        DeckCard.objects.filter(user=user).delete()


def forget(user: User) -> None:
    """An account is closed: its cards go, and so do the puzzles from its games."""
    DeckCard.objects.filter(user=user).delete()
    DeckRefusal.objects.filter(user=user).delete()
    DailyPuzzle.objects.filter(match__seats__user=user, match__seats__index=F("seat")).delete()
