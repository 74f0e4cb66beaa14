"""What happens to a ladder through its services: players, results, stewards."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.models import Notice
from accounts.notices import notices
from accounts.web.refused import Refused
from games.ladders import challenges, events, leaving
from games.ladders.models import Challenge, LadderEvent
from games.ladders.rules import Rules
from games.lobby import open_matches
from games.matches import access, play
from games.matches.models import Match
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, ended, met, order
from tests.ladders.logs import HOUR, consistent, kinds, last, told
from tests.matches.matches import rushed
from tests.people import person

pytestmark = pytest.mark.django_db


# Players


def test_whoever_joins_stands_at_the_bottom():
    ladder = club_of("ann", "bob", "dan")
    assert order(ladder) == ["ann", "bob", "dan"]
    assert kinds(ladder) == ["join", "join", "join", "season"]


def test_an_outsider_cannot_join():
    ladder = club_of("ann")
    with pytest.raises(Refused, match="Only members of the club"):
        events.join(ladder, person("dan"), START)
    assert order(ladder) == ["ann"]


def test_nobody_stands_on_the_ladder_twice():
    ladder = club_of("ann", "bob")
    with pytest.raises(Refused, match="already on the ladder"):
        events.join(ladder, person("bob"), START)
    assert order(ladder) == ["ann", "bob"]


def test_those_below_who_leaves_move_up():
    ladder = club_of("ann", "bob", "dan")
    leaving.leave(ladder, person("bob"), START)
    assert order(ladder) == ["ann", "dan"]
    assert last(ladder).steps == {str(person("bob").pk): [2, None], str(person("dan").pk): [3, 2]}


# Results


def test_a_winner_who_stood_below_moves_just_above_the_loser():
    ladder = club_of("ann", "bob", "dan", "eve")
    challenge = met(ladder, "eve", "bob")
    assert order(ladder) == ["ann", "eve", "bob", "dan"]
    assert challenge.status == "played"
    assert last(ladder).data["match"] == challenge.match.key
    assert consistent(ladder)


def test_a_winner_who_stood_above_stays():
    ladder = club_of("ann", "bob", "dan")
    met(ladder, "dan", "ann", places=(2, 1))
    assert order(ladder) == ["ann", "bob", "dan"]
    assert last(ladder).kind == "result"


def test_a_shared_place_changes_nothing():
    ladder = club_of("ann", "bob")
    met(ladder, "bob", "ann", places=(1, 1))
    assert order(ladder) == ["ann", "bob"]


def test_three_at_a_table_are_lifted_above_all_they_beat():
    ladder = club_of("ann", "bob", "dan", "eve")
    met(ladder, "eve", "ann", "dan", places=(1, 3, 2))
    assert order(ladder) == ["eve", "dan", "ann", "bob"]


def test_positions_are_those_of_when_the_result_is_entered():
    ladder = club_of("ann", "bob", "dan", "eve")
    challenge = agreed(ladder, "eve", "bob")
    events.correct(ladder, person("ann"), person("bob").pk, 4, "Moved house.", START)
    ended(challenge, 1, 2, now=START + HOUR)
    assert order(ladder) == ["ann", "dan", "eve", "bob"], "eve stood above bob by then"


def test_whoever_runs_out_of_time_loses_the_place():
    ladder = club_of("ann", "bob")
    met(ladder, "bob", "ann", late=["ann"])
    assert order(ladder) == ["bob", "ann"]


def test_stewards_may_let_who_runs_out_of_time_lose_the_game_and_not_the_place():
    ladder = club_of("ann", "bob", rules=Rules(time_costs_place=False))
    met(ladder, "bob", "ann", late=["ann"])
    assert order(ladder) == ["ann", "bob"]
    standing = ladder.now_standing()
    assert standing.players[person("bob").pk].rating > 1500 > standing.players[person("ann").pk].rating


def test_whose_time_runs_out_three_times_in_thirty_days_is_off_until_they_are_back_five_places_lower():
    names = ["ann", "bob", "dan", "eve", "fay", "gil", "hal", "ivy"]
    ladder = club_of(*names, rules=Rules(time_costs_place=False))
    for number, name in enumerate(["bob", "dan", "eve"]):
        met(ladder, name, "ann", now=START + number * DAY, late=["ann"])
    assert order(ladder) == names[1:]
    assert last(ladder).kind == "off"
    assert "off" in told("ann")
    events.back(ladder, person("ann"), START + 4 * DAY)
    assert order(ladder) == ["bob", "dan", "eve", "fay", "gil", "ann", "hal", "ivy"]
    assert consistent(ladder)


def test_time_that_ran_out_longer_than_thirty_days_ago_is_forgotten():
    ladder = club_of("ann", "bob", "dan", "eve", rules=Rules(idle_days=300))
    for days, name in [(0, "bob"), (1, "dan"), (35, "eve")]:
        met(ladder, name, "ann", now=START + days * DAY, late=["ann"])
    assert "off" not in kinds(ladder)


def test_a_real_game_moves_the_ladder_in_the_transaction_of_its_last_move(django_capture_on_commit_callbacks):
    now = timezone.now()
    ladder = club_of("ann", "bob", now=now)
    with django_capture_on_commit_callbacks(execute=True):
        challenge = agreed(ladder, "bob", "ann", now=now)
    match = Match.objects.get(challenge=challenge)
    assert (match.status, match.rated, match.listed) == ("running", True, True)
    play.leave(match, 1, "resign")
    match = rushed(access.find(match.key))
    challenge.refresh_from_db()
    match.refresh_from_db()
    assert (match.status, challenge.status) == ("finished", "played")
    assert order(ladder) == ["bob", "ann"]
    assert LadderEvent.objects.get(kind="result").at == match.ended_at
    assert person("bob").archive.get().pool == "2"


def test_an_aborted_game_counts_for_nothing():
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann")
    match = Match.objects.get(challenge=challenge)
    for seat in (0, 1):
        play.vote(match, seat, "abort")
        match.refresh_from_db()
    challenge.refresh_from_db()
    assert (match.status, challenge.status) == ("aborted", "void")
    assert (last(ladder).kind, last(ladder).data["why"]) == ("void", "aborted")
    assert order(ladder) == ["ann", "bob"]


def test_whoever_leaves_finishes_their_games_which_no_longer_count():
    ladder = club_of("ann", "bob", "dan")
    challenge = agreed(ladder, "bob", "ann")
    leaving.leave(ladder, person("bob"), START + HOUR)
    challenge.refresh_from_db()
    assert challenge.status == "void"
    assert [event.kind for event in ladder.log.all()][-2:] == ["void", "leave"]
    ended(challenge, 1, 2, now=START + DAY)
    assert order(ladder) == ["ann", "dan"]
    assert last(ladder).kind == "leave"
    assert consistent(ladder)


def test_those_who_were_to_play_with_them_are_told_that_somebody_has_left():
    ladder = club_of("ann", "bob", "dan")
    challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    agreed(ladder, "dan", "bob")
    leaving.leave(ladder, person("bob"), START + HOUR)
    assert told("ann")[-1] == told("dan")[-1] == "left"
    assert "left" not in told("bob")


def test_whoever_comes_back_to_the_ladder_does_not_revive_their_old_games():
    ladder = club_of("ann", "bob", "dan")
    challenge = agreed(ladder, "bob", "ann")
    leaving.leave(ladder, person("bob"), START)
    events.join(ladder, person("bob"), START + HOUR)
    ended(challenge, 1, 2, now=START + DAY)
    assert order(ladder) == ["ann", "dan", "bob"]


# Stewards


@pytest.mark.parametrize(
    "act",
    [
        lambda ladder, who: events.set_rules(ladder, who, Rules(reach=9), START),
        lambda ladder, who: events.start_season(ladder, who, START),
        lambda ladder, who: events.end_season(ladder, who, START),
        lambda ladder, who: events.order(ladder, who, [person("bob").pk], START),
        lambda ladder, who: events.correct(ladder, who, person("bob").pk, 1, "because", START),
        lambda ladder, who: events.undo(ladder, who, 0, "because", START),
        lambda ladder, who: events.add(ladder, who, [person("bob")], START),
    ],
)
@pytest.mark.parametrize("name", ["bob", "dan"])
def test_only_stewards_decide(act, name):
    ladder = club_of("ann", "bob")
    before = ladder.events
    with pytest.raises(Refused, match="Only a steward"):
        act(ladder, person(name))
    ladder.refresh_from_db()
    assert ladder.events == before


def test_whom_a_steward_puts_on_the_ladder_is_told_on_which_rung():
    ladder = club_of("ann", "bob", "dan", "eve")
    for name in ("ann", "bob", "dan"):
        leaving.leave(ladder, person(name), START)
    Notice.objects.all().delete()
    assert events.add(ladder, person("ann"), [person(name) for name in ("ann", "eve", "dan", "bob")], START) == 3
    assert order(ladder) == ["eve", "ann", "dan", "bob"]
    assert (told("ann"), told("bob"), told("dan"), told("eve")) == ([], ["added"], ["added"], [])
    notice = Notice.objects.get(user=person("bob"))
    assert notices.in_text(notice) == ("A steward has put you on the ladder of St Gall. You’re now on rung 4.")
    assert notice.address == ladder.get_absolute_url()


def test_an_undone_result_leaves_the_ladder_as_if_it_had_not_been():
    ladder = club_of("ann", "bob", "dan")
    met(ladder, "bob", "ann", now=START)
    result = last(ladder).number
    met(ladder, "dan", "ann", now=START + DAY)
    assert order(ladder) == ["bob", "dan", "ann"]
    events.undo(ladder, person("ann"), result, "They played at one computer.", START + 2 * DAY)
    assert order(ladder) == ["dan", "ann", "bob"]
    assert ladder.now_standing().players[person("bob").pk].rating == 1500
    assert last(ladder).reason == "They played at one computer."
    assert "undone" in told("bob")
    assert consistent(ladder)


def test_nothing_is_undone_twice_or_without_a_reason():
    ladder = club_of("ann", "bob")
    met(ladder, "bob", "ann")
    number = last(ladder).number
    with pytest.raises(Refused, match="reason"):
        events.undo(ladder, person("ann"), number, "  ", START)
    events.undo(ladder, person("ann"), number, "A test.", START)
    with pytest.raises(Refused, match="already been undone"):
        events.undo(ladder, person("ann"), number, "A test.", START)
    with pytest.raises(Refused, match="can’t be undone"):
        events.undo(ladder, person("ann"), 0, "A test.", START)


def test_of_two_stewards_who_order_at_once_the_second_is_told():
    ladder = club_of("ann", "bob", "dan")
    seen = ladder.events
    ann, bob, dan = (person(name).pk for name in ("ann", "bob", "dan"))
    events.order(ladder, person("ann"), [dan, ann, bob], START, seen, "So.")
    with pytest.raises(Refused, match="changed in the meantime"):
        events.order(ladder, person("ann"), [bob, ann, dan], START, seen, "So.")
    assert order(ladder) == ["dan", "ann", "bob"]


@pytest.mark.twice
def test_the_events_of_a_ladder_are_never_changed_or_deleted():
    ladder = club_of("ann", "bob")
    event = last(ladder)
    event.reason = "another one"
    with pytest.raises(TypeError):
        event.save()
    with pytest.raises(TypeError):
        event.delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        ladder.log.update(reason="another one")
    if connection.vendor == "postgresql":
        with pytest.raises(DatabaseError), transaction.atomic():
            LadderEvent.objects.all().delete()


def test_a_waiting_room_of_a_challenge_is_left_by_closing_it_and_opened_again():
    ladder = club_of("ann", "bob")
    live = challenges.Terms()
    challenge = agreed(ladder, "bob", "ann", terms=live)
    room = Match.objects.get(challenge=challenge)
    assert (room.status, challenge.status) == ("open", "agreed")
    with pytest.raises(Refused):
        open_matches.kick(room, person("bob"), 1)
    open_matches.leave(room, person("ann"))
    again = challenges.open_room(challenge, person("bob"), START + HOUR)
    assert again.pk != room.pk
    assert challenges.open_room(challenge, person("ann"), START + HOUR) == again
    open_matches.ready(again, person("ann"))
    challenge.refresh_from_db()
    assert challenge.status == Challenge.Status.PLAYING
