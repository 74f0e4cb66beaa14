"""What the calendar opens and begins: by the clock or by a steward, once, and with nobody who has not agreed."""

import pytest
from django.db import connection

from accounts.clubs import clubs
from accounts.models import Member, Rating, StewardDecision
from accounts.web.refused import Refused
from games.calendar import services as calendar
from games.matches.models import Match
from games.tournaments import contests, due, evenings, events, scheduled, services
from games.tournaments.models import Tournament
from tests.at_once import at_once
from tests.calendar.plans import BEGINS, DAY, HOUR, MINUTE, NIGHT, SWISS, kinds, make, opened, opens
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import end, end_all

pytestmark = pytest.mark.django_db
NAMES = "ann", "bob", "dan", "eve"


@pytest.fixture
def club():
    return club_of(*NAMES, season=False).club


def here(tournament):
    standing = events.standing(tournament)
    return {each.username for each in map(user, standing.here)}


def user(pk):
    return Member.objects.get(user=pk).user


def rounds(tournament):
    return len(events.standing(tournament).rounds)


def entered(club, plan=SWISS, names=NAMES):
    """The open tournament of an event that these have entered."""
    [event] = make(club, plan)
    cup = opened(event, START)
    for name in names:
        services.enter(cup, person(name), START)
    return cup


# Opening


def test_a_night_opens_half_an_hour_before_with_who_has_said_yes(club):
    [night] = make(club, NIGHT)
    for name, comes in (("bob", "yes"), ("dan", "maybe"), ("eve", "no")):
        calendar.answer(night, person(name), comes, START)
    assert opened(night, BEGINS - 31 * MINUTE) is None
    evening = opened(night, BEGINS - 30 * MINUTE)
    assert here(evening) == {"bob"} and evening.name == NIGHT.title
    entrant = events.standing(evening).entrants[person("bob").pk]
    assert entrant.ticked and entrant.here
    assert [kinds(name).count("evening") for name in NAMES] == [0, 0, 1, 0]
    with pytest.raises(Refused, match="say there that you’re here"):
        calendar.answer(night, person("dan"), "yes", BEGINS - 20 * MINUTE)
    scheduled.open_due(BEGINS)
    assert Tournament.objects.count() == 1


def test_who_said_yes_and_left_the_club_or_lost_the_rating_is_left_out(club):
    [night] = make(club, NIGHT._replace(least_games=1))
    with pytest.raises(Refused, match="at least 1 rated game"):
        calendar.answer(night, person("eve"), "yes", START)
    for name in ("bob", "dan"):
        Rating.objects.create(user=person(name), game="biblios", pool="3", games=1)
        calendar.answer(night, person(name), "yes", START)
    clubs.leave(club, person("bob"), START)
    Rating.objects.all().delete()
    assert here(opened(night, BEGINS)) == set()


def test_a_tournament_opens_for_entry_at_once_and_tells_once_when_it_begins(club):
    [event] = make(club, SWISS)
    cup = opened(event, START)
    assert (cup.name, cup.kind, cup.at_table) == ("Cup", "swiss", False)
    assert kinds("bob") == ["calendar-opened"]
    assert person("bob").notices.get().address == cup.get_absolute_url()
    services.enter(cup, person("bob"), START)
    calendar.remind(BEGINS - DAY)
    calendar.remind(BEGINS - HOUR)
    assert kinds("bob") == ["calendar-opened", "calendar-soon", "calendar-soon"] and kinds("dan") == ["calendar-opened"]


@pytest.mark.parametrize(
    ("what", "settings"),
    [
        ("knockout", {"seeds": "rung"}),
        ("arena", {"minutes": 60, "seeds": "random"}),
        ("duplicate", {"rounds": 2}),
    ],
)
def test_every_kind_opens_and_is_not_forgotten_before_it_starts(club, what, settings):
    [event] = make(club, SWISS._replace(opens=opens(what, settings=settings)))
    cup = opened(event, START)
    due.work(BEGINS)
    cup.refresh_from_db()
    assert cup.kind == what and cup.closed_at is None
    due.work(BEGINS + 2 * DAY)
    cup.refresh_from_db()
    assert cup.closed_at is not None  # nobody came


