from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Club

LONGEST_TITLE = 80
LONGEST_PLACE = 200
LONGEST_PLAN = 1000


class ClubDate(models.Model):
    """When a club meets. Written by `games.clubs.dates.services` only."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="dates")
    title = models.CharField(max_length=LONGEST_TITLE)
    starts_at = models.DateTimeField()
    hours = models.PositiveSmallIntegerField(default=3)
    """How long it takes."""
    place = models.CharField(max_length=LONGEST_PLACE, blank=True)
    plan = models.TextField(max_length=LONGEST_PLAN, blank=True)
    """What is going to be done."""
    public = models.BooleanField(default=False)
    """Whether everybody who sees the club sees it; otherwise its members alone."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    changed_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)
    remind_at = models.DateTimeField(null=True, db_index=True)
    """When those who come are reminded next."""

    class Meta:
        indexes = [models.Index(fields=["club", "starts_at"], name="games_clubdate_page")]

    def __str__(self) -> str:
        return f"{self.club}: {self.title}"

    def get_absolute_url(self) -> str:
        return self.club.address("club_date", self.pk)


class DateAnswer(models.Model):
    """Whether a member comes to a date of their club."""

    class Comes(models.TextChoices):
        YES = "yes", _("Yes")
        MAYBE = "maybe", _("Maybe")
        NO = "no", _("No")

    date = models.ForeignKey(ClubDate, on_delete=models.CASCADE, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    comes = models.CharField(max_length=5, choices=Comes)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["date", "user"], name="games_dateanswer_once")]

    def __str__(self) -> str:
        return f"{self.user}: {self.comes}"
