"""Who is connected to this process, and how it learns that something has changed. The only sender.

A nudge says that a match (or the lobby) has changed, and nothing else: each connected page is drawn anew from what its
viewer may know. The pages of this process are told directly; whoever misses a nudge learns of it by the next tick.
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from contextvars import Context
from typing import Protocol

from django.db import transaction

from games.models import Match

LOBBY = "lobby"


class Listener(Protocol):
    """A connected page, or several of one match."""

    users: set[int]
    """The ids of those who look."""

    def nudged(self) -> None:
        """Something has changed; called in the event loop."""


_listeners: dict[str, set[Listener]] = defaultdict(set)
_loops: dict[Listener, asyncio.AbstractEventLoop] = {}
awake = threading.Event()
"""Set when the worker of this process should look for work."""


def join(group: str, listener: Listener) -> None:
    """Nudge this listener whenever the group (a match's key, or LOBBY) changes. Called in its event loop."""
    _loops[listener] = asyncio.get_running_loop()
    _listeners[group].add(listener)


def part(group: str, listener: Listener) -> None:
    """Undo `join`."""
    _listeners[group].discard(listener)
    _loops.pop(listener, None)
    if not _listeners[group]:
        _listeners.pop(group, None)


def listeners(group: str) -> list[Listener]:
    """The pages of this process that listen to a group."""
    return list(_listeners.get(group, ()))


def here(match: Match) -> set[int]:
    """The ids of the users who have a page of the match open, in this process."""
    return {user for table in listeners(match.key) for user in table.users}


def changed(match: Match, lobby: bool = False) -> None:
    """Nudge the pages of a match, and those of the lobby, once the transaction is committed."""
    key = match.key

    def tell():
        nudge(key)
        if lobby:
            nudge(LOBBY)
        wake()

    transaction.on_commit(tell)


def nudge_lobby() -> None:
    """Nudge the pages of the lobby, once the transaction is committed."""
    transaction.on_commit(lambda: nudge(LOBBY))


def wake() -> None:
    """Let the worker of this process look for work now."""
    awake.set()


def nudge(group: str) -> None:
    """Tell all pages of a group that it has changed."""
    for listener in listeners(group):
        if (loop := _loops.get(listener)) and not loop.is_closed():
            # Not in the context of a database thread, in which nothing else could use the database.
            loop.call_soon_threadsafe(listener.nudged, context=Context())
