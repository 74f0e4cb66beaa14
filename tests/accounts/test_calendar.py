"""A person's calendar: its secret address, and what programs read there."""

from datetime import UTC, datetime, timedelta

import pytest
from icalendar import Calendar

from accounts import services
from accounts.models import User
from accounts.people import calendar
from accounts.people.calendar import CalendarEntry, Status
from tests.people import person

pytestmark = pytest.mark.django_db

AT = datetime(2026, 7, 3, 17, 30, tzinfo=UTC)
MEETS = CalendarEntry(
    "date-1", "Meeting; with cake, and “tea”", AT, AT - timedelta(days=9), "/c/x", AT + timedelta(hours=3)
)


@pytest.fixture
def told(monkeypatch):
    """What the calendar tells everybody: a list to fill."""
    entries = []
    monkeypatch.setattr(calendar, "_sources", [lambda user, now: entries])
    return entries


def address(client, name="ann"):
    client.force_login(person(name))
    client.post("/account/calendar", {"do": "new"})
    client.logout()
    return calendar.address(person(name)).removeprefix("http://localhost:8000")


def read(client, path):
    response = client.get(path)
    assert response.status_code == 200 and response["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(response.content)


def test_a_program_without_a_session_reads_moments_in_utc_and_words_as_they_were_written(client, told):
    told.append(MEETS)
    told.append(
        CalendarEntry("answer-2", "Answer bob", AT, AT, "/c/x/2", place="Hall\nnext door", status=Status.TENTATIVE)
    )
    found = read(client, address(client))
    answer, meets = found.events
    assert (str(meets["uid"]), str(meets["summary"])) == ("date-1@localhost", MEETS.summary)
    assert (meets["dtstart"].to_ical(), meets["dtend"].to_ical()) == (b"20260703T173000Z", b"20260703T203000Z")
    assert "dtend" not in answer and answer["transp"] == "TRANSPARENT"  # a deadline takes no time
    assert (answer["status"], str(answer["location"])) == ("TENTATIVE", "Hall\nnext door")
    assert str(found["x-wr-calname"]) == "Armarium"


def test_it_is_sent_again_only_if_it_has_changed(client, told):
    told.append(MEETS)
    path = address(client)
    etag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 304
    told.clear()
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 200


def test_words_are_in_the_language_of_the_account_whatever_the_program_wants(client, told, monkeypatch):
    from django.utils import translation

    monkeypatch.setattr(
        calendar, "_sources", [lambda user, now: [CalendarEntry("x", translation.get_language(), AT, AT, "/")]]
    )
    path = address(client)
    User.objects.update(language="de")
    found = Calendar.from_ical(client.get(path, headers={"Accept-Language": "fr"}).content)
    assert str(found.events[0]["summary"]) == "de"


def test_a_new_address_ends_the_old_one_and_removing_it_ends_all(client, told):
    old = address(client)
    new = address(client)
    assert old != new and client.get(old).status_code == 404 and client.get(new).status_code == 200
    client.force_login(person("ann"))
    assert "/calendar/" in client.get("/account").content.decode()
    client.post("/account/calendar", {"do": "none"})
    assert client.get(new).status_code == 404
    assert "/calendar/" not in client.get("/account").content.decode()


def test_a_closed_or_banned_account_has_none(client, told):
    closed, banned = address(client, "ann"), address(client, "bob")
    ann = person("ann")
    services.close(ann)
    assert client.get(closed).status_code == 200  # it may still be kept
    services.close_due(ann.closing_at)
    User.objects.filter(username="bob").update(is_active=False)
    assert [client.get(path).status_code for path in (closed, banned)] == [404, 404]


@pytest.mark.parametrize("token", ["x" * 32, "%00", "..", "ä"])
def test_what_is_no_address_is_not_found(client, token):
    assert client.get(f"/calendar/{token}.ics").status_code == 404
