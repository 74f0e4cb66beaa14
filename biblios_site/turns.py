"""Requests take turns: a few are worked on at a time, whatever comes at once.

Each is worked on in a thread of its own, and all threads of a process share one interpreter with the loop that answers
moves. Among a hundred threads the loop would have a hundredth of its time. Those that wait here need no thread. When
several networks wait, each has one turn before anybody has the next.
"""

from __future__ import annotations

import asyncio
from collections import deque

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope

from accounts.people.passwords import gives_way
from accounts.web.network import network_of_socket

AT_ONCE = 3
LONGEST_S = 0.25
"""Whoever takes longer than this waits for something else, such as another server: the next one has their turn."""


class WaitingLine:
    """Those who wait for their turn in one process; `at_once` of them have one."""

    def __init__(self, at_once: int) -> None:
        self.free = at_once
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Who waits, by network; the next network first."""

    async def take(self, network: str) -> RequestTurn:
        """Wait for a turn of somebody in this network."""
        if self.free:
            self.free -= 1
        else:
            called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.setdefault(network, deque()).append(called)
            try:
                await called
            except asyncio.CancelledError:
                if not called.cancelled():
                    self.call_next()
                raise
        return RequestTurn(self)

    def call_next(self) -> None:
        """A turn is over: the next one has it."""
        while self.waiting:
            network, others = next(iter(self.waiting.items()))
            del self.waiting[network]
            called = others.popleft()
            if others:
                self.waiting[network] = others  # behind the other networks
            if not called.done():
                return called.set_result(None)
        self.free += 1


class RequestTurn:
    """It ends once: when it is given up, or after LONGEST_S."""

    def __init__(self, line: WaitingLine) -> None:
        self.line = line
        self.clock = asyncio.get_running_loop().call_later(LONGEST_S, self.end)
        self.over = False

    def end(self) -> None:
        if not self.over:
            self.over = True
            self.clock.cancel()
            self.line.call_next()


def in_turn(application: ASGI3Application) -> ASGI3Application:
    """Lets requests take turns until each has its answer, or waits for a password to be checked."""
    line = WaitingLine(AT_ONCE)

    async def guarded(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        assert scope["type"] == "http"
        turn = await line.take(network_of_socket(scope).near)
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
