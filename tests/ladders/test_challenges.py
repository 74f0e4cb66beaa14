"""Challenges through their services, from the proposal to the table."""

from datetime import timedelta

import pytest

from accounts.models import Notice
from accounts.web.refused import Refused
from games.ladders import challenges, due, events, leaving
from games.ladders.challenging import ChallengeRefusal, refusal
from games.ladders.models import Challenge, past
from games.ladders.pages import challenge as challenge_page
from games.ladders.rules import Rules
from games.ladders.standing import replay
from games.ladders.terms import Terms, revision
from games.matches.clocks import Clock, ms_of
from games.matches.models import Match
from tests.at_once import at_once
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, ended, met, order, until
from tests.ladders.logs import told
from tests.people import person

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def challenge(ladder, first, *others, now=START, terms=DAILY):
    return challenges.challenge(ladder, person(first), [person(other) for other in others], terms, now)


# Who may be challenged: the service refuses what the page says


def yourself(ladder):
    return "bob", "bob"


def below(ladder):
    return "bob", "eve"


def not_on_the_ladder(ladder):
    leaving.leave(ladder, person("ann"), START)
    return "bob", "ann"


def too_high(ladder):
    return "fay", "ann"


def too_many_out(ladder):
    challenge(ladder, "fay", "eve")
    return "fay", "dan"


def too_many_in(ladder):
    challenge(ladder, "eve", "dan")
    return "fay", "dan"


def playing_already(ladder):
    agreed(ladder, "bob", "ann")
    return "bob", "ann"


def played_too_recently(ladder):
    met(ladder, "bob", "ann", places=(2, 1), now=START - DAY)
    return "bob", "ann"


def on_vacation(ladder):
    events.vacation(ladder, person("ann"), START, START + DAY, START)
    return "bob", "ann"


def taken_off(ladder):
    met(ladder, "bob", "ann", now=START - DAY, late=["ann"])
    return "dan", "ann"


def season_over(ladder):
    events.end_season(ladder, person("ann"), START)
    return "bob", "ann"


REASONS = {
    yourself: ChallengeRefusal.YOURSELF,
    below: ChallengeRefusal.BELOW,
    not_on_the_ladder: ChallengeRefusal.NOT_ON_LADDER,
    too_high: ChallengeRefusal.TOO_HIGH,
    too_many_out: ChallengeRefusal.YOU_OUT,
    too_many_in: ChallengeRefusal.THEY_IN,
    playing_already: ChallengeRefusal.PLAYING,
    played_too_recently: ChallengeRefusal.TOO_SOON,
    on_vacation: ChallengeRefusal.AWAY,
    taken_off: ChallengeRefusal.OFF,
    season_over: ChallengeRefusal.SEASON_OVER,
}


@pytest.mark.parametrize("arrange", REASONS, ids=lambda arrange: arrange.__name__)
def test_nobody_is_challenged_who_cannot_be(arrange):
    rules = Rules(reach=3, most_out=1, most_in=1, most_late=1)
    ladder = club_of("ann", "bob", "dan", "eve", "fay", rules=rules, now=START - 2 * DAY)
    first, other = arrange(ladder)
    made = Challenge.objects.count()
    with pytest.raises(Refused) as refused:
        challenge(ladder, first, other)
    assert str(refused.value)
    assert Challenge.objects.count() == made
    ladder.refresh_from_db()
    assert refusal(events.situation(ladder, START), person(first).pk, person(other).pk) == REASONS[arrange]


def test_at_a_table_of_three_one_reaches_six_places_up():
    names = ["ann", "bob", "dan", "eve", "fay", "gil", "hal", "ivy"]
    ladder = club_of(*names)
    with pytest.raises(Refused):
        challenge(ladder, "hal", "ann")
    made = challenge(ladder, "hal", "ann", "bob")
    assert [party.user.username for party in made.parties.all()] == ["hal", "ann", "bob"]
    with pytest.raises(Refused):
        challenge(ladder, "ivy", "ann", "dan")


# Answers


def test_an_agreed_correspondence_game_begins_at_once():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann")
    assert told("ann")[-1] == "challenged"
    made = challenges.accept(made, person("ann"), START + HOUR)
    match = made.match
    assert (made.status, match.status, match.days) == ("playing", "running", 1)
    assert [seat.shown_name for seat in match.sitting] == ["bob", "ann"]
    assert made.finish_by == START + HOUR + 10 * DAY


