"""What guests are called: by themselves, by a steward, and those of whom a steward has only the name."""

import re
from datetime import timedelta
from urllib.parse import quote_from_bytes

import pytest
from django.test import Client
from django.utils import timezone

from accounts import services as accounts
from accounts.models import Member, User
from accounts.web import throttle
from accounts.web.refused import Refused
from games.engine.registry import title
from games.matches import chat
from games.matches.models import Match
from games.tournaments import audit, contests, evenings, events, guests, services, shown, typed
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import LATER, evening_of, seat

pytestmark = pytest.mark.django_db
LIST = "1. bob\n2. Dora Huber <dora@example.org>\n- Emil,\t\tFrieda"


@pytest.fixture
def night():
    return evening_of("ann", "bob")


@pytest.fixture
def at_table():
    found = evening_of("ann", "bob", terms=GameTerms(seats=3))
    Tournament.objects.update(at_table=True)
    services.leave(found, person("ann"), START)
    return Tournament.objects.get()


def link(event):
    return f"{event.get_absolute_url()}/come/{event.token}"


def come(event, called):
    client = Client()
    return client, client.post(link(event), {"called": called}, follow=True)


def guest_names(event):
    entrants = events.standing(event).entrants
    return {*User.objects.filter(pk__in=entrants, guest=True).values_list("guest_name", flat=True)}


def as_(name, event, path, data):
    client = Client()
    client.force_login(person(name))
    return client.post(f"{event.get_absolute_url()}/{path}", data, follow=True)


def test_a_guest_has_a_name_with_a_mark_and_no_link_and_can_change_it(client, night):
    assert "Your name here" in client.get(link(night)).text
    page = client.post(link(night), {"called": "  Dora "}, follow=True).text
    assert "Dora (guest)" in page
    guest = User.objects.get(guest=True)
    assert 'value="Dora"' in client.get(link(night)).text
    client.post(link(night), {"called": "Dora H."})
    guest.refresh_from_db()
    assert guest.shown_name == "Dora H. (guest)" and guest.username.startswith("guest-")
    page = client.get(night.get_absolute_url()).text
    assert "Dora H. (guest)" in page and "/@/Dora" not in page
    client.post(link(night), {"called": ""})
    guest.refresh_from_db()
    assert guest.shown_name == guest.username


def test_members_are_not_asked_for_a_name_and_get_none(client, night):
    client.force_login(person("bob"))
    assert "Your name here" not in client.get(link(night)).text
    client.post(link(night), {"called": "Dora"})
    assert not User.objects.exclude(guest_name="")


def test_signing_up_ends_the_name(night):
    come(night, "Dora")
    guest = User.objects.get(guest=True)
    account = accounts.sign_up("dora", "a quiet scriptorium", guest=guest)
    assert (account.pk, account.guest_name, account.shown_name) == (guest.pk, "", "dora")


@pytest.mark.parametrize(
    "name",
    [
        *("bob", "BOB", "b0b", "B o b", "Вob", "Anna-Maria", "Anna Maria"),
        *(
            "steward",
            "The Steward",
            "Admin Dora",
            "a-d-m-i-n",
            "Armarium",
            "guest",
            "guest-dora",
            "bot-dora",
            "closed-1",
        ),
        *(
            "Do\u200bra",
            "Do\u202era",
            "Do\x07ra",
            "Dora (steward)",
            "Dora ✓",
            "<b>Dora",
            "x" * 21,
            "1234",
            "www.dora.org",
        ),
    ],
)
def test_no_guest_is_called_what_would_mislead(night, name):
    person("anna_maria")
    _client, page = come(night, name)
    assert page.status_code == 422, page.text
    assert guest_names(night) <= {""}
    assert User.objects.filter(guest=True).exclude(guest_name="").count() == 0


def test_two_guests_of_a_night_do_not_look_the_same(night):
    come(night, "Dora")
    _client, page = come(night, "DORA")
    assert "Another guest here is called" in page.text and page.status_code == 422
    assert len(events.standing(night).entrants) == 3


