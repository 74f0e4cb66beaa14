"""Whatever of a ladder is touched is found, and said where."""

from datetime import timedelta
from random import Random

import pytest
from django.db import transaction

from accounts.models import User
from games.engine.bots import choose_random
from games.ladders import audit, challenges, due, events, leaving, results
from games.ladders.audit import WrongLadder
from games.ladders.models import Challenge, Ladder, LadderEvent
from games.ladders.payloads import Undone
from games.matches import finish, play
from games.matches.clocks import ms_of
from games.matches.models import Match
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of
from tests.people import person
from tools import rehearsal

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow, pytest.mark.usefixtures("rewriting")]

LIVE = challenges.Terms(times=(ms_of(START + DAY),))


def played(challenge):
    """The match of a challenge is played to its end within a day, whoever wins."""
    match = Match.objects.seated().get(challenge=challenge)
    rehearsal.perform(match, [choose_random] * match.places, Random(1), ends=ms_of(match.started_at + DAY))
    challenge.refresh_from_db()


def ended(challenge, *places):
    """The match of a challenge ends with these places by seat, as if it had been played."""
    with transaction.atomic():
        match = Match.objects.seated().get(challenge=challenge)
        finish.close(match, Match.Status.FINISHED, ms_of(match.started_at) + 60_000, {"places": list(places)})
        results.ended(match)


@pytest.fixture(scope="module")
def eventful(kept_rows):
    """A ladder on which almost everything has happened."""
    ladder = club_of("ann", "bob", "dan", "eve", "fay", "gil")
    ended(agreed(ladder, "bob", "ann"), 1, 2)
    ended(agreed(ladder, "fay", "dan", "eve", now=START + DAY), 1, 3, 2)
    for names, answer in ((("dan", "bob"), challenges.decline), (("gil", "fay"), None), (("eve", "ann"), None)):
        made = challenges.challenge(ladder, *people(*names), DAILY, START + 2 * DAY)
        if answer:
            answer(made, person(names[1]), START + 2 * DAY)
    challenges.withdraw(made, made.challenger, START + 2 * DAY)
    due.work(START + 8 * DAY)
    agreed(ladder, "gil", "eve", now=START + 9 * DAY)
    events.vacation(ladder, person("ann"), START + 10 * DAY, START + 15 * DAY, START + 9 * DAY)
    events.correct(ladder, person("ann"), person("gil").pk, 1, "Was ill.", START + 10 * DAY)
    events.undo(ladder, person("ann"), 8, "It was my fault.", START + 11 * DAY)
    leaving.leave(ladder, person("eve"), START + 12 * DAY)
    due.work(START + 50 * DAY)
    return ladder


@pytest.fixture
def ladder(eventful, db):
    return Ladder.objects.get(pk=eventful.pk)


def people(first, *others):
    return person(first), [person(other) for other in others]


@pytest.fixture
def tamper(ladder):
    """Change a row of the log; what is wrong then, and with which."""

    def tamper(number, **values):
        LadderEvent.objects.filter(ladder=ladder, number=number).update(**values)
        return wrong(ladder)

    return tamper


def wrong(ladder):
    """What is wrong, and at which event."""
    with pytest.raises(WrongLadder) as caught:
        audit.check(ladder)
    return caught.value.name, caught.value.number


def first(ladder, kind):
    return ladder.log.filter(kind=kind).order_by("number").first()


# Nothing is wrong


def test_a_ladder_is_what_its_events_come_to(ladder):
    kinds = set(ladder.log.values_list("kind", flat=True))
    expected = "join season result declined unanswered withdrawn vacation correct undo void leave sink"
    assert kinds == set(expected.split())
    assert audit.check(ladder) == ladder.now_standing()


# Something is


def test_steps_that_are_not_what_the_event_has_moved(ladder, tamper):
    steps = first(ladder, "result").steps
    assert tamper(7, steps=steps | {"99": [1, 2]}) == ("steps", 7)


def test_a_result_with_other_places(ladder, tamper):
    result = first(ladder, "result")
    assert tamper(result.number, data=result.data | {"places": result.data["places"][::-1]}) == ("steps", 7)


def test_an_event_that_is_missing(ladder, tamper):
    ladder.log.filter(number=5)._raw_delete("default")
    assert wrong(ladder) == ("gap", 5)


def test_an_event_that_is_missing_at_the_end(ladder, tamper):
    ladder.log.filter(number=ladder.events - 1)._raw_delete("default")
    assert wrong(ladder) == ("length", ladder.events - 1)


