"""Tiny messages between the processes of the site, over one channel of Redis. At most once, and never with content.

Without REDIS_URL there is one process only, and nothing is sent.
"""

from __future__ import annotations

import json
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    import redis

log = logging.getLogger(__name__)

CHANNEL = "biblios"
TIMEOUT_S = 2
RETRY_S = 0.5
BEAT_S = 1
"""Heartbeat interval. A process hears its own heartbeats too, and so knows that Redis answers."""
SILENCE_S = 3
ME = secrets.token_hex(4)
"""The name of this process among the others."""

_outbox: queue.SimpleQueue[dict[str, Any] | None] | None = None
_stopped = threading.Event()
listening = threading.Event()
"""Set while messages of the other processes arrive here."""


def alone() -> bool:
    """Whether there are no other processes to listen to."""
    return _outbox is None


def deaf() -> bool:
    """Whether there are other processes, and their messages do not arrive here."""
    return not alone() and not listening.is_set()


def send(**message: Any) -> None:
    """Tell all other processes. Neither waits nor raises: a process that misses it looks for itself."""
    if _outbox is not None:
        _outbox.put(message)


@contextmanager
def connected(heard: Callable[[str, dict[str, Any]], None], missed: Callable[[], None]) -> Iterator[None]:
    """Send, and call `heard(sender, message)` for messages of others; `missed()` when some may have been lost."""
    global _outbox
    if not settings.REDIS_URL:
        yield
        return
    import redis  # takes a tenth of the start, and most sites are one process
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    outbox = _outbox = queue.SimpleQueue()
    _stopped.clear()
    client = redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=TIMEOUT_S,
        socket_connect_timeout=TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
    )
    threads = [
        threading.Thread(target=_speak, args=[client, outbox], name="relay out"),
        threading.Thread(target=_listen, args=[client, heard, missed], name="relay in"),
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        _outbox = None
        outbox.put(None)
        _stopped.set()
        for thread in threads:
            thread.join()
        client.close()


def _speak(client: redis.Redis, outbox: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    """Send what has gathered, as one message; an empty one as a heartbeat."""
    import redis

    messages: list[dict[str, Any] | None] = []
    while None not in messages:
        with suppress(queue.Empty):
            messages = []
            messages.append(outbox.get(timeout=BEAT_S))
            while not outbox.empty():
                messages.append(outbox.get())
        text = json.dumps([message for message in messages if message], separators=(",", ":"))
        # If it fails, nobody hears anything now; when Redis is back, all look for themselves.
        with suppress(redis.RedisError):
            client.publish(CHANNEL, f"{ME} {text}")


def _listen(client: redis.Redis, heard: Callable[[str, dict[str, Any]], None], missed: Callable[[], None]) -> None:
    import redis

    while not _stopped.is_set():
        try:
            with client.pubsub() as line:  # type: ignore[no-untyped-call]  # redis says no types here
                line.subscribe(CHANNEL)
                heard_at = time.monotonic()
                while not _stopped.is_set():
                    message = line.get_message(timeout=RETRY_S)
                    if message:
                        heard_at = time.monotonic()
                    elif time.monotonic() - heard_at > SILENCE_S:
                        raise redis.TimeoutError
                    if message and message["type"] == "subscribe":
                        listening.set()
                        missed()
                    elif message:
                        _read(message["data"], heard)
        except redis.RedisError as fault:
            if listening.is_set():
                log.warning("Redis is away (%s); this process looks for changes on its own.", type(fault).__name__)
            listening.clear()
            _stopped.wait(RETRY_S)
    listening.clear()


def _read(data: bytes, heard: Callable[[str, dict[str, Any]], None]) -> None:
    if data.startswith(ME.encode()):
        return
    sender, _, text = data.decode(errors="replace").partition(" ")
    try:
        for message in json.loads(text):
            heard(sender, message)
    except (ValueError, TypeError):
        log.warning("A message that is not the site's came over Redis.")
