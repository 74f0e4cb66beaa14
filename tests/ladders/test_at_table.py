"""Results of games at a real table: entered by one, confirmed by the others, or not."""

from datetime import date, timedelta

import pytest

from accounts.models import Member
from accounts.web.refused import Refused
from games.ladders import at_table, audit, events, leaving
from games.ladders.at_table import Finished
from games.ladders.models import TableResult, past
from games.ladders.rules import Rules
from games.ladders.standing import replay
from games.matches.clocks import ms_of
from tests.at_once import at_once
from tests.clubs.clubs import DAY, START, agreed, club_of, met, order, until
from tests.ladders.logs import consistent, kinds, last, told
from tests.people import person

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
TODAY = START.date()
Status = TableResult.Status


def club(*names, rules=None, **more):
    return club_of(*(names or ("ann", "bob", "dan", "eve", "fay", "gus")), rules=rules or Rules(at_table=True), **more)


def enter(ladder, *names, by=None, places=None, points=None, day=TODAY, now=START):
    """A result with these people by place, entered by the first of them."""
    places, points = places or range(1, len(names) + 1), points or [None] * len(names)
    finished = [Finished(person(name), *rest) for name, *rest in zip(names, places, points, strict=True)]
    return at_table.enter(ladder, person(by or names[0]), finished, day, now)


def confirmed(ladder, *names, now=START, **more):
    result = enter(ladder, *names, now=now, **more)
    for name in names[1:]:
        result = at_table.confirm(result, person(name), now)
    return result


def appoint(ladder, name):
    ladder.club.members.filter(user=person(name)).update(role=Member.Role.STEWARD)


# What counts


def test_a_result_counts_once_the_others_confirm_it():
    ladder = club()
    result = enter(ladder, "eve", "bob", points=(21, 17))
    assert order(ladder) == ["ann", "bob", "dan", "eve", "fay", "gus"]
    assert told("bob")[-1] == "entered" and "entered" not in told("eve")
    result = at_table.confirm(result, person("bob"), START + HOUR)
    assert result.status == Status.COUNTED
    assert order(ladder) == ["ann", "eve", "bob", "dan", "fay", "gus"]
    assert told("eve")[-1] == "result"
    event = last(ladder)
    assert event.data["points"] == [21, 17] and event.at == START + HOUR
    audit.check(ladder)


def test_the_rating_of_the_ladder_moves_as_after_a_game_here_and_that_of_the_site_does_not():
    here, there = club(slug="here"), club("uli", "vic", slug="there")
    confirmed(here, "bob", "ann")
    met(there, "vic", "uli")
    by_entry, by_game = (replay(past(ladder.log.all())).players for ladder in (here, there))
    for one, other in (("bob", "vic"), ("ann", "uli")):
        mine, theirs = by_entry[person(one).pk], by_game[person(other).pk]
        assert (mine.rating, mine.games, mine.form) == (theirs.rating, theirs.games, theirs.form)
    assert not person("bob").ratings.exists()


def test_a_table_of_four_with_ties_lifts_and_needs_all():
    ladder = club()
    result = enter(ladder, "gus", "fay", "dan", "eve", places=(1, 2, 2, 9))
    at_table.confirm(result, person("fay"), START)
    at_table.confirm(result, person("dan"), START)
    assert order(ladder)[-1] == "gus"
    assert at_table.confirm(result, person("eve"), START).status == Status.COUNTED
    assert last(ladder).data["places"] == [1, 2, 2, 4]
    assert order(ladder) == ["ann", "bob", "gus", "dan", "fay", "eve"]
    audit.check(ladder)


def test_players_are_not_idle_and_have_played_by_it_and_a_first_challenge_stays():
    ladder = club()
    confirmed(ladder, "bob", "ann", now=START + 3 * DAY, day=TODAY + 3 * DAY)
    standing = replay(past(ladder.log.all()))
    known = standing.players[person("bob").pk]
    assert (known.played, known.idle_from) == (1, ms_of(START + 3 * DAY))
    assert standing.placed == set()


def test_a_result_that_is_undone_leaves_everybody_where_they_were():
    ladder = club()
    confirmed(ladder, "eve", "bob")
    events.undo(ladder, person("ann"), last(ladder).number, "They played another game.", START + HOUR)
    assert order(ladder) == ["ann", "bob", "dan", "eve", "fay", "gus"]
    assert replay(past(ladder.log.all())).players[person("eve").pk].rating == 1500
    audit.check(ladder)


# Who answers


