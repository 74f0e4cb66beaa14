"""Events of a calendar to test with."""

from datetime import timedelta

from games.calendar import services
from games.calendar.models import CalendarEvent
from games.calendar.services import EventPlan
from games.tournaments import scheduled
from games.tournaments.models import Tournament
from tests.clubs.clubs import START
from tests.people import person

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
BEGINS = START + 3 * DAY
MEET = EventPlan("Thursday evening", BEGINS, 3, "In the library", "Bring cake.", False)


def opens(kind, **others):
    """What an event opens, as its form says it."""
    base = {"kind": kind, "game": "biblios", "seats": 2, "clock": "10+10", "preset": "rulebook", "settings": {}}
    return base | others


NIGHT = MEET._replace(kind="night", opens=opens("evening", seats=3))
SWISS = MEET._replace(kind="tournament", title="Cup", opens=opens("swiss", settings={"rounds": 2, "seeds": "random"}))


def make(club, plan, weeks=1, now=START):
    """Events set by ann."""
    return services.make(club, person("ann"), plan, now, weeks)


def opened(event, now):
    """The tournament of an event, once a worker has looked; None if it is not open then."""
    scheduled.open_due(now)
    return Tournament.objects.filter(calendar=event).select_related("club", "calendar").first()


def starts(club):
    return [event.starts_at for event in CalendarEvent.objects.filter(club=club).order_by("starts_at", "pk")]


def kinds(name):
    """The kinds of the notices that somebody got, in order."""
    return [*person(name).notices.order_by("pk").values_list("kind", flat=True)]
