"""Writes the turns that come by sockets: one thread of the process, which each time takes all that have gathered.

On PostgreSQL it has a connection of its own: a move waits for no request, whatever all the requests wait for.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, OperationalError, close_old_connections, connections

from games.matches import play
from games.matches.turn import Turn

log = logging.getLogger(__name__)

MOST = 64
"""The most turns in one transaction."""
GATHER_S = 0.003
"""After several turns came together the thread waits this long for more of the next ones: most of a transaction's cost
is the same for any number of turns."""
IDLE_S = 0.5
"""The thread returns its connection after this long without work."""
LAST_S = 10
"""The longest wait for the thread at the end of the process."""


class QueuedTurn(NamedTuple):
    """A turn to be written, and the future that waits for it."""

    turn: Turn
    loop: asyncio.AbstractEventLoop
    written: asyncio.Future[bool]


_orders: queue.SimpleQueue[QueuedTurn | None] = queue.SimpleQueue()
_lock = threading.Lock()
_thread: threading.Thread | None = None


async def write(turn: Turn) -> bool:
    """Write the turn to the log; False if somebody else was first. Raises DatabaseError if it could not be written."""
    loop = asyncio.get_running_loop()
    order = QueuedTurn(turn, loop, loop.create_future())
    _orders.put(order)
    if _thread is None or not _thread.is_alive():
        _start()
    return await order.written


@contextmanager
def finishing() -> Iterator[None]:
    """Writes what is waiting, at the end of the process."""
    yield
    with _lock:
        if _thread is not None:
            _orders.put(None)
            _thread.join(LAST_S)


def _start() -> None:
    global _thread
    with _lock:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_run, name="writer", daemon=True)
            _thread.start()


def _reserve() -> Any:
    """Give this thread a pool of its own, of one connection. Returns what connects it to the database."""
    own: Any = connections[DEFAULT_DB_ALIAS].copy()
    options = own.settings_dict["OPTIONS"]
    if "pool" in options:
        options["pool"] = {**options["pool"], "max_size": 1, "num_workers": 1}
        own._connection_pools = {}  # otherwise all threads share those of the class
    connections[DEFAULT_DB_ALIAS] = own
    return own


def _run() -> None:
    own = _reserve()
    orders: list[QueuedTurn | None] = []
    while None not in orders:
        busy = len(orders) > 1
        try:
            orders = [_orders.get(timeout=IDLE_S)]
        except queue.Empty:
            connections.close_all()
            orders, busy = [_orders.get()], False
        if busy:
            time.sleep(GATHER_S)
        while len(orders) < MOST and not _orders.empty():
            orders.append(_orders.get())
        try:
            _write([order for order in orders if order])
        except Exception:
            # Keep the loop alive: nothing restarts it.
            log.exception("The result of writing could not be delivered.")
    connections.close_all()
    if own.settings_dict["OPTIONS"].get("pool"):
        own.close_pool()


def _write(orders: Sequence[QueuedTurn]) -> None:
    together: dict[int, QueuedTurn] = {}
    alone = []
    for order in orders:
        # A turn that ends a match writes more, and locks ratings.
        if order.turn.ends or order.turn.match.pk in together:
            alone.append(order)
        else:
            together[order.turn.match.pk] = order
    doubtful: list[QueuedTurn] = []
    try:
        _report(list(together.values()), play.commit([order.turn for order in together.values()]))
    except Exception:
        close_old_connections()
        doubtful = list(together.values())
    for at, order in enumerate([*doubtful, *alone]):
        try:
            _report([order], play.commit_again(order.turn) if at < len(doubtful) else play.commit([order.turn]))
        except Exception as fault:
            close_old_connections()
            # Without a database each would wait in vain for as long as the first.
            failed = [*doubtful, *alone][at:] if at == 0 and isinstance(fault, OperationalError) else [order]
            _report(failed, fault)
            if len(failed) > 1:
                return


def _report(orders: Sequence[QueuedTurn], outcome: list[Turn] | Exception) -> None:
    for loop in {order.loop for order in orders}:
        if not loop.is_closed():
            loop.call_soon_threadsafe(_answer, [order for order in orders if order.loop is loop], outcome)


def _answer(orders: Sequence[QueuedTurn], outcome: list[Turn] | Exception) -> None:
    for order in orders:
        if order.written.done():
            continue  # its page has gone
        if isinstance(outcome, Exception):
            order.written.set_exception(outcome)
        else:
            order.written.set_result(any(turn is order.turn for turn in outcome))
