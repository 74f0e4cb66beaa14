"""The calendar of a club on pages: by month, one event, and what waits of it."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from games.calendar import services
from games.calendar.models import CalendarEvent
from games.clubs.calendar import page, views
from games.tournaments import services as tournaments
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import DAY
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]
CALENDAR = "/c/st-gall/calendar"


@pytest.fixture
def planned(club, now):
    """Puts an event into the calendar, so many days from now."""

    def plan(title, days, **fields):
        fields = {"starts_at": now + days * DAY, "changed_at": now, "kind": "meet"} | fields
        return CalendarEvent.objects.create(club=club, title=title, **fields)

    return plan


def test_what_is_to_come_stands_there_by_month_and_what_is_over_below(at, planned, now):
    year = now.year + 1
    for month, day in ((3, 8), (1, 20), (1, 6)):
        planned(f"Evening {month}-{day}", 0, starts_at=datetime(year, month, day, 19, tzinfo=UTC))
    planned("Long ago", -9)
    planned("Called off", 2, cancelled_at=now)
    shown = text(at("bob").get(CALENDAR))
    order = [f"January {year}", "Evening 1-6", "Evening 1-20", f"March {year}", "Evening 3-8", "Past and", "Called off"]
    assert [shown.index(each) for each in order] == sorted(shown.index(each) for each in order)
    assert shown.index("Long ago") > shown.index("Past and") and "cancelled" in shown.partition("Called off")[2]


def test_of_many_events_the_page_shows_the_next_and_leads_to_the_others(at, planned, monkeypatch):
    monkeypatch.setattr(views, "A_PAGE", 2)
    for week in range(1, 6):
        planned(f"Week {week}.", 7 * week)
    shown = text(at("bob").get(CALENDAR))
    assert "Week 2." in shown and "Week 3." not in shown and "3 later events" in shown
    assert "Week 5." in text(at("bob").get(f"{CALENDAR}?all=1"))


def test_one_answers_in_the_calendar_and_stays_there(at, planned):
    event = planned("Evening", 3)
    html = at("bob").get(CALENDAR).content.decode()
    assert re.findall(rf'formaction="{event.get_absolute_url()}/answer" name="answer"\s+value="(\w+)"', html) == [
        *("no", "maybe", "yes")
    ]
    assert f'name="next" value="{CALENDAR}"' in html
    at("bob").post(f"{event.get_absolute_url()}/answer", {"answer": "maybe"})
    shown = at("bob").get(CALENDAR)
    assert "you: Maybe" in text(shown) and "formaction" not in shown.content.decode().partition("<main")[2]
    assert "formaction" not in at("cho").get(CALENDAR).content.decode().partition("<main")[2]


def test_an_event_says_who_can_take_part_and_until_when(at, planned, now):
    event = planned(
        "Open",
        9,
        kind="tournament",
        entry_until=now + 8 * DAY,
        most=16,
        least_rating=1400,
        most_rating=1600,
        least_games=5,
    )
    shown = text(at("bob").get(event.get_absolute_url()))
    assert "enter until " in shown
    assert "at most 16 people · rated 1400 to 1600 · at least 5 rated games" in shown
    assert "Will you come?" not in shown
    CalendarEvent.objects.update(most_rating=None, most=None, least_games=None, entry_until=None)
    assert "Who rated at least 1400" in text(at("bob").get(event.get_absolute_url()))


def test_once_it_is_open_an_event_is_told_on_the_page_of_its_tournament(at, club, planned, now):
    event = planned("Cup", 3, kind="tournament", public=True)
    assert at("bob").get(event.get_absolute_url()).status_code == 200
    cup = tournaments.open_tournament(club, person("ann"), Tournament.Kind.KNOCKOUT, "Cup", GameTerms(2), now)
    cup.calendar = event
    cup.save()
    tournaments.enter(cup, person("bob"), now)
    assert at("bob").get(event.get_absolute_url()).url == cup.get_absolute_url()
    assert f'href="{cup.get_absolute_url()}"' in at("bob").get(CALENDAR).content.decode()
    assert "Knock-out · 1 has entered" in text(at("bob").get(CALENDAR))


def test_of_a_weekly_series_only_the_next_one_waits(planned, now):
    series = uuid4()
    first, second, _third = (planned(f"Thursday {number}", 7 * number, series=series) for number in (1, 2, 3))

    def waits():
        return [re.findall(r"Thursday \d|Other", action.sentence)[0] for action in page.pending(person("bob"), now)]

    planned("Other", 5)
    assert waits() == ["Other", "Thursday 1"]
    services.answer(first, person("bob"), "no", now)
    assert waits() == ["Other", "Thursday 2"]
    assert [each.event for each in page.coming(second.club, person("bob"), True, now, 9, each_week=False)][1:] == [
        first
    ]


def test_a_tournament_asks_for_no_yes_or_no(planned, now):
    planned("Cup", 3, kind="tournament")
    assert page.pending(person("bob"), now) == []
