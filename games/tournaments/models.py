from functools import cached_property

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.journal.rows import ChainedRow, new_origin
from games.calendar.models import CalendarEvent
from games.matches.models import Match
from games.matches.playable import Playable
from games.tournaments import plan
from games.tournaments.payloads import AnyPayload, payload_of


class Tournaments(models.Manager["Tournament"]):
    """Tournaments without their standings, which lists do not need: `games.tournaments.events` reads them."""

    def get_queryset(self) -> models.QuerySet["Tournament"]:
        return super().get_queryset().defer("standing")


class Tournament(Playable):
    """Rounds of games of a club, at one or several tables: an evening, a round robin, and so on.

    Changed by `games.tournaments.services` only, event by event. Its standing is the result of replaying the events.
    """

    class Kind(models.TextChoices):
        EVENING = "evening", _("Club night")
        ROUND_ROBIN = "round_robin", _("Round robin")
        SWISS = "swiss", _("Swiss")
        KNOCKOUT = "knockout", _("Knock-out")
        DOUBLE = "double", _("Double elimination")
        BOXES = "boxes", _("Box league")
        ARENA = "arena", _("Arena")
        GROUPS = "groups", _("Groups, then a knock-out")
        TEAMS = "teams", _("Teams")
        DUPLICATE = "duplicate", _("Same deal")
        DEAL = "deal", _("Deal of the week")

    SAME_DEAL = (Kind.DUPLICATE, Kind.DEAL)
    """At several tables the same cards are dealt, and each seat is compared with that seat elsewhere."""

    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="tournaments")
    number = models.PositiveIntegerField()
    """The number within its club, from 1: part of its address."""
    kind = models.CharField(max_length=11, choices=Kind)
    name = models.CharField(max_length=60)
    seats = models.PositiveSmallIntegerField()
    """How many people a table is to have."""
    rated = models.BooleanField(default=False)
    """Whether its games move the ratings of the site, where they can."""
    settings = models.JSONField(default=dict)
    """The settings of its kind."""
    token = models.CharField(max_length=20, blank=True)
    """What the link by which guests come has in it; empty if there is none."""
    secret = models.BinaryField(max_length=32, default=b"", editable=False)
    """What the shuffles follow from where the deal is the same for all (`games.tournaments.duplicate`)."""
    standing = models.JSONField(default=dict)
    """The result of replaying the events, as `TournamentStanding.to_json` gives it."""
    events = models.PositiveIntegerField(default=0)
    """The number of events so far."""
    closed_at = models.DateTimeField(null=True)
    """When it ended; None while it goes on."""
    wake_at = models.DateTimeField(null=True, db_index=True)
    """When the worker must look again: see `games.tournaments.due`."""
    to_create = models.BooleanField(default=False)
    """Whether a worker has yet to create tables of its rounds: see `games.tournaments.playing.create_more`."""
    reminded = models.DateTimeField(null=True)
    """When players were reminded last that a round must be over soon."""
    origin = models.BinaryField(max_length=16, default=new_origin, editable=False)
    """What the chain of its events begins with, as that of a ladder's."""
    calendar = models.OneToOneField(CalendarEvent, null=True, on_delete=models.SET_NULL, related_name="tournament")
    """Its event of the club's calendar, which says when, where, until when one can enter, and who."""
    clock_at = models.DateTimeField(null=True, db_index=True)
    """When its next round begins by the clock, if its event says so: see `games.tournaments.scheduled`."""
    at_table = models.BooleanField(default=False)
    """Whether it is played with real cards: then its results are typed in."""

    objects = Tournaments()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "number"], name="games_tournament_once")]
        indexes = [models.Index(fields=["club", "closed_at"], name="games_tournament_open")]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.club}"

    def get_absolute_url(self) -> str:
        return self.address("tournament")

    def address(self, page: str, *args: object) -> str:
        """The address of one of its pages, by the name of the page and what its address has further."""
        return self.club.address(page, self.number, *args)

    @property
    def page(self) -> str:
        """Its page, below the address of the club: `Match.agreed` of its tables."""
        return f"tournaments/{self.number}"

    @property
    def comments(self) -> str:
        """Where the comments on it stand (`games.board`): with its event of the calendar, if it has one."""
        return self.page if self.calendar_id is None else f"calendar/{self.calendar_id}"

    @property
    def comments_shut(self) -> bool:
        """Whether nobody comments on it yet, because others have still to play the deal of its games."""
        return self.same_deal and self.closed_at is None

    @property
    def same_deal(self) -> bool:
        """Whether several tables play the same deal: until it closes its games are hidden."""
        return self.kind in self.SAME_DEAL

    @property
    def side_by_side(self) -> bool:
        """Whether all its rounds, or those of a turn, begin at once."""
        return self.pace == Match.Pace.DAILY and self.kind in plan.FORMATS and plan.FORMATS[self.kind].beside


class TournamentEvent(ChainedRow):
    """One change of a tournament: `games.tournaments.payloads` has what it can say."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log", db_index=False)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="games_tournamentevent_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number} {self.kind}"

    @cached_property
    def payload(self) -> AnyPayload:
        """What it says."""
        return payload_of(self.kind, self.data)


class NamedGuest(models.Model):
    """A guest without a browser whom a steward has entered by name. As long as this is here, they are not deleted: they
    stand in the table of their event."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="named_guests")
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="named")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.tournament}: {self.user}"


class EventInvitation(models.Model):
    """A person whom a steward has asked to take part, or who has said no. Gone once they come, or once the tournament
    is over."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="event_invitations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    """The steward; the person if they have said no without being asked."""
    at = models.DateTimeField()
    declined = models.BooleanField(default=False)
    """Whether they have said no: then nobody asks them again."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="games_eventinvitation_once")]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.user}"


class TypedResult(models.Model):
    """A result of a table with real cards that does not count yet: it waits to be confirmed, or for a steward. Gone
    once it counts or is withdrawn."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="typed")
    round = models.PositiveIntegerField()
    table = models.PositiveIntegerField()
    places = models.JSONField()
    """By seat."""
    points = models.JSONField()
    """By seat; empty if nobody told them."""
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    entered_at = models.DateTimeField()
    until = models.DateTimeField()
    """When it counts if nobody has answered."""
    disputed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    word = models.CharField(max_length=500, blank=True)
    """What is wrong, by whoever disputes it."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "round", "table"], name="games_typedresult_once")]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.round}/{self.table}"

    def get_absolute_url(self) -> str:
        return self.tournament.address("enter_tournament_result", self.round + 1, self.table + 1)

    @property
    def said(self) -> str:
        """The result as text, by which a form knows whether it has changed."""
        return f"{self.places} {self.points}"


class DealDifferences(models.Model):
    """The questions in which the tables of an event with the same deal differed most: looked at once, after its end."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="differences")
    version = models.CharField(max_length=60, blank=True)
    """By what the answers were judged: `games.engine.verdicts.version_of`; empty if by nothing."""
    questions = models.JSONField(default=list)
    """Each `{deal, seat, answers}`, that which mattered most first; an answer is `{text, share, given}`: the share a
    band or null, and where it was given as keys of matches with plies."""

    class Meta:
        verbose_name_plural = "deal differences"

    def __str__(self) -> str:
        return f"differences of {self.tournament}"
