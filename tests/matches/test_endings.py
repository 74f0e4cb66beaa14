"""The ends of matches that are no ends of their games: people leave, agree to stop, or call it off."""

from itertools import count, permutations

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import ArchivedMatch, User
from accounts.web.refused import Refused
from games import worker
from games.engine.biblios.notation import TAKE_GIFT
from games.lobby import open_matches
from games.matches import access, finish, history, play, shuffle
from games.matches.clocks import DAY_MS, GRACE_MS, Clock
from games.matches.models import LogEntry, Match, Seat
from games.review import proof, records
from games.table import present
from tests.at_once import at_once
from tests.matches.matches import played, rushed, seated
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db(transaction=True)
LIVE = {"pace": "live", "bank_ms": 60_000}
RESIGN, TIME, LEAVE = Seat.Left.RESIGN, Seat.Left.TIME, Seat.Left.LEAVE


def later(match):
    """The match when less than half of the gifts are left."""
    return played(match, until=lambda state: not state.early)


def events(match):
    return [row.move for row in history.replay(access.find(match.key)).rows if row.is_event]


def closed(match, index):
    """Somebody's account is banned, and the worker frees their seat."""
    User.objects.filter(pk=match.sitting[index].user_id).update(is_active=False)
    open_matches.release_absent()


def late(match, index):
    """The time of somebody who is asked runs out."""
    play.leave(match, index, TIME, match.deadline + GRACE_MS)


def resigned(match, index):
    play.leave(match, index, RESIGN, history.replay(match).rows[-1].at)


# Two players


def test_who_had_to_wait_for_an_answer_to_be_written_leaves_after_it():
    match = later(seated("ann", "bob", **LIVE))
    answered = history.replay(match).rows[-1].at
    play.leave(match, 0, RESIGN, answered - 5000)
    assert [row.at for row in history.replay(access.find(match.key)).rows[-2:]] == [answered, answered]
    call_command("verifylogs")


@pytest.mark.parametrize(("leaves", "ended"), [(resigned, "resignation"), (late, "time"), (closed, "abandoned")])
def test_a_game_of_two_ends_when_one_of_them_leaves_and_the_other_has_won(leaves, ended):
    match = later(seated("ann", "bob", rated=True, **LIVE))
    loser, winner = match.mover, 1 - match.mover
    leaves(match, loser)
    match = access.find(match.key)
    assert events(match)[-1] == "!end" and match.ply == len(history.replay(match).rows)
    assert (match.status, match.mover, match.wake_at) == ("finished", None, None)
    assert match.result["ended"] == ended
    assert (match.result["places"][winner], match.result["places"][loser]) == (1, 2)
    assert match.result["winners"] == [winner]
    rows = {row.seat: row for row in ArchivedMatch.objects.filter(match=match.key)}
    assert (rows[winner].won, rows[loser].won) == (True, False)
    assert {row.ended for row in rows.values()} == {ended} and rows[winner].categories == ""
    assert rows[winner].after > rows[winner].before and rows[loser].after < rows[loser].before
    call_command("verifylogs")


def test_against_a_bot_whoever_resigns_has_lost():
    match = seated("ann", bots=1)
    play.leave(match, 0, RESIGN)
    match = access.find(match.key)
    assert (match.status, match.result["places"], events(match)) == ("finished", [2, 1], ["!resign", "!end"])
    call_command("verifylogs")


def test_a_rated_win_over_somebody_who_left_soon_gains_nothing_and_the_leaver_loses():
    match = seated("ann", "bob", rated=True, **LIVE)
    play.leave(match, 1, RESIGN)
    rows = {row.seat: row for row in ArchivedMatch.objects.filter(match=match.key)}
    assert rows[0].won and rows[0].after == rows[0].before
    assert rows[1].soon and rows[1].after < rows[1].before


def test_nobody_leaves_twice_nor_after_the_end():
    match = seated("ann", "bob", "dan")
    play.leave(match, 0, RESIGN)
    for seat in (0, 1):
        if seat:
            play.leave(access.find(match.key), 2, RESIGN)
            play.leave(access.find(match.key), 1, RESIGN)
        with pytest.raises(Refused):
            play.leave(access.find(match.key), seat, RESIGN)


def test_of_two_who_resign_at_once_the_first_has_lost():
    match = seated("ann", "bob")
    faults = at_once(*[lambda seat=seat: play.leave(access.find(match.key), seat, RESIGN) for seat in (0, 1)])
    assert sorted(faults, key=bool)[0] is None and "no longer leave" in str(faults)
    match = access.find(match.key)
    assert match.status == "finished" and len(events(match)) == 2
    call_command("verifylogs")


