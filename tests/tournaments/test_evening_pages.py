"""The pages of an evening: who sees what, and what people and stewards do there."""

import re

import pytest
from django.test import Client

from accounts.clubs import clubs
from accounts.models import Club, Member, User
from accounts.web.refused import Refused
from games.lobby import open_matches
from games.matches import access, play
from games.matches.models import Match
from games.tournaments import events, page, services
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START
from tests.clubs.event_forms import NIGHT
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import end_all, evening_of, seat

pytestmark = [pytest.mark.django_db, pytest.mark.once]
CHOSEN = {"how": "unmet", "size": "3", "rounds": "0"}


@pytest.fixture
def evening():
    """ann, the steward, and bob are there; dan is a member at home, and cho none."""
    found = evening_of("ann", "bob", "dan")
    services.leave(found, person("dan"), START)
    return found


@pytest.fixture
def at(client, evening):
    """at(name, path, data): a page of the evening as somebody sees it, or what they send there."""

    def at(name="", path="", data=None, night=evening):
        if name:
            client.force_login(person(name))
        address = f"{night.get_absolute_url()}{path}"
        return client.get(address) if data is None else client.post(address, data, follow=True)

    return at


def here(evening):
    names = dict(User.objects.values_list("pk", "username"))
    return [names[player] for player in events.standing(evening).here]


def test_a_steward_opens_an_evening_and_the_members_are_told(client, evening):
    client.force_login(person("ann"))
    client.post("/c/st-gall/calendar/new", NIGHT | {"name_": "Lammas", "seats": "4", "time": "10+15"})
    made = Tournament.objects.get(number=2)
    assert (made.name, made.seats, made.bank_ms, made.kind) == ("Lammas", 4, 600_000, "evening")
    told = person("dan").notices.get(kind="evening")
    assert told.address == made.get_absolute_url() and not person("ann").notices.exists()
    assert "Lammas" in client.get("/c/st-gall/tournaments").text


def test_members_say_that_they_are_there_from_the_club_and_from_the_strip(client, evening, at):
    client.force_login(person("dan"))
    shown = client.get("/c/st-gall").text
    assert "2 people are here" in shown and shown.count("/enter") == 1, "nothing stands there twice"
    for address in ("/play", "/c/st-gall"):
        assert f"{evening.get_absolute_url()}/enter" in client.get(address).text
    assert "You’re here" in at("dan", "/enter", {}).text
    assert here(evening) == ["ann", "bob", "dan"]
    assert "/enter" not in client.get("/play").text
    at("dan", "/leave", {})
    assert here(evening) == ["ann", "bob"]


def test_strangers_look_but_do_not_take_part(evening, at):
    shown = at("cho").text
    assert "I’m here" not in shown and "Seat everybody" not in shown and evening.token not in shown
    assert "Only members of the club can take part." in at("cho", "/enter", {}).text
    for path in ("/tick", "/untick", "/seat", "/close", "/correct/1/1"):
        assert at("cho", path, {}).status_code == 404
    assert here(evening) == ["ann", "bob"]


def test_a_guest_comes_by_the_link_without_an_account(client, evening):
    assert client.get(f"{evening.get_absolute_url()}/come/wrong").status_code == 404
    link = f"{evening.get_absolute_url()}/come/{evening.token}"
    assert "Come as a guest" in client.get(link).text and not User.objects.filter(guest=True).exists()
    assert "You’re here" in client.post(link, follow=True).text
    guest = User.objects.get(guest=True)
    assert guest.username in here(evening)
    seat(evening)
    assert client.get("/c/st-gall").status_code == 200
    assert Match.objects.get().seats.filter(user=guest).exists()


def test_a_guest_whom_a_steward_took_out_comes_back_by_a_steward_only(client, evening, at):
    link, visitor = f"{evening.get_absolute_url()}/come/{evening.token}", Client()
    visitor.post(link)
    guest = User.objects.get(guest=True)
    at("ann", "/untick", {"player": guest.pk})
    assert "only a steward can let you in again" in visitor.post(link, follow=True).text
    visitor.post(f"{evening.get_absolute_url()}/enter")
    assert guest.username not in here(evening)
    assert f'value="{guest.username}"' in at("ann").text
    at("ann", "/tick", {"member": guest.username})
    assert guest.username in here(evening)
    at("ann", "/untick", {"player": person("bob").pk})
    at("bob", "/enter", {})
    assert "bob" in here(evening)  # who belongs to the club comes and goes
    log = text(client.get("/c/st-gall/log"))
    assert f"ann took {guest.username} out of Candlemas." in log and "ann opened Candlemas." in log


def test_the_link_for_guests_can_be_renewed_by_stewards(client, evening, at):
    old = f"{evening.get_absolute_url()}/come/{evening.token}"
    assert at("cho", "/link", {}).status_code == 404
    at("ann", "/link", {})
    evening.refresh_from_db()
    assert client.get(old).status_code == 404
    assert client.get(f"{evening.get_absolute_url()}/come/{evening.token}").status_code == 200
    assert "ann gave guests of Candlemas a new link." in text(client.get("/c/st-gall/log"))


