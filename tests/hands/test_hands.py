"""The hand of the day: the same deal for all, one try, one table, and an end."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import services
from accounts.models import ArchivedMatch, Notice, User
from accounts.notices import notices
from accounts.web.refused import Refused
from games import worker
from games.engine import chance
from games.engine.registry import title, titles
from games.hands import audit, calendar, hands
from games.hands.models import LATE, Hand, HandTry
from games.lobby import open_matches
from games.matches import access, history, play
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.matches.verify import faults
from tests.at_once import at_once
from tests.hands.days import DAY, NOON, begun, done, fresh, hand_at, over
from tests.matches.matches import rushed
from tests.people import person

pytestmark = pytest.mark.django_db
SLUGS = [game.slug for game in titles()]


def answered_alike(match):
    """The moves of a game in which the person takes the first legal answer, and the worker answers for the bots."""
    while match.status == "running":
        state = history.replay(match).state(match.ply)
        seat = match.sitting[state.seat]
        if seat.plays_itself:
            worker.attend(match, match.wake_at)
        else:
            play.play(match, seat.index, match.ply, [match.rules.text(state.legal()[0])])
        match = access.find(match.key)
    return list(match.log.order_by("ply").values_list("move", flat=True))


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.parametrize("game", SLUGS)
def test_who_answers_as_another_did_meets_the_same_answers(game):
    one, other = (answered_alike(begun(name, game=game)) for name in ("ann", "bob"))
    assert one == other and len(one) > 20


def test_each_title_and_each_day_has_a_deal_of_its_own_fixed_the_day_before():
    hands.draw(NOON)
    drawn = list(Hand.objects.all())
    assert len(drawn) == 2 * len(SLUGS) and len({each.commitment for each in drawn}) == len(drawn)
    hands.draw(NOON + DAY)
    tomorrow = hand_at(NOON + DAY)
    assert tomorrow in drawn and tomorrow.commitment == chance.commitment(bytes(tomorrow.secret))
    assert begun("ann", NOON + DAY).commitment == tomorrow.commitment


def test_the_worker_draws_and_closes_them():
    assert {hands.draw, hands.close_due} <= {*worker.CHORES}


def test_its_games_are_sealed_unrated_and_of_one_person():
    match = begun("ann")
    assert (match.hidden, match.rated, match.listed, match.pace) == (True, False, False, "none")
    assert [bool(seat.bot) for seat in match.sitting] == [False, True, True]
    assert access.may_see(match, person("ann")) and not access.may_see(match, person("bob"))


def test_a_second_page_leads_to_the_same_game():
    assert begun("ann").key == begun("ann").key
    assert Match.objects.count() == HandTry.objects.count() == 1


def test_the_database_takes_one_try_of_a_person():
    match, other = begun("ann"), begun("bob")
    HandTry.objects.filter(match=other).delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        HandTry.objects.create(hand=hand_at(), user=person("ann"), match=other)
    assert HandTry.objects.get().match == match


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("guest", [False, True])
def test_two_pages_at_the_same_moment_begin_one_game(guest):
    user, hand = person("ann", guest=guest), hand_at()
    keys = []
    tries = [lambda: keys.append(hands.play(hand, user, NOON).key)] * 3
    assert at_once(*tries) == [None] * 3
    assert len(set(keys)) == Match.objects.count() == HandTry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_first_get_the_same_deal():
    found = []
    at_once(*[lambda: found.append(hand_at().commitment)] * 3)
    assert len({*found}) == 1 and len(found) == 3 and Hand.objects.count() == 1


def test_what_a_guest_waits_for_is_given_up_for_the_hand():
    guest = services.guest()
    table = open_matches.open_match(guest, places=2, options={}, listed=False, watch="link")
    assert table.status == "open"
    match = hands.play(hand_at(), guest, NOON)
    table.refresh_from_db()
    assert (table.status, match.status) == ("closed", "running")
    with pytest.raises(Refused, match="one game at a time"):
        hands.play(hand_at(game=SLUGS[1]), guest, NOON)


def test_a_guest_keeps_their_one_try_when_they_sign_up():
    guest = services.guest()
    match = hands.play(hand_at(), guest, NOON)
    user = services.sign_up("gus", "a quiet scriptorium", guest=guest)
    assert hands.play(hand_at(), user, NOON) == match and HandTry.objects.count() == 1


@pytest.mark.parametrize(("hour", "minute"), [(0, 0), (23, 59)])
def test_it_can_be_begun_on_its_day_in_utc(hour, minute):
    assert begun("ann", NOON.replace(hour=hour, minute=minute)).status == "running"


@pytest.mark.parametrize("late", [timedelta(hours=12), timedelta(hours=-12, seconds=-1)])
def test_it_cannot_be_begun_on_another_day(late):
    with pytest.raises(Refused, match="This day is over"):
        hands.play(hand_at(), person("ann"), NOON + late)
    assert not Match.objects.exists()


def places(hand=None):
    return [(each.user.username, each.place, each.points) for each in hands.table(hand or hand_at())]


def test_who_won_at_their_table_stands_first_and_then_points_count():
    for name, place, points in (("ann", 2, 14), ("bob", 1, 9), ("dan", 1, 11), ("eve", 3, 2)):
        done(name, place, points)
    begun("fay")
    assert places() == [("dan", 1, 11), ("bob", 1, 9), ("ann", 2, 14), ("eve", 3, 2)]
    assert HandTry.objects.get(user=person("ann")).won == "MP"


def test_guests_are_in_no_table_until_they_sign_up():
    guest = services.guest()
    match = hands.play(hand_at(), guest, NOON)
    HandTry.objects.filter(match=match).update(place=1, points=5)
    assert places() == []
    services.sign_up("gus", "a quiet scriptorium", guest=guest)
    assert places() == [("gus", 1, 5)]


def test_a_guest_who_signs_up_later_changes_no_table_that_was_final():
    guest, hand = services.guest(), hand_at()
    match = hands.play(hand, guest, NOON)
    HandTry.objects.filter(match=match).update(place=1, points=5)
    hands.close_due(hand.closes)
    services.sign_up("gus", "a quiet scriptorium", guest=guest)
    assert places() == []


@pytest.mark.parametrize("game", SLUGS)
def test_a_game_that_is_given_up_is_in_no_table(game):
    match = begun("ann", game=game)
    play.leave(match, 0, "resign", ms_of(NOON))
    assert places(hand_at(game=game)) == [] and access.find(match.key).status in ("finished", "aborted")
    with pytest.raises(Refused):
        play.leave(match, 0, "resign", ms_of(NOON))


def test_a_game_that_is_cancelled_is_in_no_table_and_no_second_one_begins():
    match = begun("ann")
    play.vote(match, 0, "abort", ms_of(NOON))
    assert access.find(match.key).status == "aborted" and places() == []
    assert begun("ann").key == match.key


@pytest.mark.parametrize(("late", "counts"), [(LATE - timedelta(seconds=1), True), (LATE, False)])
def test_who_began_in_time_can_finish_for_a_while(late, counts):
    hand, match = hand_at(), begun("ann", NOON.replace(hour=23, minute=59))
    hands.ended(over(match, points=7, now=hand.ends + late))
    assert places(hand) == ([("ann", 1, 7)] if counts else [])


def test_a_game_that_is_played_to_its_end_stands_in_the_table():
    now = timezone.now()
    match = rushed(begun("ann", now))
    assert places(hand_at(now)) == [("ann", match.result["places"][0], match.result["points"][0])]


def test_nothing_is_closed_before_its_time():
    begun("ann")
    hands.close_due(hand_at().closes - timedelta(seconds=1))
    assert hand_at().closed_at is None and Match.objects.get().hidden


def test_at_the_close_all_games_are_opened_kept_and_what_is_played_is_cancelled(monkeypatch):
    monkeypatch.setattr(hands, "AT_ONCE", 2)
    hand, over = hand_at(), [done(name).key for name in ("ann", "bob", "dan")]
    running = begun("eve").key
    assert not ArchivedMatch.objects.exists()
    hands.close_due(hand.closes)
    assert fresh(hand).closed_at == hand.closes and not Match.objects.filter(hidden=True).exists()
    assert ArchivedMatch.objects.count() == 3
    assert access.find(running).status == "aborted" and access.find(running).log.latest("ply").move == "!closed"
    assert all(access.may_see(access.find(key), None) for key in (*over, running))
    assert len(places(hand)) == 3


def test_nobody_plays_a_hand_any_more_when_its_first_game_is_opened(monkeypatch):
    monkeypatch.setattr(hands, "AT_ONCE", 1)
    hand = hand_at()
    done("ann"), begun("bob"), begun("dan")
    seen = set()
    while not hands._close_some(hand, hand.closes):
        seen.add((Match.objects.filter(status="running").exists(), Match.objects.filter(hidden=False).exists()))
    assert seen == {(True, False), (False, False), (False, True)}


@pytest.mark.django_db(transaction=True)
def test_two_workers_close_a_hand_once():
    hand, _match = hand_at(), done("ann")
    hands.tell(person("ann"), True)
    at_once(*[lambda: hands.close_due(hand.closes)] * 2)
    assert ArchivedMatch.objects.count() == 1 and Notice.objects.count() == 1


def test_who_asked_for_it_is_told_their_place_once_and_by_no_mail():
    hand = hand_at()
    for name, points in (("ann", 9), ("bob", 9), ("dan", 4), ("eve", 3)):
        done(name, 1, points)
    User.objects.filter(username="dan").update(email="dan@example.org")
    for name in ("bob", "dan", "fay"):
        hands.tell(person(name), True)
    for late in (timedelta(), DAY):
        hands.close_due(hand.closes + late)
    told = {each.user.username: notices.in_text(each) for each in Notice.objects.select_related("user")}
    assert told == {
        "bob": "A hand of the day is final: Biblios, place 1 of 4.",
        "dan": "A hand of the day is final: Biblios, place 3 of 4.",
    }
    assert {(each.address, each.mail_at) for each in Notice.objects.all()} == {(hand.get_absolute_url(), None)}


def test_who_switches_the_topic_off_hears_nothing():
    done("ann")
    hands.tell(person("ann"), True)
    notices.choose(person("ann"), ["hand"], NOON)
    hands.close_due(hand_at().closes)
    assert not Notice.objects.filter(seen_at=None).exists()


def test_the_calendar_has_one_entry_a_day_for_who_wants_it():
    ann = person("ann")
    assert calendar.entries(ann, NOON) == []
    hands.tell(ann, True)
    told = calendar.entries(ann, NOON)
    assert [each.starts.date() for each in told] == [(NOON + n * DAY).date() for n in range(calendar.AHEAD)]
    for game in SLUGS:
        begun("ann", game=game)
    assert calendar.entries(ann, NOON) == told[1:]


def test_an_account_that_is_closed_wants_to_know_no_more():
    ann = person("ann")
    hands.tell(ann, True)
    services.close(ann, NOON - services.CLOSING_DELAY)
    services.close_due(NOON)
    assert not hands.wants_to_know(ann)


def test_a_game_of_the_day_verifies_before_and_after_the_close():
    match = rushed(begun("ann"))
    for _ in range(2):
        entries = list(match.log.order_by("ply"))
        assert not faults(match, entries, list(ArchivedMatch.objects.filter(match=match.key)))
        hands.close_due(hand_at().closes)
        match = access.find(match.key)
    assert title().slug == match.game and not match.hidden


def wrong_in(change):
    """What is found in a closed hand after a change to its row, its try or its match."""
    hand = hand_at()
    done("ann")
    hands.close_due(hand.closes)
    assert audit.check(fresh(hand)) == 1
    change(hand)
    with pytest.raises(audit.WrongHand) as error:
        audit.check(fresh(hand))
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda hand: Hand.objects.update(secret=bytes(32)), "not the one that was fixed"),
        (lambda hand: HandTry.objects.update(points=11), "does not say what match"),
        (lambda hand: HandTry.objects.update(won=""), "does not say what match"),
        (lambda hand: Hand.objects.update(closed_at=None), "at the wrong time"),
        (
            lambda hand: Hand.objects.update(secret=bytes(32), commitment=chance.commitment(bytes(32))),
            "is not played with its deal",
        ),
    ],
)
def test_what_disagrees_with_the_games_of_a_hand_is_found(change, found):
    assert found in wrong_in(change)