@pytest.mark.parametrize("data", [{}, {"player": 1, "more": 2}, {"player": []}, []])
def test_an_event_that_says_what_cannot_be(ladder, tamper, data):
    assert tamper(3, data=data) == ("data", 3)


def test_an_event_of_no_kind(ladder, tamper):
    assert tamper(3, kind="after") == ("kind", 3)
    assert tamper(3, kind="apply") == ("kind", 3)


def test_a_position_that_tears_the_order(ladder, tamper):
    correct = first(ladder, "order") or first(ladder, "join")
    assert tamper(correct.number, data=correct.data | {"player": person("gil").pk}) == ("steps", correct.number)


def test_an_undoing_of_what_cannot_be_undone(ladder, tamper):
    undo = first(ladder, "undo")
    for number in (0, undo.number, undo.number + 1, -1):
        assert tamper(undo.number, data={"event": number}) == ("undo", undo.number)


def test_an_event_that_is_undone_twice(ladder, tamper):
    events.write(events.locked(ladder), Undone(8), START + 60 * DAY)
    assert wrong(ladder) == ("undo", ladder.events)


@pytest.mark.parametrize("name", ["order", "players", "rules", "season", "ends", "met"])
def test_a_standing_that_is_not_what_the_events_say(ladder, name):
    ladder.standing[name] = ladder.standing[name][::-1] if isinstance(ladder.standing[name], list) else None
    if name == "met":
        ladder.standing[name] = ladder.standing[name][1:]
    ladder.save()
    assert wrong(ladder) == ("standing", None)


def test_a_rating_that_was_touched(ladder):
    ladder.standing["players"][0]["rating"] += 1e-9
    ladder.save()
    assert wrong(ladder) == ("standing", None)


def test_a_number_of_events_that_was_touched(ladder):
    ladder.events += 1
    ladder.save()
    assert wrong(ladder) == ("length", ladder.events - 1)


def test_a_player_who_is_no_member(ladder):
    ladder.club.members.filter(user=person("bob")).delete()
    assert wrong(ladder) == ("members", None)


# Challenges and events


def of_status(ladder, status):
    found = ladder.challenges.filter(status=status).first()
    assert found, status
    return found


@pytest.mark.parametrize("status", ["played", "declined", "withdrawn", "expired", "void"])
@pytest.mark.parametrize("other", ["open", "agreed", "playing", "played", "declined", "withdrawn", "void"])
def test_a_challenge_of_another_status_than_its_events_say(ladder, status, other):
    challenge = of_status(ladder, status)
    if status == other:
        return
    Challenge.objects.filter(pk=challenge.pk).update(status=other)
    assert wrong(ladder)[0] == "challenge"


def test_a_challenge_that_has_ended_without_a_time_or_has_one_without_an_end(ladder):
    challenge = of_status(ladder, "withdrawn")
    Challenge.objects.filter(pk=challenge.pk).update(ended_at=None)
    assert wrong(ladder) == ("challenge", first(ladder, "withdrawn").number)


def test_a_game_that_is_over_while_its_challenge_is_not(ladder):
    due.work(START + 51 * DAY)
    challenge = agreed(ladder, "bob", "dan", now=START + 51 * DAY)
    ladder.refresh_from_db()
    audit.check(ladder)
    for ended_at in (None, challenge.agreed_at):
        Match.objects.filter(pk=challenge.match_id).update(status="finished", ended_at=ended_at)
        for status in ("playing", "agreed"):
            Challenge.objects.filter(pk=challenge.pk).update(status=status)
            assert wrong(ladder) == ("challenge", None)


def test_a_game_that_ended_too_late_waits_for_the_worker(ladder):
    challenge = agreed(ladder, "bob", "dan", now=START + 51 * DAY)
    match, late = Match.objects.seated().get(challenge=challenge), challenge.finish_by + timedelta(hours=1)
    with transaction.atomic():
        finish.close(match, Match.Status.FINISHED, ms_of(late), {"places": [1, 2]})
        results.ended(match)
    audit.check(ladder)
    due.work(late)
    ladder.refresh_from_db()
    audit.check(ladder)
    assert ladder.log.get(kind="overdue", data__challenge=challenge.pk).at == challenge.finish_by


def test_a_game_that_runs_while_its_challenge_waits(ladder):
    challenge = agreed(ladder, "bob", "dan", now=START + 51 * DAY)
    Challenge.objects.filter(pk=challenge.pk).update(status="agreed")
    assert wrong(ladder) == ("challenge", None)


