"""Ways round the triggers with which the database keeps the past: for clearing up, and for what a tamperer might do."""

from contextlib import contextmanager

from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.postgresql.operations import DatabaseOperations

from accounts.models import ArchivedMatch
from games.matches import access, chain, history
from games.matches.models import LogEntry, Match


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
    """Lets Django empty the tables after a test with transactions of its own.

    PostgreSQL makes new files for each table and index that it truncates; few rows are deleted sooner.
    """
    flush, truncate = BaseDatabaseOperations.execute_sql_flush, DatabaseOperations.sql_flush

    def execute_sql_flush(self, sql_list):
        with rewritable(self.connection):
            flush(self, sql_list)

    def sql_flush(self, style, tables, **how):
        names = [self.quote_name(table) for table in tables]
        return [f"LOCK TABLE {', '.join(names)}", *(f"DELETE FROM {name}" for name in names)]

    BaseDatabaseOperations.execute_sql_flush, DatabaseOperations.sql_flush = execute_sql_flush, sql_flush
    yield
    BaseDatabaseOperations.execute_sql_flush, DatabaseOperations.sql_flush = flush, truncate


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
