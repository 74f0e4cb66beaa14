from typing import Any, NoReturn, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.career import ratings
from accounts.career.titles import TITLES
from accounts.models import Rating, User
from accounts.people.avatar import apart, of_bot
from accounts.shown import PlayerShown
from accounts.text.numbers import clock
from games.engine.core import Order
from games.matches.clocks import deadline, ms_of
from games.matches.playable import Pace, Playable

KEY_ALPHABET = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
KEY_LENGTH = 12


def new_key() -> str:
    """A random key (70 bits), without letters that look alike."""
    return get_random_string(KEY_LENGTH, KEY_ALPHABET)


class MatchQuerySet(models.QuerySet["Match"]):
    def seated(self) -> Self:
        """The matches with their seats in order, and the people in them."""
        return self.prefetch_related(models.Prefetch("seats", Seat.objects.select_related("user").order_by("index")))

    def playing(self) -> Self:
        """The matches with everything that an answer or a page needs: seats, ratings, standing orders."""
        return self.seated().prefetch_related("seats__user__ratings", "seats__orders")


class Match(Playable):
    """One sitting, from the moment it is opened: its header. The moves are its log.

    While it runs, nobody may see `secret` or anything that follows from it.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        SHUFFLING = "shuffling", _("Being shuffled")
        RUNNING = "running", _("Running")
        FINISHED = "finished", _("Finished")
        ABORTED = "aborted", _("Aborted")
        CLOSED = "closed", _("Closed before it began")

    ALIVE = (Status.OPEN, Status.SHUFFLING, Status.RUNNING)
    """What has not ended yet."""
    WAITING = (Status.OPEN, Status.SHUFFLING)
    """What has a waiting room."""
    UNDER_WAY = (Status.SHUFFLING, Status.RUNNING)
    """What has begun, or begins by itself in a moment."""
    CALLED = Q(status=Status.OPEN, wake_at__isnull=False, rematch_of__isnull=True)
    """The matches to which players have been called: they begin at `wake_at`, or as soon as all are ready."""

    Pace = Pace

    class Watch(models.TextChoices):
        ANYBODY = "all", _("Anyone")
        LINK = "link", _("People with the link")
        """While it is being played: it is in no list."""
        NOBODY = "none", _("No one")
        """While it is being played."""
        CLUB = "club", _("Members of the club")
        """Of the private club to which it belongs; also when it has ended."""

    # Four bytes: it is in every row of the log, and in its index.
    id = models.AutoField(primary_key=True)
    key = models.CharField(max_length=KEY_LENGTH, unique=True, default=new_key, editable=False)
    places = models.PositiveSmallIntegerField()
    """The number of seats."""
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    rated = models.BooleanField(default=False)
    """Whether it moves the ratings of the site; then anybody may watch it."""
    listed = models.BooleanField(default=True)
    """Whether the lobby shows it; otherwise people need the link."""
    watch = models.CharField(max_length=4, choices=Watch, default=Watch.ANYBODY)
    hidden = models.BooleanField(default=False)
    """Whether others play the same deal. Until their event closes nobody learns anything of it but its players, and
    they no more than what is on the table; then `games.matches.reveal` opens it to those who may watch."""
    club = models.ForeignKey("accounts.Club", null=True, on_delete=models.PROTECT, related_name="matches")
    """The club that plays it; None if it was opened in the lobby."""
    agreed = models.CharField(max_length=60, blank=True)
    """Below the address of the club, the page where its players agreed to play: nobody else may take their seats.
    Without a club, below that of the site: the page of the day whose hand is played."""
    guided = models.BooleanField(default=False)
    """Whether it is a first game, in which each decision is explained when it first comes up."""
    hinted = models.BooleanField(default=False, editable=False)
    """Whether a hint was asked for: it is a practice game then, and says little of how strong its players are."""
    rematch_of = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="rematch")

    played_from = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="played_on")
    """The match that has ended from whose middle it is played on: practice, which stands in no archive."""
    beginning = models.JSONField(null=True, editable=False)
    """Then where it begins: `match`, `ply` and `seat` say from where and for whom it is played on, `again` whether what
    the seat did not know was dealt again, `position` is the first position (`games.engine.position`). Nobody may see
    that while it runs."""

    tempo = models.CharField(max_length=7, default=User.Tempo.NORMAL, choices=User.Tempo)
    """The pace of bots."""
    skipped = models.PositiveIntegerField(null=True, editable=False)
    """The ply at which the only person last asked for the next question: until that comes, bots answer at once."""

    secret = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    header = models.JSONField(default=dict, editable=False)
    """Everything that was fixed when the match began, as the first link of its log covers it: `turn.header`.

    Empty before."""
    sealed_at = models.DateTimeField(null=True, editable=False)
    """When the seals of its shuffle were published: see `games.matches.shuffle`."""
    beacon_round = models.CharField(max_length=200, blank=True, editable=False)
    """The address of what a beacon was to say after that; empty if none was to be asked."""
    beacon = models.CharField(max_length=64, blank=True, editable=False)
    """What it said, in hexadecimal; empty if it did not answer in time."""

    ply = models.PositiveIntegerField(default=0)
    """The number of rows in the log."""
    mover = models.PositiveSmallIntegerField(null=True)
    """The seat whose turn it is, while the match runs."""
    asked_at = models.DateTimeField(null=True)
    """When the question was put: since then the mover's clock runs. While the match is open: when it last changed."""
    wake_at = models.DateTimeField(null=True)
    """When the worker must look: a bot or a standing order answers, or time is up, in the shuffle too."""
    link = models.BinaryField(max_length=32, default=b"", editable=False)
    """The last link of the log's chain: see `games.matches.chain`."""
    revision = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    """The number of changes since the beginning beside the log: votes, orders, seats. Together with `ply` it tells
    whether a process remembers the match as it is."""

    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)
    """The `result` of its record, once the match has ended."""

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            # What moves ratings can be seen by anybody, while it is played and later.
            models.CheckConstraint(condition=Q(rated=False) | Q(watch="all"), name="games_match_rated_in_public")
        ]
        indexes = [
            models.Index(fields=["wake_at"], name="games_match_due"),
            models.Index(fields=["status", "-created_at"], name="games_match_lobby"),
            models.Index(fields=["status", "-ended_at", "-id"], name="games_match_ended"),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return f"/m/{self.key}"

    @cached_property
    def talked(self) -> bool:
        """Whether there was a line in the players' chat when the match was queried."""
        return self.chat.exists()

    @cached_property
    def watchers_talked(self) -> bool:
        """The same of the watchers' chat."""
        return self.watchers_chat.exists()

    @cached_property
    def sitting(self) -> list["Seat"]:
        """The seats in order, queried once."""
        return list(self.seats.all())

    @cached_property
    def avatars(self) -> dict[int, str]:
        """By seat, what stands for whoever sits there, so that no two at the table look alike."""
        # Free seats are taken in the order of their keys (`games.lobby.open_matches`): they tell who came first.
        seats = sorted([seat for seat in self.sitting if seat.shown_name], key=lambda seat: seat.pk)
        found = apart([(seat.shown_name, seat.own_avatar) for seat in seats])
        return {seat.index: code for seat, code in zip(seats, found, strict=True)}

    @property
    def game_name(self) -> str:
        """The name of what is played, in the active language."""
        return str(TITLES[self.game].name)

    @property
    def counts(self) -> bool:
        """Whether something hangs on its result: ratings, or what its players agreed on elsewhere."""
        return self.rated or bool(self.agreed)

    @property
    def called(self) -> bool:
        """Whether it is one of those in `CALLED`."""
        return self.status == Match.Status.OPEN and self.wake_at is not None and self.rematch_of_id is None

    @property
    def began_ms(self) -> int:
        """When a started match began, in milliseconds since 1970."""
        assert self.started_at is not None
        return ms_of(self.started_at)

    @property
    def asked_ms(self) -> int:
        """When the present question of a started match was put, in milliseconds since 1970."""
        assert self.asked_at is not None
        return ms_of(self.asked_at)

    @property
    def deadline(self) -> int | None:
        """When the time of the mover runs out, in milliseconds since 1970; None without a clock or a question."""
        if self.mover is None:
            return None
        return deadline(self.clock, self.asked_ms, self.sitting[self.mover].bank_ms)


class Seat(models.Model):
    """A place at a table, with a user, a bot, or nobody yet."""

    class Left(models.TextChoices):
        TIME = "time", _("ran out of time")
        RESIGN = "resign", _("resigned")
        LEAVE = "leave", _("left the table")

    class Vote(models.TextChoices):
        """How all who are still at the table may stop a match."""

        ABORT = "abort", _("without a result")
        END = "end", _("with those who stayed before those who left")

    class From(models.TextChoices):
        """Where the bytes of a seat come from, in the shuffle."""

        SEALED = "sealed", _("the browser, sealed before any were opened")
        AHEAD = "ahead", _("the browser, given ahead")
        SITE = "site", _("the site’s secret")
        UNOPENED = "unopened", _("the site’s secret: sealed, and not opened in time")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="seats")
    bot = models.CharField(max_length=10, blank=True)
    """The name in `Game.bots` of a bot that sits here from the start."""
    name = models.CharField(max_length=150, blank=True)
    """The name at the start: a bot's at this table, a person's as it was then. Forgotten with a closed account."""
    ready = models.BooleanField(default=False)
    confirmed = models.BooleanField(default=True)
    """Whether the person has said yes to this game. A member whom a steward may seat without asking says so by being
    ready when it begins, or with their first answer; until then the game counts for no limit, and costs them nothing
    (`games.matches.finish`)."""
    share = models.BinaryField(max_length=16, default=b"", editable=False)
    """The 16 bytes of this seat that go into the shuffle."""
    share_from = models.CharField(max_length=8, choices=From, blank=True, editable=False)
    """Where they come from, or will; empty if that is not known yet."""
    seal = models.CharField(max_length=64, blank=True, editable=False)
    """Their seal, which everybody may see once `Match.sealed_at`; empty if no browser gave one."""
    salt = models.BinaryField(max_length=16, default=b"", editable=False)
    """With these random bytes the header has the hash of a person's name; forgotten together with it."""
    bank_ms = models.PositiveIntegerField(default=0)
    """The time that was left when the seat was last asked."""
    left = models.CharField(max_length=6, choices=Left, blank=True)
    """Why a bot has taken over; empty if none has."""
    left_ply = models.PositiveIntegerField(null=True)
    vote = models.CharField(max_length=5, choices=Vote, blank=True)
    """How the player agrees to stop the match, as soon as all others who are still there do; empty if they do not."""
    seen_ply = models.IntegerField(default=-1, db_default=-1)
    """The ply of the last question that the player has seen on a page, or was told of otherwise."""
    muted = models.BooleanField(default=False)
    """Whether the player has muted the chat of this table."""

    class Meta:
        ordering = ["match", "index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="games_seat_once"),
            models.UniqueConstraint(fields=["match", "user"], name="games_seat_one_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.match}/{self.index}"

    @cached_property
    def kept_orders(self) -> list["StandingOrder"]:
        """Its standing orders, queried once."""
        return list(self.orders.all())

    @cached_property
    def ratings(self) -> list[Rating]:
        """The ratings of its person, queried once: all, or those in the game of the match."""
        return list(self.user.ratings.all()) if self.user else []

    @property
    def own_avatar(self) -> str:
        """What stands for whoever sits here, wherever they are."""
        if self.user:
            return self.user.avatar
        return str(of_bot(self.name)) if self.bot else ""

    @property
    def person(self) -> PlayerShown:
        """Who sits here, without a rating."""
        return self._shown()

    def _shown(self, rating: str = "") -> PlayerShown:
        avatar = self.match.avatars.get(self.index, self.own_avatar)
        if self.user:
            return PlayerShown.of(self.user, rating)._replace(avatar=avatar)
        return PlayerShown(self.name, avatar=avatar, bot=self.bot)

    @cached_property
    def occupant(self) -> PlayerShown:
        """Who sat here when the match was queried, with the rating for a game like this one."""
        user, match = self.user, self.match
        pool = match.rules.pool(match.places)
        if user is None or user.guest or not pool:
            return self.person
        value, games = ratings.START, 0
        for rating in self.ratings:
            if (rating.game, rating.pool) == (match.game, pool):
                value, games = rating.value, rating.games
        return self._shown(ratings.shown(value, games))

    @property
    def plays_itself(self) -> bool:
        """Whether a bot answers here."""
        return bool(self.bot or self.left)

    @property
    def shown_name(self) -> str:
        """The name at the table."""
        return self.user.shown_name if self.user else self.name


class ByField(models.PositiveSmallIntegerField):  # type: ignore[type-arg]  # at run time it takes none
    """By whom a row of the log was made. A player, as nearly always, is NULL, which takes no room."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "null": True})

    def from_db_value(self, value: int | None, *_: Any) -> int:
        return value or 0

    def get_prep_value(self, value: Any) -> int | None:
        return super().get_prep_value(value) or None


class LogEntry(models.Model):
    """One row of a match's log. Appended, never changed or deleted: the database itself refuses.

    A row whose `move` begins with `!` is not a move of the game but an event that concerns a seat: `!time`, `!resign`,
    `!leave` (from here on a bot plays there), `!end` (the game ends here, see `games.matches.finish`), `!abort`,
    `!deserted` (the last one of all people has left, and the match is cancelled), `!absent` (somebody who was seated
    without being asked has not come, or has run out of time before their first answer, and the match is cancelled),
    `!closed` (its event has closed, in which others played the same deal, see `games.matches.reveal`), `!outage 45`
    (its clock was given 45 s back in which the site was away, see `games.matches.outage`).
    Rows name seats, never users.
    """

    class By(models.IntegerChoices):
        PLAYER = 0
        SERVER = 1
        BOT = 2

    pk = models.CompositePrimaryKey("match_id", "ply")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="log", db_index=False)
    # In this order PostgreSQL leaves no gaps in a row, and most rows are 48 bytes.
    at = models.BigIntegerField()
    """Milliseconds since 1970, UTC."""
    ply = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    by = ByField(choices=By, default=By.PLAYER)
    """SERVER: a forced move, the only answer, as everybody can see."""
    move = models.CharField(max_length=16)
    link = models.BinaryField(max_length=8, null=True)
    """The first bytes of its link, in one row of sixteen: see `games.matches.chain`."""

    class Meta:
        ordering = ["match", "ply"]
        verbose_name_plural = "log entries"

    def __str__(self) -> str:
        return f"{self.match_id}/{self.ply}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("a row of the log is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a row of the log is never deleted")


class StandingOrder(models.Model):
    """An answer that a player has given beforehand: an `Order` of the game. Nobody else learns that it exists."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="orders")
    kind = models.CharField(max_length=10)
    value = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "kind"], name="games_order_one_a_kind")]

    def __str__(self) -> str:
        return f"{self.seat}: order"

    @property
    def order(self) -> Order:
        """The order, as the engine takes it."""
        return Order(self.kind, self.value)


