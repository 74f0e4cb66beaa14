"""Whose fault it is that a game was not over in time, and what that costs."""

from datetime import timedelta

import pytest

from accounts.models import Notice
from accounts.web.refused import Refused
from games.ladders import audit, challenges, events, overdue
from games.ladders.models import Challenge
from games.ladders.rules import Rules, ends_in_time
from games.ladders.terms import Terms
from games.ladders.words.events import sentence
from games.lobby import open_matches
from games.matches import history, play
from games.matches.clocks import Clock, ms_of
from games.matches.models import LogEntry, Match
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, order, until
from tests.ladders.logs import last
from tests.people import person

pytestmark = pytest.mark.django_db

LIVE = Terms()
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def ladder():
    return club_of("ann", "bob", "dan", "eve")


def comes(challenge, name, at, stays=timedelta(minutes=21)):
    """Somebody opens the waiting room, and stays there until it closes by itself or, if earlier, they leave."""
    open_matches.close_idle(at)
    challenge.refresh_from_db()
    room = challenges.open_room(challenge, person(name), at)
    if stays > timedelta(minutes=20):
        open_matches.close_idle(at + stays)
    else:
        open_matches.leave(room, person(name))
    return room


def ends(ladder, challenge):
    """The day comes on which the game must be over: who is late then, by their names."""
    challenge.refresh_from_db()
    until(ladder, challenge.finish_by)
    challenge.refresh_from_db()
    assert challenge.status == "expired"
    audit.check(ladder)
    event = last(ladder)
    event = event if event.kind == "overdue" else ladder.log.filter(kind="overdue").order_by("-number").first()
    names = {party.user_id: party.user.username for party in challenge.parties.all()}
    return [names[player] for player in event.data["late"]]


def lately(ladder, name):
    """How often somebody has been late."""
    ladder.refresh_from_db()
    return len(ladder.now_standing().players[person(name).pk].late)


def answered(match, at):
    """The first possible answer, given at a moment; for who has left, as a bot gives it."""
    match = Match.objects.playing().get(pk=match.pk)
    state = history.replay(match).state(match.ply)
    by = LogEntry.By.BOT if match.sitting[state.seat].plays_itself else LogEntry.By.PLAYER
    play.play(match, state.seat, match.ply, [match.rules.text(state.legal()[0])], by, ms_of(at))
    return state.seat


def test_whoever_agrees_and_never_comes_gives_way_to_whoever_came(ladder):
    challenge = agreed(ladder, "dan", "ann", terms=LIVE)
    for day in (1, 2):
        comes(challenge, "dan", START + day * DAY)
    assert ends(ladder, challenge) == ["ann"]
    assert order(ladder) == ["bob", "dan", "ann", "eve"], "as without an answer"
    assert (lately(ladder, "ann"), lately(ladder, "dan")) == (1, 0)
    with pytest.raises(Refused):
        challenges.challenge(ladder, person("dan"), [person("ann")], LIVE, challenge.finish_by)
    kinds = dict(Notice.objects.filter(kind__in=("overdue", "unfinished")).values_list("user__username", "kind"))
    assert kinds == {"ann": "overdue", "dan": "unfinished"}


def test_agreeing_is_not_yet_coming(ladder):
    challenge = agreed(ladder, "dan", "ann", terms=LIVE)
    assert [seat.ready for seat in challenge.match.seats.all()] == [False, False]
    open_matches.close_idle(START + HOUR)
    assert ends(ladder, challenge) == ["dan", "ann"]


def test_where_nobody_came_nobody_moves_and_all_are_late(ladder):
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    assert ends(ladder, challenge) == ["bob", "ann"]
    assert order(ladder) == ["ann", "bob", "dan", "eve"]
    assert (lately(ladder, "ann"), lately(ladder, "bob")) == (1, 1)


def test_a_challenger_who_never_comes_gains_nothing_from_it(ladder):
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    for day in (1, 2):
        comes(challenge, "ann", START + day * DAY)
    assert ends(ladder, challenge) == ["bob"]
    assert order(ladder) == ["ann", "bob", "dan", "eve"]
    assert (lately(ladder, "ann"), lately(ladder, "bob")) == (0, 1)


def test_of_two_who_missed_each_other_the_one_who_came_only_once_is_late(ladder):
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    comes(challenge, "ann", START + DAY)
    comes(challenge, "bob", START + 2 * DAY)
    comes(challenge, "bob", START + 3 * DAY)
    assert ends(ladder, challenge) == ["ann"]
    assert order(ladder) == ["bob", "ann", "dan", "eve"]


def test_at_a_table_of_three_those_who_came_once_or_never_are_late():
    ladder = club_of("ann", "bob", "dan")
    challenge = agreed(ladder, "dan", "bob", "ann", terms=LIVE)
    for number, name in enumerate(("dan", "dan", "bob")):
        comes(challenge, name, START + (1 + number) * DAY)
    assert ends(ladder, challenge) == ["bob", "ann"]


