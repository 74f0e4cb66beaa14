"""The calendar of clubs: stewards set events, members say whether they come, and who comes is reminded.

Each service is one transaction under the lock of the club. `Refused` tells the person who asked why not. What an event
opens is opened, begun and closed by `games.tournaments.scheduled`, which hears of changes by `games.calendar.signals`.
"""

from __future__ import annotations

import logging
import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import OperationalError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.models import Club, Right, User
from accounts.notices import notices
from accounts.text import plaintext
from accounts.text.names import normal, validate_claim
from accounts.web import datetimes
from accounts.web.refused import Refused
from games.calendar import conditions, weekly
from games.calendar.models import CalendarAnswer, CalendarEvent
from games.calendar.signals import event_cancelled, event_changed, event_soon
from games.matches.clocks import ms_of

log = logging.getLogger(__name__)

AHEAD = (timedelta(days=1), timedelta(hours=1))
"""People are reminded this long before, if it has stood as it is for twice as long."""
OPENS_BEFORE = timedelta(minutes=30)
"""A night is opened this long before it starts."""
FARTHEST = timedelta(days=730)
MOST = 100
"""The most events to come of a club."""
MOST_WEEKS = 52
MOST_HOURS = 72
LONGEST_PAUSE = 120
"""In minutes."""
Kind = CalendarEvent.Kind
Comes = CalendarAnswer.Comes


class EventPlan(NamedTuple):
    """What a steward says of an event: the fields of `CalendarEvent`."""

    title: str
    starts_at: datetime
    hours: int
    place: str
    about: str
    public: bool
    kind: str = Kind.MEET
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
def make(club: Club, steward: User, plan: EventPlan, now: datetime, weeks: int = 1) -> list[CalendarEvent]:
    """Set an event, or one in each of so many weeks, at the same time by the clocks of its zone.

    Members are told once of a meeting or a night; of a tournament when it opens, which a single one does at once and
    one of a series when the one before it starts.
    """
    club = clubs.at_desk(club, steward, Right.EVENTS)
    if not 1 <= weeks <= MOST_WEEKS:
        raise Refused(_("An event is repeated for 1 to %(most)d weeks.") % {"most": MOST_WEEKS})
    if CalendarEvent.objects.filter(club=club, starts_at__gt=now, cancelled_at=None).count() + weeks > MOST:
        raise Refused(_("A club can have at most %(most)d events to come.") % {"most": MOST})
    if plan.entry_until and plan.entry_until <= now:
        raise Refused(_("The end of entry has passed. Choose a later one."))
    series = uuid.uuid4() if weeks > 1 else None
    made = [CalendarEvent(club=club, by=steward, series=series) for _week in range(weeks)]
    for number, event in enumerate(made):
        _set(event, _later(plan, number), now)
        before = made[number - 1].starts_at if number else now
        event.opens_at = _opens_at(event, before)
    _save(made)
    decisions.record(club, "dated", steward, now, says=decisions.Titled(made[0].title))
    if plan.kind != Kind.TOURNAMENT and plan.starts_at > now:
        _tell(made[0], "calendar-weekly" if series else "calendar-set", now, steward)
    return made


@transaction.atomic
def change(
    event: CalendarEvent, steward: User, plan: EventPlan, seen: int, now: datetime, following: bool = False
) -> CalendarEvent:
    """Change an event, or this and those of its series that follow, and tell once who has not said no.

    `seen`: `revision` of what the steward looked at. The kind and the zone stay, and so do the name and the settings of
    what has been opened. A yes is for a time: if that changes, it counts as maybe.
    """
    event = _at_desk(event, steward, now)
    if revision(event) != seen:
        raise Refused(_("Somebody else has changed this in the meantime. Look at it again."))
    plan = _fixed(event, plan)
    if plan == plan_of(event) and not following:
        return event
    if plan.entry_until != event.entry_until and plan.entry_until and plan.entry_until <= now:
        raise Refused(_("The end of entry has passed. Choose a later one."))
    began = event.starts_at
    changed = [event, *(_following(event) if following else ())]
    for each in changed:
        weeks = weekly.between(began, each.starts_at)
        before = each.starts_at
        _set(each, _fixed(each, _later(plan, weeks)), now)
        each.changes += 1
        if each.starts_at != before:
            CalendarAnswer.objects.filter(event=each, comes=Comes.YES).update(comes=Comes.MAYBE)
    _save(changed)
    _reschedule(event, now)
    decisions.record(event.club, "redated", steward, now, says=decisions.Titled(event.title))
    _tell(event, "calendar-changed", now, steward)
    for each in changed:
        event_changed.send(CalendarEvent, event=each, by=steward, now=now)
    return event


