from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, cast

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope
from channels.security.websocket import WebsocketDenier
from django.urls import Resolver404, URLResolver, path
from django.urls.resolvers import RegexPattern

from games.clubs.socket import BoardConsumer
from games.hub.bell import BellConsumer
from games.hub.sockets import PageConsumer
from games.ladders.socket import LadderConsumer
from games.lobby.socket import LobbyConsumer
from games.table.socket import TableConsumer
from games.tournaments.socket import TournamentConsumer


def socket(route: str, consumer: type[PageConsumer]) -> Any:
    """The address of a socket."""
    return path(route, cast(Any, consumer))  # no view, but resolved in the same way


addresses = URLResolver(
    RegexPattern(r"^/"),
    [
        socket("ws/bell", BellConsumer),
        socket("ws/play", LobbyConsumer),
        socket("ws/c/<str:slug>/ladders/<int:number>", LadderConsumer),
        socket("ws/c/<str:slug>/board", BoardConsumer),
        socket("ws/c/<str:slug>/tournaments/<int:number>", TournamentConsumer),
        socket("ws/m/<str:key>", TableConsumer),
    ],
)


def page_at(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> Awaitable[None]:
    """The socket at this address. Nothing stays but the page itself, unlike with the router of Channels."""
    assert scope["type"] == "websocket"
    try:
        found = addresses.resolve(scope["path"])
    except Resolver404:
        return cast(ASGI3Application, WebsocketDenier())(scope, receive, send)
    cast(dict[str, Any], scope)["url_route"] = {"kwargs": found.kwargs}
    return cast(ASGI3Application, cast(Any, found.func)())(scope, receive, send)
