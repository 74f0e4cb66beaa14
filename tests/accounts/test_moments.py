"""Days and times are written as their reader is used to them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts import services
from accounts.models import User
from accounts.web import datetimes
from accounts.web.datetimes import UNKNOWN, Habits, as_read_by, habits_of
from tests.people import person

NOON = datetime(2026, 11, 22, 12, 5, tzinfo=UTC)
PARIS = Habits("Europe/Paris", "day", "24")


@pytest.mark.parametrize(
    ("habits", "told"),
    [
        (UNKNOWN, "Nov. 22, 2026, 12:05 p.m. UTC"),
        (PARIS, "22 Nov 2026, 13:05"),
        (Habits("America/New_York", "month", "12"), "Nov 22, 2026, 7:05 a.m."),
        (Habits("Asia/Tehran", "year", "24"), "2026-11-22, 15:35"),
    ],
)
def test_a_moment_is_told_in_the_readers_zone_and_order(habits, told):
    with as_read_by(lambda: habits):
        assert datetimes.full(NOON) == told


@pytest.mark.parametrize(
    ("languages", "dates", "clock"),
    [
        ("en-US,en;q=0.9", "month", "12"),
        ("en-GB", "day", "24"),
        ("en-AU,en;q=0.5", "day", "12"),
        ("de-DE,en-US;q=0.5", "day", "24"),
        ("fr", "day", "24"),
        ("", "day", "24"),
    ],
)
def test_by_default_the_browser_decides(languages, dates, clock):
    assert habits_of(AnonymousUser(), "Europe/Paris", languages) == Habits("Europe/Paris", dates, clock)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "Europe/Paris\0"])
def test_a_zone_that_there_is_not_is_none(zone):
    assert habits_of(AnonymousUser(), zone, "").zone == ""


def test_what_a_person_has_chosen_comes_first():
    ann = User(username="ann", zone="Asia/Tokyo", dates="year", clock="12")
    assert habits_of(ann, "Europe/Paris", "en-GB") == Habits("Asia/Tokyo", "year", "12")


def test_near_days_have_names_in_the_readers_zone(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    with as_read_by(lambda: PARIS):
        told = {hours: str(datetimes.when(NOON + timedelta(hours=hours))) for hours in (0, -2, -14, 11, -60)}
    assert told[0] == '<time datetime="2026-11-22T13:05:00+01:00" title="22 Nov 2026, 13:05">just now</time>'
    assert ">today 11:05<" in told[-2]
    assert ">yesterday 23:05<" in told[-14]
    assert ">tomorrow 00:05<" in told[11]
    assert ">20 Nov 2026<" in told[-60]
    assert not any("data-told" in text for text in told.values())


def test_where_the_site_does_not_know_the_zone_scripts_tell_the_time(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    assert ' data-told="when">today ' in datetimes.when(NOON + timedelta(hours=2))
    assert ' data-told="moment">' in datetimes.moment(NOON)
    assert "data-told" not in datetimes.when(NOON)  # just now


def test_a_day_is_the_same_everywhere():
    with as_read_by(lambda: Habits("America/New_York", "day", "24")):
        assert datetimes.day(date(2026, 11, 22)) == "22 Nov 2026"


@pytest.mark.django_db
def test_a_page_is_in_the_zone_of_the_cookie_until_another_is_chosen(client):
    ann = person("ann")
    client.force_login(ann)
    client.cookies["zone"] = "Asia/Tokyo"
    tokyo = (timezone.now() + timedelta(hours=9)).strftime("%-d %b %Y, ")
    assert tokyo in client.get("/account").content.decode()
    client.post("/account/dates", {"zone": "nowhere"})
    assert tokyo in client.get("/account").content.decode()
    client.post("/account/dates", {"zone": "Pacific/Honolulu", "dates": "year", "clock": "24"})
    honolulu = (timezone.now() - timedelta(hours=10)).strftime("%Y-%m-%d, ")
    assert honolulu in client.get("/account").content.decode()


@pytest.mark.django_db
def test_a_closed_account_forgets_its_zone():
    ann = person("ann")
    services.change_settings(ann, zone="Asia/Tokyo", dates="day", clock="24")
    services.close(ann, NOON - timedelta(days=20))
    services.close_due(NOON)
    ann.refresh_from_db()
    assert (ann.zone, ann.dates, ann.clock) == ("", "", "")
