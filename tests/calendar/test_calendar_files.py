"""Events in other calendar programs: those of an open club for everybody, and a person's own."""

from datetime import timedelta

import pytest
from django.utils import timezone
from icalendar import Calendar

from accounts.people import calendar as own
from games.calendar import services
from games.tournaments import services as tournaments
from tests.calendar.plans import DAY, HOUR, MEET, NIGHT, SWISS, make, opened
from tests.clubs.clubs import club_of
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    return timezone.now().replace(microsecond=0)


@pytest.fixture
def club(now):
    return club_of("ann", "bob", season=False, now=now - DAY).club


def soon(plan, now, **changed):
    return plan._replace(starts_at=now + 5 * DAY, **changed)


def read(client, club):
    response = client.get(f"/c/{club.slug}/calendar.ics")
    assert response.status_code == 200 and response["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(response.content)


def test_everybody_gets_the_public_events_of_an_open_club_with_alarms(client, club, now):
    [shown] = make(club, soon(MEET, now, public=True, title="Open, evening"), now=now)
    make(club, soon(MEET, now, title="Quiet evening"), now=now)
    found = read(client, club)
    [event] = found.events
    assert str(found["x-wr-calname"]) == str(found["name"]) == "St Gall on Armarium"
    assert (str(event["uid"]), str(event["summary"])) == (f"event-{shown.pk}@localhost", "Open, evening")
    assert (event["sequence"], event["status"]) == (0, "CONFIRMED")
    assert event["dtend"].dt - event["dtstart"].dt == timedelta(hours=3)
    assert [alarm["trigger"].dt for alarm in event.walk("VALARM")] == [-DAY, -HOUR]
    assert str(event["url"]).endswith(f"/c/{club.slug}/calendar/{shown.pk}")


def test_a_change_has_a_higher_number_and_what_is_cancelled_says_so_and_is_silent(client, club, now):
    [event] = make(club, soon(MEET, now, public=True), now=now)
    etag = client.get(f"/c/{club.slug}/calendar.ics")["ETag"]
    assert client.get(f"/c/{club.slug}/calendar.ics", headers={"If-None-Match": etag}).status_code == 304
    services.change(event, person("ann"), services.plan_of(event)._replace(place="At Eve’s"), 0, now + HOUR)
    [before] = read(client, club).events
    services.cancel(event, person("ann"), now + 2 * HOUR)
    [after] = read(client, club).events
    assert (before["sequence"], after["sequence"]) == (1, 2) and before["uid"] == after["uid"]
    assert after["status"] == "CANCELLED" and after.walk("VALARM") == []
    assert after["last-modified"].dt > before["last-modified"].dt


def test_a_private_club_has_no_public_calendar_not_even_for_its_members(client, club, now):
    make(club, soon(MEET, now, public=True), now=now)
    type(club).objects.update(private=True)
    client.force_login(person("ann"))
    assert client.get(f"/c/{club.slug}/calendar.ics").status_code == 404
    assert client.get("/c/no-such-club/calendar.ics").status_code == 404


def test_one_s_own_calendar_has_nights_and_tournaments_long_before_they_open_and_once_each(club, now):
    [night] = make(club, soon(NIGHT, now), now=now)
    cup = opened(make(club, soon(SWISS, now), now=now)[0], now)
    tournaments.enter(cup, person("bob"), now)
    found = Calendar.from_ical(own.document(person("bob"), now))
    told = {str(event["summary"]): event["status"] for event in found.events}
    assert told == {"Thursday evening (St Gall)": "TENTATIVE", "Cup (St Gall)": "CONFIRMED"}
    assert str(found["x-wr-calname"]) == "Armarium"
    assert all(len(event.walk("VALARM")) == 2 for event in found.events)
    opened(night, night.starts_at)
    assert len(Calendar.from_ical(own.document(person("bob"), now)).events) == 2