def test_a_steward_opens_earlier_and_who_was_slower_reads_who_was_first(club):
    Member.objects.filter(user=person("bob")).update(role="steward")
    [night] = make(club, NIGHT)
    evening = scheduled.open_now(night, person("ann"), START)
    assert scheduled.open_now(night, person("ann"), START) == evening
    with pytest.raises(Refused, match="ann has just opened this"):
        scheduled.open_now(night, person("bob"), START)
    with pytest.raises(Refused, match="steward"):
        scheduled.open_now(night, person("dan"), START)
    row = StewardDecision.objects.get(kind="created")
    assert row.by == person("ann")
    due.work(START + DAY)  # an evening on which nothing happens, but whose time is yet to come
    evening.refresh_from_db()
    assert evening.closed_at is None


def test_what_begins_now_is_set_and_opened_at_once_and_told_once(club):
    [night] = make(club, NIGHT._replace(starts_at=START))
    scheduled.open_now(night, person("ann"), START)
    assert kinds("bob") == ["evening"]


def test_what_cannot_be_opened_is_told_to_the_stewards_once_and_can_be_opened_later(club, monkeypatch):
    monkeypatch.setattr(services, "MOST_OPEN", 0)
    [event] = make(club, SWISS)
    for _time in range(2):
        assert opened(event, START) is None
    assert kinds("ann") == ["calendar-not-opened"] and kinds("bob") == []
    with pytest.raises(Refused, match="Too many events"):
        scheduled.open_now(event, person("ann"), START)
    monkeypatch.setattr(services, "MOST_OPEN", 1)
    assert scheduled.open_now(event, person("ann"), START).calendar == event


def test_after_an_outage_what_is_over_is_not_opened(club):
    [night] = make(club, NIGHT)
    assert opened(night, BEGINS + 4 * HOUR) is None
    with pytest.raises(Refused, match="has passed"):
        scheduled.open_now(night, person("ann"), BEGINS + 4 * HOUR)


# Changed and cancelled


def test_a_cancelled_tournament_is_closed_and_its_players_are_told(club):
    cup = entered(club, names=["bob"])
    calendar.cancel(cup.calendar, person("ann"), START + HOUR)
    cup.refresh_from_db()
    assert cup.closed_at and kinds("bob") == ["calendar-opened", "calendar-cancelled"]
    assert "calendar-cancelled" not in kinds("dan")


def test_once_it_has_begun_an_event_is_not_cancelled(club):
    cup = entered(club)
    contests.begin(cup, person("ann"), START)
    with pytest.raises(Refused, match="on its own page"):
        calendar.cancel(cup.calendar, person("ann"), START + HOUR)
    cup.calendar.refresh_from_db()
    assert cup.calendar.cancelled_at is None


def test_a_change_moves_the_first_round_but_not_the_name_of_what_is_open(club):
    cup = entered(club, SWISS._replace(by_clock=True))
    plan = calendar.plan_of(cup.calendar)._replace(starts_at=BEGINS + HOUR, title="Other")
    calendar.change(cup.calendar, person("ann"), plan, 0, START + HOUR)
    cup.refresh_from_db()
    cup.calendar.refresh_from_db()
    assert (cup.clock_at, cup.calendar.title) == (BEGINS + HOUR, "Cup")
    assert kinds("bob") == ["calendar-opened", "calendar-changed"] and kinds("ann") == []


# By the clock


