from __future__ import annotations

from typing import TYPE_CHECKING

from channels.consumer import AsyncConsumer
from channels.security.websocket import WebsocketDenier
from django.urls import path

from games.hub.bell import BellConsumer
from games.ladders.socket import LadderConsumer
from games.lobby.socket import LobbyConsumer
from games.table.socket import TableConsumer

if TYPE_CHECKING:
    from channels.routing import _ExtendedURLPattern


def socket(route: str, consumer: type[AsyncConsumer]) -> _ExtendedURLPattern:
    """The address of a socket."""
    return path(route, consumer.as_asgi())  # type: ignore[arg-type, return-value]  # no view, but as Channels has it


websocket_urlpatterns = [
    socket("ws/bell", BellConsumer),
    socket("ws/play", LobbyConsumer),
    socket("ws/c/<str:slug>/ladder", LadderConsumer),
    socket("ws/m/<str:key>", TableConsumer),
    socket("", WebsocketDenier),
    socket("<path:elsewhere>", WebsocketDenier),
]
