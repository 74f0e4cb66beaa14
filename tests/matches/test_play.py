import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from random import Random
from threading import Barrier

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.utils import timezone

from accounts.web.refused import Refused
from games.engine.biblios.notation import BID, PAY_CARDS, PLACE, TAKE_GIFT
from games.engine.core import BadMove, IllegalMove, OtherAnswer, WrongSeat
from games.matches import access, chain, history, pauses, play
from games.matches.clocks import bank_after, ms_of, now_ms
from games.matches.models import LogEntry, Match, Seat, StandingOrder
from games.matches.turn import Stale, question, standing_answer
from games.table import present
from tests.matches.matches import answer, paying, played, rushed, seated

pytestmark = pytest.mark.django_db


def state_of(match):
    return history.replay(match).state(match.ply)


def log(match):
    return list(LogEntry.objects.filter(match=match).order_by("ply").values_list("ply", "seat", "move", "by"))


def test_a_table_of_two_starts_and_asks_the_first_player(db):
    match = seated("ann", "bob")
    assert (match.status, match.ply, match.mover) == ("running", 0, state_of(match).seat)
    assert bytes(match.link) == chain.first_link(match.header)


def test_an_answer_is_in_the_log_and_the_next_question_is_put():
    match = seated("ann", "bob")
    mover = match.mover
    play.play(match, mover, 0, ["keep"], at=1_000_000_000_000)
    assert log(match) == [(0, mover, "keep", LogEntry.By.PLAYER)]
    assert LogEntry.objects.get(match=match).at == 1_000_000_000_000
    fresh = access.find(match.key)
    assert (fresh.ply, fresh.mover) == (1, state_of(fresh).seat)


def test_forced_answers_follow_in_the_same_transaction_and_are_marked():
    match = seated("ann", "bob")
    mover = match.mover
    while match.ply == 0 or log(match)[-1][3] != LogEntry.By.SERVER:
        match = answer(match, Random(3))
    forced = [row for row in log(match) if row[3] == LogEntry.By.SERVER]
    assert forced
    assert mover in {row[1] for row in log(match)}


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        (["rook"], BadMove),
        ([""], BadMove),
        (["keep", "rook"], BadMove),
        (["take M2A"], IllegalMove),
        (["keep", "keep"], OtherAnswer),
        (["keep", "public"], OtherAnswer),
        (["auction", "keep", "public"], OtherAnswer),
        (["keep"] * 300, OtherAnswer),
    ],
)
def test_what_is_no_move_or_not_possible_leaves_no_trace(texts, error):
    match = seated("ann", "bob")
    with pytest.raises(error):
        play.play(match, match.mover, 0, texts)
    assert log(match) == []
    assert access.find(match.key).ply == 0


def test_a_form_without_an_answer_gets_a_sentence_that_says_so():
    match = seated("ann", "bob")
    with pytest.raises(Refused, match="No answer arrived"):
        play.play(match, match.mover, 0, [])
    assert log(match) == []


def test_whoever_is_not_asked_cannot_answer():
    match = seated("ann", "bob")
    with pytest.raises(WrongSeat):
        play.play(match, 1 - match.mover, 0, ["keep"])


@pytest.mark.parametrize("ply", [1, 5, -1])
def test_an_answer_to_another_ply_is_stale(ply):
    match = seated("ann", "bob")
    with pytest.raises(Stale):
        play.play(match, match.mover, ply, ["keep"])


def test_two_copies_of_one_answer_are_taken_once():
    match = seated("ann", "bob")
    copy = access.find(match.key)
    play.play(match, match.mover, 0, ["keep"])
    with pytest.raises(Stale):
        play.play(copy, copy.mover, 0, ["keep"])
    assert len(log(match)) == 1


@pytest.mark.django_db(transaction=True)
def test_of_a_hundred_answers_at_once_one_is_taken():
    match = seated("ann", "bob")
    together = Barrier(20)

    def send(_):
        together.wait()
        try:
            play.play(access.find(match.key), match.mover, 0, ["keep"])
            return "taken"
        except Stale:
            return "stale"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(send, range(100)))
    assert sorted(results) == ["stale"] * 99 + ["taken"]
    assert [row[0] for row in log(match)] == [0]
    assert access.find(match.key).ply == 1


