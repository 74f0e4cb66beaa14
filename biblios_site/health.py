"""Health checks: `/healthz` says whether this process is alive, `/readyz` whether it can work.

Both are answered before Django sees the request: no session, no redirect to HTTPS, whatever the name of the host.
"""

import asyncio
from collections.abc import Callable

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope
from django.conf import settings
from django.db import connection

TIMEOUT_S = 2


def database() -> None:
    """Query the database; may raise anything."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


def redis_server() -> None:
    """The same for Redis, where it is used."""
    if settings.REDIS_URL:
        import redis  # for nothing elsewhere

        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S
        ) as client:
            client.ping()


PARTS: dict[str, Callable[[], None]] = {"database": database, "redis": redis_server}
_asked: dict[str, asyncio.Task[bool]] = {}
"""A part that hangs is not asked again before it has answered."""


def answers(part: str) -> bool:
    """Whether a part answers, however long it takes."""
    try:
        PARTS[part]()
    except Exception:  # each part has errors of its own
        return False
    return True


async def works(part: str) -> bool:
    """Whether a part answers in time."""
    task = _asked.get(part)
    if task is None or task.done():
        task = _asked[part] = asyncio.create_task(asyncio.to_thread(answers, part))
    await asyncio.wait([task], timeout=TIMEOUT_S)
    return task.done() and task.result()


async def away() -> list[str]:
    """The names of the parts that do not answer."""
    answers = await asyncio.gather(*(works(part) for part in PARTS))
    return [part for part, answer in zip(PARTS, answers, strict=True) if not answer]


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
