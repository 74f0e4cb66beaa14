from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Block, User
from accounts.web.refused import Refused
from games.engine.chance import commitment
from games.engine.registry import title
from games.faces.biblios.face import BibliosFace
from games.lobby import open_matches
from games.matches import shuffle
from games.matches.clocks import USUAL, Clock, ms_of
from games.matches.creation import create
from games.matches.models import Match, Seek
from tests.at_once import at_once

pytestmark = pytest.mark.django_db

LIVE = {"clock": USUAL}
DAILY = {"clock": Clock.daily(3)}


@pytest.fixture
def gus():
    return User.objects.create_user("guest-7k2abc", guest=True)


def opened(host, places=2, **kwargs):
    return open_matches.open_match(host, places=places, options={}, **kwargs)


def names(match):
    return [seat.shown_name for seat in match.seats.select_related("user")]


def ended(match):
    Match.objects.filter(pk=match.pk).update(status="finished")
    match.refresh_from_db()
    return match


def test_the_host_sits_ready_at_their_table_whose_shuffle_is_fixed(ann):
    match = opened(ann, 3, **LIVE)
    assert (match.status, match.host) == ("open", ann)
    assert match.commitment == commitment(match.secret) and len(match.secret) == 32
    assert [(seat.user, seat.ready) for seat in match.seats.all()] == [(ann, True), (None, False), (None, False)]
    assert match.options["penalty"] == "transfer"


def test_a_live_table_starts_when_all_have_said_that_they_are_ready(ann, bob):
    match = opened(ann, rated=True, **LIVE)
    assert open_matches.join(match, bob).status == "open"
    match = open_matches.ready(match, bob)
    assert (match.status, match.rated) == ("running", True)


def test_a_daily_table_starts_as_soon_as_the_last_seat_is_taken(ann, bob):
    assert open_matches.join(opened(ann, **DAILY), bob).status == "running"


def test_whoever_is_not_ready_after_all_holds_up_the_start(ann, bob):
    match = opened(ann, **LIVE)
    open_matches.join(match, bob)
    open_matches.ready(match, ann, yes=False)
    assert open_matches.ready(match, bob).status == "open"
    assert open_matches.ready(match, ann).status == "running"


def test_nobody_keeps_a_table_open_by_changing_their_mind(ann, bob):
    match = open_matches.join(opened(ann, 3, **LIVE), bob)
    for change, longer in (("ready", True), ("not", False), ("ready", False), ("not", False)):
        since = timezone.now() - timedelta(minutes=5)
        Match.objects.filter(pk=match.pk).update(asked_at=since)
        assert (open_matches.ready(match, bob, yes=change == "ready").asked_at > since) is longer


def test_whom_anybody_at_the_table_blocks_does_not_sit_down_there(ann, bob, dan):
    match = open_matches.join(opened(ann, 3, **LIVE), bob)
    Block.objects.create(user=bob, blocked=dan)
    with pytest.raises(Refused, match="You can’t sit down at this table"):
        open_matches.join(match, dan)
    assert names(match)[2] == ""


def test_a_table_of_one_person_and_bots_starts_at_once(ann):
    match = opened(ann, 4, bots=3)
    assert match.status == "running"
    assert len(set(names(match))) == 4


def test_bots_take_the_last_seats(ann):
    match = opened(ann, 4, bots=2)
    assert [bool(seat.bot) for seat in match.seats.all()] == [False, False, True, True]
    assert [seat.ready for seat in match.seats.all()] == [True, False, True, True]


def test_a_bot_is_never_called_like_somebody_at_the_table(ann, monkeypatch):
    monkeypatch.setattr(BibliosFace, "bot_names", {"Odo": "abbot", "Ivo": "novice"})
    odo = User.objects.create_user("odo")
    match = opened(ann, 3, bots=1)
    seat = match.seats.get(index=2)
    seat.name = "Odo"
    seat.save()
    open_matches.join(match, odo)
    assert names(match) == ["ann", "odo", "Ivo"]


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        ({"rated": True}, "needs a clock"),
        ({"rated": True, "bots": 1, **LIVE}, "are casual"),
        ({"bots": 2}, "fewer seats"),
    ],
)
def test_what_cannot_be_agreed_is_refused(ann, terms, why):
    with pytest.raises(Refused, match=why):
        opened(ann, **terms)
    assert not Match.objects.exists()