def test_whoever_lets_a_script_come_every_night_gains_nothing_over_two_evenings(ladder):
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    for day in range(1, 6):
        comes(challenge, "bob", START + day * DAY + 18 * HOUR)
    for day in (6, 7):
        comes(challenge, "ann", START + day * DAY + 11 * HOUR)
    assert ends(ladder, challenge) == []
    assert order(ladder) == ["ann", "bob", "dan", "eve"]
    assert (lately(ladder, "ann"), lately(ladder, "bob")) == (0, 0)
    told = Notice.objects.filter(kind="unfinished").values_list("user__username", flat=True)
    assert {*told} == {"ann", "bob"}
    assert sentence(last(ladder), {person(name).pk: name for name in ("ann", "bob")}) == (
        "The game of bob and ann wasn’t over in time. No one was at fault."
    )


def test_where_a_game_must_be_over_within_a_day_one_day_is_enough():
    ladder = club_of("ann", "bob", rules=Rules(finish_days=1))
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    comes(challenge, "bob", START + HOUR)
    assert ends(ladder, challenge) == ["ann"]


def test_to_open_the_table_and_leave_it_is_not_to_come(ladder):
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    comes(challenge, "bob", START + DAY, stays=timedelta(minutes=1))
    for day in (2, 3):
        comes(challenge, "ann", START + day * DAY)
    assert ends(ladder, challenge) == ["bob"]


def test_who_stays_away_cannot_close_the_table_at_which_another_waits_nor_keep_it_open(ladder):
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    comes(challenge, "bob", START + HOUR)
    challenge.refresh_from_db()
    room = challenges.open_room(challenge, person("bob"), START + DAY)
    with pytest.raises(Refused, match="is waiting"):
        open_matches.leave(room, person("ann"))
    open_matches.ready(room, person("ann"), yes=False)
    assert open_matches.close_idle(START + DAY + 21 * MINUTE) == 1
    assert ends(ladder, challenge) == ["ann"]


@pytest.mark.parametrize(("minutes", "late"), [(15, ["ann"]), (5, ["bob", "ann"])])
def test_at_the_last_moment_one_must_have_waited_for_ten_minutes(ladder, minutes, late):
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    comes(challenge, "bob", START + HOUR)
    challenge.refresh_from_db()
    challenges.open_room(challenge, person("bob"), challenge.finish_by - timedelta(minutes=minutes))
    assert ends(ladder, challenge) == late


def test_whoever_never_comes_again_and_again_is_off_the_ladder():
    ladder = club_of("ann", "bob", "dan", "eve", rules=Rules(most_late=2, reach=9, most_in=9))
    for number, name in enumerate(("bob", "dan")):
        challenge = agreed(ladder, name, "ann", terms=LIVE, now=START + number * DAY)
        for day in (3, 4):
            comes(challenge, name, START + day * DAY + number * HOUR)
    until(ladder, START + 12 * DAY)
    assert "ann" not in order(ladder)
    assert last(ladder).kind == "off"


def test_a_live_game_that_begins_at_the_last_moment_has_another_day(ladder):
    challenge = agreed(ladder, "bob", "ann", terms=LIVE)
    open_matches.close_idle(START + HOUR)
    challenge.refresh_from_db()
    at = challenge.finish_by - timedelta(minutes=1)
    room = challenges.open_room(challenge, person("bob"), at)
    room.seats.update(ready=True)
    open_matches.begin_if_ready(room, ms_of(at))
    until(ladder, at + HOUR)
    challenge.refresh_from_db()
    assert (challenge.status, challenge.finish_by) == ("playing", at + DAY)


def test_in_a_correspondence_game_the_one_who_took_more_than_half_of_the_time_gives_way(ladder):
    challenge = agreed(ladder, "bob", "ann")
    now = START
    while now < challenge.finish_by - DAY:
        now += timedelta(hours=1 if Match.objects.get(challenge=challenge).mover == 0 else 9)
        answered(challenge.match, now)
    assert ends(ladder, challenge) == ["ann"]
    assert order(ladder) == ["bob", "ann", "dan", "eve"]
    match = Match.objects.seated().get(challenge=challenge)
    spent = overdue.spent_ms(match, history.replay(match).rows, ms_of(challenge.finish_by))
    assert sum(spent) == ms_of(challenge.finish_by) - match.began_ms
    assert match.status == "running", "it is played on"


