"""The database itself refuses to change the past."""

from random import Random

import pytest
from django.db import DatabaseError, connection, transaction

from games.ladders.models import LadderEvent
from games.matches import access, play
from games.matches.models import LogEntry, Match, Seat
from tests.clubs.clubs import club_of
from tests.matches.matches import answer, rushed, seated

pytestmark = [pytest.mark.django_db, pytest.mark.twice]
POSTGRESQL = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no such command")
SQLITE = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL has no such command")


def refused(sql, *values):
    """What the database says to a change that it refuses."""
    connection.check_constraints()  # what waits for the end of the transaction would be in the way of TRUNCATE
    with pytest.raises(DatabaseError) as refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)
    return str(refusal.value)


@pytest.fixture(scope="module")
def keys(kept_rows):
    """A match that runs and one that has ended, beside a ladder on which something has happened."""
    club_of("ann", "bob")
    running = answer(seated("ann", "bob"), Random(1))
    return running.key, rushed(seated("ann", "bob", rated=True, pace="live", bank_ms=600_000)).key


@pytest.fixture
def running(keys):
    return access.find(keys[0])


@pytest.fixture
def ended(keys):
    return access.find(keys[1])


@pytest.mark.parametrize("table", ["games_logentry", "games_ladderevent"])
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE {} SET at = at",
        "DELETE FROM {}",
        pytest.param("UPDATE OR REPLACE {} SET at = at", marks=SQLITE),
        pytest.param("INSERT OR REPLACE INTO {0} SELECT * FROM {0}", marks=SQLITE),
        pytest.param("REPLACE INTO {0} SELECT * FROM {0}", marks=SQLITE),
        pytest.param("TRUNCATE {}", marks=POSTGRESQL),
        pytest.param("TRUNCATE accounts_user, {} CASCADE", marks=POSTGRESQL),
    ],
)
def test_a_row_of_a_log_is_not_changed_removed_or_replaced(running, table, change):
    model = {each._meta.db_table: each for each in (LogEntry, LadderEvent)}[table]
    before = list(model.objects.values())
    assert "append-only" in refused(change.format(table))
    assert list(model.objects.values()) == before != []


@SQLITE
def test_another_row_in_the_place_of_one_is_refused_whatever_pragmas_say(running):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA recursive_triggers = OFF")
    columns = "match_id, ply, seat, move, by, at, link"
    row = f"SELECT match_id, ply, seat, 'keep', by, at, link FROM games_logentry WHERE match_id = {running.pk}"
    assert "append-only" in refused(f"INSERT OR REPLACE INTO games_logentry ({columns}) {row}")
    assert "append-only" in refused(
        f"{row.replace('SELECT', 'INSERT INTO games_logentry (' + columns + ') SELECT', 1)}"
    )


ADDING = "INSERT INTO games_logentry (match_id, ply, seat, move, at) VALUES (%s, %s, 0, '!end', 1)"


@pytest.mark.parametrize("beyond", [0, 1, 999])
def test_no_row_is_added_to_the_log_of_a_match_that_has_ended(ended, beyond):
    assert "the log of a match that has ended is complete" in refused(ADDING, ended.pk, ended.ply + beyond)


def test_no_row_is_added_to_the_log_of_a_match_that_was_called_off(running):
    for seat in (0, 1):
        play.vote(access.find(running.key), seat, "abort")
    running.refresh_from_db()
    assert running.status == Match.Status.ABORTED
    assert "the log of a match that has ended is complete" in refused(ADDING, running.pk, running.ply)


@SQLITE
@pytest.mark.parametrize("ply", [0.5, "x", b"0", 1e30])
def test_no_row_is_added_between_two(ended, ply):
    assert "whole numbers" in refused(ADDING, ended.pk, ply)


CHANGES = {
    "rated": "NOT rated",
    "options": "'{}'",
    "places": "places + 1",
    "bank_ms": "bank_ms + 1",
    "secret": "commitment" if connection.vendor == "sqlite" else "decode(commitment, 'hex')",
    "commitment": "'0'",
    "header": "'{}'",
    "started_at": "NULL",
    "key": "'anotherkey23'",
    "version": "version + 1",
    "watch": "'none'",
}