def test_nobody_answers_and_it_lapses():
    ladder = club()
    result = enter(ladder, "eve", "bob")
    until(ladder, START + 24 * HOUR)
    until(ladder, START + 47 * HOUR)
    assert told("bob")[-2:] == ["confirm-soon", "confirm-soon"]
    until(ladder, START + 48 * HOUR)
    result.refresh_from_db()
    assert result.status == Status.LAPSED and "at-table" not in kinds(ladder)
    assert told("bob")[-1] == told("eve")[-1] == "table-lapsed"
    audit.check(ladder)


def test_the_time_is_up_before_the_worker_comes():
    result = enter(club(), "eve", "bob")
    with pytest.raises(Refused, match="The time for it is up"):
        at_table.confirm(result, person("bob"), START + 48 * HOUR)


def test_in_a_pause_the_time_does_not_pass():
    ladder = club()
    result = enter(ladder, "eve", "bob")
    events.pause(ladder, person("ann"), START + 10 * DAY, START + HOUR)
    until(ladder, START + 9 * DAY)
    assert at_table.confirm(result, person("bob"), START + 9 * DAY).status == Status.COUNTED


def test_a_disputed_result_waits_for_a_steward_who_did_not_play():
    ladder = club()
    result = enter(ladder, "bob", "ann")
    appoint(ladder, "gus")
    result = at_table.dispute(result, person("ann"), "It was 12 to 11 for me.", START + HOUR)
    assert told("gus")[-1] == "decide" and told("bob")[-1] == "disputed"
    with pytest.raises(Refused, match="This result is disputed"):
        at_table.confirm(result, person("ann"), START + HOUR)
    with pytest.raises(Refused, match="You played in this game yourself"):
        at_table.decide(result, person("ann"), False, "No.", START + HOUR)
    with pytest.raises(Refused, match="Please give a reason"):
        at_table.decide(result, person("gus"), True, " ", START + HOUR)
    until(ladder, START + 6 * DAY + 2 * HOUR)
    assert told("gus")[-1] == "decide-soon"
    at_table.decide(result, person("gus"), True, "I saw the game.", START + 7 * DAY)
    assert order(ladder)[:2] == ["bob", "ann"]
    assert (last(ladder).by, last(ladder).reason) == (person("gus"), "I saw the game.")
    audit.check(ladder)


def test_a_dispute_about_which_nobody_decides_lapses():
    ladder = club()
    result = enter(ladder, "bob", "ann")
    at_table.dispute(result, person("ann"), "No.", START + HOUR)
    until(ladder, START + 7 * DAY + HOUR)
    result.refresh_from_db()
    assert result.status == Status.LAPSED


def test_who_entered_a_rejected_result_does_not_enter_another_with_them_for_a_while():
    ladder = club()
    result = at_table.dispute(enter(ladder, "eve", "bob"), person("bob"), "We never played.", START)
    at_table.decide(result, person("ann"), False, "They never played.", START)
    assert told("eve")[-1] == told("bob")[-1] == "table-rejected"
    with pytest.raises(Refused, match="Let them enter this one"):
        enter(ladder, "eve", "bob", now=START + DAY, day=TODAY + DAY)
    enter(ladder, "bob", "eve", now=START + DAY, day=TODAY + DAY)


def test_no_steward_decides_before_a_player_asks():
    ladder = club()
    appoint(ladder, "gus")
    result = enter(ladder, "eve", "bob")
    for counts in (True, False):
        with pytest.raises(Refused, match="No player has disputed this result, or asked a steward"):
            at_table.decide(result, person("ann"), counts, "I saw it.", START)
    with pytest.raises(Refused, match="Confirm this result, or dispute it"):
        at_table.ask(result, person("bob"), "Who won?", START)
    with pytest.raises(Refused, match="Only the players"):
        at_table.ask(result, person("ann"), "I know.", START)
    with pytest.raises(Refused, match="say why a steward"):
        at_table.ask(result, person("eve"), " ", START)
    at_table.ask(result, person("eve"), "Bob never looks here.", START)
    assert told("ann")[-1] == told("gus")[-1] == "ask-steward"
    with pytest.raises(Refused, match="already been asked"):
        at_table.ask(result, person("eve"), "Please.", START)
    with pytest.raises(Refused, match="Please give a reason"):
        at_table.decide(result, person("ann"), True, "", START)
    at_table.decide(result, person("ann"), True, "I sat beside them.", START)
    assert order(ladder)[1] == "eve"
    audit.check(ladder)