@pytest.mark.parametrize("terms", [DAILY, Terms()], ids=["begins", "waits"])
def test_whose_challenge_opens_a_table_is_told_of_that_alone(terms):
    ladder = club_of("ann", "bob", "dan")
    made = challenge(ladder, "dan", "ann", "bob", terms=terms)
    Notice.objects.all().delete()
    made = challenges.accept(made, person("ann"), START)
    assert (told("ann"), told("bob"), told("dan")) == ([], ["accepted"], ["accepted"])
    made = challenges.accept(made, person("bob"), START)
    assert told("ann") == ["table"]
    assert told("bob") == told("dan") == ["accepted", "table"], "once of ann, and of the table"
    notice = Notice.objects.get(user=person("dan"), kind="table")
    assert notice.address == made.match.get_absolute_url()


def test_a_challenge_is_not_accepted_twice():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann")
    challenges.accept(made, person("ann"), START)
    with pytest.raises(Refused, match="no longer waiting for an answer"):
        challenges.accept(made, person("ann"), START)
    assert Match.objects.count() == 1


def test_of_three_all_have_to_agree_and_nobody_twice():
    ladder = club_of("ann", "bob", "dan")
    made = challenge(ladder, "dan", "ann", "bob")
    challenges.accept(made, person("ann"), START)
    with pytest.raises(Refused, match="already agreed"):
        challenges.accept(made, person("ann"), START)
    assert not Match.objects.exists()
    made = challenges.accept(made, person("bob"), START)
    assert (made.status, made.match.places) == ("playing", 3)


def test_nobody_answers_for_others():
    ladder = club_of("ann", "bob", "cho")
    made = challenge(ladder, "bob", "ann")
    for act in (challenges.accept, challenges.decline):
        with pytest.raises(Refused, match="aren’t part of this challenge"):
            act(made, person("cho"), START)
        with pytest.raises(Refused, match="already agreed"):
            act(made, person("bob"), START)
    with pytest.raises(Refused, match="Only the challenger"):
        challenges.withdraw(made, person("ann"), START)
    with pytest.raises(Refused, match="aren’t part of this challenge"):
        challenges.counter(made, person("cho"), DAILY, START)


def test_it_is_too_late_to_answer_when_the_time_is_over_though_no_worker_has_come():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann")
    with pytest.raises(Refused, match="time to answer this challenge is up"):
        challenges.accept(made, person("ann"), START + 3 * DAY)


def test_whoever_declines_gives_way_as_if_they_had_not_answered():
    ladder = club_of("ann", "bob", "dan")
    challenges.decline(challenge(ladder, "dan", "ann"), person("ann"), START)
    assert order(ladder) == ["bob", "dan", "ann"]
    assert told("dan")[-1] == "declined"


def test_where_the_rules_say_so_declining_changes_nothing():
    ladder = club_of("ann", "bob", "dan", rules=Rules(decline_yields=False))
    made = challenges.decline(challenge(ladder, "dan", "ann"), person("ann"), START)
    assert order(ladder) == ["ann", "bob", "dan"]
    assert made.status == "declined"


def test_a_challenge_is_withdrawn_only_before_it_is_agreed():
    ladder = club_of("ann", "bob", "dan")
    made = challenges.withdraw(challenge(ladder, "dan", "ann"), person("dan"), START)
    assert made.status == "withdrawn"
    assert order(ladder) == ["ann", "bob", "dan"]
    with pytest.raises(Refused, match="no longer waiting"):
        challenges.withdraw(agreed(ladder, "dan", "bob"), person("dan"), START)


def test_whoever_withdraws_again_rests_from_those_they_challenged():
    ladder = club_of("ann", "bob", "dan")
    challenges.withdraw(challenge(ladder, "dan", "ann"), person("dan"), START)
    challenges.withdraw(challenge(ladder, "dan", "ann"), person("dan"), START)
    with pytest.raises(Refused, match="was a short time ago"):
        challenge(ladder, "dan", "ann")
    assert challenge(ladder, "bob", "ann").status == "open"


# Terms


def test_other_terms_have_to_be_agreed_to_by_the_challenger():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann")
    made = challenges.counter(made, person("ann"), Terms(Clock.daily(1)), START + DAY)
    assert told("bob")[-1] == "countered"
    with pytest.raises(Refused, match="already agreed"):
        challenges.accept(made, person("ann"), START + DAY)
    made = challenges.accept(made, person("bob"), START + DAY)
    assert (made.status, made.match.days) == ("playing", 1)


def test_other_terms_give_time_to_answer():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann")
    made = challenges.counter(made, person("ann"), DAILY, START + 2 * DAY)
    assert made.answer_by == START + 5 * DAY
    made = challenges.counter(made, person("bob"), DAILY, START + 4 * DAY)
    assert made.answer_by == START + 7 * DAY


