import threading
from collections import Counter
from datetime import timedelta
from itertools import count
from types import SimpleNamespace

import pytest
from django.core import mail
from django.db import OperationalError, connection
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.notices import mails, notices
from games import worker
from games.engine.biblios.notation import BID
from games.hub import nudges
from games.matches import access, clocks, history, pauses, play
from games.matches.clocks import ms_of
from games.matches.models import LogEntry, Match
from games.matches.turn import Stale
from tests.matches.matches import paying, played, seated
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LIVE = {"pace": "live", "bank_ms": 60_000, "increment_ms": 5_000}


def bots_turn(match):
    return lambda state: state.seat is not None and match.seats.all()[state.seat].plays_itself


def test_a_bot_answers_when_it_has_thought_and_not_before():
    match = seated("ann", bots=1)
    match = played(match, until=bots_turn(match))
    assert match.wake_at > match.asked_at
    assert worker.run_once(match.wake_at - timedelta(milliseconds=1)) == 0
    assert worker.run_once(match.wake_at) == 1
    row = LogEntry.objects.filter(match=match, ply=match.ply).get()
    assert (row.seat, row.by) == (match.mover, LogEntry.By.BOT)


@pytest.mark.parametrize("tempo", pauses.FACTORS)
@pytest.mark.once
def test_how_long_a_bot_thinks_hangs_on_what_a_watcher_has_seen_since_a_person_answered(tempo, settings):
    settings.BOT_DELAY_MS = (700, 700)
    person("ann", tempo=tempo)
    match = seated("ann", bots=1)
    for _ in range(15):
        match = played(match, until=bots_turn(match))
        replay = history.replay(match)
        since = replay.rows[-1].at if match.ply else match.began_ms
        moves = []
        for step in replay.seen_by(None, match.ply):
            moves = [*moves, step.move] if step.forced or step.bot else [step.move]
        delay = match.rules.bot_delay(moves, 2) * pauses.FACTORS[tempo]
        assert (match.wake_at - clocks.instant(since)) / timedelta(milliseconds=700) == pytest.approx(delay, abs=1e-4)
        worker.run_once(match.wake_at)
        match = access.find(match.key)


@pytest.mark.once
def test_a_bot_pays_in_one_go():
    match, moves = paying(3, bots=1)
    seat = match.mover
    if not match.sitting[seat].bot:
        play.leave(match, seat, "leave")
    match = access.find(match.key)
    worker.run_once(match.wake_at)
    rows = LogEntry.objects.filter(match=match, ply__gte=match.ply, seat=seat, move__startswith="pay")
    assert len(rows) == len(moves)
    assert len({row.at for row in rows}) == 1


def test_a_bot_thinks_before_its_answer_is_due_once_and_its_answer_is_what_it_thought(monkeypatch):
    match = seated("ann", bots=1)
    match = played(match, until=bots_turn(match))
    assert not worker.think_ahead(match.wake_at - timedelta(seconds=2))
    assert worker.think_ahead(match.wake_at - timedelta(milliseconds=500))
    assert not worker.think_ahead(match.wake_at - timedelta(milliseconds=500))
    (answer,) = worker.thought.values()
    assert access.find(match.key).ply == match.ply
    monkeypatch.setattr(worker, "bot_answer", None)  # nobody thinks again
    assert worker.run_once(match.wake_at) == 1
    assert LogEntry.objects.get(match=match, ply=match.ply).move == answer[0]
    assert worker.thought == {}


def a_due(pk, host, ms, bot=True):
    return worker.Due(pk, host, clocks.instant(ms), bot)


def test_nobodys_second_match_is_attended_to_before_everybodys_first():
    greedy = [a_due(pk, 1, pk) for pk in range(1, 50)]
    assert worker.in_turn([*greedy, a_due(90, 2, 70), a_due(91, 3, 60)], 4) == [1, 91, 90, 2]


