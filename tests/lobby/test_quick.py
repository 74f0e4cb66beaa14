from datetime import timedelta

import pytest
from django.db import connection  # noqa: F401  (in a condition)
from django.utils import timezone

from accounts.models import Block, Rating, User
from accounts.web.refused import Refused
from games.engine.registry import title
from games.lobby import quick
from games.lobby.quick import Waiting
from games.matches.models import Match, Seat, Seek
from tests.at_once import at_once

pytestmark = pytest.mark.django_db

NOW = timezone.now()
SECOND = timedelta(seconds=1)


def rated(name, value, pool="2"):
    user = User.objects.create_user(name)
    Rating.objects.create(user=user, game="biblios", pool=pool, value=value, games=30)
    return user


def waits(user, places=2, waited=0, unseen=0):
    """Let `user` have waited for some seconds, and their page have been silent for others."""
    seek = Seek.objects.create(user=user, game="biblios", places=places)
    Seek.objects.filter(pk=seek.pk).update(since=NOW - waited * SECOND, seen_at=NOW - unseen * SECOND)


def together(matches):
    return [[seat.user.username for seat in match.seats.select_related("user")] for match in matches]


def test_two_who_wait_sit_down_to_a_rated_live_game_at_once():
    ann, bob = User.objects.create_user("ann"), User.objects.create_user("bob")
    assert quick.seek(ann, title(), 2) is None
    match = quick.seek(bob, title(), 2)
    assert (match.status, match.rated, match.pace) == ("running", True, "live")
    assert (match.bank_ms, match.increment_ms, match.listed) == (600_000, 15_000, True)
    assert not Seek.objects.exists()


def test_whoever_has_waited_longest_gets_the_nearest_rating():
    waits(rated("ann", 1500), waited=9)
    waits(rated("bob", 1590), waited=8)
    waits(rated("dan", 1460), waited=7)
    waits(rated("eve", 1620), waited=6)
    assert together(quick.pair(NOW)) == [["ann", "dan"], ["bob", "eve"]]


def test_the_search_widens_with_the_time_waited():
    waits(rated("ann", 1500), waited=0)
    waits(rated("bob", 1700), waited=0)
    assert quick.pair(NOW) == []
    assert quick.pair(NOW + 9 * SECOND) == []
    assert together(quick.pair(NOW + 10 * SECOND)) == [["ann", "bob"]]


def test_whoever_has_waited_long_takes_anybody():
    waits(rated("ann", 900), waited=90)
    waits(rated("bob", 2400), waited=0)
    assert together(quick.pair(NOW)) == [["ann", "bob"]]


@pytest.mark.parametrize("places", [3, 4])
def test_a_game_of_more_needs_so_many_who_want_it(places):
    names = ["ann", "bob", "dan", "eve"][:places]
    for place, name in enumerate(names[:-1]):
        waits(rated(name, 1500, "3-4"), places, waited=9 - place)
    waits(rated("cho", 1500), 2)
    assert quick.pair(NOW) == []
    waits(rated(names[-1], 1500, "3-4"), places)
    assert together(quick.pair(NOW)) == [names]


def test_games_of_more_look_at_the_rating_of_their_pool():
    for name, value, waited in (("ann", 1500, 9), ("bob", 1900, 8), ("dan", 1520, 7), ("eve", 1480, 6)):
        waits(rated(name, value, "3-4"), 3, waited)
    assert together(quick.pair(NOW)) == [["ann", "dan", "eve"]]


@pytest.mark.parametrize(("who", "whom"), [("ann", "bob"), ("bob", "ann")])
def test_whoever_is_blocked_is_passed_over_for_somebody_further_away(who, whom):
    users = {name: rated(name, value) for name, value in (("ann", 1500), ("bob", 1500), ("dan", 1580))}
    Block.objects.create(user=users[who], blocked=users[whom])
    for name, waited in (("ann", 95), ("bob", 94)):
        waits(users[name], waited=waited)
    assert quick.pair(NOW) == []
    waits(users["dan"], waited=1)
    assert together(quick.pair(NOW)) == [["ann", "dan"]]


