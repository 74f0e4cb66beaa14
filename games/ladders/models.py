from functools import cached_property

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.journal.rows import ChainedRow, new_origin
from games.engine.core import Game
from games.engine.registry import title
from games.ladders.payloads import AnyPayload, Event, payload_of
from games.ladders.standing import Standing
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.matches.playable import Playable

LONGEST_NAME = 40
"""The most characters of the name of a ladder."""


class Ladder(models.Model):
    """An order of players of a club. Changed by `games.ladders.events` only, event by event."""

    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="ladders", db_index=False)
    number = models.PositiveSmallIntegerField(default=1)
    """The number within its club, from 1: part of its address."""
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    """Empty for the first one as long as it is the only one and nobody has named it."""
    game = models.CharField(max_length=20)
    """The slug of the title that is played for it, by its newest rules."""
    standing = models.JSONField(default=dict)
    """The result of replaying the events, as `Standing.to_json` gives it."""
    events = models.PositiveIntegerField(default=0)
    """The number of events so far."""
    wake_at = models.DateTimeField(null=True, db_index=True)
    """When the worker must look again: see `games.ladders.due`."""
    warned = models.JSONField(default=dict)
    """By player's id (as text), when the last warning was due that they would sink: milliseconds since 1970."""
    closed_at = models.DateTimeField(null=True)
    """When the stewards closed it for good; None while it goes on."""
    origin = models.BinaryField(max_length=16, default=new_origin, editable=False)
    """What the chain of its events begins with: see `accounts.journal.chain`."""

    class Meta:
        ordering = ["club", "number"]
        constraints = [models.UniqueConstraint(fields=["club", "number"], name="games_ladder_once")]

    def __str__(self) -> str:
        return f"ladder {self.number} of {self.club}"

    def get_absolute_url(self) -> str:
        return self.address("ladder")

    def address(self, page: str, *args: object) -> str:
        """The address of one of its pages, by the name of the page and what its address has further."""
        return self.club.address(page, self.number, *args)

    @property
    def page(self) -> str:
        """Its page, below the address of the club."""
        return f"ladders/{self.number}"

    @property
    def label(self) -> str:
        """Its name, or what it is called without one."""
        return self.name or str(_("The ladder"))

    @property
    def full_name(self) -> str:
        """The name of its club, and its own if it has one: what sentences call it."""
        return f"{self.club.name} · {self.name}" if self.name else self.club.name

    @property
    def file_name(self) -> str:
        """What the names of its files begin with."""
        return self.club.slug if self.number == 1 else f"{self.club.slug}-{self.number}"

    @property
    def game_rules(self) -> Game:
        """The newest rules of its game: its next challenge is played by them."""
        return title(self.game)

    def now_standing(self) -> Standing:
        """The present standing."""
        return Standing.from_json(self.standing)


class LadderEvent(ChainedRow):
    """One change of a ladder: `games.ladders.payloads` has what it can say."""

    MORE = ("steps",)

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="log", db_index=False)
    steps = models.JSONField(default=dict)
    """By player's id (as text), the positions before and after, from 1; None for off the ladder."""

    class Meta:
        ordering = ["ladder", "number"]
        constraints = [models.UniqueConstraint(fields=["ladder", "number"], name="games_ladderevent_once")]
        indexes = [models.Index(fields=["ladder", "kind", "number"], name="games_ladderevent_kind")]

    def __str__(self) -> str:
        return f"{self.ladder_id}/{self.number} {self.kind}"

    @cached_property
    def payload(self) -> AnyPayload:
        """What it says."""
        return payload_of(self.kind, self.data)


def past(rows: models.QuerySet[LadderEvent]) -> list[Event]:
    """Events in order, as the standing, tallies and awards take them."""
    found = rows.order_by("number").values_list("number", "at", "kind", "data", "steps")
    return [Event(number, ms_of(at), payload_of(kind, data), steps) for number, at, kind, data, steps in found]


