"""Who opens a socket: looked up together with all others who come at the same time, as they do after a restart.

Handing each one to a thread, with a connection of their own to the database, costs more than the look itself.
"""

from __future__ import annotations

import asyncio

from channels.db import database_sync_to_async

from accounts.people import sessions
from accounts.web.requests import Visitor

MOST = 100
"""So many are looked up at once."""

_waiting: list[tuple[str | None, asyncio.Future[Visitor]]] = []
_task: asyncio.Task[None] | None = None


async def visitor(key: str | None) -> Visitor:
    """The user of the session with this key. Raises DatabaseError."""
    global _task
    found: asyncio.Future[Visitor] = asyncio.get_running_loop().create_future()
    _waiting.append((key, found))
    if _task is None or _task.done():
        _task = asyncio.create_task(_look())
    return await found


async def _look() -> None:
    while _waiting:
        asked = _waiting[:MOST]
        del _waiting[:MOST]
        try:
            users = await database_sync_to_async(sessions.visitors)([key for key, _found in asked])
        except Exception as fault:
            for _key, found in asked:
                if not found.done():
                    found.set_exception(fault)
        else:
            for (_key, found), user in zip(asked, users, strict=True):
                if not found.done():
                    found.set_result(user)