def test_at_a_table_of_three_no_two_have_blocked_each_other():
    users = [rated(name, 1500, "3-4") for name in ("ann", "bob", "dan", "eve")]
    Block.objects.create(user=users[1], blocked=users[2])
    for place, user in enumerate(users):
        waits(user, 3, waited=9 - place)
    assert together(quick.pair(NOW)) == [["ann", "bob", "eve"]]


def test_whoever_closed_the_page_does_not_wait_any_more():
    waits(rated("ann", 1500), waited=60, unseen=31)
    waits(rated("bob", 1500), waited=60, unseen=29)
    assert quick.pair(NOW) == []
    assert [seek.user.username for seek in Seek.objects.all()] == ["bob"]


def test_a_page_that_is_there_keeps_its_place():
    ann = rated("ann", 1500)
    waits(ann, waited=60, unseen=29)
    quick.touch(ann)
    assert quick.pair(NOW + 20 * SECOND) == []
    assert Seek.objects.get().since == NOW - 60 * SECOND


def test_another_number_of_players_begins_a_new_wait_and_the_same_does_not():
    ann = rated("ann", 1500)
    waits(ann, 2, waited=60)
    quick.seek(ann, title(), 2)
    assert Seek.objects.get().since == NOW - 60 * SECOND
    quick.seek(ann, title(), 3)
    assert Seek.objects.get().since > NOW - 60 * SECOND


def test_whoever_stops_waiting_meets_nobody():
    ann, bob = rated("ann", 1500), rated("bob", 1500)
    quick.seek(ann, title(), 2)
    quick.cancel(ann)
    assert quick.seek(bob, title(), 2) is None


def test_guests_do_not_play_for_a_rating():
    with pytest.raises(Refused, match="Guests"):
        quick.seek(User.objects.create_user("guest-7k2abc", guest=True), title(), 2)


def test_as_long_as_nobody_waits_pairing_asks_one_question(django_assert_num_queries):
    with django_assert_num_queries(1):
        assert quick.pair(NOW) == []


def test_the_number_of_questions_does_not_grow_with_those_who_wait(django_assert_num_queries):
    for place in range(20):
        waits(rated(f"ann{place}", 1000 + 300 * place), waited=0)
    with django_assert_num_queries(6):  # any, savepoint, seeks, ratings, blocks, release
        assert quick.pair(NOW) == []


def test_of_those_of_one_rating_who_came_first_is_served_first():
    users = [User(pk=pk) for pk in range(5)]
    queue = [Waiting(user, 1500, NOW + user.pk * SECOND) for user in users]
    groups = quick.groups(queue[::-1], 2, NOW + 9 * SECOND, set())
    assert [[one.user.pk for one in group] for group in groups] == [[0, 1], [2, 3]]


def test_a_seek_for_a_match_that_begins_leads_to_it():
    ann, bob = rated("ann", 1500), rated("bob", 1500)
    quick.seek(ann, title(), 2)
    match = quick.seek(bob, title(), 2)
    assert match == Match.objects.get()


def test_whoever_presses_again_as_their_match_begins_is_led_there_and_does_not_search_on():
    ann, bob = User.objects.create_user("ann"), User.objects.create_user("bob")
    quick.seek(ann, title(), 2)
    match = quick.seek(bob, title(), 2)
    assert [quick.seek(each, title(), 2) for each in (ann, bob)] == [match, match]
    assert not Seek.objects.exists() and Match.objects.count() == 1


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="on SQLite one writes at a time")
@pytest.mark.django_db(transaction=True)
def test_whoever_presses_while_another_process_pairs_them_is_not_seated_twice():
    people = [User.objects.create_user(name) for name in ("ann", "bob", "dan", "eve")]
    at_once(*[lambda each=each: quick.seek(each, title(), 2) for each in people for _twice in range(2)])
    quick.pair(timezone.now())
    assert not Seek.objects.exists()
    assert sorted(Seat.objects.values_list("user__username", flat=True)) == ["ann", "bob", "dan", "eve"]
