"""Ways round the triggers with which the database keeps the past: for clearing up, and for what a tamperer might do."""

import sqlite3
from contextlib import closing, contextmanager
from functools import cache

from django.db import OperationalError, connection
from django.test import TransactionTestCase
from psycopg.errors import DeadlockDetected

from accounts.models import ArchivedMatch
from games.matches import access, chain, history
from games.matches.models import LogEntry, Match
from tests.prepared import prepared


@contextmanager
def rewritable(connection):
    """Lets this connection change what the database otherwise keeps as it is."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")
            yield cursor
            cursor.execute("SET session_replication_role = origin")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        try:
            yield cursor
        finally:
            for _name, sql in triggers:
                cursor.execute(sql)


@contextmanager
def clearing_up():
    """After a test with transactions of its own all tables are as they were at first. Django's way, which looks for its
    permissions anew and writes them again, takes ten times as long."""
    teardown = TransactionTestCase._fixture_teardown
    TransactionTestCase._fixture_teardown = lambda case: cleared(connection)
    yield
    TransactionTestCase._fixture_teardown = teardown


FILLED = "django_migrations", "django_content_type", "auth_permission"
"""The tables with rows that belong to the tables themselves."""


def cleared(connection):
    """Take all rows out of the tables. What is written next gets numbers that no row had before."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            numbers = cursor.fetchall()
            untouched().backup(connection.connection)
            cursor.execute("DELETE FROM sqlite_sequence")
            cursor.executemany("INSERT INTO sqlite_sequence VALUES (%s, %s)", numbers)
        return
    names = [name for name in connection.introspection.django_table_names() if name not in FILLED]
    # PostgreSQL makes new files for each table and index that it truncates; few rows are deleted sooner.
    delete = f"LOCK TABLE {', '.join(names)}; {'; '.join(f'DELETE FROM {name}' for name in names)}"
    with rewritable(connection) as cursor:
        for last in (False, True):
            try:
                return cursor.execute(delete)
            except OperationalError as fault:
                # A page that the test has left open may have read meanwhile; PostgreSQL ends one of the two.
                if last or not isinstance(fault.__cause__, DeadlockDetected):
                    raise


@cache
def untouched():
    """The tables with nothing in them, in memory."""
    with closing(sqlite3.connect(f"file:{prepared() / 'biblios.sqlite3'}?immutable=1", uri=True)) as file:
        memory = sqlite3.connect(":memory:", check_same_thread=False)
        file.backup(memory)
    return memory


def unplayed(match):
    """The match as if nothing had been played: whoever owns the database lets another game take the place of one.

    What is played then has a chain that fits in itself.
    """
    with rewritable(connection):
        LogEntry.objects.filter(match=match)._raw_delete("default")
        ArchivedMatch.objects.filter(match=match.key).delete()
        Match.objects.filter(pk=match.pk).update(
            ply=0, link=chain.first_link(match.header), status="running", result=None, ended_at=None
        )
    history._replays.clear()
    history._recent.clear()
    return access.find(match.key)