@transaction.atomic
def cancel(event: CalendarEvent, steward: User, now: datetime, following: bool = False) -> CalendarEvent:
    """Cancel an event, or this and those of its series that follow, and tell once who has not said no. What has been
    opened for it is closed; refused if a round of that has begun."""
    event = _at_desk(event, steward, now)
    cancelled = [event, *(_following(event) if following else ())]
    for each in cancelled:
        each.cancelled_at = each.changed_at = now
        each.changes += 1
        each.remind_at = each.opens_at = None
    _save(cancelled)
    _reschedule(event, now)
    decisions.record(event.club, "undated", steward, now, says=decisions.Titled(event.title))
    _tell(event, "calendar-ended" if len(cancelled) > 1 else "calendar-cancelled", now, steward)
    for each in cancelled:
        event_cancelled.send(CalendarEvent, event=each, by=steward, now=now)
    return event


@transaction.atomic
def cancel_all(club: Club, now: datetime, by: User | None) -> None:
    """The club closes: `accounts.signals.club_closed`. Nothing of its calendar comes any more; its members are told of
    the closing itself."""
    coming = CalendarEvent.objects.filter(club=club, cancelled_at=None, starts_at__gt=now)
    coming.update(cancelled_at=now, changed_at=now, changes=F("changes") + 1, remind_at=None, opens_at=None)


@transaction.atomic
def answer(event: CalendarEvent, user: User, comes: str, now: datetime) -> None:
    """Say whether one comes to a meeting or a night. A yes to a night is the consent to be seated there."""
    club = Club.objects.select_for_update(no_key=True).get(pk=event.club_id)
    event = CalendarEvent.objects.get(pk=event.pk)
    if clubs.member(club, user) is None:
        raise Refused(_("You aren’t a member of this club."))
    if comes not in Comes.values:
        raise Refused(_("Please answer yes, maybe or no."))
    _check_open(event, now)
    if event.kind == Kind.TOURNAMENT:
        raise Refused(_("A tournament is entered on its own page."))
    if event.opened:
        raise Refused(_("This is open by now: say there that you’re here."))
    if comes == Comes.YES:
        others = event.answers.filter(comes=Comes.YES).exclude(user=user).count()
        if event.most is not None and others >= event.most:
            raise Refused(_("There’s no room for more people."))
        conditions.check(event, user)
    CalendarAnswer.objects.update_or_create(event=event, user=user, defaults={"comes": comes})


def take_in(club: Club, moved: Sequence[CalendarEvent], answers: Iterable[CalendarAnswer], now: datetime) -> None:
    """Take the events of a club that comes from another site into its calendar, with the answers of who comes along.
    What those to come open is opened here anew. Raises Refused if one to come could not be set here."""
    ahead = [event for event in moved if event.starts_at > now and event.cancelled_at is None]
    if len(ahead) > MOST:
        raise Refused(_("A club can have at most %(most)d events to come.") % {"most": MOST})
    series: dict[uuid.UUID, uuid.UUID] = defaultdict(uuid.uuid4)
    for event in moved:
        event.club, event.changed_at, event.changes = club, now, 0
        event.series = event.series and series[event.series]
        event.public = event.public and not club.private
    for event in ahead:
        _check(plan_of(event), now)
        event.remind_at = min((at for at in reminders(event) if at > now), default=None)
    CalendarEvent.objects.bulk_create(moved)
    CalendarAnswer.objects.bulk_create(answers)
    for first in {event.series or event.pk: event for event in ahead}.values():
        _reschedule(first, now)


