from django.urls import path

from games.consumers import TableConsumer

websocket_urlpatterns = [
    path("ws/m/<str:key>", TableConsumer.as_asgi()),
]
