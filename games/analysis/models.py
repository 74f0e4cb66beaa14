from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.matches.models import Match


class Analysis(models.Model):
    """The review of the decisions of one match that has ended, by one version of what judges them.

    The worker fills it, decision by decision. Later versions make further reviews; this one stays as it is.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Under way")
        DONE = "done", _("Done")
        FAILED = "failed", _("Not possible")

    class Failure(models.TextChoices):
        """Why it is not possible, as its page says it."""

        RULES = "rules", _("This game was played by rules that the site no longer knows.")
        EXPERT = "expert", _("What was to judge this game has been replaced meanwhile. Ask again.")
        RECORD = "record", _("The record of this game contradicts its rules, so its decisions can’t be judged.")
        BROKEN = "broken", _("The decisions of this game could not be judged. The site’s log has the fault.")

    LATE = (Status.WAITING, Status.RUNNING)
    """What is not over yet."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="analyses")
    version = models.CharField(max_length=60)
    """What judges, and how: `games.engine.verdicts.version_of`."""
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    failure = models.CharField(max_length=6, choices=Failure, blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    asked_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)
    """When a worker first took it."""
    leased_until = models.DateTimeField(null=True)
    """While it is under way: from then on another worker may take it, for the one that has it is gone."""
    deaths = models.PositiveSmallIntegerField(default=0)
    """How often whoever worked on it was gone before anything more was done."""
    done = models.PositiveSmallIntegerField(default=0)
    total = models.PositiveSmallIntegerField(default=0)
    """The number of decisions that are judged, and of all; 0 until it is begun."""
    courses = models.JSONField(default=dict)
    """How the shares went, as `games.engine.judging.Courses`: `plies`, at each the bands by seat (`public`; null for
    bots and closed accounts), by the seat of a person that player's own, and `luck`: by seat, as `games.engine.luck`
    says it (empty if an account is closed)."""

    class Meta:
        verbose_name_plural = "analyses"
        constraints = [models.UniqueConstraint(fields=["match", "version"], name="games_analysis_once")]
        indexes = [
            models.Index(
                fields=["asked_at"], condition=Q(status__in=("waiting", "running")), name="games_analysis_waiting"
            ),
            models.Index(fields=["asked_by", "-begun_at"], name="games_analysis_served"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} by {self.version}"


class JudgedDecision(models.Model):
    """What one decision of a person was worth, by what they knew."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="decisions")
    ply = models.PositiveSmallIntegerField()
    """The row of the match's log that answered; the position before it is the one that was judged."""
    seat = models.PositiveSmallIntegerField()
    loss = models.PositiveSmallIntegerField()
    """What the better answer would have brought, in thousandths of the win: the smaller one by the two values, 0 where
    none is better."""
    clear = models.BooleanField()
    """Whether both values agree on it beyond their noise: only then a page speaks of it as better."""
    figures = models.JSONField()
    """The whole verdict: `games.engine.verdicts.DecisionVerdict.plain`."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["analysis", "ply"], name="games_judged_once")]
        indexes = [models.Index(fields=["analysis", "-loss"], condition=Q(clear=True), name="games_judged_clear")]

    def __str__(self) -> str:
        return f"{self.analysis_id}/{self.ply}"
