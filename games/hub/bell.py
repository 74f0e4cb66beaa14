"""The socket of the bell in the header of every page: the number of notices that the reader has not seen."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import ClassVar

from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.utils import translation

from accounts.notices import notices
from accounts.people import sessions
from accounts.web import datetimes
from games.hub import metrics, nudges
from games.hub.sockets import LONGEST_MESSAGE, MALFORMED, SIGNED_OUT, PageConsumer

log = logging.getLogger(__name__)

ROUND_S = 20
"""Seconds between heartbeats to the bells, at which those of ended sessions are closed."""
PAUSE_S = 0.2
"""Nudges within this time are answered together."""


class BellConsumer(PageConsumer):
    """The bell of one page. It sends nothing, and only registered users hear anything."""

    bells: ClassVar[set[BellConsumer]] = set()
    rounds: ClassVar[asyncio.Task[None] | None] = None
    task: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        self.shown: int | None = None
        self.newest = 0
        self.again = False
        await self.come()
        if not self.user.is_authenticated or self.user.guest:
            await self.close(SIGNED_OUT)
            return
        self.users = {self.user.pk}
        metrics.bell_sockets.inc()
        self.bells.add(self)
        self.group = nudges.bell_group(self.user.pk)
        nudges.join(self.group, self)
        if BellConsumer.rounds is None or BellConsumer.rounds.done():
            BellConsumer.rounds = asyncio.create_task(go_round())
        # Somebody who has signed out since the session was read was not told.
        if await close_ended([self]):
            return
        self.nudged()

    def gone(self) -> None:
        if self not in self.bells:
            return
        metrics.bell_sockets.dec()
        nudges.part(self.group, self)
        self.bells.discard(self)
        if self.task:
            self.task.cancel()
        if not self.bells and BellConsumer.rounds:
            BellConsumer.rounds.cancel()
            BellConsumer.rounds = None

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if text_data is None or len(text_data) > LONGEST_MESSAGE:
            await self.close(MALFORMED)

    def signed_out(self, user: int) -> None:
        """Some session of a user has ended: perhaps the one of this page."""
        if user == self.user.pk:
            self.ending = asyncio.create_task(close_ended([self]))

    def nudged(self) -> None:
        """Count again, and once more if something changes meanwhile."""
        self.again = True
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.refresh())

    async def refresh(self) -> None:
        while self.again:
            self.again = False
            try:
                message = await self.look()
            except DatabaseError:
                log.exception("The notices of somebody could not be counted; this is tried again at the next nudge.")
                return
            if message:
                await self.send(json.dumps(message))
            await asyncio.sleep(PAUSE_S)

    @database_sync_to_async
    def look(self) -> dict[str, str | int]:
        """What the page does not show yet: the number, its words, and the newest sentence."""
        assert self.user.is_authenticated
        unseen = notices.unseen(self.user)
        newest = max((notice.pk for notice in unseen), default=0)
        news = next((notice for notice in unseen if notice.pk == newest), None)
        first, self.newest, before = self.shown is None, max(newest, self.newest), self.newest
        if len(unseen) == self.shown and newest <= before:
            return {}
        self.shown = len(unseen)
        bell = notices.Bell(len(unseen))
        with translation.override(self.language), datetimes.as_read_by(lambda: self.habits):
            message: dict[str, str | int] = {"unseen": bell.number, "shown": bell.shown, "label": bell.label}
            if news and newest > before and not first:
                message["news"] = notices.in_text(news)
        return message


async def go_round() -> None:
    """Send heartbeats, close the bells of ended sessions, and tell other processes who is here."""
    while True:
        await asyncio.sleep(ROUND_S)
        try:
            await close_ended(list(BellConsumer.bells))
            nudges.show_online()
            for bell in list(BellConsumer.bells):
                await bell.send("{}")
        except Exception:
            log.exception("The bells of ended sessions could not be found; this is tried again.")


async def close_ended(bells: list[BellConsumer]) -> bool:
    """Close the bells whose sessions have ended. Returns whether there were any."""
    alive = (
        await database_sync_to_async(sessions.alive)({bell.session for bell in bells if bell.session})
        if bells
        else set()
    )
    ended = [bell for bell in bells if bell.session not in alive and bell in BellConsumer.bells]
    for bell in ended:
        await bell.sign_out()
    return bool(ended)
