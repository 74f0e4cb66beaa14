"""The sockets of pages that consist of regions: after a nudge, each person is sent the regions that changed."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.utils import translation
from prometheus_client import Gauge

from accounts import moments, sessions
from games.hub import nudges
from games.hub.sockets import LONGEST_MESSAGE, MALFORMED, NOT_HERE, PageConsumer

log = logging.getLogger(__name__)

TICK_S = 10
"""Seconds between heartbeats to a page, at which its session is checked."""
PAUSE_S = 0.2
"""Nudges within this time are answered together."""


class NewsConsumer(PageConsumer):
    """One page whose regions are sent again when they have changed."""

    gauge: Gauge
    """Counts the sockets of such pages."""
    redrawn = 1
    """A page is drawn again every so many ticks, for the times in it."""
    group = ""
    ticks: asyncio.Task[None] | None = None

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
        self.gauge.inc()
        nudges.join(self.group, self)
        self.ticks = asyncio.create_task(self.tick())

    async def find_group(self) -> str | None:
        """The group of `games.hub.nudges` whose changes the page shows; None if there is nothing to show."""
        raise NotImplementedError

    def news(self) -> tuple[str | None, dict[str, str]]:
        """Where the page should go (None if it shows nothing any more), or else its regions by id. In a thread."""
        raise NotImplementedError

    def stays(self) -> None:
        """Note that the user is still here. In a thread."""

    def gone(self) -> None:
        if self.ticks:
            self.gauge.dec()
            nudges.part(self.group, self)
            self.ticks.cancel()
            self.ticks = None
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
            await asyncio.sleep(PAUSE_S)

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
                self.nudged()
            count += 1
            await asyncio.sleep(TICK_S)
            await self.send(json.dumps({"now": time.time_ns() // 1_000_000}))

    @database_sync_to_async
    def still_here(self) -> bool:
        """Whether the user is still signed in; if so, note that they are here."""
        if self.session is None:
            return True
        if not sessions.alive([self.session]):
            return False
        self.stays()
        return True

    @database_sync_to_async
    def look(self) -> tuple[str | None, str]:
        """The address that the page should go to (None if it shows nothing any more), or else what it lacks."""
        with translation.override(self.language), moments.as_read_by(lambda: self.habits):
            go, regions = self.news()
        html = update(self.drawn, regions)
        self.drawn = regions or self.drawn
        return go, html


def update(drawn: dict[str, str], regions: dict[str, str]) -> str:
    """The regions that differ from those drawn last, as one message."""
    return "".join(html for name, html in regions.items() if drawn.get(name) != html)
