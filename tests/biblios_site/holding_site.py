"""A site for Daphne whose sockets are accepted, and whose messages it takes only once a test lets it."""

import os
import socket

from asgiref.sync import sync_to_async

from biblios_site.daphne import lighten

lighten()


def wait():
    with socket.create_connection(("127.0.0.1", int(os.environ["TEST_PORT"]))) as test:
        test.recv(1)


async def application(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    await sync_to_async(wait, thread_sensitive=False)()
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})