@pytest.mark.slow
@pytest.mark.parametrize("names", [("ann", "bob"), ("ann", "bob", "dan"), ("ann", "bob", "dan", "eve")])
def test_a_whole_game_ends_with_result_places_and_archive(names):
    match = played(seated(*names), seed=len(names))
    assert match.status == "finished"
    assert (match.mover, match.wake_at) == (None, None)
    assert sorted(match.result["places"])[0] == 1
    assert [row[0] for row in log(match)] == list(range(match.ply))


def test_a_rated_game_moves_the_ratings_as_the_pairs_say():
    match = played(seated("ann", "bob", rated=True, pace="live", bank_ms=600_000, increment_ms=15_000))
    changes = present.MatchSnapshot(match).scene(None).ratings
    assert sorted(round(after - before) for before, after in changes) in ([-30, 30], [0, 0])


def paying_face_down(*names):
    """A match in which somebody pays their last card face down: not every game has one."""
    for seed in count():
        match = played(seated(*names), lambda state: state.question == PAY_CARDS and state.due == 1, seed)
        if match.status == "running":
            return match


def test_the_chain_of_a_log_can_be_followed_and_a_changed_move_breaks_it():
    match = answer(paying_face_down("ann", "bob"), Random(5))
    replay = history.replay(match)
    seed = history.seed_of(match, match.seats.all())

    def follow(rows):
        link = chain.first_link(match.header)
        for ply, (row, shown) in enumerate(rows):
            link = chain.next_link(link, chain.line(seed, ply, row.seat, row.by, row.at, row.move, shown))
        return link

    rows = list(zip(replay.rows, replay.shown, strict=True))
    assert follow(rows) == bytes(match.link)
    hidden = next(i for i, (row, shown) in enumerate(rows) if row.move != shown)
    rows[hidden] = (rows[hidden][0]._replace(move="pay G3x"), "pay")
    assert follow(rows) != bytes(match.link)


def test_one_row_of_sixteen_keeps_the_first_bytes_of_its_link():
    match = rushed(seated("ann", "bob"))
    replay, link = history.replay(match), chain.first_link(match.header)
    kept = {}
    for ply, (row, shown) in enumerate(zip(replay.rows, replay.shown, strict=True)):
        link = chain.next_link(link, chain.line(replay.seed, ply, row.seat, row.by, row.at, row.move, shown))
        if ply in (15, 31):
            kept[ply] = link[:8]
    found = LogEntry.objects.filter(match=match, link__isnull=False).values_list("ply", "link")
    assert {ply: bytes(link) for ply, link in found if ply < 32} == kept and len(kept) == 2


def test_a_row_made_by_a_player_has_no_value_for_that():
    match = answer(seated("ann", "bob"), Random(1))
    assert LogEntry.objects.get(match=match, by=None).by == LogEntry.By.PLAYER


@pytest.mark.twice
def test_the_database_refuses_to_change_the_log():
    match = answer(seated("ann", "bob"), Random(1))
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        LogEntry.objects.filter(match=match).update(move="public")
    with pytest.raises(TypeError):
        LogEntry.objects.get(match=match, ply=0).save()
    with pytest.raises(TypeError):
        LogEntry.objects.get(match=match, ply=0).delete()
    if connection.vendor == "postgresql":
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            LogEntry.objects.filter(match=match).delete()


# Clocks

LIVE = {"pace": "live", "bank_ms": 60_000, "increment_ms": 5_000}


def test_an_answer_costs_its_time_and_earns_the_increment():
    match = seated("ann", "bob", **LIVE)
    asked = ms_of(match.asked_at)
    play.play(match, match.mover, 0, ["keep"], at=asked + 20_000)
    assert Seat.objects.get(match=match, index=log(match)[0][1]).bank_ms == 60_000 - 20_000 + 5_000


def test_who_answers_fast_saves_up_no_more_than_the_time_at_the_start():
    match = seated("ann", "bob", **LIVE)
    first, asked = match.mover, ms_of(match.asked_at)
    play.play(match, first, 0, ["keep"], at=asked + 2_000)
    assert access.find(match.key).sitting[first].bank_ms == 60_000
    # What an outage gave back is not taken away.
    assert bank_after(match.clock, asked, 100_000, asked + 2_000) == 100_000
    assert bank_after(match.clock, asked, 100_000, asked + 50_000) == 55_000