def test_guests_open_no_table_for_others_and_play_one_casual_game_at_a_time(ann, gus):
    with pytest.raises(Refused, match="casual"):
        opened(gus, rated=True, **LIVE)
    with pytest.raises(Refused, match="needs an account"):
        opened(gus, 3, bots=1)
    with pytest.raises(Refused, match="needs an account"):
        open_matches.join(opened(ann, rated=True, **LIVE), gus)
    assert opened(gus, bots=1).status == "running"
    with pytest.raises(Refused, match="one game at a time"):
        opened(gus, bots=1)


def test_three_open_live_tables_are_enough(ann):
    tables_ = [opened(ann, **LIVE) for _ in range(3)]
    with pytest.raises(Refused, match="three open live tables"):
        opened(ann, **LIVE)
    opened(ann, **DAILY)
    open_matches.leave(tables_[0], ann)
    opened(ann, **LIVE)


def test_nobody_sits_at_more_than_fifty_tables(ann, bob, monkeypatch):
    monkeypatch.setattr(open_matches, "TABLES", 2)
    opened(ann, bots=1)
    opened(ann, **DAILY)
    with pytest.raises(Refused, match="fifty tables"):
        opened(ann, bots=1)
    with pytest.raises(Refused, match="fifty tables"):
        open_matches.join(opened(bob), ann)


def test_joining_twice_takes_one_seat(ann, bob):
    match = opened(ann, 3)
    open_matches.join(match, bob)
    open_matches.join(match, bob)
    assert names(match) == ["ann", "bob", ""]


def test_a_full_table_and_one_that_has_started_take_nobody(ann, bob, cho):
    match = opened(ann, **LIVE)
    open_matches.join(match, bob)
    with pytest.raises(Refused, match="no free seat"):
        open_matches.join(match, cho)
    open_matches.ready(match, bob)
    with pytest.raises(Refused, match="You can watch"):
        open_matches.join(match, cho)
    for late in (open_matches.ready, open_matches.leave):
        with pytest.raises(Refused, match="no longer open"):
            late(match, cho)


def test_whom_the_host_has_blocked_does_not_sit_down_and_learns_no_reason(ann, bob):
    Block.objects.create(user=ann, blocked=bob)
    with pytest.raises(Refused) as refusal:
        open_matches.join(opened(ann), bob)
    assert "block" not in str(refusal.value)


def test_whoever_was_sent_away_may_come_back_unless_they_are_blocked(ann, bob):
    match = opened(ann, 3, **LIVE)
    open_matches.join(match, bob)
    shuffle.give_ahead(match, bob, b"b" * 16)
    open_matches.kick(match, ann, 1)
    seat = match.seats.get(index=1)
    assert (seat.user, seat.ready, bytes(seat.share), seat.share_from) == (None, False, b"", "")
    open_matches.join(match, bob)
    open_matches.kick(match, ann, match.seats.get(user=bob).index)
    Block.objects.create(user=ann, blocked=bob)
    with pytest.raises(Refused):
        open_matches.join(match, bob)


def test_only_the_host_sends_away_and_adds_bots_and_never_themselves(ann, bob):
    match = opened(ann, 3)
    open_matches.join(match, bob)
    for act in (lambda: open_matches.kick(match, bob, 0), lambda: open_matches.add_bot(match, bob)):
        with pytest.raises(Refused, match="Only the host"):
            act()
    for index in (0, 2, 7, -1):
        with pytest.raises(Refused, match="No one sits there"):
            open_matches.kick(match, ann, index)


def test_a_bot_makes_a_rated_table_casual_to_which_the_others_agree_again(ann, bob):
    match = opened(ann, 3, rated=True, **LIVE)
    open_matches.join(match, bob)
    open_matches.ready(match, bob)
    match = open_matches.add_bot(match, ann)
    assert (match.status, match.rated) == ("open", False)
    assert open_matches.ready(match, bob).status == "running"


def test_a_bot_in_the_last_seat_starts_the_game(ann):
    assert open_matches.add_bot(opened(ann, **LIVE), ann).status == "running"


def test_a_bot_can_be_removed_again(ann, bob):
    match = opened(ann, 3, bots=1)
    open_matches.kick(match, ann, 2)
    assert names(match) == ["ann", "", ""]
    assert names(open_matches.join(match, bob)) == ["ann", "bob", ""]


def test_no_bot_fits_where_all_seats_are_taken(ann, bob):
    match = open_matches.join(opened(ann, **LIVE), bob)
    with pytest.raises(Refused, match="No seat is free"):
        open_matches.add_bot(match, ann)


