"""Somebody without an account opens the link of a table: as a guest, or with a new account, they sit down at once."""

import pytest

from accounts.models import User
from games.lobby import open_matches
from games.matches import access, play
from games.matches.clocks import USUAL, Clock
from games.matches.models import Match
from tests.people import person
from tests.reading import messages, source

pytestmark = pytest.mark.django_db

LIVE = {"clock": USUAL}
DAILY = {"clock": Clock.daily(3)}
NEW = {"username": "newcomer", "new_password": "scriptorium-9"}


def opened(places=2, **kwargs):
    return open_matches.open_match(person("ann"), places=places, options={}, **{**LIVE, **kwargs})


def sitting(match):
    return [seat.shown_name for seat in match.seats.select_related("user") if seat.user]


def test_a_casual_table_is_open_to_guests_with_one_press(client):
    match = opened(listed=False)
    page = source(client.get(f"/m/{match.key}"))
    assert "Play as a guest" in page and "Sign up to take this seat" in page
    assert client.post(f"/m/{match.key}/join", {"by": "guest"}).url == f"/m/{match.key}"
    guest = User.objects.get(guest=True)
    assert sitting(match) == ["ann", guest.username]
    # They do there what others do.
    client.post(f"/m/{match.key}/ready", {"ready": "yes"})
    match = access.find(match.key)
    assert match.status == "running"
    play.leave(match, 0, "resign")
    client.post(f"/m/{match.key}/rematch")
    assert Match.objects.get(rematch_of=match).host == guest


def test_a_rated_table_says_that_it_needs_an_account_and_no_guest_sits_down(client):
    match = opened(rated=True)
    page = source(client.get(f"/m/{match.key}"))
    assert "This game is rated, so it needs an account." in page and "Play as a guest" not in page
    assert client.post(f"/m/{match.key}/join", {"by": "guest"}).url == f"/sign-up?next=%2Fm%2F{match.key}"
    assert sitting(match) == ["ann"] and not User.objects.filter(guest=True).exists()


def test_whoever_signs_up_for_a_seat_has_it_when_they_come_back(client):
    match = opened(rated=True)
    to = client.post(f"/m/{match.key}/join", {"by": "sign-up"}).url
    assert to == f"/sign-up?next=%2Fm%2F{match.key}"
    client.post(to, NEW | {"next": f"/m/{match.key}"})
    assert client.get(f"/m/{match.key}").url == f"/m/{match.key}"
    assert sitting(match) == ["ann", "newcomer"]
    # It is for once.
    client.post(f"/m/{match.key}/stand")
    assert client.get(f"/m/{match.key}").status_code == 200 and sitting(match) == ["ann"]


def test_whoever_signs_in_for_a_seat_has_it_too_and_a_lost_one_is_told(client):
    bob, match = User.objects.create_user("bob", password="scriptorium-9"), opened()
    to = client.post(f"/m/{match.key}/join", {"by": "sign-in"}).url
    assert to.startswith("/sign-in?next=")
    open_matches.join(match, person("dan"))
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert "Someone was faster" in messages(client.get(f"/m/{match.key}", follow=True))[0]
    assert sitting(match) == ["ann", "dan"]


def test_a_link_alone_seats_nobody(client):
    match = opened()
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    client.get(f"/m/{match.key}")
    client.cookies["seat"] = match.key
    client.get(f"/m/{match.key}")
    assert sitting(match) == ["ann"]


def test_guests_keep_to_one_game(client):
    client.post("/play/bots", {"places": "2"})
    match = opened()
    client.post(f"/m/{match.key}/join", {"by": "guest"})
    assert sitting(match) == ["ann"]


@pytest.mark.parametrize(("page", "back"), [("/watch", "?next=%2Fwatch"), ("/", ""), ("/sign-up", "")])
def test_the_links_of_the_header_lead_back_to_the_page(client, page, back):
    html = source(client.get(page))
    assert f'href="/sign-in{back}"' in html


def test_a_guest_who_was_removed_does_not_come_back(client):
    match = opened(3)
    client.post(f"/m/{match.key}/join", {"by": "guest"})
    open_matches.kick(match, match.host, 1)
    assert sitting(match) == ["ann"]
    response = client.post(f"/m/{match.key}/join", {"by": "guest"})
    assert messages(response) == ["You can’t sit down at this table."] and sitting(match) == ["ann"]
