"""Sockets of the site, as its pages open them."""

import html
import re
from contextlib import AsyncExitStack, asynccontextmanager

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from tests.people import person

HEADERS = {"HX-Request": "true", "HX-Current-URL": "http://localhost/"}
"""What htmx says of a page with everything that it sends."""
PATIENCE_S = 60
"""What has not come after this time will not come."""


def session_of(user) -> str:
    """The key of a new session of this user."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client.cookies[settings.SESSION_COOKIE_NAME].value


class Page(WebsocketCommunicator):
    """The socket of a page, in the session with this key or in none. Whatever it waits for, it waits PATIENCE_S."""

    def __init__(self, address, session=None, origin="http://localhost", host="localhost"):
        from biblios_site.asgi import application  # it looks at the static files

        headers = [(b"host", host.encode())]
        if origin is not None:
            headers.append((b"origin", origin.encode()))
        if session:
            headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode()))
        super().__init__(application, address, headers)

    async def receive_output(self, timeout=None):
        return await super().receive_output(PATIENCE_S)

    async def wait(self, timeout=None):
        await super().wait(PATIENCE_S)

    async def opens(self) -> bool:
        """Whether the server lets it in."""
        connected, _ = await self.connect()
        return connected

    async def until(self, wanted) -> str:
        """The first text that is wanted. AssertionError if the server closes before."""
        while not wanted(text := await self.receive_from()):
            pass
        return text

    async def sends(self, **fields) -> None:
        """Send a form, as htmx does: a field that stands in it several times has a list."""
        await self.send_json_to({**fields, "HEADERS": HEADERS})

    async def answers(self, ply, *moves) -> None:
        """Send an answer."""
        await self.sends(ply=str(ply), move=moves[0] if len(moves) == 1 else moves)

    async def asks(self) -> None:
        """Send an answer that comes too late, so that the whole board comes."""
        await self.answers(999_999, "nothing")

    async def element(self, id) -> str:
        """The text of the first element with this id that comes."""
        text = await self.until(lambda text: f' id="{id}"' in text)
        return html.unescape(re.search(f'<(\\w+)[^>]* id="{id}"[^>]*>(.*?)</\\1>', text, re.DOTALL)[2])

    async def refused(self) -> str:
        """Why something was not possible."""
        return await self.element("says")

    async def goes(self) -> str:
        """Where the page is led."""
        return re.search('<a id="go" href="([^"]+)"', await self.until(lambda text: ' id="go"' in text))[1]

    async def board(self) -> str:
        """The next board."""
        return await self.until(lambda text: "data-ply" in text)

    async def reaches(self, ply) -> bool:
        """True as soon as a board of this ply arrives, maybe after others."""
        return bool(await self.until(lambda text: f'data-ply="{ply}"' in text))

    async def closed_with(self) -> int:
        """The code with which the server closes, whatever it sent before."""
        while (message := await self.receive_output())["type"] != "websocket.close":
            pass
        return message["code"]


@asynccontextmanager
async def opening(kind=Page):
    """Opens pages of a kind: opener(address, name), or opener(address, session=key), or neither; closed at the end."""
    async with AsyncExitStack() as opened:

        async def opener(address, name=None, session=None):
            if name:
                session = await sync_to_async(lambda: session_of(person(name)))()
            page = kind(address, session)
            assert await page.opens()
            opened.push_async_callback(page.disconnect)
            return page

        yield opener