def left(club: Club, user: User) -> None:
    """Somebody is no member of the club any more: they come to none of its events."""
    CalendarAnswer.objects.filter(event__club=club, user=user).delete()


def remind(now: datetime) -> None:
    """Remind those who come, and those who may, of the events that are near."""
    for event in CalendarEvent.objects.filter(remind_at__lte=now).order_by("remind_at"):
        try:
            _remind(event, now)
        except OperationalError:
            raise  # not the event's fault: the database is away, or gave way to another transaction
        except Exception:
            log.exception("Nobody could be reminded of the event %s; it is tried again soon.", event.pk)


@transaction.atomic
def _remind(event: CalendarEvent, now: datetime) -> None:
    club = Club.objects.select_for_update(no_key=True).get(pk=event.club_id)
    event = CalendarEvent.objects.get(pk=event.pk)
    event.club = club
    if event.remind_at is None or event.remind_at > now:
        return  # another worker was first
    event.remind_at = min((at for at in reminders(event) if at > now), default=None)
    event.save(update_fields=["remind_at"])
    if now >= event.starts_at:
        return
    if event.kind == Kind.TOURNAMENT:
        event_soon.send(CalendarEvent, event=event, by=None, now=now)
        return
    comes = CalendarAnswer.objects.filter(event=event).exclude(comes=Comes.NO)
    people = User.objects.filter(pk__in=comes.values("user"), memberships__club=club)
    tell(event, people, "calendar-soon", now, club)


def tell(event: CalendarEvent, people: Iterable[User], kind: str, now: datetime, by: User | Club) -> None:
    """Send people a notice of a kind of `games.calendar.words` about an event. It leads to what has been opened."""
    page = event.tournament.get_absolute_url() if event.opened else event.get_absolute_url()
    until = ms_of(event.starts_at)
    notices.notify(people, kind, page, now, by=by, club=event.club.name, title=event.title, until=until)


def reminders(event: CalendarEvent) -> list[datetime]:
    """When people are to be reminded of an event as it is now."""
    known = event.starts_at - event.changed_at
    return [event.starts_at - ahead for ahead in AHEAD if known >= 2 * ahead]


def plan_of(event: CalendarEvent) -> EventPlan:
    """What an event says now."""
    return EventPlan(**{name: getattr(event, name) for name in EventPlan._fields})


def revision(event: CalendarEvent) -> int:
    """A number that is another whenever the event has been changed."""
    return event.changes


# Steps


def _at_desk(event: CalendarEvent, steward: User, now: datetime) -> CalendarEvent:
    club = clubs.at_desk(event.club, steward, Right.EVENTS)
    event = CalendarEvent.objects.get(pk=event.pk)
    event.club = club
    _check_open(event, now)
    return event


def _check_open(event: CalendarEvent, now: datetime) -> None:
    if event.cancelled_at:
        raise Refused(_("This was cancelled."))
    if event.starts_at <= now:
        raise Refused(_("This has passed."))


def _fixed(event: CalendarEvent, plan: EventPlan) -> EventPlan:
    """The plan with what does not change any more in an event."""
    plan = plan._replace(kind=event.kind, zone=event.zone, public=plan.public and not event.club.private)
    return plan._replace(title=event.title, opens=event.opens) if event.opened else plan


def _later(plan: EventPlan, weeks: int) -> EventPlan:
    """The same so many weeks later."""
    starts = weekly.later(plan.starts_at, weeks, plan.zone) if plan.zone in datetimes.all_zones() else plan.starts_at
    until = plan.entry_until and starts - (plan.starts_at - plan.entry_until)
    return plan._replace(starts_at=starts, entry_until=until)


def _set(event: CalendarEvent, plan: EventPlan, now: datetime) -> None:
    """Let an event say what the plan does. To be saved."""
    _check(plan, now)
    for name, value in plan._asdict().items():
        setattr(event, name, value)
    event.title = " ".join(plaintext.lines(plan.title).split())
    event.public = plan.public and not event.club.private
    event.changed_at = now
    event.remind_at = min(reminders(event), default=None)


