"""Seasons as stewards make them: who begins one, when it ends, a pause, and what a soft reset does."""

from datetime import timedelta

import pytest
from django.db import connection

from accounts.clubs import clubs
from accounts.models import Club, Notice
from accounts.web.refused import Refused
from games.ladders import audit, challenges, events, leaving, results
from games.ladders.payloads import GameResult, Overdue, Paused, Resumed, SeasonEnded, Sunk, Unanswered
from games.ladders.rules import Rules
from games.ladders.terms import Terms
from games.matches.clocks import instant, ms_of
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, ended, met, order, until
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once]
HOUR = timedelta(hours=1)


def ends(ladder):
    ladder.refresh_from_db()
    return instant(ladder.now_standing().ends)


def here(challenge):
    challenge.refresh_from_db()
    return challenge


def told(kind):
    return sorted(Notice.objects.filter(kind=kind).values_list("user__username", flat=True))


# Beginning


def test_a_season_does_not_begin_below_two_players():
    ladder = club_of("ann", season=False)
    with pytest.raises(Refused, match="at least two players"):
        events.start_season(ladder, person("ann"), START)
    clubs.join(ladder.club, person("bob"), START)
    events.add(ladder, person("ann"), [person("bob")], START)
    events.start_season(ladder, person("ann"), START)


def test_a_steward_chooses_the_day_on_which_a_season_ends():
    ladder = club_of("ann", "bob", season=False)
    for wrong in (START, START + HOUR, START + 367 * DAY):
        with pytest.raises(Refused, match="A season can end from tomorrow on"):
            events.start_season(ladder, person("ann"), START, wrong)
    events.start_season(ladder, person("ann"), START, START + 30 * DAY)
    assert ends(ladder) == START + 30 * DAY
    until(ladder, START + 30 * DAY)
    assert ladder.log.filter(kind=SeasonEnded.kind).exists()


def test_members_put_on_the_ladder_together_are_one_event():
    names = [f"player-{number}" for number in range(12)]
    ladder = club_of("ann", season=False)
    for name in names:
        clubs.join(ladder.club, person(name), START)
    before = ladder.events
    assert events.add(ladder, person("ann"), [person(name) for name in names], START) == 12
    assert order(ladder) == ["ann", *names]
    assert ladder.events == before + 1
    assert events.add(ladder, person("ann"), [person(name) for name in names], START) == 0
    ladder.refresh_from_db()
    assert ladder.events == before + 1, "nobody was left to put there"


@pytest.mark.parametrize("by_itself", [True, False])
def test_new_members_stand_on_the_ladder_by_themselves_where_its_rules_say_so(by_itself):
    ladder = club_of("ann", "bob", rules=Rules(members_join=by_itself))
    clubs.join(ladder.club, person("dan"), START)
    Club.objects.filter(pk=ladder.club.pk).update(joining="ask")
    ladder.club.refresh_from_db()
    clubs.join(ladder.club, person("eve"), START)
    clubs.approve(ladder.club, person("ann"), person("eve"), START)
    assert order(ladder) == ["ann", "bob", *(["dan", "eve"] if by_itself else [])]
    audit.check(ladder)


def test_a_season_is_replayed_by_the_rules_it_began_with_even_if_nobody_ever_set_any():
    ladder = club_of("ann", "bob", season=False)
    ladder.standing["rules"]["idle_days"] = 9  # what was the default when the ladder was laid
    ladder.save()
    events.start_season(ladder, person("ann"), START)
    until(ladder, START + 10 * DAY)
    assert ladder.log.filter(kind=Sunk.kind).exists()
    audit.check(ladder)


# Its end


def test_a_steward_moves_the_end_of_a_season_and_the_players_are_told():
    ladder = club_of("ann", "bob")
    events.move_end(ladder, person("ann"), START + 100 * DAY, START + DAY)
    assert ends(ladder) == START + 100 * DAY
    assert told("season-moved") == ["ann", "bob"]
    with pytest.raises(Refused, match="A season can end from tomorrow on"):
        events.move_end(ladder, person("ann"), START, START + DAY)
    until(ladder, START + 99 * DAY)
    assert not ladder.log.filter(kind=SeasonEnded.kind).exists()
    events.end_season(ladder, person("ann"), START + 99 * DAY)
    with pytest.raises(Refused, match="No season is running"):
        events.move_end(ladder, person("ann"), START + 110 * DAY, START + 99 * DAY)


