"""Bounds on what the server accepts from one connection and one address before the site sees it.

uvicorn itself bounds a socket's message, and through h11 a head that is not complete: 16 KiB. A head that arrives at
once may be as long as one read: 256 KiB. But uvicorn would wait for ever for a request that arrives drop by drop, for a
client that does not read its answer, and after the malformed handshake of a socket. It would hold any number of
connections from one address open.
"""

import asyncio
from collections import Counter

import h11
from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, Scope
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

BODY_BYTES = 256 * 1024
"""Our largest form, a report, needs a tenth of this."""
MESSAGE_BYTES = 16 * 1024
"""A message of a socket, in one piece or many: beyond it the connection is closed before the message is read."""
PIECES = 64
"""A message of a socket in more pieces than this closes the connection: empty ones would add up to no bytes."""
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
OF_AN_ADDRESS = 10 * settings.NEWCOMERS_AN_HOUR
"""Connections of one address, sockets apart (`biblios_site.sockets`). A proxy is one address, and has no bound."""


class Connection(H11Protocol):
    """A connection whose requests arrive and whose answers are read in time, one of not too many of its address."""

    open: Counter[str] = Counter()
    """The number of connections, by address."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.open[self.address] += 1
        self.behind: asyncio.TimerHandle | None = None
        transport.set_write_buffer_limits(high=ANSWER_BYTES)
        # As after an answer.
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
        if self.open[self.address] > OF_AN_ADDRESS and not settings.SECURE_PROXY_SSL_HEADER:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        # uvicorn's own method would cancel the timeout at the first byte; here only a complete head does.
        self.conn.receive_data(data)
        self.handle_events()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.behind = self.loop.call_later(READ_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.in_step()

    def on_response_complete(self) -> None:
        # The answer to a next request would wait, and hold a connection to the database while it does.
        if self.transport.get_write_buffer_size() > UNREAD_BYTES:
            self.transport.close()
        super().on_response_complete()
        if self.transport.is_closing():
            self.timeout_keep_alive_task = self.loop.call_later(READ_S, self.transport.abort)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.leave()
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
        self.open[self.address] -= 1
        if not self.open[self.address]:
            del self.open[self.address]


class Socket(WebSocketsSansIOProtocol):
    """A socket that is cut off when it does not read. Waiting for it would hold up the others at its table."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        assert isinstance(transport, asyncio.WriteTransport)
        transport.set_write_buffer_limits(high=UNREAD_BYTES)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # The first data are a complete head. uvicorn neither answers nor closes if the parser refuses it.
        if not self.handshake_initiated:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > PIECES:
            self.transport.abort()

    def pause_writing(self) -> None:
        self.transport.abort()


def small(application: ASGI3Application) -> ASGI3Application:
    """Answers 413 to requests with too large a body, 408 to those whose body comes too slowly."""

    async def guarded(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        assert scope["type"] == "http"

        async def refuse(status: int) -> None:
            headers = [(b"content-length", b"0"), (b"connection", b"close")]
            await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def next_message() -> ASGIReceiveEvent:
            return first.pop() if first else await receive()

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
        await application(scope, next_message, send)

    return guarded
