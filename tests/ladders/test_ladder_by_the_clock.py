"""What happens to a ladder when time passes: players sink, challenges expire, vacations and seasons begin and end."""

from datetime import timedelta

import pytest

from accounts.web.refused import Refused
from games.ladders import challenges, due
from games.ladders import events as ladders
from games.ladders.models import Ladder
from games.ladders.rules import Rules
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, ended, met, order, until
from tests.ladders.logs import HOUR, consistent, kinds, last, told
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once]


# The clock


def test_whoever_is_idle_for_21_days_sinks_one_place_a_week_the_leader_too():
    ladder = club_of("ann", "bob", "dan", "eve")
    met(ladder, "dan", "bob", places=(2, 1), now=START + 20 * DAY)
    until(ladder, START + 21 * DAY)
    assert order(ladder) == ["bob", "ann", "dan", "eve"]
    assert [event.at for event in ladder.log.filter(kind="sink")] == [START + 21 * DAY] * 2
    until(ladder, START + 28 * DAY)
    assert order(ladder) == ["bob", "dan", "ann", "eve"], "never below another who is idle"
    assert "sunk" in told("ann")
    assert consistent(ladder)


def test_what_was_due_during_an_outage_is_made_up_for_in_its_order_and_with_its_time():
    ladder = club_of("ann", "bob", "dan")
    met(ladder, "dan", "bob", places=(2, 1), now=START + 17 * DAY)
    challenges.challenge(ladder, person("dan"), [person("ann")], DAILY, START + 19 * DAY)
    due.work(START + 25 * DAY)
    events = [(event.kind, event.at) for event in ladder.log.all()][-2:]
    assert events == [("sink", START + 21 * DAY), ("unanswered", START + 22 * DAY)]
    assert due.work(START + 25 * DAY) == 0, "each piece once"


def test_what_is_due_is_done_in_portions_so_that_bots_and_clocks_do_not_wait(monkeypatch):
    ladder = club_of("ann", "bob", "dan")
    until(ladder, START + 20 * DAY)
    monkeypatch.setattr(due, "MOST", 2)
    assert [due.work(START + 21 * DAY) for _ in range(3)] == [2, 1, 0]
    assert kinds(ladder).count("sink") == 3


def test_two_workers_do_each_piece_of_work_once():
    ladder = club_of("ann", "bob")
    until(ladder, START + 20 * DAY)
    stale = Ladder.objects.get(pk=ladder.pk)
    assert due.do_next(ladder, START + 21 * DAY)
    assert due.do_next(stale, START + 21 * DAY)
    assert not due.do_next(stale, START + 21 * DAY)
    assert kinds(ladder).count("sink") == 2, "one for each player"


def test_who_is_challenged_and_does_not_answer_gives_way():
    ladder = club_of("ann", "bob", "dan", "eve")
    challenge = challenges.challenge(ladder, person("eve"), [person("ann")], DAILY, START)
    until(ladder, START + 3 * DAY - HOUR)
    assert order(ladder) == ["ann", "bob", "dan", "eve"]
    until(ladder, START + 3 * DAY)
    assert order(ladder) == ["bob", "dan", "ann", "eve"]
    challenge.refresh_from_db()
    assert challenge.status == "expired"
    assert "missed" in told("ann")
    assert "unanswered" in told("eve")


def test_whoever_proposed_other_terms_that_nobody_answered_is_told_so():
    ladder = club_of("ann", "bob", "dan", "eve")
    challenge = challenges.challenge(ladder, person("eve"), [person("ann"), person("bob")], DAILY, START)
    challenges.counter(challenge, person("ann"), DAILY, START + DAY)
    until(ladder, START + 4 * DAY)
    assert told("eve")[-1] == "missed"
    assert (told("ann")[-1], told("bob")[-1]) == ("lapsed", "lapsed")


