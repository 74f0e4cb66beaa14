"""The first page of the site."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.engine.registry import title
from games.faces.registry import face_of
from games.lobby import watching


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The title of the site in a few words, and the games being played now."""
    face = face_of(title())
    parts = {part: f"board/{face.slug}/{part}.html" for part in ("hero", "how")}
    return render(request, "home.html", {"games": watching.running(3), "face": face, **parts, **face.home()})