def test_after_a_steward_was_asked_the_others_can_still_confirm_it():
    ladder = club()
    result = at_table.ask(enter(ladder, "eve", "bob"), person("eve"), "Bob never looks here.", START)
    assert at_table.confirm(result, person("bob"), START + 3 * DAY).status == Status.COUNTED
    audit.check(ladder)


def test_whoever_entered_it_takes_it_back_and_enters_the_right_one():
    ladder = club()
    result = at_table.dispute(enter(ladder, "eve", "bob"), person("bob"), "I won.", START)
    with pytest.raises(Refused, match="Only whoever entered"):
        at_table.withdraw(result, person("bob"), START)
    at_table.withdraw(result, person("eve"), START)
    assert told("bob")[-1] == "table-withdrawn"
    assert confirmed(ladder, "bob", "eve").status == Status.COUNTED


def test_only_those_concerned_answer_and_each_once():
    ladder = club()
    result = enter(ladder, "eve", "bob", "dan")
    for act in (at_table.confirm, lambda *of: at_table.dispute(of[0], of[1], "No.", of[2])):
        with pytest.raises(Refused, match="Only the players"):
            act(result, person("gus"), START)
    at_table.confirm(result, person("bob"), START)
    with pytest.raises(Refused, match="already confirmed"):
        at_table.confirm(result, person("bob"), START)
    with pytest.raises(Refused, match="You’ve entered this result yourself"):
        at_table.dispute(result, person("eve"), "No.", START)
    with pytest.raises(Refused, match="Only a steward"):
        at_table.decide(result, person("gus"), True, "", START)


def test_it_lapses_when_one_of_its_players_leaves():
    ladder = club()
    result = enter(ladder, "eve", "bob", "dan")
    leaving.leave(ladder, person("dan"), START)
    result.refresh_from_db()
    assert result.status == Status.LAPSED
    audit.check(ladder)


@pytest.mark.django_db(transaction=True)
def test_of_a_confirmation_and_a_dispute_at_the_same_moment_one_is_first():
    ladder = club()
    appoint(ladder, "gus")
    result = enter(ladder, "eve", "bob")
    refused = at_once(
        lambda: at_table.confirm(TableResult.objects.get(), person("bob"), START),
        lambda: at_table.dispute(TableResult.objects.get(), person("bob"), "No.", START),
    )
    result.refresh_from_db()
    first = {Status.COUNTED: 0, Status.DISPUTED: 1}[result.status]
    assert refused[first] is None and refused[1 - first]
    assert ("at-table" in kinds(ladder)) == (result.status == Status.COUNTED)
    audit.check(ladder)


@pytest.mark.django_db(transaction=True)
def test_of_two_stewards_who_decide_at_the_same_moment_one_is_first():
    ladder = club()
    appoint(ladder, "gus")
    result = at_table.dispute(enter(ladder, "eve", "bob"), person("bob"), "I won.", START)
    refused = at_once(
        lambda: at_table.decide(TableResult.objects.get(), person("ann"), True, "Yes.", START),
        lambda: at_table.decide(TableResult.objects.get(), person("gus"), False, "No.", START),
    )
    result.refresh_from_db()
    assert sorted(why is None for why in refused) == [False, True]
    assert result.decided_by == person("ann" if refused[0] is None else "gus")
    assert consistent(ladder)
    audit.check(ladder)


# No way round the rules


def test_a_ladder_has_no_such_results_unless_its_rules_say_so():
    with pytest.raises(Refused, match="only games played here count"):
        enter(club(rules=Rules()), "eve", "bob")


def test_nobody_climbs_farther_by_it_than_by_a_challenge_not_even_the_first_time():
    ladder = club("ann", "bob", "dan", "eve", "fay", "gus", "hal", "ida")
    with pytest.raises(Refused, match="at most 4 rungs apart"):
        enter(ladder, "ida", "ann")
    assert enter(ladder, "fay", "ann")


def test_the_same_two_rest_whether_they_met_here_or_at_the_table():
    ladder = club()
    met(ladder, "bob", "ann")  # now ann is second
    with pytest.raises(Refused, match="ann and bob have met a short time ago"):
        enter(ladder, "ann", "bob", now=START + 6 * DAY, day=TODAY + 6 * DAY)
    confirmed(ladder, "eve", "dan", now=START + DAY)
    with pytest.raises(Refused, match="Your last challenge with eve"):
        agreed(ladder, "dan", "eve", now=START + 6 * DAY)


