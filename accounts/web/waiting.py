"""Waiting, in the middle of a request, for something that takes its time."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from django.db import connection

gives_way: ContextVar[Callable[[], object]] = ContextVar("gives_way", default=lambda: None)
"""Ends the turn of the request that is worked on."""


def give_way() -> None:
    """Let others go on before a request waits: it has neither a turn nor a connection to the database meanwhile."""
    if not connection.in_atomic_block:
        connection.close()
    gives_way.get()()
