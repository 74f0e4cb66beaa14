"""A table in this process: the open pages of one match, and the match as it is remembered between two answers.

An answer by a socket needs no query: it is computed from memory and claimed by `ply` and `revision`, so that nothing
false can be written. A change by anybody else is discovered by that claim, by its nudge, or in the next round.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.utils import translation

from accounts.people import sessions
from accounts.web import throttle
from accounts.web.network import Network
from accounts.web.refused import Refused
from accounts.web.requests import Visitor
from games.engine.core import RulesError
from games.faces.face import Common
from games.faces.language import drawing
from games.faces.registry import face_of
from games.hub import metrics, nudges, relay
from games.matches import access, chat, history
from games.matches.clocks import now_ms
from games.matches.models import Line, Match
from games.matches.play import TRIES
from games.matches.turn import NotPossible, Stale, Turn, prepare
from games.table import board, present, writer

log = logging.getLogger(__name__)

ROUND_S = 15
"""Seconds between messages to all pages about the clock that runs, by which they know that they are connected."""
COMPARE_S = 4
"""Seconds between comparisons with the database, which find changes that no nudge announced ..."""
DEAF_S = 1
"""... and the same, and a look at the sessions of all pages, while no nudges arrive from other processes."""
AWAY_S = 3
"""A page that is loaded again within this time was never away."""
Viewer = tuple[int | None, str, access.MatchContext | None]
"""Pages with the same one show the same: seat, language, and what their users may know of an ended game's ladder."""


class TablePage(Protocol):
    """The socket of one page of the table, as far as the table knows it."""

    user: Visitor
    network: Network
    session: str | None
    """The key of the session by which the page was opened; None for visitors."""
    language: str
    table: Table | None
    """The table that the page listens to; None before it came, and after it has gone."""
    drawn: board.Board | None
    """The board that the page shows; None if it needs the whole."""
    doubted: bool
    """Whether a session of the user may have ended while the page was opening."""
    behind: bool
    """Whether there may be lines of a chat that the page has not shown."""
    heard: int
    """The id of the last line that it has shown of the chat that its user takes part in."""
    watched: int
    """The same of the watchers' chat, which players read when the game has ended."""

    async def push(self, text: str) -> None:
        """Send a message, unless the page has gone."""

    async def sign_out(self) -> None:
        """Close: the session has ended."""

    async def turn_away(self) -> None:
        """Close: the user may not see this match any more."""


