"""Computes the next rounds of an event: those of a large one in a process of its own.

To pair 200 people can take three seconds of pure Python. A thread of the site would share its interpreter with
everybody's moves meanwhile; another process uses another core, or what they leave of this one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from threading import Lock
from typing import ParamSpec, TypeVar

from django.utils.translation import gettext as _

from accounts.web.refused import Refused

P = ParamSpec("P")
T = TypeVar("T")
LARGE = 64
"""From so many people on; fewer are paired within 25 ms."""
NICENESS = 10

_one_at_a_time = Lock()


class Busy(Refused):
    """This process waits for the next round of another large event."""

    def __init__(self) -> None:
        super().__init__(_("Another large round is being drawn at this moment. Please try again in a minute."))


def computed(people: int, pair: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What `pair` says, which pairs so many people and is pure: it must not need Django. What it does to what it is
    given, such as a source of chance, is not seen here. Raises Busy: one large round is computed at a time."""
    if people < LARGE:
        return pair(*given, **named)
    if not _one_at_a_time.acquire(blocking=False):
        raise Busy
    try:
        with ProcessPoolExecutor(1, get_context("spawn"), os.nice, (NICENESS,)) as process:
            return process.submit(pair, *given, **named).result()
    finally:
        _one_at_a_time.release()