def test_the_link_for_guests_says_why_it_does_not_let_in_and_ends_with_the_evening(client, now):
    evening = evening_of("ann", "bob", private=True)
    link = f"{evening.get_absolute_url()}/come/{evening.token}"
    clubs.expel(evening.club, person("ann"), person("bob"), "Shouts.", now)
    client.force_login(person("bob"))
    refused = client.post(link, follow=True)
    assert refused.status_code == 422 and "You’ve been expelled" in refused.text
    client.logout()
    services.close(evening, person("ann"), now)
    assert client.get(link).status_code == client.post(link).status_code == 404
    Club.objects.update(private=False)
    assert "This night is over." in client.post(link).text and not User.objects.filter(guest=True).exists()


def test_the_link_to_a_tournament_by_correspondence_needs_an_account(client, evening):
    Tournament.objects.filter(pk=evening.pk).update(kind="swiss", pace="daily", days=1, bank_ms=0, increment_ms=0)
    link = f"{evening.get_absolute_url()}/come/{evening.token}"
    assert "invites you to its tournament" in client.get(link).text
    assert client.post(link).url.startswith("/sign-up?next=") and not User.objects.filter(guest=True).exists()
    with pytest.raises(Refused, match="need an account"):
        services.enter(evening, User.objects.create_user("guest-gus", guest=True), START, evening.token)


def test_the_page_of_the_club_leads_from_the_earlier_of_two_evenings_too(client, evening):
    evening_of_more = services.open_tournament(
        evening.club, person("ann"), Tournament.Kind.EVENING, "Lammas", GameTerms(2), START
    )
    assert evening_of_more.number == 2
    client.force_login(person("bob"))
    assert "/ws/play?seeking=1" in client.get("/c/st-gall").text


def test_a_steward_ticks_members_and_names_and_hears_of_unknown_ones(evening, at):
    person("cho")
    clubs.join(evening.club, person("eve"), START)
    clubs.let_seat(evening.club, person("eve"), True, START)
    text = at("ann", "/tick", {"member": ["e\u0000ve"], "names": "cho, Nobody\u0000, ,eve"}).text
    assert "1 person is here now." in text and "No player is called Nobody." in text
    assert "1 person has been asked" in text and "Asked, and not answered yet" in text
    assert here(evening) == ["ann", "bob", "eve"]
    assert "Asked, and not answered yet" not in at("bob").text
    at("ann", "/untick", {"player": str(person("cho").pk)})
    assert "Asked, and not answered yet" not in at("ann").text
    for nonsense in ("x", "9" * 30, "-1"):
        at("ann", "/untick", {"player": nonsense})
    assert here(evening) == ["ann", "bob", "eve"]


def test_everybody_is_seated_and_the_steward_is_led_to_their_table(evening, at):
    response = at("ann", "/seat", CHOSEN)
    match = Match.objects.get()
    assert response.redirect_chain[-1][0] == f"/m/{match.key}"
    assert f"/m/{match.key}" in at("bob").text and "You play at table 1" in at("bob").text
    again = at("ann", "/seat", CHOSEN)
    assert again.status_code == 422 and "just begun this round" in again.text
    for wrong in ({"how": "x"}, {"size": "7"}, {"rounds": ""}):
        assert at("ann", "/seat", {**CHOSEN, **wrong}).status_code == 422
    assert Match.objects.count() == 1


def test_nobody_is_led_away_from_a_live_game_to_the_next_one(client, evening, at):
    seat(evening)
    [first] = Match.objects.all()
    client.force_login(person("bob"))
    news = re.search('hx-get="(/play/news[^"]*)"', client.get(first.get_absolute_url()).text)[1].replace("&amp;", "&")
    second = open_matches.open_match(person("bob"), places=2, options={}, bots=1)
    assert 'id="seeking"' in client.get(news).text
    play.leave(access.find(first.key), first.seats.get(user=person("bob")).index, "resign")
    assert client.get(news)["HX-Redirect"] == f"/m/{second.key}"
    for nonsense in ("", "\0", "nothere"):
        assert client.get("/play/news", {"seeking": 1, "since": 0, "table": nonsense}).status_code == 200


def test_a_result_is_corrected_with_a_reason_that_keeps_what_was_typed(evening, at):
    seat(evening)
    assert at("ann", "/correct/1/1").status_code == 200
    end_all(evening)
    shared = {"place_0": "2", "place_1": "2", "counts": "on", "reason": "Typed wrong."}
    refused = at("ann", "/correct/1/1", shared)
    assert refused.status_code == 422 and "can’t be" in refused.text and "Typed wrong." in refused.text
    at("ann", "/correct/1/1", {**shared, "place_1": "1"})
    assert "Typed wrong." in at("cho").text
    assert events.standing(evening).rounds[0].tables[0].places == (2, 1)
    for nowhere in ("/correct/2/1", "/correct/1/2", "/correct/0/0", f"/correct/{'9' * 30}/1"):
        assert at("ann", nowhere).status_code == 404