def test_a_time_that_is_up_and_a_resignation_end_a_game_once():
    match = later(seated("ann", "bob", **LIVE))
    until = match.deadline + GRACE_MS
    faults = at_once(
        lambda: play.leave(access.find(match.key), match.mover, RESIGN, until),
        lambda: play.leave(access.find(match.key), match.mover, TIME, until),
    )
    assert faults.count(None) == 1
    match = access.find(match.key)
    assert len(events(match)) == 2 and match.result["ended"] in ("resignation", "time")


def test_an_answer_and_a_resignation_of_the_other_at_once_leave_a_log_that_is_whole():
    match = seated("ann", "bob")
    state = history.replay(match).state(match.ply)
    move = match.rules.text(state.legal()[0])
    at_once(
        lambda: play.play(access.find(match.key), match.mover, match.ply, [move]),
        lambda: play.leave(access.find(match.key), 1 - match.mover, RESIGN),
    )
    match = access.find(match.key)
    if match.status == "running":  # the answer came first, and the resignation lost its place to it
        play.leave(match, 1 - match.mover, RESIGN)
    assert access.find(match.key).status == "finished"
    call_command("verifylogs")


def test_the_record_of_a_game_that_ended_early_says_how_and_can_be_replayed():
    match = later(seated("ann", "bob", rated=True, **LIVE))
    play.leave(match, 0, RESIGN)
    [document] = records.documents([match.key])
    assert document["result"] == {"ended": "resignation"} and document["final_places"] == [2, 1]
    assert document["events"][-1]["event"] == "end"
    assert proof.links(document)[-1].hex() == document["proof"]["link"]
    text = records.text(access.find(match.key))
    assert "1. bob" in text and "The game ended when a player resigned" in text and "point" not in text


def test_everybody_sees_all_hands_of_a_game_that_ended_early_and_nobody_is_asked():
    match = later(seated("ann", "bob"))
    play.leave(match, 0, RESIGN)
    snapshot = present.MatchSnapshot(access.find(match.key))
    for seat in (None, 0, 1):
        view = snapshot.scene(seat).view
        assert view.over and view.legal == () and None not in view.hands


# Three and four


def test_at_a_larger_table_a_bot_plays_on_for_whoever_resigns_and_they_come_last():
    match = seated("ann", "bob", "dan", rated=True, **LIVE)
    leaver = (match.mover + 1) % 3
    play.leave(match, leaver, RESIGN)
    match = access.find(match.key)
    assert events(match) == ["!resign"] and LogEntry.objects.get(match=match).by == LogEntry.By.SERVER
    assert (match.status, match.seats.all()[leaver].left) == ("running", "resign")
    match = rushed(match)
    assert match.result["places"][leaver] == 3 and "ended" not in match.result
    assert sorted(match.result["places"])[:2] in ([1, 2], [1, 1])
    before, after = present.MatchSnapshot(match).scene(None).ratings[leaver]
    assert after < before


def test_a_game_is_ended_by_agreement_only_once_somebody_has_left_it():
    match = seated("ann", "bob", "dan")
    with pytest.raises(Refused, match="only after someone has left"):
        play.vote(match, 0, "end")


def test_those_who_stayed_share_first_place_if_they_agree_to_end_the_game():
    match = later(seated("ann", "bob", "cho", "dan", rated=True, **LIVE))
    play.leave(match, 2, RESIGN)
    play.leave(access.find(match.key), 0, RESIGN)
    play.vote(access.find(match.key), 3, "end")
    assert access.find(match.key).status == "running"
    play.vote(access.find(match.key), 1, "end")
    match = access.find(match.key)
    assert (match.status, match.result["places"], match.result["ended"]) == ("finished", [3, 1, 4, 1], "agreement")
    assert match.result["winners"] == [1, 3]
    assert [row.place for row in ArchivedMatch.objects.filter(match=match.key).order_by("seat")] == [3, 1, 4, 1]
    call_command("verifylogs")


def test_whoever_is_left_alone_ends_the_game_as_its_winner_or_plays_on():
    match = later(seated("ann", "bob", bots=1))
    play.leave(match, 0, RESIGN)
    assert access.find(match.key).status == "running"
    play.vote(access.find(match.key), 1, "end")
    match = access.find(match.key)
    assert (match.result["places"], match.result["ended"]) == ([3, 1, 2], "resignation")
    call_command("verifylogs")


def test_an_agreement_stands_when_the_last_one_who_did_not_agree_leaves():
    match = seated("ann", "bob", "dan")
    play.leave(match, 0, RESIGN)
    play.vote(access.find(match.key), 1, "end")
    play.leave(access.find(match.key), 2, RESIGN)
    match = access.find(match.key)
    assert (match.result["places"], events(match)) == ([3, 1, 2], ["!resign", "!resign", "!end"])