def test_a_challenge_that_was_declined_or_not_answered_lets_the_two_rest_as_a_game_does():
    ladder = club_of("ann", "bob", "dan", "eve", rules=Rules(cheap_refusals=9))
    challenges.challenge(ladder, person("eve"), [person("ann")], DAILY, START)
    until(ladder, START + 3 * DAY)
    assert order(ladder) == ["bob", "ann", "dan", "eve"], "one rung, as refusing is cheap here"
    with pytest.raises(Refused, match="Your last challenge with ann was a short time ago; you can meet again from"):
        challenges.challenge(ladder, person("eve"), [person("ann")], DAILY, START + 9 * DAY)
    other = challenges.challenge(ladder, person("eve"), [person("bob")], DAILY, START + 9 * DAY)
    challenges.decline(other, person("bob"), START + 9 * DAY)
    with pytest.raises(Refused, match="Your last challenge with bob was"):
        challenges.challenge(ladder, person("eve"), [person("bob")], DAILY, START + 10 * DAY)
    assert challenges.challenge(ladder, person("eve"), [person("ann")], DAILY, START + 10 * DAY)
    assert consistent(ladder)


def test_of_two_who_are_silent_at_a_larger_table_the_challenged_gives_way():
    ladder = club_of("ann", "bob", "dan", "eve", "fay")
    challenges.challenge(ladder, person("fay"), [person("ann"), person("bob")], DAILY, START)
    until(ladder, START + 3 * DAY)
    assert order(ladder) == ["bob", "dan", "ann", "eve", "fay"]


# Vacation


def test_whoever_is_on_vacation_keeps_their_place_and_is_not_challenged():
    ladder = club_of("ann", "bob", rules=Rules(idle_days=3))
    ladders.vacation(ladder, person("ann"), START, START + 14 * DAY, START)
    with pytest.raises(Refused, match="vacation"):
        challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START + DAY)
    until(ladder, START + 14 * DAY)
    assert order(ladder) == ["ann", "bob"]
    until(ladder, START + 17 * DAY)
    assert [event.data["player"] for event in ladder.log.filter(kind="sink")][-1] == person("ann").pk


def test_there_are_21_days_of_vacation_a_season():
    ladder = club_of("ann", "bob")
    ladders.vacation(ladder, person("ann"), START, START + 20 * DAY, START)
    ladders.back(ladder, person("ann"), START + 15 * DAY)
    with pytest.raises(Refused, match="asked for 7 days of vacation, but only 6 days are left this season"):
        ladders.vacation(ladder, person("ann"), START + 20 * DAY, START + 27 * DAY, START + 15 * DAY)
    ladders.vacation(ladder, person("ann"), START + 20 * DAY, START + 26 * DAY, START + 15 * DAY)
    assert consistent(ladder)


@pytest.mark.parametrize(
    ("taken", "begins", "says"),
    [
        (0, timedelta(), "asked for 30 days of vacation, but only 21 days are left"),
        (0, HOUR, "asked for 30 days of vacation, but only 21 days are left"),  # of the first day, what is left of it
        (20, timedelta(), "asked for 30 days of vacation, but only 1 day is left"),
        (20.5, timedelta(), "You have no vacation days left this season."),
    ],
)
def test_whose_vacation_is_too_long_reads_how_long_it_is_and_how_long_it_may_be(taken, begins, says):
    ladder, now = club_of("ann", "bob"), START + 21 * DAY
    if taken:
        ladders.vacation(ladder, person("ann"), START, START + taken * DAY, START)
    with pytest.raises(Refused, match=says):
        ladders.vacation(ladder, person("ann"), now + begins, now + 30 * DAY, now)


def test_a_vacation_stops_the_time_to_answer_but_not_the_games_that_run():
    ladder = club_of("ann", "bob", "dan")
    open_ = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    running = agreed(ladder, "dan", "ann")
    ladders.vacation(ladder, person("ann"), START + DAY, START + 8 * DAY, START)
    open_.refresh_from_db()
    assert open_.answer_by == START + 10 * DAY
    until(ladder, START + 10 * DAY - HOUR)
    open_.refresh_from_db()
    assert open_.status == "open"
    until(ladder, START + 10 * DAY)
    running.refresh_from_db()
    assert running.status == "expired"