class Table:
    """The pages of one match in this process."""

    tables: dict[str, Table] = {}
    rounds: asyncio.Task[None] | None = None

    def __init__(self, key: str) -> None:
        self.key = key
        self.coming: set[TablePage] = set()
        """Pages that are not yet known to be allowed to see the match."""
        self.pages: set[TablePage] = set()
        self.log: history.Replay | None = None
        """Kept here, so that it is not forgotten while anybody looks."""
        self.match: Match | None = None
        """The match as remembered; somebody may have changed it while `doubted`."""
        self.doubted = True
        self.talk = False
        """Whether there may be lines in a chat."""
        self.ended = False
        """Whether players have been shown what the watchers said."""
        self.looking = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None
        self.closing: set[asyncio.Task[None]] = set()
        self.common: Common | None = None
        """What all viewers saw alike last."""
        self.boards: dict[Viewer, board.Board] = {}
        """The last board of each viewer."""
        self.here: list[bool | None] = []
        """By seat, whether the player was here in the last round."""
        self.again = False
        self.since = 0.0

    @classmethod
    def at(cls, key: str) -> Table:
        """The table of a match, which hears of everything that happens there until its last page has left."""
        table = cls.tables.get(key)
        if table is None:
            table = cls.tables[key] = cls(key)
            nudges.join(key, table)
            if cls.rounds is None or cls.rounds.done():
                cls.rounds = asyncio.create_task(go_round())
        return table

    def enter(self, page: TablePage) -> None:
        """Add a page to the table."""
        self.coming.discard(page)
        self.pages.add(page)
        page.behind = self.talk
        self.tell(ask=len(self.pages) == 1)
        self.draw_soon()

    def leave(self, page: TablePage) -> None:
        """Remove a page; the others see it a moment later."""
        self.coming.discard(page)
        if page in self.pages:
            self.pages.discard(page)
            asyncio.get_running_loop().call_later(AWAY_S, self.miss)
        if not self.pages and not self.coming and self.tables.get(self.key) is self:
            nudges.part(self.key, self)
            del self.tables[self.key]
            if not self.tables and Table.rounds:
                Table.rounds.cancel()
                Table.rounds = None

    def miss(self) -> None:
        """Tell the others, if somebody left some time ago and has not come back."""
        if self.pages or self.key not in self.tables:
            self.tell()
            self.met()

    def tell(self, ask: bool = False) -> None:
        """Tell the other processes who is here; `ask` them to do the same."""
        nudges.present(self.key, self.users, self.strangers, ask)

    @property
    def users(self) -> set[int]:
        """The ids of those who have a page of this match open."""
        # A copy: this is read in other threads, while pages come and go.
        return {page.user.pk for page in list(self.pages) if page.user.is_authenticated}

    @property
    def strangers(self) -> int:
        """How many networks there are from which somebody without a session has a page of this match open."""
        return len({page.network for page in list(self.pages) if not page.user.is_authenticated})

    # News of the match

    def turned(self, turn: Turn) -> None:
        """A turn is in the log: go on from it, if nothing else has happened."""
        match = self.match
        if match is None or self.looking.locked() or turn.ends:
            self.doubted = True
        elif (match.ply, match.revision) == (turn.ply, turn.revision):
            turn.show(match)
        elif match.ply < turn.header["ply"]:
            self.doubted = True
        self.draw_soon()

    def reached(self, ply: int) -> None:
        """Another process has brought the match to this ply."""
        if self.match is None or self.match.ply < ply or self.looking.locked():
            self.nudged()

    def nudged(self) -> None:
        """Something about the match has changed."""
        self.doubted = True
        self.draw_soon()

    def said(self) -> None:
        """There are new lines in a chat."""
        self.talk = True
        for page in self.pages:
            page.behind = True
        self.draw_soon()

    def met(self) -> None:
        """Somebody has come or gone."""
        self.draw_soon()

    def greeted(self) -> None:
        """Another process asks who is here."""
        self.tell()
        self.draw_soon()

    def signed_out(self, user: int | None) -> None:
        """Somebody has ended some of their sessions: close the pages that were opened with them."""
        for page in self.coming:
            page.doubted = True
        if pages := [page for page in self.pages if page.session and user in (page.user.pk, None)]:
            task = asyncio.create_task(close_ended(pages))
            self.closing.add(task)
            task.add_done_callback(self.closing.discard)

    def watched_by_few(self, user: Visitor) -> bool:
        """Whether the user watches a running match here that is not for everybody."""
        match = self.match
        if match is None or match.status != Match.Status.RUNNING or match.watch != Match.Watch.CLUB:
            return False
        return all(seat.user_id != user.pk for seat in match.sitting if seat.user_id)

    async def closed_ended(self) -> None:
        """Return when the pages of users who have just signed out are closed: nothing of theirs is done any more."""
        if self.closing:
            await asyncio.wait(self.closing)

    def look_round(self, match: Match) -> None:
        """Draw again if somebody has come or gone whom no nudge told of: their process may have died."""
        before, self.here = self.here, [sitter.here for sitter in present.sitters(match)]
        if before and before != self.here:
            self.met()

    # Answers

    async def current(self) -> Match | None:
        """The match, queried again if memory may be wrong; None if there is none. Its log is known."""
        if self.doubted or self.looking.locked():
            async with self.looking:
                while self.doubted:
                    self.doubted = False
                    try:
                        self.match, self.log = await database_sync_to_async(look)(self.key)
                        self.talk = self.talk or bool(self.match and (self.match.talked or self.match.watchers_talked))
                    except BaseException:
                        self.doubted = True
                        raise
        match = self.match
        if match is not None and match.started_at is not None and not history.known(match):
            self.log = await database_sync_to_async(history.replay)(match)
        return match

    async def may_see(self, match: Match, user: Visitor) -> bool:
        """Whether a user may see the match, by a query only if it takes one."""
        if access.as_member(match, user):
            return await database_sync_to_async(access.may_see)(match, user)
        return access.may_see(match, user)

    async def play(self, page: TablePage, ply: int, texts: list[str]) -> None:
        """Make an answer. Raises Refused, DatabaseError."""
        try:
            await self.try_to_play(page, ply, texts)
        except RulesError as error:
            raise NotPossible(await self.why_not(page, texts)) from error

    async def try_to_play(self, page: TablePage, ply: int, texts: list[str]) -> None:
        """The same. Raises RulesError, too, if the rules do not allow the answer."""
        throttle.count("moves", page.user.pk)
        if page.user.is_authenticated and page.user.guest:
            throttle.count("answers", page.network)
        match = await self.current()
        if match is None or access.seat_of(match, page.user) is None:
            raise Stale
        with suppress(Refused):
            if await self.answer(page, ply, texts):
                return
        # Memory was out of date, perhaps by something invisible, such as somebody's standing order: nobody is refused
        # because of that.
        for _tried in range(TRIES):
            self.doubted = True
            if await self.answer(page, ply, texts):
                return
        self.doubted = True
        raise Stale

    async def why_not(self, page: TablePage, texts: list[str]) -> str:
        """Why the rules do not allow an answer of this page, in a sentence of the game; empty if it has none."""
        match = await self.current()
        seat = access.seat_of(match, page.user) if match else None
        if match is None or seat is None:
            return ""
        return face_of(match.rules).refusal(history.replay(match).view(match.ply, seat.index), texts)

    async def answer(self, page: TablePage, ply: int, texts: list[str]) -> bool:
        """Make an answer from memory; False if memory was out of date."""
        match = await self.current()
        seat = access.seat_of(match, page.user) if match and page.table is self else None
        return match is None or seat is None or await writer.write(prepare(match, seat.index, ply, texts))

    # Pages

    def draw_soon(self) -> None:
        """Draw the pages, and once more if something changes meanwhile."""
        if not self.again:
            self.again, self.since = True, time.perf_counter()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.refresh())

    async def refresh(self) -> None:
        while self.again and self.pages:
            self.again = False
            since = self.since
            try:
                match = await self.current()
                assert match is not None
                lines = await self.listen(match)
                # A running match is remembered whole; for any other the database is asked for more.
                if match.status == Match.Status.RUNNING and history.known(match):
                    messages = self.draw(match)
                else:
                    messages = await database_sync_to_async(self.draw)(match)
                for page, before, now, html in messages:
                    if page.drawn is not before:
                        # It has asked for the whole board meanwhile.
                        page.behind = page.behind or page in lines
                        self.again = True
                        continue
                    page.drawn = now
                    said, watched = lines.pop(page, ((), ()))
                    if said or watched:
                        seats = board.seats_of(match.sitting)
                        with translation.override(page.language):
                            html += board.chat_update(board.CHAT, said, not page.heard, seats)
                            html += board.chat_update(board.WATCHED, watched, not page.watched)
                        page.heard, page.watched = last(said, page.heard), last(watched, page.watched)
                    if html:
                        await page.push(html)
            except Exception as fault:
                # Keep the loop alive: nothing restarts it.
                log.exception("The pages of a table could not be drawn; this is tried again.")
                self.said()
                asyncio.get_running_loop().call_later(DEAF_S, self.nudged)
                if not isinstance(fault, DatabaseError):
                    # Nothing else in this process would come between, if it needed no query until here.
                    await asyncio.sleep(DEAF_S)
            else:
                metrics.nudge_to_render.observe(time.perf_counter() - since)

    async def listen(self, match: Match) -> dict[TablePage, tuple[Sequence[Line], Sequence[Line]]]:
        """For each page the lines that it has not shown: of its user's chat, and of the watchers' after the end."""
        if match.ended_at is not None and not self.ended:
            self.ended = True
            for page in self.pages:
                page.behind = self.talk
        pages = [page for page in self.pages if page.behind and page.user.is_authenticated]
        for page in pages:
            page.behind = False

        def heard() -> dict[TablePage, tuple[Sequence[Line], Sequence[Line]]]:
            return {
                page: (chat.heard(match, page.user, page.heard), chat.heard_after(match, page.user, page.watched))
                for page in pages
            }

        return await database_sync_to_async(heard)() if pages else {}

    def draw(self, match: Match) -> list[tuple[TablePage, board.Board | None, board.Board, str]]:
        """For each page the board that it shows, the one that it should show, and the difference."""
        snapshot = present.MatchSnapshot(match)
        self.common = board.common(snapshot.watched, self.common)
        readers: dict[str, list[TablePage]] = {}
        for page in list(self.pages):
            readers.setdefault(page.language, []).append(page)
        drawn: dict[Viewer, board.Board] = {}
        found = []
        for language, pages in readers.items():
            messages: dict[tuple[int, int], str] = {}
            with drawing(language):
                update = board.Update()
                for page in pages:
                    seat, came_from = access.seat_of(match, page.user), present.context_at_end(match, page.user)
                    viewer = (seat.index if seat else None, language, came_from)
                    now = drawn.get(viewer)
                    if now is None:
                        scene = snapshot.scene(viewer[0], came_from)
                        now = drawn[viewer] = board.draw(scene, self.common, self.boards.get(viewer))
                    before = page.drawn
                    key = id(before), id(now)
                    if key not in messages:
                        messages[key] = update.message(before, now)
                    found.append((page, before, now, messages[key]))
        self.boards = drawn
        return found


