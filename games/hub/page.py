"""The sockets of pages that consist of regions: after a nudge, each person is sent the regions that changed.

What is the same for all strangers is drawn once for all of them (`Drawing`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Awaitable, Callable, Hashable
from urllib.parse import parse_qs
from weakref import WeakValueDictionary

from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.utils import translation
from prometheus_client import Gauge

from accounts.people import sessions
from accounts.web import datetimes
from games.hub import nudges
from games.hub.sockets import LONGEST_MESSAGE, MALFORMED, NOT_HERE, PageConsumer

log = logging.getLogger(__name__)

News = tuple[str | None, dict[str, str]]
"""Where a page should go (None if it shows nothing any more), or else its regions by id."""
TICK_S = 10
"""Seconds between heartbeats to a page, at which its session is checked."""
PAUSE_S = 0.2
"""Nudges within this time are answered together ..."""
STRANGERS_PAUSE_S = 1
"""... and within this one to pages that strangers share, who take part in nothing."""


class Drawing:
    """What all pages with one key show. It is there as long as one of them is open, and belongs to their event loop."""

    began = changed = -math.inf
    """When the last one began, and since when there may be something new."""
    task: asyncio.Future[News] | None = None
    waiting = 0
    """How many pages wait for one."""

    async def look(self, latest: float, draw: Callable[[], Awaitable[News]]) -> News:
        """What was drawn last, if that began at `latest` or later and nothing is new; otherwise it is drawn anew, once
        for all who wait, after the one that is being drawn. It is dropped when nobody waits for it any more."""
        since = max(latest, self.changed)
        self.waiting += 1
        try:
            if self.task and self.began < since:
                await asyncio.wait([self.task])
            if self.task is None or self.began < since or self.failed(self.task):
                self.began, self.task = time.monotonic(), asyncio.ensure_future(draw())
            # Whoever goes away meanwhile does not end it for the others.
            await asyncio.wait([task := self.task])
            return task.result()
        finally:
            self.waiting -= 1
            if not self.waiting and self.task and not self.task.done():
                self.task.cancel()
                self.task = None

    @staticmethod
    def failed(task: asyncio.Future[News]) -> bool:
        return task.done() and (task.cancelled() or task.exception() is not None)


_drawings: WeakValueDictionary[Hashable, Drawing] = WeakValueDictionary()


class NewsConsumer(PageConsumer):
    """One page whose regions are sent again when they have changed."""

    gauge: Gauge
    """Counts the sockets of such pages."""
    redrawn = 1
    """A page is drawn again every so many ticks, for the times in it."""
    group = ""
    ticks: asyncio.Task[None] | None = None
    drawing: Drawing | None = None
    """The one that this page shares with others."""

    async def connect(self) -> None:
        query = parse_qs(self.scope["query_string"].decode("ascii", "replace"))
        self.query = {name: texts[0] for name, texts in query.items()}
        self.drawn: dict[str, str] = {}
        self.again = False
        self.task: asyncio.Task[None] | None = None
        await self.come()
        self.users = {self.user.pk} if self.user.is_authenticated else set()
        group = await self.find_group()
        if group is None:
            await self.close(NOT_HERE)
            return
        self.group = group
        if not self.user.is_authenticated and (shared := self.shared()) is not None:
            key = asyncio.get_running_loop(), group, self.language, shared
            self.drawing = _drawings.setdefault(key, Drawing())
        self.gauge.inc()
        nudges.join(self.group, self)
        self.ticks = asyncio.create_task(self.tick())

    async def find_group(self) -> str | None:
        """The group of `games.hub.nudges` whose changes the page shows; None if there is nothing to show."""
        raise NotImplementedError

    def shared(self) -> Hashable | None:
        """For a page of a stranger: what its news follow from, beside its group and language. Pages that agree in all
        that are drawn once for all, with times in UTC, which scripts change. None: it is drawn for this page alone."""
        return None

    def news(self) -> News:
        """What the page is to show now. In a thread."""
        raise NotImplementedError

    def stays(self) -> None:
        """Note that the user is still here. In a thread."""

    def gone(self) -> None:
        if self.ticks:
            self.gauge.dec()
            nudges.part(self.group, self)
            self.ticks.cancel()
            self.ticks = self.drawing = None
            if self.task:
                self.task.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        # A page sends nothing here: whatever people do there are forms.
        if text_data is None or len(text_data) > LONGEST_MESSAGE:
            await self.close(MALFORMED)

    def signed_out(self, user: int) -> None:
        """Some session of a user has ended: perhaps the one of this page."""
        if user == self.user.pk and self.ticks:
            self.ticks.cancel()
            self.ticks = asyncio.create_task(self.tick())

    def nudged(self) -> None:
        """Draw again, and once more if something changes meanwhile."""
        if self.drawing:
            self.drawing.changed = time.monotonic()
        self.draw()

    def draw(self) -> None:
        """Show what is new, or how times go on."""
        self.again = True
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.refresh())

    async def refresh(self) -> None:
        while self.again:
            self.again = False
            go, html = await self.look()
            if go is None:
                await self.close(NOT_HERE)
            elif go:
                await self.send(json.dumps({"go": go}))
            elif html:
                await self.send(html)
            await asyncio.sleep(STRANGERS_PAUSE_S if self.drawing else PAUSE_S)

    async def tick(self) -> None:
        count = 0
        while True:
            try:
                here = await self.still_here()
            except DatabaseError:
                log.exception("Somebody's presence could not be noted; this is tried again at the next tick.")
                here = True
            if not here:
                await self.sign_out()
                return
            if count % self.redrawn == 0:
                self.draw()
            count += 1
            await asyncio.sleep(TICK_S)
            await self.send(json.dumps({"now": time.time_ns() // 1_000_000}))

    async def still_here(self) -> bool:
        """Whether the user is still signed in; if so, note that they are here."""
        return self.session is None or await self.signed_in(self.session)

    @database_sync_to_async
    def signed_in(self, session: str) -> bool:
        if not sessions.alive([session]):
            return False
        self.stays()
        return True

    async def look(self) -> tuple[str | None, str]:
        """The address that the page should go to (None if it shows nothing any more), or else what it lacks."""
        if self.drawing:
            go, regions = await self.drawing.look(time.monotonic() - TICK_S * self.redrawn, self.drawn_now)
        else:
            go, regions = await self.drawn_now()
        html = update(self.drawn, regions)
        self.drawn = regions or self.drawn
        return go, html

    @database_sync_to_async
    def drawn_now(self) -> News:
        habits = datetimes.UNKNOWN if self.drawing else self.habits
        with translation.override(self.language), datetimes.as_read_by(lambda: habits):
            return self.news()


def update(drawn: dict[str, str], regions: dict[str, str]) -> str:
    """The regions that differ from those drawn last, as one message."""
    return "".join(html for name, html in regions.items() if drawn.get(name) != html)
