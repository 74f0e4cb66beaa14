"""Turns of many matches in one commit: what is taken, what is not, and what becomes of the others."""

import asyncio
from datetime import timedelta
from functools import partial
from threading import Event, Thread

import pytest
from asgiref.sync import sync_to_async
from django.db import DatabaseError, OperationalError, connection, connections, transaction
from psycopg_pool import PoolTimeout

from accounts.models import User
from games.matches import access, announce, history, play, writing
from games.matches.models import LogEntry, Match
from games.matches.turn import Turn, prepare, turn_of
from games.table import writer
from tests.at_once import at_once, impatient
from tests.matches.matches import seated
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)

POSTGRESQL = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite is written otherwise")
SQLITE = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL is written otherwise")
LIVE = {"pace": "live", "bank_ms": 60_000, "increment_ms": 1_000}


def turn(match):
    """The first card kept."""
    return prepare(match, match.mover, match.ply, ["keep"])


def plies(*matches):
    return [access.find(match.key).ply for match in matches]


@SQLITE
def test_turns_of_several_matches_are_written_by_one_transaction(django_assert_num_queries):
    matches = [seated("ann", "bob"), seated("dan", "eve")]
    turns = [turn(match) for match in matches]
    said = []
    connection.connection.set_trace_callback(said.append)
    with django_assert_num_queries(0):  # sqlite3 itself is asked
        assert play.commit(turns) == turns
    connection.connection.set_trace_callback(None)
    assert [said[0], said[-1]] == ["BEGIN IMMEDIATE", "COMMIT"]
    assert not {"BEGIN IMMEDIATE", "COMMIT"}.intersection(said[1:-1])
    assert plies(*matches) == [1, 1]
    assert LogEntry.objects.count() == 2


@SQLITE
@pytest.mark.parametrize(
    "fault",
    [
        "SELECT raise(ABORT, 'there is no room')",
        "SELECT raise(ROLLBACK, 'SQLite has ended the transaction itself')",
        "UPDATE games_match SET club_id = 999999 WHERE id = new.match_id",  # found by COMMIT, which leaves it open
    ],
    ids=["ABORT", "ROLLBACK", "COMMIT"],
)
def test_a_turn_that_cannot_be_written_whole_leaves_nothing_and_no_transaction(fault):
    matches = [seated("ann", "bob"), seated("dan", "eve")]
    turns = [turn(match) for match in matches]
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMP TRIGGER full BEFORE INSERT ON games_logentry WHEN new.match_id = {matches[1].pk} "
            f"BEGIN {fault}; END"
        )
        with pytest.raises(DatabaseError):
            play.commit(turns)
        cursor.execute("DROP TRIGGER full")
    assert (plies(*matches), LogEntry.objects.count()) == ([0, 0], 0)
    assert play.commit(turns) == turns


@SQLITE
def test_moments_are_written_as_django_writes_them():
    match = seated("ann", "bob", **LIVE)
    assert play.commit([turn(match)])
    with connection.cursor() as cursor:
        columns = "SELECT asked_at, wake_at FROM games_match"
        cursor.execute(columns)
        written = cursor.fetchone()
        fresh = Match.objects.get()
        fresh.save()
        cursor.execute(columns)
        assert cursor.fetchone() == written


@POSTGRESQL
def test_one_statement_which_is_prepared_once_writes_turns_of_any_number_of_matches(django_assert_num_queries):
    matches = [seated(*names, **LIVE) for names in (("ann", "bob"), ("dan", "eve"), ("fay", "gil"))]
    turns = [turn(match) for match in matches]
    with django_assert_num_queries(0):  # it goes past Django's cursors, which prepare nothing
        assert play.commit(turns[1:]) == turns[1:]
        assert play.commit(turns[:1]) == turns[:1]
    assert plies(*matches) == [1, 1, 1]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s", ["%games_logentry%"])
        assert cursor.fetchone() == (1,)
        written_by = "SELECT xmin::text FROM games_{} WHERE {} IN (%s, %s)"
        seats = [match.sitting[match.mover].pk for match in matches[1:]]
        ids = [match.pk for match in matches[1:]]
        transactions = set()
        for table, column, keys in (("match", "id", ids), ("logentry", "match_id", ids), ("seat", "id", seats)):
            cursor.execute(written_by.format(table, column), keys)
            transactions.update(cursor.fetchall())
        assert len(transactions) == 1


def test_a_turn_that_comes_too_late_leaves_the_others_alone():
    late, good = seated("ann", "bob"), seated("dan", "eve")
    turns = [turn(late), turn(good)]
    play.play(late, late.mover, 0, ["public"])
    assert play.commit(turns) == [turns[1]]
    assert [row.move for row in late.log.all()] == ["public"]
    assert plies(late, good) == [1, 1]


