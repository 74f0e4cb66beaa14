"""The form of an event: what each kind asks for, what it comes to, and what cannot be set."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.calendar import services
from games.calendar.models import CalendarEvent
from games.calendar.services import EventPlan
from games.clubs.calendar.forms import EventForm
from games.clubs.calendar.kinds import KINDS
from games.clubs.calendar.summary import summary
from games.engine.registry import title
from games.ladders import opening
from games.tournaments import plan, scheduled
from games.tournaments.models import Tournament
from tests.clubs.clubs import club_of
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]
BERLIN = ZoneInfo("Europe/Berlin")
SEVEN = ("ann", "bob", "cho", "dan", "eve", "fay", "gus")


@pytest.fixture
def club(now):
    return club_of("ann", "bob", "dan", season=False, now=now).club


@pytest.fixture
def steward(client, club):
    client.force_login(person("ann"))
    return client


def form_of(club, kind, data=None, event=None):
    return EventForm(data, club=club, kind=KINDS[kind], game=title(), ladders=opening.open_of(club), event=event)


def as_it_is(club, kind, event=None, **changed):
    """What a browser sends of the form of a kind, or of an event, in which only this was changed."""
    form = form_of(club, kind, event=event)
    given = {name: form[name].value() for name in form.fields}
    return {name: str(value) for name, value in (given | changed).items() if value is not None and value is not False}


def send(client, club, kind, **changed):
    return client.post(f"/c/{club.slug}/calendar/new", as_it_is(club, kind, **changed) | {"kind": kind})


def later(now, **ahead):
    return (now + timedelta(**ahead)).strftime("%Y-%m-%dT%H:%M")


def test_every_kind_is_offered_in_a_sentence_and_asks_only_what_it_needs(steward, club):
    offered = text(steward.get(f"/c/{club.slug}/calendar/new"))
    assert {kind.tournament for kind in KINDS.values()} - {None} == set(Tournament.Kind)
    for slug, kind in KINDS.items():
        assert str(kind.means) in offered and str(kind.label) in offered
        assert steward.get(f"/c/{club.slug}/calendar/new?kind={slug}").status_code == 200
        assert len([*form_of(club, slug).asked]) <= 7
    asked = {field.name for field in form_of(club, "swiss").asked}
    assert asked == {"name_", "played", "time", "rounds", "days"} | ({"seats"} if not KINDS["swiss"].for_two else set())
    assert steward.get(f"/c/{club.slug}/calendar/new?kind=chess").status_code == 404


@pytest.mark.parametrize("kind", [slug for slug, kind in KINDS.items() if kind.tournament])
def test_each_kind_is_opened_now_by_one_press(steward, club, kind):
    answer = send(steward, club, kind)
    made = Tournament.objects.get()
    assert answer.status_code == 302 and made.kind == KINDS[kind].tournament
    assert str(made.name) == str(KINDS[kind].label)
    assert (made.calendar is None) == (kind == "deal")
    if made.calendar:  # a night goes on when its steward says so
        assert made.settings.get("rounds", 3) == 3  # what fits an evening
        assert made.calendar.by_clock == (KINDS[kind].by_round and kind != "night")
    assert steward.get(answer.url, follow=True).status_code == 200


def test_a_weekly_night_keeps_its_time_by_the_clocks_of_the_steward(steward, club):
    at = (datetime.now(BERLIN) + timedelta(days=2)).replace(hour=20, minute=0, second=0, microsecond=0, tzinfo=None)
    sent = {"begins": "later", "starts": at.strftime("%Y-%m-%dT%H:%M"), "zone": "Europe/Berlin", "weeks": 40}
    send(steward, club, "night", name_="Thursdays", place="The library", **sent)
    made = CalendarEvent.objects.order_by("starts_at")
    assert len(made) == 40 and len({each.series for each in made}) == 1
    assert {each.starts_at.astimezone(BERLIN).hour for each in made} == {20}
    assert len({each.starts_at.astimezone(UTC).hour for each in made}) == 2  # across a change of summer time


def test_conditions_and_rounds_by_the_clock(steward, club, now):
    sent = {"begins": "later", "starts": later(now, days=3), "zone": "UTC", "by_clock": "on", "pause": 7, "rounds": 3}
    sent |= {"entry": 60, "most": 16, "least_rating": 1400, "most_rating": 1800, "least_games": 5}
    answer = send(steward, club, "swiss", **sent)
    assert answer.status_code == 302
    made = CalendarEvent.objects.get()
    assert made.starts_at - made.entry_until == timedelta(hours=1) and (made.by_clock, made.pause) == (True, 7)
    assert (made.most, made.least_rating, made.most_rating, made.least_games) == (16, 1400, 1800, 5)
    assert made.opens["kind"] == "swiss" and made.opens["settings"]["rounds"] == 3


SPRING = "2027-03-28T02:30"


@pytest.mark.parametrize(
    ("kind", "wrong", "field", "says"),
    [
        ("meet", {"starts": "soon"}, "starts", "a day and a time"),
        ("meet", {"starts": ""}, "starts", "a day and a time"),
        ("meet", {"starts": "0001-01-01T00:00+23:00"}, "starts", "a day and a time"),
        ("meet", {"starts": "2020-01-01T20:00"}, "starts", "This has passed"),
        ("meet", {"starts": "9999-12-31T20:00"}, "starts", "too far away"),
        ("meet", {"starts": SPRING, "zone": "Europe/Berlin"}, "starts", "no such time"),
        ("meet", {"hours": "0"}, "hours", "greater than or equal to 1"),
        ("meet", {"weeks": "53"}, "weeks", "less than or equal to 52"),
        ("meet", {"name_": "\u202e \n"}, "name_", "required"),
        ("meet", {"name_": "x" * 61}, "name_", "at most 60"),
        ("night", {"seats": "9"}, "seats", "not one of the available choices"),
        ("night", {"begins": "later", "starts": ""}, "starts", "a day and a time"),
        ("swiss", {"rounds": "99"}, "rounds", "less than or equal to"),
        ("swiss", {"least_rating": "1900", "most_rating": "1800"}, "most_rating", "below"),
        ("swiss", {"most": "1"}, "most", "greater than or equal to 2"),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_nothing_is_set(steward, club, now, kind, wrong, field, says):
    sent = {"name_": "Ours", "starts": later(now, days=3), "zone": "UTC"} | wrong
    answer = send(steward, club, kind, **sent)
    assert answer.status_code == 422 and not CalendarEvent.objects.exists() and not Tournament.objects.exists()
    form = form_of(club, kind, as_it_is(club, kind, **sent))
    assert says in text(answer) and any(says in error for error in form.errors[field])


def test_without_a_zone_times_are_utc_and_the_page_says_so(steward, club, now):
    assert "Times are UTC." in text(steward.get(f"/c/{club.slug}/calendar/new?kind=meet"))
    starts = later(now, days=3)
    for zone in ("", "Nowhere/Land"):
        send(steward, club, "meet", name_="Ours", starts=starts, zone=zone)
    assert {each.starts_at.strftime("%Y-%m-%dT%H:%M") for each in CalendarEvent.objects.all()} == {starts}
    steward.cookies["zone"] = "Europe/Berlin"
    shown = steward.get(f"/c/{club.slug}/calendar/new?kind=meet")
    assert "In your time zone: Europe/Berlin." in text(shown) and 'value="Europe/Berlin"' in shown.content.decode()


def test_the_form_says_what_it_comes_to():
    club = club_of(*SEVEN, season=False).club
    night = as_it_is(club, "night", seats=3)
    assert "With 7 at tables of 3: 4 + 3." in summary(form_of(club, "night", night))
    swiss = summary(form_of(club, "swiss", as_it_is(club, "swiss", rounds=3, time="10+15")))
    assert "With 7 people: 3 rounds, about 1 h 0 min." in swiss or any("3 rounds, about" in line for line in swiss)
    robin = summary(form_of(club, "round_robin"))
    assert any("7 rounds" in line for line in robin)  # one has a bye in each
    cup = summary(form_of(club, "knockout", as_it_is(club, "knockout", most=4)))
    assert any("With 4 people: 2 rounds" in line for line in cup)
    assert summary(form_of(club, "meet")) == []


def test_pauses_make_the_evening_longer(steward, club):
    def told(**changed):
        sent = as_it_is(club, "swiss", rounds=5, **changed)
        return text(steward.get(f"/c/{club.slug}/calendar/new/comes-to", sent | {"kind": "swiss"}))

    lengths = [told(by_clock=False), told(), told(pause=60)]
    assert len({*lengths}) == 3 and all("5 rounds" in each for each in lengths)
    assert steward.get(f"/c/{club.slug}/calendar/new/comes-to").status_code == 404


def test_a_browser_without_scripts_reads_what_it_comes_to_before_anything_is_set(steward, club):
    answer = send(steward, club, "swiss", rounds=9, look="1")
    assert answer.status_code == 200 and "9 rounds" in text(answer) and not Tournament.objects.exists()


def test_two_stewards_change_an_event(steward, club, now):
    event = services.make(club, person("ann"), EventPlan("Friday", now + timedelta(days=9), 3, "", "", False), now)[0]
    page = f"{event.get_absolute_url()}/change"
    sent = {"name_": "Mine", "starts": later(now, days=8), "zone": "UTC", "hours": 2, "seen": 9, "readers": "members"}
    answer = steward.post(page, sent)
    html = answer.content.decode()
    assert answer.status_code == 422 and 'value="Mine"' in html and "It’s now: <bdi>Friday</bdi>" in html
    assert steward.post(page, sent | {"seen": services.revision(event)}).status_code == 302
    event.refresh_from_db()
    assert (event.title, event.hours, event.kind) == ("Mine", 2, "meet")


def test_this_and_those_that_follow_are_changed_and_cancelled(steward, club, now):
    plan = EventPlan("Fridays", now + timedelta(days=9), 3, "", "", False)
    first, second, third = services.make(club, person("ann"), plan, now, weeks=3)
    sent = as_it_is(club, "meet", second, place="The hall", following="1")
    steward.post(f"{second.get_absolute_url()}/change", sent)
    for each in (first, second, third):
        each.refresh_from_db()
    assert [each.place for each in (first, second, third)] == ["", "The hall", "The hall"]
    steward.post(f"{second.get_absolute_url()}/cancel")
    steward.post(f"{third.get_absolute_url()}/cancel", {"following": "1"})
    assert list(CalendarEvent.objects.filter(cancelled_at=None)) == [first]


def test_what_is_open_keeps_its_game_when_its_event_is_changed(steward, club, now):
    send(steward, club, "swiss", begins="later", starts=later(now, days=3), zone="UTC", rounds=3)
    event = CalendarEvent.objects.get()
    scheduled.open_now(event, person("ann"), now)
    sent = as_it_is(club, "swiss", event, most=8)
    assert "rounds" not in sent and "name_" not in sent
    answer = steward.post(f"{event.get_absolute_url()}/change", sent)
    event.refresh_from_db()
    assert answer.status_code == 302 and event.most == 8 and event.opens["settings"]["rounds"] == 3


def test_a_tournament_with_a_plan_is_a_line_in_one_table():
    assert {kind.tournament for kind in KINDS.values() if kind.planned} == set(plan.FORMATS)


def test_tie_breaks_and_the_third_place_are_chosen_under_more(steward, club):
    assert "breaks" in [field.name for field in form_of(club, "swiss").more]
    assert "third" in [field.name for field in form_of(club, "knockout").more]
    send(steward, club, "swiss", breaks="wins")
    assert Tournament.objects.get(club=club).settings["breaks"] == "wins"
    send(steward, club, "knockout", third="on")
    assert Tournament.objects.get(club=club, kind="knockout").settings["third"] == 1