def test_a_result_that_is_not_that_of_its_match(ladder):
    match = of_status(ladder, "played").match
    places = match.result["places"]
    match.result["places"] = places[::-1]
    match.save()
    assert wrong(ladder) == ("challenge", 7)
    match.result["places"] = places
    match.save()
    match.seats.filter(index=0).update(left="time")
    assert wrong(ladder) == ("challenge", 7)
    match.seats.filter(index=0).update(left="")
    audit.check(ladder)
    Match.objects.filter(pk=match.pk).update(ended_at=match.ended_at + timedelta(seconds=1))
    assert wrong(ladder) == ("challenge", 7)


@pytest.mark.parametrize("fields", [{"game": "toy"}, {"game": "chess"}, {"version": 2}])
def test_another_game_at_the_table_than_in_the_challenge(ladder, toy, fields):
    challenge = of_status(ladder, "played")
    Challenge.objects.filter(pk=challenge.pk).update(**fields)
    assert wrong(ladder)[0] == "challenge"


def test_others_at_the_table_than_in_the_challenge(ladder):
    match = of_status(ladder, "played").match
    match.seats.filter(index=1).update(user=person("gus"))
    assert wrong(ladder) == ("challenge", 7)


def test_others_in_the_challenge_than_in_its_event(ladder):
    of_status(ladder, "declined").parties.filter(number=1).update(user=person("gus"))
    assert wrong(ladder)[0] == "challenge"


def test_a_challenge_that_others_have_made_than_play_it(ladder):
    challenge = of_status(ladder, "withdrawn")
    Challenge.objects.filter(pk=challenge.pk).update(challenger=person("gus"))
    assert wrong(ladder) == ("challenge", first(ladder, "withdrawn").number)
    Challenge.objects.filter(pk=challenge.pk).update(challenger=challenge.challenger)
    audit.check(ladder)
    challenge.parties.filter(number=1).delete()
    assert wrong(ladder) == ("challenge", first(ladder, "withdrawn").number)


def test_a_result_of_another_match_or_of_one_that_did_not_finish(ladder, tamper):
    result = first(ladder, "result")
    assert tamper(result.number, data=result.data | {"match": "another"}) == ("challenge", result.number)
    assert tamper(result.number, data=result.data | {"link": "00" * 32}) == ("challenge", result.number)
    LadderEvent.objects.filter(pk=result.pk).update(data=result.data)
    audit.check(ladder)
    Match.objects.filter(key=result.data["match"]).update(status="aborted")
    assert wrong(ladder) == ("challenge", result.number)


def test_a_player_who_is_called_otherwise_than_when_they_came(ladder):
    User.objects.filter(pk=person("gil").pk).update(username="gus")
    assert wrong(ladder) == ("name", None)
    User.objects.filter(pk=person("gil").pk).update(closed=True, salt=b"")
    audit.check(ladder)


def test_an_event_of_a_challenge_that_is_not_there(ladder):
    challenge = of_status(ladder, "declined")
    challenge.delete()
    event = first(ladder, "declined").number
    assert wrong(ladder) == ("challenge", event)


def test_a_game_that_no_longer_counts_goes_on(ladder):
    challenge = agreed(ladder, "bob", "dan", now=START + 51 * DAY)
    leaving.leave(ladder, person("bob"), START + 52 * DAY)
    audit.check(ladder)
    match = Match.objects.seated().get(challenge=challenge)
    rehearsal.perform(match, [choose_random] * 2, Random(1))
    audit.check(ladder)


def test_a_game_that_all_agree_to_abort_does_not_count(ladder):
    challenge = agreed(ladder, "bob", "dan", now=START + 51 * DAY)
    match = Match.objects.seated().get(challenge=challenge)
    play.vote(match, 0, "abort")
    play.vote(match, 1, "abort")
    challenge.refresh_from_db()
    assert challenge.status == "void"
    audit.check(ladder)


# The chain


@pytest.mark.parametrize("column", ["reason", "by", "at", "link"])
def test_what_no_rule_looks_at_is_held_by_the_chain(ladder, tamper, column):
    values = {"reason": "Because.", "by": person("bob"), "at": START + timedelta(microseconds=1), "link": bytes(32)}
    assert tamper(5, **{column: values[column]}) == ("link", 5)


def test_the_chain_begins_with_what_only_this_ladder_has(ladder):
    ladder.origin = bytes(16)
    ladder.save()
    assert wrong(ladder) == ("link", 0)
