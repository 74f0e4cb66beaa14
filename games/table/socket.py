"""The socket of a table's page: the messages that the page may send, and how many."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone, translation

from accounts.models import User
from accounts.web.network import network_of_socket
from accounts.web.refused import Refused
from accounts.web.swaps import refusal
from games.faces.language import _
from games.hub import metrics, relay
from games.hub.sockets import LONGEST_MESSAGE, MALFORMED, NOT_HERE, TOO_MANY, PageConsumer
from games.matches import access, chat, reminders
from games.matches.models import Match
from games.table.board import Board
from games.table.room import Table, close_ended

log = logging.getLogger(__name__)

MESSAGES, SECONDS = settings.PAGE_MESSAGES, 10
"""The most messages that one page may send in this many seconds."""


class TableConsumer(PageConsumer):
    """One page of a table."""

    table: Table | None = None

    async def connect(self) -> None:
        self.key = self.scope["url_route"]["kwargs"]["key"]
        self.network = network_of_socket(self.scope)
        self.drawn: Board | None = None
        """The board that the page shows."""
        self.heard = self.watched = 0
        self.sent_at: list[float] = []
        """When it sent its last messages: most pages send none for a long time."""
        self.doubted = False
        """Whether somebody has signed out since this page came: perhaps its own user."""
        self.behind = False
        """Whether there may be lines of a chat that it has not shown."""
        self.seen = -1
        """The ply of the last question that was looked at here without an answer."""
        table = Table.at(self.key)
        table.coming.add(self)
        try:
            await self.come()
            # For all that this task does.
            translation.activate(self.language)
            match = await table.current()
            if match is None or match.started_at is None or not await table.may_see(match, self.user):
                await self.close(NOT_HERE)
                return
            metrics.table_sockets.inc()
            self.table = table
            table.enter(self)
            if self.doubted:
                await close_ended([self])
        finally:
            if self.table is None:
                table.leave(self)

    def gone(self) -> None:
        if self.table:
            self.table.leave(self)
            self.table = None
            metrics.table_sockets.dec()

    async def turn_away(self) -> None:
        """Close, because the user may no longer see this match."""
        self.gone()
        await self.close(NOT_HERE)

    async def push(self, text: str) -> None:
        """Send, unless the page has gone meanwhile."""
        if self.table:
            message: Any = {"type": "websocket.send", "text": text}
            await self.base_send(message)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.table is None:
            return
        message = read_message(text_data)
        now = time.monotonic()
        if message is None:
            await self.close(MALFORMED)
        elif len(self.sent_at) == MESSAGES and now - self.sent_at[0] < SECONDS:
            await self.close(TOO_MANY)
        else:
            self.sent_at = [*self.sent_at, now][-MESSAGES:]
            says = await self.act(message)
            if says:
                await self.push(refusal(says))
            if self.table and says:
                self.drawn = None
                self.table.draw_soon()

    async def act(self, message: dict[str, Any]) -> str | None:
        """Do what the page asks. Returns the sentence to show if that is not possible."""
        table = self.table
        assert table is not None
        try:
            if relay.deaf():
                await close_ended([self])
            await table.closed_ended()
            if self.table is None:
                return None
            if "text" in message:
                await self.say(chat.say, message["text"])
            elif "phrase" in message:
                await self.say(chat.say_phrase, message["phrase"])
            elif "seen" in message:
                await self.see(message["seen"])
            else:
                since = time.perf_counter()
                await table.play(self, message["ply"], message["move"])
                metrics.answer_time.observe(time.perf_counter() - since)
        except Refused as refusal:
            metrics.refused.inc()
            return str(refusal)
        except DatabaseError:
            metrics.failed.inc()
            log.exception("A message of a page could not be written.")
            table.nudged()
            return _("The site couldn’t save that. The table shows how it stands; please send it again.")
        return None

    async def see(self, ply: int) -> None:
        """Note that the player has seen this question. It matters to nobody else, nor does a failure to note it."""
        match = await self.table.current() if self.table else None
        seat = access.seat_of(match, self.user) if match else None
        if match and seat and ply == match.ply > self.seen and match.mover == seat.index:
            self.seen = ply
            with suppress(DatabaseError):
                await database_sync_to_async(reminders.seen)(match, seat, timezone.now())

    @database_sync_to_async
    def say(self, say: Callable[[Match, User, str], None], what: str) -> None:
        match = access.find(self.key)
        if match and self.table and self.user.is_authenticated and access.may_see(match, self.user):
            say(match, self.user, what)


IGNORED = {"HEADERS", "csrfmiddlewaretoken"}
"""What htmx sends besides with every form."""
NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)


def read_message(text: str | None) -> dict[str, Any] | None:
    """The form that a page sends, as htmx writes it, else None: the fields `ply` and one or several `move`; `text`;
    `phrase`; or `seen`. Plies are numbers then, and moves a list."""
    if not text or len(text) > LONGEST_MESSAGE:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return None
    match {name: value for name, value in message.items() if name not in IGNORED}:
        case {"ply": str(ply), "move": str() | [*_] as moves, **rest} if not rest and NUMBER.fullmatch(ply):
            moves = [moves] if isinstance(moves, str) else moves
            return {"ply": int(ply), "move": moves} if all(isinstance(move, str) for move in moves) else None
        case {"text": str(), **rest} | {"phrase": str(), **rest} as said if not rest:
            return said
        case {"seen": str(ply), **rest} if not rest and NUMBER.fullmatch(ply):
            return {"seen": int(ply)}
    return None
