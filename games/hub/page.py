"""The sockets of pages that consist of regions: after a nudge, each person is sent the regions that changed.

A region is the element with its name as id, which htmx morphs. What is the same for all strangers is drawn once for all
of them (`Drawing`).
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import ClassVar
from urllib.parse import parse_qs
from weakref import WeakValueDictionary

from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.utils import translation
from django.utils.html import format_html
from prometheus_client import Gauge

from accounts.people import sessions
from accounts.web import datetimes
from accounts.web.swaps import morphed
from games.hub import nudges
from games.hub.sockets import LONGEST_MESSAGE, MALFORMED, NOT_HERE, PageConsumer

log = logging.getLogger(__name__)

News = tuple[str | None, dict[str, str]]
"""Where a page should go (None if it shows nothing any more), or else its regions by id."""
TICK_S = 10
"""Seconds between heartbeats to a page, at which its session is checked."""
TICK = "<!---->"
"""A heartbeat: nothing to swap."""
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
    """A page is drawn again every so many ticks, for the times in it; 0: never."""
    pages: ClassVar[set[NewsConsumer]] = set()
    """Those of this process that are connected."""
    round: ClassVar[asyncio.Task[None] | None] = None
    group = ""
    drawing: Drawing | None = None
    """The one that this page shares with others."""

    async def connect(self) -> None:
        query = parse_qs(self.scope["query_string"].decode("ascii", "replace"))
        self.query = {name: texts[0] for name, texts in query.items()}
        self.drawn: dict[str, str] = {}
        self.again = False
        self.ticks = 0
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
        self.pages.add(self)
        nudges.join(self.group, self)
        if NewsConsumer.round is None or NewsConsumer.round.done():
            NewsConsumer.round = asyncio.create_task(go_round())
        # Somebody who has signed out since the session was read was not told.
        if not await close_ended([self]):
            self.tick()

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
        """Note that the user is still here, whenever the page is drawn. In a thread."""

    def gone(self) -> None:
        if self in self.pages:
            self.gauge.dec()
            nudges.part(self.group, self)
            self.pages.discard(self)
            self.drawing = None
            if self.task:
                self.task.cancel()
            if not self.pages and NewsConsumer.round:
                NewsConsumer.round.cancel()
                NewsConsumer.round = None

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        # A page sends nothing here: whatever people do there are forms.
        if text_data is None or len(text_data) > LONGEST_MESSAGE:
            await self.close(MALFORMED)

    def signed_out(self, user: int | None) -> None:
        """Some session of a user, or of anybody, has ended: perhaps the one of this page."""
        if user in (self.user.pk, None):
            self.ending = asyncio.create_task(close_ended([self]))

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
            try:
                go, html = await self.look()
            except DatabaseError:
                log.exception("A page could not be drawn; this is tried again with the next change or tick.")
                self.ticks = 0
            else:
                if go is None:
                    await self.close(NOT_HERE)
                elif go:
                    await self.send(format_html('<a id="go" href="{}" hidden></a>', go))
                elif html:
                    await self.send(html)
            await asyncio.sleep(STRANGERS_PAUSE_S if self.drawing else PAUSE_S)

    def tick(self) -> None:
        """Show how times go on."""
        if self.ticks == 0 or (self.redrawn and self.ticks % self.redrawn == 0):
            self.draw()
        self.ticks += 1

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
        self.stays()
        habits = datetimes.UNKNOWN if self.drawing else self.habits
        with translation.override(self.language), datetimes.as_read_by(lambda: habits):
            return self.news()


def update(drawn: dict[str, str], regions: dict[str, str]) -> str:
    """The regions that differ from those drawn last, as one message."""
    return "".join(morphed(html) for name, html in regions.items() if drawn.get(name) != html)


async def go_round() -> None:
    """Every TICK_S send a heartbeat to each page, spread over that time, and close those of ended sessions."""
    while True:
        pages = list(NewsConsumer.pages)
        try:
            await close_ended(pages)
            nudges.show_online()
        except Exception:
            log.exception("The pages of ended sessions could not be found; this is tried again.")
        for page in pages:
            await asyncio.sleep(TICK_S / len(pages))
            if page not in NewsConsumer.pages:
                continue
            try:
                await page.send(TICK)
                page.tick()
            except Exception:
                log.exception("A page could not be reached; this is tried again at the next tick.")
        if not pages:
            await asyncio.sleep(TICK_S)


async def close_ended(pages: list[NewsConsumer]) -> bool:
    """Close the pages whose sessions have ended. Returns whether there were any."""
    keys = {page.session for page in pages if page.session}
    alive = await database_sync_to_async(sessions.alive)(keys) if keys else set()
    ended = [page for page in pages if page.session and page.session not in alive and page in NewsConsumer.pages]
    for page in ended:
        await page.sign_out()
    return bool(ended)
