"""The dates of a club as one person sees them, on pages and in their calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Club, User
from accounts.people.calendar import CalendarEntry, Status
from accounts.web import datetimes
from accounts.web.requests import Visitor
from games.calendar.models import CalendarAnswer, CalendarEvent
from games.faces.paint import bdi, said
from games.lobby.pending import ROWS, Act, PendingAction
from games.lobby.times import left

PAST = 20
"""The number of past dates on the page."""
NEAR = timedelta(days=60)
"""Nobody is asked about what is farther away."""
KEPT = timedelta(days=60)
"""How long a date stays in calendars."""
Comes = CalendarAnswer.Comes


@dataclass(frozen=True)
class ShownDate:
    """A date, as one person sees it."""

    date: CalendarEvent
    mine: str
    """The visitor's answer; empty if they gave none."""
    answers: dict[str, list[User]]
    """Who says yes, maybe and no, for members only."""
    asks: bool
    """Whether the visitor can still answer."""

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
    def choices(self) -> list[tuple[str, str]]:
        return [(answer.value, str(answer.label)) for answer in Comes]


def ends_at(date: CalendarEvent) -> datetime:
    """When a date is over."""
    return date.starts_at + timedelta(hours=date.hours)


def visible(club: Club, member: bool) -> QuerySet[CalendarEvent]:
    """The dates of a club that its members may know of, or everybody who sees it."""
    found = CalendarEvent.objects.filter(club=club)
    return found if member else found.filter(public=True)


def coming(club: Club, user: Visitor, member: bool, now: datetime, most: int) -> list[ShownDate]:
    """The next dates of a club, the soonest first; also one that has begun and is not over."""
    found = visible(club, member).filter(starts_at__gt=now - timedelta(hours=72), cancelled_at=None)
    return shown(
        [date for date in found.order_by("starts_at", "pk") if ends_at(date) > now][:most], club, user, member, now
    )


def past(club: Club, user: Visitor, member: bool, now: datetime) -> list[ShownDate]:
    """Those that are over or were cancelled, the latest first."""
    found = visible(club, member).filter(Q(starts_at__lte=now) | Q(cancelled_at__isnull=False))
    over = [date for date in found.order_by("-starts_at", "-pk")[:PAST] if date.cancelled_at or ends_at(date) <= now]
    return shown(over, club, user, member, now)


def shown(dates: Sequence[CalendarEvent], club: Club, user: Visitor, member: bool, now: datetime) -> list[ShownDate]:
    """These dates as one person sees them, who is a `member` or not. One query for members, none for others."""
    rows = (
        CalendarAnswer.objects.filter(event__in=dates).select_related("user").order_by("user__folded") if member else ()
    )
    of: dict[int, list[CalendarAnswer]] = {date.pk: [] for date in dates}
    for row in rows:
        of[row.event_id].append(row)
    told = []
    for date in dates:
        date.club = club
        answers = {str(each): [row.user for row in of[date.pk] if row.comes == each] for each in Comes}
        mine = next((row.comes for row in of[date.pk] if row.user_id == user.pk), "")
        asks = member and date.cancelled_at is None and date.starts_at > now
        told.append(ShownDate(date, mine, answers if member else {}, asks))
    return told


def pending(user: User, now: datetime) -> list[PendingAction]:
    """The dates of a person's clubs about which they have said nothing yet."""
    said_so = CalendarAnswer.objects.filter(user=user).values("event")
    found = CalendarEvent.objects.filter(club__members__user=user, cancelled_at=None).exclude(pk__in=said_so)
    near = found.filter(starts_at__gt=now, starts_at__lt=now + NEAR).select_related("club").order_by("starts_at", "pk")
    told = []
    for date in near[:ROWS]:
        title = said('<a href="%(page)s">%(title)s</a>', page=date.get_absolute_url(), title=bdi(date.title))
        address = reverse("answer_event", args=[date.club.slug, date.pk])
        acts = [
            Act(str(answer.label), address, answer == Comes.YES, True, answer.value)
            for answer in (Comes.NO, Comes.MAYBE, Comes.YES)
        ]
        when = [datetimes.moment(date.starts_at), left(date.starts_at, now)]
        sentence = said(_("%(club)s meets: %(title)s. Will you come?"), club=bdi(date.club.name), title=title)
        told.append(PendingAction(sentence, tuple(acts), when, date.starts_at, date.club_id))
    return told


def entries(user: User, now: datetime) -> list[CalendarEntry]:
    """The dates of a person's clubs, for their calendar, but for those to which they do not come."""
    answers = dict(CalendarAnswer.objects.filter(user=user).values_list("event", "comes"))
    found = CalendarEvent.objects.filter(club__members__user=user, starts_at__gt=now - KEPT).select_related("club")
    told = []
    for date in found.order_by("pk"):
        comes = answers.get(date.pk)
        if comes != Comes.NO:
            status = Status.CONFIRMED if comes == Comes.YES else Status.TENTATIVE
            told.append(
                CalendarEntry(
                    uid=f"date-{date.pk}",
                    summary=_("%(title)s (%(club)s)") % {"title": date.title, "club": date.club.name},
                    starts=date.starts_at,
                    ends=ends_at(date),
                    changed=date.changed_at,
                    address=date.get_absolute_url(),
                    place=date.place,
                    text=date.about,
                    status=Status.CANCELLED if date.cancelled_at else status,
                )
            )
    return told
