"""Of what, and when, the players of a ladder are reminded."""

from datetime import timedelta

import pytest

from accounts.models import Notice
from games.ladders import challenges, events
from games.ladders.challenges import Terms
from games.ladders.rules import Rules
from games.matches.clocks import instant, ms_of
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, met, order, until
from tests.ladders.logs import HOUR
from tests.people import person

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def reminded(name, of=""):
    """How long before what it reminds of each reminder was given to a person, in the order in which they were given."""
    rows = Notice.objects.filter(user=person(name), kind__endswith="soon", kind__startswith=of).order_by("at")
    return [instant(row.values["until"]) - row.at for row in rows]


def meeting(ladder, at, now=START):
    """Bob challenges ann to a game at an agreed time, and ann accepts."""
    terms = Terms(times=(ms_of(at),))
    return agreed(ladder, "bob", "ann", now=now, terms=terms)


def passes(ladder, until_):
    """Time passes, and the worker looks whenever it has to."""
    ladder.refresh_from_db()
    while ladder.wake_at and ladder.wake_at <= until_:
        until(ladder, ladder.wake_at)


@pytest.fixture
def ladder():
    return club_of("ann", "bob", "dan", rules=Rules(rest_days=0))


def test_whoever_has_to_answer_is_reminded_a_day_and_an_hour_before_it_is_too_late(ladder):
    challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    passes(ladder, START + 4 * DAY)
    assert reminded("ann", "answer") == [DAY, HOUR]
    assert reminded("bob") == []


def test_both_are_reminded_a_day_and_an_hour_before_the_agreed_time(ladder):
    challenge = meeting(ladder, START + 3 * DAY)
    passes(ladder, challenge.starts_at)
    assert reminded("ann") == reminded("bob") == [DAY, HOUR]
    assert Notice.objects.filter(kind="starts-soon", user=person("ann")).first().values["names"] == "bob"


def test_both_are_reminded_a_day_and_an_hour_before_a_game_must_be_over(ladder):
    challenge = agreed(ladder, "bob", "ann")
    passes(ladder, challenge.finish_by)
    assert reminded("ann") == reminded("bob") == [DAY, HOUR]


def test_nobody_is_reminded_of_what_was_agreed_a_moment_ago(ladder):
    meeting(ladder, START + 30 * HOUR)
    passes(ladder, START + 30 * HOUR)
    assert reminded("ann") == [HOUR]


def test_after_an_outage_a_late_reminder_is_given_once_while_it_is_of_use(ladder):
    challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    until(ladder, START + 2 * DAY + 20 * HOUR)
    until(ladder, START + 2 * DAY + 23 * HOUR + 30 * MINUTE)
    assert reminded("ann") == [4 * HOUR, 30 * MINUTE]


def test_after_an_outage_two_late_reminders_are_one(ladder):
    challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    until(ladder, START + 2 * DAY + 23 * HOUR + 30 * MINUTE)
    assert reminded("ann") == [30 * MINUTE]


def test_after_an_outage_nobody_is_reminded_of_what_has_gone_by(ladder):
    challenges.challenge(ladder, person("dan"), [person("ann")], DAILY, START)
    meeting(ladder, START + 3 * DAY)
    until(ladder, START + 4 * DAY)
    assert reminded("ann") == []


def test_who_has_agreed_to_another_time_is_reminded_of_that_one_only(ladder):
    terms = Terms(times=(ms_of(START + 2 * DAY),))
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], terms, START)
    later = terms._replace(times=(ms_of(START + 5 * DAY),))
    challenges.counter(challenge, person("ann"), later, START + HOUR)
    challenges.accept(challenge, person("bob"), START + 2 * HOUR)
    passes(ladder, START + 5 * DAY)
    assert reminded("ann", "starts") == [DAY, HOUR]


def test_a_vacation_moves_the_reminder_with_the_answer(ladder):
    challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    passes(ladder, START + 2 * DAY)
    assert reminded("ann") == [DAY]
    events.vacation(ladder, person("ann"), START + 2 * DAY, START + 7 * DAY, START + 2 * DAY)
    passes(ladder, START + 8 * DAY)
    assert reminded("ann") == [DAY, DAY, HOUR]


def test_a_withdrawn_challenge_reminds_nobody(ladder):
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    challenges.withdraw(challenge, person("bob"), START + HOUR)
    passes(ladder, START + 3 * DAY)
    assert reminded("ann") == []


# Sinking


def test_whoever_is_going_to_sink_is_told_a_day_before_each_time(ladder):
    met(ladder, "dan", "bob", now=START + 10 * DAY)
    passes(ladder, START + 28 * DAY)
    assert order(ladder)[2] == "ann"
    assert reminded("ann", "sinks") == [DAY, DAY]


def test_whoever_cannot_sink_is_not_told_that_they_will(ladder):
    met(ladder, "bob", "ann", now=START + 10 * DAY)
    passes(ladder, START + 25 * DAY)
    assert reminded("dan", "sinks") == [], "who stands last"


def test_whoever_plays_or_goes_on_vacation_is_told_later(ladder):
    events.vacation(ladder, person("bob"), START + 5 * DAY, START + 15 * DAY, START)
    met(ladder, "dan", "ann", places=(2, 1), now=START + 12 * DAY)
    passes(ladder, START + 30 * DAY - HOUR)
    assert reminded("ann", "sinks") == reminded("bob", "sinks") == []
    passes(ladder, START + 31 * DAY)
    assert reminded("bob", "sinks") == [DAY]


def test_a_warning_that_comes_too_late_is_left_out(ladder):
    until(ladder, START + 22 * DAY)
    assert reminded("ann") == []


def test_where_people_sink_each_day_a_warning_comes_before_the_first_time_only():
    ladder = club_of("ann", "bob", "dan", "eve", rules=Rules(idle_days=5, sink_days=1, rest_days=0))
    for number, name in enumerate(("bob", "dan", "eve"), 1):
        events.vacation(ladder, person(name), START, START + (number + 15) * DAY, START)
    passes(ladder, START + 8 * DAY)
    assert order(ladder)[3] == "ann"
    assert reminded("ann") == [DAY]
