from channels.consumer import AsyncConsumer
from django.urls import URLPattern, path

from games.hub.bell import BellConsumer
from games.ladders.socket import LadderConsumer
from games.lobby.socket import LobbyConsumer
from games.table.socket import TableConsumer


def socket(route: str, consumer: type[AsyncConsumer]) -> URLPattern:
    """The address of a socket."""
    return path(route, consumer.as_asgi())  # type: ignore[arg-type]  # Channels routes to applications, not to views


websocket_urlpatterns = [
    socket("ws/bell", BellConsumer),
    socket("ws/play", LobbyConsumer),
    socket("ws/c/<str:slug>/ladder", LadderConsumer),
    socket("ws/m/<str:key>", TableConsumer),
]