# A pause


def test_in_a_pause_nobody_is_challenged_or_sinks_and_every_deadline_waits():
    ladder = club_of("ann", "bob", "dan", "eve")
    waiting = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    running = agreed(ladder, "eve", "dan", now=START)
    by, finish_by, planned = waiting.answer_by, running.finish_by, ends(ladder)
    events.pause(ladder, person("ann"), START + 20 * DAY, START + 2 * DAY)
    assert told("paused") == ["ann", "bob", "dan", "eve"]
    with pytest.raises(Refused, match="The ladder is paused until"):
        challenges.challenge(ladder, person("dan"), [person("bob")], DAILY, START + 3 * DAY)
    with pytest.raises(Refused, match="You can announce a vacation when it goes on"):
        events.vacation(ladder, person("dan"), START + 4 * DAY, START + 5 * DAY, START + 3 * DAY)
    until(ladder, START + 19 * DAY)
    assert order(ladder) == ["ann", "bob", "dan", "eve"]
    assert ladder.log.last().kind == Paused.kind
    until(ladder, START + 20 * DAY)
    assert ladder.log.last().kind == Resumed.kind
    for challenge in (waiting, running):
        challenge.refresh_from_db()
    assert (waiting.answer_by, running.finish_by, ends(ladder)) == (
        by + 18 * DAY,
        finish_by + 18 * DAY,
        planned + 18 * DAY,
    )
    until(ladder, START + 21 * DAY - HOUR)
    assert not ladder.log.filter(kind=Unanswered.kind).exists()
    until(ladder, START + 39 * DAY - HOUR)
    assert not ladder.log.filter(kind=Sunk.kind).exists(), "18 of these days were no idle time"
    until(ladder, START + 39 * DAY)
    assert ladder.log.filter(kind=Sunk.kind).exists()
    audit.check(ladder)


def test_a_deadline_set_during_a_pause_is_a_day_after_it_at_least():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.pause(ladder, person("ann"), START + 30 * DAY, START + DAY)
    challenge.answer_by = START + 10 * DAY
    challenge.save()
    until(ladder, START + 30 * DAY)
    challenge.refresh_from_db()
    assert challenge.answer_by == START + 31 * DAY


def test_a_pause_that_ends_before_its_time_gives_the_rest_of_it_back():
    ladder = club_of("ann", "bob")
    planned = ends(ladder)
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    by = challenge.answer_by
    events.pause(ladder, person("ann"), START + 21 * DAY, START + DAY)
    assert ends(ladder) == planned + 20 * DAY
    events.resume(ladder, person("ann"), START + 6 * DAY)
    challenge.refresh_from_db()
    assert (ends(ladder), challenge.answer_by) == (planned + 5 * DAY, by + 5 * DAY)
    assert told("resumed") == ["ann", "bob"]
    with pytest.raises(Refused, match="isn’t paused"):
        events.resume(ladder, person("ann"), START + 7 * DAY)


@pytest.mark.parametrize("by_itself", [True, False])
def test_a_game_agreed_during_a_pause_has_its_full_time_after_it(by_itself):
    ladder = club_of("ann", "bob", "dan")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.pause(ladder, person("ann"), START + 40 * DAY, START + DAY)
    challenge = challenges.accept(challenge, person("ann"), START + 2 * DAY)
    assert challenge.finish_by == START + 50 * DAY
    if by_itself:
        until(ladder, START + 40 * DAY)
    else:
        events.resume(ladder, person("ann"), START + 5 * DAY)
    challenge.refresh_from_db()
    assert challenge.finish_by == START + (50 if by_itself else 15) * DAY


