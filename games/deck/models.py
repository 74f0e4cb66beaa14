from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.analysis.models import Analysis
from games.matches.models import Match


class DeckCard(models.Model):
    """A decision of somebody that comes back to them until they know it. It goes with a closed account."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deck")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    ply = models.PositiveSmallIntegerField()
    """The row of the match's log that answered then."""
    seat = models.PositiveSmallIntegerField()
    question = models.JSONField()
    """What is asked, and what each answer is worth: `games.engine.second_look.AskedAgain.plain`."""
    step = models.PositiveSmallIntegerField(default=0)
    """How often in a row it was answered well: the index in `deck.DAYS`; beyond the last one it is known."""
    due_on = models.DateField()
    """The day (UTC) from which on it is asked."""
    taken_out = models.BooleanField(default=False)
    answer = models.CharField(max_length=16, blank=True)
    """The last answer."""
    answered_on = models.DateField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match", "ply"], name="games_deckcard_once")]
        indexes = [
            models.Index(fields=["user", "due_on", "id"], condition=Q(taken_out=False), name="games_deckcard_due")
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.ply}"


class DeckGathering(models.Model):
    """A review whose decisions have been looked at for the decks of its players."""

    analysis = models.OneToOneField(Analysis, on_delete=models.CASCADE, primary_key=True, related_name="gathering")

    def __str__(self) -> str:
        return str(self.analysis)


class DeckRefusal(models.Model):
    """Somebody who wants no decisions to come back."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return str(self.user)


class DailyPuzzle(models.Model):
    """The decision that everybody is asked on one day (UTC), from a game open to all; whose it was is not said."""

    day = models.DateField(unique=True)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    ply = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    question = models.JSONField()
    """As `DeckCard.question`."""

    def __str__(self) -> str:
        return str(self.day)
