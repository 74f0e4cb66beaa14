"""Again, knowing what you knew: one's own decisions come back until one knows them.

When the decisions of a game have been looked at, those of each player that cost most, and still do on a second look,
become cards of their deck. Three a day return, after 1, 3, 7 and 21 days; what is answered badly returns the next day.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.db.models import F

from accounts.models import User
from accounts.web.requests import Visitor
from games.deck.models import DailyPuzzle, DeckCard, DeckRefusal
from games.engine.second_look import AskedAgain, WeighedAnswer

DAYS = (1, 3, 7, 21)
"""After so many days a card returns: at first, then each time that it was answered well. After the last it is known."""
A_DAY = 3
LATER = timedelta(days=7)
"""For so long a card is postponed."""


def today(now: datetime) -> date:
    """The day at a moment."""
    return now.astimezone(UTC).date()


def due(user: User, day: date) -> list[DeckCard]:
    """The cards that are asked of somebody on a day, the one that has waited longest first: three a day at most, those
    already answered counted."""
    answered = DeckCard.objects.filter(user=user, answered_on=day).count()
    waiting = DeckCard.objects.filter(user=user, due_on__lte=day, step__lt=len(DAYS), taken_out=False)
    return list(waiting.select_related("match").order_by("due_on", "pk")[: max(0, A_DAY - answered)])


def answer(card: DeckCard, text: str, day: date) -> WeighedAnswer | None:
    """Note an answer, and when the card returns; None, and nothing is noted, if it is none of those that are asked."""
    given = AskedAgain.read(card.question).answer(text)
    if given is None:
        return None
    # Of two that come at once, the first counts.
    asked = DeckCard.objects.filter(pk=card.pk, step=card.step, due_on=card.due_on, taken_out=False, due_on__lte=day)
    step = card.step + 1 if given.right else 0
    wait = DAYS[min(step, len(DAYS) - 1)]
    asked.update(step=step, due_on=day + timedelta(days=wait), answer=text, answered_on=day)
    card.refresh_from_db()
    return given


def postpone(card: DeckCard, day: date, wait: timedelta = LATER) -> None:
    """Ask it later."""
    DeckCard.objects.filter(pk=card.pk).update(due_on=day + wait)


def take_out(card: DeckCard) -> None:
    """Never ask it again."""
    DeckCard.objects.filter(pk=card.pk).update(taken_out=True)


def is_on(user: Visitor) -> bool:
    """Whether somebody's decisions come back."""
    return user.is_authenticated and not user.guest and not DeckRefusal.objects.filter(user=user.pk).exists()


def switch(user: User, on: bool) -> None:
    """Let somebody's decisions come back, or no longer: then the deck is emptied."""
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