def last(lines: Sequence[Line], before: int) -> int:
    """The id of the last of these lines; `before` if there is none."""
    return lines[-1].pk if lines else before


def look(key: str) -> tuple[Match | None, history.Replay | None]:
    """The match as it is now, and its log."""
    match = access.find(key)
    return match, history.replay(match) if match is not None and match.started_at is not None else None


async def go_round() -> None:
    """Now and then compare tables with the database, tell the clocks, and close the pages of ended sessions."""
    compared_at = told_at = time.monotonic()
    while True:
        await asyncio.sleep(DEAF_S)
        tables, now = list(Table.tables.values()), time.monotonic()
        deaf = relay.deaf()
        try:
            if deaf or now - told_at >= ROUND_S:
                await close_ended([page for table in tables for page in table.pages])
            if deaf or now - compared_at >= COMPARE_S:
                compared_at = now
                found = await database_sync_to_async(present.standings)([table.key for table in tables])
                for table in tables:
                    match = table.match
                    if match is None or found.get(table.key) != (match.ply, match.revision, match.status):
                        table.nudged()
                    if deaf:
                        table.said()
            if now - told_at >= ROUND_S:
                told_at = now
                for table in tables:
                    table.tell()
                    if table.match is not None and table.match.started_at is not None:
                        table.look_round(table.match)
                        for page in list(table.pages):
                            if page.drawn:
                                await page.push(board.ply_of(page.drawn, now=now_ms()))
        except Exception:
            log.exception("The tables could not be compared with the database; this is tried again.")


async def close_ended(pages: list[TablePage]) -> None:
    """Close the pages whose sessions have ended, and those of former members of a private club."""
    keys = {page.session for page in pages if page.session}
    alive = await database_sync_to_async(sessions.alive)(keys) if keys else set()
    for page in pages:
        if page.session and page.session not in alive:
            await page.sign_out()
    watching = [(page, page.table.match) for page in pages if page.table and page.table.watched_by_few(page.user)]
    for page, match in watching:
        if match and not await database_sync_to_async(access.may_see)(match, page.user):
            await page.turn_away()
