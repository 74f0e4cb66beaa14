"""Requests take turns: a few are worked on at a time, whatever comes at once.

Each is worked on in a thread of its own, and all threads of a process share one interpreter with the loop that answers
moves. Among a hundred threads the loop would have a hundredth of its time. Those that wait here need no thread. When
several networks wait, each has one turn before anybody has the next.

Some may wait for a row that somebody holds, and each of them has a connection to the database meanwhile. So no more are
begun than leave a few connections to the sockets.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS

from accounts.web.network import network_of_socket
from accounts.web.waiting import gives_way

STATUS = "/status"
"""Who asks whether the site works does not wait for all who wait because it does not: only for each other."""
AT_ONCE = 3
LONGEST_S = 0.25
"""Whoever takes longer than this waits for something else, such as another server: the next one has their turn."""
RESERVED = 3
"""The connections of a pool that no request has."""


class WaitingLine:
    """Those who wait for their turn in one process; `at_once` of them have one. `most`: how many are worked on at most,
    with those whose turn took too long."""

    def __init__(self, at_once: int, most: float) -> None:
        self.free = at_once
        self.places = most
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Who waits, by network; the next network first."""

    async def take(self, network: str) -> RequestTurn:
        """Wait for a turn of somebody in this network."""
        if self.free and self.places:
            self.begin()
        else:
            called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.setdefault(network, deque()).append(called)
            try:
                await called
            except asyncio.CancelledError:
                if not called.cancelled():
                    self.end(turn=True, place=True)
                raise
        return RequestTurn(self)

    def begin(self) -> None:
        self.free -= 1
        self.places -= 1

    def end(self, turn: bool = False, place: bool = False) -> None:
        """A turn is over, or its request, or both: the next one has it, if there is room."""
        self.free += turn
        self.places += place
        while self.waiting and self.free and self.places:
            network, others = next(iter(self.waiting.items()))
            del self.waiting[network]
            called = others.popleft()
            if others:
                self.waiting[network] = others  # behind the other networks
            if not called.done():
                self.begin()
                called.set_result(None)


class RequestTurn:
    """It ends once: when it is given up, or after LONGEST_S. Then the request goes on until it is given up."""

    def __init__(self, line: WaitingLine) -> None:
        self.line = line
        self.clock = asyncio.get_running_loop().call_later(LONGEST_S, self.late)
        self.over = self.gone = False

    def late(self) -> None:
        self.over = True
        self.line.end(turn=True)

    def end(self) -> None:
        if not self.gone:
            self.gone = True
            self.clock.cancel()
            self.line.end(turn=not self.over, place=True)


def most_requests() -> float:
    """How many requests are worked on at a time, at most."""
    pool = settings.DATABASES[DEFAULT_DB_ALIAS]["OPTIONS"].get("pool")
    return max(1, pool["max_size"] - RESERVED) if pool else math.inf


def in_turn(application: ASGI3Application) -> ASGI3Application:
    """Lets requests take turns until each has its answer, or waits for a password to be checked."""
    line, status_line = WaitingLine(AT_ONCE, most_requests()), WaitingLine(1, math.inf)

    async def guarded(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        assert scope["type"] == "http"
        asked = status_line if scope["path"] == STATUS else line
        turn = await asked.take(network_of_socket(scope).near)
        loop = asyncio.get_running_loop()
        gives_way.set(lambda: loop.call_soon_threadsafe(turn.end))

        async def answer(message: ASGISendEvent) -> None:
            turn.end()
            await send(message)

        try:
            await application(scope, receive, answer)
        finally:
            turn.end()

    return guarded
