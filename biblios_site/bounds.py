"""Bounds on what the server accepts from one connection and one address before the site sees it.

uvicorn itself bounds a socket's message, and through h11 a head that is not complete: 16 KiB. A head that arrives at
once may be as long as one read: 256 KiB. But uvicorn would wait for ever for a request that arrives drop by drop, for a
client that does not read its answer, and after the malformed handshake of a socket. It would hold any number of
connections open.
"""

from __future__ import annotations

import asyncio
import resource
import socket
from contextvars import Context
from enum import IntEnum
from struct import pack
from typing import Any

import h11
from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
)
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.protocol import OPEN

from accounts.web.network import WIDER, Network, network_of

BODY_BYTES = 256 * 1024
"""Our largest form, a report, needs a tenth of this."""
MESSAGE_BYTES = 16 * 1024
"""A message of a socket, in one piece or many: beyond it the connection is closed before the message is read."""
PIECES = 64
"""A message of a socket in more pieces than this closes the connection: empty ones would add up to no bytes."""
WAITING = 64
"""A socket of which more messages wait for the site than this is cut off: pages send one at a time."""
UNREAD_BYTES = 256 * 1024
"""The most that may wait for a socket that does not read: the largest boards are a fourth of it. A connection on which
more waits after an answer takes no further request."""
ARRIVAL_S = 60
"""Within this time after a connection was opened, or the answer before was sent, the head of the next request has to
arrive; within as much again its body."""
ANSWER_BYTES = 1024 * 1024
"""The most of an answer that may wait for its client before the site does: pages are far smaller, downloads are not."""
READ_S = 60
"""Within this time a client that has fallen so far behind has to read most of it, and the rest after the answer."""
OF_A_NETWORK = 10 * settings.NEWCOMERS_AN_HOUR
"""Connections of one network, sockets apart (`biblios_site.sockets`). A proxy is one address, and has no bound."""


def share_of_files(eighths: int) -> int:
    """So many eighths of the files and connections that the system lets this process have open."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft * eighths // 8 if soft != resource.RLIM_INFINITY else 10**9


class Awaited(IntEnum):
    """What a connection that can be spared is waiting for; the lower, the sooner it has to go."""

    REQUEST = 0
    """The rest of a request, or the first of all."""
    NEXT_REQUEST = 1
    """Its last answer is sent."""
    READER = 2
    """Its client does not read the answer."""


class Room:
    """The connections of one network, or of all. When it is full, one that waits makes room for a new one."""

    def __init__(self, most: int) -> None:
        self.most, self.open = most, 0
        self.waiting: list[dict[Connection, None]] = [{} for _ in Awaited]
        """Those that wait, by what for; first those that have waited longest."""

    def make_room(self) -> bool:
        """Whether there is room for one more: the connection that can best be spared is dropped for it."""
        if self.open >= self.most:
            spared = next((connection for waiting in self.waiting for connection in waiting), None)
            if spared:
                spared.leave()
                spared.transport.abort()
        return self.open < self.most


EVERYBODY = "everybody"


class Connection(H11Protocol):
    """A connection whose requests arrive and whose answers are read in time, one of not too many of its network."""

    rooms: dict[str, Room] = {}
    """Those in which there are connections, by network."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self.places: dict[str, Room] = {}
        self.wait: Awaited | None = None
        self.behind: asyncio.TimerHandle | None = None
        transport.set_write_buffer_limits(high=ANSWER_BYTES)
        # asyncio does this itself only where it made the listening socket. What is sent must not wait until the client
        # has acknowledged what was sent before, which takes it up to 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # As after an answer.
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
        self.enter(network_of(self.client[0]) if self.client else Network(""))

    def enter(self, network: Network) -> None:
        """Take a place among the connections of this network and of all. Without one, the connection ends."""
        bounds = {EVERYBODY: share_of_files(3)}
        if not settings.SECURE_PROXY_SSL_HEADER:
            bounds |= {network.near: OF_A_NETWORK} | ({network.wide: WIDER * OF_A_NETWORK} if network.wide else {})
        places = {name: self.rooms.get(name) or Room(most) for name, most in bounds.items()}
        if not all(room.make_room() for room in reversed(places.values())):
            return self.transport.abort()
        self.places = places
        self.rooms |= places
        for room in places.values():
            room.open += 1
        self.stand()

    def stand(self) -> None:
        """Note what the connection waits for, and since when; it does not wait while the site answers."""
        wait = self.waits_for()
        if wait != self.wait:
            for room in self.places.values():
                if self.wait is not None:
                    del room.waiting[self.wait][self]
                if wait is not None:
                    room.waiting[wait][self] = None
            self.wait = wait

    def waits_for(self) -> Awaited | None:
        if self.behind:
            return Awaited.READER
        if self.cycle and not self.cycle.response_complete:
            return Awaited.REQUEST if self.cycle.more_body else None
        return Awaited.REQUEST if not self.cycle or self.conn.trailing_data[0] else Awaited.NEXT_REQUEST

    def data_received(self, data: bytes) -> None:
        # uvicorn's own method would cancel the timeout at the first byte; here only a complete head does.
        self.conn.receive_data(data)
        self.handle_events()
        self.stand()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.behind = self.loop.call_later(READ_S, self.transport.abort)
        self.stand()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.in_step()
        self.stand()

    def on_response_complete(self) -> None:
        # The answer to a next request would wait, and hold a connection to the database while it does.
        if self.transport.get_write_buffer_size() > UNREAD_BYTES:
            self.transport.close()
        # The clock that starts here would keep all that the request has left in its context until the next one.
        Context().run(super().on_response_complete)
        if self.transport.is_closing():
            self.timeout_keep_alive_task = self.loop.call_later(READ_S, self.transport.abort)
        self.stand()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.leave()
        # Nothing may be sent before the handshake is answered (RFC 6455, 4.1). uvicorn would lose it.
        if self.conn.trailing_data[0]:
            return self.transport.abort()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self.leave()
        super().connection_lost(exc)

    def in_step(self) -> None:
        if self.behind:
            self.behind.cancel()
            self.behind = None

    def leave(self) -> None:
        self._unset_keepalive_if_required()
        self.in_step()
        for name, room in self.places.items():
            room.open -= 1
            if self.wait is not None:
                del room.waiting[self.wait][self]
            if not room.open:
                del self.rooms[name]
        self.places = {}


