import secrets
from typing import Any, ClassVar, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.journal.rows import JournalRow
from accounts.signals import session_ended
from accounts.text.names import LONGEST_GUEST, folded, skeleton, skeleton_of_club


def new_key() -> str:
    """A random key (95 bits)."""
    return get_random_string(16)


def new_salt() -> bytes:
    """16 random bytes."""
    return secrets.token_bytes(16)


LONGEST_SKELETON = 600
LONGEST_ABOUT = 200
LONGEST_MESSAGE = 1000


class People(UserManager["User"]):
    use_in_migrations = False

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user with this name, typed in whatever case."""
        return self.get(folded=folded(username or ""))


def shown_name(username: str, guest_name: str) -> str:
    """How somebody is called on pages: the name that a guest has chosen always has a mark, which no account can have in
    its name."""
    return gettext("%(name)s (guest)") % {"name": guest_name} if guest_name else username


class User(AbstractUser):
    """A person who plays, registered or a guest. `email`, their confirmed address, is optional."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("Match device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class Dates(models.TextChoices):
        """How days are written."""

        AUTO = "", _("Match browser")
        DAY = "day", _("22 Nov 2026")
        MONTH = "month", _("Nov 22, 2026")
        YEAR = "year", _("2026-11-22")

    class Clock(models.TextChoices):
        """How times of day are written."""

        AUTO = "", _("Match browser")
        FULL = "24", _("15:30")
        HALF = "12", _("3:30 p.m.")

    class Tempo(models.TextChoices):
        """The pace of bots."""

        SLOW = "slow", _("Slow")
        NORMAL = "normal", _("Normal")
        INSTANT = "instant", _("At once")

    class Written(models.TextChoices):
        """How moves are written."""

        WORDS = "words", _("Words")
        NOTATION = "notation", _("Notation")

    class Text(models.TextChoices):
        """The size of all text."""

        NORMAL = "normal", _("Normal")
        LARGE = "large", _("Large")
        LARGER = "larger", _("Larger")

    folded = models.CharField(max_length=150, unique=True, editable=False)
    """The name folded to one case: no two are equal."""
    skeleton = models.CharField(max_length=LONGEST_SKELETON, unique=True, editable=False)
    """What is equal for names that look the same: so no two do."""
    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    """The name of the account in the chains of its games. It stays when the account is renamed or closed."""
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    """With these random bytes the events of ladders have the hash of the name; forgotten when the account is closed."""
    new_email = models.EmailField(blank=True)
    """An address that is to be confirmed: until then `email` stays as it is (`accounts.mails.addresses`)."""
    guest = models.BooleanField(default=False)
    """Plays without having signed up: casual games against bots, kept on signing up."""
    guest_name = models.CharField(max_length=LONGEST_GUEST, blank=True)
    """What a guest wants to be called, or a steward has called them; empty for accounts. Only shown, with a mark: see
    `shown_name`. Set by `accounts.services.name_guest` only."""
    language = models.CharField(max_length=10, blank=True)
    """A code of `settings.LANGUAGES`; empty: as the browser asks."""
    theme = models.CharField(max_length=5, default=Theme.AUTO, choices=Theme)
    zone = models.CharField(max_length=40, blank=True)
    """A time zone, as `zoneinfo` names it; empty: the browser's."""
    dates = models.CharField(max_length=5, blank=True, choices=Dates)
    clock = models.CharField(max_length=2, blank=True, choices=Clock)
    avatar = models.CharField(max_length=24, blank=True)
    """What stands for the person, as `accounts.people.avatar` reads it; empty: the first letter of the name."""
    about = models.CharField(max_length=LONGEST_ABOUT, blank=True)
    """What the person says about themselves."""
    unseen = models.BooleanField(default=False)
    """Whether nobody is shown that they are online."""
    tempo = models.CharField(max_length=7, default=Tempo.NORMAL, choices=Tempo)
    """The pace of bots at the tables that this person opens."""
    volume = models.PositiveSmallIntegerField(default=25)
    """Of the sounds of a table, from 0 to 100."""
    written = models.CharField(max_length=8, default=Written.WORDS, choices=Written)
    confirms = models.BooleanField(default=False)
    """Whether an answer at a table is sent by a second press only."""
    letters = models.BooleanField(default=True)
    """Whether single letters and digits are shortcuts at a table."""
    text = models.CharField(max_length=6, default=Text.NORMAL, choices=Text)
    patterns = models.BooleanField(default=False)
    """Whether what has a colour on cards has a pattern too."""
    reviewed = models.BooleanField(default=False)
    """Whether the decisions of their games are looked at whenever one has ended, without being asked to."""
    silenced = models.JSONField(default=list, blank=True)
    """Topics switched off (`accounts.notices.notices`): "deadline" on the site, "deadline:mail" in mails."""
    closing_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """When the account will be pseudonymised, as its owner asked."""
    closed = models.BooleanField(default=False)
    """Pseudonymised: nobody signs in here any more."""

    objects: ClassVar[People] = People()

    def clean(self) -> None:
        super().clean()
        if User.objects.filter(skeleton=skeleton(self.username)).exclude(pk=self.pk).exists():
            raise ValidationError({"username": User._meta.get_field("username").error_messages["unique"]}, "unique")

    def fold(self) -> None:
        """Set what follows from the name."""
        self.folded, self.skeleton = folded(self.username), skeleton(self.username)

    @property
    def shown_name(self) -> str:
        """How they are called on pages. Never an identifier: that is `username`."""
        return shown_name(self.username, self.guest_name if self.guest else "")

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.username])

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.fold()
        super().save(*args, **kwargs)