def test_whether_a_game_can_be_ended_hangs_on_nothing_hidden():
    """Whoever agrees learns the same with any cards: the answer is made from who is there."""
    told = set()
    for names in permutations(("ann", "bob", "dan")):
        match = later(seated(*names))
        play.leave(match, 0, RESIGN)
        play.vote(access.find(match.key), 1, "end")
        seen = [present.MatchSnapshot(access.find(match.key)).scene(seat) for seat in (None, 2)]
        told.add((seen[0].status, *(tuple(it.vote for it in scene.sitters) for scene in seen)))
    assert told == {("running", ("", "end", ""), ("", "end", ""))}


def test_nobody_agrees_to_end_a_game_whose_own_time_is_up():
    match = seated("ann", "bob", "dan", **LIVE)
    mover = match.mover
    play.leave(match, (mover + 1) % 3, RESIGN)
    match = access.find(match.key)
    with pytest.raises(Refused, match="time ran out"):
        play.vote(match, mover, "end", match.deadline + GRACE_MS + 1)


def test_a_vote_and_a_departure_at_once_end_a_game_of_two_who_were_left():
    match = seated("ann", "bob", "dan")
    play.leave(match, 0, RESIGN)
    at_once(
        lambda: play.vote(access.find(match.key), 1, "end"),
        lambda: play.leave(access.find(match.key), 2, RESIGN),
    )
    match = access.find(match.key)
    assert (match.status, match.result["places"]) == ("finished", [3, 1, 2])
    call_command("verifylogs")


def test_of_two_who_agree_to_end_it_at_once_the_second_ends_the_game():
    match = seated("ann", "bob", "dan")
    play.leave(match, 0, RESIGN)
    assert at_once(*[lambda seat=seat: play.vote(access.find(match.key), seat, "end") for seat in (1, 2)]) == [
        None,
        None,
    ]
    assert access.find(match.key).result["places"] == [3, 1, 1]


@pytest.mark.parametrize("rated", [True, False])
def test_a_game_that_everybody_has_left_ends_at_once(rated):
    match = later(seated("ann", "bob", "dan", rated=rated, **LIVE))
    for seat in (1, 0, 2):
        play.leave(access.find(match.key), seat, RESIGN)
    match = access.find(match.key)
    assert events(match) == ["!resign"] * 3 + ["!end" if rated else "!deserted"]
    if rated:
        # Whoever stayed longest comes first.
        assert (match.status, match.result["places"]) == ("finished", [2, 3, 1])
    else:
        assert (match.status, match.result) == ("aborted", None)
        assert not ArchivedMatch.objects.filter(match=match.key).exists()
    assert worker.run_once(match.ended_at) == 0
    call_command("verifylogs")


def test_a_guest_who_leaves_the_bots_leaves_a_game_that_is_over():
    match = seated("ann", bots=3)
    play.leave(match, 0, RESIGN)
    assert (events(match), access.find(match.key).status) == (["!resign", "!deserted"], "aborted")


# Calling it off


@pytest.mark.parametrize("players", [2, 3])
def test_a_time_that_is_up_before_the_first_answer_calls_the_game_off_for_all(players):
    match = seated(*"abc"[:players], rated=True, **LIVE)
    late(match, match.mover)
    match = access.find(match.key)
    assert (match.status, match.result, events(match)) == ("aborted", None, ["!time", "!absent"])
    assert not ArchivedMatch.objects.exists()
    told = Client().get(match.get_absolute_url()).content.decode()
    assert "The game was called off: it had hardly begun." in told
    call_command("verifylogs")


def test_a_table_of_three_at_which_somebody_has_answered_plays_on_without_who_never_came():
    match = played(seated(*"abc", rated=True, **LIVE), until=lambda state: state.question == TAKE_GIFT)
    late(match, match.mover)
    match = access.find(match.key)
    assert match.status == "running" and events(match) == ["!time"]


def test_whoever_has_answered_once_loses_by_the_clock_however_early_and_resigning_never_calls_a_game_off():
    match = seated("ann", "bob", rated=True, **LIVE)
    mover = match.mover
    play.play(match, mover, 0, ["keep"])
    late(access.find(match.key), mover)
    assert access.find(match.key).result["ended"] == "time"
    match = seated("ann", "bob", rated=True, **LIVE)
    play.leave(match, match.mover, RESIGN)
    assert access.find(match.key).result["ended"] == "resignation"