def test_clocks_and_bots_do_not_wait_for_each_other():
    bots = [a_due(pk, pk, pk) for pk in range(1, 50)]
    dates = [a_due(pk, pk, pk, bot=False) for pk in range(60, 100)]
    assert worker.in_turn([*bots, *dates], 4) == [60, 1, 61, 2]
    assert worker.in_turn(bots, 3) == [1, 2, 3]


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 5), st.booleans()), max_size=30),
    st.integers(0, 40),
)
def test_a_round_takes_as_many_as_it_may_each_once_and_fairly(things, most):
    due = [a_due(pk, host, ms, bot) for pk, (host, ms, bot) in enumerate(things)]
    chosen = worker.in_turn(due, most)
    assert len(chosen) == len(set(chosen)) == min(most, len(due))
    taken = Counter((due[pk].bot, due[pk].host) for pk in chosen)
    for left in (one for one in due if one.pk not in chosen):
        assert all(times <= taken[left.bot, left.host] + 1 for (bot, _), times in taken.items() if bot == left.bot)


def test_time_runs_out_once_whatever_the_number_of_workers():
    match = seated("ann", "bob", **LIVE)
    late = clocks.instant(match.deadline + clocks.GRACE_MS)
    first, second = access.find(match.key), access.find(match.key)
    worker.attend(first, late)
    with pytest.raises(Stale):
        worker.attend(second, late)
    assert [row.move for row in LogEntry.objects.filter(match=match)] == ["!time", "!absent"]
    assert access.find(match.key).seats.all()[match.mover].left == "time"


def test_nobody_is_timed_out_early():
    match = seated("ann", "bob", **LIVE)
    Match.objects.update(wake_at=timezone.now())
    worker.attend(access.find(match.key), clocks.instant(match.deadline))
    assert not LogEntry.objects.exists()
    assert ms_of(access.find(match.key).wake_at) == match.deadline + clocks.GRACE_MS


def test_a_clock_survives_a_restart():
    match = seated("ann", "bob", **LIVE)
    history._replays.clear()
    assert worker.run_once(clocks.instant(match.deadline + clocks.GRACE_MS)) == 1
    assert [row.move for row in LogEntry.objects.all()] == ["!time", "!absent"]


def test_a_daily_game_gives_days():
    match = seated("ann", "bob", pace="daily", days=3)
    assert match.deadline == ms_of(match.asked_at) + 3 * clocks.DAY_MS
    assert worker.run_once(match.asked_at + timedelta(days=2)) == 0
    assert worker.run_once(match.asked_at + timedelta(days=3, seconds=1)) == 1


def test_without_a_clock_nobody_is_ever_late():
    match = seated("ann", "bob")
    assert (match.deadline, match.wake_at) == (None, None)


def test_a_standing_order_is_answered_as_if_the_player_did():
    match = played(seated("ann", "bob"), until=lambda state: state.question == BID and state.seat == 0)
    state = history.replay(match).state(match.ply)
    play.set_order(match, match.seats.all()[0], "bid", f"{state.sold} 0")
    assert worker.run_once(timezone.now() + timedelta(seconds=15)) == 1
    row = LogEntry.objects.get(match=match, ply=match.ply)
    assert (row.seat, row.move, row.by) == (0, "pass", LogEntry.By.PLAYER)


def test_a_standing_order_stands_also_if_the_worker_comes_late():
    match = played(seated("ann", "bob", **LIVE), until=lambda state: state.question == BID and state.seat == 0)
    state = history.replay(match).state(match.ply)
    play.set_order(match, match.seats.all()[0], "bid", f"{state.sold} 0")
    late = clocks.instant(match.deadline + 60_000)
    assert worker.run_once(late) == 1
    row = LogEntry.objects.get(match=match, ply=match.ply)
    assert (row.seat, row.move, row.at) == (0, "pass", match.deadline)
    assert access.find(match.key).seats.all()[0].bank_ms == LIVE["increment_ms"]