def test_when_the_host_gets_up_the_next_person_is_host(ann, bob):
    match = opened(ann, 4, bots=1)
    open_matches.join(match, bob)
    match = open_matches.leave(match, ann)
    assert (match.status, match.host, names(match)[:2]) == ("open", bob, ["", "bob"])


def test_when_the_last_person_gets_up_the_table_closes(ann):
    assert open_matches.leave(opened(ann, 3, bots=1), ann).status == "closed"


def test_whoever_does_not_sit_there_cannot_get_up(ann, cho):
    with pytest.raises(Refused, match="don’t have a seat"):
        open_matches.leave(opened(ann), cho)


def test_whoever_begins_a_live_game_is_not_looking_for_a_quick_one_any_more(ann, bob):
    Seek.objects.create(user=bob, game="biblios", places=2)
    match = opened(ann, **LIVE)
    open_matches.join(match, bob)
    assert Seek.objects.exists()
    open_matches.ready(match, bob)
    assert not Seek.objects.exists()


# Who cannot come in any more, and idle tables


def test_nobody_waits_for_whoever_cannot_come_in_any_more(ann, bob):
    begins, runs = open_matches.join(opened(ann, 3), bob), open_matches.join(opened(ann), bob)
    assert open_matches.release_absent() == 0
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert open_matches.release_absent() == 2
    assert names(begins) == ["ann", "", ""]
    assert runs.seats.get(user=bob).left == "leave"
    assert Match.objects.get(pk=runs.pk).status == "finished"
    assert open_matches.release_absent() == 0


@pytest.mark.parametrize(
    ("terms", "idle"),
    [(LIVE, timedelta(minutes=20)), (DAILY, timedelta(days=7)), ({}, timedelta(days=7))],
)
def test_a_table_at_which_nothing_happens_closes_by_itself(ann, bob, terms, idle):
    match = opened(ann, 3, **terms)
    at = Match.objects.get().asked_at
    assert open_matches.close_idle(at + idle) == 0
    open_matches.join(match, bob)
    later = Match.objects.get().asked_at
    assert later > at
    assert open_matches.close_idle(later + idle) == 0
    assert open_matches.close_idle(later + idle + timedelta(seconds=1)) == 1
    assert Match.objects.get().status == "closed"


def test_a_table_that_was_closed_before_it_began_is_deleted_after_a_month(ann, bob):
    agreed, idle, runs = opened(ann, 3), opened(ann, 3), open_matches.join(opened(ann), bob)
    Match.objects.filter(pk=agreed.pk).update(agreed="challenges/1")
    Match.objects.exclude(pk=runs.pk).update(status="closed")
    at = timezone.now() + open_matches.CLOSED_KEPT
    assert open_matches.forget_closed(at - timedelta(minutes=1)) == 0
    assert open_matches.forget_closed(at) == 1
    assert set(Match.objects.all()) == {agreed, runs} and not Match.objects.filter(pk=idle.pk).exists()


def test_games_that_run_are_not_closed(ann):
    opened(ann, bots=1)
    assert open_matches.close_idle(timezone.now() + timedelta(days=99)) == 0


# Two at once


@pytest.mark.django_db(transaction=True)
def test_of_two_who_reach_for_the_last_seat_at_once_one_gets_it_and_one_a_sentence(ann, bob, dan):
    match = opened(ann, **LIVE)
    refusals = at_once(lambda: open_matches.join(match, bob), lambda: open_matches.join(match, dan))
    assert sorted(refusals, key=bool) == [None, "Someone was faster: there’s no free seat any more."]
    assert len({seat.user_id for seat in match.seats.all()}) == 2


@pytest.mark.django_db(transaction=True)
def test_when_the_last_two_are_ready_at_once_the_game_starts_once(ann, bob, dan):
    match = opened(ann, 3, **LIVE)
    for user in (bob, dan):
        open_matches.join(match, user)
    at_once(lambda: open_matches.ready(match, bob), lambda: open_matches.ready(match, dan))
    match.refresh_from_db()
    assert match.status == "running"
    assert ms_of(match.started_at) <= ms_of(timezone.now())


@pytest.mark.parametrize("watch", ["none", "club"])
def test_nobody_opens_a_rated_table_that_not_everybody_may_watch(ann, watch):
    with pytest.raises(Refused, match="Anyone can watch a rated game"):
        opened(ann, rated=True, watch=watch, **LIVE)
    with pytest.raises(IntegrityError, match="games_match_rated_in_public"), transaction.atomic():
        create(title(), host=ann, places=2, rated=True, watch=watch)
