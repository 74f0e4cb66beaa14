"""Daphne with less in each socket, where it serves the site instead of `manage.py serve`.

The socket of a page stays open for hours. Daphne would keep the whole request with which it was opened, its own copy
of all options, and a queue made for many readers, without an end.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from daphne import server
from daphne.cli import CommandLineInterface
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from biblios_site.bounds import Inbox

OF_THE_HANDSHAKE = {
    "_raw_query_string",
    "_transport_details",
    "application_deferred",
    "clean_headers",
    "http_headers",
    "http_request_data",
    "http_request_host",
    "http_request_params",
    "http_request_path",
    "http_request_uri",
    "http_response_data",
    "http_status_line",
    "server_addr",
    "websocket_extensions",
    "websocket_origin",
    "websocket_protocols",
}
"""What a socket does not need any more once it is open."""


class DaphneSocket(WebSocketProtocol):  # type: ignore[misc]  # it has no types
    """A socket that keeps little, and is cut off when too much waits for the site."""

    CONFIG_ATTRS = ()
    """What is copied into each socket: nothing, because the class has all options. Autobahn would also print them."""

    def makeConnection(self, transport: Any) -> None:
        if not hasattr(self, "versions"):
            for name in WebSocketProtocol.CONFIG_ATTRS:
                # Some are functions, and no methods.
                setattr(DaphneSocket, name, staticmethod(getattr(self.factory, name)))
        super().makeConnection(transport)

    def dataReceived(self, data: bytes) -> None:
        # As under uvicorn: nothing may come before the handshake is answered.
        if self.state == self.STATE_CONNECTING and hasattr(self, "request"):
            self.transport.abortConnection()
        else:
            self._dataReceived(data)  # autobahn's own method also paints a line for a log that nobody reads

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        if self.application_queue.full():
            self.transport.abortConnection()
        else:
            super().onMessage(payload, isBinary)

    def onOpen(self) -> None:
        super().onOpen()
        self.transport.unregisterProducer()  # what has read the request, and holds it
        self.request.headers = {}
        self.__dict__ = {name: value for name, value in vars(self).items() if name not in OF_THE_HANDSHAKE}


class DaphneServer(server.Server):  # type: ignore[misc]
    """A server whose sockets have a simple inbox."""

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        inbox = Inbox()
        scope["asgi"] = {"version": "3.0"}
        application = self.application(scope, inbox.get, partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(application)
        return inbox


def lighten() -> None:
    """Have the Daphne that is starting serve the site so."""
    WebSocketFactory.protocol = DaphneSocket
    CommandLineInterface.server_class = DaphneServer