class Session(AbstractBaseSession):
    """A browser that is signed in, or about which the site remembers something. Written by `SessionStore`."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sessions")

    @classmethod
    def get_session_store_class(cls) -> type["SessionStore"]:
        return SessionStore

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """End the session, and tell whoever keeps sockets open for its user."""
        user, deleted = self.user_id, super().delete(*args, **kwargs)
        if user:
            transaction.on_commit(lambda: session_ended.send(Session, user=user))
        return deleted


class SessionStore(db.SessionStore):
    """Django's sessions in the database, in rows that name the user: the engine of the settings."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        row.user_id = data.get(SESSION_KEY)
        return row

    async def acreate_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, await super().acreate_model_instance(data))
        row.user_id = data.get(SESSION_KEY)
        return row


class CalendarAddress(models.Model):
    """The secret address of a person's calendar. Written by `accounts.people.calendar` only."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="calendar")
    token = models.CharField(max_length=32, unique=True)

    def __str__(self) -> str:
        return f"calendar of {self.user}"


class Browser(models.Model):
    """That somebody has signed in with a browser: for the stewards' report, and for no page of players.

    Written by `accounts.people.browsers`, deleted some time after the last sign-in.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="browsers")
    browser = models.CharField(max_length=22)
    """Random, and the same for all accounts that have signed in with this browser."""
    mark = models.CharField(max_length=32, db_index=True)
    """The keyed hash of the number that the browser now carries for this account."""
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["browser", "user"], name="accounts_browser_once")]

    def __str__(self) -> str:
        return f"{self.user}, {self.seen_at:%Y-%m-%d}"


class Rating(models.Model):
    """The rating of a person in one pool of a game. Changed by `accounts.career.archive` and `rerate` only."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="ratings")
    game = models.CharField(max_length=20)
    """The slug of a game, as in `ArchivedMatch`."""
    pool = models.CharField(max_length=10)
    """The code of a pool: which games are rated together, as the game says."""
    value = models.FloatField(default=1500)
    best = models.FloatField(default=1500)
    """The highest that it has been, the initial one included."""
    games = models.PositiveIntegerField(default=0)
    """The number of games that have counted."""
    opponents = models.JSONField(default=list)
    """The ids of the people met who count towards a rank: see `accounts.career.ratings.Level`."""
    ranked = models.BooleanField(default=False)
    """Whether it has a place on the leader board."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game", "pool"], name="accounts_rating_one_a_pool")]
        indexes = [models.Index(fields=["game", "pool", "ranked", "-value"], name="accounts_rating_board")]

    def __str__(self) -> str:
        return f"{self.user} {self.game} {self.pool}: {self.value:.0f}"


