"""Writes the turns that come by sockets: one thread of the process, each time all that has gathered meanwhile."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Sequence
from typing import NamedTuple

from django.db import close_old_connections, connections

from games.services import play
from games.services.play import Turn

MOST = 64
"""So many turns go into one transaction."""
IDLE_S = 0.5
"""The thread gives its connection back when it has had nothing to do for so long."""


class Order(NamedTuple):
    """A turn to be written, and who waits for it."""

    turn: Turn
    loop: asyncio.AbstractEventLoop
    written: asyncio.Future[bool]


_orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
_lock = threading.Lock()
_thread: threading.Thread | None = None


async def write(turn: Turn) -> bool:
    """Write the turn to the log; False if somebody else was first. Raises DatabaseError if the database is away."""
    loop = asyncio.get_running_loop()
    order = Order(turn, loop, loop.create_future())
    _orders.put(order)
    _start()
    return await order.written


def _start() -> None:
    global _thread
    if _thread is None:
        with _lock:
            if _thread is None:
                _thread = threading.Thread(target=_run, name="writer", daemon=True)
                _thread.start()


def _run() -> None:
    while True:
        try:
            orders = [_orders.get(timeout=IDLE_S)]
        except queue.Empty:
            connections.close_all()
            orders = [_orders.get()]
        while len(orders) < MOST and not _orders.empty():
            orders.append(_orders.get())
        _write(orders)


def _write(orders: Sequence[Order]) -> None:
    together: dict[int, Order] = {}
    alone = []
    for order in orders:
        # Whoever ends a match writes more, and locks ratings.
        if order.turn.ends or order.turn.match.pk in together:
            alone.append(order)
        else:
            together[order.turn.match.pk] = order
    try:
        _commit(list(together.values()))
    except Exception:
        close_old_connections()
        alone = [*together.values(), *alone]
    for order in alone:
        try:
            _commit([order])
        except Exception as fault:
            close_old_connections()
            order.loop.call_soon_threadsafe(_answer, [order], fault)


def _commit(orders: Sequence[Order]) -> None:
    taken = play.commit([order.turn for order in orders])
    for loop in {order.loop for order in orders}:
        loop.call_soon_threadsafe(_answer, [order for order in orders if order.loop is loop], taken)


def _answer(orders: Sequence[Order], outcome: list[Turn] | Exception) -> None:
    for order in orders:
        if order.written.done():
            continue  # its page has gone
        if isinstance(outcome, Exception):
            order.written.set_exception(outcome)
        else:
            order.written.set_result(any(turn is order.turn for turn in outcome))