def test_other_terms_of_a_pause_can_be_answered_for_the_full_time_after_it():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.pause(ladder, person("ann"), START + 40 * DAY, START + DAY)
    challenge = challenges.counter(challenge, person("ann"), DAILY, START + 2 * DAY)
    assert challenge.answer_by == START + 43 * DAY
    events.resume(ladder, person("ann"), START + 3 * DAY)
    challenge.refresh_from_db()
    assert challenge.answer_by == START + 6 * DAY


@pytest.mark.parametrize("resumed", [False, True])
def test_after_a_pause_the_challenged_can_propose_other_terms_for_as_long_as_before(resumed):
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.pause(ladder, person("ann"), START + 20 * DAY, START + DAY)
    again = START + (10 if resumed else 20) * DAY
    if resumed:
        events.resume(ladder, person("ann"), again)
    until(ladder, again)
    last = again + 2 * DAY
    assert [challenges.may_propose(here(challenge), person("ann"), at) for at in (last - HOUR, last)] == [True, False]


def test_a_pause_does_not_reopen_the_time_to_propose_other_terms():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    challenges.counter(challenge, person("ann"), DAILY, START + 2 * DAY)
    challenges.counter(challenge, person("bob"), DAILY, START + 4 * DAY)
    events.pause(ladder, person("ann"), START + 20 * DAY, START + 5 * DAY)
    for at in (START + 6 * DAY, START + 20 * DAY):
        until(ladder, at)
        assert not challenges.may_propose(here(challenge), person("ann"), at)


def test_a_vacation_leaves_the_time_to_propose_other_terms():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.vacation(ladder, person("ann"), START + DAY, START + 8 * DAY, START + DAY)
    assert challenges.may_propose(here(challenge), person("ann"), START + 9 * DAY)
    events.back(ladder, person("ann"), START + 5 * DAY)
    last = START + 7 * DAY
    assert [challenges.may_propose(here(challenge), person("ann"), at) for at in (last - HOUR, last)] == [True, False]


def test_a_game_that_begins_while_the_ladder_is_paused_keeps_the_time_that_the_pause_gave_it():
    ladder = club_of("ann", "bob", rules=Rules(finish_days=4))
    challenge = agreed(ladder, "bob", "ann", terms=Terms())
    match, paused = challenge.match, []
    match.started_at = START + DAY

    def pause(execute, sql, *rest):
        if sql.startswith('UPDATE "games_challenge"') and not paused:
            paused.append(sql)
            events.pause(ladder, person("ann"), START + 20 * DAY, START + DAY)
        return execute(sql, *rest)

    with connection.execute_wrapper(pause):
        results.began(match)
    assert paused
    assert here(challenge).finish_by == START + 23 * DAY


def test_a_game_whose_time_was_up_just_before_a_pause_counts_and_the_pause_ends():
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann", now=START)
    events.pause(ladder, person("ann"), START + 20 * DAY, challenge.finish_by + HOUR)
    challenge.refresh_from_db()
    assert challenge.finish_by == START + 20 * DAY - HOUR
    ended(challenge, 1, 2, now=START + 20 * DAY - HOUR / 2)
    assert order(ladder) == ["bob", "ann"]
    until(ladder, START + 20 * DAY)
    assert ladder.now_standing().resumes is None
    audit.check(ladder)


def test_a_game_that_ends_after_a_pause_that_nobody_has_ended_yet_counts_once_it_is():
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann", now=START)
    events.pause(ladder, person("ann"), START + 20 * DAY, START + DAY)
    ended(challenge, 1, 2, now=START + 20 * DAY + HOUR)
    assert order(ladder) == ["ann", "bob"]
    until(ladder, START + 20 * DAY + HOUR)
    assert order(ladder) == ["bob", "ann"]
    assert [event.kind for event in ladder.log.all()][-2:] == [Resumed.kind, GameResult.kind]
    audit.check(ladder)