def _check(plan: EventPlan, now: datetime) -> None:
    """Raises Refused if there can be no such event from now on."""
    at_once = plan.starts_at == now and plan.kind != Kind.MEET
    if not (at_once or now < plan.starts_at <= now + FARTHEST):
        raise Refused(_("Choose a time in the future, within the next two years."))
    check(plan)


def check(plan: EventPlan) -> None:
    """Raises Refused if there can be no such event at any time."""
    if plan.kind not in Kind.values or bool(plan.opens) != (plan.kind != Kind.MEET):
        raise Refused(_("Choose what kind of event it is."))
    if plan.zone not in datetimes.all_zones():
        raise Refused(_("This site doesn’t know the time zone “%(zone)s”.") % {"zone": plan.zone})
    if not 1 <= plan.hours <= MOST_HOURS:
        raise Refused(_("The length must be 1 to %(most)d hours.") % {"most": MOST_HOURS})
    if not 0 <= plan.pause <= LONGEST_PAUSE:
        raise Refused(_("The pause must be 0 to %(most)d minutes.") % {"most": LONGEST_PAUSE})
    if plan.most is not None and plan.most < 2:
        raise Refused(_("Leave room for at least two people."))
    if plan.entry_until and plan.entry_until > plan.starts_at + timedelta(hours=plan.hours):
        raise Refused(_("Entry can’t end after the event."))
    least, most = plan.least_rating, plan.most_rating
    if least is not None and most is not None and least > most:
        raise Refused(_("The lowest rating is higher than the highest."))
    try:
        validate_claim(normal(plan.title))
    except ValidationError as wrong:
        raise Refused(" ".join(wrong.messages)) from None


def _following(event: CalendarEvent) -> list[CalendarEvent]:
    """Those of its series after an event that take place, in order."""
    if event.series is None:
        return []
    found = CalendarEvent.objects.filter(series=event.series, starts_at__gt=event.starts_at, cancelled_at=None)
    told = list(found.order_by("starts_at", "pk"))
    for each in told:
        each.club = event.club
    return told


def _opens_at(event: CalendarEvent, before: datetime) -> datetime | None:
    """When what an event opens is opened; `before`: when the event before it in its series starts."""
    if event.kind == Kind.MEET:
        return None
    return event.starts_at - OPENS_BEFORE if event.kind == Kind.NIGHT else before


def _reschedule(event: CalendarEvent, now: datetime) -> None:
    """Set anew when the events of a series open, after one of them has been changed or cancelled."""
    found = (
        CalendarEvent.objects.filter(series=event.series) if event.series else CalendarEvent.objects.filter(pk=event.pk)
    )
    changed, before = list[CalendarEvent](), now
    for each in found.filter(cancelled_at=None).order_by("starts_at", "pk"):
        if not each.opened and each.starts_at > now:
            each.opens_at = _opens_at(each, before)
            changed.append(each)
        before = each.starts_at
    CalendarEvent.objects.bulk_update(changed, ["opens_at"])


def _save(events: Sequence[CalendarEvent]) -> None:
    """Save events that were set or changed together: feeds and webhooks tell of the first."""
    first, *others = events
    first.save()
    if others and others[0].pk is None:
        CalendarEvent.objects.bulk_create(others)
    elif others:
        fields = [field.name for field in CalendarEvent._meta.concrete_fields if not field.primary_key]
        CalendarEvent.objects.bulk_update(others, fields)


def _tell(event: CalendarEvent, kind: str, now: datetime, by: User) -> None:
    """Tell the members who have not said no; of a tournament its players are told by `games.tournaments.scheduled`."""
    if event.kind == Kind.TOURNAMENT:
        return
    no = CalendarAnswer.objects.filter(event=event, comes=Comes.NO).values("user")
    tell(event, User.objects.filter(memberships__club=event.club).exclude(pk__in=no).exclude(pk=by.pk), kind, now, by)
