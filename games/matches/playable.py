"""By what rules and clock something is played: the columns that matches, challenges and tournaments share."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.engine.core import Game
from games.engine.registry import game_of
from games.matches.clocks import Clock


class Pace(models.TextChoices):
    """What `Clock.pace` may be."""

    LIVE = "live", _("Live")
    DAILY = "daily", _("Daily")
    NONE = "none", _("No clock")


class Playable(models.Model):
    """Something that is played, or is to be."""

    game = models.CharField(max_length=20)
    version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    """All table options, by name."""
    pace = models.CharField(max_length=5, choices=Pace, default=Pace.NONE)
    bank_ms = models.PositiveIntegerField(default=0)
    increment_ms = models.PositiveIntegerField(default=0)
    days = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def rules(self) -> Game:
        """The engine's Game that is played."""
        return game_of(self.game, self.version)

    @property
    def clock(self) -> Clock:
        """The time control."""
        return Clock(self.pace, self.bank_ms, self.increment_ms, self.days)

    @clock.setter
    def clock(self, clock: Clock) -> None:
        self.pace, self.bank_ms, self.increment_ms, self.days = clock
