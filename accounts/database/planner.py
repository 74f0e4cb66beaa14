"""What the database knows of its own tables when it chooses an index."""

from django.db import connection


def learn_sizes() -> None:
    """Let SQLite look at a thousand rows of each index, in some milliseconds: else it takes all tables for small ones.

    PostgreSQL does so by itself.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA analysis_limit = 1000")
            cursor.execute("ANALYZE")
