"""What holds up the event loop: a metric that says so, and the collector of garbage, which would do it most.

While the collector looks through all objects of a process, nobody is answered: a quarter of a second with 300,000. So
it looks through what is new, in small portions and once more when some of these have gathered; what is still there
then, and what is imported, is kept out of its sight. Answers leave next to no garbage that needs a collector; requests
and matches that are over leave a little. What of that was in use when it was kept is found while nobody plays.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope

from games.hub import metrics

YOUNG = 1_000
"""The number of new objects that the collector looks through at once ..."""
PORTIONS = 5
"""... of portions that it looks through once more together ..."""
ROUNDS = 4
"""... and of such rounds after which it looks once more through all that is not kept."""
MOST = 400
"""The same where no loop is watched."""
MANY, TOO_MANY = 400_000, 4_000_000
"""All that is kept is looked through when so many more blocks of memory are in use, two or three an object (texts count
too): in a quiet moment, or at once. To count what is kept would hold up the loop."""
STEP_S = 0.02
"""Seconds between looks at the clock of a loop: no stall is missed that is longer."""
QUIET = 500
"""So many looks without an answer, ten seconds, are a moment in which nobody plays ..."""
IDLE_S = 0.2
"""... if the loop worked no longer in them."""


def keep() -> None:
    """Look no longer for garbage among the objects that there are now, and for new garbage in small portions."""
    gc.freeze()
    gc.set_threshold(YOUNG, PORTIONS, MOST)


def look_through() -> None:
    """Collect garbage among what is not kept, and keep the rest."""
    gc.collect()
    gc.freeze()


def watched(application: ASGI3Application) -> ASGI3Application:
    """Watches the loops in which the application is called."""
    last: asyncio.AbstractEventLoop | None = None

    async def answered(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        nonlocal last
        loop = asyncio.get_running_loop()
        if loop is not last:
            last = loop
            Watch(loop)
        await application(scope, receive, send)

    return answered


class Watch:
    """Measures how late a loop does what is due, and collects garbage while nobody plays. Ends with the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.looks, self.answers, self.worked_s = 0, metrics.answers(), time.thread_time()
        self.blocks = sys.getallocatedblocks()
        self.look_again()

    def look_again(self) -> None:
        self.due = self.loop.time() + STEP_S
        self.loop.call_at(self.due, self.look)

    def look(self) -> None:
        metrics.loop_stall.observe(max(0.0, self.loop.time() - self.due))
        self.looks += 1
        if self.looks % QUIET == 0:
            answers, self.answers = self.answers, metrics.answers()
            worked_s, self.worked_s = self.worked_s, time.thread_time()
            quiet = answers == self.answers and self.worked_s - worked_s < IDLE_S
            if sys.getallocatedblocks() - self.blocks > (MANY if quiet else TOO_MANY):
                gc.unfreeze()
                look_through()
                self.blocks = sys.getallocatedblocks()
            # What has gone by itself leaves no room for garbage.
            self.blocks = min(self.blocks, sys.getallocatedblocks())
        # The third number counts the rounds since the last time.
        elif gc.get_count()[2] >= ROUNDS:
            look_through()
        self.look_again()