class ArchivedMatch(models.Model):
    """One person's part in one finished match: the archive page, and the ledger of ratings.

    The rows of one match are written together. All ratings can be recomputed from them in the order of `id` (`rerate`).
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="archive")
    match = models.CharField(max_length=12)
    """The key of the match in its address."""
    game = models.CharField(max_length=20)
    """The slug of what was played: see `accounts.career.titles`."""
    ended_at = models.DateTimeField()
    seats = models.PositiveSmallIntegerField()
    """The number of seats, bots included."""
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    level = models.PositiveSmallIntegerField(default=0)
    """How hard it was, from 1, of a game of one player; 0 of others."""
    won = models.BooleanField()
    """As the game says: somebody alone may have the first place and lose."""
    points = models.SmallIntegerField()
    categories = models.CharField(max_length=16, blank=True)
    """The codes of what else was won, one letter each, as the game says: for statistics."""
    left = models.CharField(max_length=8, blank=True)
    """Why a bot played on: "time", "resign", "leave"; empty if the person finished the match."""
    soon = models.BooleanField(default=False)
    """Whether that was while the game had hardly begun, so that nobody gains from it."""
    bots = models.BooleanField(default=False)
    """Whether a bot had a seat from the start."""
    feats = models.JSONField(default=dict)
    """What the person did in it, counted by code, as the game says: for statistics."""
    ended = models.CharField(max_length=12, blank=True)
    """How the match ended before its game did: "resignation", "time", "abandoned" or "agreement"; empty if it was
    played to its end. The points are then those of that moment, and decided nothing."""
    names = models.JSONField()
    """The names at the table, by seat, as they were."""
    scores = models.JSONField()
    """The points of all, by seat."""
    pool = models.CharField(max_length=10, blank=True)
    """The pool in which the match was rated; empty if it was not."""
    before = models.FloatField(null=True)
    after = models.FloatField(null=True)
    """The rating before and after a rated match."""
    games = models.PositiveIntegerField(null=True)
    """The number of games of the pool that had counted before it."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="accounts_archived_once")]
        indexes = [
            # The columns that the filters ask about follow, so that they skip rows without reading them.
            models.Index(
                fields=["user", "-ended_at", "-id", "game", "seats", "won", "pool"],
                name="accounts_archive_page",
            ),
            models.Index(fields=["user", "game", "pool", "ended_at", "id", "after"], name="accounts_archive_chart"),
            models.Index(fields=["match"], name="accounts_archive_match"),
            models.Index(
                fields=["game", "level", "-points", "ended_at", "id"],
                name="accounts_archive_alone",
                condition=models.Q(seats=1, won=True, ended=""),
            ),
            models.Index(
                fields=["user", "game", "level", "ended", "won", "points"],
                name="accounts_archive_levels",
                condition=models.Q(seats=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.match}"


class Tally(models.Model):
    """A count of a person's similar archived matches, so that no page adds up thousands of rows.

    Written by `accounts.career.tallies` only.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tallies", db_index=False)
    game = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()
    pool = models.CharField(max_length=10, blank=True)
    bots = models.BooleanField()
    early = models.BooleanField()
    """Whether they ended before their games did."""
    categories = models.CharField(max_length=16, blank=True)
    games = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    points = models.IntegerField()
    """The sum of their points."""

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "game", "seats", "pool", "bots", "early", "categories"], name="accounts_tally_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.games}"


class Feat(models.Model):
    """How often a person has done something in their archived matches. Written by `accounts.career.tallies` only."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="feats", db_index=False)
    game = models.CharField(max_length=20)
    bots = models.BooleanField()
    """Whether it counts the matches in which a bot had a seat from the start, or the others."""
    alone = models.BooleanField()
    """Whether it counts the matches of one player."""
    code = models.CharField(max_length=16)
    """What was done, as the game says."""
    times = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "bots", "alone", "code"], name="accounts_feat_once")
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.code}: {self.times}"


class Follow(models.Model):
    """Somebody who wants to see when another is online."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="follows")
    followed = models.ForeignKey(User, on_delete=models.CASCADE, related_name="followers")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "followed"], name="accounts_follow_once")]

    def __str__(self) -> str:
        return f"{self.user} follows {self.followed}"


class Message(models.Model):
    """A private message. Written by `accounts.people.inbox` only."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    to = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(max_length=LONGEST_MESSAGE)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["by", "to", "-id"], name="accounts_message_page")]

    def __str__(self) -> str:
        return f"{self.by} to {self.to}"


class Conversation(models.Model):
    """The messages of two people, as one of them has them. Written by `accounts.people.inbox` only."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="conversations", db_index=False)
    other = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    last = models.ForeignKey(Message, null=True, on_delete=models.SET_NULL, related_name="+")
    """The newest message."""
    unread = models.PositiveIntegerField(default=0)
    """The number of messages from the other that the person has not seen."""
    deleted = models.BigIntegerField(default=0)
    """The person has deleted the messages up to this id."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "other"], name="accounts_conversation_once")]
        indexes = [models.Index(fields=["user", "-last"], name="accounts_conversation_page")]

    def __str__(self) -> str:
        return f"{self.user} with {self.other}"