def test_the_page_offers_other_terms_to_those_who_may_propose_them_still():
    ladder = club_of("ann", "bob")
    made = challenges.counter(challenge(ladder, "bob", "ann"), person("ann"), DAILY, START + 2 * DAY)
    made = challenges.counter(made, person("bob"), DAILY, START + 4 * DAY)
    with pytest.raises(Refused, match="too late to propose"):
        challenges.counter(made, person("ann"), DAILY, START + 4 * DAY)
    sheet = challenge_page.sheet(challenge_page.challenges_of(ladder).get(), person("ann"), START + 4 * DAY)
    assert (sheet.answers, sheet.proposes) == (True, False)
    challenges.decline(made, person("ann"), START + 4 * DAY)


def test_a_challenger_who_does_not_answer_other_terms_gains_nothing():
    ladder = club_of("ann", "bob", "dan")
    made = challenge(ladder, "dan", "ann")
    challenges.counter(made, person("ann"), DAILY, START + DAY)
    until(ladder, START + 10 * DAY)
    made.refresh_from_db()
    assert made.status == "expired"
    assert order(ladder) == ["ann", "bob", "dan"]


@pytest.mark.parametrize(
    "terms",
    [
        Terms(Clock()),
        Terms(Clock.live(0, 15)),
        Terms(Clock.daily(0)),
        Terms(times=tuple(ms_of(START + number * DAY) for number in (1, 2, 3, 4))),
        Terms(times=(ms_of(START - DAY),)),
        Terms(times=(ms_of(START + 11 * DAY),)),
    ],
)
def test_terms_by_which_no_game_can_be_played_are_refused(terms):
    ladder = club_of("ann", "bob")
    with pytest.raises(Refused):
        challenge(ladder, "bob", "ann", terms=terms)
    assert not Challenge.objects.exists()


SOON, LATER = ms_of(START + DAY), ms_of(START + 2 * DAY)


@pytest.mark.parametrize(
    "terms",
    [
        DAILY,
        Terms(Clock.live(5, 15), times=(SOON, LATER)),
        Terms(Clock.live(10, 0), times=(SOON, LATER)),
        Terms(times=(SOON, LATER + 1)),
        Terms(times=(SOON,)),
        Terms(options={"start_die": 2}, times=(SOON, LATER)),
    ],
)
def test_who_accepts_what_has_been_replaced_is_refused(terms):
    made = challenge(club_of("ann", "bob"), "bob", "ann", terms=Terms(times=(SOON, LATER)))
    seen = revision(made, Rules())
    challenges.counter(made, person("ann"), DAILY, START)
    made = challenges.counter(made, person("bob"), terms, START)
    with pytest.raises(Refused, match="The terms have changed: look at them again"):
        challenges.accept(made, person("ann"), START, SOON, seen)
    assert not made.parties.get(user=person("ann")).agrees
    challenges.accept(made, person("ann"), START, SOON, revision(made, Rules()))


def test_to_choose_a_time_or_the_days_to_finish_changes_what_is_agreed():
    ladder = club_of("ann", "bob", "dan")
    made = challenge(ladder, "dan", "ann", "bob", terms=Terms(times=(SOON, LATER)))
    seen = revision(made, Rules())
    made = challenges.accept(made, person("ann"), START, LATER, seen)
    with pytest.raises(Refused, match="The terms have changed"):
        challenges.accept(made, person("bob"), START, SOON, seen)
    seen = revision(made, Rules())
    events.set_rules(ladder, person("ann"), Rules(finish_days=20), START)
    with pytest.raises(Refused, match="The terms have changed"):
        challenges.accept(made, person("bob"), START, None, seen)
    made = challenges.accept(made, person("bob"), START, None, revision(made, Rules(finish_days=20)))
    assert made.starts_at == START + 2 * DAY


def test_other_players_are_other_terms():
    ladder = club_of("ann", "bob", "dan", "eve")
    two = challenge(ladder, "dan", "bob")
    three = challenge(ladder, "eve", "ann", "bob")
    seen = {revision(two, Rules()), revision(three, Rules())}
    three.parties.filter(number=2).update(user=person("dan"))
    assert len(seen | {revision(three, Rules())}) == 3


