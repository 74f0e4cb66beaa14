"""The common part of all sockets of the site: their user, their language, and how they close."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http.cookie import parse_cookie

from accounts.people import arrivals, sessions
from accounts.web import datetimes

if TYPE_CHECKING:
    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable
    from channels.consumer import _ChannelScope

NOT_HERE, MALFORMED, TOO_MANY, SIGNED_OUT = 4404, 4400, 4429, 4401
"""The site's own close codes: after any of them, a page does not try again."""
LONGEST_MESSAGE = 2000
"""In characters."""


class PageConsumer(AsyncWebsocketConsumer):
    """The socket of a page, whose user is found by one query."""

    async def __call__(self, scope: _ChannelScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        # Like Channels, but without a layer, and without looking for old connections at each message: what needs
        # the database here does that itself.
        self.scope, self.base_send = scope, send
        try:
            with suppress(StopConsumer):
                while True:
                    message = cast(dict[str, Any], await receive())
                    if message["type"] == "websocket.receive":
                        await self.receive(message.get("text"), message.get("bytes"))
                    else:
                        await getattr(self, get_handler_name(message))(message)
        finally:
            self.gone()

    def gone(self) -> None:
        """The page is gone, or must not be shown anything more. May be called twice."""

    async def come(self) -> None:
        """Find the user of the page, and the language in which they read."""
        self.session = sessions.key_of(self.scope)
        self.user = await arrivals.visitor(self.session)
        if not self.user.is_authenticated:
            self.session = None
        self.language = language_of(self.scope)
        self.habits = datetimes.habits_of(self.user, *told_by(self.scope))
        await self.accept()
        # A page stays open for hours, and nobody asks for them again.
        cast(list[Any], self.scope["headers"]).clear()

    async def sign_out(self) -> None:
        """Close, because the session of this page has ended. Messages from now on are ignored."""
        self.gone()
        await self.close(SIGNED_OUT)


def told_by(scope: _ChannelScope) -> tuple[str, str]:
    """The time zone and the languages that the browser of a socket tells."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    cookies = parse_cookie(headers.get(b"cookie", ""))
    return cookies.get(datetimes.COOKIE, ""), headers.get(b"accept-language", "")


def language_of(scope: _ChannelScope) -> str:
    """The language that the address of a socket asks for, if the site speaks it."""
    query = dict(part.partition("=")[::2] for part in scope["query_string"].decode("ascii", "replace").split("&"))
    wanted = query.get("lang", "")
    return wanted if wanted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