class Block(models.Model):
    """Somebody who wants nothing to do with another: no quick match together, no chat shown, no seat at their table."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "blocked"], name="accounts_block_once")]

    def __str__(self) -> str:
        return f"{self.user} blocks {self.blocked}"


class Report(models.Model):
    """A complaint about a person, for the stewards of the site."""

    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="reports_made")
    about = models.ForeignKey(User, on_delete=models.PROTECT, related_name="reports")
    """A guest too: they are kept with it."""
    match = models.CharField(max_length=12, blank=True)
    text = models.TextField(max_length=2000)
    messages = models.TextField(blank=True)
    """The private messages that the reporter wants the stewards to read, as text; empty if none."""
    at = models.DateTimeField(auto_now_add=True)
    settled = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.by} about {self.about}"


LONGEST_CLUB_NAME = 60
LONGEST_SLUG = 40
LONGEST_TEXT = 2000
"""Of a club's description, and of an announcement."""
LONGEST_REASON = 500


class Club(models.Model):
    """People who play together. Written by `accounts.clubs.clubs` only."""

    class Joining(models.TextChoices):
        FREE = "free", _("Anyone can join")
        APPROVAL = "ask", _("Stewards approve requests")
        INVITATION = "invite", _("By invitation only")

    name = models.CharField(max_length=LONGEST_CLUB_NAME)
    skeleton = models.CharField(max_length=LONGEST_SKELETON, editable=False)
    """What is equal for names that look the same: no two public clubs have such names."""
    slug = models.CharField(max_length=LONGEST_SLUG, unique=True)
    """The club's name in addresses: lower-case letters, digits and hyphens."""
    description = models.TextField(max_length=LONGEST_TEXT, blank=True)
    language = models.CharField(max_length=10, blank=True)
    """The club's language, a code of `settings.LANGUAGES`; empty: any."""
    arms = models.CharField(max_length=40, blank=True, default="")
    """What stands beside its name, as `accounts.clubs.arms` reads it; empty: the first letter of the name."""
    private = models.BooleanField(default=False)
    """Only members and invited people learn that the club exists. It is joined by invitation only."""
    joining = models.CharField(max_length=6, choices=Joining, default=Joining.FREE)
    invitation = models.CharField(max_length=22, blank=True)
    """The token of the link by which anybody may join; empty if there is no such link."""
    invitation_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    """The steward who made this link."""
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)
    """When a steward closed it, or its last member left: it is read as before, and nothing new happens in it."""

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["invitation"], condition=~models.Q(invitation=""), name="accounts_club_invitation"
            ),
            models.UniqueConstraint(fields=["skeleton"], condition=models.Q(private=False), name="accounts_club_looks"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.skeleton = skeleton_of_club(self.name)
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return self.address("club")

    def address(self, page: str, *args: object) -> str:
        """The address of one of its pages, by the name of the page and what its address has further."""
        return reverse(page, args=[self.slug, *args])


class Right(models.TextChoices):
    """A part of what the stewards of a club do. All but the first can be given to ordinary members."""

    CLUB = "club", _("club")
    PEOPLE = "people", _("people")
    LADDER = "ladder", _("ladder")
    EVENTS = "events", _("events")
    ANNOUNCEMENTS = "announcements", _("announcements")


class Member(models.Model):
    """A person's membership in a club."""

    class Role(models.TextChoices):
        MEMBER = "member", _("Member")
        STEWARD = "steward", _("Steward")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=7, choices=Role, default=Role.MEMBER)
    rights = models.CharField(max_length=60, blank=True)
    """The rights given to an ordinary member, with spaces between them; empty for stewards, who have all."""
    joined_at = models.DateTimeField()
    seatable = models.BooleanField(default=False)
    """Whether the stewards may seat this member at club nights without asking each time."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="accounts_member_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.club}"

    @property
    def may(self) -> tuple[Right, ...]:
        """What this member may do for the club: nothing once it is closed."""
        if self.club.closed_at is not None:
            return ()
        steward = self.role == self.Role.STEWARD
        return tuple(right for right in Right if steward or right in self.rights.split())


class Asking(models.Model):
    """A request to join a club, or a steward's invitation."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="askings")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="askings")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    """The steward who sent the invitation; None for a request."""
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="accounts_asking_once")]

    def __str__(self) -> str:
        return f"{self.user} and {self.club}"


