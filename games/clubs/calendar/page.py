"""The calendar of a club as one person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import Club, User
from accounts.web import datetimes
from accounts.web.requests import Visitor
from games.calendar.models import CalendarAnswer, CalendarEvent
from games.calendar.services import MOST_HOURS
from games.faces.paint import bdi, said
from games.lobby.pending import ROWS, Act, PendingAction
from games.lobby.times import left
from games.tournaments import events
from games.tournaments.models import Tournament

PAST = 20
"""The number of past events on the page."""
NEAR = timedelta(days=60)
"""Nobody is asked about what is farther away."""
Comes = CalendarAnswer.Comes
Kind = CalendarEvent.Kind


@dataclass(frozen=True)
class ShownEvent:
    """An event of the calendar, as one person sees it."""

    event: CalendarEvent
    tournament: Tournament | None
    """What was opened for it."""
    mine: str
    """The visitor's answer; empty if they gave none."""
    answers: dict[str, list[User]]
    """Who says yes, maybe and no, for members only."""
    entered: int
    """How many have entered its tournament."""
    asks: bool
    """Whether the visitor can still answer."""

    @property
    def address(self) -> str:
        """Where it is told: what was opened for it has a page of its own."""
        return (self.tournament or self.event).get_absolute_url()

    @property
    def kind(self) -> str:
        """What it is, in words."""
        return str(self.tournament.get_kind_display() if self.tournament else Kind(self.event.kind).label)

    @property
    def lists(self) -> list[tuple[str, list[User]]]:
        """Each answer in words, and who gave it."""
        return [(str(Comes(answer).label), people) for answer, people in self.answers.items()]

    @property
    def anybody(self) -> bool:
        return any(self.answers.values())

    @property
    def coming(self) -> int:
        return len(self.answers.get(Comes.YES, ()))

    @property
    def said(self) -> str:
        """The visitor's answer, in words."""
        return _("you: %(answer)s") % {"answer": Comes(self.mine).label} if self.mine else ""

    @property
    def acts(self) -> tuple[Act, ...]:
        """The answers that the visitor can give."""
        if not self.asks:
            return ()
        address = reverse("answer_event", args=[self.event.club.slug, self.event.pk])
        return tuple(
            Act(str(answer.label), address, answer == (self.mine or Comes.YES), True, answer.value)
            for answer in (Comes.NO, Comes.MAYBE, Comes.YES)
        )


class Month(NamedTuple):
    """The events of a month."""

    name: str
    shown: list[ShownEvent]


def visible(club: Club, member: bool) -> QuerySet[CalendarEvent]:
    """The events of a club that its members may know of, or everybody who sees it."""
    found = CalendarEvent.objects.filter(club=club)
    return found if member else found.filter(public=True)


def coming(
    club: Club, user: Visitor, member: bool, now: datetime, most: int, *, each_week: bool = True
) -> list[ShownEvent]:
    """The next so many events of a club, the soonest first; also one that has begun and is not over. Without
    `each_week`, of a weekly series only the next one."""
    found = visible(club, member).filter(starts_at__gt=now - timedelta(hours=MOST_HOURS), cancelled_at=None)
    next_ones, series = list[CalendarEvent](), set[UUID]()
    for event in found.order_by("starts_at", "pk"):
        if event.ends_at > now and (each_week or event.series not in series):
            next_ones.append(event)
        if event.series and event.ends_at > now:
            series.add(event.series)
    return shown(next_ones[:most], club, user, member, now)


def next_meeting(club: Club, member: bool, now: datetime) -> CalendarEvent | None:
    """The next meeting or night of a club; of those who know it."""
    found = visible(club, member).filter(starts_at__gt=now, cancelled_at=None).exclude(kind=Kind.TOURNAMENT)
    return found.order_by("starts_at", "pk").first()


def past(club: Club, user: Visitor, member: bool, now: datetime) -> list[ShownEvent]:
    """Those that are over or were cancelled, the latest first."""
    found = visible(club, member).filter(Q(starts_at__lte=now) | Q(cancelled_at__isnull=False))
    over = [event for event in found.order_by("-starts_at", "-pk")[:PAST] if event.cancelled_at or event.ends_at <= now]
    return shown(over, club, user, member, now)


def by_month(found: Sequence[ShownEvent]) -> list[Month]:
    """The same events, in their order, by the months of the reader."""

    def month(shown: ShownEvent) -> tuple[int, int]:
        at = datetimes.local(shown.event.starts_at)
        return at.year, at.month

    return [
        Month(date_format(datetimes.local(those[0].event.starts_at), pgettext("month and year", "F Y")), those)
        for those in (list(group) for _month, group in groupby(found, month))
    ]


def shown(found: Sequence[CalendarEvent], club: Club, user: Visitor, member: bool, now: datetime) -> list[ShownEvent]:
    """These events as one person sees them, who is a `member` or not. As many queries for one as for many."""
    rows = (
        CalendarAnswer.objects.filter(event__in=found).select_related("user").order_by("user__folded") if member else ()
    )
    of: dict[int, list[CalendarAnswer]] = {event.pk: [] for event in found}
    for row in rows:
        of[row.event_id].append(row)
    opened = {each.calendar_id: each for each in Tournament.objects.filter(calendar__in=found)} if found else {}
    standings = events.standings(opened.values())
    told = []
    for event in found:
        event.club = club
        tournament = opened.get(event.pk)
        if tournament:
            tournament.club = club
        answers = {str(each): [row.user for row in of[event.pk] if row.comes == each] for each in Comes}
        mine = next((row.comes for row in of[event.pk] if row.user_id == user.pk), "")
        open_ = event.cancelled_at is None and event.starts_at > now
        asks = member and open_ and event.kind != Kind.TOURNAMENT and tournament is None
        entered = len(standings[tournament.pk].here) if tournament else 0
        told.append(ShownEvent(event, tournament, mine, answers if member else {}, entered, asks))
    return told


def pending(user: User, now: datetime) -> list[PendingAction]:
    """The meetings and nights of a person's clubs about which they have said nothing yet."""
    said_so = CalendarAnswer.objects.filter(user=user).values("event")
    found = CalendarEvent.objects.filter(club__members__user=user, cancelled_at=None, tournament=None)
    found = found.exclude(pk__in=said_so).exclude(kind=Kind.TOURNAMENT)
    near = found.filter(starts_at__gt=now, starts_at__lt=now + NEAR).select_related("club").order_by("starts_at", "pk")
    told, series = [], set[UUID]()
    for event in near[:ROWS]:
        if event.series in series:
            continue  # of a weekly series, the next one that they have not answered
        if event.series:
            series.add(event.series)
        title = said('<a href="%(page)s">%(title)s</a>', page=event.get_absolute_url(), title=bdi(event.title))
        acts = ShownEvent(event, None, "", {}, 0, True).acts
        when = [datetimes.moment(event.starts_at), left(event.starts_at, now)]
        sentence = said(_("%(club)s meets: %(title)s. Will you come?"), club=bdi(event.club.name), title=title)
        told.append(
            PendingAction(
                sentence,
                acts,
                when,
                event.starts_at,
                event.club_id,
                shown_on=event.get_absolute_url(),
                at_club=True,
            )
        )
    return told
