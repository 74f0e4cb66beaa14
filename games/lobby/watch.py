from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.lobby import watching


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """The matches that can be watched now, and the latest games."""
    return render(
        request, "lobby/watch.html", {"games": watching.running(30), "finished": watching.finished(20), "at": "watch"}
    )