@pytest.mark.parametrize("column", CHANGES)
def test_what_was_fixed_when_a_match_began_stays(running, ended, column):
    for match in (running, ended):
        said = refused(f"UPDATE games_match SET {column} = {CHANGES[column]} WHERE id = %s", match.pk)
        assert "stays as it is" in said or "never change" in said


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("status", "'running'"),
        ("ply", "ply - 1"),
        ("mover", "1"),
        ("link", "secret"),
        ("ended_at", "started_at"),
        ("result", "NULL"),
    ],
)
def test_a_match_that_has_ended_stays(ended, column, value):
    said = refused(f"UPDATE games_match SET {column} = {value} WHERE id = %s", ended.pk)
    assert "a match that has ended stays as it is" in said


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("user_id", "NULL"),
        ("bot", "'greedy'"),
        ("name", "'someone'"),
        ("share", "salt"),
        ("salt", "share"),
        ('"index"', '"index" + 5'),
    ],
)
def test_who_sits_where_stays(running, column, value):
    assert "stays as it is" in refused(f"UPDATE games_seat SET {column} = {value} WHERE match_id = %s", running.pk)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM games_seat",
        "DELETE FROM games_match",
        pytest.param("INSERT OR REPLACE INTO games_seat SELECT * FROM games_seat", marks=SQLITE),
        pytest.param("INSERT OR REPLACE INTO games_match SELECT * FROM games_match", marks=SQLITE),
        pytest.param("TRUNCATE games_match CASCADE", marks=POSTGRESQL),
        pytest.param("TRUNCATE games_seat CASCADE", marks=POSTGRESQL),
    ],
)
def test_a_match_that_has_begun_and_its_seats_are_not_removed_or_replaced(running, change):
    refused(change)
    assert Match.objects.count() == 2 and Seat.objects.count() == 4


@SQLITE
def test_another_match_with_the_same_key_or_rematch_does_not_take_the_place_of_one(running, ended):
    rematch = Match.objects.create(
        game="biblios",
        version=1,
        places=2,
        host=running.host,
        secret=bytes(32),
        rematch_of=ended,
        started_at=running.started_at,
    )
    names = [field.column for field in Match._meta.concrete_fields]
    columns = ", ".join(f'"{name}"' for name in names)
    for pretended in ({"id": "NULL", "rematch_of_id": "NULL"}, {"id": "NULL", "key": "'anotherkey23'"}):
        values = ", ".join(pretended.get(name, f'"{name}"') for name in names)
        assert "stays as it is" in refused(
            f"INSERT OR REPLACE INTO games_match ({columns}) SELECT {values} FROM games_match WHERE id = %s", rematch.pk
        )


@SQLITE
def test_no_row_takes_the_place_of_one_by_its_rowid(running):
    columns = "match_id, ply, seat, move, by, at, link"
    row = "SELECT rowid, match_id, ply + 1000, seat, move, by, at, link FROM games_logentry"
    assert "append-only" in refused(f"INSERT OR REPLACE INTO games_logentry (rowid, {columns}) {row}")


@SQLITE
def test_no_open_match_takes_the_place_of_one_that_has_begun(running, ended):
    fields = {"game": "biblios", "version": 1, "places": 2, "host": running.host, "secret": bytes(32)}
    open_ = Match.objects.create(**fields)
    Match.objects.create(**fields, rematch_of=ended, started_at=running.started_at)
    said = refused("UPDATE OR REPLACE games_match SET rowid = %s WHERE id = %s", ended.pk, open_.pk)
    assert "never change" in said
    said = refused("UPDATE OR REPLACE games_match SET rematch_of_id = %s WHERE id = %s", ended.pk, open_.pk)
    assert "stays as it is" in said


def test_no_seat_moves_to_another_match(running):
    open_ = Match.objects.create(game="biblios", version=1, places=2, host=running.host, secret=bytes(32))
    seat = Seat.objects.create(match=open_, index=7)
    assert "stays at its match" in refused("UPDATE games_seat SET match_id = %s WHERE id = %s", running.pk, seat.pk)


def test_before_it_begins_a_table_may_change():
    table = seated("ann", bots=1)
    open_ = Match.objects.create(game="biblios", version=1, places=2, host=table.host, secret=bytes(32))
    seat = Seat.objects.create(match=open_, index=0, user=table.host)
    Match.objects.filter(pk=open_.pk).update(rated=True, places=3)
    Seat.objects.filter(pk=seat.pk).update(user=None, bot="greedy", name="Odo")
    seat.delete()
    open_.delete()
