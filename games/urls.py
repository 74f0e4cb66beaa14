from django.urls import path

from games.views import lobby, records, review, rules, table, watch

urlpatterns = [
    path("play", lobby.lobby, name="lobby"),
    path("play/news", lobby.news, name="news"),
    path("play/new", lobby.new, name="new_table"),
    path("play/quick", lobby.quick, name="quick"),
    path("play/quick/stop", lobby.stop_waiting, name="stop_waiting"),
    path("play/bots", lobby.bots, name="bots"),
    path("play/guided", lobby.guided, name="guided"),
    path("m/<str:key>/join", lobby.join, name="join"),
    path("m/<str:key>/ready", lobby.ready, name="ready"),
    path("m/<str:key>/stand", lobby.stand, name="stand"),
    path("m/<str:key>/kick", lobby.kick, name="kick"),
    path("m/<str:key>/bot", lobby.bot, name="bot"),
    path("m/<str:key>/rematch", lobby.rematch, name="rematch"),
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
    path("m/<str:key>/<int:ply>", review.show, name="review"),
    path("m/<str:key>/record.json", records.record, name="record"),
    path("m/<str:key>/record.txt", records.text, name="record_text"),
    path("@/<str:username>/games.jsonl", records.games, name="record_games"),
]