def test_the_table_the_chat_and_the_results_show_the_name_and_records_keep_the_other(night):
    client, _page = come(night, "Dora")
    guest = User.objects.get(guest=True)
    seat(night)
    match = Match.objects.seated().get()
    index = next(each.index for each in match.sitting if each.user_id == guest.pk)
    assert match.sitting[index].shown_name == match.sitting[index].person.name == "Dora (guest)"
    assert match.sitting[index].name == guest.username and match.sitting[index].person.address == ""
    chat.say(match, guest, "hello")
    assert "<bdi>Dora (guest)</bdi>" in str(chat.words(match.chat.get()))
    assert "Dora (guest)" in client.get(match.get_absolute_url()).text
    assert "Dora (guest)" in client.get(f"{night.get_absolute_url()}/wall").text


def test_a_steward_changes_or_removes_the_name_of_a_guest_and_nobody_else_does(night):
    _client, _page = come(night, "Dora")
    guest = User.objects.get(guest=True)
    data = {"player": guest.pk, f"called-{guest.pk}": "Emil"}
    assert as_("cho", night, "guest", data).status_code == as_("bob", night, "guest", data).status_code == 404
    assert "looks like the name of an account" in as_("ann", night, "guest", data | {f"called-{guest.pk}": "bob"}).text
    assert guest_names(night) == {"Dora"}
    assert "is now called Emil (guest)" in as_("ann", night, "guest", data).text
    as_("ann", night, "guest", data | {f"called-{guest.pk}": ""})
    assert guest_names(night) == {""}
    assert night.club.decisions.filter(kind="renamed").count() == 2
    assert "Emil" not in text(Client().get("/c/st-gall/log"))
    for stranger in (person("bob"), accounts.guest()):
        with pytest.raises(Refused, match="Only guests of this event"):
            guests.rename(night, person("ann"), stranger, "Emil", START)
    assert not person("bob").guest_name
    services.leave(night, guest, START)
    with pytest.raises(Refused, match="only remove the name"):
        guests.rename(night, person("ann"), guest, "Emil", START)


def test_a_list_of_names_enters_members_as_ever_and_others_as_guests(at_table):
    person("eve")
    Member.objects.create(club=at_table.club, user=person("eve"), joined_at=START)
    client = Client()
    client.force_login(person("ann"))
    assert "Everyone else becomes a guest" in client.get(at_table.get_absolute_url()).text
    page = as_("ann", at_table, "names", {"list": LIST + "\nEve"}).text
    assert guest_names(at_table) == {"Dora Huber", "Emil", "Frieda"} and "has been asked" in page
    assert person("eve").pk not in events.standing(at_table).entrants
    assert "Dora Huber (guest)" in page and "dora@example.org" not in page
    assert "already here" in as_("ann", at_table, "names", {"list": "Emil\nfrieda"}).text
    audit.check(Tournament.objects.get())


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ("Emil\nemil", "look the same"),
        ("Emil\nDora-Huber\nDora Huber", "look the same"),
        ("Emil\nBartholomäus Schwarzenbach", "is too long"),
        ("Emil\ngus", "“gus” looks like the name of an account"),
        ("Emil\nThe Steward", "“The Steward” can’t be entered"),
        ("Emil\nE\u202emma", "can’t be entered"),
        ("Emil\n<emil@example.org>", "has no name in it"),
        ("", "Everybody on this list"),
        ("x\n" * 1001, "too long"),
    ],
)
def test_of_a_list_with_a_fault_nobody_is_entered(at_table, names, why):
    person("gus")
    assert why in text(as_("ann", at_table, "names", {"list": names}))
    assert not User.objects.filter(guest=True).exists() and len(events.standing(at_table).entrants) == 2


@pytest.mark.parametrize("coding", ["latin-1", "utf-16", "utf-16-le", "utf-16-be"])
def test_of_a_list_in_another_coding_nobody_is_entered_and_one_sentence_says_so(at_table, coding):
    client = Client()
    client.force_login(person("ann"))
    data = b"list=" + quote_from_bytes("Emil\nJörg\nZoë".encode(coding)).encode()
    page = client.post(f"{at_table.get_absolute_url()}/names", data, "application/x-www-form-urlencoded", follow=True)
    assert len(re.findall("” can’t be entered|” is too long", text(page))) == 1
    assert not User.objects.filter(guest=True).exists() and len(events.standing(at_table).entrants) == 2


