from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.lobby import watching


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """Which tables one may watch now, and what was played last."""
    return render(
        request, "lobby/watch.html", {"tables": watching.running(30), "finished": watching.finished(20), "at": "watch"}
    )
