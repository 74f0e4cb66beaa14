"""The dates of clubs: stewards set them, members say whether they come, and who comes is reminded.

Each service is one transaction under the lock of the club. `Refused` tells the person who asked why not.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.models import Club, Right, User
from accounts.notices import notices
from accounts.text.names import normal, validate_claim
from accounts.web.refused import Refused
from games.calendar.models import CalendarAnswer, CalendarEvent
from games.matches.clocks import ms_of

AHEAD = (timedelta(days=1), timedelta(hours=1))
"""People are reminded this long before, if it has stood as it is for twice as long."""
FARTHEST = timedelta(days=730)
MOST = 50
"""The most dates to come of a club."""
MOST_HOURS = 72


class EventPlan(NamedTuple):
    """What a steward says of a date."""

    title: str
    starts_at: datetime
    hours: int
    place: str
    about: str
    public: bool
    kind: str = CalendarEvent.Kind.MEET
    zone: str = "UTC"
    opens: dict[str, Any] = {}
    entry_until: datetime | None = None
    most: int | None = None
    least_rating: int | None = None
    most_rating: int | None = None
    least_games: int | None = None
    by_clock: bool = False
    pause: int = 10


@transaction.atomic
def make(club: Club, steward: User, plan: EventPlan, now: datetime) -> CalendarEvent:
    """Set a date, and tell all members."""
    club = clubs.at_desk(club, steward, Right.EVENTS)
    if CalendarEvent.objects.filter(club=club, starts_at__gt=now, cancelled_at=None).count() >= MOST:
        raise Refused(_("A club can have at most %(most)d dates to come.") % {"most": MOST})
    date = CalendarEvent(club=club, by=steward)
    _set(date, plan, now)
    decisions.record(club, "dated", steward, now, says=decisions.Titled(date.title))
    _tell(date, "date-set", now, steward)
    return date


@transaction.atomic
def change(date: CalendarEvent, steward: User, plan: EventPlan, seen: int, now: datetime) -> CalendarEvent:
    """Change a date, and tell the members who have not said no. `seen`: `revision` of what the steward looked at."""
    date = _at_desk(date, steward, now)
    if revision(date) != seen:
        raise Refused(_("Somebody else has changed this date in the meantime. Look at it again."))
    if plan == plan_of(date):
        return date
    _set(date, plan, now)
    decisions.record(date.club, "redated", steward, now, says=decisions.Titled(date.title))
    _tell(date, "date-changed", now, steward)
    return date


@transaction.atomic
def cancel(date: CalendarEvent, steward: User, now: datetime) -> CalendarEvent:
    """Cancel a date, and tell the members who have not said no."""
    date = _at_desk(date, steward, now)
    date.cancelled_at = date.changed_at = now
    date.remind_at = None
    date.save()
    decisions.record(date.club, "undated", steward, now, says=decisions.Titled(date.title))
    _tell(date, "date-cancelled", now, steward)
    return date


@transaction.atomic
def answer(date: CalendarEvent, user: User, comes: str, now: datetime) -> None:
    """Say whether one comes."""
    club = Club.objects.select_for_update().get(pk=date.club_id)
    date = CalendarEvent.objects.get(pk=date.pk)
    if clubs.member(club, user) is None:
        raise Refused(_("You aren’t a member of this club."))
    if comes not in CalendarAnswer.Comes.values:
        raise Refused(_("Please answer yes, maybe or no."))
    _check_open(date, now)
    CalendarAnswer.objects.update_or_create(event=date, user=user, defaults={"comes": comes})


def left(club: Club, user: User) -> None:
    """Somebody is no member of the club any more: they come to none of its dates."""
    CalendarAnswer.objects.filter(event__club=club, user=user).delete()


def remind(now: datetime) -> None:
    """Remind those who come, and those who may, of the dates that are near."""
    for date in CalendarEvent.objects.filter(remind_at__lte=now).order_by("remind_at"):
        _remind(date, now)


@transaction.atomic
def _remind(date: CalendarEvent, now: datetime) -> None:
    club = Club.objects.select_for_update().get(pk=date.club_id)
    date = CalendarEvent.objects.get(pk=date.pk)
    if date.remind_at is None or date.remind_at > now:
        return  # another worker was first
    date.remind_at = min((at for at in reminders(date) if at > now), default=None)
    date.save(update_fields=["remind_at"])
    if now < date.starts_at:
        comes = CalendarAnswer.objects.filter(event=date).exclude(comes=CalendarAnswer.Comes.NO)
        people = User.objects.filter(pk__in=comes.values("user"), memberships__club=club)
        until = ms_of(date.starts_at)
        page = date.get_absolute_url()
        notices.notify(people, "date-soon", page, now, by=club, club=club.name, title=date.title, until=until)


def reminders(date: CalendarEvent) -> list[datetime]:
    """When people are to be reminded of a date as it is now."""
    known = date.starts_at - date.changed_at
    return [date.starts_at - ahead for ahead in AHEAD if known >= 2 * ahead]


def plan_of(date: CalendarEvent) -> EventPlan:
    """What a date says now."""
    return EventPlan(**{name: getattr(date, name) for name in EventPlan._fields})


def revision(date: CalendarEvent) -> int:
    """A number that is another whenever the date has been changed."""
    return ms_of(date.changed_at)


# Steps


def _at_desk(date: CalendarEvent, steward: User, now: datetime) -> CalendarEvent:
    club = clubs.at_desk(date.club, steward, Right.EVENTS)
    date = CalendarEvent.objects.get(pk=date.pk)
    date.club = club
    _check_open(date, now)
    return date


def _check_open(date: CalendarEvent, now: datetime) -> None:
    if date.cancelled_at:
        raise Refused(_("This date was cancelled."))
    if date.starts_at <= now:
        raise Refused(_("This date has passed."))


def _set(date: CalendarEvent, plan: EventPlan, now: datetime) -> None:
    if not now < plan.starts_at <= now + FARTHEST:
        raise Refused(_("A date is in the future, within the next two years."))
    try:
        validate_claim(normal(plan.title))
    except ValidationError as wrong:
        raise Refused(" ".join(wrong.messages)) from None
    for name, value in plan._asdict().items():
        setattr(date, name, value)
    date.public = plan.public and not date.club.private
    date.changed_at = now
    date.remind_at = min(reminders(date), default=None)
    date.save()


def _tell(date: CalendarEvent, kind: str, now: datetime, by: User) -> None:
    no = CalendarAnswer.objects.filter(event=date, comes=CalendarAnswer.Comes.NO).values("user")
    people = User.objects.filter(memberships__club=date.club).exclude(pk__in=no).exclude(pk=by.pk)
    until = ms_of(date.starts_at)
    page = date.get_absolute_url()
    notices.notify(people, kind, page, now, by=by, club=date.club.name, title=date.title, until=until)