def test_what_was_worked_out_before_an_order_was_set_is_not_written_after_it():
    match = seated("ann", "bob")
    worked_out = turn(match)
    play.set_order(match, match.seats.all()[match.mover], "gold")
    assert play.commit([worked_out]) == []
    assert plies(match) == [0]
    assert play.commit([turn(access.find(match.key))])


def test_a_turn_holds_for_the_match_as_it_was_even_if_the_memory_of_it_goes_on():
    match = seated("ann", "bob")
    first, second = turn(match), turn(match)
    assert play.commit([first])
    first.show(match)
    assert match.ply == 1
    assert play.commit([second]) == []


def test_a_turn_shows_a_remembered_match_exactly_what_the_database_says():
    match = seated("ann", "bob", pace="live", bank_ms=60_000, increment_ms=1000)
    for _ in range(12):
        state = history.replay(match).state(match.ply)
        made = prepare(match, state.seat, match.ply, [match.rules.text(state.legal()[0])])
        assert play.commit([made])
        made.show(match)
        fresh = access.find(match.key)
        for name in ("ply", "revision", "mover", "asked_at", "wake_at", "status", "deadline"):
            assert getattr(match, name) == getattr(fresh, name)
        assert bytes(match.link) == bytes(fresh.link)
        assert [seat.bank_ms for seat in match.sitting] == [seat.bank_ms for seat in fresh.sitting]


async def test_the_writer_takes_one_of_two_answers_to_one_question():
    match = await sync_to_async(seated)("ann", "bob")
    turns = [await sync_to_async(turn)(match) for _ in range(5)]
    assert sorted(await asyncio.gather(*map(writer.write, turns))) == [False, False, False, False, True]
    assert await sync_to_async(plies)(match) == [1]


async def test_while_turns_come_together_the_writer_waits_a_moment_for_more(monkeypatch):
    monkeypatch.setattr(writer, "GATHER_S", 1)
    commit, batches, begun, goes_on = play.commit, [], Event(), Event()

    def slow(turns):
        batches.append(len(turns))
        begun.set()
        assert goes_on.wait(60)
        return commit(turns)

    names = (("ann", "bob"), ("dan", "eve"), ("fay", "gil"), ("hal", "ida"), ("joe", "kim"))
    turns = [await sync_to_async(turn)(await sync_to_async(seated)(*pair)) for pair in names]
    monkeypatch.setattr(play, "commit", slow)
    tasks = [asyncio.create_task(writer.write(turns[0]))]
    await asyncio.to_thread(begun.wait, 60)
    tasks += [asyncio.create_task(writer.write(each)) for each in turns[1:3]]
    await asyncio.sleep(0)
    goes_on.set()
    assert await asyncio.gather(*tasks) == [True] * 3
    tasks = [asyncio.create_task(writer.write(turns[3]))]
    await asyncio.sleep(0.1)
    tasks.append(asyncio.create_task(writer.write(turns[4])))
    assert await asyncio.gather(*tasks) == [True] * 2
    assert batches == [1, 2, 2]


async def test_if_a_commit_fails_each_turn_is_tried_by_itself(monkeypatch):
    matches = [await sync_to_async(seated)(*names) for names in (("ann", "bob"), ("dan", "eve"), ("fay", "gil"))]
    turns = [await sync_to_async(turn)(match) for match in matches]
    write = writing.write

    def refuse(turns):
        written = write(turns)
        if matches[1].pk in [turn.match.pk for turn in turns]:
            raise DatabaseError("this one cannot be written")
        return written

    def in_a_transaction(turns):
        with transaction.atomic():
            return refuse(turns)

    monkeypatch.setattr(writing, "write", in_a_transaction)
    good, bad, also_good = await asyncio.gather(*map(writer.write, turns), return_exceptions=True)
    assert (good, also_good) == (True, True)
    assert isinstance(bad, DatabaseError)
    assert await sync_to_async(plies)(*matches) == [1, 0, 1]


async def test_what_becomes_of_the_news_does_not_undo_what_is_in_the_log(monkeypatch):
    def broken(turns):
        raise RuntimeError("nobody can be told")

    monkeypatch.setattr("games.matches.announce.turned", broken)
    match = await sync_to_async(seated)("ann", "bob")
    assert await writer.write(await sync_to_async(turn)(match))
    assert await sync_to_async(plies)(match) == [1]


# Several processes, and connections that break


def some_answer(match):
    state = history.replay(match).state(match.ply)
    return prepare(match, state.seat, match.ply, [match.rules.text(state.legal()[0])])


def test_of_two_batches_for_the_same_matches_each_turn_is_written_once_whatever_their_order():
    matches = [seated(*names) for names in (("ann", "bob"), ("dan", "eve"), ("fay", "gil"), ("hal", "ida"))]
    for _ in range(10):
        matches = [access.find(match.key) for match in matches]
        batches = [[some_answer(match) for match in matches], [some_answer(match) for match in reversed(matches)]]
        taken: list[Turn] = []

        def commit(batch, taken=taken):
            taken += play.commit(batch)

        assert at_once(*(partial(commit, batch) for batch in batches)) == [None, None]
        assert {one.match.pk: one.header["ply"] for one in taken} == {
            match.pk: access.find(match.key).ply for match in matches
        }
        assert len(taken) == len(matches)
        assert [match.log.count() for match in matches] == plies(*matches)


