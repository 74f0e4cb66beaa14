"""Pages of clubs and ladders tell, and take, days and times in the zone of their reader."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Notice
from accounts.notices import notices
from accounts.web import datetimes
from games.ladders import due, events
from games.ladders.challenges import Terms
from games.ladders.forms.vacation import VacationForm
from games.matches.clocks import ms_of
from tests.clubs.clubs import DAY, agreed, club_of, met
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db

ZONE = "Pacific/Auckland"
EVENING = datetime(2026, 3, 2, 21, 30, tzinfo=UTC)
"""The next morning, in that zone."""


@pytest.fixture
def far(at):
    """A page as somebody reads it there."""

    def read(name, address):
        client = at(name)
        client.cookies[datetimes.COOKIE] = ZONE
        return text(client.get(address, headers={"accept-language": "en-GB"}))

    return read


def in_zone():
    return datetimes.as_read_by(lambda: datetimes.Habits(ZONE, "day", "24"))


def test_events_seasons_and_players_have_the_days_of_their_reader(far):
    ladder = club_of("ann", "bob", now=EVENING)
    met(ladder, "bob", "ann", now=EVENING)
    ladder.refresh_from_db()
    result = ladder.log.get(kind="result").number
    address = ladder.get_absolute_url()
    for page in ("history", f"desk/undo/{result}"):
        assert "3 Mar 2026" in far("ann", f"{address}/{page}") and "11:30" in far("ann", f"{address}/{page}")
    for page in ("seasons", "seasons/1", "player/bob"):
        assert "3 Mar" in far("ann", f"{address}/{page}") and "2 Mar" not in far("ann", f"{address}/{page}")


def test_agreed_times_have_the_day_of_their_reader(far, now):
    ladder = club_of("ann", "bob", now=now - DAY)
    starts = (now + 2 * DAY).replace(hour=21, minute=30, second=0, microsecond=0)
    agreed(ladder, "bob", "ann", now=now, terms=Terms(times=(ms_of(starts),)))
    with in_zone():
        told = text(datetimes.moment(starts))
    for page in ("/play", "/c/st-gall", "/c/st-gall/ladders/1"):
        assert told in far("ann", page), page


def test_a_vacation_is_announced_and_told_in_days_of_the_reader(far):
    now = EVENING
    with in_zone():
        form = VacationForm({"first": "2026-03-03", "last": "2026-03-05"}, now=now)
        assert form.is_valid(), "there it is the third already"
        begins, ends = form.begins(), form.ends()
    assert (begins, ends) == (datetime(2026, 3, 2, 11, tzinfo=UTC), datetime(2026, 3, 5, 11, tzinfo=UTC))
    ladder = club_of("ann", "bob", now=now - DAY)
    events.vacation(ladder, person("bob"), begins, ends, now)
    told = far("ann", f"{ladder.get_absolute_url()}/history")
    assert "bob is on vacation from 3 Mar 2026 to 5 Mar 2026." in told


def test_a_day_of_25_hours_is_one_day_of_vacation():
    with datetimes.as_read_by(lambda: datetimes.Habits("Europe/Berlin")):
        form = VacationForm({"first": "2026-10-24", "last": "2026-10-25"}, now=EVENING)
        assert form.is_valid()
        assert form.ends() - form.begins() == timedelta(days=2)


def test_whoever_enters_days_reads_of_which_zone_they_are(far, at, now):
    ladder = club_of("ann", "bob", now=now - DAY)
    address = ladder.get_absolute_url()
    for page in (address, f"{address}/desk"):
        assert "Days are in UTC." in text(at("ann").get(page))
        assert "Days are in UTC." not in far("ann", page)


def test_seasons_and_pauses_are_told_with_their_last_day(far, now):
    ladder = club_of("ann", "bob", season=False, now=now - DAY)
    with in_zone():
        midnight = datetime.combine(datetimes.local(now).date(), datetime.min.time(), datetimes.zone())
        pause, season, later = (midnight + days * DAY for days in (10, 20, 30))
        paused, next_day, last = datetimes.day(pause - DAY), datetimes.day(pause), datetimes.day(later - DAY)
    events.start_season(ladder, person("ann"), now, season.astimezone(UTC))
    address = ladder.get_absolute_url()
    events.pause(ladder, person("ann"), pause.astimezone(UTC), now)
    events.move_end(ladder, person("ann"), later.astimezone(UTC), now)
    for page in (address, f"{address}/desk"):
        shown = far("ann", page)
        assert f"The ladder is paused until {paused}" in shown and next_day not in shown, page
    told = far("ann", f"{address}/history")
    assert f"paused the ladder until {paused}." in told and f"moved the end of season 1 to {last}." in told
    for page in (address, f"{address}/desk", f"{address}/seasons", f"{address}/seasons/1", f"{address}/print"):
        assert last in far("ann", page), page
    due.work(later.astimezone(UTC))
    for page in ("seasons", "seasons/1"):
        assert f"to {last}" in far("ann", f"{address}/{page}"), page


def test_a_notice_of_a_pause_tells_its_last_day_in_the_zone_of_its_reader(now):
    ladder = club_of("ann", "bob", now=now - DAY)
    with in_zone():
        ends = datetime.combine(datetimes.local(now + 5 * DAY).date(), datetime.min.time(), datetimes.zone())
        events.pause(ladder, person("ann"), ends.astimezone(UTC), now)
        told = notices.in_text(Notice.objects.get(kind="paused", user=person("bob")))
        assert f"is paused until {datetimes.day(ends - DAY)}." in told and datetimes.day(ends) not in told