def test_the_rounds_of_a_tournament_begin_by_the_clock(club):
    cup = entered(club, SWISS._replace(by_clock=True, pause=10))
    scheduled.begin_due(BEGINS - MINUTE)
    assert rounds(cup) == 0
    scheduled.begin_due(BEGINS)
    assert rounds(cup) == 1
    end(cup, 0, 1, 2, now=BEGINS + 20 * MINUTE)
    scheduled.begin_due(BEGINS + 2 * HOUR)
    assert rounds(cup) == 1  # a game goes on
    end(cup, 1, 1, 2, now=BEGINS + 30 * MINUTE)
    scheduled.begin_due(BEGINS + 39 * MINUTE)
    assert rounds(cup) == 1
    scheduled.begin_due(BEGINS + 40 * MINUTE)
    assert rounds(cup) == 2
    end_all(cup, BEGINS + HOUR)
    due.work(BEGINS + HOUR)
    cup.refresh_from_db()
    assert cup.closed_at and cup.clock_at is None


@pytest.mark.parametrize(
    ("what", "settings"),
    [
        ("knockout", {"seeds": "rung"}),
        ("round_robin", {"seeds": "rung"}),
        ("arena", {"minutes": 60, "seeds": "random"}),
        ("duplicate", {"rounds": 2}),
    ],
)
def test_every_kind_begins_by_the_clock(club, what, settings):
    cup = entered(club, SWISS._replace(by_clock=True, opens=opens(what, settings=settings)))
    scheduled.begin_due(BEGINS)
    due.work(BEGINS)
    assert rounds(cup) == 1
    cup.refresh_from_db()
    assert cup.clock_at is None  # until all games are over; an arena goes on by itself


def test_with_too_few_it_waits_and_the_stewards_are_told_once(club):
    cup = entered(club, SWISS._replace(by_clock=True), names=["bob"])
    for minutes in range(3):
        scheduled.begin_due(BEGINS + minutes * MINUTE)
    assert rounds(cup) == 0 and kinds("ann") == ["round-waits"] and "round-waits" not in kinds("bob")
    services.enter(cup, person("dan"), BEGINS + 3 * MINUTE)
    scheduled.begin_due(BEGINS + 3 * MINUTE)
    assert rounds(cup) == 1


def test_a_club_that_is_emptied_leaves_no_round_half_begun(club):
    cup = entered(club, SWISS._replace(by_clock=True), names=["bob", "dan"])
    for name in ("bob", "dan", "eve"):
        clubs.leave(club, person(name), BEGINS)
    scheduled.begin_due(BEGINS)
    assert rounds(cup) == 0 and events.standing(cup).groups == ()
    due.work(BEGINS + 2 * DAY)
    cup.refresh_from_db()
    assert cup.closed_at is not None


def test_who_plays_elsewhere_is_waited_for_five_minutes(club):
    other = club_of("eve", "fay", season=False, slug="reichenau").club
    night = services.open_tournament(
        other, person("eve"), Tournament.Kind.EVENING, "Late", services.GameTerms(seats=2), START
    )
    for name in ("eve", "fay"):
        services.enter(night, person(name), START)
    cup = entered(club, SWISS._replace(by_clock=True))
    evenings.seat_everybody(night, person("eve"), BEGINS - MINUTE, size=2)
    scheduled.begin_due(BEGINS)
    scheduled.begin_due(BEGINS + 4 * MINUTE)
    assert rounds(cup) == 0
    scheduled.begin_due(BEGINS + 5 * MINUTE)
    assert rounds(cup) == 1 and "eve" not in here(cup) and kinds("eve")[-1] == "gone-by-clock"


def test_a_night_by_the_clock_goes_on_until_its_hours_are_over(club):
    [night] = make(club, NIGHT._replace(by_clock=True, pause=5, hours=1))
    evening = opened(night, BEGINS - 30 * MINUTE)
    for name in NAMES[1:]:
        services.enter(evening, person(name), BEGINS - 20 * MINUTE)
    scheduled.begin_due(BEGINS)
    assert rounds(evening) == 1
    end_all(evening, BEGINS + 30 * MINUTE)
    scheduled.begin_due(BEGINS + 35 * MINUTE)
    assert rounds(evening) == 2
    end_all(evening, BEGINS + 58 * MINUTE)
    scheduled.begin_due(BEGINS + 70 * MINUTE)
    assert rounds(evening) == 2