def missed(agreed="", later_ms=0):
    """A rated match whose first question ann has left unanswered until her time was up, or later; `agreed` as in
    `Match`."""
    for _ in count():
        match = open_matches.open_match(person("ann"), places=2, options={}, rated=True, clock=Clock("live", 60_000))
        open_matches.join(match, person("bob"))
        Match.objects.filter(pk=match.pk).update(agreed=agreed)
        for name in ("ann", "bob"):
            open_matches.ready(access.find(match.key), person(name))
        for name in ("ann", "bob"):
            shuffle.do_without(access.find(match.key), person(name))
        match = access.find(match.key)
        if match.sitting[match.mover].shown_name == "ann":
            play.leave(match, match.mover, TIME, match.deadline + GRACE_MS + later_ms)
            return access.find(match.key)


def test_who_had_agreed_to_come_or_misses_games_again_and_again_loses_them():
    assert missed(agreed="ladder/1").result["ended"] == "time"
    assert [missed().result for _ in range(finish.MISSED_A_DAY)] == [None] * finish.MISSED_A_DAY
    assert missed().result["ended"] == "time"
    assert missed(later_ms=DAY_MS).status == "aborted"


def test_a_game_is_called_off_when_all_agree_in_the_first_half_of_the_gifts():
    match = seated("ann", "bob", rated=True, **LIVE)
    play.vote(match, 0, "abort")
    match = access.find(match.key)
    assert match.status == "running"
    play.vote(match, 1, "abort")
    match = access.find(match.key)
    assert (match.status, match.result, events(match)) == ("aborted", None, ["!abort"])
    assert not match.seats.first().user.archive.exists()


def test_of_two_who_agree_at_once_the_second_calls_the_game_off():
    match = seated("ann", "bob")
    first, second = access.find(match.key), access.find(match.key)
    play.vote(first, 0, "abort")
    play.vote(second, 1, "abort")
    assert access.find(match.key).status == "aborted"


def test_one_may_think_better_of_it():
    match = seated("ann", "bob")
    play.vote(match, 0, "abort")
    play.vote(access.find(match.key), 0, "")
    play.vote(access.find(match.key), 1, "abort")
    assert access.find(match.key).status == "running"


def test_to_agree_twice_is_to_agree():
    match = seated("ann", "bob")
    play.vote(match, 0, "abort")
    play.vote(match, 0, "abort")
    assert [seat.vote for seat in access.find(match.key).seats.all()] == ["abort", ""]


def test_one_agrees_to_one_thing_at_a_time():
    match = seated("ann", "bob", "dan")
    play.leave(match, 0, RESIGN)
    play.vote(access.find(match.key), 1, "abort")
    play.vote(access.find(match.key), 1, "end")
    play.vote(access.find(match.key), 2, "abort")
    assert access.find(match.key).status == "running"
    play.vote(access.find(match.key), 1, "abort")
    assert access.find(match.key).status == "aborted"


@pytest.mark.parametrize("names", [("ann", "bob"), ("ann", "bob", "dan")])
def test_when_the_only_one_who_did_not_agree_leaves_the_game_is_called_off(names):
    match = seated(*names)
    last = len(names) - 1
    for seat in range(last):
        play.vote(access.find(match.key), seat, "abort")
    play.leave(access.find(match.key), last, RESIGN)
    assert (access.find(match.key).status, events(match)) == ("aborted", ["!resign", "!abort"])


def test_later_a_game_cannot_be_called_off():
    match = later(seated("ann", "bob"))
    with pytest.raises(Refused, match="first half of the gifts"):
        play.vote(match, 0, "abort")


# Alone


def test_a_game_alone_that_is_given_up_is_lost_and_stays_in_the_archive(client):
    ann = person("ann")
    client.force_login(ann)
    client.post("/play/alone", {"game": "exlibris", "level": "4"})
    match = Match.objects.get()
    client.post(f"/m/{match.key}/resign")
    match = access.find(match.key)
    assert (match.status, events(match)) == ("finished", ["!resign", "!end"])
    result = match.result
    assert (result["ended"], result["places"], result["winners"]) == ("resignation", [2], [])
    row = ArchivedMatch.objects.get(match=match.key)
    assert (row.level, row.won, row.left, row.ended) == (4, False, "resign", "resignation")
    assert "You gave up. The public library wins." in text(client.get(match.get_absolute_url()))
    assert "Given up alone" in text(client.get("/play"))
    assert "given up" in text(client.get("/@/ann"))
    call_command("verifylogs")


def test_a_game_alone_cannot_be_cancelled_so_none_vanishes(client):
    client.force_login(person("ann"))
    client.post("/play/alone", {"game": "exlibris", "level": "4"})
    match = Match.objects.get()
    assert "can be given up, but not cancelled" in text(client.post(f"/m/{match.key}/vote", {"vote": "abort"}))
    assert (access.find(match.key).status, events(match)) == ("running", [])
