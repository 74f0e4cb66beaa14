from django.urls import path

from games.views import rules, table, watch

urlpatterns = [
    path("rules", rules.rules, name="rules"),
    path("watch", watch.watch, name="watch"),
    path("m/<str:key>", table.table, name="table"),
    path("m/<str:key>/board", table.board_since, name="board"),
    path("m/<str:key>/play", table.answer, name="answer"),
    path("m/<str:key>/resign", table.resign, name="resign"),
    path("m/<str:key>/abort", table.abort, name="abort"),
    path("m/<str:key>/orders", table.order, name="orders"),
    path("m/<str:key>/chat", table.chat, name="chat"),
    path("m/<str:key>/mute", table.mute, name="mute"),
]
