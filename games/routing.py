from django.urls import path

from games.hub.bell import BellConsumer
from games.ladders.socket import LadderConsumer
from games.lobby.socket import LobbyConsumer
from games.table.socket import TableConsumer

websocket_urlpatterns = [
    path("ws/bell", BellConsumer.as_asgi()),
    path("ws/play", LobbyConsumer.as_asgi()),
    path("ws/c/<str:slug>/ladder", LadderConsumer.as_asgi()),
    path("ws/m/<str:key>", TableConsumer.as_asgi()),
]
