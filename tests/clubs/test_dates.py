"""The dates of a club: who sets them, who sees them, who comes, and what people are told."""

from datetime import timedelta

import pytest

from accounts.clubs import clubs
from accounts.models import Member
from accounts.people import calendar
from accounts.web.refused import Refused
from games.calendar import services
from games.calendar.models import CalendarEvent
from games.calendar.services import EventPlan
from games.clubs.calendar import page
from games.tournaments import calendar as entries
from tests.clubs.club_pages import private
from tests.clubs.clubs import DAY
from tests.people import person

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def plan(now):
    return EventPlan("Friday evening", now + 9 * DAY, 3, "At Eve’s", "Bring cake.", False)


@pytest.fixture
def date(club, plan, now):
    return services.make(club, person("ann"), plan, now)[0]


def told(name):
    return [(each.kind, each.values["title"]) for each in person(name).notices.order_by("pk") if "title" in each.values]


def entry(name, now):
    return next((e for e in entries.entries(person(name), now)), None)


def test_all_members_are_told_and_asked_until_they_answer(club, date, now):
    assert told("bob") == [("calendar-set", "Friday evening")] and told("ann") == told("cho") == []
    assert [len(page.pending(person(name), now)) for name in ("ann", "bob", "cho")] == [1, 1, 0]
    services.answer(date, person("bob"), "maybe", now)
    services.answer(date, person("bob"), "no", now)
    assert page.pending(person("bob"), now) == []
    [shown] = page.coming(club, person("ann"), True, now, 3)
    assert {answer: [user.username for user in people] for answer, people in shown.answers.items()} == {
        "yes": [],
        "maybe": [],
        "no": ["bob"],
    }


def test_who_comes_and_who_may_is_reminded_a_day_and_an_hour_before_and_who_does_not_is_not(club, date, now):
    for name in ("dan", "eve"):
        Member.objects.create(club=club, user=person(name), joined_at=now)
    for name, comes in (("ann", "yes"), ("bob", "no"), ("dan", "maybe")):
        services.answer(date, person(name), comes, now)
    for early in (DAY + HOUR, HOUR * 2):
        services.remind(date.starts_at - early)
    assert told("dan") == [("calendar-soon", "Friday evening")]
    for _ in range(2):
        services.remind(date.starts_at - HOUR)
    assert len(told("dan")) == len(told("ann")) == 2
    assert told("bob") == [("calendar-set", "Friday evening")] and told("eve") == []


def test_after_an_outage_nobody_is_reminded_twice_or_of_what_is_over(club, date, now):
    services.answer(date, person("ann"), "yes", now)
    services.remind(date.starts_at - HOUR / 2)
    services.remind(date.starts_at - HOUR / 3)
    assert len(told("ann")) == 1
    CalendarEvent.objects.update(remind_at=date.starts_at - HOUR)
    services.remind(date.starts_at + HOUR)
    assert len(told("ann")) == 1


def test_a_date_set_at_short_notice_needs_no_reminder(club, plan, now):
    assert services.make(club, person("ann"), plan._replace(starts_at=now + 90 * HOUR / 60), now)[0].remind_at is None
    assert (
        services.make(club, person("ann"), plan._replace(starts_at=now + 3 * HOUR), now)[0].remind_at == now + 2 * HOUR
    )


def test_two_stewards_who_change_a_date_at_once_do_not_undo_each_other(club, date, plan, now):
    seen = services.revision(date)
    services.change(date, person("ann"), plan._replace(place="In the hall"), seen, now + HOUR)
    with pytest.raises(Refused, match="Somebody else has changed"):
        services.change(date, person("ann"), plan._replace(place="At home"), seen, now + HOUR)
    date.refresh_from_db()
    assert date.place == "In the hall" and told("bob")[-1] == ("calendar-changed", "Friday evening")
    services.cancel(date, person("ann"), now + HOUR)
    for act in (
        lambda: services.cancel(date, person("ann"), now + HOUR),
        lambda: services.change(date, person("ann"), plan, services.revision(date), now + HOUR),
        lambda: services.answer(date, person("bob"), "yes", now + HOUR),
    ):
        with pytest.raises(Refused, match="cancelled"):
            act()
    assert told("bob")[-1] == ("calendar-cancelled", "Friday evening")


def test_strangers_see_public_dates_only_and_never_who_comes(client, club, date, plan, now):
    [shown] = services.make(club, person("ann"), plan._replace(title="Open evening", public=True), now)
    services.answer(shown, person("bob"), "yes", now)
    list_ = client.get(f"/c/{club.slug}/calendar").content.decode()
    assert "Open evening" in list_ and "Friday evening" not in list_ and "comes" not in list_
    assert client.get(date.get_absolute_url()).status_code == 404
    html = client.get(shown.get_absolute_url()).content.decode()
    assert "Who comes" not in html and "/@/bob" not in html
    client.force_login(person("bob"))
    assert "/@/bob" in client.get(shown.get_absolute_url()).content.decode()
    private(club)
    client.force_login(person("cho"))
    assert client.get(shown.get_absolute_url()).status_code == 404


def test_in_the_calendar_stands_what_one_has_not_declined_for_as_long_as_one_is_a_member(club, date, now):
    tentative, confirmed, cancelled = calendar.Status.TENTATIVE, calendar.Status.CONFIRMED, calendar.Status.CANCELLED
    assert (entry("bob", now).status, entry("bob", now).place) == (tentative, "At Eve’s")
    services.answer(date, person("bob"), "yes", now)
    services.answer(date, person("ann"), "no", now)
    assert entry("bob", now).status == confirmed and entry("ann", now) is None
    services.cancel(date, person("ann"), now)
    assert entry("bob", now).status == cancelled
    clubs.leave(club, person("bob"), now)
    assert entry("bob", now) is None and not date.answers.filter(user=person("bob")).exists()
