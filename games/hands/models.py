from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import models
from django.urls import reverse

from games.engine.core import Game
from games.engine.registry import game_of
from games.matches.models import Match

ROOM = "hand"
"""How the addresses of hands begin, and `Match.agreed` of the games in which they are played."""
LATE = timedelta(hours=1)
"""How long after its day whoever began in time can finish."""


class Hand(models.Model):
    """The hand of a day in one title: the deal, rules and bots that are the same for everybody who plays it.

    Nobody may see `secret`, or anything that follows from it, before the hand is closed.
    """

    game = models.CharField(max_length=20)
    day = models.DateField()
    """In UTC."""
    version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    places = models.PositiveSmallIntegerField()
    """The number of seats: a person in the first, bots in the others."""
    secret = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    closed_at = models.DateTimeField(null=True)
    """When its table became final, and its games were opened."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "day"], name="games_hand_one_a_day")]
        indexes = [models.Index(fields=["day"], condition=models.Q(closed_at=None), name="games_hand_open")]

    def __str__(self) -> str:
        return f"{self.game} {self.day}"

    def get_absolute_url(self) -> str:
        return reverse("hand", args=[self.game, self.day.isoformat()])

    @property
    def rules(self) -> Game:
        return game_of(self.game, self.version)

    @property
    def begins(self) -> datetime:
        return datetime(self.day.year, self.day.month, self.day.day, tzinfo=UTC)

    @property
    def ends(self) -> datetime:
        """From then on nobody can begin it."""
        return self.begins + timedelta(days=1)

    @property
    def closes(self) -> datetime:
        """What is finished from then on counts no more."""
        return self.ends + LATE

    @property
    def page(self) -> str:
        """Its page, below the address of the site: `Match.agreed` of its games."""
        return self.get_absolute_url().removeprefix("/")


class HandTry(models.Model):
    """Somebody's one try at a hand. It goes with them when a guest signs up."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="tries")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hand_tries")
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="hand_try")
    place = models.PositiveSmallIntegerField(null=True)
    """Among the seats of the game, once it was finished in time; None for who has not, or has left: they are in no
    table."""
    points = models.SmallIntegerField(null=True)
    won = models.CharField(max_length=10, blank=True)
    """As `Game.categories_won`."""
    apart = models.BooleanField(default=False)
    """Whether it was a guest's when the table became final: it stays out of it, whoever they become."""

    class Meta:
        verbose_name_plural = "hand tries"
        constraints = [models.UniqueConstraint(fields=["hand", "user"], name="games_handtry_one_a_person")]
        indexes = [models.Index(fields=["hand", "place", "-points", "id"], name="games_handtry_table")]

    def __str__(self) -> str:
        return f"{self.hand}: {self.user}"


class HandReader(models.Model):
    """Somebody who wants to be told of the hand of the day: at the bell, and in their calendar."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return str(self.user)