def test_whoever_challenges_before_an_announced_vacation_waits_over_it():
    ladder = club_of("ann", "bob")
    ladders.vacation(ladder, person("ann"), START + DAY, START + 8 * DAY, START)
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    assert challenge.answer_by == START + 10 * DAY


# Seasons


def test_a_season_ends_after_twelve_weeks_with_its_final_table_and_the_next_begins():
    ladder = club_of("ann", "bob", rules=Rules(idle_days=365))
    met(ladder, "bob", "ann", now=START)
    until(ladder, START + 12 * 7 * DAY)
    ending = ladder.log.get(kind="season-end")
    assert [(row[0], row[2]) for row in ending.data["final"]] == [(person("bob").pk, 1), (person("ann").pk, 1)]
    assert (last(ladder).kind, last(ladder).data["number"]) == ("season", 2)
    assert told("ann")[-2:] == ["season-ended", "season-begun"]
    assert order(ladder) == ["bob", "ann"]


def test_a_soft_reset_brings_the_order_half_way_to_the_ratings():
    rules = Rules(idle_days=365, soft_reset=True, rest_days=0, most_late=99, time_costs_place=False)
    ladder = club_of("ann", "bob", "dan", "eve", rules=rules)
    for hours in range(0, 20, 4):
        met(ladder, "dan", "bob", now=START + timedelta(hours=hours), late=["bob"])
        met(ladder, "eve", "bob", now=START + timedelta(hours=hours + 2), late=["bob"])
    assert order(ladder) == ["ann", "bob", "dan", "eve"]
    until(ladder, START + 12 * 7 * DAY)
    assert order(ladder) == ["ann", "dan", "bob", "eve"]
    assert consistent(ladder)


def test_a_season_that_ends_during_a_game_lets_it_count_in_the_next_one():
    ladder = club_of("ann", "bob", rules=Rules(idle_days=365))
    challenge = agreed(ladder, "bob", "ann", now=START + 80 * DAY)
    until(ladder, START + 84 * DAY)
    ended(challenge, 1, 2, now=START + 85 * DAY)
    assert order(ladder) == ["bob", "ann"]


def test_a_season_that_a_steward_ends_during_a_game_leaves_it_without_effect():
    ladder = club_of("ann", "bob", "dan")
    running = agreed(ladder, "bob", "ann")
    waiting = challenges.challenge(ladder, person("dan"), [person("ann")], DAILY, START)
    ladders.end_season(ladder, person("ann"), START + DAY)
    waiting.refresh_from_db()
    assert waiting.status == "withdrawn"
    ended(running, 1, 2, now=START + 2 * DAY)
    assert (running.status, last(ladder).data["why"]) == ("void", "season")
    assert order(ladder) == ["ann", "bob", "dan"]
    with pytest.raises(Refused):
        challenges.challenge(ladder, person("dan"), [person("ann")], DAILY, START + 2 * DAY)


def test_the_time_between_two_seasons_is_no_idle_time():
    ladder = club_of("ann", "bob")
    ladders.end_season(ladder, person("ann"), START + 10 * DAY)
    until(ladder, START + 100 * DAY)
    ladders.start_season(ladder, person("ann"), START + 100 * DAY)
    until(ladder, START + 111 * DAY - HOUR)
    assert "sink" not in kinds(ladder)
    until(ladder, START + 111 * DAY)
    assert "sink" in kinds(ladder)


def test_a_season_is_not_begun_or_ended_twice():
    ladder = club_of("ann", "bob")
    with pytest.raises(Refused, match="A season is already running"):
        ladders.start_season(ladder, person("ann"), START)
    ladders.end_season(ladder, person("ann"), START)
    with pytest.raises(Refused, match="No season is running"):
        ladders.end_season(ladder, person("ann"), START)
