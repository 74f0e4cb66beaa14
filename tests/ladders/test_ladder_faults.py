"""Faults that ladders had, and tricks that would have paid."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.web.refused import Refused
from games.ladders import audit, challenges, due, events, leaving
from games.ladders.models import Challenge
from games.ladders.rules import Rules
from games.ladders.standing import Standing
from games.ladders.terms import Terms
from games.matches import access, play
from games.matches.clocks import ms_of
from games.matches.models import Match
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, ended, met, order, until
from tests.ladders.logs import kinds
from tests.matches.matches import rushed
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once]
HOUR = timedelta(hours=1)


# The last move of a game


def resigned(now, monkeypatch, fault):
    """A ladder, and a challenge whose game has just ended while the ladder had a fault."""
    ladder = club_of("ann", "bob", now=now)
    challenge = agreed(ladder, "bob", "ann", now=now)
    with monkeypatch.context() as broken:
        broken.setattr(Standing, "_finished", fault)
        broken.setattr(Standing, "_void", fault)
        play.leave(challenge.match, 1, "resign")
        rushed(access.find(challenge.match.key))
    challenge.refresh_from_db()
    return ladder, challenge


def broken(*args, **data):
    raise ValueError("a fault in a rule")


def test_a_fault_of_the_ladder_does_not_take_the_last_move_back(monkeypatch):
    ladder, challenge = resigned(timezone.now(), monkeypatch, broken)
    assert challenge.match.status == Match.Status.FINISHED
    assert person("bob").archive.exists()
    assert order(ladder) == ["ann", "bob"]


def test_a_result_that_the_ladder_could_not_take_is_taken_by_the_worker(monkeypatch):
    ladder, challenge = resigned(timezone.now(), monkeypatch, broken)
    until(ladder, timezone.now())
    assert order(ladder) == ["bob", "ann"]
    assert ladder.log.get(kind="result").at == challenge.match.ended_at
    audit.check(ladder)


def test_an_end_without_result_that_the_ladder_could_not_take_is_taken_by_the_worker(monkeypatch):
    now = timezone.now()
    ladder = club_of("ann", "bob", now=now)
    match = agreed(ladder, "bob", "ann", now=now).match
    with monkeypatch.context() as context:
        context.setattr(Standing, "_void", broken)
        for seat in (0, 1):
            play.vote(match, seat, "abort")
            match.refresh_from_db()
    assert match.status == Match.Status.ABORTED
    until(ladder, timezone.now())
    assert Challenge.objects.get().status == "void"
    audit.check(ladder)


def test_a_ladder_that_stays_broken_is_tried_again_later_and_not_for_ever_at_once(monkeypatch):
    ladder, _ = resigned(timezone.now(), monkeypatch, broken)
    monkeypatch.setattr(Standing, "_finished", broken)
    now = timezone.now()
    until(ladder, now)
    assert ladder.wake_at == now + due.AGAIN


# Before the worker has come


def test_a_game_that_ends_too_late_does_not_count_though_no_worker_has_come():
    ladder = club_of("ann", "bob")
    challenge = ended(agreed(ladder, "bob", "ann"), 1, 2, now=START + 11 * DAY)
    until(ladder, START + 11 * DAY)
    challenge.refresh_from_db()
    assert challenge.status == "expired"
    assert "result" not in kinds(ladder)


def test_a_game_that_ends_after_its_season_counts_in_the_next_one_though_no_worker_has_come():
    ladder = club_of("ann", "bob", rules=Rules(idle_days=365))
    challenge = agreed(ladder, "bob", "ann", now=START + 83 * DAY)
    ended(challenge, 1, 2, now=START + 85 * DAY)
    until(ladder, START + 85 * DAY)
    assert kinds(ladder)[-3:] == ["season-end", "season", "result"]
    assert [row[2] for row in ladder.log.get(kind="season-end").data["final"]] == [0, 0]
    assert order(ladder) == ["bob", "ann"]


# Vacations


def test_whoever_is_back_early_has_no_more_time_to_answer_than_they_were_away():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.vacation(ladder, person("ann"), START + DAY, START + 11 * DAY, START)
    events.back(ladder, person("ann"), START + 3 * DAY)
    challenge.refresh_from_db()
    assert challenge.answer_by == START + 5 * DAY


def test_an_answer_is_not_put_off_by_announcing_vacations_and_taking_them_back():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    for _ in range(3):
        events.vacation(ladder, person("ann"), START, START + 21 * DAY, START)
        events.back(ladder, person("ann"), START)
    challenge.refresh_from_db()
    assert challenge.answer_by == START + 3 * DAY


def test_a_vacation_that_begins_after_the_time_to_answer_leaves_it_alone():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.vacation(ladder, person("ann"), START + 4 * DAY, START + 11 * DAY, START)
    events.back(ladder, person("ann"), START + DAY)
    challenge.refresh_from_db()
    assert challenge.answer_by == START + 3 * DAY


# Other terms


def test_a_challenger_who_is_away_has_no_longer_to_answer_other_terms():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    events.vacation(ladder, person("bob"), START, START + 10 * DAY, START)
    challenge = challenges.counter(challenge, person("ann"), DAILY, START + DAY)
    assert challenge.answer_by == START + 4 * DAY
    events.back(ladder, person("bob"), START + 2 * DAY)
    challenge.refresh_from_db()
    assert challenge.answer_by == START + 4 * DAY


def test_other_terms_always_leave_the_full_time_to_answer_them():
    ladder = club_of("ann", "bob")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    challenge = challenges.counter(challenge, person("ann"), DAILY, START + 3 * DAY - HOUR)
    assert challenge.answer_by == START + 6 * DAY - HOUR
    challenge = challenges.counter(challenge, person("bob"), DAILY, START + 6 * DAY - 2 * HOUR)
    assert challenge.answer_by == START + 9 * DAY - 2 * HOUR


def test_whoever_is_challenged_cannot_put_off_their_answer_by_other_terms_again_and_again():
    ladder = club_of("ann", "bob", "dan")
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    challenges.counter(challenge, person("ann"), DAILY, START + DAY)
    challenges.counter(challenge, person("bob"), DAILY, START + 3 * DAY)
    with pytest.raises(Refused, match="Accept or decline"):
        challenges.counter(challenge, person("ann"), DAILY, START + 4 * DAY)
    until(ladder, START + 6 * DAY)
    assert order(ladder) == ["bob", "ann", "dan"]


# Agreed times


def test_a_game_that_begins_on_the_last_day_has_a_day_to_be_played():
    ladder = club_of("ann", "bob")
    at = START + 10 * DAY
    challenge = agreed(ladder, "bob", "ann", terms=Terms(times=(ms_of(at),)))
    assert challenge.finish_by == at + DAY
    until(ladder, at)
    challenge.refresh_from_db()
    assert challenge.status == "playing"
    ended(challenge, 1, 2, now=at + HOUR)
    assert order(ladder) == ["bob", "ann"]


def test_a_game_that_begins_late_after_an_outage_has_a_day_to_be_played_too():
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann", terms=Terms(times=(ms_of(START + 9 * DAY),)))
    until(ladder, START + 12 * DAY)
    challenge.refresh_from_db()
    assert (challenge.status, challenge.finish_by) == ("playing", START + 13 * DAY)


# Coming and going


def test_whoever_leaves_and_comes_back_has_to_rest_all_the_same():
    ladder = club_of("ann", "bob")
    met(ladder, "bob", "ann", places=(2, 1))
    leaving.leave(ladder, person("bob"), START + 2 * HOUR)
    events.join(ladder, person("bob"), START + 2 * HOUR)
    with pytest.raises(Refused):
        challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START + DAY)
    audit.check(ladder)