def test_what_else_has_changed_at_a_match_stays_when_a_row_asks_nobody():
    """As when the worker puts off a match that it cannot play."""
    match = seated("ann", "bob", **LIVE)
    state = history.replay(match).state(0)
    row = history.Row(0, "!outage 3", LogEntry.By.SERVER, 10**12)
    made = turn_of(match, [row], [row.move], state, row.at)
    later = match.wake_at + timedelta(seconds=7)
    Match.objects.filter(pk=match.pk).update(wake_at=later)
    assert play.commit([made])
    fresh = access.find(match.key)
    assert (fresh.ply, fresh.mover, fresh.asked_at, fresh.wake_at) == (1, match.mover, match.asked_at, later)


def test_in_a_transaction_that_is_rolled_back_nothing_is_written_and_nobody_is_told(monkeypatch):
    told, match = [], seated("ann", "bob")
    monkeypatch.setattr(announce, "turned", told.append)
    with pytest.raises(RuntimeError), transaction.atomic():
        assert play.commit([turn(match)])
        assert not told
        raise RuntimeError
    assert (plies(match), LogEntry.objects.count(), told) == ([0], 0, [])


async def test_an_answer_whose_confirmation_was_lost_is_taken_and_told_once(monkeypatch):
    told, write, faults = [], writing.write, []

    def broken_off(turns):
        written = write(turns)
        if not faults:
            faults.append(turns)
            raise OperationalError("the connection broke after the commit")
        return written

    match = await sync_to_async(seated)("ann", "bob")
    made = await sync_to_async(turn)(match)
    monkeypatch.setattr(writing, "write", broken_off)
    monkeypatch.setattr(announce, "turned", told.append)
    assert await writer.write(made)
    assert await sync_to_async(plies)(match) == [1]
    assert told == [[made]]


def end_connections(having=""):
    """End the other connections to the database, or those that execute a statement with this in its beginning."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database() AND position(%s IN query) > 0 AND backend_type = 'client backend'",
            [having],
        )
        return len(cursor.fetchall())


@POSTGRESQL
async def test_a_writer_whose_connection_was_ended_takes_another():
    matches = [await sync_to_async(seated)(*names) for names in (("ann", "bob"), ("dan", "eve"))]
    assert await writer.write(await sync_to_async(turn)(matches[0]))
    assert await sync_to_async(end_connections)()
    assert await writer.write(await sync_to_async(turn)(matches[1]))
    assert await sync_to_async(plies)(*matches) == [1, 1]


@POSTGRESQL
async def test_an_answer_whose_connection_is_ended_while_it_is_written_is_written_once():
    match = await sync_to_async(seated)("ann", "bob")
    made = await sync_to_async(turn)(match)
    locked, over = Event(), Event()

    def hold():
        with transaction.atomic():
            play.locked(match)
            locked.set()
            over.wait(60)
        connections.close_all()

    holder = Thread(target=hold)
    holder.start()
    await asyncio.to_thread(locked.wait, 60)
    writing_it = asyncio.create_task(writer.write(made))
    try:
        while not await sync_to_async(end_connections)("WITH claimed AS"):
            await asyncio.sleep(0)
    finally:
        over.set()
        await asyncio.to_thread(holder.join)
    assert await writing_it
    assert await sync_to_async(plies)(match) == [1]
    assert await sync_to_async(LogEntry.objects.count)() == 1


@POSTGRESQL
async def test_a_move_is_written_while_requests_hold_all_other_connections():
    made = await sync_to_async(lambda: turn(seated("ann", "bob")))()
    pool, held = connection.pool, []

    def take_all():
        with pytest.raises(PoolTimeout):
            while True:
                held.append(pool.getconn(timeout=1))

    try:
        await asyncio.to_thread(take_all)
        assert await writer.write(made)
    finally:
        for each in held:
            pool.putconn(each)


@POSTGRESQL
def test_whoever_waits_in_vain_for_a_row_is_asked_to_try_again(client, static_files):
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    client.raise_request_exception = False
    held, over = Event(), Event()

    def hold():
        with transaction.atomic():
            User.objects.select_for_update().get(pk=person("ann").pk)
            held.set()
            over.wait(60)
        connections.close_all()

    holder = Thread(target=hold)
    holder.start()
    held.wait(60)
    try:
        with impatient():
            response = client.post("/play/quick", {"game": "biblios", "places": "2"})
    finally:
        over.set()
        holder.join()
        connection.close()
    assert (response.status_code, response["Retry-After"]) == (503, "5")