def test_of_two_corrections_the_second_is_told_of_the_first_and_can_stand(evening, at):
    seat(evening)
    end_all(evening)
    page = "/correct/1/1"
    assert 'name="looked" value="1,2"' in at("ann", page).text
    mine = {"place_0": "1", "place_1": "2", "reason": "They stopped.", "looked": "1,2"}
    at("ann", page, {"place_0": "2", "place_1": "1", "counts": "on", "reason": "Turned.", "looked": "1,2"})
    refused = at("ann", page, mine)
    assert refused.status_code == 422 and "the places are now 2, 1." in refused.text
    assert 'name="looked" value="2,1"' in refused.text and "They stopped." in refused.text
    assert events.standing(evening).rounds[0].tables[0].places == (2, 1)
    at("ann", page, mine | {"looked": "2,1"})
    assert events.standing(evening).rounds[0].tables[0].places == ()
    assert "the game doesn’t count now" in at("ann", page, mine | {"counts": "on"}).text
    at("ann", page, mine | {"counts": "on", "looked": "-"})
    assert events.standing(evening).rounds[0].tables[0].places == (1, 2)


def test_an_evening_that_is_over_is_kept(evening, at):
    seat(evening)
    end_all(evening)
    at("ann", "/close", {})
    shown = at("cho").text
    assert "This night is over." in shown and "Round 1" in shown
    assert "Seat everybody" not in at("ann").text


def test_a_private_evening_is_nowhere_for_others_but_its_guests():
    evening = evening_of("ann", "bob", private=True)
    address, client = evening.get_absolute_url(), Client()
    for name in ("", "cho"):
        if name:
            client.force_login(person(name))
        for path in ("", "/wall"):
            assert client.get(f"{address}{path}").status_code == 404
        assert client.get("/c/st-gall/tournaments").status_code == 404
        assert client.post(f"{address}/enter").status_code == 404
    services.enter(evening, person("cho"), START, evening.token)
    shown = client.get(address)
    assert shown.status_code == 200 and 'href="/c/st-gall"' not in shown.text
    assert client.get("/c/st-gall").status_code == 404
    clubs.expel(evening.club, person("ann"), person("bob"), "Shouts.", START)
    client.force_login(person("bob"))
    assert client.get(address).status_code == 404


def test_guests_of_a_private_evening_see_it_until_the_next_day_or_until_they_are_expelled(client, now):
    evening = evening_of("ann", "bob", private=True)
    cho, dan = person("cho"), person("dan")
    for guest in (cho, dan):
        services.enter(evening, guest, START, evening.token)
    seat(evening)
    end_all(evening)
    Member.objects.create(club=evening.club, user=dan, joined_at=START)
    clubs.expel(evening.club, person("ann"), dan, "Shouts.", now)
    services.close(evening, person("ann"), now)
    seen = {}
    for guest in (cho, dan):
        client.force_login(guest)
        seen[guest.username] = client.get(evening.get_absolute_url()).status_code
    assert seen == {"cho": 200, "dan": 404}
    client.force_login(cho)
    match = Match.objects.get()
    assert evening.get_absolute_url() in client.get(match.get_absolute_url()).text
    Tournament.objects.update(closed_at=now - page.GUESTS_STAY)
    assert client.get(evening.get_absolute_url()).status_code == 404
    assert "st-gall" not in client.get(match.get_absolute_url()).text


def test_the_wall_shows_pages_of_places_in_turn(evening, at):
    for number in range(18):
        services.enter(evening, person(f"p{number:02}"), START, evening.token)
    seat(evening, size=4)
    shown = at("", "/wall").text
    assert len(re.findall('class="wall-table', shown)) >= 5 and "follow in a moment" in shown
    turns = {tuple(page.paged(list(range(20)), page.WALL_ROWS, turn)[0]) for turn in range(4)}
    assert sorted(each for turn in turns for each in turn) == list(range(20)) and len(turns) == 2


def test_numbers_beyond_measure_are_nowhere(client, evening):
    for number in ("0", "9" * 30):
        assert client.get(f"/c/st-gall/tournaments/{number}").status_code == 404


def test_the_button_of_the_next_round_waits_for_somebody_to_be_seated(evening, at):
    def main():
        shown = at("ann").text
        button = re.search(r"<button[^>]*form=\"seat\"[^>]*>\s*([^<]*?)\s*</button>", shown)
        return button[1], " disabled" in button[0], shown.index('id="seat"') < shown.index('id="evening-tables"')

    assert main() == ("Seat everybody", False, True)
    seat(evening)
    assert main() == ("Next round", True, False), "the tables stand above it"
    assert "1 table is still playing." in text(at("ann"))
    end_all(evening)
    assert main() == ("Next round", False, True), "two can be seated again"
    services.leave(evening, person("ann"), START)
    services.leave(evening, person("bob"), START)
    assert "No one is here yet." in text(at("ann"))
