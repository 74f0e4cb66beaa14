"""The pages of events with the same deal for all, as people use them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Club, Member
from games.lobby import pending
from games.matches.clocks import instant
from games.tournaments import calendar, duplicate, events, services
from games.tournaments.models import Tournament
from tests.clubs.clubs import club_of
from tests.clubs.event_forms import DEAL, SAME_DEAL
from tests.matches.matches import rushed
from tests.people import person
from tests.reading import text
from tests.tournaments.deals import Kind, deal_of, duplicate_of, matches

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NOW = timezone.now()


def opened(client, sent, **chosen):
    """The answer to the form for a new event, sent by ann, a steward."""
    club = club_of("ann", "bob", "dan", "eve", season=False, now=NOW).club
    client.force_login(person("ann"))
    return client.post(f"{club.get_absolute_url()}/calendar/new", sent | chosen)


def test_a_steward_opens_one_and_seats_everybody(client):
    response = opened(client, SAME_DEAL)
    found = Tournament.objects.get()
    assert response.status_code == 302 and (found.kind, found.rated, found.settings["rounds"]) == (
        "duplicate",
        False,
        3,
    )
    for name in ("ann", "bob", "dan", "eve"):
        services.enter(found, person(name), NOW)
    response = client.post(f"{found.get_absolute_url()}/next", {"rounds": "0"})
    assert response.url in [match.get_absolute_url() for match in matches(found)]
    page = text(client.get(found.get_absolute_url()))
    assert "What everyone has scored is told when this closes" in page and "Being played" in page
    assert "Someone else has just begun" in text(
        client.post(f"{found.get_absolute_url()}/next", {"rounds": "0"}, follow=True)
    )
    wrong = client.post(f"{found.get_absolute_url()}/seat", {"how": "unmet", "size": 2, "rounds": 1}, follow=True)
    assert "rounds of a tournament follow its plan" in text(wrong)
    assert "has begun already" in text(client.post(f"{found.get_absolute_url()}/begin", follow=True))


def test_who_presses_play_is_led_to_a_table_of_their_own_once(client):
    opened(client, DEAL, seats=3, weekly="on")
    deal = Tournament.objects.get()
    client.force_login(person("bob"))
    page = text(client.get(deal.get_absolute_url()))
    assert "You have one try at this deal" in page and "End the tournament" not in page
    response = client.post(f"{deal.get_absolute_url()}/enter")
    [match] = matches(deal)
    assert response.url == match.get_absolute_url() and match.rated is False
    assert "everyone plays it once" in text(client.post(f"{deal.get_absolute_url()}/enter", follow=True))
    rushed(match)
    page = text(client.get(deal.get_absolute_url()))
    assert "You have played this deal" in page and "Finished" in page


def test_a_sealed_table_leads_to_its_tournament_whoever_may_know_of_that(client):
    found = duplicate_of("ann", "bob", "dan", "eve", rounds=2, now=NOW)
    duplicate.seat_everybody(found, person("ann"), NOW)
    [table] = [match for match in matches(found) if not match.seats.filter(user=person("ann")).exists()]
    for private, name, told in ((False, "ann", True), (False, "cho", True), (True, "ann", True), (True, "cho", False)):
        Club.objects.update(private=private)
        client.force_login(person(name))
        answer = client.get(table.get_absolute_url())
        if told:
            assert answer.url == found.get_absolute_url()
            assert "This table is sealed until the tournament is over" in text(client.get(answer.url))
        else:
            assert answer.status_code == 404


def test_a_steward_makes_a_deal_the_last(client):
    opened(client, DEAL, weekly="on")
    deal = Tournament.objects.get()
    assert "Make this the last deal" in text(client.get(deal.get_absolute_url()))
    client.post(f"{deal.get_absolute_url()}/last")
    assert events.standing(deal).last
    assert "Make this the last deal" not in text(client.get(deal.get_absolute_url()))


def test_results_are_compared_seat_by_seat_and_one_is_struck_out_after_the_close(client, django_assert_max_num_queries):
    found = duplicate_of("ann", "bob", "dan", "eve", rounds=1, now=NOW)
    duplicate.seat_everybody(found, person("ann"), NOW)
    for number, match in enumerate(matches(found)):
        rushed(match, seed=number)
    client.force_login(person("ann"))
    assert client.get(f"{found.get_absolute_url()}/correct/1/1").status_code == 404
    services.close(found, person("ann"), timezone.now())
    with django_assert_max_num_queries(28):
        page = client.get(found.get_absolute_url())
    said = text(page)
    assert "Seat 1 of 2 matchpoints" in said and "Seat 2 of 2 matchpoints" in said
    keys = [match.key for match in matches(found)]
    assert all(page.content.decode().count(f"/m/{key}/0") == 2 for key in keys)
    assert "Strike it out" in text(client.get(f"{found.get_absolute_url()}/correct/1/1"))
    client.post(f"{found.get_absolute_url()}/correct/1/1", {"reason": "They knew the cards."})
    said = text(client.get(found.get_absolute_url()))
    assert "They knew the cards." in said and "Doesn’t count" in said and "50%" in said


def test_it_waits_for_members_until_they_have_played_and_stands_in_their_calendars():
    deal = deal_of("ann", "bob", now=NOW)
    bob = person("bob")
    [wait] = [wait for wait in pending.actions(bob, NOW) if "deal of the week" in str(wait.sentence)]
    assert wait.until == instant(deal.settings["until"])
    [entry] = [entry for entry in calendar.entries(bob, NOW) if entry.uid.startswith("deal-")]
    assert entry.starts == wait.until
    duplicate.play(deal, bob, NOW)
    assert not [wait for wait in pending.actions(bob, NOW) if "deal of the week" in str(wait.sentence)]
    assert not [entry for entry in calendar.entries(bob, NOW) if entry.uid.startswith("deal-")]
    late = wait.until + timedelta(seconds=1)
    assert not [wait for wait in pending.actions(person("ann"), late) if "deal of the week" in str(wait.sentence)]


def test_guests_have_no_link_and_who_has_left_the_club_no_seat(client):
    found = duplicate_of("ann", "bob", "dan", "eve", now=NOW)
    assert found.kind == Kind.DUPLICATE
    assert client.get(f"{found.get_absolute_url()}/come/x").status_code == 404
    client.force_login(person("ann"))
    said = text(client.get(found.get_absolute_url()))
    assert "Link for guests" not in said
    client.post(f"{found.get_absolute_url()}/link")
    found.refresh_from_db()
    assert not found.token
    Member.objects.filter(user=person("bob")).delete()
    services.left(found.club, person("bob"), NOW, None)
    assert person("bob").pk not in events.standing(found).here


def test_a_newcomer_reads_why_they_cannot_enter_and_enters_if_a_steward_asks(client):
    found = duplicate_of("ann", "bob", "dan", "eve")
    fay = person("fay")
    Member.objects.create(club=found.club, user=fay, joined_at=NOW + timedelta(hours=1))
    client.force_login(fay)
    address = found.get_absolute_url()
    assert "A steward can let you in" in text(client.get(address))
    services.tick(found, person("ann"), [fay], NOW)
    page = client.get(address)
    assert "A steward asks" in text(page) and "A steward can let you in" not in text(page)
    assert all(f'formaction="{address}/{answer}"' in page.content.decode() for answer in ("enter", "decline"))
