import secrets

from django.conf import settings
from django.db import models
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from accounts.models import Club, Member

LONGEST_ADDRESS = 500


def new_token() -> str:
    """A token that nobody guesses (190 bits)."""
    return get_random_string(32)


def new_secret() -> str:
    """32 random bytes, in hexadecimal."""
    return secrets.token_hex(32)


class FeedToken(models.Model):
    """What opens the feeds of a private club to the programs of one member, for as long as they belong to it.

    Written by `games.feeds.services` only.
    """

    member = models.OneToOneField(Member, on_delete=models.CASCADE, related_name="feed")
    token = models.CharField(max_length=32, unique=True, default=new_token)

    def __str__(self) -> str:
        return f"feeds for {self.member}"


class Webhook(models.Model):
    """An address that is told what happens in a club. Written by `games.feeds.services` and `sending` only."""

    class Format(models.TextChoices):
        DISCORD = "discord", _("Discord")
        JSON = "json", _("JSON")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    format = models.CharField(max_length=7, choices=Format)
    topics = models.JSONField(default=list)
    """What it is told of: topics of `games.feeds.news`."""
    secret = models.CharField(max_length=64, default=new_secret)
    """What its messages are signed with."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField()
    wake_at = models.DateTimeField(null=True, db_index=True)
    """When the worker sends next; None while nothing waits, or once it is switched off."""
    failures = models.PositiveSmallIntegerField(default=0)
    """How often the message that waits has failed."""
    off_at = models.DateTimeField(null=True)
    """When it was switched off, because it failed too often."""
    tried_at = models.DateTimeField(null=True)
    """When something was sent last ..."""
    outcome = models.CharField(max_length=100, blank=True)
    """... and what came of it: a status, or the kind of fault."""

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.club}"


class Delivery(models.Model):
    """One thing that waits to be sent to a webhook. What it says is written when it is sent, and it is deleted then."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    topic = models.CharField(max_length=12)
    about = models.PositiveBigIntegerField()
    """The id of the row that it tells of, in the table of its topic."""
    key = models.CharField(max_length=32, default=new_token)
    """The same each time that it is tried."""

    def __str__(self) -> str:
        return f"{self.topic} {self.about} to {self.webhook_id}"