class Handover(models.Model):
    """A steward's offer to hand a club over to another member, who has not answered yet."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="handover")
    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    to = models.ForeignKey(User, on_delete=models.CASCADE, related_name="handovers")
    stays = models.BooleanField()
    """Whether who hands it over stays a steward."""
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.club} to {self.to}"


class Rejection(models.Model):
    """A request to join that the stewards rejected: the person must wait before asking again."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="rejections")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="rejections")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="accounts_rejection_once")]

    def __str__(self) -> str:
        return f"{self.user} not yet in {self.club}"


class MailInvitation(models.Model):
    """An invitation to a club that was sent to a mail address, whoever reads it.

    Written by `accounts.clubs.mail_invitations` only.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="mailed")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    """The steward who sent it."""
    address = models.EmailField()
    mailbox = models.EmailField()
    """The address as `addresses.mailbox` counts it."""
    token = models.CharField(max_length=22, unique=True)
    """The token of its link, which is good for one person."""
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "mailbox"], name="accounts_mailed_once")]

    def __str__(self) -> str:
        return f"{self.club}: {self.pk}"


class Enquiry(models.Model):
    """A mail that is to go to an address which nobody has confirmed: whether it is somebody's, or an invitation to a
    club. It is sent, and deleted, by `accounts.enquiries`."""

    address = models.EmailField()
    user = models.OneToOneField(User, null=True, on_delete=models.CASCADE, related_name="+")
    """Whose address it may be ..."""
    invitation = models.OneToOneField(MailInvitation, null=True, on_delete=models.CASCADE, related_name="+")
    """... or to what it invites: one of the two."""
    language = models.CharField(max_length=10)
    mail_at = models.DateTimeField(db_index=True)
    """When it is to be sent, or tried again."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user=None) ^ models.Q(invitation=None), name="accounts_enquiry_one"
            )
        ]

    def __str__(self) -> str:
        return f"enquiry {self.pk}"


class ClosedMailbox(models.Model):
    """A mail address to which no invitations go any more, because whoever reads it said so."""

    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the mailbox: the address itself is not kept."""

    def __str__(self) -> str:
        return self.digest


class Expulsion(models.Model):
    """A person who may not be a member of a club any more, until a steward lifts it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="expulsions")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="expulsions")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=LONGEST_REASON)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="accounts_expulsion_once")]

    def __str__(self) -> str:
        return f"{self.user} not in {self.club}"


class Announcement(models.Model):
    """A message from the stewards to the whole club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="announcements")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField(max_length=LONGEST_TEXT)
    public = models.BooleanField(default=False)
    """Whether everybody who sees the club can read it; otherwise its members alone."""
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.club}: {self.text[:40]}"


class StewardDecision(JournalRow):
    """Something that the stewards of a club have decided. Written by `accounts.clubs.decisions` only, which has its
    kinds and what they say. Only a reason is emptied when the account of whom it concerns is closed."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="decisions")
    user = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    """Whom it concerns, if it is one person."""

    class Meta:
        indexes = [models.Index(fields=["club", "-id"], name="accounts_decision_page")]

    def __str__(self) -> str:
        return f"{self.club}: {self.kind}"


class Notice(models.Model):
    """A message to a person: at the bell of every page, and by mail. Written by `accounts.notices.notices` only."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    """Who caused it ..."""
    club = models.ForeignKey(Club, null=True, on_delete=models.SET_NULL, related_name="+")
    """... or whose clock did: one of the two, by which its mails are counted."""
    kind = models.CharField(max_length=20)
    """A key of `accounts.notices.notices.KINDS`, which holds the sentences."""
    values = models.JSONField(default=dict)
    """The values in the sentence: names and numbers, nothing that is hidden from the user."""
    address = models.CharField(max_length=200)
    """The path of the page that it leads to."""
    at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)
    mail_at = models.DateTimeField(null=True)
    """When a mail is to be sent, or tried again; empty if none is due."""
    held = models.BooleanField(default=False)
    """Whether its mail waits for room, so that the next one to its reader takes it along."""

    class Meta:
        indexes = [
            models.Index(fields=["user", "-at", "-id"], name="accounts_notice_page"),
            models.Index(fields=["user"], condition=models.Q(seen_at=None), name="accounts_notice_unseen"),
            models.Index(fields=["mail_at"], condition=models.Q(mail_at__isnull=False), name="accounts_notice_mail"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"
