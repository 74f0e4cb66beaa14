"""Who is connected, and how pages learn that something has changed. The only sender.

A nudge says that a match (or the lobby) has changed, and nothing else: each connected page is drawn again from what its
viewer may know. The pages of this process are told directly, other processes by one tiny message (`games.hub.relay`);
a page that misses a nudge catches up at the next round (`games.table.room`).
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextvars import Context
from functools import partial
from typing import Any, NamedTuple, Protocol, cast

from django.db import transaction

from games.hub import relay

log = logging.getLogger(__name__)

LOBBY = "lobby"
PRESENT_S = 40
"""How long another process is believed to have somebody's page open; it says so again at every round."""


class Listener(Protocol):
    """A connected page, or several of one match. Its methods are called in its event loop."""

    @property
    def users(self) -> set[int]:
        """The ids of the users behind these pages."""

    def nudged(self) -> None:
        """Something has changed."""

    def signed_out(self, user: int | None) -> None:
        """The user with this id has ended some of their sessions; None: anybody may have."""


class TableListener(Listener, Protocol):
    """The pages of one match."""

    @property
    def strangers(self) -> int:
        """How many people without a session have these pages open, as far as their networks tell."""

    def reached(self, ply: int) -> None:
        """Another process has brought the match to this ply."""

    def said(self) -> None:
        """There are new lines in a chat."""

    def met(self) -> None:
        """Somebody has come or gone."""

    def greeted(self) -> None:
        """Another process asks who is here."""


class Elsewhere(NamedTuple):
    """Who has pages of a match open in another process, as that process said last."""

    users: frozenset[int]
    strangers: int
    until: float
    """When to stop believing it."""


_listeners: dict[str, set[Listener]] = defaultdict(set)
_loops: dict[Listener, asyncio.AbstractEventLoop] = {}
_elsewhere: dict[str, dict[str, Elsewhere]] = defaultdict(dict)
"""By match and process: who has open pages there."""
_online: dict[str, tuple[frozenset[int], float]] = {}
"""By process: the users with any page open there, and until when to believe it."""
awake = threading.Event()
"""Set when the worker of this process should look for work."""


def join(group: str, listener: Listener) -> None:
    """Nudge this listener whenever the group (a match's key, or LOBBY) changes. Called in its event loop."""
    _loops[listener] = asyncio.get_running_loop()
    _listeners[group].add(listener)


def part(group: str, listener: Listener) -> None:
    """Undo `join`."""
    _listeners[group].discard(listener)
    _loops.pop(listener, None)
    if not _listeners[group]:
        _listeners.pop(group, None)
        _elsewhere.pop(group, None)


def listeners(group: str) -> list[Listener]:
    """The pages of this process that listen to a group."""
    return list(_listeners.get(group, ()))


def tables(key: str) -> list[TableListener]:
    """What listens to a match in this process: nothing else joins the group of its key."""
    return cast(list[TableListener], listeners(key))


# Changes made in this process


def changed(key: str, lobby: bool = False) -> None:
    """Nudge the pages of a match, its waiting room's too, and those of the lobby, once the transaction is committed."""

    def tell() -> None:
        _nudge_match(key)
        relay.send(match=key)
        if lobby:
            _nudge(LOBBY)
            relay.send(lobby=True)
        wake()

    transaction.on_commit(tell)


def said(key: str) -> None:
    """Show the pages of a match new lines of a chat, its waiting room's too, once the transaction is committed."""

    def tell() -> None:
        _said(key)
        relay.send(chat=key)

    transaction.on_commit(tell)


def nudge_lobby() -> None:
    """Nudge the pages of the lobby, once the transaction is committed."""

    def tell() -> None:
        _nudge(LOBBY)
        relay.send(lobby=True)

    transaction.on_commit(tell)


def ladder_changed(pk: int) -> None:
    """Nudge the pages of the ladder with this id, once the transaction is committed."""

    def tell() -> None:
        _nudge(ladder_group(pk))
        relay.send(ladder=pk)

    transaction.on_commit(tell)


def tournament_changed(pk: int) -> None:
    """Nudge the pages of the tournament with this id, once the transaction is committed."""

    def tell() -> None:
        _nudge(tournament_group(pk))
        relay.send(tournament=pk)

    transaction.on_commit(tell)


def board_changed(pk: int) -> None:
    """Nudge the pages with posts of the club with this id, once the transaction is committed."""

    def tell() -> None:
        _nudge(board_group(pk))
        relay.send(board=pk)

    transaction.on_commit(tell)


def room_group(key: str) -> str:
    """The group of the pages of a match that has not begun; no match has such a key."""
    return f"room {key}"


def ladder_group(pk: int) -> str:
    """The group of the pages of the ladder with this id; no match has such a key."""
    return f"ladder {pk}"


def tournament_group(pk: int) -> str:
    """The group of the pages of the tournament with this id; no match has such a key."""
    return f"tournament {pk}"


