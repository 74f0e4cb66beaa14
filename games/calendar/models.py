from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Club

LONGEST_TITLE = 60
LONGEST_PLACE = 200
LONGEST_ABOUT = 1000


class CalendarEvent(models.Model):
    """Something that a club does at a time: it meets, it has a night of rounds, it plays a tournament.

    Written by `games.calendar.services` only; what it opens belongs to `games.tournaments`.
    """

    class Kind(models.TextChoices):
        MEET = "meet", _("Meeting")
        NIGHT = "night", _("Club night")
        TOURNAMENT = "tournament", _("Tournament")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="calendar")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.MEET)
    title = models.CharField(max_length=LONGEST_TITLE)
    starts_at = models.DateTimeField()
    hours = models.PositiveSmallIntegerField(default=3)
    """How long it takes."""
    place = models.CharField(max_length=LONGEST_PLACE, blank=True)
    about = models.TextField(max_length=LONGEST_ABOUT, blank=True)
    """What is going to be done."""
    public = models.BooleanField(default=False)
    """Whether everybody who sees the club sees it; otherwise its members alone."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    changed_at = models.DateTimeField()
    changes = models.PositiveIntegerField(default=0)
    """How often it was changed: what calendar programs call its sequence."""
    cancelled_at = models.DateTimeField(null=True)
    remind_at = models.DateTimeField(null=True, db_index=True)
    """When those who come are reminded next."""
    series = models.UUIDField(null=True, default=None)
    """The same in all events of a weekly series; None if it is alone."""
    zone = models.CharField(max_length=40, default="UTC")
    """The time zone (IANA) by whose clocks the events of its series begin at the same time."""
    opens = models.JSONField(default=dict, blank=True)
    """What is opened for it, as `games.tournaments.scheduled` reads it; empty for a meeting."""
    opens_at = models.DateTimeField(null=True, db_index=True)
    """When the worker opens it; None for a meeting, and once it has been opened."""
    entry_until = models.DateTimeField(null=True)
    """When one can no longer enter; None: as long as the tournament allows."""
    most = models.PositiveSmallIntegerField(null=True)
    """The most people who can take part."""
    least_rating = models.PositiveSmallIntegerField(null=True)
    most_rating = models.PositiveSmallIntegerField(null=True)
    least_games = models.PositiveSmallIntegerField(null=True)
    """How many rated games of this game one has played at least."""
    by_clock = models.BooleanField(default=False)
    """Whether its rounds begin by themselves: the first when it starts, unless it was set to begin `at_once`, each
    other `pause` minutes after the last game of the one before."""
    pause = models.PositiveSmallIntegerField(default=10)

    class Meta:
        indexes = [
            models.Index(fields=["club", "starts_at"], name="games_calendar_page"),
            models.Index(fields=["series"], name="games_calendar_series"),
        ]

    def __str__(self) -> str:
        return f"{self.club}: {self.title}"

    def get_absolute_url(self) -> str:
        return self.club.address("calendar_event", self.pk)

    @property
    def opened(self) -> bool:
        """Whether its tournament has been opened."""
        return hasattr(self, "tournament")

    @property
    def at_once(self) -> bool:
        """Whether it was set to begin at once: people are still to come, and a steward is there."""
        return self.starts_at <= self.changed_at

    @property
    def ends_at(self) -> datetime:
        """When it is over."""
        return self.starts_at + timedelta(hours=self.hours)


class CalendarAnswer(models.Model):
    """Whether a member comes to a meeting or a night of their club."""

    class Comes(models.TextChoices):
        YES = "yes", _("Yes")
        MAYBE = "maybe", _("Maybe")
        NO = "no", _("No")

    event = models.ForeignKey(CalendarEvent, on_delete=models.CASCADE, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    comes = models.CharField(max_length=5, choices=Comes)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="games_calendaranswer_once")]

    def __str__(self) -> str:
        return f"{self.user}: {self.comes}"
