"""Several things at the same moment, as in a site with many threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier

from django.db import connection, connections

from accounts.web.refused import Refused


def at_once(*acts):
    """Run each of these in a thread of its own; why each was refused, None if it was not."""
    start = Barrier(len(acts))

    def run(act):
        start.wait()
        try:
            act()
        except Refused as refusal:
            return str(refusal)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


@contextmanager
def impatient(patience: str = "1ms") -> Iterator[None]:
    """Whoever waits longer for a lock of PostgreSQL, on the connection of this thread, gives up. The connection goes
    back to a pool, for others to use."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [patience])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")
