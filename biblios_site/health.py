"""Health checks: `/healthz` says whether this process is alive, `/readyz` whether it can work.

Both are answered before Django sees the request: no session, no redirect to HTTPS, whatever the name of the host.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope
from django.conf import settings
from django.db import connection, transaction

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)

TIMEOUT_S = 2
OFF_MS = 60_000
"""By how much the clocks of this machine and of the database may differ."""
PROBE = "UPDATE games_heartbeat SET at = at + %s"
"""Shows a database that cannot be written. SQLite does not write what stands there already: something is added, and
taken back."""
ROOM = "SELECT count(*) FROM generate_series(1, 10000)"
"""Shows a full disk of PostgreSQL: it fits in no 64 kB, and is put into a file. The probe needs no room."""


class Unfit(Exception):
    """A part answers, but not as it must; the text says how."""


class Away(Exception):
    """A part does not answer; the text says why."""


def line(error: BaseException) -> str:
    """What an error says, in one line."""
    return " ".join(str(error).split()) or type(error).__name__


def clock_ms() -> int:
    """This machine's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def direct() -> psycopg.Connection:
    """A connection to PostgreSQL beside the pool, which would not say why it gets none. Raises Away."""
    import psycopg  # not for SQLite

    try:
        return psycopg.connect(**connection.get_connection_params() | {"connect_timeout": TIMEOUT_S}, autocommit=True)
    except psycopg.OperationalError as error:
        raise Away(line(error)) from error


def database() -> None:
    """Read and write the database, and compare the clocks; may raise anything, of its own Away and Unfit."""
    now = clock_ms()
    if connection.vendor == "postgresql":
        with direct() as asked:
            asked.execute(PROBE, [0])
            asked.execute("SET work_mem = '64kB'")
            asked.execute(ROOM)
            beat, there = asked.execute(
                "SELECT max(at), (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM games_heartbeat"
            ).fetchone() or (None, now)
    else:
        there = now
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(PROBE, [1])
            cursor.execute(PROBE, [-1])
            cursor.execute("SELECT max(at) FROM games_heartbeat")
            [beat] = cursor.fetchone()
    if abs(now - there) > OFF_MS:
        raise Unfit(f"its clock is {(there - now) / 1000:+.0f} s from the clock of this machine")
    if beat and beat > now + OFF_MS:
        raise Unfit(f"the clock of this machine is {(beat - now) / 1000:.0f} s behind what the site has noted already")


def redis_server() -> None:
    """Write to Redis, where it is used; may raise anything."""
    if settings.REDIS_URL:
        import redis  # for nothing elsewhere

        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S
        ) as client:
            client.set("ready", "1", ex=60)


PARTS: dict[str, Callable[[], None]] = {"database": database, "redis": redis_server}
_asked: dict[str, asyncio.Task[str]] = {}
"""A part that hangs is not asked again before it has answered."""
_told: dict[str, bool] = {}
"""The parts of which the log says that they are not as they must be."""


def fault(part: str) -> str:
    """What is wrong with a part, however long it takes to find out; empty if nothing is."""
    try:
        PARTS[part]()
    except Exception as error:  # each part has errors of its own
        return line(error)
    return ""


def fault_apart(part: str) -> str:
    """The same, in a thread that has no other use for the database."""
    try:
        return fault(part)
    finally:
        connection.close()


async def fault_in_time(part: str) -> str:
    """The same, soon."""
    task = _asked.get(part)
    if task is None or task.done():
        task = _asked[part] = asyncio.create_task(asyncio.to_thread(fault_apart, part))
    await asyncio.wait([task], timeout=TIMEOUT_S)
    return task.result() if task.done() else f"no answer in {TIMEOUT_S} s"


async def away() -> list[str]:
    """The names of the parts that do not work. The log says once why."""
    found = dict(zip(PARTS, await asyncio.gather(*map(fault_in_time, PARTS)), strict=True))
    for part, wrong in found.items():
        if wrong and not _told.get(part):
            log.error("Not ready: %s: %s", part, wrong)
        _told[part] = bool(wrong)
    return [part for part, wrong in found.items() if wrong]


def health(app: ASGI3Application) -> ASGI3Application:
    """An ASGI application that answers the two addresses, and leaves everything else to `app`."""

    async def answered(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        assert scope["type"] == "http"
        if scope["path"] == "/healthz":
            status, text = 200, "alive"
        elif scope["path"] == "/readyz":
            missing = await away()
            status, text = (503, f"away: {', '.join(missing)}") if missing else (200, "ready")
        else:
            return await app(scope, receive, send)
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
        await send({"type": "http.response.body", "body": f"{text}\n".encode(), "more_body": False})

    return answered
