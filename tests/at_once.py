"""Several things at the same moment, as in a site with many threads."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connections

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
