"""Passwords are hashed two at a time, whoever asks and by whichever door: a hash is dear on purpose.

Two threads do it for the whole process, so that the memory they take is all that hashing ever takes. Whoever has to
wait holds no connection to the database meanwhile; if too many wait already, the next one is told so at once.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import TypeVar

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.utils.translation import gettext as _

from accounts.web.waiting import give_way

T = TypeVar("T")

AT_ONCE = 2
WAITING = 20
"""A class of thirty that signs in at one moment is through in a second, and a few of them have to try again."""
TRY_AGAIN_S = 5
"""By then all who wait have had their turn."""


class TooBusy(Exception):
    """So many passwords wait to be hashed that this one was not looked at: the text says so to a person. The
    middleware answers with status 503."""

    wait_s = TRY_AGAIN_S

    def __init__(self) -> None:
        super().__init__(_("Many passwords are being checked right now. Go back and try again in a few seconds."))


class Queue:
    """Does one thing after the other, `at_once` at a time, while at most `waiting` others wait for their turn."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._threads = ThreadPoolExecutor(at_once, "passwords")
        self._places = BoundedSemaphore(at_once + waiting)

    def do(self, work: Callable[[], T]) -> T:
        """What the work returns or raises. Raises TooBusy, at once, if too many wait."""
        if not self._places.acquire(blocking=False):
            raise TooBusy
        try:
            return self._threads.submit(work).result()
        finally:
            self._places.release()


_queue = Queue(AT_ONCE, WAITING)


def _in_turn(work: Callable[[], T]) -> T:
    give_way()
    return _queue.do(work)


class Hasher(Argon2PasswordHasher):
    """Argon2id with the least that OWASP's Password Storage Cheat Sheet asks for: 19 MiB, two passes, one lane. It
    counts the settings with more memory and fewer passes as equal; those take twice as long here.

    `encode` and `verify` raise TooBusy.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return _in_turn(lambda: super(Hasher, self).encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        return _in_turn(lambda: super(Hasher, self).verify(password, encoded))