def test_after_the_deadline_an_answer_is_refused():
    match = seated("ann", "bob", **LIVE)
    asked = ms_of(match.asked_at)
    with pytest.raises(Refused, match="Your time ran out"):
        play.play(match, match.mover, 0, ["keep"], at=asked + 60_501)
    play.play(match, match.mover, 0, ["keep"], at=asked + 60_500)


def test_a_payment_sent_card_by_card_costs_its_time_and_earns_the_increment_once():
    match, moves = paying(3, **LIVE)
    asked, before, payer = ms_of(match.asked_at), match.sitting[match.mover].bank_ms, match.mover
    for number, move in enumerate(moves, 1):
        assert access.find(match.key).deadline == asked + before
        play.play(match, payer, match.ply, [move], at=asked + 3000 * number)
        match = access.find(match.key)
    assert match.sitting[payer].bank_ms == before - 3000 * len(moves) + 5_000
    assert ms_of(match.asked_at) == asked + 3000 * len(moves)


def test_a_payment_sent_card_by_card_takes_no_more_days_than_one_sent_together():
    match, moves = paying(3, pace="daily", days=2)
    until, payer = match.deadline, match.mover
    play.play(match, payer, match.ply, moves[:1], at=until - 1)
    match = access.find(match.key)
    assert (match.deadline, match.mover) == (until, payer)
    with pytest.raises(Refused, match="Your time ran out"):
        play.play(match, payer, match.ply, moves[1:], at=until + 501)
    play.play(match, payer, match.ply, moves[1:], at=until)


# Standing orders


def bidding(seat=None):
    return lambda state: state.question == BID and (seat is None or state.seat == seat)


def test_an_order_is_answered_by_the_worker_and_not_at_once(settings):
    match = played(seated("ann", "bob"), until=bidding(0))
    play.set_order(match, match.seats.all()[0], "bid", f"{state_of(match).sold} 0")
    fresh = access.find(match.key)
    assert fresh.ply == match.ply
    assert standing_answer(fresh, state_of(fresh)) == ["pass"]
    assert fresh.wake_at is not None


@pytest.mark.parametrize(
    ("table", "shortest", "longest"),
    [
        ({}, timedelta(seconds=2), timedelta(seconds=15)),
        (LIVE, timedelta(seconds=2), timedelta(seconds=15)),
        ({"pace": "daily", "days": 1}, timedelta(minutes=5), timedelta(hours=5)),
    ],
)
def test_an_order_waits_as_long_as_people_may_take_and_never_more_than_half_of_what_is_left(table, shortest, longest):
    match = played(seated("ann", "bob", **table), until=bidding(0))
    clock, now = match.clock, now_ms()
    waits = [pauses.waiting(clock, match.deadline, now) for _ in range(300)]
    assert shortest <= min(waits) < shortest * 1.2 and longest * 0.8 < max(waits) <= longest
    assert all(pauses.waiting(clock, now + 1000, now) <= timedelta(milliseconds=500) for _ in range(30))
    assert pauses.waiting(clock, now - 1000, now) <= timedelta(milliseconds=1)


def test_when_an_order_answers_does_not_hang_on_the_cards_nor_on_what_it_says():
    """Drawn with the same random numbers, the moment is the same for other hands, and for an order that says nothing
    of this question."""
    match = played(seated("ann", "bob", "dan", pace="daily", days=1), until=bidding(0))
    state, asked, rng = state_of(match), ms_of(match.asked_at), Random(1)
    play.set_order(match, match.sitting[0], "gold")
    moments = set()
    for position in (
        state,
        *(match.rules.sample(state.view(1), rng) for _ in range(5)),
        *(match.rules.sample(state.view(None), rng) for _ in range(5)),
    ):
        for value in ("0 0", f"{state.sold} 9"):
            play.set_order(match, match.sitting[0], "bid", value)
            match = access.find(match.key)
            random.seed(1)
            moments.add(question(match, position, match.sitting, {}, asked, asked)["wake_at"])
    assert len(moments) == 1


def test_nobody_is_refused_because_orders_are_given_at_the_same_moment(monkeypatch):
    match, commit, tries = seated("ann", "bob"), play.commit, []

    def overtaken(turns):
        if len(tries) < 4:
            tries.append(turns)
            play.edited(access.find(match.key))
        return commit(turns)

    monkeypatch.setattr(play, "commit", overtaken)
    play.play(match, match.mover, 0, ["keep"])
    assert len(tries) == 4 and access.find(match.key).ply == 1