def test_an_answer_of_before_that_comes_late_changes_nobodys_fault(ladder):
    challenge = agreed(ladder, "bob", "ann")
    asked = Match.objects.seated().get(challenge=challenge)
    name = asked.sitting[asked.mover].user.username
    assert ends(ladder, challenge) == [name]
    while (match := Match.objects.get(pk=asked.pk)).mover == asked.mover:
        answered(match, START + HOUR)
    assert overdue.late(challenge, challenge.finish_by, match.ply) != [person(name).pk]
    audit.check(ladder)


def test_a_game_of_two_counts_as_soon_as_one_of_them_leaves_it(ladder):
    challenge = agreed(ladder, "bob", "ann")
    match = Match.objects.playing().get(challenge=challenge)
    play.leave(match, 1, "resign", ms_of(START + HOUR))
    challenge.refresh_from_db()
    assert (challenge.status, last(ladder).kind) == ("played", "result")
    assert order(ladder) == ["bob", "ann", "dan", "eve"]
    audit.check(ladder)


def test_whoever_left_a_larger_game_is_late_and_so_is_who_stalls_without_them(ladder):
    challenge = agreed(ladder, "dan", "bob", "ann")
    play.leave(Match.objects.playing().get(challenge=challenge), 2, "resign", ms_of(START + HOUR))
    while Match.objects.get(challenge=challenge).mover != 1:
        answered(challenge.match, START + HOUR)
    assert ends(ladder, challenge) == ["bob", "ann"]
    assert order(ladder) == ["dan", "ann", "bob", "eve"]


def test_whoever_plays_on_in_time_when_another_has_left_is_not_late(ladder):
    challenge = agreed(ladder, "dan", "bob", "ann")
    while Match.objects.get(challenge=challenge).mover != 2:
        answered(challenge.match, START + HOUR)
    play.leave(Match.objects.playing().get(challenge=challenge), 2, "resign", ms_of(challenge.finish_by - HOUR))
    assert ends(ladder, challenge) == ["ann"]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_that_does_not_count_any_more_moves_nobody_whoever_leaves_it(ladder, seat):
    challenge = agreed(ladder, "bob", "ann")
    ends(ladder, challenge)
    before = order(ladder)
    match = Match.objects.playing().get(challenge=challenge)
    play.leave(match, seat, "leave", ms_of(START + 11 * DAY))
    audit.check(ladder)
    assert order(ladder) == before


def test_a_check_finds_that_somebody_else_was_at_fault(ladder):
    challenge = agreed(ladder, "dan", "ann", terms=LIVE)
    comes(challenge, "dan", START + DAY)
    room = comes(challenge, "dan", START + 2 * DAY)
    ends(ladder, challenge)
    room.seats.update(ready=False)
    with pytest.raises(audit.WrongLadder, match="at fault are"):
        audit.check(ladder)


@pytest.mark.parametrize("keeps", [True, False])
def test_whoever_does_not_come_at_the_agreed_time_loses_the_place_whatever_the_rules_say_of_time(keeps):
    ladder = club_of("ann", "bob", rules=Rules(time_costs_place=not keeps))
    at = START + DAY
    challenge = agreed(ladder, "bob", "ann", terms=Terms(times=(ms_of(at),)))
    until(ladder, at)
    match = Match.objects.playing().get(challenge=challenge)
    play.leave(match, 1, "time", ms_of(at + MINUTE))
    finish_by_bots(match, at + 2 * MINUTE)
    assert last(ladder).kind == "result"
    assert last(ladder).data["soon"] == [person("ann").pk]
    assert order(ladder) == ["bob", "ann"]
    audit.check(ladder)


def finish_by_bots(match, at):
    """All remaining answers at one moment."""
    while (match := Match.objects.playing().get(pk=match.pk)).status == "running":
        answered(match, at)


@pytest.mark.parametrize(
    ("days", "players", "finish_days", "fits"),
    [(1, 2, 10, True), (3, 2, 10, False), (3, 2, 12, True), (1, 4, 10, True), (7, 2, 27, False), (0, 4, 1, True)],
)
def test_terms_fit_if_each_can_take_all_their_time_twice(days, players, finish_days, fits):
    assert ends_in_time(Rules(finish_days=finish_days), days, players) is fits


def test_terms_that_cannot_end_in_time_are_refused_when_offered_proposed_and_accepted(ladder):
    slow = Terms(Clock.daily(7))
    with pytest.raises(Refused, match="At 7 days a move, a game of 2 can’t finish within 10 days"):
        challenges.challenge(ladder, person("bob"), [person("ann")], slow, START)
    made = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, START)
    with pytest.raises(Refused, match="Agree on less time a move, or on a live game"):
        challenges.counter(made, person("ann"), slow, START)
    events.set_rules(ladder, person("ann"), Rules(finish_days=3), START)
    with pytest.raises(Refused, match="can’t finish within 3 days"):
        challenges.accept(made, person("ann"), START)
    assert Challenge.objects.get().status == "open"
