from django.urls import path

from games.bell import BellConsumer
from games.consumers import TableConsumer
from games.ladder_consumer import LadderConsumer
from games.lobby_consumer import LobbyConsumer

websocket_urlpatterns = [
    path("ws/bell", BellConsumer.as_asgi()),
    path("ws/play", LobbyConsumer.as_asgi()),
    path("ws/c/<str:slug>/ladder", LadderConsumer.as_asgi()),
    path("ws/m/<str:key>", TableConsumer.as_asgi()),
]
