"""Who may open a socket at all: pages of this very site, and not too many at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable
from typing import cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
    WebSocketScope,
)
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from accounts.people import arrivals, sessions
from accounts.web.network import WIDER, network_of_socket
from biblios_site.bounds import share_of_files

OF_A_BROWSER = 20
"""The number of sockets that one browser (a session) may have open in this process ..."""
OF_A_NETWORK = 10 * settings.NEWCOMERS_AN_HOUR
"""... and the number for all browsers of one network ..."""
OF_ALL = share_of_files(3)
"""... and of all networks. Beyond these two come people with an account alone ..."""
OF_A_PERSON = 40
"""... as long as they have no more than this number so."""
TOO_MANY = 4429


def same_origin(application: ASGI3Application) -> ASGI3Application:
    """Refuses with status 403 any socket that was not opened by a page of this site: same scheme, host and port."""

    def guarded(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> Awaitable[None]:
        assert scope["type"] == "websocket"
        inner = application if from_here(scope) else cast(ASGI3Application, WebsocketDenier())
        return inner(scope, receive, send)

    return guarded


def from_here(scope: WebSocketScope) -> bool:
    """Whether the Origin of a socket is the address at which the site was asked."""
    origins, host = of(scope, b"origin"), ",".join(of(scope, b"host")).lower()
    scheme = "https" if settings.SECURE_PROXY_SSL_HEADER else "http"
    if [origin.lower() for origin in origins] != [f"{scheme}://{host}"]:
        return False
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def bounded(application: ASGI3Application) -> ASGI3Application:
    """Closes sockets beyond these numbers."""
    opened: Counter[str] = Counter()

    def full(keys: dict[str, int]) -> bool:
        return any(opened[key] >= most for key, most in keys.items())

    async def places(scope: WebSocketScope) -> dict[str, int]:
        """What a socket is counted by, with the number for each."""
        session, network = sessions.key_of(scope), network_of_socket(scope)
        browser = {f"browser {session}": OF_A_BROWSER} if session else {}
        keys = browser | {"all": OF_ALL, network.near: OF_A_NETWORK}
        if network.wide:
            keys[network.wide] = WIDER * OF_A_NETWORK
        if full(keys) and not full(browser) and (person := await person_of(session)):
            return browser | {f"person {person}": OF_A_PERSON}
        return keys

    async def guarded(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        assert scope["type"] == "websocket"
        keys = await places(scope)
        if full(keys):
            # A code that only an accepted socket can be given: with it the page does not try again.
            await receive()
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            await send({"type": "websocket.close", "code": TOO_MANY, "reason": None})
            return
        opened.update(taken := tuple(keys))
        del keys
        try:
            await application(scope, receive, while_open(send))
        finally:
            for key in taken:
                opened[key] -= 1
                if not opened[key]:
                    del opened[key]

    return guarded


async def person_of(session: str | None) -> int | None:
    """The user of a session, if they have an account: guests have none."""
    user = await arrivals.visitor(session)
    return user.pk if user.is_authenticated and not user.guest else None


def while_open(send: ASGISendCallable) -> ASGISendCallable:
    """Sends messages until the socket has ended; later ones are dropped, and are no error."""
    closed = False

    async def guarded(message: ASGISendEvent) -> None:
        nonlocal closed
        if not closed:
            closed = message["type"] == "websocket.close"
            try:
                await send(message)
            except OSError:
                return

    return guarded


def of(scope: WebSocketScope, name: bytes) -> list[str]:
    """The headers with this name."""
    return [value.decode("latin-1") for header, value in scope["headers"] if header == name]
