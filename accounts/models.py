from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from accounts.names import folded

POOLS = {"2": _("2 players"), "3-4": _("3 and 4 players")}
"""The rating pools: which games are rated together."""


class People(UserManager):
    use_in_migrations = False

    def get_by_natural_key(self, username):
        """Whoever has this name, typed in whatever case."""
        return self.get(folded=folded(username))


class User(AbstractUser):
    """A person who plays, registered or a guest. The e-mail address is optional."""

    folded = models.CharField(max_length=150, unique=True, editable=False)
    """The name without regard to case: no two are equal."""
    guest = models.BooleanField(default=False)
    """Plays without having signed up: casual games against bots, kept if he signs up later."""
    language = models.CharField(max_length=10, blank=True)
    """A code of `settings.LANGUAGES`; empty: as the browser asks."""
    theme = models.CharField(
        max_length=5, default="auto", choices=[("auto", _("As the device")), ("light", _("Light")), ("dark", _("Dark"))]
    )
    closing_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """When the account will be pseudonymised, as its owner asked."""
    closed = models.BooleanField(default=False)
    """Pseudonymised: nobody signs in here any more."""

    objects = People()

    def clean(self):
        super().clean()
        if User.objects.filter(folded=folded(self.username)).exclude(pk=self.pk).exists():
            raise ValidationError({"username": self._meta.get_field("username").error_messages["unique"]}, "unique")

    def save(self, *args, **kwargs):
        self.folded = folded(self.username)
        super().save(*args, **kwargs)


class Session(AbstractBaseSession):
    """A browser that is signed in, or that the site remembers something of. Written by `accounts.sessions`."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sessions")

    @classmethod
    def get_session_store_class(cls):
        from accounts.sessions import SessionStore

        return SessionStore

    def delete(self, *args, **kwargs):
        """End the session; whoever keeps something open for its user hears of it."""
        from accounts.sessions import ended

        user, deleted = self.user_id, super().delete(*args, **kwargs)
        if user:
            transaction.on_commit(lambda: [tell(user) for tell in ended])
        return deleted


class Rating(models.Model):
    """What a person's games of one pool have come to. Changed by `accounts.archive` and `rerate` only."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="ratings")
    pool = models.CharField(max_length=3, choices=list(POOLS.items()))
    value = models.FloatField(default=1500)
    best = models.FloatField(default=1500)
    """The highest that it has been, the beginning included."""
    games = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "pool"], name="accounts_rating_one_a_pool")]
        indexes = [models.Index(fields=["pool", "-value", "games"], name="accounts_rating_board")]

    def __str__(self):
        return f"{self.user} {self.pool}: {self.value:.0f}"


class ArchivedMatch(models.Model):
    """One person's part in one finished match: the archive page, and the ledger of ratings.

    The rows of one match are written together. In the order of `id` they give all ratings again (`rerate`).
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="archive")
    match = models.CharField(max_length=12)
    """The key of the match in its address."""
    ended_at = models.DateTimeField()
    seats = models.PositiveSmallIntegerField()
    """How many sat at the table, bots too."""
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    points = models.SmallIntegerField()
    categories = models.CharField(max_length=16, blank=True)
    """The codes of what was won, for statistics: for Biblios the letters of the dice."""
    left = models.CharField(max_length=8, blank=True)
    """Why a bot played to the end: "time", "resign", "leave"; empty if the person did."""
    names = models.JSONField()
    """The names at the table, by seat, as they were."""
    scores = models.JSONField()
    """The points of all, by seat."""
    pool = models.CharField(max_length=3, blank=True, choices=list(POOLS.items()))
    """The pool in which the match was rated; empty if it was not."""
    before = models.FloatField(null=True)
    after = models.FloatField(null=True)
    """The rating before and after the match, of a rated one."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="accounts_archived_once")]
        indexes = [
            # What the filters ask for follows, so that they skip rows without reading them.
            models.Index(
                fields=["user", "-ended_at", "-id", "seats", "place", "pool"],
                name="accounts_archive_page",
            ),
            models.Index(fields=["user", "pool", "ended_at", "id", "after"], name="accounts_archive_chart"),
            models.Index(fields=["match"], name="accounts_archive_match"),
        ]

    def __str__(self):
        return f"{self.user} in {self.match}"


class Tally(models.Model):
    """How many of a person's archived matches were alike, so that no page adds up thousands of rows.

    Written by `accounts.tallies` only.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tallies", db_index=False)
    seats = models.PositiveSmallIntegerField()
    pool = models.CharField(max_length=3, blank=True)
    categories = models.CharField(max_length=16, blank=True)
    games = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    points = models.IntegerField()
    """The sum of them."""

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(fields=["user", "seats", "pool", "categories"], name="accounts_tally_once")
        ]

    def __str__(self):
        return f"{self.user}: {self.games}"


class Block(models.Model):
    """Who wants nothing to do with whom: no quick match together, no chat shown, no seat at his table."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "blocked"], name="accounts_block_once")]

    def __str__(self):
        return f"{self.user} blocks {self.blocked}"


class Report(models.Model):
    """Somebody's complaint about somebody, for the stewards of the site."""

    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="reports_made")
    about = models.ForeignKey(User, on_delete=models.CASCADE, related_name="reports")
    match = models.CharField(max_length=12, blank=True)
    text = models.TextField(max_length=2000)
    at = models.DateTimeField(auto_now_add=True)
    settled = models.BooleanField(default=False)

    def __str__(self):
        return f"{self.by} about {self.about}"