def test_an_order_up_to_a_limit_bids_one_more_then_passes():
    match = played(seated("ann", "bob"), until=lambda state: bidding(0)(state) and state.high == 0)
    state = state_of(match)
    play.set_order(match, match.seats.all()[0], "bid", f"{state.sold} 2")
    match = access.find(match.key)
    assert standing_answer(match, state) == ["bid 1"]
    high = state.copy()
    high.high = 2
    assert standing_answer(match, high) == ["pass"]


def test_no_order_is_in_the_scene_of_anybody_else():
    match = played(seated("ann", "bob", "dan"), until=bidding())
    play.set_order(match, match.seats.all()[0], "gold")
    match = access.find(match.key)
    assert present.MatchSnapshot(match).scene(0).orders == (("gold", ""),)
    assert [present.MatchSnapshot(match).scene(viewer).orders for viewer in (1, 2, None)] == [(), (), ()]


def test_an_order_can_be_taken_back_and_goes_with_the_game():
    match = played(seated("ann", "bob"), until=bidding())
    seat = match.seats.all()[0]
    play.set_order(match, seat, "gold")
    play.set_order(match, seat, "gold", None)
    assert not StandingOrder.objects.exists()
    play.set_order(match, seat, "gold")
    played(access.find(match.key))
    assert not StandingOrder.objects.exists()


def test_an_order_is_not_lost_when_somebody_leaves_in_the_same_moment():
    match = played(seated("ann", "bob", "dan", **LIVE), until=bidding(0))
    before = access.find(match.key)
    play.set_order(match, match.seats.all()[0], "bid", f"{state_of(match).sold} 0")
    wake_at = access.find(match.key).wake_at
    play.leave(before, 1, Seat.Left.RESIGN)
    assert access.find(match.key).wake_at == wake_at


def test_an_order_that_comes_when_time_is_up_is_refused():
    match = played(seated("ann", "bob", **LIVE), until=bidding(0))
    Match.objects.update(asked_at=timezone.now() - timedelta(hours=1))
    match = access.find(match.key)
    with pytest.raises(Refused, match="Your time ran out"):
        play.set_order(match, match.seats.all()[0], "bid", f"{state_of(match).sold} 0")
    assert not StandingOrder.objects.exists()


# What one sees


@pytest.mark.slow
def test_a_card_paid_face_down_is_in_nobody_elses_steps():
    match = answer(paying_face_down("ann", "bob", "dan"), Random(5))
    row = next(row for row in reversed(log(match)) if row[2].startswith("pay"))
    for viewer in (0, 1, 2, None):
        move = present.MatchSnapshot(match).scene(viewer).steps[row[0]].move
        assert move == (row[2] if viewer == row[1] else "pay")


def test_what_happened_since_ones_own_last_answer_is_news():
    match = played(seated("ann", "bob"), until=lambda state: state.placed >= 9 and state.question == PLACE)
    for index in (0, 1):
        scene = present.MatchSnapshot(match).scene(index)
        mine = [step.ply for step in scene.steps if step.seat == index and not step.forced and not step.bot]
        assert scene.since == mine[-1] + 1
        assert [step.ply for step in scene.news] == list(range(scene.since, match.ply))


def test_steps_know_what_was_seen_before_and_after_them():
    match = played(seated("ann", "bob"), until=lambda state: state.question == TAKE_GIFT)
    scene = present.MatchSnapshot(match).scene(match.mover)
    step = next(step for step in scene.steps if step.move == "public")
    assert step.after.space != step.before.space
    assert scene.steps[0] is present.MatchSnapshot(match).scene(match.mover).steps[0]


def test_states_are_dropped_and_come_back_from_the_log():
    match = played(seated("ann", "bob"), until=lambda state: state.placed == 20)
    kept = state_of(match).key()
    history._replays.clear()
    assert state_of(Match.objects.seated().get(pk=match.pk)).key() == kept


def test_of_a_log_that_breaks_the_rules_nothing_is_taken_over():
    match = answer(seated("ann", "bob"), Random(1))
    replay = history.replay(match)
    before = replay.last.key()
    good = history.Row(match.mover, match.rules.text(replay.last.legal()[0]), LogEntry.By.PLAYER, 0)
    with pytest.raises(IllegalMove):
        replay.add([good, history.Row(match.mover, "bid 3", LogEntry.By.PLAYER, 0)])
    assert (len(replay.rows), len(replay.shown), replay.last.key()) == (1, 1, before)
