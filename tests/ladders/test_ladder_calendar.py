"""What a person's own calendar says of ladders and tables."""

from datetime import timedelta

import pytest

from accounts.clubs import clubs
from accounts.people import calendar
from games.ladders import challenges
from games.ladders.terms import Terms
from games.matches.clocks import ms_of
from games.matches.models import Match
from tests.clubs.clubs import DAY, START, agreed, club_of
from tests.matches.matches import seated
from tests.people import person

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def entries(name, now=START):
    return {e.uid.partition("-")[0]: e for source in calendar._sources for e in source(person(name), now)}


def test_a_challenge_is_a_deadline_and_then_an_appointment():
    ladder = club_of("ann", "bob")
    times = (ms_of(START + 3 * DAY),)
    terms = Terms(times=times)
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], terms, START)
    assert entries("ann")["answer"].starts == challenge.answer_by
    assert entries("ann")["answer"].summary == "Answer bob on the ladder of St Gall"
    assert "answer" not in entries("bob")
    challenge = challenges.accept(challenge, person("ann"), START)
    for name, other in (("ann", "bob"), ("bob", "ann")):
        game = entries(name)["game"]
        assert (game.starts, game.ends) == (START + 3 * DAY, START + 3 * DAY + HOUR)
        assert game.summary == f"Game with {other} on the ladder of St Gall"
        assert not {"answer", "finish"} & entries(name).keys()


def test_a_game_without_a_time_has_the_day_by_which_it_must_be_over():
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann")
    assert entries("bob")["finish"].starts == challenge.finish_by
    assert entries("bob")["season"].summary == "Season 1 of St Gall ends"
    assert entries("bob")["sink"].starts < entries("bob")["season"].starts


def test_nothing_of_a_club_is_told_to_who_has_left_it():
    ladder = club_of("ann", "bob", "eve", private=True)
    agreed(ladder, "eve", "bob")
    clubs.leave(ladder.club, person("eve"), START)
    assert entries("eve").keys() <= {"turn"} and entries("cho") == {}  # the table itself is still theirs


def test_the_answer_due_at_a_correspondence_table_is_told_to_whose_turn_it_is():
    match = seated("ann", "bob", pace="daily", days=2)
    match = Match.objects.get(pk=match.pk)
    mover, other = (person(name) for name in (("ann", "bob"), ("bob", "ann"))[match.mover])
    turn = entries(mover.username, match.asked_at)["turn"]
    assert turn.starts - match.asked_at >= 2 * DAY - timedelta(seconds=1)
    assert turn.summary == f"Biblios: your turn at the table with {other.username}"
    assert "turn" not in entries(other.username, match.asked_at)