def test_a_pause_that_ends_before_its_time_leaves_a_day_after_an_agreed_time():
    ladder = club_of("ann", "bob", rules=Rules(finish_days=8))
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.pause(ladder, person("ann"), START + 40 * DAY, START + DAY)
    challenge = challenges.counter(challenge, person("ann"), Terms(times=(ms_of(START + 10 * DAY),)), START + 2 * DAY)
    challenge = challenges.accept(challenge, person("bob"), START + 2 * DAY)
    assert challenge.finish_by == START + 48 * DAY
    events.resume(ladder, person("ann"), START + 2 * DAY + HOUR)
    challenge.refresh_from_db()
    assert challenge.finish_by == START + 11 * DAY
    until(ladder, START + 10 * DAY)
    assert not ladder.log.filter(kind=Overdue.kind).exists()


def test_a_pause_that_ends_before_its_time_leaves_the_end_that_stewards_chose_meanwhile():
    ladder = club_of("ann", "bob")
    events.pause(ladder, person("ann"), START + 40 * DAY, START + DAY)
    events.move_end(ladder, person("ann"), START + 50 * DAY, START + 2 * DAY)
    events.resume(ladder, person("ann"), START + 3 * DAY)
    assert ends(ladder) == START + 50 * DAY
    events.pause(ladder, person("ann"), START + 20 * DAY, START + 10 * DAY)
    events.resume(ladder, person("ann"), START + 15 * DAY)
    assert ends(ladder) == START + 55 * DAY, "a choice of before does not count for the next pause"


def test_games_end_and_seasons_are_ended_during_a_pause_too():
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann", now=START)
    events.pause(ladder, person("ann"), START + 21 * DAY, START + DAY)
    with pytest.raises(Refused, match="already paused"):
        events.pause(ladder, person("ann"), START + 21 * DAY, START + DAY)
    with pytest.raises(Refused, match="paused until then"):
        events.move_end(ladder, person("ann"), START + 10 * DAY, START + DAY)
    ended(challenge, 1, 2, now=START + 3 * DAY)
    assert order(ladder) == ["bob", "ann"]
    events.end_season(ladder, person("ann"), START + 4 * DAY)
    events.start_season(ladder, person("ann"), START + 30 * DAY)
    ladder.refresh_from_db()
    assert ladder.now_standing().resumes is None
    idle = {player: known.idle_ms(ms_of(START + 30 * DAY)) for player, known in ladder.now_standing().players.items()}
    assert max(idle.values()) <= ms_of(START + DAY) - ms_of(START)
    audit.check(ladder)


@pytest.mark.parametrize("days", [0, -1, 61])
def test_a_pause_has_an_end_within_sixty_days(days):
    ladder = club_of("ann", "bob")
    with pytest.raises(Refused, match="at most 60 days"):
        events.pause(ladder, person("ann"), START + days * DAY, START)


def test_only_stewards_move_ends_and_pause():
    ladder = club_of("ann", "bob")
    for act in (events.move_end, events.pause):
        with pytest.raises(Refused, match="Only a steward"):
            act(ladder, person("bob"), START + 10 * DAY, START)
    with pytest.raises(Refused, match="Only a steward"):
        events.resume(ladder, person("bob"), START)


# A soft reset


def test_a_soft_reset_that_would_be_another_than_was_looked_at_does_not_happen():
    ladder = club_of(
        "ann", "bob", "dan", "eve", rules=Rules(soft_reset=True, rest_days=0, most_late=99, time_costs_place=False)
    )
    for hours in range(5):
        met(ladder, "dan", "bob", now=START + hours * 4 * HOUR, late=["bob"])
        met(ladder, "eve", "bob", now=START + hours * 4 * HOUR + 2 * HOUR, late=["bob"])
    events.end_season(ladder, person("ann"), START + DAY)
    ladder.refresh_from_db()
    seen = ladder.events
    assert ladder.now_standing().next_order() != ladder.now_standing().order
    leaving.leave(ladder, person("ann"), START + DAY)
    with pytest.raises(events.Changed, match="Look at the new order again"):
        events.start_season(ladder, person("ann"), START + DAY, events=seen)
    ladder.refresh_from_db()
    looked_at = ladder.now_standing().next_order()
    events.start_season(ladder, person("ann"), START + DAY, events=ladder.events)
    ladder.refresh_from_db()
    assert ladder.now_standing().order == looked_at
