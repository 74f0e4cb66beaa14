"""The pages of the hand of the day, as different people see them."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services
from accounts.people import following
from games.engine.registry import titles
from games.hands import hands
from games.hands import page as pages
from games.hands.models import HandTry
from games.hands.page import HandPage
from games.matches.models import Match
from tests.hands.days import DAY, begun, done, hand_at
from tests.matches.matches import rushed
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def hand(now):
    return hand_at(now)


def of(client, name):
    client.force_login(person(name))
    return client


def page(client, hand):
    return text(client.get(hand.get_absolute_url()))


def press(client, hand):
    return client.post(f"{hand.get_absolute_url()}/play", follow=True)


@pytest.mark.parametrize("address", ["/", "/play", "/hand"])
def test_it_is_met_where_people_begin(client, address, hand):
    assert hand.get_absolute_url() in client.get(address).content.decode()


def test_a_guest_plays_at_once(client, hand):
    answer = press(client, hand)
    match = Match.objects.get()
    assert answer.redirect_chain == [(f"/m/{match.key}", 302)] and match.sitting[0].user.guest


def test_another_tab_leads_to_the_same_game_and_says_so(client, hand):
    press(of(client, "ann"), hand)
    answer = press(client, hand)
    assert "everyone has one try" in text(answer) and answer.redirect_chain[-1][0] == f"/m/{Match.objects.get().key}"


def test_a_page_of_yesterday_begins_nothing_and_leads_to_today(client, hand, now):
    yesterday = hand_at(now - DAY)
    for visitor in (client, of(client, "ann")):
        answer = press(visitor, yesterday)
        assert "it ended at midnight UTC" in text(answer)
        assert f'href="{hand.get_absolute_url()}"' in answer.content.decode()
    assert not Match.objects.exists() and not HandTry.objects.exists()


def test_who_has_begun_goes_on_after_midnight(client, now):
    hand = hand_at(now - DAY)
    match = hands.play(hand, person("ann"), now - DAY)
    assert press(of(client, "ann"), hand).redirect_chain[-1][0] == f"/m/{match.key}"


@pytest.mark.parametrize("day", ["2099-01-01", "2020-01-01", "20261126", "2026-13-01", "today"])
def test_there_is_no_hand_of_a_day_that_has_none(client, day):
    for address in (f"/hand/{titles()[0].slug}/{day}", f"/hand/chess/{day}"):
        assert client.get(address).status_code == 404
        assert client.post(f"{address}/play").status_code == 404


def test_nobody_sees_the_table_before_their_own_try_is_over(client, hand, now):
    done("bob", points=99, now=now)
    for name in (None, "ann"):
        client.logout()
        shown = page(of(client, name) if name else client, hand)
        assert "1 player has finished this hand" in shown and not re.search(r"\b(bob|99)\b", shown)
    begun("ann", now)
    assert "bob" not in page(client, hand)
    HandTry.objects.filter(user=person("ann")).update(place=2, points=3)
    shown = page(client, hand)
    assert "bob" in shown and "99 points, 2 dice won" in shown and "So far place 2 of 2" in shown


def test_nothing_leads_to_the_games_of_others_before_the_day_is_over(client, hand, now):
    other, _mine = done("bob", now=now), done("ann", now=now)
    of(client, "ann")
    assert other.key not in client.get(hand.get_absolute_url()).content.decode()
    hands.close_due(hand.closes)
    assert f"/m/{other.key}/0" in client.get(hand.get_absolute_url()).content.decode()


def test_the_secret_is_shown_once_the_day_is_over(client, hand):
    secret = bytes(hand.secret).hex()
    assert hand.commitment in page(client, hand) and secret not in page(client, hand)
    hands.close_due(hand.closes)
    assert secret in page(client, hand)


def test_the_hash_of_tomorrow_is_shown_before_anybody_can_play_it(client, hand, now):
    hands.draw(now)
    tomorrow = hand_at(now + DAY)
    assert tomorrow.commitment in page(client, hand)
    assert client.get(tomorrow.get_absolute_url()).status_code == 404


def test_level_results_share_a_place_and_followed_people_are_marked(hand, now):
    for name, points in (("ann", 5), ("bob", 9), ("dan", 9)):
        done(name, points=points, now=now)
    following.follow(person("ann"), person("dan"))
    rows = HandPage(hand, person("ann"), now).rows
    assert [(row.place, row.person.name, row.me, row.followed) for row in rows] == [
        (1, "bob", False, False),
        (1, "dan", False, True),
        (3, "ann", True, False),
    ]


def test_who_is_far_down_sees_their_own_row_below(monkeypatch, hand, now):
    monkeypatch.setattr(pages, "ROWS", 2)
    for number in range(4):
        done(f"p{number}", points=20, now=now)
    done("ann", points=1, now=now)
    rows = HandPage(hand, person("ann"), now).rows
    assert [(row.place, row.me) for row in rows] == [(1, False), (1, False), (5, True)]


def test_a_result_to_share_says_nothing_of_the_deal(hand, now):
    for back in (1, 2):
        done("ann", now=now - back * DAY)
    done("bob", points=12, now=now)
    done("ann", points=11, now=now)
    first, address = HandPage(hand, person("ann"), now).share.splitlines()
    assert first.startswith("Biblios, ") and first.endswith(": 11 points, 2 dice, place 2 of 2 · streak 3")
    assert address.endswith(hand.get_absolute_url())


def test_a_guest_is_told_that_the_try_comes_along(client, hand, now):
    guest = services.guest()
    match = hands.play(hand, guest, now)
    rushed(Match.objects.seated().get(pk=match.pk))
    client.force_login(guest)
    assert "That would be place 1: only accounts stand in the table." in page(client, hand)
    assert "place" not in HandPage(hand, guest, now).share


def test_a_try_that_was_given_up_is_said_without_blame(client, hand, now):
    match = begun("ann", now)
    of(client, "ann").post(f"/m/{match.key}/resign")
    assert "This one wasn’t finished, so it’s in no table." in page(client, hand)
    assert "Not finished. Tomorrow brings another." in text(client.get("/hand"))


def test_the_link_of_a_sealed_game_leads_to_the_page_of_the_hand(client, hand, now):
    match = done("bob", now=now)
    answer = of(client, "ann").get(match.get_absolute_url(), follow=True)
    assert answer.redirect_chain == [(hand.get_absolute_url(), 302)]
    assert "sealed until its day is over" in text(answer)
    hands.close_due(hand.closes)
    assert client.get(match.get_absolute_url()).status_code == 200


def test_the_end_of_the_game_leads_to_the_table(client, now):
    for game in titles():
        match = begun("ann", now, game.slug)
        rushed(match)
        of(client, "ann")
        shown = client.get(match.get_absolute_url()).content.decode()
        assert f'href="/{hand_at(now, game.slug).page}"' in shown and "The table of the day" in shown
        assert f"/m/{match.key}/{match.ply}" not in shown and "result.png" not in shown


def test_one_is_told_only_if_one_wants(client, hand):
    of(client, "ann")
    assert "You’ll hear of it" in text(client.post("/hand/tell", {"told": "yes"}, follow=True))
    assert hands.wants_to_know(person("ann"))
    assert "You’ll hear no more" in text(client.post("/hand/tell", {"told": "no"}, follow=True))
    assert not hands.wants_to_know(person("ann"))


def test_the_settings_offer_no_mails_of_it(client):
    shown = of(client, "ann").get("/account").content.decode()
    assert 'value="hand"' in shown and 'value="hand:mail"' not in shown


def test_a_profile_tells_the_streak(client, now):
    assert "Hand of the day" not in text(client.get(person("ann").get_absolute_url()))
    for back in (5, 4, 3, 0):
        done("ann", now=now - timedelta(days=back))
    assert "Hand of the day 1 day best 3" in text(client.get(person("ann").get_absolute_url()))
