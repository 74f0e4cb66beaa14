from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models import LONGEST_TEXT, Club


class Post(models.Model):
    """What a member has written for the others: on the board of their club, or below something that it does.

    Written by `games.board.services` only. It goes when the account of who wrote it is closed.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="posts")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(max_length=LONGEST_TEXT)
    at = models.DateTimeField()
    under = models.CharField(max_length=40, blank=True)
    """What it is a comment on: "calendar/7", "tournaments/3"; empty on the board."""

    class Meta:
        indexes = [models.Index(fields=["club", "under", "-id"], name="games_post_page")]

    def __str__(self) -> str:
        return f"{self.club}: {self.text[:40]}"
