"""The sockets of a table: a nudge comes, what changed is drawn for each viewer, and sent."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import deque
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError
from django.utils import translation

from accounts.models import Session
from games import board, live, present
from games.clocks import now_ms
from games.engine.core import RulesError
from games.models import Match
from games.services import play, say

log = logging.getLogger(__name__)

NOT_HERE, MALFORMED, TOO_MANY, SIGNED_OUT = 4404, 4400, 4429, 4401
"""Close codes of ours: none of them is worth another try."""
LONGEST_MESSAGE = 2000
MESSAGES, SECONDS = settings.PAGE_MESSAGES, 10
"""So many messages in so many seconds, and no more, may one page send."""
TICK_S = 15
AWAY_S = 3
"""A page that is loaded again within this time was never away."""


class Table:
    """The pages of one match in this process: one look at the match serves them all."""

    tables: dict[str, Table] = {}

    def __init__(self, key: str):
        self.key = key
        self.pages: set[TableConsumer] = set()
        self.again = False
        self.task: asyncio.Task | None = None
        self.ticks: asyncio.Task | None = None

    @classmethod
    def enter(cls, page: TableConsumer) -> Table:
        """The table of a page, which is among its pages from now on."""
        table = cls.tables.get(page.key)
        if table is None:
            table = cls.tables[page.key] = cls(page.key)
            live.join(page.key, table)
            table.ticks = asyncio.create_task(table.tick())
        table.pages.add(page)
        table.nudged()
        return table

    def leave(self, page: TableConsumer) -> None:
        """The page is gone; the others see it a moment later."""
        self.pages.discard(page)
        if self.pages:
            asyncio.get_running_loop().call_later(AWAY_S, self.nudged)
        elif self.tables.get(self.key) is self:
            live.part(self.key, self)
            self.ticks.cancel()
            del self.tables[self.key]

    @property
    def users(self) -> set[int]:
        """The ids of those who have a page of this match open."""
        # A copy: this is read in other threads, while pages come and go.
        return {page.user.pk for page in list(self.pages) if page.user.is_authenticated}

    def nudged(self) -> None:
        """Draw again; once more if something changes meanwhile."""
        self.again = True
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.refresh())

    async def refresh(self) -> None:
        while self.again and self.pages:
            self.again = False
            pages = list(self.pages)
            for page, html in await self.draw(pages):
                await page.push(html)

    @database_sync_to_async
    def draw(self, pages: list[TableConsumer]) -> list[tuple[TableConsumer, str]]:
        """What each page lacks."""
        match = present.find(self.key)
        drawn: dict[tuple[int | None, str], dict[str, str]] = {}
        messages = []
        for page in pages:
            seat = present.seat_of(match, page.user)
            viewer = (seat.index if seat else None, page.language)
            with translation.override(page.language):
                if viewer not in drawn:
                    drawn[viewer] = board.draw(present.scene(match, viewer[0]))
                lines = say.heard(match, seat, page.heard) if page.wants_chat(match) else []
                html = board.update(page.drawn, drawn[viewer]) + board.chat_update(lines)
            page.drawn = drawn[viewer]
            page.heard = lines[-1].pk if lines else page.heard
            if html:
                messages.append((page, html))
        return messages

    async def tick(self) -> None:
        """Every now and then say how the clocks stand, and close the pages of who has signed out elsewhere."""
        while True:
            await asyncio.sleep(TICK_S)
            try:
                text, alive = await self.read_clocks({page.session for page in self.pages if page.session})
            except DatabaseError:
                log.exception("The clocks of %s could not be read; they are with the next tick.", self.key)
                continue
            for page in list(self.pages):
                if page.session and page.session not in alive:
                    await page.close(SIGNED_OUT)
                else:
                    await page.push(text)

    @database_sync_to_async
    def read_clocks(self, keys: set[str]) -> tuple[str, set[str]]:
        """How the clocks stand, and which of the sessions with these keys have not ended."""
        match = present.find(self.key)
        sitters = present.sitters(match)
        data = {
            "ply": match.ply,
            "mover": match.mover,
            "clocks": [sitter.left_ms for sitter in sitters],
            "here": [sitter.here for sitter in sitters],
            "deadline": match.deadline,
            "now": now_ms(),
        }
        alive = set(Session.objects.filter(session_key__in=keys).values_list("session_key", flat=True))
        return json.dumps(data), alive


class TableConsumer(AsyncWebsocketConsumer):
    """One page of a table."""

    table: Table | None = None

    async def connect(self):
        self.key = self.scope["url_route"]["kwargs"]["key"]
        self.user = self.scope["user"]
        self.session = self.scope["session"].session_key if self.user.is_authenticated else None
        self.language = language_of(self.scope)
        self.drawn: dict[str, str] = {}
        self.heard = 0
        self.sent_at: deque[float] = deque(maxlen=MESSAGES)
        await self.accept()
        if await self.may_see():
            self.table = Table.enter(self)
        else:
            await self.close(NOT_HERE)

    async def disconnect(self, code):
        if self.table:
            self.table.leave(self)
            self.table = None

    @database_sync_to_async
    def may_see(self) -> bool:
        match = present.find(self.key)
        return match is not None and match.started_at is not None and present.may_see(match, self.user)

    def wants_chat(self, match: Match) -> bool:
        """The chat is for those who play."""
        return self.user.is_authenticated and match.started_at is not None

    async def push(self, text: str) -> None:
        """Send, unless the page has gone meanwhile."""
        if self.table:
            await self.send(text_data=text)

    async def receive(self, text_data=None, bytes_data=None):
        if self.table is None:
            return
        message = read_message(text_data)
        now = time.monotonic()
        if message is None:
            await self.close(MALFORMED)
        elif len(self.sent_at) == MESSAGES and now - self.sent_at[0] < SECONDS:
            await self.close(TOO_MANY)
        else:
            self.sent_at.append(now)
            says = await self.answer(message)
            if says:
                await self.push(json.dumps({"says": says}))
            if says or "sync" in message:
                self.drawn = {}
                self.table.nudged()

    @database_sync_to_async
    def answer(self, message: dict[str, Any]) -> str | None:
        """Do what the page asks; the sentence to show if that is not possible."""
        with translation.override(self.language):
            match = present.find(self.key)
            seat = present.seat_of(match, self.user)
            if "sync" in message or seat is None:
                return None
            try:
                if "say" in message:
                    say.say(match, seat, message["say"])
                else:
                    play.play(match, seat.index, message["ply"], message["move"])
            except (play.Refused, RulesError) as refusal:
                return refused(refusal)
        return None


def refused(refusal: Exception) -> str:
    """The sentence that a player reads whose answer could not be taken."""
    if isinstance(refusal, play.Refused):
        return str(refusal)
    return translation.gettext("That answer is not possible here. The table shows what is.")


def read_message(text: str | None) -> dict[str, Any] | None:
    """A message of a page: `{"ply": 3, "move": ["bid 5"]}`, `{"say": "..."}`, `{"sync": true}`; else None."""
    if not text or len(text) > LONGEST_MESSAGE:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match message:
        case {"ply": int(), "move": [*moves], **rest} if not rest and all(isinstance(move, str) for move in moves):
            return message
        case {"say": str(), **rest} | {"sync": True, **rest} if not rest:
            return message
    return None


def language_of(scope) -> str:
    """The language that the address of a socket asks for, if the site speaks it."""
    query = dict(part.partition("=")[::2] for part in scope["query_string"].decode("ascii", "replace").split("&"))
    wanted = query.get("lang", "")
    return wanted if wanted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