def test_what_is_set_to_begin_at_once_waits_for_the_steward_and_the_clock_begins_the_others(club):
    [event] = make(club, SWISS._replace(starts_at=START, by_clock=True, pause=3))
    cup = scheduled.open_now(event, person("ann"), START)
    for name in NAMES:
        services.enter(cup, person(name), START)
    scheduled.begin_due(START + 10 * MINUTE)
    assert rounds(cup) == 0  # who is there first is not seated without the others
    contests.begin(cup, person("ann"), START + 10 * MINUTE)
    end_all(cup, START + 30 * MINUTE)
    scheduled.begin_due(START + 33 * MINUTE)
    assert rounds(cup) == 2


def test_a_steward_stops_the_clock(client, club):
    cup = entered(club, SWISS._replace(by_clock=True, pause=3))
    scheduled.begin_due(BEGINS)
    end_all(cup, BEGINS + 20 * MINUTE)
    address = f"/c/{club.slug}/tournaments/{cup.number}"
    for name, status in (("bob", 404), ("ann", 302)):
        client.force_login(person(name))
        assert ("Stop the clock" in text(client.get(address))) == (status == 302)
        assert client.post(f"{address}/next", {"clock": "stop"}).status_code == status
    scheduled.begin_due(BEGINS + HOUR)
    assert rounds(cup) == 1 and "Stop the clock" not in text(client.get(address))
    client.post(f"{address}/next", {"rounds": 1})
    assert rounds(cup) == 2


def test_a_steward_who_presses_after_the_clock_reads_that_it_has_begun(club):
    cup = entered(club, SWISS._replace(by_clock=True))
    scheduled.begin_due(BEGINS)
    with pytest.raises(Refused, match="has begun already"):
        contests.begin(cup, person("ann"), BEGINS)
    scheduled.begin_due(BEGINS)
    assert rounds(cup) == 1 and Match.objects.count() == 2


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_a_worker_and_two_stewards_at_once_open_and_begin_once():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one lock for everything")
    club = club_of(*NAMES, season=False).club
    Member.objects.filter(user=person("bob")).update(role="steward")
    [event] = make(club, SWISS._replace(by_clock=True))
    said = at_once(
        lambda: scheduled.open_due(START),
        lambda: scheduled.open_now(event, person("ann"), START),
        lambda: scheduled.open_now(event, person("bob"), START),
    )
    assert Tournament.objects.count() == 1 and set(said) <= {
        None,
        "ann has just opened this.",
        "bob has just opened this.",
    }
    cup = Tournament.objects.select_related("club", "calendar").get()
    for name in NAMES:
        services.enter(cup, person(name), START)
    said = at_once(
        lambda: scheduled.begin_due(BEGINS),
        lambda: contests.begin(cup, person("ann"), BEGINS),
        lambda: contests.begin(cup, person("bob"), BEGINS),
    )
    assert rounds(cup) == 1 and Match.objects.count() == 2
    assert said[0] is None and said[1:].count(None) <= 1 and "round-waits" not in kinds("ann")


# Its page


def test_the_page_of_a_tournament_says_when_and_where_to_who_may_know(client, club):
    [event] = make(club, SWISS._replace(starts_at=START + 700 * DAY, most=8, by_clock=True), now=START + 100 * DAY)
    cup = opened(event, START + 100 * DAY)

    def html(name):
        client.force_login(person(name))
        return client.get(cup.get_absolute_url()).content.decode()

    assert client.get(event.get_absolute_url()).status_code == 404
    assert "In the library" not in html("cho")
    assert (
        "In the library" in html("bob") and "at most 8 people" in html("bob") and "Cancel this event" not in html("bob")
    )
    assert "Cancel this event" in html("ann")
    assert client.get(event.get_absolute_url()).url == cup.get_absolute_url()
