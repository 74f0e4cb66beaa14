"""Statistics from which the database chooses its indexes."""

from django.db import connection


def learn_sizes() -> None:
    """Let SQLite sample a thousand rows of each index, in milliseconds: otherwise it takes all tables for small.

    PostgreSQL does so by itself.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA analysis_limit = 1000")
            cursor.execute("ANALYZE")