def test_of_ten_thousand_lines_nobody_is_entered_and_the_browser_cuts_no_list_to_one_that_counts(at_table):
    names = "\n".join(f"Guest {number}" for number in range(10_000))
    field = re.search(r'<textarea[^>]* name="list"[^>]* maxlength="(\d+)"', as_("ann", at_table, "names", {}).text)
    for sent in (names, names[: int(field[1])]):
        page = text(as_("ann", at_table, "names", {"list": sent}))
        assert page.count("This list is too long: enter at most 2000 letters at a time.") == 1
    assert not User.objects.filter(guest=True).exists() and len(events.standing(at_table).entrants) == 2


def test_of_too_many_names_of_accounts_none_is_entered(night):
    person("dan")
    page = text(as_("ann", night, "tick", {"names": "x, " * 665 + "dan, eve"}))
    assert "This list is too long" in page and "No player is called" not in page
    assert len(events.standing(night).entrants) == 2


def test_a_list_is_bounded_by_the_room_of_the_event_and_the_throttle_of_guests(at_table, monkeypatch):
    steward = person("ann")
    monkeypatch.setattr(guests, "MOST_PLAYERS", 2)
    with pytest.raises(Refused, match="room for 1 more"):
        guests.enter_names(at_table, steward, "Emil\nDora", "here", START)
    monkeypatch.undo()
    throttle.count("newcomers", "here", throttle.LIMITS["newcomers"].times - 1)
    with pytest.raises(throttle.TooMany):
        guests.enter_names(at_table, steward, "Emil\nDora", "here", START)
    assert not User.objects.filter(guest=True).exists()
    guests.enter_names(at_table, steward, "Emil", "here", START)
    assert guest_names(at_table) == {"Emil"}


def test_only_a_steward_enters_names_and_only_at_the_real_table(night):
    assert as_("bob", night, "names", {"list": "Emil"}).status_code == 404
    assert "real cards" in as_("ann", night, "names", {"list": "Emil"}).text
    assert not User.objects.filter(guest=True).exists()


def test_the_table_of_an_event_keeps_guests_whom_a_steward_has_entered(at_table):
    guests.enter_names(at_table, person("ann"), "Emil\nDora", "here", START)
    evenings.seat_everybody(at_table, person("ann"), START)
    typed.enter(at_table, person("ann"), 0, 0, (1, 2, 3), (), "", LATER)
    User.objects.filter(guest=True).update(date_joined=timezone.now() - timedelta(days=60))
    assert accounts.forget_guests(timezone.now()) == 0
    rows = shown.shown(Tournament.objects.get(), person("bob"), LATER).rows
    assert {person.name for _row, person, _points in rows} == {"bob", "Emil (guest)", "Dora (guest)"}


def test_a_tournament_with_a_plan_begins_with_guests_entered_by_name():
    club = club_of("ann", "bob", season=False).club
    plan = contests.Plan(rounds=2)
    cup = contests.create(
        club, person("ann"), Tournament.Kind.SWISS, "Cup", GameTerms(seats=2), plan, START, game=title()
    )
    Tournament.objects.update(at_table=True)
    services.enter(cup, person("bob"), START)
    page = as_("ann", cup, "names", {"list": "Emil\nDora\nFrieda"}).text
    assert "Change name" in page and guest_names(cup) == {"Emil", "Dora", "Frieda"}
    contests.begin(cup, person("ann"), START)
    assert len(events.standing(cup).rounds[0].tables) == 2
    assert "Emil (guest)" in Client().get(cup.get_absolute_url()).text


def test_who_may_not_see_a_private_event_sees_no_name():
    event = evening_of("ann", "bob", private=True)
    come(event, "Dora")
    for path in ("", "/wall", "/results.csv"):
        page = Client().get(event.get_absolute_url() + path)
        assert page.status_code == 404 and "Dora" not in page.text


def test_a_guest_does_not_take_the_name_of_another_by_way_of_another_event(night):
    ann = person("ann")
    other = services.open_tournament(night.club, ann, Tournament.Kind.EVENING, "Two", GameTerms(seats=3), START)
    first, second = accounts.guest(), accounts.guest()
    guests.come(night, first, "Dora", START, night.token)
    guests.come(night, second, "Ida", START, night.token)
    with pytest.raises(Refused, match="Where the guest plays too"):
        guests.come(other, second, "Dora", START, other.token)
    second.refresh_from_db()
    assert second.guest_name == "Ida"