class Challenge(Playable):
    """A request to play for positions on a ladder, from the proposal to the result."""

    class Status(models.TextChoices):
        OPEN = "open", _("Waiting for an answer")
        AGREED = "agreed", _("Agreed")
        PLAYING = "playing", _("Being played")
        PLAYED = "played", _("Played")
        DECLINED = "declined", _("Declined")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        EXPIRED = "expired", _("Not answered or played in time")
        VOID = "void", _("Doesn’t count")

    ALIVE = (Status.OPEN, Status.AGREED, Status.PLAYING)

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="challenges")
    challenger = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    times = models.JSONField(default=list)
    """Live: up to three moments to choose from, in milliseconds since 1970; none: as soon as everybody is there."""
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    """The author of these terms: the challenger, or whoever made another proposal."""
    made_at = models.DateTimeField()
    answer_by = models.DateTimeField()
    propose_by = models.DateTimeField()
    """Until then all of the players may propose other terms; later, only the challenger."""
    agreed_at = models.DateTimeField(null=True)
    starts_at = models.DateTimeField(null=True)
    """When the table opens, once agreed; None: as soon as everybody is there."""
    finish_by = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    passed = models.JSONField(default=list)
    """The ids of those who were asked to its table beside the challenged, and do not sit there."""
    reminded = models.DateTimeField(null=True)
    """Reminders that were due up to then have been given: see `games.ladders.agenda`."""
    match = models.OneToOneField(Match, null=True, on_delete=models.PROTECT, related_name="challenge")

    class Meta:
        indexes = [models.Index(fields=["ladder", "status"], name="games_challenge_alive")]

    def __str__(self) -> str:
        return f"challenge {self.pk}"

    def get_absolute_url(self) -> str:
        return self.ladder.address("challenge", self.pk)

    @property
    def page(self) -> str:
        """Its page, below the address of the club: `Match.agreed` of its tables."""
        return f"{self.ladder.page}/challenges/{self.pk}"

    @property
    def alive(self) -> bool:
        """Whether it is still open."""
        return self.status in self.ALIVE


class TableResult(models.Model):
    """The result of a game at a real table, from when somebody enters it until it counts, or does not."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waiting for the others")
        ASKED = "asked", _("A steward is asked")
        DISPUTED = "disputed", _("Disputed")
        COUNTED = "counted", _("Counts")
        REJECTED = "rejected", _("Rejected")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        LAPSED = "lapsed", _("Lapsed")

    ALIVE = (Status.WAITING, Status.ASKED, Status.DISPUTED)
    DECIDED = (Status.ASKED, Status.DISPUTED)
    """Those about which a steward may decide: one of the players has asked for it, or says that it is wrong."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="table_results")
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    """One of the players, or a steward."""
    status = models.CharField(max_length=9, choices=Status, default=Status.WAITING)
    played_on = models.DateField()
    entered_at = models.DateTimeField()
    until = models.DateTimeField()
    """Until then the others can confirm it, or a steward decide about it; then it lapses."""
    reminded = models.DateTimeField(null=True)
    """Reminders that were due up to then have been given: see `games.ladders.agenda`."""
    called_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    word = models.CharField(max_length=300, blank=True)
    """What whoever disputes it, or asks a steward, says."""
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    """The steward who decided about it."""
    reason = models.CharField(max_length=500, blank=True)
    """What the steward says."""
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["ladder", "status"], name="games_tableresult_alive")]

    def __str__(self) -> str:
        return f"result {self.pk} from the table"

    def get_absolute_url(self) -> str:
        return self.ladder.address("table_result", self.pk)

    @property
    def alive(self) -> bool:
        """Whether it may still count."""
        return self.status in self.ALIVE


class TablePlayer(models.Model):
    """One of the players of a game at a real table, by place."""

    result = models.ForeignKey(TableResult, on_delete=models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField()
    """From 1; ties share it, and the places after them are left out."""
    points = models.SmallIntegerField(null=True)
    """Those of the game; None if nobody told them."""
    confirms = models.BooleanField(default=False)

    class Meta:
        ordering = ["result", "number"]
        constraints = [
            models.UniqueConstraint(fields=["result", "number"], name="games_tableplayer_once"),
            models.UniqueConstraint(fields=["result", "user"], name="games_tableplayer_one_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.result}"


class Party(models.Model):
    """One of the players of a challenge: number 0 is the challenger, number 1 the one who is challenged."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="parties")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="parties")
    agrees = models.BooleanField(default=False)
    """Whether they accept the present terms."""

    class Meta:
        ordering = ["challenge", "number"]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "number"], name="games_party_once"),
            models.UniqueConstraint(fields=["challenge", "user"], name="games_party_one_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.challenge}"
