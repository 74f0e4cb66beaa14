"""Weekly events: at the same time by the clocks, changed and cancelled alone or with those that follow, told once."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import StewardDecision
from accounts.web.refused import Refused
from games.calendar import services, weekly
from games.calendar.models import CalendarEvent
from games.feeds import news
from tests.calendar.plans import BEGINS, DAY, HOUR, MEET, NIGHT, SWISS, kinds, make, opens, starts
from tests.clubs.clubs import START, club_of
from tests.people import person

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def club():
    return club_of("ann", "bob", "dan", season=False).club


def clocks(events):
    return [event.starts_at.astimezone(BERLIN).strftime("%d %b %H:%M") for event in events]


def test_it_begins_at_the_same_time_by_the_clocks_across_summer_time(club):
    made = make(club, MEET._replace(starts_at=datetime(2026, 3, 19, 19, tzinfo=UTC), zone="Europe/Berlin"), weeks=3)
    assert clocks(made) == ["19 Mar 20:00", "26 Mar 20:00", "02 Apr 20:00"]
    assert made[2].starts_at == datetime(2026, 4, 2, 18, tzinfo=UTC)
    assert len({event.series for event in made}) == 1


@pytest.mark.parametrize(
    ("day", "then"),
    [
        # On 29 March clocks skip from 2:00 to 3:00: what would be at 2:30 is at 3:30.
        (datetime(2026, 3, 22, 2, 30, tzinfo=BERLIN), datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),
        # On 25 October they show 2:30 twice: it is the first.
        (datetime(2026, 10, 18, 2, 30, tzinfo=BERLIN), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
    ],
)
def test_a_time_that_is_skipped_is_later_and_of_one_shown_twice_it_is_the_first(day, then):
    assert weekly.later(day, 1, "Europe/Berlin") == then
    assert weekly.later(day, 2, "Europe/Berlin").astimezone(BERLIN).strftime("%H:%M") == "02:30"


@pytest.mark.parametrize(
    ("plan", "weeks", "says"),
    [
        (MEET, 53, "1 to 52 weeks"),
        (MEET, 0, "1 to 52 weeks"),
        (MEET._replace(starts_at=START - HOUR), 1, "in the future"),
        (MEET._replace(starts_at=START), 1, "in the future"),
        (MEET._replace(starts_at=START + 700 * DAY), 52, "within the next two years"),
        (MEET._replace(zone="Mars/Olympus"), 1, "Mars/Olympus"),
        (MEET._replace(hours=0), 1, "1 to 72 hours"),
        (NIGHT._replace(pause=121), 1, "0 to 120 minutes"),
        (NIGHT._replace(opens={}), 1, "what kind"),
        (MEET._replace(opens=opens("swiss")), 1, "what kind"),
        (SWISS._replace(entry_until=START - HOUR), 1, "end of entry has passed"),
        (SWISS._replace(entry_until=BEGINS + 4 * HOUR), 1, "after the event"),
        (SWISS._replace(least_rating=1600, most_rating=1500), 1, "higher than the highest"),
        (SWISS._replace(most=1), 1, "two people"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_set(club, plan, weeks, says):
    with pytest.raises(Refused, match=says):
        make(club, plan, weeks)
    assert not CalendarEvent.objects.exists() and not StewardDecision.objects.exists() and kinds("bob") == []


def test_a_club_cannot_fill_its_calendar_without_end(club):
    make(club, MEET, weeks=52)
    with pytest.raises(Refused, match="at most 100 events"):
        make(club, MEET, weeks=49)
    assert CalendarEvent.objects.count() == 52


def test_a_series_is_told_once_to_members_in_the_log_and_in_the_feed(club):
    make(club, MEET._replace(public=True), weeks=10)
    assert kinds("bob") == ["calendar-weekly"] and kinds("ann") == []
    [row] = StewardDecision.objects.all()
    assert (row.kind, row.by) == ("dated", person("ann"))
    assert [item.title[:16] for item in news.of(club) if item.topic == "date"] == ["Thursday evening"]


def test_one_is_changed_alone_or_with_those_that_follow(club):
    _first, second, third, fourth = make(club, MEET._replace(zone="Europe/Berlin"), weeks=4)
    ann, times = person("ann"), starts(club)
    services.change(second, ann, services.plan_of(second)._replace(place="At Eve’s"), 0, START)
    assert [*CalendarEvent.objects.order_by("starts_at").values_list("place", flat=True)].count("At Eve’s") == 1
    later = services.plan_of(third)._replace(starts_at=third.starts_at + DAY + HOUR, title="Friday evening")
    services.change(third, ann, later, 0, START, following=True)
    # The fourth is after summer time has begun: its hour moves by the clocks too.
    assert starts(club) == [*times[:2], *(at + DAY + HOUR for at in times[2:])]
    assert kinds("bob") == ["calendar-weekly", "calendar-changed", "calendar-changed"]
    services.cancel(fourth, ann, START)
    services.cancel(second, ann, START, following=True)
    gone = CalendarEvent.objects.filter(cancelled_at=START)
    assert {event.pk for event in gone} == {second.pk, third.pk, fourth.pk}
    assert kinds("bob")[-2:] == ["calendar-cancelled", "calendar-ended"]


def test_a_yes_to_another_time_counts_as_maybe(club):
    first, second = make(club, MEET, weeks=2)
    for event in (first, second):
        services.answer(event, person("bob"), "yes", START)
    services.answer(second, person("dan"), "no", START)
    services.change(second, person("ann"), services.plan_of(second)._replace(starts_at=BEGINS + 8 * DAY), 0, START)
    assert first.answers.get(user=person("bob")).comes == "yes"
    assert sorted(second.answers.values_list("comes", flat=True)) == ["maybe", "no"]


def test_a_tournament_of_a_series_opens_when_the_one_before_it_starts(club):
    first, second, third = make(club, SWISS, weeks=3)
    assert [event.opens_at for event in (first, second, third)] == [START, first.starts_at, second.starts_at]
    services.cancel(second, person("ann"), START + HOUR)
    third.refresh_from_db()
    assert third.opens_at == first.starts_at


def test_no_more_say_that_they_come_than_there_is_room_for(club):
    [night] = make(club, NIGHT._replace(most=2))
    services.answer(night, person("ann"), "yes", START)
    services.answer(night, person("bob"), "yes", START)
    with pytest.raises(Refused, match="no room"):
        services.answer(night, person("dan"), "yes", START)
    services.answer(night, person("bob"), "no", START + timedelta(minutes=1))
    services.answer(night, person("dan"), "yes", START + timedelta(minutes=1))