def test_the_table_opens_by_itself_at_the_agreed_time_with_all_clocks():
    ladder = club_of("ann", "bob")
    times = (ms_of(START + DAY), ms_of(START + 2 * DAY))
    made = challenge(ladder, "bob", "ann", terms=Terms(times=times))
    with pytest.raises(Refused, match="Choose one of the suggested times"):
        challenges.accept(made, person("ann"), START)
    with pytest.raises(Refused, match="Choose one of the suggested times"):
        challenges.accept(made, person("ann"), START, ms_of(START + 3 * DAY))
    made = challenges.accept(made, person("ann"), START, times[1])
    assert (made.status, made.match) == ("agreed", None)
    assert told("bob")[-1] == "accepted"
    with pytest.raises(Refused, match="opens automatically"):
        challenges.open_room(made, person("ann"), START)
    until(ladder, START + 2 * DAY - HOUR)
    assert not Match.objects.exists()
    until(ladder, START + 2 * DAY)
    made.refresh_from_db()
    assert (made.status, made.match.status, made.match.started_at) == ("playing", "running", START + 2 * DAY)
    assert "table" in told("ann")


def test_after_an_outage_a_game_whose_time_has_come_begins_when_the_site_is_back():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann", terms=Terms(times=(ms_of(START + DAY),)))
    challenges.accept(made, person("ann"), START)
    until(ladder, START + DAY + HOUR)
    assert Match.objects.get().started_at == START + DAY + HOUR


def test_a_time_that_has_gone_by_cannot_be_agreed_on():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann", terms=Terms(times=(ms_of(START + HOUR),)))
    with pytest.raises(Refused, match="passed"):
        challenges.accept(made, person("ann"), START + 2 * HOUR)


def test_only_the_players_open_the_table_of_a_challenge():
    ladder = club_of("ann", "bob", "cho")
    made = agreed(ladder, "bob", "ann", terms=Terms())
    with pytest.raises(Refused, match="Only the players"):
        challenges.open_room(made, person("cho"), START)


def test_the_games_of_a_private_club_are_not_for_everybody():
    ladder = club_of("ann", "bob", private=True)
    match = agreed(ladder, "bob", "ann").match
    assert (match.watch, match.listed) == ("club", False)


def test_a_challenge_that_is_over_opens_no_table():
    ladder = club_of("ann", "bob")
    made = ended(agreed(ladder, "bob", "ann"), 1, 2, now=START + HOUR)
    with pytest.raises(Refused, match="hasn’t been agreed, or it’s over"):
        challenges.open_room(made, person("ann"), START + HOUR)


# Several at once


@pytest.mark.django_db(transaction=True)
def test_a_challenge_that_is_accepted_twice_at_once_opens_one_table():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann")
    came = at_once(*[lambda: challenges.accept(made, person("ann"), START)] * 3)
    assert came.count(None) == 1
    assert Match.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_challenge_that_is_accepted_and_withdrawn_at_once_is_one_of_both():
    ladder = club_of("ann", "bob")
    made = challenge(ladder, "bob", "ann")
    ann, bob = person("ann"), person("bob")
    came = at_once(lambda: challenges.accept(made, ann, START), lambda: challenges.withdraw(made, bob, START))
    made.refresh_from_db()
    assert came.count(None) == 1
    assert (made.status, Match.objects.count()) in (("playing", 1), ("withdrawn", 0))


@pytest.mark.django_db(transaction=True)
def test_two_who_challenge_each_other_s_opponent_at_once_do_not_get_past_the_limit():
    ladder = club_of("ann", "bob", "dan", "eve", "fay", rules=Rules(most_in=1))
    people = [person(name) for name in ("dan", "eve", "fay")]
    ann = person("ann")
    came = at_once(*[lambda who=who: challenges.challenge(ladder, who, [ann], DAILY, START) for who in people])
    assert came.count(None) == Challenge.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_events_that_come_at_once_are_numbered_and_replayed_in_one_order():
    ladder = club_of("ann", "bob", "dan", "eve")
    steward = person("ann")
    acts = [
        lambda: events.correct(ladder, steward, person("eve").pk, 1, "a", START),
        lambda: events.order(ladder, steward, [person("dan").pk], START, reason="So."),
        lambda: leaving.leave(ladder, person("bob"), START),
        lambda: events.vacation(ladder, person("dan"), START, START + DAY, START),
    ]
    assert at_once(*acts) == [None] * 4
    ladder.refresh_from_db()
    assert [event.number for event in ladder.log.all()] == list(range(ladder.events))
    assert replay(past(ladder.log.all())).to_json() == ladder.standing


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_do_each_piece_of_work_once():
    ladder = club_of("ann", "bob", "dan")
    challenge(ladder, "dan", "ann", now=START + 19 * DAY)
    now = START + 23 * DAY
    assert at_once(lambda: due.work(now), lambda: due.work(now)) == [None, None]
    kinds = [event.kind for event in ladder.log.all()]
    assert (kinds.count("sink"), kinds.count("unanswered")) == (3, 1)
