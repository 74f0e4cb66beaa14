from django.urls import path

from games.views import rules, watch

urlpatterns = [
    path("rules", rules.rules, name="rules"),
    path("watch", watch.watch, name="watch"),
]
