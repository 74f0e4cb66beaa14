"""The sockets of the lobby and of the waiting rooms: a nudge comes, what changed is drawn for each person, and sent."""

from __future__ import annotations

import asyncio
import json
import logging
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.utils import timezone, translation

from accounts import sessions
from games import live, lobby, metrics
from games.clocks import ms_of
from games.consumers import LONGEST_MESSAGE, MALFORMED, NOT_HERE, PageConsumer
from games.services import quick

log = logging.getLogger(__name__)

TICK_S = 10
"""So often a page is drawn again for the times in it, and who waits for a quick match is noted as still there."""
PAUSE_S = 0.2
"""Nudges that come within this time are answered together."""


class LobbyConsumer(PageConsumer):
    """One page of the lobby, or of a waiting room.

    `?room=KEY` in its address names the room. With `?since=MS`, when the page was made, it is led to any match of its
    user that has begun since then.
    """

    ticks: asyncio.Task | None = None

    async def connect(self):
        query = parse_qs(self.scope["query_string"].decode("ascii", "replace"))
        self.room = query.get("room", [""])[0]
        self.since = lobby.moment(query.get("since", [""])[0])
        self.drawn: dict[str, str] = {}
        self.again = False
        self.task: asyncio.Task | None = None
        await self.come()
        self.users = {self.user.pk} if self.user.is_authenticated else set()
        metrics.lobby_sockets.inc()
        live.join(live.LOBBY, self)
        self.ticks = asyncio.create_task(self.tick())

    def gone(self) -> None:
        if self.ticks:
            metrics.lobby_sockets.dec()
            live.part(live.LOBBY, self)
            self.ticks.cancel()
            self.ticks = None
            if self.task:
                self.task.cancel()

    async def receive(self, text_data=None, bytes_data=None):
        # A page has nothing to say here: what one does in the lobby are forms.
        if text_data is None or len(text_data) > LONGEST_MESSAGE:
            await self.close(MALFORMED)

    def signed_out(self, user: int) -> None:
        """Some session of a user has ended: it may have been that of this page."""
        if user == self.user.pk:
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
        while True:
            try:
                here = await self.still_here()
            except DatabaseError:
                log.exception("Whether somebody is still in the lobby could not be noted; it is with the next tick.")
                here = True
            if not here:
                await self.sign_out()
                return
            self.nudged()
            await asyncio.sleep(TICK_S)
            await self.send(json.dumps({"now": ms_of(timezone.now())}))

    @database_sync_to_async
    def still_here(self) -> bool:
        """Whether the user is signed in still; if so, that he is here is noted."""
        if self.session is None:
            return True
        if not sessions.alive([self.session]):
            return False
        quick.touch(self.user)
        return True

    @database_sync_to_async
    def look(self) -> tuple[str | None, str]:
        """Where the page should go (None: nowhere, it shows nothing any more), or else what it lacks."""
        with translation.override(self.language):
            go, regions = lobby.news(self.user, self.room, self.since)
        html = update(self.drawn, regions)
        self.drawn = regions or self.drawn
        return go, html


def update(drawn: dict[str, str], regions: dict[str, str]) -> str:
    """The regions that are not as they were drawn last, as one message."""
    return "".join(html for name, html in regions.items() if drawn.get(name) != html)