class Line(models.Model):
    """A line of a chat: a text, or something that each reader reads in their own language (`games.matches.chat`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=200, blank=True)
    phrase = models.CharField(max_length=10, blank=True)
    """Instead of a text, the name of a ready-made phrase, or of what the user has done."""
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.match_id}: {self.text or self.phrase}"  # type: ignore[attr-defined]


class ChatLine(Line):
    """A line among the players of a table, before, during and after the game."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chat")


class WatcherLine(Line):
    """A line among the watchers of a table, which no player may see while the game runs.

    In a table of its own: nothing that is made for players, not even the ids of their lines, depends on it.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="watchers_chat")


class Invitation(models.Model):
    """A person whom the host of an open match has challenged to it. It is gone once it is answered."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="games_invitation_once")]

    def __str__(self) -> str:
        return f"{self.match}: {self.user}"


class Seek(models.Model):
    """A search for a quick match."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seek")
    game = models.CharField(max_length=20)
    """The slug of the title, which is played by its newest rules."""
    places = models.PositiveSmallIntegerField()
    since = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(auto_now=True)
    """When the page last said that its player is still there."""

    def __str__(self) -> str:
        return f"{self.user} waits"

    @property
    def game_name(self) -> str:
        """The name of what is looked for, in the active language."""
        return str(TITLES[self.game].name)

    @property
    def waited_s(self) -> int:
        """How long it has taken so far, in seconds."""
        return int((timezone.now() - self.since).total_seconds())

    @property
    def waited(self) -> str:
        """The same as a clock shows it."""
        return clock(1000 * self.waited_s)


class Heartbeat(models.Model):
    """When a process that serves the site last said so. One row."""

    at = models.BigIntegerField()
    """Milliseconds since 1970, UTC."""

    def __str__(self) -> str:
        return str(self.at)


class Outage(models.Model):
    """A time in which nobody could answer: the site or its database was away (`games.matches.outage`)."""

    began = models.BigIntegerField()
    ended = models.BigIntegerField()
    """Milliseconds since 1970, UTC."""
    settled = models.BooleanField(default=False)
    """Whether all clocks have been given back what they lost."""

    def __str__(self) -> str:
        return f"{self.began} to {self.ended}"