def test_what_the_worker_answers_in_one_round_bears_different_times(monkeypatch):
    """Time that a game with bots shares with another one would tell that an order answered there."""
    matches = [played(seated(name, bots=1), until=lambda state: state.seat == 1) for name in ("ann", "bob")]
    now = timezone.now() + timedelta(minutes=1)
    times = count()
    monkeypatch.setattr(worker, "timezone", SimpleNamespace(now=lambda: now + timedelta(milliseconds=next(times))))
    plies = {match.pk: match.ply for match in matches}
    assert worker.run_once(now) == 2
    assert len({LogEntry.objects.get(match=pk, ply=ply).at for pk, ply in plies.items()}) == 2


def test_one_broken_match_does_not_hold_up_the_others(caplog, rewriting):
    broken, sound = seated("ann", bots=1), seated("bob", bots=1)
    Match.objects.filter(pk=broken.pk).update(options={"start_die": 17}, mover=1)
    played(sound, until=bots_turn(sound))
    Match.objects.update(wake_at=timezone.now())
    history._replays.clear()
    worker.run_once(timezone.now() + timedelta(seconds=5))
    assert LogEntry.objects.filter(match=sound, by=LogEntry.By.BOT).exists()
    assert broken.key in caplog.text
    assert bytes(broken.secret).hex() not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_worker_outlives_a_database_that_does_not_answer(caplog):
    stopped = threading.Event()

    def refuse(execute, sql, params, many, context):
        if len(caplog.records) == 2:
            stopped.set()
        raise OperationalError("the database is away")

    with connection.execute_wrapper(refuse):
        worker.run(stopped)
    assert [record.levelname for record in caplog.records] == ["ERROR"] * 3


@pytest.mark.django_db(transaction=True)
def test_a_running_worker_plays_on_by_itself_and_ends_when_asked(settings):
    settings.BOT_DELAY_MS = (0, 0)
    stopped = threading.Event()
    thread = threading.Thread(target=worker.run, args=[stopped])
    match = seated("ann", bots=1)
    match = played(match, until=bots_turn(match))
    thread.start()
    try:
        while access.find(match.key).ply == match.ply:
            stopped.wait(0.01)
    finally:
        stopped.set()
        nudges.wake()
        thread.join()
    assert LogEntry.objects.get(match=match, ply=match.ply).by == LogEntry.By.BOT


@pytest.mark.django_db
def test_a_worker_asks_once_whether_anything_is_due(settings, django_assert_num_queries):
    settings.BOT_DELAY_MS = (0, 0)
    with django_assert_num_queries(1):
        assert worker.nap_s() == worker.LONGEST_NAP_S
    match = seated("ann", bots=1)
    played(match, until=bots_turn(match))
    with django_assert_num_queries(1):
        assert worker.nap_s() == 0


class Rounds:
    """Stands in for the event that ends a worker: a number of rounds, and how long it would have slept between them."""

    def __init__(self, rounds):
        self.left, self.naps = rounds, []

    def wait(self, seconds):
        self.naps.append(seconds)
        self.left -= 1
        return self.left < 0


@pytest.mark.django_db(transaction=True)
def test_mails_go_out_beside_the_games_and_wait_for_a_server_that_is_away(monkeypatch, caplog):
    faults = [ConnectionRefusedError, ZeroDivisionError]
    real = mails.send_due

    def send_due(now):
        if faults:
            raise faults.pop(0)
        return real(now + notices.MAIL_AFTER)

    monkeypatch.setattr(mails, "send_due", send_due)
    ann = person("ann", email="ann@example.org")
    notices.notify([ann], "approved", "/c/abbey", timezone.now(), by=ann, club="The Abbey")
    rounds, often = Rounds(4), worker.POST_EVERY_S
    worker.run_post(rounds)
    assert rounds.naps == [often, worker.POST_AWAY_S, often, often, often]
    assert [letter.to for letter in mail.outbox] == [["ann@example.org"]]
    assert "The mail server is away (ConnectionRefusedError)" in caplog.text
