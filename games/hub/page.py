"""The sockets of pages that consist of regions: a nudge comes, what changed is drawn for each person, and sent."""

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

from accounts import sessions
from games.hub import nudges
from games.hub.sockets import LONGEST_MESSAGE, MALFORMED, NOT_HERE, PageConsumer

log = logging.getLogger(__name__)

TICK_S = 10
"""So often a page hears that the line is still there, and it is looked whether its reader still is."""
PAUSE_S = 0.2
"""Nudges that come within this time are answered together."""


class NewsConsumer(PageConsumer):
    """One page whose regions are sent again when they have changed."""

    gauge: Gauge
    """Counts the sockets of such pages."""
    redrawn = 1
    """At every so many ticks a page is drawn again for the times in it."""
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
        """Whose changes the page shows: a group of `games.hub.nudges`; None if there is nothing to show."""
        raise NotImplementedError

    def news(self) -> tuple[str | None, dict[str, str]]:
        """Where the page should go (None: it shows nothing any more), or else its regions, by id. In a thread."""
        raise NotImplementedError

    def stays(self) -> None:
        """The user is still here. In a thread."""

    def gone(self) -> None:
        if self.ticks:
            self.gauge.dec()
            nudges.part(self.group, self)
            self.ticks.cancel()
            self.ticks = None
            if self.task:
                self.task.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        # A page has nothing to say here: what one does there are forms.
        if text_data is None or len(text_data) > LONGEST_MESSAGE:
            await self.close(MALFORMED)

    def signed_out(self, user: int) -> None:
        """Some session of a user has ended: it may have been that of this page."""
        if user == self.user.pk and self.ticks:
            self.ticks.cancel()
            self.ticks = asyncio.create_task(self.tick())

    def nudged(self) -> None:
        """Draw again; once more if something changes meanwhile."""
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
                log.exception("Whether somebody is still there could not be noted; it is with the next tick.")
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
        """Whether the user is signed in still; if so, that he is here is noted."""
        if self.session is None:
            return True
        if not sessions.alive([self.session]):
            return False
        self.stays()
        return True

    @database_sync_to_async
    def look(self) -> tuple[str | None, str]:
        """Where the page should go (None: nowhere, it shows nothing any more), or else what it lacks."""
        with translation.override(self.language):
            go, regions = self.news()
        html = update(self.drawn, regions)
        self.drawn = regions or self.drawn
        return go, html


def update(drawn: dict[str, str], regions: dict[str, str]) -> str:
    """The regions that are not as they were drawn last, as one message."""
    return "".join(html for name, html in regions.items() if drawn.get(name) != html)
