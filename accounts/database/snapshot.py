"""Reading the database as it stood at one moment, while the site plays on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """All queries in here see what was committed before the first of them, and block nobody.

    Inside another transaction, as in tests, the outer one decides."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # An ordinary transaction of this site takes the write lock at once.
        connection.ensure_connection()
        sqlite: Any = connection  # the stubs know no mode
        usual, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            sqlite.transaction_mode = usual
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
