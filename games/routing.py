from django.urls import path

from games.consumers import TableConsumer
from games.lobby_consumer import LobbyConsumer

websocket_urlpatterns = [
    path("ws/play", LobbyConsumer.as_asgi()),
    path("ws/m/<str:key>", TableConsumer.as_asgi()),
]