class Inbox:
    """What has come for the one that waits for it. A queue of asyncio, made for many, takes 3 KiB in each socket."""

    def __init__(self) -> None:
        self.messages: list[ASGIReceiveEvent] = []
        self.waiting: asyncio.Future[None] | None = None

    def put_nowait(self, message: ASGIReceiveEvent) -> None:
        self.messages.append(message)
        if self.waiting and not self.waiting.done():
            self.waiting.set_result(None)

    def empty(self) -> bool:
        return not self.messages

    def full(self) -> bool:
        """Whether more messages wait than a page would ever send."""
        return len(self.messages) > WAITING

    async def get(self) -> ASGIReceiveEvent:
        while not self.messages:
            self.waiting = asyncio.get_running_loop().create_future()
            await self.waiting
        return self.messages.pop(0)


class Socket(WebSocketsSansIOProtocol):
    """A socket that is cut off when it does not read. Waiting for it would hold up the others at its table.

    A thousand of them stay open for hours, so each keeps little.
    """

    queue: Inbox  # type: ignore[assignment]  # it does what is asked of it
    never_full = asyncio.Event()
    """Set for good: whatever does not read is cut off instead."""
    never_full.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.queue = Inbox()
        self.writable = self.never_full
        assert isinstance(transport, asyncio.WriteTransport)
        transport.set_write_buffer_limits(high=UNREAD_BYTES)

    def data_received(self, data: bytes) -> None:
        # The first data are a complete head; no more may come before it is answered. uvicorn would take frames for
        # those of an open socket, and fail.
        if self.handshake_initiated and not self.handshake_complete:
            return self.transport.abort()
        super().data_received(data)
        # uvicorn neither answers nor closes if the parser refuses the head.
        if not self.handshake_initiated:
            self.transport.abort()

    def start_keepalive(self) -> None:
        super().start_keepalive()
        del self.request, self.response  # both are answered

    def send_receive_event_to_app(self) -> None:
        if self.queue.full():
            return self.transport.abort()
        if self.curr_msg_data_type == "text" and not is_text(b"".join(self.frames)):
            # uvicorn would log it with a traceback.
            self.conn.fail(CloseCode.INVALID_DATA)
            return self.handle_parser_exception()
        # uvicorn stops reading at each message until the site has taken it: to stop and to go on are two calls of the
        # system. Here it stops at the second one that waits.
        reads_on = not self.read_paused and self.queue.empty()
        self.read_paused = self.read_paused or reads_on
        super().send_receive_event_to_app()
        if reads_on:
            self.read_paused = False

    async def send(self, message: Any) -> None:
        text = message.get("text")
        if text is not None and self.conn.state is OPEN and not self.disconnected:
            # Nearly all messages, past what uvicorn and websockets ask and keep about each.
            self.transport.write(text_frame(text.encode()))
        else:
            await super().send(message)

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > PIECES:
            self.transport.abort()

    def pause_writing(self) -> None:
        self.transport.abort()


def is_text(data: bytes) -> bool:
    """Whether this is UTF-8, as a text has to be."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def text_frame(data: bytes) -> bytes:
    """A text that a server sends in one piece, as RFC 6455 has it."""
    length = len(data)
    if length < 126:
        return bytes((0x81, length)) + data
    if length < 1 << 16:
        return pack("!BBH", 0x81, 126, length) + data
    return pack("!BBQ", 0x81, 127, length) + data


def small(application: ASGI3Application) -> ASGI3Application:
    """Answers 413 to requests with too large a body, 408 to those whose body comes too slowly."""

    async def guarded(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        assert scope["type"] == "http"

        async def refuse(status: int) -> None:
            headers = [(b"content-length", b"0"), (b"connection", b"close")]
            await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        answered = False

        async def answer(message: ASGISendEvent) -> None:
            nonlocal answered
            answered = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        async def next_message() -> ASGIReceiveEvent:
            if first:
                return first.pop()
            message = await receive()
            if answered:
                # The client is gone, or the server says so once it has the answer. Django would make an exception of
                # it whose traceback keeps the whole request in a cycle. It cancels this at once.
                await asyncio.get_running_loop().create_future()
            return message

        length = dict(scope["headers"]).get(b"content-length", b"0")
        if int(length) > BODY_BYTES:
            return await refuse(413)
        body, more = b"", True
        try:
            async with asyncio.timeout(ARRIVAL_S):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    assert message["type"] == "http.request"
                    body += message.get("body", b"")
                    if len(body) > BODY_BYTES:
                        return await refuse(413)
                    more = message.get("more_body", False)
        except TimeoutError:
            return await refuse(408)
        first: list[ASGIReceiveEvent] = [{"type": "http.request", "body": body, "more_body": False}]
        await application(scope, next_message, answer)

    return guarded