def board_group(pk: int) -> str:
    """The group of the pages with posts of the club with this id; no match has such a key."""
    return f"board {pk}"


def told(users: set[int]) -> None:
    """The unread counts of these users have changed. Called after the commit."""
    _ring(users)
    relay.send(bell=sorted(users))


def bell_group(user: int) -> str:
    """The group of the bells of the user with this id."""
    return f"bell {user}"


def signed_out(user: int) -> None:
    """Let the pages of the user with this id check whether they may stay open."""
    _sign_out(user)
    relay.send(user=user)


def wake() -> None:
    """Let the worker of this process look for work now."""
    awake.set()


# Presence


def here(key: str) -> set[int]:
    """The ids of the users who have a page of the match open, in any process."""
    users = {user for table in listeners(key) for user in table.users}
    return users.union(*(other.users for other in elsewhere(key)))


def watchers(key: str, players: Collection[int | None]) -> int:
    """How many people have a page of the match open, in any process, without these players.

    Strangers in one network count as one: nobody makes a crowd out of many pages.
    """
    strangers = sum(table.strangers for table in tables(key)) + sum(other.strangers for other in elsewhere(key))
    return len(here(key).difference(players)) + strangers


def elsewhere(key: str) -> list[Elsewhere]:
    """Who has a page of the match open in the other processes."""
    now = time.monotonic()
    return [other for other in list(_elsewhere.get(key, {}).values()) if now < other.until]


def present(key: str, users: set[int], strangers: int, ask: bool = False) -> None:
    """Tell the other processes who has pages of a match open here; `ask` them to do the same."""
    relay.send(present=key, users=sorted(users), strangers=strangers, ask=ask)


def online() -> set[int]:
    """The ids of the users who have any page open, in any process, or had some seconds ago."""
    users = _here()
    now = time.monotonic()
    for others, until in list(_online.values()):
        if now < until:
            users |= others
    return users


def show_online() -> None:
    """Tell the other processes who has a page open here."""
    if not relay.alone():
        relay.send(online=sorted(_here()))


def _here() -> set[int]:
    return {user for group in list(_listeners) for page in listeners(group) for user in page.users}


# Messages of other processes


def heard(sender: str, message: dict[str, Any]) -> None:
    """Handle a message of another process."""
    match message:
        case {"match": key, "ply": ply}:
            call([(table, partial(table.reached, ply)) for table in tables(key)])
        case {"match": key}:
            _nudge_match(key)
        case {"lobby": True}:
            _nudge(LOBBY)
        case {"ladder": pk}:
            _nudge(ladder_group(pk))
        case {"tournament": pk}:
            _nudge(tournament_group(pk))
        case {"board": pk}:
            _nudge(board_group(pk))
        case {"chat": key}:
            _said(key)
        case {"bell": [*users]}:
            _ring(users)
        case {"online": [*users]}:
            _online[sender] = frozenset(users), time.monotonic() + PRESENT_S
        case {"user": user}:
            _sign_out(user)
        case {"present": key, "users": users, "strangers": strangers, "ask": ask} if key in _listeners:
            _elsewhere[key][sender] = Elsewhere(frozenset(users), strangers, time.monotonic() + PRESENT_S)
            call([(table, table.greeted if ask else table.met) for table in tables(key)])


def missed() -> None:
    """Messages of other processes may have been lost: every page looks for itself, at its session too."""
    _sign_out(None)
    for group in list(_listeners):
        _nudge(group)
        if group.isalnum() and group != LOBBY:
            call([(table, table.said) for table in tables(group)])


def _nudge(group: str) -> None:
    call([(listener, listener.nudged) for listener in listeners(group)])


def _nudge_match(key: str) -> None:
    _nudge(key)
    _nudge(room_group(key))


def _said(key: str) -> None:
    call([(table, table.said) for table in tables(key)])
    _nudge(room_group(key))


def _ring(users: Iterable[int]) -> None:
    call([(page, page.nudged) for user in users for page in listeners(bell_group(user))])


def _sign_out(user: int | None) -> None:
    everybody = {listener for group in list(_listeners) for listener in listeners(group)}
    call([(listener, partial(listener.signed_out, user)) for listener in everybody])


def call(calls: Sequence[tuple[Listener, Callable[[], None]]]) -> None:
    """Call these methods of listeners in their event loops, all of one loop at once."""
    by_loop = defaultdict(list)
    for listener, method in calls:
        if (loop := _loops.get(listener)) and not loop.is_closed():
            by_loop[loop].append(method)
    for loop, methods in by_loop.items():
        # Not in the context of a database thread, in which nothing else could use the database.
        loop.call_soon_threadsafe(_all, methods, context=Context())


def _all(methods: Sequence[Callable[[], None]]) -> None:
    for method in methods:
        try:
            method()
        except Exception:
            log.exception("A page could not be told of a change.")  # the others are still told