def test_from_one_evening_of_the_week_to_the_next_they_have_rested_however_late_it_was_confirmed():
    ladder = club()
    result = enter(ladder, "eve", "bob")
    at_table.confirm(result, person("bob"), START + 40 * HOUR)
    with pytest.raises(Refused, match="met a short time ago"):
        enter(ladder, "bob", "eve", now=START + 6 * DAY, day=TODAY + 6 * DAY)
    assert enter(ladder, "bob", "eve", now=START + 7 * DAY, day=TODAY + 7 * DAY)


def test_without_any_rest_the_same_two_count_once_a_day():
    ladder = club(rules=Rules(at_table=True, rest_days=0))
    confirmed(ladder, "eve", "bob")
    with pytest.raises(Refused, match="met a short time ago"):
        enter(ladder, "bob", "eve")
    assert enter(ladder, "bob", "eve", now=START + DAY, day=TODAY + DAY)


def test_two_who_met_here_while_it_waited_have_used_their_turn():
    ladder = club()
    result = enter(ladder, "dan", "bob")
    met(ladder, "dan", "bob", now=START + HOUR)
    with pytest.raises(Refused, match="met a short time ago"):
        at_table.confirm(result, person("bob"), START + 3 * HOUR)
    result.refresh_from_db()
    assert not result.players.get(user=person("bob")).confirms


def test_a_vacation_keeps_a_result_from_being_entered_and_not_from_being_confirmed():
    ladder = club()
    result = enter(ladder, "eve", "bob")
    for name in ("bob", "dan"):
        events.vacation(ladder, person(name), START + HOUR, START + 3 * DAY, START + HOUR)
    with pytest.raises(Refused, match="dan is on vacation"):
        enter(ladder, "eve", "dan", now=START + 2 * HOUR)
    assert at_table.confirm(result, person("bob"), START + 2 * HOUR).status == Status.COUNTED


def test_a_false_result_does_not_keep_anybody_from_challenging():
    ladder = club()
    enter(ladder, "ann", "bob")
    assert agreed(ladder, "bob", "ann", now=START + HOUR)


@pytest.mark.parametrize(
    ("names", "more", "why"),
    [
        (("eve",), {}, "no tables of this size"),
        (("eve", "bob", "dan", "fay", "gus"), {}, "no tables of this size"),
        (("eve", "eve"), {}, "named only once"),
        (("eve", "bob"), {"by": "gus"}, "Only the players of this table, or a steward"),
        (("eve", "cho"), {}, "cho isn’t on the ladder"),
        (("eve", "bob"), {"day": TODAY + DAY}, "of the last 7 days"),
        (("eve", "bob"), {"day": TODAY - 8 * DAY}, "of the last 7 days"),
        (("eve", "bob"), {"day": TODAY - DAY}, "This season began after the game"),
        (("eve", "bob"), {"points": (3, None)}, "the points of everyone"),
        (("eve", "bob"), {"points": (3, 4)}, "more points than a player with a better place"),
    ],
)
def test_what_is_no_result_is_not_entered(names, more, why):
    ladder = club()
    with pytest.raises(Refused, match=why):
        enter(ladder, *names, **more)
    assert not TableResult.objects.exists()


def test_no_two_results_of_the_same_two_wait_and_nobody_has_too_many():
    ladder = club(*"abcdefg", rules=Rules(at_table=True, reach=50))
    enter(ladder, "b", "a")
    with pytest.raises(Refused, match="is already waiting"):
        enter(ladder, "a", "b")
    for name in "cdef":
        enter(ladder, "b", name)
    with pytest.raises(Refused, match="5 results that still wait"):
        enter(ladder, "b", "g")


def test_between_seasons_and_in_a_pause_nothing_is_entered():
    ladder = club()
    result = enter(ladder, "eve", "bob")
    events.pause(ladder, person("ann"), START + 10 * DAY, START)
    with pytest.raises(Refused, match="paused until"):
        enter(ladder, "dan", "ann")
    events.end_season(ladder, person("ann"), START + HOUR)
    with pytest.raises(Refused, match="No season is running"):
        enter(ladder, "dan", "ann")
    with pytest.raises(Refused, match="No season is running"):
        at_table.confirm(result, person("bob"), START + HOUR)


@pytest.mark.parametrize("change", [{"played_on": date(2026, 3, 1)}, {"status": "withdrawn"}, {"decided_by": "gus"}])
def test_an_entry_that_was_touched_is_found(change):
    ladder = club()
    result = confirmed(ladder, "eve", "bob")
    if "decided_by" in change:
        change = {"decided_by": person(change["decided_by"])}
    TableResult.objects.filter(pk=result.pk).update(**change)
    with pytest.raises(audit.WrongLadder) as found:
        audit.check(ladder)
    assert found.value.name == "result"
